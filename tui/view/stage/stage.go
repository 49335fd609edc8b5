// Package stage draws the view of the lanes at work.
package stage

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// View is view 1: each lane's draws over the density, and below them how the
// error and the autocorrelation come along.
type View struct {
	plot   lanePlot
	error  pane.Curves
	second pane.Curves
	third  pane.Curves
	acf    shared.ACF
}

// New returns the view.
func New() pane.View { return &View{} }

// Name is "Stage".
func (s *View) Name() string { return "Stage" }

// Draw draws the view.
func (s *View) Draw(g plane.Region, f pane.Frame) { s.draw(g, &f) }

func (s *View) draw(g plane.Region, f *pane.Frame) {
	if pane.EmptyView(g, f) {
		return
	}
	s.plot.prepare(f)
	at := s.arrange(g.W(), g.H(), f)
	if overlaid(f) {
		s.plot.drawOverlay(g.Sub(at.lanes[0]), f)
	} else {
		for i := range f.Lanes() {
			s.plot.draw(g.Sub(at.lanes[i]), f, i)
		}
	}
	for k := range at.n {
		chartAt := g.Sub(at.charts[k])
		switch {
		case k == 0 && f.HasData() && !f.Kinds().CovError:
			s.scores(chartAt, f)
		case k == 0:
			s.errors(chartAt, f)
		case k == 1 && f.HasData() && !pane.KnowsDensity(f):
			s.nll(chartAt, f)
		case k == 1 && f.HasData():
			s.logPosterior(chartAt, f, &s.second)
		case f.Focused().Kind == sampler.Sampling:
			s.acf.Draw(chartAt, f, shared.Slowest(f))
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
func (s *View) arrange(w, h int, f *pane.Frame) stageLayout {
	var at stageLayout
	n := len(f.Lanes())
	if overlaid(f) {
		n = 1
	}
	all := plane.Rect{W: w, H: h}
	want := 2
	if f.HasData() {
		want = 3
	}
	top := all
	switch {
	case n == 1 && (w >= pane.SideStage || overlaid(f) && w >= pane.WideStage) && h >= 2*pane.ChartRows:
		var side plane.Rect
		top, side = all.CutLeft(w * 11 / 20)
		at.n = min(want, side.H/pane.ChartRows)
		pane.Stack(at.charts[:at.n], side)
	case w >= pane.WideStage && h >= pane.PaneRows+pane.ChartRows:
		var below plane.Rect
		below, top = all.CutBottom(min(max(h*36/100, pane.ChartRows), 18))
		at.n = want
		pane.Beside(at.charts[:at.n], below)
	case h >= pane.PaneRows+pane.ChartRows:
		at.n = min(want, (h-pane.PaneRows)/pane.ChartRows)
		var below plane.Rect
		below, top = all.CutBottom(max(at.n*pane.ChartRows, min(h*2/5, at.n*12)))
		pane.Stack(at.charts[:at.n], below)
	}
	s.plot.grid(at.lanes[:n], top)
	return at
}

// LaneAt returns the lane whose pane is at (x, y) of a stage of w×h cells; none
// where all lanes are in one pane.
func (s *View) LaneAt(w, h int, f pane.Frame, x, y int) (int, bool) {
	if len(f.Lanes()) == 0 || overlaid(&f) {
		return 0, false
	}
	s.plot.prepare(&f)
	at := s.arrange(w, h, &f)
	for i := range f.Lanes() {
		if at.lanes[i].Contains(x, y) {
			return i, true
		}
	}
	return 0, false
}

// objective stands for the autocorrelation where the focused lane has none: the
// ELBO of a family, an optimiser's loss, or, where the log density says that
// already, the length of its steps.
func (s *View) objective(g plane.Region, f *pane.Frame) {
	m := f.Kinds()
	switch {
	case f.Focused().Kind == sampler.Variational:
		pane.ElboHere(g, f, &s.third)
	case f.HasData() || m.CovError:
		pane.LossHere(g, f, &s.third)
	default:
		s.third.Begin(f, f.LogY)
		for i := range f.Lanes() {
			s.third.AddLane(f, &f.Snap.Lanes[i], pane.Drift)
		}
		s.third.Draw(g, f, "‖drift‖ of a step")
	}
}

// errors is the chart of a target with a truth: the covariance's error; of one
// without data and without a truth it is the log density.
func (s *View) errors(g plane.Region, f *pane.Frame) {
	if !f.Kinds().CovError {
		s.logPosterior(g, f, &s.error)
		return
	}
	s.error.Begin(f, f.LogY)
	for i := range f.Lanes() {
		s.error.AddLane(f, &f.Snap.Lanes[i], pane.CovError)
	}
	s.error.Draw(g, f, "covariance error")
}

// scores is the chart of a target with data alone: the error of the averaged
// prediction on the test set, or on the training set where that is all.
func (s *View) scores(g plane.Region, f *pane.Frame) {
	value, title := pane.TestError, "test error in %"
	if !pane.HasTest(f) {
		value, title = pane.TrainError, "training error in %"
	}
	s.error.Begin(f, f.LogY)
	for i := range f.Lanes() {
		s.error.AddLane(f, &f.Snap.Lanes[i], value)
	}
	s.error.Draw(g, f, title)
}

// nll stands for the log posterior where that takes a pass over all data.
func (s *View) nll(g plane.Region, f *pane.Frame) {
	s.second.Begin(f, f.LogY)
	for i := range f.Lanes() {
		s.second.AddLane(f, &f.Snap.Lanes[i], pane.TestNLL)
	}
	s.second.Draw(g, f, "test NLL")
}

func (s *View) logPosterior(g plane.Region, f *pane.Frame, c *pane.Curves) {
	c.Begin(f, false)
	for i := range f.Lanes() {
		c.AddLane(f, &f.Snap.Lanes[i], pane.LogPost)
	}
	title := "log density"
	if f.HasData() {
		title = "log posterior"
	}
	c.Draw(g, f, title)
}
