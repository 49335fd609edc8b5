package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// winogradShapes have whole and cut tiles, several blocks of them and parts of one.
var winogradShapes = []Conv{{29, 13, 16, 16, 5}, {8, 8, 16, 16, 5}, {4, 5, 32, 16, 5}, {7, 7, 16, 48, 5},
	{14, 14, 32, 64, 5}, {3, 3, 48, 16, 5}}

// winogradOn is a Winograd on a path.
func winogradOn(p path, s Conv, workers int) *Winograd {
	w := newWinograd(s, false, 0, NewTeam(workers))
	w.path = p
	return w
}

// rms is the root mean square of numbers.
func rms(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

// Relative errors are 1.6e-6 to 3.8e-6, those of direct convolutions 0.1e-6 to 0.4e-6. The largest
// are those of few pixels beside many zeros.
func TestWinogradError(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(61, 62))
		for _, s := range winogradShapes {
			if p > generic || testing.Short() && s.In*s.Out > 1000 {
				continue // it has the bits of the exact path, or is slow
			}
			c := newConvTrial(r, s, 2)
			w := winogradOn(p, s, 1)
			w.Forward(c.y.data, c.x.data, c.w.data, 2)
			dy := fill(r, make([]float32, len(c.y.data)))
			w.BackData(c.dx.data, dy, c.w.data, 2)
			w.BackWeights(c.dw.data, c.x.data, dy, 2)
			w.team.Close()
			c.intact(t)
			y, dx, dw := make([]float64, len(dy)), make([]float64, len(c.dx.data)), make([]float64, len(c.dw.data))
			c.eachProduct(func(x, k, o int) {
				a, b, d := float64(c.x.data[x]), float64(c.w.data[k]), float64(dy[o])
				y[o] += a * b
				dx[x] += d * b
				dw[k] += a * d
			})
			for _, f := range []struct {
				name string
				got  []float32
				want []float64
			}{{"forward", c.y.data, y}, {"data", c.dx.data, dx}, {"weights", c.dw.data, dw}} {
				errors := make([]float64, len(f.want))
				for i, v := range f.got {
					errors[i] = float64(v) - f.want[i]
				}
				if e := rms(errors) / rms(f.want); !(e < 5e-6) {
					t.Errorf("%s of %+v: relative error %.2g", f.name, s, e)
				} else if testing.Verbose() {
					t.Logf("%s of %+v: relative error %.2g", f.name, s, e)
				}
			}
		}
	})
}

// eachProduct calls f with the places of all products that a convolution adds up.
func (t *convTrial) eachProduct(f func(x, w, y int)) {
	for pixel := range t.pixels {
		n, r, c := pixel/(t.Height*t.Width), pixel/t.Width%t.Height, pixel%t.Width
		for tap := range t.Kernel * t.Kernel {
			at := t.pixel(r+tap/t.Kernel-t.Kernel/2, c+tap%t.Kernel-t.Kernel/2)
			if at < 0 {
				continue
			}
			for k := range t.In {
				for o := range t.Out {
					f((n*t.Height*t.Width+at)*t.In+k, (tap*t.In+k)*t.Out+o, pixel*t.Out+o)
				}
			}
		}
	}
}

