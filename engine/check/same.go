package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"gonum.org/v1/gonum/floats"
)

// sameNoise says what of the rows is the same that cannot be so by chance.
type sameNoise struct {
	zero    []bool  // coordinates without noise, of nearly all rows
	still   [][]int // of each chain, the longest stretch of rows without noise: from, to
	equal   bool    // in all coordinates
	repeats float64 // share of rows that were there before
	after   int     // rows, where a row comes again
	twins   []int   // chains whose noise is that of the first of them
	chains  []int   // the two whose noise is most alike
	// its correlation, the standard error of that, and how many of them it is, as one fact
	related, relatedSE, relatedZ float64
}

// near is the difference up to which residuals may be one, given that three rows in a row are that near.
const near = 1e-5

// bound is a coordinate that is held at its least or greatest value, with how many draws come to that; 0 for none. The
// next value has a fifth of them at most, as values have that are not rounded.
func (d Draws) bound() (coordinate int, value float64, visits int) {
	for i := range d.Dim {
		for _, sign := range []float64{-1, 1} {
			top, next, n, below, first := math.Inf(-1), math.Inf(-1), 0, 0, []float64(nil)
			for _, c := range d.Chains {
				for at, was := i, 0.0; at < len(c); at += d.Dim {
					x, row := sign*c[at], c[at-i:][:d.Dim]
					switch {
					case at == i || x == was: // where chains begin, or a proposal that was rejected
					case d.Dim > 1 && slices.Equal(row, first): // one state, in rows of another order
					case x > top:
						top, next, n, below, first = x, top, 1, n, row
					case x == top:
						n++
					case x > next:
						next, below = x, 1
					case x == next:
						below++
					}
					was = x
				}
			}
			if n > max(visits, 4, 5*below) {
				coordinate, value, visits = i, sign*top, n
			}
		}
	}
	return coordinate, value, visits
}

// few is the number of values below which a noise has so few that three rows come again by chance.
const few = 10

// same looks for what cannot be chance: three rows in a row. Rows of simulated transitions are compared between chains
// alone.
//
// A coordinate is without noise where what is left of it is at most tiny: what the method remembers of a start that
// nobody knows leaves something.
func same(rows [][]float64, d int, steps bool, tiny float64) sameNoise {
	if !steps {
		d = 1
	}
	out := sameNoise{zero: make([]bool, d)}
	close := func(a, b []float64) bool {
		for i, x := range a {
			if !(math.Abs(x-b[i]) <= near) {
				return false
			}
		}
		return true
	}
	none := make([]float64, d)
	total, apart, size := 0, 0.0, 0.0
	zero := make([]int, d)
	for _, c := range rows {
		n := len(c) / d
		total += n
		longest, from := []int{0, 0}, -1
		for t := range n {
			r := c[t*d:][:d]
			for i, x := range r {
				if math.Abs(x) <= tiny {
					zero[i]++
				}
				apart += float64((x - r[0]) * (x - r[0]))
				size += float64(x * x)
			}
			if !close(r, none) {
				from = -1
				continue
			}
			if from < 0 {
				from = t
			}
			if t+1-from >= 3 && t+1-from > longest[1]-longest[0] {
				longest = []int{from, t + 1}
			}
		}
		if longest[1] == n && longest[1]-longest[0] > n/2 { // once the velocity at the start is gone
			for i := range zero {
				zero[i] += n
			}
		}
		out.still = append(out.still, longest)
	}
	for i, n := range zero {
		out.zero[i] = total > 10 && n > total*9/10
	}
	out.equal = d > 1 && total > 10 && size > near && apart < 0.01*size
	for a := range rows {
		n := len(rows[a]) / d
		if n < 10 {
			continue
		}
		for b := range a {
			both, same := min(len(rows[a]), len(rows[b]))/d, 0
			sum, squares, size := 0.0, 0.0, [2]float64{}
			for t := range both {
				if close(rows[a][t*d:][:d], rows[b][t*d:][:d]) {
					same++
				}
				for i, x := range rows[a][t*d:][:d] {
					y := rows[b][t*d+i]
					c := float64(x * y)
					sum += c
					squares += float64(c * c)
					size[0] += float64(x * x)
					size[1] += float64(y * y)
				}
			}
			if both > 10 && same > both/2 && (out.twins == nil || out.twins[0] == b) {
				if out.twins == nil {
					out.twins = []int{b}
				}
				out.twins = append(out.twins, a)
			}
			if z := sum / math.Sqrt(max(squares, float64(both*d)/2)); math.Abs(z) > math.Abs(out.relatedZ) {
				out.chains, out.related, out.relatedZ = []int{b, a}, sum/math.Sqrt(size[0]*size[1]), z
				out.relatedSE = out.related / z
			}
		}
		if !steps {
			continue
		}
		// Rows that come again, of a noise with more than a few values.
		order, c := list.Upto(n-2), rows[a]
		slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(c[i*d], c[j*d]), i-j) })
		again, values := 0, 1
		for k := 1; k < len(order); k++ {
			if c[order[k]*d]-c[order[k-1]*d] > near {
				values++
			}
		}
		if values < few {
			continue
		}
		for k := 1; k < len(order); k++ {
			i := order[k]
			for j := k - 1; j >= max(0, k-8) && c[i*d]-c[order[j]*d] <= near; j-- {
				o := order[j]
				if o != i && close(c[o*d:][:d], c[i*d:][:d]) && close(c[(o+1)*d:][:d], c[(i+1)*d:][:d]) &&
					close(c[(o+2)*d:][:d], c[(i+2)*d:][:d]) && !close(c[i*d:][:d], none) {
					again++
					out.after = max(i-o, o-i)
					break
				}
			}
		}
		out.repeats = max(out.repeats, float64(again)/float64(n))
	}
	out.relatedZ = asOne(out.relatedZ, float64(len(rows)*(len(rows)-1)/2))
	return out
}

// echo is the lag, from one on, at which the noise of a chain is most like its own, its correlation there, and how many
// standard errors that is, as one fact.
func echo(rows []float64, d, from int) (lag int, found, se, z float64) {
	n, wide := min(len(rows)/d, 3000), min(d, 8)
	if n < 4*from+40 {
		return 0, 0, 0, 0
	}
	mean, c := make([]float64, wide), make([]float64, n*wide)
	for t := range n {
		for i, x := range rows[t*d:][:wide] {
			mean[i] += x / float64(n)
		}
	}
	for t := range n {
		for i, x := range rows[t*d:][:wide] {
			c[t*wide+i] = x - mean[i]
		}
	}
	for k := from; k <= n/2; k++ {
		sum, squares := 0.0, 0.0
		for t := 0; t < len(c)-k*wide; t += wide {
			p := 0.0 // of all coordinates, which may have something in common
			for i, x := range c[t:][:wide] {
				p += float64(x * c[t+k*wide+i])
			}
			sum += p
			squares += float64(p * p)
		}
		terms := float64(len(c) - k*wide)
		if y := sum / math.Sqrt(max(squares, terms)); math.Abs(y) > math.Abs(z) {
			lag, found, se, z = k, sum, math.Sqrt(max(squares, terms)), y
		}
	}
	if lag > 0 {
		of := floats.Norm(c[:len(c)-lag*wide], 2) * floats.Norm(c[lag*wide:], 2)
		found, se = found/of, se/of
	}
	return lag, found, se, asOne(z, float64(n/2-from))
}
