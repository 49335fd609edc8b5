package diagnostics

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// The rows of the table of estimates, in the order in which they stand.
type estimateRow int

const (
	kindRow estimateRow = iota
	drawsRow
	lossRow
	elboRow
	acceptRow
	divergentRow
	tauXRow
	tauYRow
	tauWorstRow
	essRow
	meanXRow
	meanYRow
	meanErrorRow
	covErrorRow
	biasRow
	tempRow
	essSecondRow
	essGradientRow
	driftRow
	noiseRow
	gainRow
	lastRow
)

// rank is the order in which rows are given up when there are too few, highest
// first.
func (r estimateRow) rank() int {
	return [...]int{0, 0, 1, 1, 2, 4, 3, 6, 1, 1, 11, 12, 7, 7, 8, 5, 9, 10, 13, 14, 15}[r]
}

// has reports whether the row says anything about the frame's target and lanes.
func (r estimateRow) has(f *pane.Frame) bool {
	m := f.Kinds()
	switch r {
	case kindRow:
		return m.Sampling < len(f.Lanes())
	case lossRow:
		return m.Optimising > 0 || m.Variational > 0 && m.Loss
	case elboRow:
		return m.Variational > 0
	case acceptRow, divergentRow:
		return m.Metropolis
	case tauWorstRow: // one of the two above
		p := f.Problem()
		return m.Sampling > 0 && (p == nil || p.F64 == nil && p.F32 == nil || p.Dim() > 2)
	case tauXRow, tauYRow, essRow, essSecondRow, essGradientRow, tempRow:
		return m.Sampling > 0
	case meanErrorRow: // of data with a reference; a density's covariance says more
		return f.HasData() && m.MeanError
	case covErrorRow:
		return m.CovError
	case biasRow:
		for i := range f.Lanes() {
			if !math.IsNaN(f.Snap.Lanes[i].Bias) {
				return true
			}
		}
		return false
	}
	return true
}

// label is the row's name; those of the watched coordinates take the
// coordinate's name after it.
func (r estimateRow) label() (text string, coord int) {
	switch r {
	case kindRow:
		return "kind", -1
	case drawsRow:
		return "draws", -1
	case lossRow:
		return "loss", -1
	case elboRow:
		return "ELBO", -1
	case acceptRow:
		return "acceptance", -1
	case divergentRow:
		return "divergences", -1
	case tauXRow:
		return "τ of", 0
	case tauYRow:
		return "τ of", 1
	case tauWorstRow:
		return "τ, worst", -1
	case essRow:
		return "ESS, worst", -1
	case meanXRow:
		return "mean of", 0
	case meanYRow:
		return "mean of", 1
	case meanErrorRow:
		return "mean error", -1
	case covErrorRow:
		return "cov. error", -1
	case biasRow:
		return "exact bias", -1
	case tempRow:
		return "temperature", -1
	case essSecondRow:
		return "ESS / second", -1
	case essGradientRow:
		return "ESS / gradient", -1
	case driftRow:
		return "‖drift‖", -1
	case noiseRow:
		return "‖noise‖", -1
	}
	return "range of G", -1
}

const (
	tableLabel = 15 // columns of the labels
	tableCell  = 16 // of a lane, at least
)

// tableWidth is the width of the table of n lanes with its border.
func tableWidth(n int) int { return 2 + tableLabel + n*(tableCell+1) + 1 }

// tableHeight is the height of the whole table with its border.
func tableHeight(f *pane.Frame) int {
	n := 3
	for r := range lastRow {
		if r.has(f) {
			n++
		}
	}
	return n
}

// estimates draws the table of every lane's estimates, a lane a column.
func (d *View) estimates(g plane.Region, f *pane.Frame) {
	g, ok := f.Begin(g, "estimates", -1)
	if !ok {
		return
	}
	th := &f.Theme
	in := g.Box(f.Theme, plane.Box{Title: "estimates of this window", Right: d.expected(f)})
	lanes := f.Lanes()
	label := min(tableLabel, max(in.W()/3, in.W()-1-len(lanes)*(tableCell+1)))
	cell := min((in.W()-label-1)/max(len(lanes), 1), 26)
	for i := range lanes {
		v, look := &lanes[i], f.LaneStyle(&lanes[i])
		at := in.Sub(plane.Rect{X: label + 1 + i*cell, W: cell - 1, H: 1})
		style := look.Style
		if i == f.FocusAt() && len(lanes) > 1 {
			style = style.With(1)
		}
		at.Set(0, 0, look.Glyph, style)
		at.Text(2, 0, pane.Letter(v.ID), style)
		title := f.LaneTitle(v)
		at.TextFit(4, 0, at.W()-4, f.Theme, plane.FitTitle(at.Spell(title), at.W()-4), style)
	}
	limit := rankLimit(in.H()-1, f)
	y := 1
	for r := range lastRow {
		if !r.has(f) || r.rank() >= limit || y >= in.H() {
			continue
		}
		text, coord := r.label()
		name := ""
		if coord >= 0 {
			name = pane.ShortName(th, lanes[0].Names[coord])
			if plane.Width(text)+1+plane.Width(name) > label-1 {
				text, _, _ = strings.Cut(text, " ")
			}
		}
		x := in.TextFit(1, y, label-1, f.Theme, text, th.Dim)
		in.TextFit(x+1, y, label-x-1, f.Theme, name, th.Dim)
		decimals := rowDecimals(f, r, cell-1)
		for i := range lanes {
			var l pane.Line
			estimate(&l, f, r, &lanes[i], cell-1, decimals)
			l.Parts[0].Shorten(th, cell-1)
			l.Draw(in.Sub(plane.Rect{X: label + 1 + i*cell, Y: y, W: cell - 1, H: 1}), 1)
		}
		y++
	}
}

