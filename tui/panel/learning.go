package panel

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
)

// Learning is view 3: how well the draws predict, against steps, epochs,
// gradients or time. For a target without data it shows how fast the draws'
// moments approach the truth against the same axes.
type Learning struct {
	curves [5]curve
	calib  calibration
	names  laneNames
}

// NewLearning returns the view.
func NewLearning() View { return &Learning{} }

// Name is "Learning".
func (l *Learning) Name() string { return "Learning" }

// Draw draws the view.
func (l *Learning) Draw(g chart.Region, f Frame) { l.draw(g, &f) }

func (l *Learning) draw(g chart.Region, f *Frame) {
	if emptyView(g, f) {
		return
	}
	if !f.hasData() {
		l.moments(g, f)
		return
	}
	w, h := g.Size()
	n := len(f.lanes())
	tableH := min(2*n+4, max(h-chartRows, 0))
	if w < wideStage {
		table, rest := g.Bounds().CutTop(min(n+3, max(h-chartRows, 0)))
		l.scores(g.Sub(table), f)
		k := min(max(rest.H/chartRows, 1), 3)
		var at [3]chart.Rect
		stack(at[:k], rest)
		l.testError(g.Sub(at[0]), f)
		if k > 1 {
			l.nll(g.Sub(at[1]), f)
		}
		if k > 2 {
			l.calib.draw(g.Sub(at[2]), f)
		}
		return
	}
	upper, lower := g.Bounds().CutTop(h * 11 / 20)
	left, right := upper.CutLeft(w * 3 / 5)
	l.testError(g.Sub(left), f)
	table, rest := right.CutTop(tableH)
	if rest.H < chartRows {
		table, rest = right, chart.Rect{}
	}
	l.scores(g.Sub(table), f)
	switch {
	case rest.Empty():
	case hasSplit(f, targets.Train):
		l.train(g.Sub(rest), f)
	default:
		l.ece(g.Sub(rest), f)
	}
	var at [3]chart.Rect
	beside(at[:], lower)
	l.nll(g.Sub(at[0]), f)
	l.brier(g.Sub(at[1]), f)
	l.calib.draw(g.Sub(at[2]), f)
}

// testError draws the error of the averaged prediction and of the newest draw,
// on the training set where there is no test set.
func (l *Learning) testError(g chart.Region, f *Frame) {
	value, title := testError, "test error: averaged, newest draw"
	if !hasTest(f) {
		value, title = trainError, "training error: averaged, newest draw"
	}
	l.both(g, f, &l.curves[0], title, value, newest)
}

func (l *Learning) nll(g chart.Region, f *Frame) {
	l.both(g, f, &l.curves[1], "NLL: averaged, newest draw", testNLL, newestNLL)
}

func (l *Learning) brier(g chart.Region, f *Frame) {
	l.each(g, f, &l.curves[2], "Brier score", testBrier)
}

func (l *Learning) train(g chart.Region, f *Frame) {
	l.each(g, f, &l.curves[3], "training error", trainError)
}

// ece draws the expected calibration error, for a target whose training set is
// not scored.
func (l *Learning) ece(g chart.Region, f *Frame) {
	l.each(g, f, &l.curves[3], "calibration error (ECE)", testECE)
}

// each draws one quantity of every lane.
func (l *Learning) each(g chart.Region, f *Frame, c *curve, title string, value func(*engine.Point) float64) {
	c.begin(f, f.LogY)
	for i := range f.lanes() {
		c.lane(f, &f.Snap.Lanes[i], value)
	}
	c.draw(g, f, title)
}

// both draws the averaged quantity of every lane and, muted and beneath, that of
// the newest draw: of all lanes where there is room, else of the focused one.
func (l *Learning) both(g chart.Region, f *Frame, c *curve, title string, averaged, single func(*engine.Point) float64) {
	c.begin(f, f.LogY)
	lanes := f.lanes()
	for i := range lanes {
		if 2*len(lanes) > chart.MaxSeries && i != f.focus() {
			continue
		}
		if s := c.add(f, &lanes[i], "", single); s != nil {
			s.Style, s.Line = f.look(&lanes[i]).Soft, f.look(&lanes[i]).Line
		}
	}
	for i := range lanes {
		c.lane(f, &lanes[i], averaged)
	}
	c.draw(g, f, title)
}

