package calibration

import (
	"math"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// figureOf shows the estimates against the true biases, of the narrowest coordinate of each
// setting, and how all errors are distributed.
func (b bias) figureOf(all []outcome) figure.Figure {
	f := figure.Figure{ID: "bias", Title: "The estimated bias of the step size against the true one", Columns: 3}
	for k, title := range [len(kinds)]string{ofMean: "mean, in standard deviations", ofVariance: "variance, relative"} {
		f.Panels = append(f.Panels, b.scatter(all, k, title))
	}
	f.Panels = append(f.Panels, standardised(all))
	return f
}

// scatter has a point for each setting whose narrowest coordinate has an interval, of the run that
// estimates and those that the truth is of. The axes hold all true biases.
func (b bias) scatter(all []outcome, kind int, title string) figure.Panel {
	p := figure.Panel{Title: title, X: figure.Axis{Label: "true bias"},
		Y: figure.Axis{Label: "estimate ± standard error of both"}}
	lo, hi := 0.0, 0.0
	for _, l := range []paper.Entry{paper.SGLD, paper.PSGLD} {
		s := figure.Series{Name: l.Title, Of: l.Sampler, Style: figure.Points}
		for _, o := range all {
			if o.setting.lane.Sampler != l.Sampler || len(o.of[kind]) == 0 {
				continue
			}
			if v := o.of[kind][o.narrowest]; v.judged() {
				s.X, s.Y, s.Err = append(s.X, v.truth.X), append(s.Y, v.told.X),
					append(s.Err, libm.Hypot(v.told.SE, v.truth.SE))
				s.Sessions = append(s.Sessions, b.sessionsOf(o.setting))
				lo, hi = min(lo, v.truth.X), max(hi, v.truth.X)
			}
		}
		p.Series = append(p.Series, s)
	}
	margin := 0.1 * (hi - lo)
	lo, hi = lo-margin, hi+margin
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = lo, hi, lo, hi
	p.Series = append(p.Series,
		figure.Series{Name: "estimate = truth", Style: figure.Line, Paper: true, X: []float64{lo, hi},
			Y: []float64{lo, hi}})
	return p
}

// standardised is the histogram of the standardised errors, each setting weighing the same, beside
// the standard normal density. Errors beyond ±4 are in the last bins.
func standardised(all []outcome) figure.Panel {
	const limit, bins = 4.0, 16
	width := 2 * limit / bins
	p := figure.Panel{Title: "standardised errors", X: figure.Axis{Label: "(estimate - true bias)/standard error"},
		Y: figure.Axis{Label: "density"}}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = -limit + width*float64(i)
	}
	for k, what := range kinds {
		density, settings := make([]float64, bins), 0.0
		for _, o := range all {
			_, judged, _, _ := o.count(k)
			if judged == 0 {
				continue
			}
			settings++
			for _, v := range o.of[k] {
				if v.judged() {
					at := int((min(max(v.z(), -limit), limit) + limit) / width)
					density[min(at, bins-1)] += 1 / (float64(judged) * width)
				}
			}
		}
		for i := range density {
			density[i] /= max(settings, 1)
		}
		p.Series = append(p.Series, figure.Series{Name: what, Style: figure.Steps, X: edges, Y: density})
	}
	normal := figure.Series{Name: "standard normal", Style: figure.Line, Paper: true}
	for i := range 81 {
		x := -limit + float64(i)/10
		normal.X, normal.Y = append(normal.X, x), append(normal.Y, libm.Exp(-x*x/2)/math.Sqrt(2*math.Pi))
	}
	p.Series = append(p.Series, normal)
	return p
}
