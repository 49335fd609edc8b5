package f32

import "fmt"

// Maxout sets every row of dst to the maxima over the pieces of that row of x, which is the pieces one after another,
// each as wide as dst; and which to the piece of each, the first of equal ones. NaN counts as the greatest number. dst
// and which have no gaps.
func Maxout(dst []float32, which []uint8, x Matrix, pieces int) {
	cols := checkMaxout("Maxout", dst, which, x, pieces)
	for i := range x.Rows {
		maxOfPieces(dst[i*cols:][:cols], which[i*cols:][:cols], x.Row(i))
	}
}

// maxOfPieces is Maxout of a row.
func maxOfPieces(dst []float32, which []uint8, x []float32) {
	n := len(dst)
	which = which[:n]
	clear(which)
	copy(dst, x)
	for q := 1; q*n < len(x); q++ {
		for j, v := range x[q*n:][:n] {
			if best := dst[j]; v > best || v != v {
				dst[j], which[j] = v, uint8(q)
			}
		}
	}
}

// MaxoutBack sets dx to the gradient by Maxout's input: dy at the pieces that which names, and 0 at the others.
func MaxoutBack(dx Matrix, dy []float32, which []uint8, pieces int) {
	cols := checkMaxout("MaxoutBack", dy, which, dx, pieces)
	for i := range dx.Rows {
		row := dx.Row(i)
		clear(row)
		for j, d := range dy[i*cols:][:cols] {
			row[int(which[i*cols+j])*cols+j] = d
		}
	}
}

func checkMaxout(who string, dst []float32, which []uint8, x Matrix, pieces int) (cols int) {
	x.check(who)
	if pieces < 1 || pieces > 256 || x.Cols%pieces != 0 || len(dst)*pieces != x.Rows*x.Cols {
		panic(fmt.Sprintf("f32: %s: %d numbers of %d×%d in %d pieces", who, len(dst), x.Rows, x.Cols, pieces))
	}
	sameLength(who, "places", len(which), len(dst))
	return x.Cols / pieces
}
