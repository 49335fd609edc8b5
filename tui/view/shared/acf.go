// Package shared draws the panes that several views have: traces, autocorrelations, marginals, densities, calibration.
package shared

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// ACF is the autocorrelation of watched coordinate k in the lanes that sample.
func ACF(f *pane.Frame, k int) pane.Pane {
	return pane.Pane{
		Name: [...]string{"autocorrelation 1", "autocorrelation 2"}[k], Lane: -1,
		Needs: quantity.Sampling, Title: "autocorrelation", Why: "no lane samples: only a chain has an autocorrelation",
		Draw: func(g plane.Region, f *pane.Frame) { drawACF(g, f, k) },
	}
}

func drawACF(g plane.Region, f *pane.Frame, k int) {
	lag := lags(f, k)
	all := pane.Range{Hi: float64(lag)}
	shown := f.Shown(pane.Lag, all)
	lines := chart.Lines{
		X:          chart.Scale{Fix: true, Range: shown},
		Y:          chart.Scale{Fix: true, Range: pane.Range{Lo: min(-0.2, math.Floor(5*lowest(f, k, lag))/5), Hi: 1}},
		References: []chart.Reference{{}},
		Empty:      f.Reason("too few draws yet"),
	}
	lines.Cross, lines.Crossed = f.Cross.On(pane.Lag)
	lines.Cross = math.Round(lines.Cross)
	name := ""
	for i, v := range f.EachLane() {
		if name == "" && pane.Samples(v) {
			name = pane.ShortName(&f.Theme, v.Names[k])
		}
		rho, every := correlations(v, k, lag)
		if len(rho) == 0 {
			continue
		}
		s := f.Series(v, f.LaneName(v))
		s.Y = rho
		for t := range rho {
			s.X = append(s.X, float64(t*every))
		}
		lines.Series = append(lines.Series, s)
		if i == f.FocusAt() {
			lines.Top = len(lines.Series)
		}
	}
	title := "autocorrelation of " + name + ", lag 0–" + plane.Count(uint64(lag))
	if room := g.W() - pane.TitleEdge(lines.Series); plane.Width(title) > room {
		if title = plane.FitTitle(title, room); !strings.HasSuffix(title, name) {
			title = "ACF of " + name
		}
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	g.Term(wording.Autocorrelation)
	pane.Legend(g, f, title, lines.Series)
	if f.SetAxis(g, lines.Draw(in, f.Theme), pane.Lag, all) && lines.Crossed {
		var l pane.Line
		l.Add(0, "lag", f.Theme.Dim, f.Theme.Accent, f.Progress(lines.Cross))
		pane.SeriesValues(&l, f, lines.Series, lines.Cross)
		pane.ShowValues(g, f, &l)
	}
}

// Slowest is the watched coordinate, 0 or 1, with the larger sum of the lanes' known τ.
func Slowest(f *pane.Frame) int {
	var sum [2]float64
	for _, v := range f.EachLane() {
		for k := range sum {
			if t := v.Coords[k].Rough.Value; t > 0 {
				sum[k] += t
			}
		}
	}
	if sum[1] > sum[0] {
		return 1
	}
	return 0
}

// The draws from which on an autocorrelation is estimated, and the least number of
// them for each lag (Box and Jenkins, Time Series Analysis, 1976, section 2.1.6).
const (
	acfDraws  = 50
	acfPerLag = 4
)

// correlations are a chain's autocorrelations up to a lag, as far as it has draws enough for them, and how many lags
// they lie apart.
func correlations(v *engine.LaneView, k, lag int) (rho []float64, every int) {
	if !pane.Samples(v) || v.Draws < acfDraws {
		return nil, 1
	}
	every = max(v.ACFEvery[k], 1)
	lag = min(lag, int(v.Draws/acfPerLag))
	return v.ACF[k][:min(len(v.ACF[k]), lag/every+1)], every
}

// lags is the largest lag shown: five times the largest τ, beyond which all is noise, as far as there are draws,
// rounded up to one of a few sizes so that the axis stands still.
func lags(f *pane.Frame, k int) int {
	need := 0.0
	for _, v := range f.EachLane() {
		if t := min(5*v.Coords[k].Rough.Value, float64(v.Draws/acfPerLag)); t > need {
			need = t
		}
	}
	for _, size := range [...]int{30, 60} {
		if need <= float64(size) {
			return size
		}
	}
	return int(chart.NiceStep(need))
}

// lowest is the least correlation shown, between -1 and 0.
func lowest(f *pane.Frame, k, lag int) float64 {
	lo := 0.0
	for _, v := range f.EachLane() {
		rho, _ := correlations(v, k, lag)
		for _, r := range rho {
			lo = min(lo, max(r, -1))
			if math.IsNaN(lo) {
				lo = 0
			}
		}
	}
	return lo
}
