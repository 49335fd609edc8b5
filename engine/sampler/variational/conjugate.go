package variational

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// conjugate is the conjugate gradient method for (B + λI) d = g with B symmetric
// and known only by its products (Hestenes and Stiefel 1952; Nocedal and Wright 2006,
// algorithms 5.2 and 7.1). It starts from zero and costs one product an iteration.
type conjugate struct {
	r, p, bp []float64
}

func newConjugate(dim int) *conjugate {
	return &conjugate{r: sampler.Vector[float64](dim), p: sampler.Vector[float64](dim),
		bp: sampler.Vector[float64](dim)}
}

// solve writes to d the first iterate whose residual is at most tol‖g‖, or the n-th. multiply writes Bv to dst. At a
// direction whose curvature is not positive it stops with the iterate before; in the first iteration d is then g/λ, the
// solution without B.
//
// It returns gᵀd - ½ dᵀBd, the gain by the quadratic model without λ, or NaN for the d without B.
func (c *conjugate) solve(d, g []float64, lambda float64, n int, tol float64, multiply func(dst, v []float64)) float64 {
	clear(d)
	copy(c.r, g)
	copy(c.p, g)
	rr := dot(g, g)
	enough := tol * tol * rr
	for k := range n {
		if !(rr > enough) {
			break
		}
		multiply(c.bp, c.p)
		curvature := dot(c.p, c.bp) + float64(lambda*dot(c.p, c.p))
		if !(curvature > 0) {
			if k == 0 {
				for i, x := range g {
					d[i] = x / lambda
				}
				return math.NaN()
			}
			break
		}
		alpha := rr / curvature
		for i, x := range c.p {
			d[i] += float64(alpha * x)
			c.r[i] -= float64(alpha * (c.bp[i] + float64(lambda*x)))
		}
		was := rr
		rr = dot(c.r, c.r)
		beta := rr / was
		for i, x := range c.r {
			c.p[i] = x + float64(beta*c.p[i])
		}
	}
	// Bd = g - r - λd.
	gd, rd, dd := dot(g, d), dot(c.r, d), dot(d, d)
	return gd - float64((gd-rd-float64(lambda*dd))/2)
}