// expected is the temperature that a right sampler has, where all lanes that
// sample agree.
func (d *View) expected(f *pane.Frame) string {
	lanes := f.Lanes()
	first := -1
	for i := range lanes {
		switch {
		case !pane.Samples(&lanes[i]):
		case first < 0:
			first = i
		case lanes[i].Temp != lanes[first].Temp:
			return ""
		}
	}
	if first < 0 {
		return ""
	}
	return "T should be " + plane.Number(lanes[first].Temp, pane.NumberWidth)
}

// rankLimit is the rank from which on rows are given up so that the rest fits
// into h.
func rankLimit(h int, f *pane.Frame) int {
	for limit := 16; limit > 0; limit-- {
		n := 0
		for r := range lastRow {
			if r.has(f) && r.rank() < limit {
				n++
			}
		}
		if n <= h {
			return limit
		}
	}
	return 1
}

// estimate writes one cell of the table, of a width, and what has a standard error
// with so many decimals.
func estimate(l *pane.Line, f *pane.Frame, r estimateRow, v *engine.LaneView, width, decimals int) {
	th := &f.Theme
	p := l.Add(0, "", th.Dim, th.Text)
	if r.chain() && !pane.Samples(v) {
		p.None(f)
		return
	}
	switch r {
	case kindRow:
		p.Text = pane.KindName(v.Kind)
	case lossRow:
		p.Text = plane.Number(v.Loss, pane.NumberWidth)
	case elboRow:
		if v.Kind != sampler.Variational {
			p.None(f)
			return
		}
		p.Text = plane.Number(v.ELBO, pane.NumberWidth)
	case acceptRow:
		if math.IsNaN(v.Acceptance) {
			p.None(f)
			return
		}
		p.Text = plane.Measured(v.Acceptance, pane.NumberWidth)
	case divergentRow:
		if math.IsNaN(v.Acceptance) {
			p.None(f)
			return
		}
		if v.Divergences > 0 {
			p.Style = th.Warn
		}
		p.Text = pane.CountIn(v.Divergences, width)
	case drawsRow:
		if v.Burning {
			p.Style = th.Warn
			p.Text = "burn-in " + plane.Count(v.Step)
			return
		}
		p.Text = pane.CountIn(v.Draws, width)
	case tauXRow:
		p.Tau(f, v.Coords[0].ACT, v.Coords[0].ACTLoose, width)
	case tauYRow:
		p.Tau(f, v.Coords[1].ACT, v.Coords[1].ACTLoose, width)
	case tauWorstRow:
		p.Estimate(f, v.MaxACT)
		l.Add(1, "in", th.Dim, th.Dim).Text = pane.ShortName(th, v.WorstName)
	case essRow:
		p.Estimate(f, v.MinESS)
	case meanXRow:
		p.Place(f, v, 0, decimals, width)
	case meanYRow:
		p.Place(f, v, 1, decimals, width)
	case meanErrorRow:
		switch {
		case math.IsNaN(v.MeanError):
			p.None(f)
		case pane.Samples(v):
			p.Trusted(f, v.MeanError, v.MaxACT)
		default:
			p.Text = plane.Number(v.MeanError, pane.NumberWidth)
		}
	case covErrorRow:
		p.CovError(f, v)
	case biasRow:
		p.Style = th.Truth
		p.Known(f, v.Bias)
	case tempRow:
		if !v.Virial.OK() || !v.VirialSE.OK() {
			p.Estimate(f, v.Virial)
			return
		}
		p.Text = pane.PlusMinus(v.Virial.Value, v.VirialSE.Value, decimals, width)
		if d := math.Abs(v.Virial.Value - v.Temp); d > 4*v.VirialSE.Value {
			p.Style = th.Warn
		}
	case essSecondRow:
		p.Rate(f, v.ESSPerSec, v.MinESS)
	case essGradientRow:
		p.Rate(f, v.ESSPerG, v.MinESS)
	case driftRow:
		p.Text = plane.Number(v.Drift, pane.NumberWidth)
	case noiseRow:
		p.Text = plane.Number(v.Noise, pane.NumberWidth)
	case gainRow:
		p.Text = plane.Number(v.GMin, pane.NumberWidth) + " to " + plane.Number(v.GMax, pane.NumberWidth)
	}
}

// chain reports whether only a Markov chain has the row's quantity.
func (r estimateRow) chain() bool {
	switch r {
	case tauXRow, tauYRow, tauWorstRow, essRow, essSecondRow, essGradientRow, tempRow, biasRow:
		return true
	}
	return false
}

// withError is the value of a row of the table and its standard error, for the rows
// that have one and where that is known.
func (r estimateRow) withError(v *engine.LaneView) (x, se float64, ok bool) {
	c := &v.Coords[0]
	switch r {
	case tempRow:
		return v.Virial.Value, v.VirialSE.Value, pane.Samples(v) && v.Virial.OK() && v.VirialSE.OK()
	case meanYRow:
		c = &v.Coords[1]
	case meanXRow:
	default:
		return 0, 0, false
	}
	return c.Mean, c.MCSE.Value, pane.Samples(v) && c.MCSE.OK()
}

// rowDecimals are the decimals of a row of the table, the same for all lanes so that
// their digits stand in line: those of the lane that has most of them.
func rowDecimals(f *pane.Frame, r estimateRow, width int) (decimals int) {
	for i := range f.Lanes() {
		if x, se, ok := r.withError(&f.Snap.Lanes[i]); ok {
			decimals = max(decimals, pane.DecimalsFor(x, se, width))
		}
	}
	return decimals
}
