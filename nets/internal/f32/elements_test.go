package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// special fills x with normals, zeros of both signs, equal numbers, denormals and
// numbers that are not finite.
func special(r *rand.Rand, x []float32) []float32 {
	odd := []float32{0, float32(math.Copysign(0, -1)), 1, 1, -1, 1e-41, -1e-41, canary, float32(math.Inf(1)),
		float32(math.Inf(-1))}
	for i := range x {
		x[i] = float32(r.NormFloat64())
		if r.IntN(3) == 0 {
			x[i] = odd[r.IntN(len(odd))]
		}
	}
	return x
}

// compare fails where two slices differ in a number other than NaN.
func compare(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i, w := range want {
		if !alike(got[i], w) {
			t.Fatalf("%s: number %d of %d is %g, want %g", what, i, len(want), got[i], w)
		}
	}
}

// The kernels by element have the bits of the generic ones.
func TestElementsAgree(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(21, 22))
		for size := range 140 {
			rows, gap := 1+r.IntN(9), r.IntN(3)
			y, guardY := guardedMatrix(r, rows, size, gap)
			d, guardD := guardedMatrix(r, rows, size, gap)
			for i := range rows {
				special(r, y.Row(i))
				special(r, d.Row(i))
			}
			bias := newGuarded(size, r.IntN(3))
			special(r, bias.data)
			copyOf := func(m Matrix) Matrix {
				m.Data = append([]float32(nil), m.Data...)
				return m
			}
			check := func(what string, got, want Matrix) {
				t.Helper()
				compare(t, what, got.Data, want.Data)
				guardY.intact(t)
				guardD.intact(t)
				bias.intact(t)
				gapsIntact(t, got)
			}

			want := copyOf(d)
			reluBackGeneric(want, y)
			p.reluBack(d, y)
			check("reluBack", d, want)

			sums := newGuarded(size, r.IntN(3))
			special(r, sums.data)
			total := append([]float32(nil), sums.data...)
			addRowsGeneric(total, y)
			p.addRows(sums.data, y)
			sums.intact(t)
			compare(t, "addRows", sums.data, total)

			want = copyOf(y)
			addBiasReLUGeneric(want, bias.data)
			p.addBiasReLU(y, bias.data)
			check("addBiasReLU", y, want)

			a := float32(r.NormFloat64())
			for i := range rows {
				axpyGeneric(want.Row(i), a, bias.data)
				p.axpy(y.Row(i), a, bias.data)
			}
			check("axpy", y, want)
		}
	})
}

// Matrices of more than one call of assembly.
func TestElementsOfLargeMatrices(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(23, 24))
		y, bias := Mat(300, 203, fill(r, make([]float32, 300*203))), fill(r, make([]float32, 203))
		want := Mat(300, 203, append([]float32(nil), y.Data...))
		addBiasReLUGeneric(want, bias)
		p.addBiasReLU(y, bias)
		compare(t, "addBiasReLU", y.Data, want.Data)
		d := fill(r, make([]float32, len(y.Data)))
		wantD := append([]float32(nil), d...)
		reluBackGeneric(Mat(300, 203, wantD), y)
		p.reluBack(Mat(300, 203, d), y)
		compare(t, "reluBack", d, wantD)
		axpyGeneric(wantD, 3, y.Data)
		p.axpy(d, 3, y.Data)
		compare(t, "axpy", d, wantD)
	})
}

func TestColumnSums(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for _, rows := range []int{0, 1, 100, 256, 257, 5000} {
		y, _ := guardedMatrix(r, rows, 37, 2)
		dst := fill(r, make([]float32, 37))
		old := append([]float32(nil), dst...)
		for _, add := range []bool{true, false} {
			ColumnSums(dst, y, add)
			for j, got := range dst {
				var sum, size float64
				if add {
					sum, size = float64(old[j]), math.Abs(float64(old[j]))
				}
				for i := range rows {
					v := float64(y.Row(i)[j])
					sum, size = sum+v, size+math.Abs(v)
				}
				if math.Abs(float64(got)-sum) > float64(257+rows/256)*0x1p-24*size {
					t.Fatalf("%d rows, add %v: sum %d is %g, want %g", rows, add, j, got, sum)
				}
			}
		}
	}
}

func TestAddBiasAndScale(t *testing.T) {
	y := Matrix{2, 3, 4, []float32{1, 2, 3, 100, 4, 5, 6}}
	AddBias(y, []float32{10, 20, 30})
	compare(t, "AddBias", y.Data, []float32{11, 22, 33, 100, 14, 25, 36})
	Scale(y.Row(1), 2)
	compare(t, "Scale", y.Data, []float32{11, 22, 33, 100, 28, 50, 72})
	AddBiasReLU(y, []float32{-20, -22, -32.5})
	compare(t, "AddBiasReLU", y.Data, []float32{0, 0, 0.5, 100, 8, 28, 39.5})
}

func BenchmarkElements(b *testing.B) {
	for _, p := range paths() {
		r := rand.New(rand.NewPCG(1, 2))
		y, dy := Mat(100, 1200, fill(r, aligned(120000))), Mat(100, 1200, fill(r, aligned(120000)))
		bias := fill(r, aligned(1200))
		s := Image{100, 28, 28, 32}
		x, pooled := fill(r, aligned(s.Len())), aligned(s.Len()/4)
		which := make([]uint8, len(pooled))
		for _, k := range []struct {
			name string
			n    int
			f    func()
		}{
			{"addBiasReLU", 120000, func() { p.addBiasReLU(y, bias) }},
			{"reluBack", 120000, func() { p.reluBack(dy, y) }},
			{"addRows", 120000, func() { p.addRows(bias, y) }},
			{"axpy", 120000, func() { p.axpy(y.Data, 1e-9, dy.Data) }},
			{"maxPool", s.Len(), func() { p.maxPool(pooled, which, x, s) }},
			{"maxPoolBack", s.Len(), func() { p.maxPoolBack(x, pooled, which, s) }},
		} {
			b.Run(fmt.Sprintf("%s/%s", p.String(), k.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					k.f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*k.n), "ns/number")
			})
		}
	}
}
