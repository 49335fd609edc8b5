package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// dotAt reports whether a dot of a region is lit.
func dotAt(g plane.Region, x, y int) bool {
	r := g.At(x/2, y/4)
	return isBraille(r) && uint8(r)&brailleBit[y%4<<1|x%2] != 0
}

// walk is a random walk in strips: the bins of all of it, and its newest draws, so many at most.
func walk(r *rand.Rand, n, per, most int) Strip {
	s := Strip{Glyph: 'o', Newest: make([][]float64, 1), Chains: make([]plane.Style, 1), Every: 1 + r.Uint64N(3)}
	x := r.NormFloat64()
	for i := range n {
		x += r.NormFloat64()
		s.Newest[0] = append(s.Newest[0], x)
		if i%per == 0 {
			s.Steps, s.Lo, s.Hi = append(s.Steps, 0), append(s.Lo, x), append(s.Hi, x)
		}
		k := len(s.Steps) - 1
		s.Last = uint64(i+1) * s.Every
		s.Steps[k], s.Lo[k], s.Hi[k] = s.Last, min(s.Lo[k], x), max(s.Hi[k], x)
	}
	s.Newest[0] = s.Newest[0][max(n-most, 0):]
	return s
}

// At any size each of the newest draws has its dot at its step, and so have the ends of every bin
// before them, on one scale for all strips. A column of dots has no others but those on the way
// from the column before. Of many draws thousands are drawn fine, and the rest on a part before.
func TestTraceGoesWhereItsNumbersGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	th := theme.New(true, false, false)
	for range 200 {
		lanes, n, most := 1+r.IntN(4), 300+r.IntN(9000), 3000+r.IntN(2000)
		tr := Trace{Mean: math.NaN(), SD: math.NaN()}
		every := uint64(0)
		for range lanes {
			s := walk(r, n, 1+r.IntN(40), most)
			if every > 0 { // in lockstep
				for k := range s.Steps {
					s.Steps[k] = s.Steps[k] / s.Every * every
				}
				s.Last, s.Every = s.Last/s.Every*every, every
			}
			every = s.Every
			tr.Strips = append(tr.Strips, s)
		}
		w, h := 30+r.IntN(120), 1+lanes*(2+r.IntN(6))
		var p plane.Plane
		p.Resize(w, h)
		g := p.Region()
		at := tr.Draw(g, th)
		if !at.OK {
			t.Fatalf("no plot at %d×%d", w, h)
		}
		fine := at.Fine / every
		if split := len(at.Parts) == 2; n > most+40 && !split || n <= most && split || split && fine < leastFine {
			t.Fatalf("%d×%d: of %d draws, of which %d are kept, %d are fine, in %d parts", w, h, n, most, fine,
				len(at.Parts))
		}
		parts := at.Parts
		if len(parts) == 0 {
			parts = []Part{{0, at.Plot.W, at.Range}}
		}
		ys, plots := tr.scale(tr.Range(), h-1).Range, h-1
		for i := range tr.Strips {
			s := &tr.Strips[i]
			y0, y1 := stripRows(i, lanes, plots)
			row := func(v float64) int {
				return min(max(int((ys.Hi-v)*(float64(4*(y1-y0))/ys.Len())), 0), 4*(y1-y0)-1)
			}
			have := s.draws()
			for _, part := range parts {
				on := g.Sub(plane.Rect{X: at.Plot.X + part.From, Y: y0, W: part.Cols, H: y1 - y0})
				col := func(x float64) int { return int((x - part.Lo) * (float64(2*part.Cols) / part.Len())) }
				columns := make([]Range, 2*part.Cols)
				for x := range columns {
					columns[x] = NoValues()
				}
				has := func(what string, k int, step, v float64) {
					x := col(step)
					if step < part.Lo || x >= len(columns) {
						return
					}
					columns[x].Add(v)
					if !dotAt(on, x, row(v)) {
						t.Fatalf("%d×%d, strip %d of %d: %s %d, %g of %v, has no dot", w, h, i, lanes, what, k, v, ys)
					}
				}
				for k := range have {
					has("draw", k, s.stepOf(k, have), s.Newest[0][k])
				}
				whole := true // bins are beside the draws
				for k, end := range s.Steps {
					if float64(end) < s.stepOf(0, have) {
						whole = false
						has("bin", k, float64(end), s.Lo[k])
						has("bin", k, float64(end), s.Hi[k])
					}
				}
				for x := 1; x < len(columns) && whole; x++ {
					now, was := columns[x], columns[x-1]
					if !(now.Lo <= now.Hi) || !(was.Lo <= was.Hi) {
						continue
					}
					top, low := min(row(now.Hi), row(was.Lo)), max(row(now.Lo), row(was.Hi))
					for y := range 4 * (y1 - y0) {
						if dotAt(on, x, y) && (y < top || y > low) {
							t.Fatalf("%d×%d: column %d of %v has a dot at %d, which is none from %d to %d", w, h, x,
								now, y, top, low)
						}
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
	for _, all := range [][]Strip{{gone}, {gone, gone}} { // among those that ran away they have it
		tr = Trace{Strips: all, Mean: math.NaN(), SD: math.NaN()}
		if r := tr.Range(); r.Hi < 1e9 {
			t.Errorf("%d that ran away have %v", len(all), r)
		}
	}
}

// A trace is drawn within its region for any numbers, and says why it is empty.
func TestTraceOfAnything(t *testing.T) {
	innerlooptest.Skip(t, "random traces")
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		bad := func() float64 { return planetest.Hostile(r) }
		tr := Trace{Empty: "nothing yet", Mean: bad(), SD: bad(), Marks: []VMark{{X: bad()}}, Cross: bad(),
			Crossed: true}
		for range r.IntN(4) {
			s := walk(r, 1+r.IntN(50), 1+r.IntN(5), 1+r.IntN(50))
			for k := range s.Lo {
				s.Lo[k], s.Hi[k], s.Steps[k] = bad(), bad(), []uint64{0, 1, math.MaxUint64, uint64(k)}[r.IntN(4)]
			}
			s.Mean, s.Chains, s.Newest[0][0], s.Last = s.Lo[:r.IntN(len(s.Lo)+1)], nil, bad(),
				s.Steps[r.IntN(len(s.Steps))]
			tr.Strips = append(tr.Strips, s)
		}
		for _, th := range planetest.Themes() {
			planetest.Guarded(t, th, planetest.Size(r), planetest.Size(r), func(g plane.Region) { tr.Draw(g, th) })
		}
	}
	got := planetest.Picture(planetest.Plain(), 40, 6, func(g plane.Region) {
		(&Trace{Empty: "nothing yet"}).Draw(g, planetest.Plain())
	})
	if !strings.Contains(got, "nothing yet") {
		t.Errorf("without data:\n%s", got)
	}
}

// The newest draws fill their part, of however few they are: no bin stands in for them.
func TestTraceFillsItsFinePart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, most := range []int{512, 1024, 4096} {
		for cols := 40; cols <= 200; cols += 7 {
			s := walk(r, 9000, 90, most)
			every := s.Every
			tr := Trace{Strips: []Strip{s}, Mean: math.NaN(), SD: math.NaN()}
			parts, fine := tr.parts(cols)
			if len(parts) != 2 || fine/every < uint64(min(most/3, 2*parts[1].w)) {
				t.Fatalf("%d columns of %d draws: %d parts, %d draws are fine", cols, most, len(parts), fine/every)
			}
			tr.Thinned = true
			if _, all := tr.parts(cols); all < fine || most == 4096 && 2*parts[1].w < most/8 && all/every < uint64(most)*5/8 {
				t.Errorf("%d columns of %d thinned draws: %d are fine", cols, most, all/every)
			}
			if first := s.stepOf(0, s.draws()); 2*parts[1].w <= most/2 && parts[1].Lo < first-float64(s.Every) {
				t.Errorf("%d columns: the newest draws begin at %g, their part at %g", cols, first, parts[1].Lo)
			}
		}
	}
}

// A lane that went back, or races, is in sight beside one that is far ahead: its newest draws have no part of their
// own.
func TestTraceOfLanesApart(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	tr := Trace{Mean: math.NaN(), SD: math.NaN(),
		Strips: []Strip{walk(r, 20_000, 100, 4096), walk(r, 9_000, 100, 4096)}}
	for i := range tr.Strips {
		s := &tr.Strips[i]
		for k := range s.Steps {
			s.Steps[k] /= s.Every
		}
		s.Last, s.Every = s.Last/s.Every, 1
	}
	var p plane.Plane
	p.Resize(100, 13)
	at := tr.Draw(p.Region(), theme.New(true, false, false))
	if at.Fine != 0 || len(at.Parts) != 0 {
		t.Errorf("%d draws are fine, in %d parts", at.Fine, len(at.Parts))
	}
	y0, y1 := stripRows(1, 2, 12)
	dots := 0
	for y := 4 * y0; y < 4*y1; y++ {
		for x := range 2 * (100 - traceLabels) {
			if dotAt(p.Region().Pad(0, 0, 0, traceLabels), x, y) {
				dots++
			}
		}
	}
	if dots < 80 { // of nearly half the columns
		t.Errorf("the lane behind has %d dots", dots)
	}
}

// The band of the truth is on the rows whose middle is in it, and on none of a strip of two rows, or without color.
func TestTraceShowsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	tr := Trace{Mean: 0, SD: 1, Strips: []Strip{walk(r, 3000, 10, 100)}}
	s := &tr.Strips[0]
	for k := range s.Lo {
		s.Lo[k], s.Hi[k] = -8, 8
	}
	s.Newest, s.Mean = nil, make([]float64, len(s.Steps))
	color, plain := theme.New(true, false, false), theme.New(true, true, false)
	for _, c := range []struct {
		rows              int
		th                *theme.Theme
		mean, truth, band bool
	}{
		{2, &color, false, false, false},
		{3, &color, false, true, true}, // the middle row's middle is the mean
		{4, &color, true, true, false}, // the mean is between two rows of four units
		{16, &color, true, true, true},
		{16, &plain, true, true, false},
	} {
		if mean, truth, band := tr.Shows(c.th, c.rows); mean != c.mean || truth != c.truth || band != c.band {
			t.Errorf("%d rows show %v %v %v, want %v %v %v", c.rows, mean, truth, band, c.mean, c.truth, c.band)
		}
	}
}
