package metrics

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// checkHistogram compares h with the finite values among xs.
func checkHistogram(t *testing.T, h *Histogram, xs []float64) {
	t.Helper()
	var vals []float64
	for _, x := range xs {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			vals = append(vals, x)
		}
	}
	if h.N() != uint64(len(vals)) || h.NonFinite() != uint64(len(xs)-len(vals)) {
		t.Fatalf("N %d, not finite %d, want %d and %d", h.N(), h.NonFinite(), len(vals), len(xs)-len(vals))
	}
	lo, hi := h.Range()
	if len(vals) == 0 {
		if !math.IsNaN(lo) || !math.IsNaN(hi) || !math.IsNaN(h.Density(0)) {
			t.Fatalf("range %v to %v without values", lo, hi)
		}
		return
	}
	if f, _ := math.Frexp(h.Width()); f != 0.5 {
		t.Fatalf("width %v is no power of two", h.Width())
	}
	if least, most := slices.Min(vals), slices.Max(vals); !(lo <= least && most <= hi) {
		t.Fatalf("range %v to %v for values from %v to %v", lo, hi, least, most)
	}
	total := uint64(0)
	for b, got := range h.Counts() {
		total += got
		left := math.Ldexp(h.first+float64(b), h.exp)
		right := math.Ldexp(h.first+float64(b+1), h.exp)
		want := uint64(0)
		for _, x := range vals {
			if left <= x && x < right {
				want++
			}
		}
		if got != want {
			t.Fatalf("bin %d, from %v to %v, has %d values, want %d", b, left, right, got, want)
		}
	}
	if total != h.N() {
		t.Fatalf("%d values in the bins, N is %d", total, h.N())
	}
}

func TestHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, bins := range []int{4, 5, 16, 50} {
		for _, scale := range []float64{1e-300, 1e-3, 1, 1e9, 1e300} {
			for _, offset := range []float64{0, 1, -1e6, 1e15} {
				h, xs := NewHistogram(bins), []float64(nil)
				for i := range 60 {
					x := (r.NormFloat64() + offset) * scale
					xs = append(xs, x)
					h.Add(x)
					if i%7 == 0 {
						checkHistogram(t, h, xs)
					}
				}
				checkHistogram(t, h, xs)
				// The least width leaves fewer than half of the bins empty, but for the two that are cut at the ends.
				if offset == 0 && (slices.Max(xs)-slices.Min(xs))/h.Width() < float64(bins-1)/2 {
					t.Errorf("%d bins of %v for values from %v to %v", bins, h.Width(), slices.Min(xs), slices.Max(xs))
				}
			}
		}
	}
}

func TestHistogramOrderDoesNotMatter(t *testing.T) {
	xs := ar1(0.9, 500, 1)
	a, b := NewHistogram(32), NewHistogram(32)
	a.AddAll(xs)
	slices.Sort(xs)
	slices.Reverse(xs)
	b.AddAll(xs)
	if a.Width() != b.Width() {
		t.Errorf("widths %v and %v", a.Width(), b.Width())
	}
	checkHistogram(t, a, xs)
	checkHistogram(t, b, xs)
}

func TestHistogramDensity(t *testing.T) {
	h := NewHistogram(8)
	h.AddAll([]float64{0, 1, 2, 3, 4, 5, 6, 7, 7, math.NaN(), math.Inf(-1)})
	if lo, hi := h.Range(); lo != 0 || hi != 8 || h.Width() != 1 || h.NonFinite() != 2 {
		t.Errorf("range %v to %v, width %v, not finite %d", lo, hi, h.Width(), h.NonFinite())
	}
	near(t, "density of the last bin", h.Density(7), 2.0/9)
	h.Reset()
	checkHistogram(t, h, nil)
	h.AddAll([]float64{math.MaxFloat64, -math.MaxFloat64, 0, -5e-324})
	checkHistogram(t, h, []float64{math.MaxFloat64, -math.MaxFloat64, 0, -5e-324})
}

func TestHistogramDoesNotAllocate(t *testing.T) {
	h := NewHistogram(64)
	x := 1e-9
	if n := testing.AllocsPerRun(100, func() { h.Add(x); x *= -1.5 }); n != 0 {
		t.Errorf("%v allocations a value", n)
	}
}

func FuzzHistogram(f *testing.F) {
	f.Add(uint8(0), []byte("12345678abcdefgh"))
	edge := []byte{}
	for _, x := range []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 1, -1e300, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.NaN()} {
		edge = binary.LittleEndian.AppendUint64(edge, math.Float64bits(x))
	}
	f.Add(uint8(3), edge)
	f.Fuzz(func(t *testing.T, bins uint8, data []byte) {
		h, xs := NewHistogram(int(bins)%60+4), []float64(nil)
		for len(data) >= 8 {
			x := math.Float64frombits(binary.LittleEndian.Uint64(data))
			data = data[8:]
			xs = append(xs, x)
			h.Add(x)
		}
		checkHistogram(t, h, xs)
	})
}
