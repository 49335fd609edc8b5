//go:build !noasm

package f32

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/psgld/psgld-tui/nets/internal/f32/peaktest"
	"github.com/psgld/psgld-tui/nets/tool/pages"
)

// threadTime is the processor time that the thread has used: what other programs take of
// a busy machine is not in it.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// BenchmarkShareOfPeak measures products beside as many fused products and sums in
// registers, in turns. It reports medians: of what the kernel makes, and of its share of
// what the registers make.
func BenchmarkShareOfPeak(b *testing.B) {
	for _, p := range paths() {
		if p <= generic {
			continue
		}
		most := peaktest.AVX2
		if p == avx512 {
			most = peaktest.AVX512
		}
		for _, s := range layerProducts {
			b.Run(p.String()+"/"+s.String(), func(b *testing.B) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				t := newTrial(rand.New(rand.NewPCG(1, 2)), s.form, s.m, s.n, s.k, 0, false)
				for _, m := range []*Matrix{&t.a, &t.b, &t.dst} { // where networks have them
					m.Data = append(pages.Vector[float32](len(m.Data), 0)[:0], m.Data...)
				}
				ws := NewWorkspace()
				terms := s.m * s.n * s.k
				turns := (terms + peaktest.PerTurn*p.width() - 1) / (peaktest.PerTurn * p.width())
				var kernel, registers, share []float64
				for b.Loop() {
					start := threadTime()
					most(turns)
					between := threadTime()
					p.product(t.product, ws)
					took := threadTime() - between
					kernel = append(kernel, float64(2*terms)/float64(took))
					registers = append(registers, float64(2*terms)/float64(between-start))
					share = append(share, float64(between-start)/float64(took))
				}
				slices.Sort(kernel)
				slices.Sort(share)
				b.ReportMetric(slices.Max(kernel)/slices.Max(registers), "best-of-peak")
				b.ReportMetric(kernel[len(kernel)/2], "GFLOPS")
				b.ReportMetric(share[len(share)/2], "of-peak")
			})
		}
	}
}
