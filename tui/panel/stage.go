package panel

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Stage is view 1: each lane's draws over the density, and below them how the
// error and the autocorrelation come along.
type Stage struct {
	plot   lanePlot
	error  curve
	second curve
	third  curve
	acf    acfPane
}

// NewStage returns the view.
func NewStage() View { return &Stage{} }

// Name is "Stage".
func (s *Stage) Name() string { return "Stage" }

// Draw draws the view.
func (s *Stage) Draw(g plane.Region, f Frame) { s.draw(g, &f) }

func (s *Stage) draw(g plane.Region, f *Frame) {
	if emptyView(g, f) {
		return
	}
	s.plot.prepare(f)
	at := s.arrange(g.W(), g.H(), f)
	if f.overlaid() {
		s.plot.drawOverlay(g.Sub(at.lanes[0]), f)
	} else {
		for i := range f.lanes() {
			s.plot.draw(g.Sub(at.lanes[i]), f, i)
		}
	}
	for k := range at.n {
		chartAt := g.Sub(at.charts[k])
		switch {
		case k == 0 && f.hasData() && !f.mix().covError:
			s.scores(chartAt, f)
		case k == 0:
			s.errors(chartAt, f)
		case k == 1 && f.hasData() && !knowsDensity(f):
			s.nll(chartAt, f)
		case k == 1 && f.hasData():
			s.logPosterior(chartAt, f, &s.second)
		case f.lane().Kind == sampler.Sampling:
			s.acf.draw(chartAt, f, f.slowest())
		default:
			s.objective(chartAt, f)
		}
	}
}

// stageLayout is where the panes of the stage go.
type stageLayout struct {
	lanes  [engine.MaxLanes]plane.Rect
	charts [3]plane.Rect
	n      int // charts
}

// arrange puts the lanes on top in the grid in which their plane is drawn
// largest, and the charts below: beside each other on a wide screen, else as
// many as there are rows for.
func (s *Stage) arrange(w, h int, f *Frame) stageLayout {
	var at stageLayout
	n := len(f.lanes())
	if f.overlaid() {
		n = 1
	}
	all := plane.Rect{W: w, H: h}
	want := 2
	if f.hasData() {
		want = 3
	}
	top := all
	switch {
	case n == 1 && (w >= sideStage || f.overlaid() && w >= wideStage) && h >= 2*chartRows:
		var side plane.Rect
		top, side = all.CutLeft(w * 11 / 20)
		at.n = min(want, side.H/chartRows)
		stack(at.charts[:at.n], side)
	case w >= wideStage && h >= paneRows+chartRows:
		var below plane.Rect
		below, top = all.CutBottom(min(max(h*36/100, chartRows), 18))
		at.n = want
		beside(at.charts[:at.n], below)
	case h >= paneRows+chartRows:
		at.n = min(want, (h-paneRows)/chartRows)
		var below plane.Rect
		below, top = all.CutBottom(max(at.n*chartRows, min(h*2/5, at.n*12)))
		stack(at.charts[:at.n], below)
	}
	s.plot.grid(at.lanes[:n], top)
	return at
}

// LaneAt returns the lane whose pane is at (x, y) of a stage of w×h cells; none
// where all lanes are in one pane.
func (s *Stage) LaneAt(w, h int, f Frame, x, y int) (int, bool) {
	if len(f.lanes()) == 0 || f.overlaid() {
		return 0, false
	}
	s.plot.prepare(&f)
	at := s.arrange(w, h, &f)
	for i := range f.lanes() {
		if at.lanes[i].Contains(x, y) {
			return i, true
		}
	}
	return 0, false
}

// objective stands for the autocorrelation where the focused lane has none: the
// ELBO of a family, an optimiser's loss, or, where the log density says that
// already, the length of its steps.
func (s *Stage) objective(g plane.Region, f *Frame) {
	m := f.mix()
	switch {
	case f.lane().Kind == sampler.Variational:
		elboHere(g, f, &s.third)
	case f.hasData() || m.covError:
		lossHere(g, f, &s.third)
	default:
		s.third.begin(f, f.LogY)
		for i := range f.lanes() {
			s.third.lane(f, &f.Snap.Lanes[i], drift)
		}
		s.third.draw(g, f, "‖drift‖ of a step")
	}
}

// errors is the chart of a target with a truth: the covariance's error; of one
// without data and without a truth it is the log density.
func (s *Stage) errors(g plane.Region, f *Frame) {
	if !f.mix().covError {
		s.logPosterior(g, f, &s.error)
		return
	}
	s.error.begin(f, f.LogY)
	for i := range f.lanes() {
		s.error.lane(f, &f.Snap.Lanes[i], covError)
	}
	s.error.draw(g, f, "covariance error")
}

// scores is the chart of a target with data alone: the error of the averaged
// prediction on the test set, or on the training set where that is all.
func (s *Stage) scores(g plane.Region, f *Frame) {
	value, title := testError, "test error in %"
	if !hasTest(f) {
		value, title = trainError, "training error in %"
	}
	s.error.begin(f, f.LogY)
	for i := range f.lanes() {
		s.error.lane(f, &f.Snap.Lanes[i], value)
	}
	s.error.draw(g, f, title)
}

// nll stands for the log posterior where that takes a pass over all data.
func (s *Stage) nll(g plane.Region, f *Frame) {
	s.second.begin(f, f.LogY)
	for i := range f.lanes() {
		s.second.lane(f, &f.Snap.Lanes[i], testNLL)
	}
	s.second.draw(g, f, "test NLL")
}

func (s *Stage) logPosterior(g plane.Region, f *Frame, c *curve) {
	c.begin(f, false)
	for i := range f.lanes() {
		c.lane(f, &f.Snap.Lanes[i], logPost)
	}
	title := "log density"
	if f.hasData() {
		title = "log posterior"
	}
	c.draw(g, f, title)
}
