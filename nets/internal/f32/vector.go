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