// All paths have the bits of the exact one, for any number of workers.
func TestWinogradByDefinition(t *testing.T) {
	defined := map[string][]float32{}
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(63, 64))
		for i, s := range winogradShapes {
			const batch = 9
			if p <= generic && (testing.Short() || i > 1) || testing.Short() && s.In*s.Out > 1000 {
				continue // they are slow
			}
			c := newConvTrial(r, s, batch)
			dy := fill(r, make([]float32, len(c.y.data)))
			if i%2 == 1 {
				special(r, c.x.data)
				special(r, c.w.data)
				special(r, dy)
			}
			for workers := 1; workers <= 3; workers++ {
				w := winogradOn(p, s, workers)
				for _, k := range []struct {
					name string
					dst  []float32
					run  func(w *Winograd, dst []float32)
				}{
					{"forward", c.y.data,
						func(w *Winograd, dst []float32) { w.Forward(dst, c.x.data, c.w.data, batch) }},
					{"data", c.dx.data, func(w *Winograd, dst []float32) { w.BackData(dst, dy, c.w.data, batch) }},
					{"weights", c.dw.data,
						func(w *Winograd, dst []float32) { w.BackWeights(dst, c.x.data, dy, batch) }},
				} {
					k.run(w, k.dst)
					c.intact(t)
					if workers > 1 && (p <= generic || i > 0) {
						continue
					}
					what := fmt.Sprintf("%s of %+v", k.name, s)
					asDefined(t, p, what, k.dst, slices.Clone(k.dst),
						once(defined, what, func(dst []float32) { k.run(winogradOn(exact, s, 2), dst) }))
				}
				w.team.Close()
			}
		}
	})
}

// A pooled convolution has the bits of one and then MaxPool.
func TestPooledConvolution(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for _, s := range []Conv{{14, 14, 32, 64, 5}, {7, 9, 16, 32, 5}, {28, 28, 1, 32, 5}, {9, 6, 3, 5, 3},
		{90, 91, 1, 32, 3}} {
		const batch = 7
		c := newConvTrial(r, s, batch)
		small := s.Output(batch).Pooled()
		y, dy := make([]float32, small.Len()), fill(r, make([]float32, small.Len()))
		var want [3][]float32
		for workers := 1; workers <= 3; workers++ {
			team := NewTeam(workers)
			if workers == 1 {
				which := make([]uint8, len(y))
				whole := NewConvolution(s, false, batch, team)
				whole.Forward(c.y.data, c.x.data, c.w.data, batch)
				MaxPool(y, which, c.y.data, s.Output(batch))
				MaxPoolBack(c.y.data, dy, which, s.Output(batch))
				whole.BackData(c.dx.data, c.y.data, c.w.data, batch)
				whole.BackWeights(c.dw.data, c.x.data, c.y.data, batch)
				want = [3][]float32{slices.Clone(y), slices.Clone(c.dx.data), slices.Clone(c.dw.data)}
			}
			pooled := NewConvolution(s, true, batch, team)
			step := func() {
				pooled.Forward(y, c.x.data, c.w.data, batch)
				pooled.BackData(c.dx.data, dy, c.w.data, batch)
				pooled.BackWeights(c.dw.data, c.x.data, dy, batch)
			}
			step()
			c.intact(t)
			for i, got := range [][]float32{y, c.dx.data, c.dw.data} {
				for k, v := range got {
					if !same(v, want[i][k]) {
						t.Fatalf("%+v, %d workers, form %d: number %d is %g, want %g", s, workers, i, k, v, want[i][k])
					}
				}
			}
			if n := alloctest.PerRun(2, step); n != 0 {
				t.Errorf("%+v, %d workers: %v allocations", s, workers, n)
			}
			team.Close()
		}
	}
}

func BenchmarkWinograd(b *testing.B) {
	for _, p := range paths() {
		if p <= generic && testing.Short() {
			continue
		}
		s := Conv{14, 14, 32, 64, 5}
		const batch = 100
		c := newConvTrial(rand.New(rand.NewPCG(1, 2)), s, batch)
		for workers := 1; workers <= 2; workers++ {
			w := winogradOn(p, s, workers)
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%s/%s/%d", p.String(), name, workers), func(b *testing.B) {
					measure(b, 2*c.pixels*s.Patch()*s.Out, f)
				})
			}
			run("forward", func() { w.Forward(c.y.data, c.x.data, c.w.data, batch) })
			run("data", func() { w.BackData(c.dx.data, c.y.data, c.w.data, batch) })
			run("weights", func() { w.BackWeights(c.dw.data, c.x.data, c.y.data, batch) })
			w.team.Close()
		}
	}
}
