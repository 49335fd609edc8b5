package f32

// maxNumbers is about how many numbers a call of assembly handles, which takes some
// microseconds: the scheduler cannot interrupt it.
const maxNumbers = 16 << 10

// width is how many numbers a vector has, and 0 for none.
func (p path) width() int { return [...]int{0, 8, 16, 4}[p] }

// masks tells whether a path leaves out some numbers of a vector at no cost.
func (p path) masks() bool { return p == avx512 }

// whole is how many of n numbers fill vectors.
func (p path) whole(n int) int {
	if p <= generic {
		return 0
	}
	return n &^ (p.width() - 1)
}

// eachPiece calls f for pieces of 0 … n-1 of at most size.
func eachPiece(n, size int, f func(from, to int)) {
	for from := 0; from < n; from += size {
		f(from, min(from+size, n))
	}
}

func (p path) axpy(y []float32, a float32, x []float32) {
	n := p.whole(len(y))
	eachPiece(n, maxNumbers, func(from, to int) {
		axpyVectors(p, &y[from], &x[from], (to-from)/p.width(), a)
	})
	axpyGeneric(y[n:], a, x[n:])
}

func (p path) addBiasReLU(y Matrix, bias []float32) {
	n := p.whole(y.Cols)
	if n > 0 {
		eachPiece(y.Rows, max(1, maxNumbers/n), func(from, to int) {
			at := &y.Data[from*y.Stride]
			addBiasReLUVectors(p, at, 4*y.Stride, to-from, n/p.width(), &bias[0])
		})
	}
	if n < y.Cols {
		addBiasReLUGeneric(y.Columns(n, y.Cols), bias[n:])
	}
}

func (p path) reluBack(dy, y Matrix) {
	n := p.whole(y.Cols)
	if n > 0 {
		eachPiece(y.Rows, max(1, maxNumbers/n), func(from, to int) {
			d, o := &dy.Data[from*dy.Stride], &y.Data[from*y.Stride]
			reluBackVectors(p, d, 4*dy.Stride, o, 4*y.Stride, to-from, n/p.width())
		})
	}
	if n < y.Cols {
		reluBackGeneric(dy.Columns(n, y.Cols), y.Columns(n, y.Cols))
	}
}

func (p path) keepMarked(x []float32, marks []uint64, scale float32) {
	n := p.whole(len(x))
	eachPiece(n, maxNumbers, func(from, to int) {
		keepMarkedVectors(p, &x[from], &marks[from/64], (to-from)/p.width(), scale)
	})
	keepMarkedGeneric(x[n:], marks, n, scale)
}

// addRows gets at most sumBlock rows.
func (p path) addRows(dst []float32, y Matrix) {
	n := p.whole(y.Cols)
	eachPiece(n, maxNumbers/sumBlock, func(from, to int) {
		addRowsVectors(p, &dst[from], &y.Data[from], 4*y.Stride, y.Rows, (to-from)/p.width())
	})
	if n < y.Cols {
		addRowsGeneric(dst[n:], y.Columns(n, y.Cols))
	}
}

// inVectors tells whether a path has vectors that the channels fill.
func (p path) inVectors(s Image) bool {
	return p > generic && s.Channels > 0 && p.whole(s.Channels) == s.Channels && s.Height > 1 && s.Width > 1
}

// eachLine calls f with where lines of squares begin in the pooled images and in the images.
func eachLine(s Image, f func(out, in int)) {
	small := s.Pooled()
	for n := range s.Batch {
		for y := range small.Height {
			f((n*small.Height+y)*small.Width*s.Channels, (n*s.Height+2*y)*s.Width*s.Channels)
		}
	}
}

func (p path) maxPool(dst []float32, which []uint8, x []float32, s Image) {
	if !p.inVectors(s) {
		maxPoolGeneric(dst, which, x, s)
		return
	}
	eachLine(s, func(out, in int) {
		maxPoolVectors(p, &dst[out], &which[out], &x[in], 4*s.Width*s.Channels, 4*s.Channels, s.Width/2)
	})
}

func (p path) maxPoolBack(dx, dy []float32, which []uint8, s Image) {
	if !p.inVectors(s) {
		maxPoolBackGeneric(dx, dy, which, s)
		return
	}
	eachLine(s, func(out, in int) {
		p.unpoolLine(dx[in:], dy[out:], which[out:], s.Width*s.Channels, s.Channels, s.Width/2)
	})
}

func (p path) unpoolLine(dx, dy []float32, which []uint8, line, channels, squares int) {
	if p <= generic || p.whole(channels) != channels {
		unpoolLineGeneric(dx, dy, which, line, channels, squares)
		return
	}
	maxPoolBackVectors(p, &dx[0], &dy[0], &which[0], 4*line, 4*channels, squares)
}
