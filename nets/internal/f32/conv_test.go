package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A convTrial is a convolution with canaries around everything.
type convTrial struct {
	Conv
	batch   int
	x, w, y guarded
	dx, dw  guarded
	pixels  int
}

func newConvTrial(r *rand.Rand, s Conv, batch int) *convTrial {
	t := &convTrial{Conv: s, batch: batch}
	t.x, t.dx = newGuarded(s.Input(batch).Len(), r.IntN(3)), newGuarded(s.Input(batch).Len(), r.IntN(3))
	t.y = newGuarded(s.Output(batch).Len(), r.IntN(3))
	t.w, t.dw = newGuarded(s.Patch()*s.Out, r.IntN(3)), newGuarded(s.Patch()*s.Out, r.IntN(3))
	for _, g := range []guarded{t.x, t.y, t.w} {
		fill(r, g.data)
	}
	t.pixels = batch * s.Height * s.Width
	return t
}

// patches is the matrix of the patches.
func (t *convTrial) patches(ws *Workspace) Matrix {
	m := Mat(t.pixels, t.Patch(), make([]float32, t.pixels*t.Patch()))
	exact.eachTap(t.Conv, t.batch, t.x.data, t.In, ws, func(seen []float32, out, tap int) {
		copy(m.Row(out)[tap*t.In:], seen)
	})
	return m
}

func (t *convTrial) intact(tt *testing.T) {
	tt.Helper()
	for _, g := range []guarded{t.x, t.w, t.y, t.dx, t.dw} {
		g.intact(tt)
	}
}

// near compares a sum of n terms in float32 with one in float64. Paths beside generic have the bits of the exact one,
// and so it is enough to compare these two.
func (t *convTrial) near(tt *testing.T, what string, i, n int, got float32, sum, size float64) {
	tt.Helper()
	if !(math.Abs(float64(got)-sum) <= float64(n+1)*0x1p-23*size) {
		tt.Fatalf("%s of %d %+v: number %d is %g, want %g", what, t.batch, t.Conv, i, got, sum)
	}
}

func convShapes(r *rand.Rand) []Conv {
	shapes := []Conv{
		{28, 28, 1, 32, 5}, {14, 14, 32, 64, 5}, {1, 1, 1, 1, 1}, {3, 2, 2, 3, 7}, {5, 40, 3, 70, 3}, {4, 6, 20, 10, 1},
	}
	for range 40 {
		shapes = append(shapes, Conv{1 + r.IntN(9), 1 + r.IntN(33), 1 + r.IntN(9), 1 + r.IntN(40), 1 + 2*r.IntN(3)})
	}
	return shapes
}

func TestConvForward(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(11, 12))
		ws := NewWorkspace()
		for _, s := range convShapes(r) {
			c := newConvTrial(r, s, 1+r.IntN(2))
			p.conv(s, c.y.data, c.x.data, c.w.data, c.batch, ws)
			c.intact(t)
			asDefined(t, p, fmt.Sprintf("%+v", s), c.y.data, slices.Clone(c.y.data), func(dst []float32) {
				exact.conv(s, dst, c.x.data, c.w.data, c.batch, ws)
			})
			if p > generic {
				continue
			}
			patches := c.patches(ws)
			for i := range min(c.pixels, 300) {
				for o := range s.Out {
					var sum, size float64
					for k, v := range patches.Row(i) {
						q := float64(v) * float64(c.w.data[k*s.Out+o])
						sum, size = sum+q, size+math.Abs(q)
					}
					c.near(t, "forward", i*s.Out+o, s.Patch(), c.y.data[i*s.Out+o], sum, size)
				}
			}
		}
	})
}

func TestConvBackData(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(13, 14))
		ws := NewWorkspace()
		for _, s := range convShapes(r) {
			c := newConvTrial(r, s, 1+r.IntN(2))
			p.convBackData(s, c.dx.data, c.y.data, c.w.data, c.batch, ws)
			c.intact(t)
			asDefined(t, p, fmt.Sprintf("%+v", s), c.dx.data, slices.Clone(c.dx.data), func(dst []float32) {
				exact.convBackData(s, dst, c.y.data, c.w.data, c.batch, ws)
			})
			if p > generic {
				continue
			}
			sum, size := make([]float64, len(c.dx.data)), make([]float64, len(c.dx.data))
			taps := s.Kernel * s.Kernel
			exact.eachTap(s, c.batch, c.y.data, s.Out, ws, func(seen []float32, in, tap int) {
				for k := range s.In {
					for o, d := range seen {
						q := float64(d) * float64(c.w.data[((taps-1-tap)*s.In+k)*s.Out+o])
						sum[in*s.In+k] += q
						size[in*s.In+k] += math.Abs(q)
					}
				}
			})
			for i, got := range c.dx.data {
				c.near(t, "back to data", i, s.Kernel*s.Kernel*s.Out, got, sum[i], size[i])
			}
		}
	})
}

