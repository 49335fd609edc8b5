package logistic

import "slices"

// Curvature is about the largest second derivative, along a coordinate, of the negative log posterior at its mode under
// the prior N(0, σ²I). The mode is that of 1,000 rows, or of 20 for each coordinate if these are more, and it is come
// near by 200 steps of Nesterov's method (1983). At 0, where these begin, no curvature is less than elsewhere, so that
// what they leave makes the number too large. Where they would take long it is that at 0.
func (l *Regression) Curvature(priorVar float64) float64 {
	const climb, most = 200, 500_000 // steps, and numbers that each reads
	d, n, prec := l.Dim(), float64(l.N()), 1/priorVar
	rows := make([]int32, min(l.N(), max(1000, 20*d)))
	for k := range rows {
		rows[k] = int32(k * l.N() / len(rows))
	}
	theta, ahead, g, h := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	l.GradHessian(g, h, theta, rows)
	if float64(len(rows))*float64(d) <= most {
		bound := make([]float64, d) // of each coordinate's step: D times the Hessian's diagonal at 0 is above all Hessians
		for i := range bound {
			bound[i] = float64(d) * (prec - float64(n*h[i]))
		}
		for k := range climb {
			l.Grad(g, ahead, rows)
			for i, x := range theta {
				theta[i] = ahead[i] + (float64(n*g[i])-float64(prec*ahead[i]))/bound[i]
				ahead[i] = theta[i] + float64((theta[i]-x)*(float64(k)/float64(k+3)))
			}
		}
		l.GradHessian(g, h, theta, rows)
	}
	return prec - float64(n*slices.Min(h))
}