// moments is the view of a target without data.
func (l *Learning) moments(g chart.Region, f *Frame) {
	head, rest := g.Bounds().CutTop(1)
	g.Sub(head).TextFit(1, 0, g.W()-1, f.Theme,
		"Nothing is learned here: this view is for targets with data, such as blr:synthetic. Press t to choose one.", f.Theme.Dim)
	w := g.W()
	title, value := [...]string{"error of the mean", "covariance error", "log density"},
		[...]func(*engine.Point) float64{meanError, covError, logPost}
	var at [3]chart.Rect
	if w >= wideStage {
		upper, lower := rest.CutTop(rest.H / 2)
		beside(at[:2], upper)
		at[2] = lower
	} else {
		stack(at[:min(max(rest.H/chartRows, 1), 3)], rest)
	}
	for k := range at {
		if at[k].Empty() {
			continue
		}
		c := &l.curves[k]
		c.begin(f, f.LogY && k < 2)
		for i := range f.lanes() {
			c.lane(f, &f.Snap.Lanes[i], value[k])
		}
		c.draw(g.Sub(at[k]), f, title[k])
	}
}

// hasTest reports whether the target has a test set.
func hasTest(f *Frame) bool { return hasSplit(f, targets.Test) }

// hasSplit reports whether the target has a part of its data that is scored.
func hasSplit(f *Frame, s targets.Split) bool {
	if !f.hasData() {
		return false
	}
	t, ok := f.problem().Impl().(interface {
		Labels(targets.Split) []int32
	})
	return ok && t.Labels(s) != nil
}

// scores is the table of every lane's scores, of the averaged prediction and of
// the newest draw.
func (l *Learning) scores(g chart.Region, f *Frame) {
	title := "scores on the test set"
	if !hasTest(f) {
		title = "scores on the training set"
	}
	in := g.Box(f.Theme, chart.Box{Title: title})
	th := &f.Theme
	const label = 14
	// The last columns go first where there is not room for all.
	heads := [...]string{"error", "NLL", "Brier", "ECE", "draws"}
	columns := min((in.W()-label-1)/7, len(heads))
	if columns < 1 {
		return
	}
	cell := min((in.W()-label-1)/columns, 10)
	for k, h := range heads[:columns] {
		in.TextRight(label+(k+1)*cell, 0, h, th.Dim)
	}
	y := 1
	lanes := f.lanes()
	detailed := in.H() >= 1+2*len(lanes)
	for i := range lanes {
		v := &lanes[i]
		s := v.Test
		if !hasTest(f) {
			s = v.Train
		}
		look := f.look(v)
		in.Set(1, y, look.Glyph, look.Style)
		in.TextFit(3, y, label-3, f.Theme, l.names.of(v), look.Style)
		l.scoreRow(in.Sub(chart.Rect{Y: y, W: in.W(), H: 1}), label, cell, columns, s, th.Text)
		y++
		if detailed {
			in.Text(3, y, "newest", th.Dim)
			l.scoreRow(in.Sub(chart.Rect{Y: y, W: in.W(), H: 1}), label, cell, columns, v.Newest, th.Dim)
			y++
		}
	}
}

// scoreRow writes one row of scores in its first columns.
func (l *Learning) scoreRow(row chart.Region, label, cell, columns int, s metrics.Scores, style chart.Style) {
	for k, x := range []float64{s.Error, s.NLL, s.Brier, s.ECE, float64(s.Draws)}[:columns] {
		var one line
		p := one.add(0, "", style, style)
		switch k {
		case 0:
			p.percent(x)
		case 4:
			p.count(s.Draws)
		default:
			p.number(x, cell-1)
		}
		p.right(row, label+(k+1)*cell, 0)
	}
}

func newest(p *engine.Point) float64    { return p.Newest }
func testNLL(p *engine.Point) float64   { return p.TestNLL }
func newestNLL(p *engine.Point) float64 { return p.NewestNLL }
func testBrier(p *engine.Point) float64 { return p.TestBrier }
func testECE(p *engine.Point) float64   { return p.TestECE }
