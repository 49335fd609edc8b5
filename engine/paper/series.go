package paper

import (
	"math"

	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// seriesOver is a run of points with their standard errors. Places without a
// number are left out.
func SeriesOver(name string, style figure.Style, x []float64, y []claim.OverSeeds) figure.Series {
	s := figure.Series{Name: name, Style: style}
	for i, v := range y {
		if v.OK() {
			s.X, s.Y, s.Err = append(s.X, x[i]), append(s.Y, v.Mean), append(s.Err, v.SE)
		}
	}
	return s
}

// loggable makes a series of those points of which y is positive, for logarithmic axes.
func Loggable(name string, x, y, se []float64, style figure.Style, theory bool) figure.Series {
	s := figure.Series{Name: name, Style: style, Paper: theory}
	for i := range x {
		if y[i] > 0 && !math.IsInf(y[i], 0) {
			s.X, s.Y = append(s.X, x[i]), append(s.Y, y[i])
			if se != nil {
				s.Err = append(s.Err, se[i])
			}
		}
	}
	return s
}
