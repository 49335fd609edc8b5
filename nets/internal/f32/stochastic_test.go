package f32

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestStochasticPoolKnown(t *testing.T) {
	s := Image{1, 3, 5, 1} // the last row and column are left out
	x := []float32{
		1, 2, 0, 0, 9,
		0, 5, 0, 0, 9,
		9, 9, 9, 9, 9,
	}
	dst, which := make([]float32, 2), make([]uint8, 2)
	for _, c := range []struct {
		w     uint32 // of 2¹⁶
		value float32
		at    uint8
	}{
		{0, 1, 0}, {8191, 1, 0}, {8192, 2, 1}, {24_575, 2, 1}, {24_576, 5, 3}, {65_535, 5, 3},
	} {
		StochasticPool(dst, which, x, s, []uint32{c.w | 1234<<16})
		if dst[0] != c.value || which[0] != c.at || dst[1] != 0 {
			t.Errorf("%d: %v at %d and %v, want %v at %d and 0", c.w, dst[0], which[0], dst[1], c.value, c.at)
		}
	}
	WeightedPool(dst, x, s)
	compare(t, "WeightedPool", dst, []float32{30.0 / 8, 0})
	dx := make([]float32, len(x))
	WeightedPoolBack(dx, []float32{8, 3}, dst, x, s)
	compare(t, "WeightedPoolBack", dx, []float32{2 - 3.75, 4 - 3.75, 0, 0, 0, -3.75, 10 - 3.75, 0, 0, 0, 0, 0, 0, 0, 0})
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		square := []float32{1, 2, float32(v), 0}
		one := Image{1, 2, 2, 1}
		StochasticPool(dst[:1], which[:1], square, one, []uint32{0})
		WeightedPool(dst[1:], square, one)
		if dst[0] == dst[0] || dst[1] == dst[1] {
			t.Errorf("%v is lost: %v", v, dst)
		}
	}
}

// Of images with several channels each number has its own bits, and a number that
// was not in the square is never taken.
func TestStochasticPoolOfImages(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for range 100 {
		s := Image{1 + r.IntN(2), 2 + r.IntN(5), 2 + r.IntN(5), 1 + r.IntN(40)}
		n := s.Pooled().Len()
		x, dst := newGuarded(s.Len(), 0), newGuarded(n, 1)
		for i := range x.data {
			x.data[i] = float32(max(0, r.NormFloat64()))
		}
		which, words := make([]uint8, n), make([]uint32, StochasticWords(n))
		for i := range words {
			words[i] = r.Uint32()
		}
		StochasticPool(dst.data, which, x.data, s, words)
		dst.intact(t)
		at, line := 0, s.Width*s.Channels
		eachSquare(s, func(out, in int) {
			for j := range s.Channels {
				var a [4]float64
				total := 0.0
				for k := range a {
					a[k] = float64(x.data[in+j+k%2*s.Channels+k/2*line])
					total += a[k]
				}
				w := words[at/2] >> (at % 2 * 16) & 0xffff
				u := (float64(w) + 0.5) / (1 << 16) * total
				k := 0
				for ; k < 3 && u >= a[k]; k++ {
					u -= a[k]
				}
				if total == 0 {
					k = int(which[at])
				}
				// Rounding may move an edge, by less than this.
				if int(which[at]) != k && math.Abs(u) > 1e-6 && math.Abs(u-a[k]) > 1e-6 ||
					dst.data[at] != float32(a[which[at]]) {
					t.Fatalf("%+v: number %d is %v at %d of %v, want that at %d", s, at, dst.data[at], which[at], a, k)
				}
				at++
			}
		})
	}
}

func TestMaxoutKnown(t *testing.T) {
	nan := float32(math.NaN())
	x := Matrix{2, 6, 7, []float32{1, 5, 3, 5, 2, 4, canary, nan, -1, 7, -2, 8, -3}}
	dst, which := make([]float32, 4), make([]uint8, 4)
	Maxout(dst, which, x, 3)
	compare(t, "Maxout", dst, []float32{3, 5, nan, -1})
	for i, w := range []uint8{1, 0, 0, 0} {
		if which[i] != w {
			t.Errorf("maximum %d is in piece %d, want %d", i, which[i], w)
		}
	}
	MaxoutBack(x, []float32{1, 2, 3, 4}, which, 3)
	compare(t, "MaxoutBack", x.Data, []float32{0, 2, 1, 0, 0, 0, canary, 3, 4, 0, 0, 0, 0})
}

// By the definition in float64, and 0 where the softmax has the target's bits.
func TestSoftmaxCross(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for _, cols := range []int{1, 2, 10, 67} {
		x, guardX := guardedMatrix(r, 30, cols, 3)
		d, guardD := guardedMatrix(r, 30, cols, 1)
		p, _ := guardedMatrix(r, 30, cols, 0)
		for i := range 30 {
			Scale(p.Row(i), float32(i)/3) // also far apart
			Scale(x.Row(i), 3)
		}
		Softmax(p, p)
		loss := make([]float64, 30)
		const scale = -1.0 / 30
		SoftmaxCross(d, loss, x, p, scale)
		guardX.intact(t)
		guardD.intact(t)
		gapsIntact(t, d)
		for i := range 30 {
			sum, want := 0.0, 0.0
			for _, v := range x.Row(i) {
				sum += math.Exp(float64(v))
			}
			for j, v := range x.Row(i) {
				q := math.Exp(float64(v)) / sum
				want -= float64(p.Row(i)[j]) * math.Log(q)
				// Both probabilities err by a few units of 2⁻²³.
				if g := scale * (q - float64(p.Row(i)[j])); math.Abs(float64(d.Row(i)[j])-g) >
					float64(cols+20)*0x1p-23/30 {
					t.Fatalf("%d classes: d[%d,%d] is %g, want %g", cols, i, j, d.Row(i)[j], g)
				}
			}
			if math.Abs(loss[i]-want) > float64(cols+20)*0x1p-23*(1+want) {
				t.Errorf("%d classes: loss %d is %g, want %g", cols, i, loss[i], want)
			}
		}
		Softmax(p, x)
		SoftmaxCross(d, loss, x, p, scale)
		for i := range 30 {
			for j, v := range d.Row(i) {
				if v != 0 {
					t.Fatalf("d[%d,%d] is %g of equal distributions", i, j, v)
				}
			}
		}
	}
}
