package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// dotAt reports whether a dot of a region is lit.
func dotAt(g plane.Region, x, y int) bool {
	r := g.At(x/2, y/4)
	return isBraille(r) && uint8(r)&brailleBit[y%4<<1|x%2] != 0
}

// walk is a random walk in strips: the bins of all of it, and its newest draws.
func walk(r *rand.Rand, n, per int) Strip {
	s := Strip{Glyph: 'o', Newest: make([][]float64, 1), Chains: make([]plane.Style, 1)}
	x := r.NormFloat64()
	for i := range n {
		x += r.NormFloat64()
		s.Newest[0] = append(s.Newest[0], x)
		if i%per == 0 {
			s.Steps, s.Lo, s.Hi = append(s.Steps, 0), append(s.Lo, x), append(s.Hi, x)
		}
		k := len(s.Steps) - 1
		s.Steps[k], s.Lo[k], s.Hi[k] = uint64(i+1), min(s.Lo[k], x), max(s.Hi[k], x)
	}
	return s
}

// At any size each of the newest draws has its dot in its own column, and the envelope covers
// every bin, on one scale for all strips.
func TestTraceGoesWhereItsNumbersGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	th := theme.New(true, false, false)
	for range 200 {
		lanes := 1 + r.IntN(4)
		tr := Trace{Mean: math.NaN(), SD: math.NaN()}
		for range lanes {
			tr.Strips = append(tr.Strips, walk(r, 300+r.IntN(600), 1+r.IntN(40)))
		}
		w, h := 30+r.IntN(120), 1+lanes*(2+r.IntN(6))
		var p plane.Plane
		p.Resize(w, h)
		g := p.Region()
		at := tr.Draw(g, th)
		if !at.OK {
			t.Fatalf("no plot at %d×%d", w, h)
		}
		ys, plots := tr.Range(), h-1
		for i := range tr.Strips {
			s := &tr.Strips[i]
			y0, y1 := stripRows(i, lanes, plots)
			row := func(v float64) int {
				return min(max(int((ys.Hi-v)/ys.Len()*float64(4*(y1-y0))), 0), 4*(y1-y0)-1)
			}
			x0 := at.Plot.X + at.Plot.W + 1
			right := g.Sub(plane.Rect{X: x0, Y: y0, W: w - x0, H: y1 - y0})
			newest := s.Newest[0][len(s.Newest[0])-2*right.W():]
			for x, v := range newest {
				if !dotAt(right, x, row(v)) {
					t.Fatalf("%d×%d, strip %d of %d: draw %d, %g of %v, has no dot", w, h, i, lanes, x, v, ys)
				}
			}
			left := g.Sub(plane.Rect{X: at.Plot.X, Y: y0, W: at.Plot.W, H: y1 - y0})
			for k, end := range s.Steps {
				x := int((float64(end) - 1e-6 - at.Lo) / at.Len() * float64(2*left.W()))
				for _, v := range []float64{s.Lo[k], s.Hi[k]} {
					if ys.Contains(v) && !dotAt(left, x, row(v)) {
						t.Fatalf("%d×%d, strip %d of %d: bin %d, %g of %v, has no dot", w, h, i, lanes, k, v, ys)
					}
				}
			}
		}
	}
}

// The scale leaves out a start that is far away, and a path that ran away beside others.
func TestTraceScale(t *testing.T) {
	even := func(n int, lo, hi float64) (s Strip) {
		for i := range n {
			s.Steps, s.Lo, s.Hi = append(s.Steps, uint64(i+1)), append(s.Lo, lo), append(s.Hi, hi)
		}
		return s
	}
	late := even(100, -1, 1)
	late.Hi[0] = 50
	gone := even(100, -1e9, 1e9)
	gone.Astray = true
	tr := Trace{Strips: []Strip{late, gone}, Mean: 0, SD: 0.6}
	if r := tr.Range(); math.Abs(r.Lo+1.2) > 1e-9 || math.Abs(r.Hi-1.2) > 1e-9 {
		t.Errorf("the scale is %v, want that of the later part and of two sd about the mean", r)
	}
	tr = Trace{Strips: []Strip{gone}, Mean: math.NaN(), SD: math.NaN()}
	if r := tr.Range(); r.Hi < 1e9 {
		t.Errorf("alone it has %v", r)
	}
}

// A trace is drawn within its region for any numbers, and says why it is empty.
func TestTraceOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		bad := func() float64 { return planetest.Hostile(r) }
		tr := Trace{Empty: "nothing yet", Mean: bad(), SD: bad(), Marks: []VMark{{X: bad()}}, Cross: bad(), Crossed: true}
		for range r.IntN(4) {
			s := walk(r, 1+r.IntN(50), 1+r.IntN(5))
			for k := range s.Lo {
				s.Lo[k], s.Hi[k], s.Steps[k] = bad(), bad(), []uint64{0, 1, math.MaxUint64, uint64(k)}[r.IntN(4)]
			}
			s.Mean, s.Chains, s.Newest[0][0] = s.Lo[:r.IntN(len(s.Lo)+1)], nil, bad()
			tr.Strips = append(tr.Strips, s)
		}
		for _, th := range planetest.Themes() {
			planetest.Guarded(t, th, planetest.Size(r), planetest.Size(r), func(g plane.Region) { tr.Draw(g, th) })
		}
	}
	got := planetest.Picture(planetest.Plain(), 40, 6, func(g plane.Region) { (&Trace{Empty: "nothing yet"}).Draw(g, planetest.Plain()) })
	if !strings.Contains(got, "nothing yet") {
		t.Errorf("without data:\n%s", got)
	}
}
