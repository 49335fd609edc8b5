package metrics

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

const (
	// productCount is how many batches of products there are at most.
	productCount = 128
	// leastProducts is how many there must be for a standard error, which is then good to 9%.
	leastProducts = productCount / 2
)

// addProducts takes the chunk or a part of one that m has scanned: by its moments if it ends within the batch in hand
// or with it, else draw by draw.
func (b *batches) addProducts(m *moments, cors []correlator, w []float64) {
	p := &m.part
	if row := b.row(b.n); b.w[b.n]+p.w < b.least*(1+4e-9) {
		b.w[b.n] += p.w
		for i, v := range p.mean {
			for j := m.first(i); j <= i; j++ {
				row[m.index(i, j)] += p.m2[m.index(i, j)] + float64(p.w*v*p.mean[j])
			}
		}
		b.end()
		return
	}
	for at := b.begin(w); at < len(w); {
		to, row := b.take(w, at), b.row(b.n)
		for i := range cors {
			for j := m.first(i); j <= i; j++ {
				s, x, y := row[m.index(i, j)], cors[i].pending()[at:to], cors[j].pending()[at:to]
				for t, v := range w[at:to] {
					s += float64(v * x[t] * y[t])
				}
				row[m.index(i, j)] = s
			}
		}
		at = to
		b.end()
	}
}

// first is the least j of the products of coordinates i >= j that are kept.
func (m *moments) first(i int) int {
	if m.full {
		return 0
	}
	return i
}

// productErrors returns what works out the variance of the mean of Σ_k f_k z_k, z being the products (x_i - x̄_i)(x_j -
// x̄_j), i >= j, in their order. It says why there is none, or OK.
func (c *Chain) productErrors() (of func(f []float64) float64, s Status) {
	if c.uneven() {
		return nil, Uneven
	}
	b := c.products
	c.mom.scan(c.cors, c.w[:c.fill])
	if c.fill > 0 && !(c.mom.part.w < b.least) { // what waits is more than a batch, and not few of many draws
		b.sum = slices.Clone(b.sum)
		b.addProducts(&c.mom, c.cors, c.w[:c.fill])
	}
	if b.n < leastProducts {
		return nil, TooShort
	}
	weight, spans := 0.0, make([]span, c.dim)
	for _, w := range b.w[:b.n] {
		weight += w
	}
	all, _ := c.mom.weights()
	return func(f []float64) float64 {
		var u, z [productCount]float64
		for i := range spans {
			for j := c.mom.first(i); j <= i; j++ {
				at := c.mom.index(i, j)
				if f[at] == 0 {
					continue
				}
				total, x, y := 0.0, &spans[i], &spans[j]
				for k, s := range [2]*span{x, y} {
					if s.n == 0 {
						c.span(s, [2]int{i, j}[k])
					}
				}
				per := int(math.Round(b.least / x.least)) // so many of the draws' batches are one of products
				mx, my := x.mean(0, per*b.n), y.mean(0, per*b.n)
				for k := range b.n {
					z[k] = b.row(k)[at] + float64(b.w[k]*mx*my)
					for l := k * per; l < (k+1)*per; l++ {
						z[k] -= float64(mx*y.sum[l]) + float64(my*x.sum[l])
					}
					total += z[k]
				}
				for k := range b.n {
					u[k] += float64(f[at] * (z[k] - float64(b.w[k]*(total/weight))))
				}
			}
		}
		c0, time := timeOf(u[:b.n])
		return c0 * float64(b.n) * time / (weight * all)
	}, OK
}

// productErrors is that of a chain, of the mean over chains that agree. Its roots are good to a relative standard
// error.
func (c Chains) productErrors() (of func(f []float64) float64, relative float64, s Status) {
	each, n := make([]func([]float64) float64, len(c)), float64(len(c))
	for k, one := range c {
		if each[k], s = one.productErrors(); s != OK {
			return nil, 0, s
		}
	}
	return func(f []float64) (v float64) {
		for _, one := range each {
			v += one(f) / (n * n)
		}
		return v
	}, 1 / math.Sqrt(2*leastProducts*n), OK
}

// SDError returns the Monte Carlo standard error of √Var(i), of chains that agree,
//
//	√(var of the mean of (x - x̄)²) / (2 sd),
//
// by batches of all draws: that of a mean of batches (see (*span).variance). It is TooShort below 64 draws a chain, and
// Uneven if the weights differ. Whether the chains are long enough is for the caller to know.
func (c Chains) SDError(i int) Estimate {
	of, relative, s := c.productErrors()
	if s != OK {
		return Withheld(s, c.Draws())
	}
	f := make([]float64, len(c[0].mom.m2))
	f[c[0].mom.index(i, i)] = 1
	se := math.Sqrt(of(f)) / (2 * math.Sqrt(c.Var(i))) // NotFinite where the draws do not vary
	return Known(se, se*relative, c.Draws())
}

// CovErrorOf returns the standard error of [CovError] of the draws' covariance against a truth, of chains that agree,
// and the noise in it: what it is on average without bias, for which entry ij with standard error s_ij counts
//
//	√(2/π) s_ij,
//
// as it would of an exact sampler with as many effective draws. An entry d of the difference is taken for normal with
// mean δ, δ² = max(d² - s², 0), so that |d| has the variance
//
//	f² s² = δ² + s² - m²,   m = √(2/π) s exp(-δ²/2s²) + δ erf(δ/√2s),
//
// and the error is that of Σ_ij f_ij sign(d_ij) cov_ij, by the same batches as SDError. It has the status of that.
// Noise has no error of its own.
func (c Chains) CovErrorOf(cov, truth []float64) (se, noise Estimate) {
	of, relative, s := c.productErrors()
	if s != OK {
		return Withheld(s, c.Draws()), Withheld(s, c.Draws())
	}
	m := &c[0].mom
	all, one, total := make([]float64, len(m.m2)), make([]float64, len(m.m2)), 0.0
	for i := range m.dim {
		for j := range i + 1 {
			count, at := 2.0, m.index(i, j)
			if i == j {
				count = 1
			}
			one[at] = 1
			v, d := of(one), cov[i*m.dim+j]-truth[i*m.dim+j]
			one[at] = 0
			sd, delta := math.Sqrt(v), math.Sqrt(max(float64(d*d)-v, 0))
			if !(sd > 0) {
				continue
			}
			z := delta / sd
			mean := float64(math.Sqrt(2/math.Pi)*libm.Exp(-z*z/2)) + float64(z*math.Erf(z/math.Sqrt2))
			all[at] = math.Copysign(count*math.Sqrt(max(float64(z*z)+1-float64(mean*mean), 0)), d)
			total += float64(count * math.Sqrt(2/math.Pi) * sd)
		}
	}
	v := math.Sqrt(of(all))
	return Known(v, v*relative, c.Draws()), known(total, c.Draws())
}
