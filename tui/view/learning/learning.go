// Package learning draws the view of how well the draws predict.
package learning

import (
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// View is view 3: how well the draws predict, against steps, epochs,
// gradients or time. For a target without data it shows how fast the draws'
// moments approach the truth against the same axes.
type View struct {
	curves  [4]pane.Curves
	loss    pane.Curves
	elbo    pane.Curves
	moments moments
	calib   shared.Calibration

	scored  [lastScore]score // the columns of the table of scores
	nScores int
}

// shortTitles is the width of a chart below which its title leaves out what its
// two curves are.
const shortTitles = 50

// New returns the view.
func New() pane.View { return &View{} }

// Name is "Learning".
func (l *View) Name() string { return "Learning" }

// Draw draws the view.
func (l *View) Draw(g plane.Region, f pane.Frame) { l.draw(g, &f) }

func (l *View) draw(g plane.Region, f *pane.Frame) {
	if pane.EmptyView(g, f) {
		return
	}
	if !f.HasData() {
		l.moments.draw(g, f)
		return
	}
	w, h := g.Size()
	n := len(f.Lanes())
	tableH := min(2*n+4, max(h-pane.ChartRows, 0))
	if w < pane.WideStage {
		rows := min(n+3, max(h-pane.ChartRows, 0))
		if rows < 4 { // not even one lane's scores
			rows = 0
		}
		table, rest := g.Bounds().CutTop(rows)
		l.scores(g.Sub(table), f)
		k := min(max(rest.H/pane.ChartRows, 1), 3)
		var at [3]plane.Rect
		pane.Stack(at[:k], rest)
		if m := f.Kinds(); m.Sampling < n && w >= 2*chartCols {
			left, right := at[0].CutLeft(at[0].W / 2)
			l.testError(g.Sub(left), f)
			l.objective(g.Sub(right), f, m)
		} else {
			l.testError(g.Sub(at[0]), f)
		}
		if k > 1 {
			l.nll(g.Sub(at[1]), f)
		}
		if k > 2 {
			l.calib.Draw(g.Sub(at[2]), f)
		}
		return
	}
	upper, lower := g.Bounds().CutTop(h * 11 / 20)
	left, right := upper.CutLeft(w * 3 / 5)
	l.testError(g.Sub(left), f)
	table, rest := right.CutTop(tableH)
	if rest.H < pane.ChartRows {
		table, rest = right, plane.Rect{}
	}
	l.scores(g.Sub(table), f)
	switch {
	case rest.Empty():
	case pane.HasSplit(f, targets.Train):
		l.train(g.Sub(rest), f)
	default:
		l.ece(g.Sub(rest), f)
	}
	l.lower(g.Sub(lower), f)
}

// The charts of the lower row, in the order in which they stand.
const (
	nllChart = iota
	lossChart
	elboChart
	brierChart
	calibrationChart
	lowerCharts
)

// chartCols is the least width of a chart in the lower row.
const chartCols = 40

// lower draws as many of the charts of the lower row as there is room for: the
// loss and the ELBO only if a lane drives at them, and before other scores.
func (l *View) lower(g plane.Region, f *pane.Frame) {
	m := f.Kinds()
	has := [lowerCharts]bool{nllChart: true, brierChart: true, calibrationChart: true}
	n, room := 3, max(g.W()/chartCols, 3)
	if has[lossChart] = m.Loss && m.Sampling < len(f.Lanes()); has[lossChart] {
		n++
	}
	if has[elboChart] = m.Variational > 0; has[elboChart] {
		n++
	}
	for _, k := range [...]int{brierChart, nllChart} {
		if n > room {
			has[k] = false
			n--
		}
	}
	var at [lowerCharts]plane.Rect
	pane.Beside(at[:n], g.Bounds())
	i := 0
	for k, shown := range has {
		if !shown {
			continue
		}
		r := g.Sub(at[i])
		i++
		switch k {
		case nllChart:
			l.nll(r, f)
		case lossChart:
			pane.LossHere(r, f, &l.loss)
		case elboChart:
			pane.ElboHere(r, f, &l.elbo)
		case brierChart:
			l.brier(r, f)
		default:
			l.calib.Draw(r, f)
		}
	}
}

// objective draws what the focused lane drives at; if that one samples, what
// others do.
func (l *View) objective(g plane.Region, f *pane.Frame, m pane.Kinds) {
	v := f.Focused()
	if v.Kind == sampler.Variational || m.Optimising == 0 {
		pane.ElboHere(g, f, &l.elbo)
		return
	}
	pane.LossHere(g, f, &l.loss)
}

// testError draws the error of the averaged prediction and of the newest draw,
// on the training set where there is no test set.
func (l *View) testError(g plane.Region, f *pane.Frame) {
	value, title := pane.TestError, "test error in %: averaged, newest draw"
	if !pane.HasTest(f) {
		value, title = pane.TrainError, "training error in %: averaged, newest draw"
	}
	if g.W() < shortTitles {
		title, _, _ = strings.Cut(title, ":")
	}
	l.both(g, f, &l.curves[0], title, value, pane.Newest)
}

func (l *View) nll(g plane.Region, f *pane.Frame) {
	l.both(g, f, &l.curves[1], "NLL: averaged, newest draw", pane.TestNLL, pane.NewestNLL)
}

func (l *View) brier(g plane.Region, f *pane.Frame) {
	l.each(g, f, &l.curves[2], "Brier score", pane.TestBrier)
}

func (l *View) train(g plane.Region, f *pane.Frame) {
	l.each(g, f, &l.curves[3], "training error in %", pane.TrainError)
}

// ece draws the expected calibration error, for a target whose training set is
// not scored.
func (l *View) ece(g plane.Region, f *pane.Frame) {
	l.each(g, f, &l.curves[3], "calibration error (ECE)", pane.TestECE)
}

// each draws one quantity of every lane.
func (l *View) each(g plane.Region, f *pane.Frame, c *pane.Curves, title string, value func(*engine.Point) float64) {
	c.Begin(f, f.LogY)
	for i := range f.Lanes() {
		c.AddLane(f, &f.Snap.Lanes[i], value)
	}
	c.Draw(g, f, title)
}

// both draws the averaged quantity of every lane and, muted and beneath, that of
// the newest draw: of all lanes where there is room, else of the focused one.
func (l *View) both(g plane.Region, f *pane.Frame, c *pane.Curves, title string, averaged, single func(*engine.Point) float64) {
	c.Begin(f, f.LogY)
	lanes := f.Lanes()
	for i := range lanes {
		if 2*len(lanes) > chart.MaxSeries && i != f.FocusAt() {
			continue
		}
		if s := c.Add(f, &lanes[i], "", single); s != nil {
			s.Style, s.Line = f.LaneStyle(&lanes[i]).Soft, f.LaneStyle(&lanes[i]).Line
		}
	}
	for i := range lanes {
		c.AddLane(f, &lanes[i], averaged)
	}
	c.Draw(g, f, title)
}

// scores is the table of every lane's scores, of the averaged prediction and of
// the newest draw.
func (l *View) scores(g plane.Region, f *pane.Frame) {
	g, ok := f.Begin(g, "scores", -1)
	if !ok {
		return
	}
	title := "scores on the test set"
	if !pane.HasTest(f) {
		title = "scores on the training set"
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	th := &f.Theme
	label := 14
	// The last columns go first where there is not room for all.
	l.columns(f)
	columns := min((in.W()-label-1)/7, l.nScores)
	if columns < 1 {
		return
	}
	label = max(label, min(3+pane.LetterWidth+f.WidestTitle()+1, in.W()-1-7*columns))
	cell := min((in.W()-label-1)/columns, 10)
	for k, s := range l.scored[:columns] {
		in.TextRight(label+(k+1)*cell, 0, s.head(), th.Dim)
	}
	y := 1
	lanes := f.Lanes()
	detailed := in.H() >= 1+2*len(lanes)
	for i := range lanes {
		v := &lanes[i]
		s := v.Test
		if !pane.HasTest(f) {
			s = v.Train
		}
		look := f.LaneStyle(v)
		in.Set(1, y, look.Glyph, look.Style)
		in.TextFit(3, y, label-3, f.Theme, plane.FitTitle(in.Spell(f.LaneName(v)), label-4), look.Style)
		l.scoreRow(in.Sub(plane.Rect{Y: y, W: in.W(), H: 1}), label, cell, columns, f, v, s, th.Text)
		y++
		if detailed {
			in.Text(3, y, "newest", th.Dim)
			l.scoreRow(in.Sub(plane.Rect{Y: y, W: in.W(), H: 1}), label, cell, columns, f, nil, v.Newest, th.Dim)
			y++
		}
	}
}

// scoreRow writes one row of scores in its first columns; v is nil for what is
// not the lane's own.
func (l *View) scoreRow(row plane.Region, label, cell, columns int, f *pane.Frame, v *engine.LaneView, s metrics.Scores, style plane.Style) {
	for k, what := range l.scored[:columns] {
		var one pane.Line
		p := one.Add(0, "", style, style)
		switch what {
		case errorScore:
			p.Text = pane.Percent(s.Error)
		case nllScore:
			p.Text = plane.Number(s.NLL, cell-1)
		case brierScore:
			p.Text = plane.Number(s.Brier, cell-1)
		case eceScore:
			p.Text = plane.Number(s.ECE, cell-1)
		case drawsScore:
			p.Text = plane.Count(s.Draws)
		case lossScore:
			if v != nil {
				p.Text = plane.Number(v.Loss, cell-1)
			}
		case elboScore:
			if v != nil && v.Kind == sampler.Variational {
				p.Text = plane.Number(v.ELBO, cell-1)
			} else if v != nil {
				p.None(f)
			}
		}
		p.Right(row, label+(k+1)*cell, 0)
	}
}

// A score is a column of the table of scores.
type score uint8

const (
	errorScore score = iota
	nllScore
	lossScore
	elboScore
	brierScore
	eceScore
	drawsScore
	lastScore
)

func (s score) head() string {
	return [...]string{"error", "NLL", "loss", "ELBO", "Brier", "ECE", "draws"}[s]
}

// columns lists the scores that the lanes have.
func (l *View) columns(f *pane.Frame) {
	m := f.Kinds()
	l.nScores = 0
	for s := range lastScore {
		switch {
		case s == lossScore && !(m.Loss && m.Sampling < len(f.Lanes())), s == elboScore && m.Variational == 0:
			continue
		}
		l.scored[l.nScores] = s
		l.nScores++
	}
}
