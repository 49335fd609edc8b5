package experiment

import "math"

// seriesOver is a run of points with their standard errors. Places without a
// number are left out.
func seriesOver(name string, style Style, x []float64, y []overSeeds) Series {
	s := Series{Name: name, Style: style}
	for i, v := range y {
		if v.OK() {
			s.X, s.Y, s.Err = append(s.X, x[i]), append(s.Y, v.Mean), append(s.Err, v.SE)
		}
	}
	return s
}

// loggable makes a series of those points of which y is positive, for logarithmic axes.
func loggable(name string, x, y, se []float64, style Style, theory bool) Series {
	s := Series{Name: name, Style: style, Paper: theory}
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
