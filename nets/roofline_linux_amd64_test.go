//go:build !noasm

package nets

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/psgld/psgld-tui/nets/internal/f32"
	"github.com/psgld/psgld-tui/nets/internal/f32/peaktest"
	"github.com/psgld/psgld-tui/nets/tool/pages"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// BenchmarkRoofline says for each layer of the networks of PAPER.md's tables what a gradient of 100 images takes on one
// core, forwards and backwards, and the share of it that a core at its peak of fused products and sums would take. An
// image's zeros count as products here: a first layer that skips them may be above 1. The times are medians of the
// thread's processor time.
func BenchmarkRoofline(b *testing.B) {
	peak := peaktest.AVX2
	width := 8
	switch simd.Active {
	case simd.AVX512:
		peak, width = peaktest.AVX512, 16
	case simd.AVX2:
	default:
		b.Skip("no loop at the peak of this processor")
	}
	in := Input{Shape{28, 28, 1}, PixelDivisor}
	for _, c := range []struct {
		name string
		net  *Network
	}{
		{"mlp400", must(MLP(in, []int{400, 400}, 10))},
		{"mlp1200", must(MLP(in, []int{1200, 1200}, 10))},
		{"cnn", must(CNN(in, []int{32, 64}, []int{200, 200}, 10))},
	} {
		b.Run(c.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			p, batch := benchmarkProblem(c.net)
			dst, ws := pages.Vector[float32](c.net.Dim(), 0), c.net.NewWorkspace(1)
			p.t32 = append(pages.Vector[float32](c.net.Dim(), 0)[:0], p.t32...) // where a lane has them
			defer ws.Close()
			timed := make([]*timedPass, len(ws.stages))
			for i := range ws.stages {
				timed[i] = &timedPass{pass: ws.stages[i].pass}
				switch s := ws.stages[i].pass.(type) {
				case sparseReader:
					ws.stages[i].pass = timedSparse{timed[i], s}
				case drawingPass: // draws nothing here
				default:
					ws.stages[i].pass = timed[i]
				}
			}
			var whole, turn []float64
			const turns = 1 << 16
			for b.Loop() {
				turn = append(turn, since(func() { peak(turns) }))
				whole = append(whole, since(func() { c.net.Grad(ws, dst, p.t32, p.data, batch) }))
			}
			perProduct := median(turn) / (turns * peaktest.PerTurn * float64(width))
			rest, products := median(whole), 0.0
			for i, l := range c.net.layers {
				forward, back := median(timed[i].forwards), median(timed[i].backs)
				rest -= forward + back
				if l.params(l.in).fanIn == 0 {
					continue
				}
				n := float64(100 * (l.to - l.from) * l.out.Height * l.out.Width)
				directions := 2.0
				if i == 0 {
					directions = 1 // no gradient by the images
				}
				products += n * (1 + directions)
				name := fmt.Sprintf("%d-%s", i, l.name())
				b.ReportMetric(1e3*forward, name+"-forward-ms")
				b.ReportMetric(n*perProduct/forward, name+"-forward-of-peak")
				b.ReportMetric(1e3*back, name+"-back-ms")
				b.ReportMetric(n*directions*perProduct/back, name+"-back-of-peak")
			}
			b.ReportMetric(1e3*median(whole), "gradient-ms")
			b.ReportMetric(1e3*rest, "rest-ms")
			b.ReportMetric(products*perProduct/median(whole), "of-peak")
			b.ReportMetric(2/perProduct/1e9, "peak-GFLOPS")
		})
	}
}

// since is the processor time of the thread that f takes, in seconds.
func since(f func()) float64 {
	began := threadTime()
	f()
	return (threadTime() - began).Seconds()
}

func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	return x[len(x)/2]
}

// A timedPass is a layer whose times are kept.
type timedPass struct {
	pass
	forwards, backs []float64
}

func (p *timedPass) forward(y, x, theta []float32, rows int) {
	p.forwards = append(p.forwards, since(func() { p.pass.forward(y, x, theta, rows) }))
}

func (p *timedPass) backward(dx, grad, dy, y, x, theta []float32, rows int, add bool) {
	p.backs = append(p.backs, since(func() { p.pass.backward(dx, grad, dy, y, x, theta, rows, add) }))
}

type timedSparse struct {
	*timedPass
	sparse sparseReader
}

func (p timedSparse) forwardSparse(y []float32, x *f32.Sparse, theta []float32, rows int) {
	p.forwards = append(p.forwards, since(func() { p.sparse.forwardSparse(y, x, theta, rows) }))
}

func (p timedSparse) backwardSparse(grad, dy []float32, x *f32.Sparse, rows int, add bool) {
	p.backs = append(p.backs, since(func() { p.sparse.backwardSparse(grad, dy, x, rows, add) }))
}
