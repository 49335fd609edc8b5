package learning

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// around says of a target without data that nothing is learned there.
func around(g plane.Region, f *pane.Frame, alone bool) plane.Region {
	if alone || f.HasData() {
		return g
	}
	return pane.Remark(g, f, "Nothing is learned here: that takes a target with data; "+f.KeyOf("target …")+" chooses one.")
}

// moments are the charts of a target without data: the errors of the draws' moments, the
// log posterior and the ELBO.
func moments(f *pane.Frame, w, h int) []pane.Pane {
	all, at := measured(f), plane.Rect{W: w, H: h}
	var places []plane.Rect
	switch n := len(all); {
	case w < pane.WideStage:
		places = pane.Stack(at, min(max(h/pane.ChartRows, 1), n))
	case n > 2:
		upper, lower := at.CutTop(h / 2)
		places = append(pane.Beside(upper, 2), pane.Beside(lower, n-2)...)
	default:
		places = pane.Stack(at, n)
	}
	all = all[:len(places)]
	for i := range all {
		all[i] = all[i].In(places[i])
	}
	return all
}

// measured lists the charts that some lane has. The ELBO comes first if it is the focused
// lane's objective.
func measured(f *pane.Frame) (all []pane.Pane) {
	first := f.Focused().Kind == sampler.Variational
	if first {
		all = append(all, elbo.Pane())
	}
	for _, id := range [...]quantity.ID{quantity.MeanError, quantity.CovError} {
		if f.Has(id) {
			all = append(all, pane.Curve{ID: id}.Pane())
		}
	}
	all = append(all, pane.Curve{ID: quantity.LogPost, Linear: true}.Pane())
	if f.Any(quantity.Variational) && !first {
		all = append(all, elbo.Pane())
	}
	return all
}
