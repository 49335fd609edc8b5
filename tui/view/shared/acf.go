// Package shared has the panes that several views show.
package shared

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// ACF is the autocorrelation of one watched coordinate of every lane.
type ACF struct {
	lines chart.Lines
}

// Slowest is the watched coordinate, 0 or 1, with the larger τ in sum over the
// lanes, as far as τ is known.
func Slowest(f *pane.Frame) int {
	var sum [2]float64
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		for k := range sum {
			if t := v.Coords[k].ACTLoose.Value; t > 0 {
				sum[k] += t
			}
		}
	}
	if sum[1] > sum[0] {
		return 1
	}
	return 0
}

// Draw draws the autocorrelation of watched coordinate k in the lanes that
// sample.
func (a *ACF) Draw(g plane.Region, f *pane.Frame, k int) {
	id := [...]string{"autocorrelation 1", "autocorrelation 2"}[k]
	if f.Kinds().Sampling == 0 {
		pane.Absent(g, f, "autocorrelation", "no lane samples: only a chain has an autocorrelation")
		return
	}
	g, ok := f.Begin(g, id, -1)
	if !ok {
		return
	}
	a.lines.Series, a.lines.Top = a.lines.Series[:0], 0
	lag := lags(f, k)
	name := ""
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		if name == "" && pane.Samples(v) {
			name = pane.ShortName(&f.Theme, v.Names[k])
		}
		rho := correlations(v, k)
		if len(rho) == 0 {
			continue
		}
		a.lines.Series = append(a.lines.Series,
			chart.LaneSeries(f.Theme, pane.Slot(v.ID), f.LaneName(v), nil, rho[:min(len(rho), lag+1)]))
		if i == f.FocusAt() {
			a.lines.Top = len(a.lines.Series)
		}
	}
	title := "autocorrelation of " + name + ", lag 0–" + plane.Count(uint64(lag))
	all := pane.Range{Lo: 0, Hi: float64(lag)}
	shown := f.Shown(pane.Lag, all)
	a.lines.X = chart.Scale{Fix: true, Lo: shown.Lo, Hi: shown.Hi}
	a.lines.Cross, a.lines.Crossed = f.Cross.On(pane.Lag)
	a.lines.Cross = math.Round(a.lines.Cross)
	a.lines.Y = chart.Scale{Fix: true, Lo: min(-0.2, math.Floor(5*lowest(f, k, lag))/5), Hi: 1}
	a.lines.References = append(a.lines.References[:0], chart.Reference{})
	a.lines.Empty = f.Reason("too few draws yet")
	if room := g.W() - pane.TitleEdge(a.lines.Series); plane.Width(title) > room {
		if title = plane.FitTitle(title, room); !strings.HasSuffix(title, name) {
			title = "ACF of " + name
		}
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	pane.Legend(g, f, title, a.lines.Series)
	a.lines.Draw(in, f.Theme)
	a.values(g, in, f, id, all)
}

// The draws from which on an autocorrelation is estimated, and the least number of
// them for each lag (Box and Jenkins, Time Series Analysis, 1976, section 2.1.6).
const (
	acfDraws  = 50
	acfPerLag = 4
)

// correlations are a chain's autocorrelations at the lags for which it has draws
// enough.
func correlations(v *engine.LaneView, k int) []float64 {
	if !pane.Samples(v) || v.Draws < acfDraws {
		return nil
	}
	rho := v.ACF[k]
	return rho[:min(uint64(len(rho)), v.Draws/acfPerLag+1)]
}

// lags is how many lags are worth showing: five times the largest τ, by when
// what is left is noise, in a few sizes so that the axis stands still.
func lags(f *pane.Frame, k int) int {
	tau := 0.0
	for i := range f.Lanes() {
		if t := f.Snap.Lanes[i].Coords[k].ACTLoose.Value; t > tau {
			tau = t
		}
	}
	for _, size := range [...]int{30, 60, 100} {
		if 5*tau <= float64(size) {
			return size
		}
	}
	return 200
}

// lowest is the least correlation shown, at most 0 and at least -1.
func lowest(f *pane.Frame, k, lag int) float64 {
	lo := 0.0
	for i := range f.Lanes() {
		rho := correlations(&f.Snap.Lanes[i], k)
		for _, r := range rho[:min(len(rho), lag+1)] {
			lo = min(lo, max(r, -1))
			if math.IsNaN(lo) {
				lo = 0
			}
		}
	}
	return lo
}

// values tells the autocorrelations at the cross.
func (a *ACF) values(g, in plane.Region, f *pane.Frame, name string, all pane.Range) {
	at := a.lines.Place()
	if !at.OK {
		return
	}
	f.SetPlot(name, pane.Plot{Rect: at.Plot, AxisX: pane.Lag, X: pane.Range{Lo: at.Lo, Hi: at.Hi}, AllX: all})
	if !a.lines.Crossed {
		return
	}
	th := &f.Theme
	var l pane.Line
	l.Add(0, "lag", th.Dim, th.Accent, f.Progress(a.lines.Cross))
	pane.SeriesValues(&l, f, a.lines.Series, a.lines.Cross)
	pane.TellValues(g, in, f, &l, pane.CrossColumn(at, a.lines.Cross))
}
