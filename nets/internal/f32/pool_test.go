package f32

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMaxPoolKnown(t *testing.T) {
	s := Image{1, 3, 5, 1} // the last row and column are left out
	nan := float32(math.NaN())
	x := []float32{
		1, 2, 7, 7, 9,
		3, 0, 7, nan, 9,
		9, 9, 9, 9, 9,
	}
	dst, which := make([]float32, 2), make([]uint8, 2)
	MaxPool(dst, which, x, s)
	compare(t, "MaxPool", dst, []float32{3, nan})
	if which[0] != 2 || which[1] != 3 {
		t.Errorf("the maxima are at %v, want 2 and 3", which)
	}
	x[8] = 7
	MaxPool(dst, which, x, s)
	if which[1] != 0 {
		t.Errorf("of equal numbers the one at %d is taken, want 0", which[1])
	}
	MaxPoolBack(x, []float32{5, 6}, which, s)
	compare(t, "MaxPoolBack", x, []float32{0, 0, 6, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0})
}

func TestMaxPoolAgrees(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(31, 32))
		for range 300 {
			s := Image{r.IntN(3), r.IntN(9), r.IntN(9), 1 + r.IntN(70)}
			if r.IntN(2) == 0 {
				s.Channels = 16 * (1 + r.IntN(5))
			}
			n := s.Pooled().Len()
			x, dst, dx := newGuarded(s.Len(), r.IntN(3)), newGuarded(n, r.IntN(3)), newGuarded(s.Len(), r.IntN(3))
			special(r, x.data)
			around := make([]uint8, n+80)
			which := around[40:][:n:n]
			p.maxPool(dst.data, which, x.data, s)
			want, wantWhich := make([]float32, n), make([]uint8, n)
			maxPoolGeneric(want, wantWhich, x.data, s)
			compare(t, "maxPool", dst.data, want)
			for i, w := range wantWhich {
				if which[i] != w {
					t.Fatalf("%+v: maximum %d is at %d, want %d", s, i, which[i], w)
				}
			}
			for i, w := range around {
				if (i < 40 || i >= 40+n) && w != 0 {
					t.Fatalf("%+v: place %d of %d was written", s, i-40, n)
				}
			}
			wantX := make([]float32, s.Len())
			copy(wantX, dx.data)
			dy := special(r, make([]float32, n))
			maxPoolBackGeneric(wantX, dy, which, s)
			p.maxPoolBack(dx.data, dy, which, s)
			compare(t, "maxPoolBack", dx.data, wantX)
			for _, g := range []guarded{x, dst, dx} {
				g.intact(t)
			}
		}
	})
}

// Pooling before the bias and the rectifier gives the values of pooling after.
func TestMaxPoolCommutes(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	s := Image{2, 6, 8, 5}
	n := s.Pooled().Len()
	x, bias := fill(r, make([]float32, s.Len())), fill(r, make([]float32, s.Channels))
	first, last, which := make([]float32, n), make([]float32, n), make([]uint8, n)
	MaxPool(first, which, x, s)
	AddBiasReLU(Mat(n/s.Channels, s.Channels, first), bias)
	AddBiasReLU(Mat(s.Len()/s.Channels, s.Channels, x), bias)
	MaxPool(last, which, x, s)
	compare(t, "pooling first", first, last)
}
