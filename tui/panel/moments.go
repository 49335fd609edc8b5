package panel

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/plane"
)

// moments is view 3 of a target without data: how fast the draws' moments come
// to the truth, the log density, and the ELBO of a family.
type moments struct {
	curves [momentCharts]curve
}

// The charts, in the order in which they stand.
const (
	meanChart = iota
	covChart
	densityChart
	boundChart
	momentCharts
)

func (m *moments) draw(g plane.Region, f *Frame) {
	head, rest := g.Bounds().CutTop(1)
	g.Sub(head).TextFit(1, 0, g.W()-1, f.Theme,
		"Nothing is learned here: that takes a target with data; t chooses one.", f.Theme.Dim)
	order, n := m.order(f)
	var at [momentCharts]plane.Rect
	if g.W() >= wideStage {
		upper, lower := rest.CutTop(rest.H / 2)
		beside(at[:min(n, 2)], upper)
		if n > 2 {
			beside(at[2:n], lower)
		} else {
			stack(at[:n], rest)
		}
	} else {
		n = min(max(rest.H/chartRows, 1), n)
		stack(at[:n], rest)
	}
	for k, what := range order[:n] {
		m.chart(g.Sub(at[k]), f, what)
	}
}

// order lists the charts that say something of the lanes: what the focused lane
// drives at first, if that is the ELBO.
func (m *moments) order(f *Frame) (order [momentCharts]int, n int) {
	has := f.mix()
	add := func(k int) {
		order[n] = k
		n++
	}
	first := f.lane().Kind == sampler.Variational
	if first {
		add(boundChart)
	}
	add(meanChart)
	if has.covError || has.sampling+has.variational > 0 {
		add(covChart)
	}
	add(densityChart)
	if has.variational > 0 && !first {
		add(boundChart)
	}
	return order, n
}

func (m *moments) chart(g plane.Region, f *Frame, k int) {
	c := &m.curves[k]
	if k == boundChart {
		elboHere(g, f, c)
		return
	}
	title := [...]string{"error of the mean", "covariance error", "log density"}[k]
	value := [...]func(*engine.Point) float64{meanError, covError, logPost}[k]
	c.begin(f, f.LogY && k != densityChart)
	for i := range f.lanes() {
		c.lane(f, &f.Snap.Lanes[i], value)
	}
	c.draw(g, f, title)
}
