package learning

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// moments is view 3 of a target without data: how fast the draws' moments come
// to the truth, the log density, and the ELBO of a family.
type moments struct {
	curves [momentCharts]pane.Curves
}

// The charts, in the order in which they stand.
const (
	meanChart = iota
	covChart
	densityChart
	boundChart
	momentCharts
)

func (m *moments) draw(g plane.Region, f *pane.Frame) {
	head, rest := g.Bounds().CutTop(1)
	g.Sub(head).TextFit(1, 0, g.W()-1, f.Theme,
		"Nothing is learned here: that takes a target with data; t chooses one.", f.Theme.Dim)
	order, n := m.order(f)
	var at [momentCharts]plane.Rect
	if g.W() >= pane.WideStage {
		upper, lower := rest.CutTop(rest.H / 2)
		pane.Beside(at[:min(n, 2)], upper)
		if n > 2 {
			pane.Beside(at[2:n], lower)
		} else {
			pane.Stack(at[:n], rest)
		}
	} else {
		n = min(max(rest.H/pane.ChartRows, 1), n)
		pane.Stack(at[:n], rest)
	}
	for k, what := range order[:n] {
		m.chart(g.Sub(at[k]), f, what)
	}
}

// order lists the charts that say something of the lanes: what the focused lane
// drives at first, if that is the ELBO.
func (m *moments) order(f *pane.Frame) (order [momentCharts]int, n int) {
	has := f.Kinds()
	add := func(k int) {
		order[n] = k
		n++
	}
	first := f.Focused().Kind == sampler.Variational
	if first {
		add(boundChart)
	}
	add(meanChart)
	if has.CovError || has.Sampling+has.Variational > 0 {
		add(covChart)
	}
	add(densityChart)
	if has.Variational > 0 && !first {
		add(boundChart)
	}
	return order, n
}

func (m *moments) chart(g plane.Region, f *pane.Frame, k int) {
	c := &m.curves[k]
	if k == boundChart {
		pane.ElboHere(g, f, c)
		return
	}
	title := [...]string{"error of the mean", "covariance error", "log density"}[k]
	value := [...]func(*engine.Point) float64{pane.MeanError, pane.CovError, pane.LogPost}[k]
	c.Begin(f, f.LogY && k != densityChart)
	for i := range f.Lanes() {
		c.AddLane(f, &f.Snap.Lanes[i], value)
	}
	c.Draw(g, f, title)
}