func TestConvBackWeights(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(15, 16))
		ws := NewWorkspace()
		for _, s := range convShapes(r) {
			c := newConvTrial(r, s, 1+r.IntN(3))
			from := r.IntN(s.Patch())
			to := from + r.IntN(s.Patch()-from+1)
			p.convBackWeights(s, c.dw.data, c.x.data, c.y.data, c.batch, from, to, false, ws)
			c.intact(t)
			asDefined(t, p, fmt.Sprintf("%+v", s), c.dw.data, slices.Clone(c.dw.data), func(dst []float32) {
				exact.convBackWeights(s, dst, c.x.data, c.y.data, c.batch, from, to, false, ws)
			})
			var patches Matrix
			if p <= generic {
				patches = c.patches(ws)
			}
			for k := range s.Patch() {
				for o := range s.Out {
					i := k*s.Out + o
					if k < from || to <= k {
						if !same(c.dw.data[i], canary) {
							t.Fatalf("%+v: row %d, not of %d to %d, changed", s, k, from, to)
						}
						continue
					}
					if p > generic || k%7 != 0 && c.pixels > 200 {
						continue // a sample is enough of large ones
					}
					var sum, size float64
					for n := range c.pixels {
						q := float64(patches.Data[n*s.Patch()+k]) * float64(c.y.data[n*s.Out+o])
						sum, size = sum+q, size+math.Abs(q)
					}
					c.near(t, "back to weights", i, c.pixels, c.dw.data[i], sum, size)
				}
			}
		}
	})
}

// Numbers at which the zeros beside an image matter; and large images and many channels, for which the workspace grows.
// Paths are compared with the exact one, from which generic may differ.
func TestConvByDefinition(t *testing.T) {
	defined := map[string][]float32{}
	eachPath(t, func(t *testing.T, p path) {
		if p <= generic {
			return
		}
		r := rand.New(rand.NewPCG(17, 18))
		const small = 20
		shapes := append(convShapes(r)[6:6+small], Conv{60, 60, 60, 2, 3}, Conv{3, 3, 330, 3, 5},
			Conv{9, 3, 120, 40, 5}, Conv{2, 400, 200, 1, 5}, Conv{2, 2, 1000, 1, 3})
		for i, s := range shapes {
			if i >= small && testing.Short() && s.In < 200 {
				continue // it is slow
			}
			ws := NewWorkspace()
			c := newConvTrial(r, s, 2)
			dy := fill(r, make([]float32, len(c.y.data)))
			if i < small {
				special(r, c.x.data)
				special(r, c.w.data)
				special(r, dy)
			}
			for _, k := range []struct {
				name string
				dst  []float32
				run  func(p path, dst []float32)
			}{
				{"forward", c.y.data, func(p path, dst []float32) { p.conv(s, dst, c.x.data, c.w.data, 2, ws) }},
				{"data", c.dx.data, func(p path, dst []float32) { p.convBackData(s, dst, dy, c.w.data, 2, ws) }},
				{"weights", c.dw.data, func(p path, dst []float32) {
					p.convBackWeights(s, dst, c.x.data, dy, 2, 0, s.Patch(), false, ws)
				}},
			} {
				k.run(p, k.dst)
				c.intact(t)
				what := fmt.Sprintf("%d, %s of %+v", i, k.name, s)
				asDefined(t, p, what, k.dst, slices.Clone(k.dst),
					once(defined, what, func(dst []float32) { k.run(exact, dst) }))
			}
		}
	})
}

// Parts of a batch and of the weights' gradient have the bits of the whole.
func TestConvDoesNotDependOnTheSplit(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(19, 20))
		ws := NewWorkspace()
		s := Conv{9, 13, 5, 37, 5}
		const batch = 5
		whole, parts := newConvTrial(r, s, batch), newConvTrial(r, s, batch)
		dy := fill(r, make([]float32, len(whole.y.data)))
		w := whole.w.data
		p.conv(s, whole.y.data, whole.x.data, w, batch, ws)
		p.convBackData(s, whole.dx.data, dy, w, batch, ws)
		p.convBackWeights(s, whole.dw.data, whole.x.data, dy, batch, 0, s.Patch(), false, ws)
		for _, workers := range []int{2, 3} {
			for k := range workers {
				from, to := Span(batch, 1, k, workers)
				in, out := s.Input(1).Len(), s.Output(1).Len()
				p.conv(s, parts.y.data[from*out:to*out], whole.x.data[from*in:to*in], w, to-from, ws)
				p.convBackData(s, parts.dx.data[from*in:to*in], dy[from*out:to*out], w, to-from, ws)
				from, to = Span(s.Patch(), 1, k, workers)
				p.convBackWeights(s, parts.dw.data, whole.x.data, dy, batch, from, to, false, ws)
			}
			for name, pair := range map[string][2][]float32{
				"forward": {parts.y.data, whole.y.data}, "data": {parts.dx.data, whole.dx.data},
				"weights": {parts.dw.data, whole.dw.data},
			} {
				for i, got := range pair[0] {
					if !same(got, pair[1][i]) {
						t.Fatalf("%s, %d workers: number %d is %g, want %g", name, workers, i, got, pair[1][i])
					}
				}
			}
		}
	})
}

// The convolutions of the paper's network on MNIST and CIFAR-10, batch 100.
func BenchmarkConv(b *testing.B) {
	for _, p := range paths() {
		if p <= generic && testing.Short() {
			continue
		}
		for _, s := range []Conv{{28, 28, 1, 32, 5}, {14, 14, 32, 64, 5}, {32, 32, 3, 32, 5}} {
			const batch = 100
			c := newConvTrial(rand.New(rand.NewPCG(1, 2)), s, batch)
			ws := NewWorkspace()
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%s/%s/%dx%dx%dto%d",
					p.String(), name, s.Height, s.Width, s.In, s.Out), func(b *testing.B) {
					measure(b, 2*c.pixels*s.Patch()*s.Out, f)
				})
			}
			run("forward", func() { p.conv(s, c.y.data, c.x.data, c.w.data, batch, ws) })
			run("data", func() { p.convBackData(s, c.dx.data, c.y.data, c.w.data, batch, ws) })
			run("weights",
				func() { p.convBackWeights(s, c.dw.data, c.x.data, c.y.data, batch, 0, s.Patch(), false, ws) })
		}
	}
}
