package check

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// scatter is the covariance of the gradients of single data at θ, of one in each of them, and the fourth moment of each
// coordinate.
func scatter(t targets.Target[float64], theta []float64, each int) (cov, fourth []float64) {
	d, n := len(theta), t.N()
	cov, fourth = make([]float64, d*d), make([]float64, d)
	sum, g := make([]float64, d), make([]float64, d)
	count, row := 0.0, []int32{0}
	for i := 0; i < n; i += each {
		row[0] = int32(i)
		t.Grad(g, theta, row)
		count++
		for a, x := range g {
			sum[a] += x
			fourth[a] += float64(x * x * x * x)
			if x != 0 {
				for b, y := range g[:a+1] {
					cov[a*d+b] += float64(x * y)
				}
			}
		}
	}
	for a := range d {
		for b := range a + 1 {
			c := cov[a*d+b]/count - float64(sum[a]/count*sum[b]/count)
			cov[a*d+b], cov[b*d+a] = c, c
		}
		fourth[a] /= count // at a draw the mean is small beside the spread
	}
	return cov, fourth
}

// blur is the relative standard deviation of each coordinate's V about its mean, given the draws, where it is largest.
// With e = E ḡ² of a minibatch and w = Var ḡ², V has the mean αM + βe and the variance α²W + β²w. A feature of which a
// minibatch seldom sees anything has a V of which its mean says next to nothing.
func (p *path) blur(s *setup) []float64 {
	d, n := p.draws.Dim, float64(s.batch)
	worst, mean, variance := make([]float64, d), make([]float64, d), make([]float64, d)
	alpha, beta := 1.0, 1.0
	if x, ok := s.own("alpha"); ok {
		alpha, beta = x, 1-x
	}
	if s.batch == 0 { // normal gradient noise
		sampler.Fill(worst, math.Sqrt(2*(1-alpha)/(1+alpha)))
		return worst
	}
	c, skip := p.mean[0], s.skip()
	key := blurred{alpha, s.batch, skip, len(c)}
	if known, ok := p.blurs[key]; ok {
		return known
	}
	for t := range len(c) / d {
		at, _ := p.covAt(t)
		cov, fourth := p.cov[0][at], p.fourth[at]
		for i, g := range c[t*d:][:d] {
			v := cov[i*d+i] / n
			e, w := float64(g*g)+v,
				float64(2*v*v)+float64(4*g*g*v)+float64(max(0, fourth[i]-float64(3*cov[i*d+i]*cov[i*d+i]))/(n*n*n))
			mean[i], variance[i] = float64(alpha*mean[i])+float64(beta*e),
				float64(alpha*alpha*variance[i])+float64(beta*beta*w)
			if t >= skip && mean[i] > 0 {
				worst[i] = max(worst[i], math.Sqrt(variance[i])/mean[i])
			}
		}
	}
	if p.blurs == nil {
		p.blurs = map[blurred][]float64{}
	}
	p.blurs[key] = worst
	return worst
}

// blurred is all that blur hangs on.
type blurred struct {
	alpha              float64
	batch, skip, means int
}

// minibatch is by what the covariance of a datum's gradient is multiplied to be that of N ḡ: N²/n, by 1 - n/N where a
// batch holds no datum twice.
func (s *setup) minibatch() float64 {
	if s.batch == 0 {
		return 0
	}
	n, total := float64(s.batch), float64(s.problem.N())
	f := s.params.N * s.params.N / n
	if s.config.Draw != noise.Replace {
		f *= (total - n) / (total - 1)
	}
	return f
}

// delay is how many steps the noise of a shuffled minibatch remembers those before it: to the end of an epoch.
func (s *setup) delay() int {
	if s.batch == 0 || s.config.Draw != noise.Shuffle {
		return 0
	}
	return (s.problem.N()+s.batch-1)/s.batch + 1
}

// predict and correct are Kalman's, of an average of gradients of minibatches that nobody knows: about is covariance
// of what is left unknown of it.
func (w *walker) predict(cov []float64) {
	keep := w.s.average
	if w.about == nil {
		w.about = make([]float64, len(cov))
		for i, c := range cov {
			w.about[i] = float64(w.batched * c)
		}
	}
	for i, c := range cov {
		w.about[i] = float64(keep*keep*w.about[i]) + float64((1-keep)*(1-keep)*w.batched*c)
	}
}

func (w *walker) correct(noise []float64) {
	d := len(noise)
	gain := make([]float64, d*d)
	for i := range d {
		row := gain[i*d:][:d]
		for j := range row {
			row[j] = w.about[i*d+j] * w.seen[j]
		}
		whiten(w.factor, row)
		for j, x := range row {
			w.averaged[i] += float64(x * noise[j])
		}
		for j := range i + 1 {
			for k, x := range row {
				w.about[i*d+j] -= float64(x * gain[j*d+k])
			}
			w.about[j*d+i] = w.about[i*d+j]
		}
	}
}

// cholesky is the factor L of I + b A C A, A being diagonal, with 1 for I where all coordinates share their noise and 0
// where they have none.
func (s *setup) cholesky(cov, a []float64, b float64) []float64 {
	d := len(a)
	l := make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			m := float64(b * a[i] * a[j] * cov[i*d+j])
			if s.shared || i == j && (s.without == nil || !s.without[i]) {
				m++
			}
			if i == j {
				m += 1e-9
			}
			for k := range j {
				m -= float64(l[i*d+k] * l[j*d+k])
			}
			if i == j {
				l[i*d+i] = math.Sqrt(max(m, 1e-12))
			} else {
				l[i*d+j] = m / l[j*d+j]
			}
		}
	}
	return l
}

// whiten solves L r' = r in place.
func whiten(l, r []float64) {
	d := len(r)
	for i := range r {
		for j, x := range r[:i] {
			r[i] -= float64(l[i*d+j] * x)
		}
		r[i] /= l[i*d+i]
	}
}
