package check

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
)

// part is a part of a step's displacement, of which the method has the share want.
type part struct {
	name string
	want float64
	of   func(p *place, i int) float64
}

// place is a draw in the middle of its chain with what the next step depends on.
type place struct {
	theta, velocity []float64
	mean, hess      []float64 // of all data
	gain            func(i int) float64
}

// follower keeps V from draw to draw, by the kernel itself.
type follower struct {
	kernel sampler.Kernel[float64]
	state  sampler.State[float64]
	params sampler.Params
	eval   sampler.Eval[float64]
	target targets.Target[float64]
	v      []float64 // V at the start of a chain
	root   []float64 // √v where V is that of all steps, since it saw other gradients than those of all data; else nil
	info   sampler.Info
}

func newFollower(s *setup, second []float64) *follower {
	still := *s
	still.params.Temp = 0
	still.setOwn("gamma", 0)
	f := &follower{kernel: s.method.New64(s.problem.F64), params: still.params, target: s.problem.F64, v: second}
	f.state = sampler.NewState(make([]float64, s.problem.Dim()))
	if s.noisy() {
		f.root = make([]float64, len(second))
		for i, x := range second {
			f.root[i] = math.Sqrt(x)
		}
	}
	return f
}

// begin starts a chain, at v if that is known.
func (f *follower) begin(v []float64) {
	if v == nil {
		v = f.v
	}
	copy(f.state.V, v)
	f.state.Step = old
	if b, ok := f.kernel.(sampler.Beginner[float64]); ok {
		b.Begin(&f.state, &f.params)
	}
}

// to takes V to a draw with gradient ḡ.
func (f *follower) to(theta, mean []float64) {
	copy(f.state.Theta, theta)
	f.eval.Mean, f.eval.Second = mean, mean
	if f.root != nil {
		copy(f.state.V, f.v)
		f.eval.Second = f.root
	}
	f.kernel.Step(&f.state, f, &f.params, nil, &f.info)
}

// Eval and the rest implement sampler.Gradient, at the draw.
func (f *follower) Eval([]float64, sampler.Ask) *sampler.Eval[float64]     { return &f.eval }
func (f *follower) Dropout([]float64, targets.Keep) *sampler.Eval[float64] { return &f.eval }
func (f *follower) Target() targets.Target[float64]                        { return f.target }
func (f *follower) Batch() []int32                                         { return nil }

// steps adds the facts of steps. With y the displacement and r_j its parts, all divided by √(εG), the shares b_j that
// the draws have solve the least squares of y on r, and what they leave is the noise.
func (m *meter) steps(group func(int) []int) {
	s := m.setup
	half := s.params.Eps / 2
	m.parts = []part{{oneStepDrift, 1, func(p *place, i int) float64 { return half * p.gain(i) * s.params.N * p.mean[i] }}}
	if s.params.PriorPrec > 0 {
		m.parts = append(m.parts, part{"one-step drift of the prior", 1, func(p *place, i int) float64 { return -half * p.gain(i) * s.params.PriorPrec * p.theta[i] }})
	}
	keep := 0.0
	if a, ok := s.friction(); ok {
		keep = 1 - a
	} else if mu, ok := s.own("momentum"); ok {
		keep = mu
	}
	if keep > 0 {
		m.parts = append(m.parts, part{"velocity kept", keep, func(p *place, i int) float64 { return p.velocity[i] }})
	}
	alpha, has := s.own("alpha")
	lambda, _ := s.own("lambda")
	if _, ok := s.problem.F64.(targets.HessianDiag[float64]); ok && has && m.follow.root == nil && s.method.Name == "psgld" && s.params.Temp > 0 {
		gamma, _ := s.own("gamma")
		m.hess = make([]float64, len(m.mean))
		m.parts = append(m.parts, part{"one-step Γ", gamma, func(p *place, i int) float64 {
			root := 1/p.gain(i) - lambda
			if !(root > 0) {
				return 0
			}
			g := p.gain(i)
			return -half * s.params.Temp * (1 - alpha) * p.mean[i] * p.hess[i] * g * g / root
		}})
	}
	j := len(m.parts)
	k := group(2 + j + j*(j+1)/2)
	count, yy, xy, xx := k[0], k[1], k[2:2+j], k[2+j:]
	solve := func(s []float64) []float64 { return leastSquares(s, xx, xy) }
	for n, p := range m.parts {
		m.facts = append(m.facts, fact{p.name, func(s []float64) float64 { return solve(s)[n] }, same, step, true})
	}
	m.facts = append(m.facts, fact{oneStepNoise, func(s []float64) float64 {
		left := s[yy]
		for n, b := range solve(s) {
			left -= float64(b * s[xy[n]])
		}
		return libm.Log(left / s[count])
	}, libm.Exp, step, false})
	if has && m.follow.root == nil && s.params.Temp > 0 {
		k := group(5)
		count, w, q, qq, wq := k[0], k[1], k[2], k[3], k[4]
		m.facts = append(m.facts, fact{"noise by the V before the newest gradient", func(s []float64) float64 {
			n := s[count]
			return (s[wq]/n - float64(s[w]/n*s[q]/n)) / (s[qq]/n - float64(s[q]/n*s[q]/n))
		}, same, step, true})
	}
}

// leastSquares solves the normal equations whose sums are at xx (the upper triangle, row after row) and xy.
func leastSquares(s []float64, xx, xy []int) []float64 {
	n := len(xy)
	a, b := make([]float64, n*n), make([]float64, n)
	k := 0
	for i := range n {
		b[i] = s[xy[i]]
		for j := i; j < n; j++ {
			a[i*n+j], a[j*n+i] = s[xx[k]], s[xx[k]]
			k++
		}
	}
	for i := range n { // elimination; what does not vary has no share
		if !(a[i*n+i] > 0) {
			b[i] = 0
			continue
		}
		for j := i + 1; j < n; j++ {
			f := a[j*n+i] / a[i*n+i]
			for c := i; c < n; c++ {
				a[j*n+c] -= float64(f * a[i*n+c])
			}
			b[j] -= float64(f * b[i])
		}
	}
	for i := n - 1; i >= 0; i-- {
		if !(a[i*n+i] > 0) {
			continue
		}
		for j := i + 1; j < n; j++ {
			b[i] -= float64(a[i*n+j] * b[j])
		}
		b[i] /= a[i*n+i]
	}
	return b
}

// step writes what the step to the next draw has of its parts.
func (m *meter) step(row []float64, at *place, next, before []float64) {
	p, n := &m.setup.params, len(m.parts)
	xy := row[2:]
	xx := xy[n:]
	hot := xx[n*(n+1)/2:]
	r := make([]float64, n)
	for i, y := range at.theta {
		g := at.gain(i)
		scale := 1 / math.Sqrt(p.Eps*g)
		y := (next[i] - y) * scale
		left := y
		for j, part := range m.parts {
			r[j] = part.of(at, i) * scale
			left -= float64(part.want * r[j])
		}
		row[0]++
		row[1] += float64(y * y)
		k := 0
		for j, a := range r {
			xy[j] += float64(a * y)
			for _, b := range r[j:] {
				xx[k] += float64(a * b)
				k++
			}
		}
		if len(hot) > 0 {
			w, q := min(float64(left*left)/p.Temp, 16), min(max(before[i]/g-1, -0.9), 5)
			hot[0]++
			hot[1] += w
			hot[2] += q
			hot[3] += float64(q * q)
			hot[4] += float64(w * q)
		}
	}
}
