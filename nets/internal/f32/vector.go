package f32

// Axpy adds a·x to y.
func Axpy(y []float32, a float32, x []float32) {
	sameLength("Axpy", "numbers", len(x), len(y))
	active.axpy(y, a, x)
}

func axpyGeneric(y []float32, a float32, x []float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float32(a * x[i])
	}
}

// Scale multiplies x by a.
func Scale(x []float32, a float32) {
	for i := range x {
		x[i] *= a
	}
}

// lanes is how many sums SumSquares keeps.
const lanes = 16

// SumSquares is Σ x², in float64 and the same bits on all paths: number i goes to
// sum i mod 16, and the sums are added in halves.
func SumSquares(x []float32) float64 { return active.sumSquares(x) }

func sumSquaresGeneric(x []float32) float64 {
	var s [lanes]float64
	for ; len(x) >= lanes; x = x[lanes:] {
		for i, v := range x[:lanes] {
			s[i] += float64(v) * float64(v) // exact products
		}
	}
	return foldSquares(&s, x)
}

// foldSquares adds the squares of the last few numbers to the sums, and these in
// halves.
func foldSquares(s *[lanes]float64, rest []float32) float64 {
	for i, v := range rest {
		s[i] += float64(v) * float64(v)
	}
	for n := lanes / 2; n > 0; n /= 2 {
		for i := range n {
			s[i] += s[i+n]
		}
	}
	return s[0]
}
