package panel

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
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
func (r estimateRow) has(f *Frame) bool {
	m := f.mix()
	switch r {
	case kindRow:
		return m.sampling < len(f.lanes())
	case lossRow:
		return m.optimising > 0 || m.variational > 0 && m.loss
	case elboRow:
		return m.variational > 0
	case acceptRow, divergentRow:
		return m.metropolis
	case tauWorstRow: // one of the two above
		p := f.problem()
		return m.sampling > 0 && (p == nil || p.F64 == nil && p.F32 == nil || p.Dim() > 2)
	case tauXRow, tauYRow, essRow, essSecondRow, essGradientRow, tempRow:
		return m.sampling > 0
	case meanErrorRow: // of data with a reference; a density's covariance says more
		return f.hasData() && m.meanError
	case covErrorRow:
		return m.covError
	case biasRow:
		for i := range f.lanes() {
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
func tableHeight(f *Frame) int {
	n := 3
	for r := range lastRow {
		if r.has(f) {
			n++
		}
	}
	return n
}

// estimates draws the table of every lane's estimates, a lane a column.
func (d *Diagnostics) estimates(g plane.Region, f *Frame) {
	g, ok := f.pane(g, "estimates", -1)
	if !ok {
		return
	}
	th := &f.Theme
	in := g.Box(f.Theme, plane.Box{Title: "estimates of this window", Right: d.expected(f)})
	lanes := f.lanes()
	label := min(tableLabel, max(in.W()/3, in.W()-1-len(lanes)*(tableCell+1)))
	cell := min((in.W()-label-1)/max(len(lanes), 1), 26)
	for i := range lanes {
		v, look := &lanes[i], f.look(&lanes[i])
		at := in.Sub(plane.Rect{X: label + 1 + i*cell, W: cell - 1, H: 1})
		style := look.Style
		if i == f.focus() && len(lanes) > 1 {
			style = style.With(1)
		}
		at.Set(0, 0, look.Glyph, style)
		at.Text(2, 0, letter(v.ID), style)
		title := f.title(v)
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
			name = shortName(th, lanes[0].Names[coord])
			if plane.Width(text)+1+plane.Width(name) > label-1 {
				text, _, _ = strings.Cut(text, " ")
			}
		}
		x := in.TextFit(1, y, label-1, f.Theme, text, th.Dim)
		in.TextFit(x+1, y, label-x-1, f.Theme, name, th.Dim)
		decimals := rowDecimals(f, r, cell-1)
		for i := range lanes {
			var l line
			estimate(&l, f, r, &lanes[i], cell-1, decimals)
			l.parts[0].shorten(th, cell-1)
			l.draw(in.Sub(plane.Rect{X: label + 1 + i*cell, Y: y, W: cell - 1, H: 1}), 1)
		}
		y++
	}
}

// expected is the temperature that a right sampler has, where all lanes that
// sample agree.
func (d *Diagnostics) expected(f *Frame) string {
	lanes := f.lanes()
	first := -1
	for i := range lanes {
		switch {
		case !samples(&lanes[i]):
		case first < 0:
			first = i
		case lanes[i].Temp != lanes[first].Temp:
			return ""
		}
	}
	if first < 0 {
		return ""
	}
	return "T should be " + plane.Number(lanes[first].Temp, numberWidth)
}

// rankLimit is the rank from which on rows are given up so that the rest fits
// into h.
func rankLimit(h int, f *Frame) int {
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
func estimate(l *line, f *Frame, r estimateRow, v *engine.LaneView, width, decimals int) {
	th := &f.Theme
	p := l.add(0, "", th.Dim, th.Text)
	if r.chain() && !samples(v) {
		p.none(f)
		return
	}
	switch r {
	case kindRow:
		p.text = kindName(v.Kind)
	case lossRow:
		p.text = plane.Number(v.Loss, numberWidth)
	case elboRow:
		if v.Kind != sampler.Variational {
			p.none(f)
			return
		}
		p.text = plane.Number(v.ELBO, numberWidth)
	case acceptRow:
		if math.IsNaN(v.Acceptance) {
			p.none(f)
			return
		}
		p.text = plane.Measured(v.Acceptance, numberWidth)
	case divergentRow:
		if math.IsNaN(v.Acceptance) {
			p.none(f)
			return
		}
		if v.Divergences > 0 {
			p.style = th.Warn
		}
		p.text = countIn(v.Divergences, width)
	case drawsRow:
		if v.Burning {
			p.style = th.Warn
			p.text = "burn-in " + plane.Count(v.Step)
			return
		}
		p.text = countIn(v.Draws, width)
	case tauXRow:
		p.tau(f, v.Coords[0].ACT, v.Coords[0].ACTLoose, width)
	case tauYRow:
		p.tau(f, v.Coords[1].ACT, v.Coords[1].ACTLoose, width)
	case tauWorstRow:
		p.estimate(f, v.MaxACT)
		l.add(1, "in", th.Dim, th.Dim).text = shortName(th, v.WorstName)
	case essRow:
		p.estimate(f, v.MinESS)
	case meanXRow:
		p.place(f, v, 0, decimals, width)
	case meanYRow:
		p.place(f, v, 1, decimals, width)
	case meanErrorRow:
		switch {
		case math.IsNaN(v.MeanError):
			p.none(f)
		case samples(v):
			p.trusted(f, v.MeanError, v.MaxACT)
		default:
			p.text = plane.Number(v.MeanError, numberWidth)
		}
	case covErrorRow:
		p.covError(f, v)
	case biasRow:
		p.style = th.Truth
		p.known(f, v.Bias)
	case tempRow:
		if !v.Virial.OK() || !v.VirialSE.OK() {
			p.estimate(f, v.Virial)
			return
		}
		p.text = plusMinus(v.Virial.Value, v.VirialSE.Value, decimals, width)
		if d := math.Abs(v.Virial.Value - v.Temp); d > 4*v.VirialSE.Value {
			p.style = th.Warn
		}
	case essSecondRow:
		p.rate(f, v.ESSPerSec, v.MinESS)
	case essGradientRow:
		p.rate(f, v.ESSPerG, v.MinESS)
	case driftRow:
		p.text = plane.Number(v.Drift, numberWidth)
	case noiseRow:
		p.text = plane.Number(v.Noise, numberWidth)
	case gainRow:
		p.text = plane.Number(v.GMin, numberWidth) + " to " + plane.Number(v.GMax, numberWidth)
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
		return v.Virial.Value, v.VirialSE.Value, samples(v) && v.Virial.OK() && v.VirialSE.OK()
	case meanYRow:
		c = &v.Coords[1]
	case meanXRow:
	default:
		return 0, 0, false
	}
	return c.Mean, c.MCSE.Value, samples(v) && c.MCSE.OK()
}

// rowDecimals are the decimals of a row of the table, the same for all lanes so that
// their digits stand in line: those of the lane that has most of them.
func rowDecimals(f *Frame, r estimateRow, width int) (decimals int) {
	for i := range f.lanes() {
		if x, se, ok := r.withError(&f.Snap.Lanes[i]); ok {
			decimals = max(decimals, decimalsFor(x, se, width))
		}
	}
	return decimals
}
