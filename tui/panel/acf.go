package panel

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// acfPane is the autocorrelation of one watched coordinate of every lane.
type acfPane struct {
	lines chart.Lines
}

// slowest is the watched coordinate, 0 or 1, with the larger τ in sum over the
// lanes, as far as τ is known.
func (f *Frame) slowest() int {
	var sum [2]float64
	for i := range f.lanes() {
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

// draw draws the autocorrelation of watched coordinate k in the lanes that
// sample.
func (a *acfPane) draw(g plane.Region, f *Frame, k int) {
	id := [...]string{"autocorrelation 1", "autocorrelation 2"}[k]
	if f.mix().sampling == 0 {
		absent(g, f, "autocorrelation", "no lane samples: only a chain has an autocorrelation")
		return
	}
	g, ok := f.pane(g, id, -1)
	if !ok {
		return
	}
	a.lines.Series, a.lines.Top = a.lines.Series[:0], 0
	lag := f.lags(k)
	name := ""
	for i := range f.lanes() {
		v := &f.Snap.Lanes[i]
		if name == "" && samples(v) {
			name = shortName(&f.Theme, v.Names[k])
		}
		rho := correlations(v, k)
		if len(rho) == 0 {
			continue
		}
		a.lines.Series = append(a.lines.Series,
			chart.LaneSeries(f.Theme, slot(v.ID), f.name(v), nil, rho[:min(len(rho), lag+1)]))
		if i == f.focus() {
			a.lines.Top = len(a.lines.Series)
		}
	}
	title := "autocorrelation of " + name + ", lag 0–" + plane.Count(uint64(lag))
	all := Range{0, float64(lag)}
	shown := f.shown(Lag, all)
	a.lines.X = chart.Scale{Fix: true, Lo: shown.Lo, Hi: shown.Hi}
	a.lines.Cross, a.lines.Crossed = f.Cross.on(Lag)
	a.lines.Cross = math.Round(a.lines.Cross)
	a.lines.Y = chart.Scale{Fix: true, Lo: min(-0.2, math.Floor(5*f.lowest(k, lag))/5), Hi: 1}
	a.lines.References = append(a.lines.References[:0], chart.Reference{})
	a.lines.Empty = f.empty("too few draws yet")
	if room := g.W() - titleEdge(a.lines.Series); plane.Width(title) > room {
		if title = plane.FitTitle(title, room); !strings.HasSuffix(title, name) {
			title = "ACF of " + name
		}
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	legend(g, f, title, a.lines.Series)
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
	if !samples(v) || v.Draws < acfDraws {
		return nil
	}
	rho := v.ACF[k]
	return rho[:min(uint64(len(rho)), v.Draws/acfPerLag+1)]
}

// lags is how many lags are worth showing: five times the largest τ, by when
// what is left is noise, in a few sizes so that the axis stands still.
func (f *Frame) lags(k int) int {
	tau := 0.0
	for i := range f.lanes() {
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
func (f *Frame) lowest(k, lag int) float64 {
	lo := 0.0
	for i := range f.lanes() {
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
func (a *acfPane) values(g, in plane.Region, f *Frame, name string, all Range) {
	at := a.lines.Place()
	if !at.OK {
		return
	}
	f.plot(name, Plot{Rect: at.Plot, AxisX: Lag, X: Range{at.Lo, at.Hi}, AllX: all})
	if !a.lines.Crossed {
		return
	}
	th := &f.Theme
	var l line
	l.add(0, "lag", th.Dim, th.Accent, f.progress(a.lines.Cross))
	seriesValues(&l, f, a.lines.Series, a.lines.Cross)
	tellValues(g, in, f, &l, crossColumn(at, a.lines.Cross))
}
