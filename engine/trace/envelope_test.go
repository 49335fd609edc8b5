package trace

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// path adds draws from..to-1 of a fixed path, every three steps, in blocks of a size.
func path(e *Envelope, from, to, size int, weight func(i int) float64) {
	b := metrics.NewBlock(2, size)
	for i := from; i < to; i++ {
		b.X[b.N], b.X[b.Cap+b.N], b.W[b.N] = at(i), -2*at(i), weight(i)
		if b.N++; b.N == b.Cap || i == to-1 {
			b.Last, b.Every = 3*uint64(i+1), 3
			e.Add(b)
			b.Reset()
		}
	}
}

// at is draw i of the path.
func at(i int) float64 { return math.Sin(float64(i*i)) + float64(i)/1000 }

// In each bin there are the least and the greatest of its draws, and the weighted mean of all
// draws up to its end, whatever the number of draws.
func TestEnvelopeHasAllDraws(t *testing.T) {
	for name, weight := range map[string]func(i int) float64{
		"even": func(int) float64 { return 0.25 }, "uneven": func(i int) float64 { return 1 + float64(i%7) },
	} {
		for _, n := range []int{1, 5, 16, 17, 100, 4999} {
			e := NewEnvelope(2, 16)
			path(e, 0, n, 128, weight)
			ends := e.Bins()
			if len(ends) > 16 || n >= 16 && len(ends) < 8 || ends[len(ends)-1] != 3*uint64(n) {
				t.Fatalf("%s: of %d draws bins end at %v", name, n, ends)
			}
			for i, scale := range []float64{1, -2} {
				lo, hi, mean := e.Of(i)
				sum, weights, draw := 0.0, 0.0, 0
				for k, end := range ends {
					least, most := math.Inf(1), math.Inf(-1)
					for ; 3*uint64(draw+1) <= end; draw++ {
						x := scale * at(draw)
						least, most = min(least, x), max(most, x)
						sum += weight(draw) * x
						weights += weight(draw)
					}
					// Sums in another order differ by rounding.
					if lo[k] != least || hi[k] != most || math.Abs(mean[k]-sum/weights) > 1e-10 {
						t.Fatalf("%s: bin %d of %d draws has %g to %g, mean %g, want %g to %g, %g", name, k, n, lo[k],
							hi[k], mean[k], least, most, sum/weights)
					}
				}
			}
		}
	}
}

// The bins are those of the draws, however these are cut into blocks, and a copy stays as it
// was.
func TestEnvelopeAndBlocks(t *testing.T) {
	one := func(int) float64 { return 1 }
	whole, parts, kept := NewEnvelope(2, 8), NewEnvelope(2, 8), new(Envelope)
	path(whole, 0, 1000, 128, one)
	path(parts, 0, 37, 1, one)
	path(parts, 37, 500, 10, one)
	kept.Set(parts)
	path(parts, 500, 1000, 33, one)
	same := func(what string, a, b *Envelope) {
		t.Helper()
		lo, hi, _ := a.Of(1)
		lo2, hi2, _ := b.Of(1)
		if !slices.Equal(a.Bins(), b.Bins()) || !slices.Equal(lo, lo2) || !slices.Equal(hi, hi2) {
			t.Errorf("%s: bins end at %v, want %v", what, a.Bins(), b.Bins())
		}
	}
	same("blocks", parts, whole)
	path(kept, 500, 1000, 128, one)
	same("a copy that goes on", kept, whole)
}

// After a rewind the bins end where the rewind went to or before, and go on from there. The
// mean of a new window begins with it.
func TestEnvelopeIsCut(t *testing.T) {
	one := func(int) float64 { return 1 }
	e := NewEnvelope(2, 8)
	path(e, 0, 100, 128, one)
	e.Cut(3 * 50)
	if ends := e.Bins(); ends[len(ends)-1] > 3*50 || ends[len(ends)-1] < 3*(50-16) {
		t.Fatalf("bins end at %v", ends)
	}
	e.NewWindow()
	path(e, 50, 52, 1, one)
	ends := e.Bins()
	_, _, mean := e.Of(0)
	if n := len(ends) - 1; ends[n] != 3*52 || math.Abs(mean[n]-(at(50)+at(51))/2) > 1e-12 {
		t.Errorf("bins end at %v, the mean is %g", ends, mean[n])
	}
}

func TestEnvelopeDoesNotAllocate(t *testing.T) {
	e, b := NewEnvelope(2, 16), metrics.NewBlock(2, 128)
	b.N = b.Cap
	b.Every = 1
	if n := alloctest.PerRun(1000, func() { b.Last += 128; e.Add(b) }); n > 0 {
		t.Errorf("%g allocations a block", n)
	}
}

func BenchmarkEnvelope(b *testing.B) {
	e, block := NewEnvelope(2, 512), metrics.NewBlock(2, 128)
	for block.N < block.Cap {
		block.X[block.N], block.X[block.Cap+block.N], block.W[block.N] = at(block.N), at(block.N), 1
		block.N++
	}
	block.Every = 1
	b.ReportAllocs()
	for b.Loop() {
		block.Last += 128
		e.Add(block)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/128, "ns/draw")
}
