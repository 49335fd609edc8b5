package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
)

// Sweep is view 6: a grid over the selected parameter. Every quantity is a pane with
// a row of cells for each lane, so that what a value does to one lane stands above
// what it does to the other.
type Sweep struct {
	cells []chart.HeatCell
	panes [NumSweepQuantities]sweepTitle
	known sweepKnown
}

// sweepKnown is what is worked out of a grid, once for each that is published.
type sweepKnown struct {
	of    *SweepData
	shown [NumSweepQuantities]SweepQuantity
	n     int // of shown
	scale [NumSweepQuantities]heatScale
	best  [engine.MaxLanes][NumSweepQuantities]int
}

func (k *sweepKnown) follow(d *SweepData) {
	if k.of == d {
		return
	}
	k.of = d
	k.shown, k.n = sweepShown(d)
	for _, q := range k.shown[:k.n] {
		k.scale[q] = d.scale(q)
		for i := range min(len(d.Lanes), len(k.best)) {
			k.best[i][q] = d.Lanes[i].best(q)
		}
	}
}

// NewSweep returns the view.
func NewSweep() View { return &Sweep{} }

// Name is "Sweep".
func (v *Sweep) Name() string { return "Sweep" }

// Draw draws the view.
func (v *Sweep) Draw(g chart.Region, f Frame) { v.draw(g, &f) }

// sweepAxisRows are the rows of an axis: where the lanes are, and values.
const sweepAxisRows = 2

func (v *Sweep) draw(g chart.Region, f *Frame) {
	if emptyView(g, f) {
		return
	}
	d := f.Sweep
	if d == nil || len(d.Values) == 0 || len(d.Lanes) == 0 {
		why := "a grid over the selected parameter runs here beside the session"
		if d != nil && d.Note != "" {
			why = d.Note
		}
		absent(g, f, "grid", why)
		return
	}
	rest := g.Bounds()
	if g.H() >= 8 {
		var head chart.Rect
		head, rest = rest.CutTop(1)
		v.head(g.Sub(head), f, d)
	}
	v.known.follow(d)
	all, n := v.known.shown, v.known.n
	lanes := min(len(d.Lanes), engine.MaxLanes)
	look := sweepLook{thick: 1}
	n = max(min(n, (rest.H-sweepAxisRows)/(2+look.rows(lanes))), 1)
	if free := rest.H - n*(2+look.rows(lanes)) - sweepAxisRows; free > 0 {
		var foot chart.Rect
		foot, rest = rest.CutBottom(1)
		v.legend(g.Sub(foot), f)
	}
	// What is left over makes the rows taller, then sets them apart, then gives every
	// pane an axis.
	axes := 1
	for _, better := range [...]func(){
		func() { look.thick = 2 }, func() { look.gap = 1 }, func() { axes = n }, func() { look.thick = 3 }, func() { look.thick = 4 },
	} {
		was, had := look, axes
		better()
		if n*(2+look.rows(lanes))+axes*sweepAxisRows > rest.H {
			look, axes = was, had
			break
		}
	}
	y := rest.Y
	for k, q := range all[:n] {
		h := 2 + look.rows(lanes)
		axis := axes == n || k == n-1
		if axis {
			h += sweepAxisRows
		}
		v.pane(g.Sub(chart.Rect{Y: y, W: g.W(), H: min(h, rest.Y+rest.H-y)}), f, d, q, look, axis)
		y += h
	}
}

// sweepLook is how the rows of a pane stand.
type sweepLook struct {
	thick int // rows of a lane
	gap   int // between lanes
}

// rows is how many rows so many lanes take.
func (l sweepLook) rows(lanes int) int { return lanes*l.thick + max(lanes-1, 0)*l.gap }

// sweepShown lists the quantities that there are: those that are known, then τ if
// it is known of none. Its cells say why, and ESS would say the same.
func sweepShown(d *SweepData) (all [NumSweepQuantities]SweepQuantity, n int) {
	tooShort := false
	for q := range NumSweepQuantities {
		known, short := d.has(q)
		if known {
			all[n] = q
			n++
		} else if q == SweepACT {
			tooShort = short
		}
	}
	if tooShort {
		all[n] = SweepACT
		n++
	}
	if n == 0 { // nothing is known yet, or every cell is lost
		all[0], n = SweepCovError, 1
	}
	return all, n
}

// head is the line that says what runs.
func (v *Sweep) head(g chart.Region, f *Frame, d *SweepData) {
	th := &f.Theme
	var l line
	l.add(1, "grid over", th.Dim, th.Accent).text = symbolOf(th, &d.Param)
	l.add(3, "", th.Dim, th.Text).count(uint64(len(d.Values))).str(plural(len(d.Values), " cell", " cells")).str(" of ").grouped(d.Steps).str(" steps")
	l.add(2, "", th.Dim, th.Text).count(uint64(max(d.Done, 0))).str(" of ").count(uint64(max(d.Total, 0)))
	if d.Seeds > 1 {
		l.add(4, "seeds", th.Dim, th.Text).uint(d.Seed).str(" to ").uint(d.Seed + uint64(d.Seeds-1))
	} else {
		l.add(4, "seed", th.Dim, th.Text).uint(d.Seed)
	}
	at := f.sweepAt(d)
	runs := 0
	for i := range d.Lanes {
		if c := d.Lanes[i].cell(at); c != nil {
			runs = max(runs, c.Runs)
		}
	}
	l.add(5, "at", th.Dim, th.Accent).param(d.Param, d.Values[at]).str(": ").count(uint64(runs)).str(plural(runs, " run", " runs"))
	glyph, style, word := th.Glyphs.Done, th.Dim, "done"
	switch d.State {
	case SweepWaiting:
		glyph, word = th.Glyphs.Ellipsis, "about to begin"
	case SweepRunning:
		glyph, style, word = th.Glyphs.Running, th.Good, "running"
	case SweepPaused:
		glyph, style, word = th.Glyphs.Paused, th.Warn, "paused"
	}
	l.add(0, "", th.Dim, style).rune(glyph).str(" ").str(word)
	if d.Note != "" {
		l.add(0, "", th.Bad, th.Bad).text = d.Note
	}
	l.draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
}

// plural is the word for so many.
func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// legend says what the marks in the cells mean.
func (v *Sweep) legend(g chart.Region, f *Frame) {
	th := &f.Theme
	var l line
	for i, m := range [...]struct {
		r     rune
		style chart.Style
		word  string
	}{
		{th.Glyphs.Cross, th.Bad, "diverged"}, {chart.HatchRune(f.Theme), th.Dim, "too short to trust"},
		{th.Glyphs.OK, th.Accent, "best"}, {th.Glyphs.Bullet, th.Dim, "not run yet"},
	} {
		l.add(i, "", th.Dim, m.style).rune(m.r).str(" ").str(m.word)
	}
	l.draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
}

// sweepAt is the cell whose numbers are told: that under the mouse, else that under
// the cursor.
func (f *Frame) sweepAt(d *SweepData) int {
	at := f.SweepAt
	if x, ok := f.Cross.on(GridAxis); ok && !math.IsNaN(x) {
		at = int(math.Round(min(max(x, -1), float64(len(d.Values)))))
	}
	return min(max(at, 0), len(d.Values)-1)
}

// SweepCellAt is the cell of a grid under a place of the plane, in a pane with that
// axis.
func SweepCellAt(p Pane, x, y int) (cell int, ok bool) {
	at := &p.Plot
	if at.AxisX != GridAxis || !at.Rect.Contains(x, y) {
		return 0, false
	}
	return int(math.Round(at.Under(x, y).X)), true
}
