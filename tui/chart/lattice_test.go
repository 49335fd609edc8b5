package chart

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// anyWindow is a window of any place and shape whose coordinates have six digits left.
func anyWindow(r *rand.Rand) Window {
	side := func() Range {
		n := math.Exp(8 * r.NormFloat64())
		mid := n * math.Exp(2*r.NormFloat64()) * r.NormFloat64()
		return Range{mid - n/2, mid + n/2}
	}
	return Window{side(), side()}
}

// A unit of x is as many cells as the look says a unit of y is, ticks are the middles of
// cells and whole cells apart, and the window shows what it was to show.
func TestLattice(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 11))
		look := theme.Look{}
		if r.IntN(2) == 0 {
			look.Cell = 1 + 2*r.Float64()
		}
		th, w := theme.Of(look), anyWindow(r)
		cols, rows, slack := 4+r.IntN(240), 3+r.IntN(70), r.Float64()*float64(r.IntN(2))/5
		l := w.True(th, cols, rows, slack)
		if r.IntN(3) == 0 {
			l, slack = w.Free(cols, rows), 0
		}
		if l.StepX == 0 || l.StepY == 0 {
			t.Fatalf("%d: no steps for %v: %+v", seed, w, l)
		}
		ux, uy := l.X.Len()/float64(cols), l.Y.Len()/float64(rows)
		if apart := l.StepX / ux; l.Equal && math.Abs(ux*th.CellRatio()/uy-1) > 0.5/math.Round(apart)+1e-9 {
			t.Errorf("%d: a unit has %.4g columns and %.4g rows, cells of %.4g", seed, 1/ux, 1/uy, th.CellRatio())
		}
		if l.Equal && th.CellRatio() == 2 && math.Abs(2*ux/uy-1) > 1e-9 {
			t.Errorf("%d: a unit has %v columns and %v rows", seed, 1/ux, 1/uy)
		}
		for k, a := range []struct {
			Range
			want       Range
			step, unit float64
		}{{l.X, w.X, l.StepX, ux}, {l.Y, w.Y, l.StepY, uy}} {
			if n := a.step / a.unit; math.Abs(n-math.Round(n)) > 1e-6*n {
				t.Errorf("%d: axis %d has %v cells between ticks", seed, k, n)
			}
			// Rounding of large coordinates moves a tick by a part of a cell.
			far := 1e-6 + 1e-14*math.Abs(a.Hi)/a.unit
			if at := (math.Ceil(a.Lo/a.step)*a.step - a.Lo) / a.unit; math.Abs(at-math.Floor(at)-0.5) > far {
				t.Errorf("%d: axis %d has a tick at cell %v", seed, k, at)
			}
			if a.Len() < (1-slack)*(1-1e-6)*a.want.Len() || math.Abs(a.Mid()-a.want.Mid()) > 0.51*a.unit {
				t.Errorf("%d: %v is not in %v", seed, a.want, a.Range)
			}
		}
		again := l.True(th, cols, rows, 0)
		if l.Equal && !near(again.X.Lo, Range{l.X.Lo - 1e-6*ux, l.X.Lo + 1e-6*ux}, false) {
			t.Errorf("%d: %+v becomes %+v", seed, l, again)
		}
		for _, notches := range []float64{1, 3, -1, -3} {
			k := Notch(l.Y.Len(), rows, 1.25, notches)
			// three or four rows have few scales
			if want := math.Pow(1.25, -notches); (k < 1) != (notches > 0) ||
				math.Abs(math.Log(k/want)) > math.Log(1.61) {
				t.Errorf("%d: %v notches in %d rows are a factor of %v", seed, notches, rows, k)
			}
			v := Window{l.X, Range{l.Y.Mid() - k*l.Y.Len()/2, l.Y.Mid() + k*l.Y.Len()/2}}
			if z := v.Free(cols, rows); math.Abs(z.Y.Len()/v.Y.Len()-1) > 1e-6 {
				t.Errorf("%d: %v notches end between two scales: %v, %v", seed, notches, v.Y, z.Y)
			}
		}
	}
}

// The ticks of a drawn plane are evenly far apart and stand at the values of their labels.
func TestDrawnTicks(t *testing.T) {
	th := planetest.Plain()
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 12))
		w, h := 28+r.IntN(220), 11+r.IntN(60)
		p := plane.NewPlane(w, h)
		g := p.Region()
		plot := Plot(g)
		l := anyWindow(r).True(th, plot.W(), plot.H(), 0)
		l.Axes(g, th, "x", "y")
		var cols, rows []int
		for y := range plot.H() {
			if g.At(axesWidth, y) == th.Glyphs.TickY {
				rows = append(rows, y)
				read := l.Y.Hi - (float64(y)+0.5)/float64(plot.H())*l.Y.Len()
				checkLabel(t, seed, strings.TrimSpace(rowText(g, y, 0, axesWidth)), read, l.StepY)
			}
		}
		for x := range plot.W() {
			if g.At(axesWidth+1+x, plot.H()) == th.Glyphs.TickX {
				cols = append(cols, x)
			}
		}
		if len(rows) == 0 || h >= 16 && len(cols) == 0 {
			t.Errorf("%d: %d×%d has %d and %d ticks", seed, w, h, len(cols), len(rows))
		}
		for _, all := range [][]int{cols, rows} {
			for i := 2; i < len(all); i++ {
				if all[i]-all[i-1] != all[1]-all[0] {
					t.Errorf("%d: ticks at %v", seed, all)
				}
			}
		}
	}
}

func rowText(g plane.Region, y, from, to int) string {
	var b strings.Builder
	for x := from; x < to; x++ {
		if c := g.At(x, y); c > 0 {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// checkLabel compares a label with the value of its cell's middle. Labels with a sign, a
// unit or an exponent are left out.
func checkLabel(t *testing.T, seed uint64, label string, value, step float64) {
	t.Helper()
	got, err := strconv.ParseFloat(label, 64)
	if err == nil && !strings.ContainsAny(label, "+e") && math.Abs(got-value) > 0.02*step {
		t.Errorf("%d: %q stands at %v", seed, label, value)
	}
}
