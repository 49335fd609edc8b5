package check

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

const (
	// covSize bounds the numbers in the covariances that an octave of draws has.
	covSize = 4e6
	// mostBlur is the relative standard deviation of V from which on it is as good as unknown.
	mostBlur = 0.35
	// beginning is how many draws of a chain go by before the first gradient, which nobody knows, is a small part of V.
	beginning = 100
	// veryFirst is the same where a step tells no more than how V begins.
	veryFirst = 10
	// reads bounds the numbers that gradients, and covariances of gradients, read.
	reads = 6e9
)

// path is draws of which each is a step from the one before, with what the target says of them. The steps of a
// hypothesis are made of it without a further gradient.
type path struct {
	right      *setup
	draws      Draws
	mean, hess [][]float64   // ḡ over all data and the Hessian's diagonal, of each chain's draws
	cov        [][][]float64 // of a datum's gradient, at the draws of a chain that have their own
	// of a datum's gradient from the mean: the fourth moment of each coordinate, at those of the first chain
	fourth [][]float64
	each   int  // of the data, one in that many is in a covariance
	dense  int  // a chain's first 2·dense draws have a covariance each, and dense of 2ᵏ·dense to 2ᵏ⁺¹·dense
	used   int  // draws of a chain at most
	curved bool // the Hessian's diagonal has a part in steps
	blurs  map[blurred][]float64
}

// newPath is of draws that are there, or come later.
func newPath(s *setup, d Draws) *path {
	dim, chains := d.Dim, len(d.Chains)
	t := s.problem.F64
	_, curved := t.(targets.HessianDiag[float64])
	gamma, _ := s.own("gamma")
	size, n := float64(t.N()*dim), t.N()
	square := float64(dim * (dim + 20)) // what a datum's part of a covariance costs
	rows := min(n, int(reads/10/square)+1)
	return &path{right: s, draws: d, mean: make([][]float64, chains),
		hess: make([][]float64, chains), cov: make([][][]float64, chains), curved: curved && gamma != 0,
		used: max(1000, int(reads/size/float64(chains))), each: max(1, n/max(rows, 1)),
		dense: max(30, int(min(reads/5/float64(rows), covSize)/square/float64(chains)))}
}

// add takes what a chain has of further draws.
func (p *path) add(ctx context.Context, chain int) error {
	d, t, c := p.draws.Dim, p.right.problem.F64, p.draws.Chains[chain]
	for at := len(p.mean[chain]) / d; at < min(len(c)/d, p.used); at++ {
		if at%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := c[at*d:][:d]
		p.mean[chain] = append(p.mean[chain], x...)
		if g := p.mean[chain][at*d:]; p.curved {
			p.hess[chain] = append(p.hess[chain], x...)
			t.(targets.HessianDiag[float64]).GradHessian(g, p.hess[chain][at*d:], x, nil)
		} else {
			t.Grad(g, x, nil)
		}
		if _, own := p.covAt(at); own && p.right.batch > 0 {
			c, fourth := scatter(t, x, p.each)
			p.cov[chain] = append(p.cov[chain], c)
			if chain == 0 {
				p.fourth = append(p.fourth, fourth)
			}
		}
	}
	return nil
}

// covAt is the number of the covariance at draw t or the nearest one before, and whether it is the draw's own. The
// noise of a step is judged by the covariance at its own draw alone: over another one it has a variance above 1, as the
// mean of v and the mean of 1/v have a product above 1.
func (p *path) covAt(t int) (at int, own bool) {
	k := bits.Len(uint(t / (2 * p.dense)))
	return k*p.dense + t>>k, t&(1<<k-1) == 0
}

// hidden reports whether V saw gradients that draws do not show.
func (s *setup) hidden() bool {
	return s.has("lambda") && s.noisy()
}

// skip is how many draws of a chain go by before the method's state is known by them.
func (s *setup) skip() int {
	f := s.trail.Forgets(&s.params)
	burn := s.config.Lanes[0].Or(sampler.KeyBurnIn, 0)
	switch {
	case s.early > 0:
		return s.early
	case f == sampler.Never:
		return 300
	case f > 0 && s.has("diffusion") && burn == 0: // ξ starts at a
		return 20
	}
	return f
}

// A walker makes the rows of a chain's steps under a hypothesis, one after another as draws come.
type walker struct {
	*path
	s          *setup
	chain, t   int // the step that comes next begins at draw t
	trail      sampler.Trail
	parts, was *sampler.Parts
	row        row
	// Of the step before: V's gradient, the displacement, and ∇log p there, averaged, and averaged over ten steps.
	seen, velocity, u, old, averaged, went, recent []float64
	factor, about                                  []float64
	first, unlike                                  []float64 // |ḡ| before the first draw, and -log p of a step
	lambda, sd, batched                            float64   // sd is of the gradient noise that the target asks for
	preconditioned, own                            bool      // own: the step has its own minibatches' covariance
}

func (p *path) walker(s *setup, chain int) *walker {
	d := p.draws.Dim
	w := &walker{path: p, s: s, chain: chain, trail: s.method.Trail(d), parts: sampler.NewParts(d),
		was: sampler.NewParts(d), batched: s.minibatch()}
	for _, v := range []*[]float64{&w.seen, &w.velocity, &w.u, &w.old, &w.averaged, &w.recent, &w.went, &w.row.noise,
		&w.row.raw, &w.row.own, &w.row.log, &w.unlike} {
		*v = make([]float64, d)
	}
	for a := range aspects {
		w.row.along[a] = make([]float64, d)
	}
	if w.lambda, w.preconditioned = s.own("lambda"); w.preconditioned {
		w.row.gain = [2][]float64{make([]float64, d), make([]float64, d)}
	}
	if t, ok := s.problem.F64.(targets.NoisyGradient); ok {
		w.sd = t.GradNoise()
	}
	return w
}

// next makes the row of a step, which is valid until the next one, and reports whether there was a step. A row that is
// not live comes before the method's state is known.
func (w *walker) next() (live, ok bool) {
	d, s, t, c := w.draws.Dim, w.s, w.t, w.draws.Chains[w.chain]
	if t+1 >= min(len(c)/d, w.used) || w.first == nil && !w.begin() {
		return false, false
	}
	w.t++
	params := s.params
	params.Eps *= s.falls.at(t)
	from, half, prec := max(1, s.skip()), params.Eps/2, params.PriorPrec
	x, next, g := c[t*d:][:d], c[(t+1)*d:][:d], w.mean[w.chain][t*d:][:d]
	var hess []float64
	if w.curved {
		hess = w.hess[w.chain][t*d:][:d]
	}
	cov := w.see(t)
	pulls := s.pulls
	if s.most > 0 {
		pulls = w.clip(g, x, cov)
	}
	*w.parts, *w.was = *w.was, *w.parts
	step := uint64(t + 1 + int(s.config.Lanes[0].Or(sampler.KeyBurnIn, 0)))
	if t == 0 {
		// in the place of the step before, whose gradient nobody knows
		w.trail.At(0, &params, g, w.first, hess, w.parts)
	}
	w.trail.At(step, &params, g, w.seen, hess, w.parts)
	for i, y := range x {
		w.old[i] = w.u[i]
		w.u[i] = float64(params.N*g[i]) - float64(prec*y)
		if t == 0 {
			w.averaged[i], w.recent[i], w.old[i] = w.u[i], w.u[i], w.u[i]
		}
		w.recent[i] += float64((w.u[i] - w.recent[i]) / 10)
		w.averaged[i] += float64((1 - s.average) * (w.u[i] - w.averaged[i]))
	}
	r := &w.row
	alpha, _ := s.own("alpha")
	for i := range x {
		gain, q := w.parts.Gain[i], w.parts.Noise[i]
		if s.late && t > 0 {
			gain = w.was.Gain[i]
		}
		if s.fair {
			gain = 1 / (w.lambda + (1/gain-w.lambda)/math.Sqrt(1-libm.Pow(alpha, float64(step+1))))
		}
		if s.under || s.bare {
			root := max(1/gain-w.lambda, 0)
			if gain = 1 / (float64(root*root) + w.lambda); s.under {
				gain = math.Sqrt(gain)
			}
		}
		q *= gain / w.parts.Gain[i]
		switch s.power { // of G in the noise
		case flat:
			q /= gain
		case squared:
			q *= gain
		}
		q = float64(q * s.scale)
		force := w.averaged[i]
		if s.old {
			force = w.old[i]
		}
		if pulls != nil {
			force *= pulls[i]
		}
		drift := float64(half * gain * force)
		y := next[i] - x[i] - drift - float64(w.parts.Keep[i]*w.velocity[i]) - w.parts.Shift[i]
		noise := half * gain * w.sd * s.params.N
		q += float64(noise * noise)
		root := math.Sqrt(q)
		if s.still() {
			root = 1
		}
		if s.tilt != nil {
			y -= float64(s.tilt[i] * root)
		}
		r.noise[i] = y / root
		if s.goesOn != 0 {
			z := r.noise[i]
			r.noise[i] = (z - float64(s.goesOn*w.went[i])) / math.Sqrt(1-float64(s.goesOn*s.goesOn))
			w.went[i] = z
		}
		r.raw[i] = r.noise[i]
		r.log[i] = libm.Log(root) + float64(libm.Log(1-float64(s.goesOn*s.goesOn))/2)
		r.along[onDrift][i] = half * gain * s.params.N * g[i] / root
		r.along[onPrior][i] = -half * gain * prec * x[i] / root
		r.along[onVelocity][i] = w.parts.Keep[i] * w.velocity[i] / root
		if !s.hidden() {
			r.along[onGamma][i] = w.parts.Shift[i] / root
		}
		r.along[onPlace][i] = (x[i] - c[min(from, t)*d+i]) / root
		r.along[onChange][i] = half * gain * (w.u[i] - w.old[i]) / root
		r.along[onRecent][i] = half * gain * (w.u[i] - w.recent[i]) / root
		if w.preconditioned {
			r.gain[0][i], r.gain[1][i] = libm.Log(gain), min(max(gain/w.was.Gain[i]-1, -0.9), 5)
		}
		w.seen[i] = half * gain / root // per unit of the gradient
		if pulls != nil {
			w.seen[i] *= pulls[i]
		}
		square, batch := float64(r.raw[i]*r.raw[i]), 0.0
		if cov != nil {
			batch = float64(w.batched * w.seen[i] * w.seen[i] * cov[i*d+i])
		}
		r.own[i] = square - batch
		w.unlike[i] = libm.Log(root) + float64((square/(1+batch)+libm.Log(1+batch))/2)
	}
	live = t >= from
	if w.batched > 0 && (live || s.average > 0) {
		if s.average > 0 {
			w.predict(cov)
			w.factor = s.cholesky(w.about, w.seen, 1)
		} else if w.factor == nil || w.own {
			w.factor = s.cholesky(cov, w.seen, w.batched)
		}
		whiten(w.factor, r.noise)
		for i := range r.noise {
			r.log[i] += libm.Log(w.factor[i*d+i])
		}
		if s.average > 0 {
			w.correct(r.noise)
		}
	}
	for i := range w.velocity {
		w.velocity[i] = next[i] - x[i]
	}
	moved := w.velocity
	if s.plain { // the trail's ξ goes by (2-ξ)‖v‖²
		moved = slices.Clone(moved)
		for i, keep := range w.parts.Keep {
			moved[i] *= math.Sqrt(2 / (1 + keep))
		}
	}
	w.trail.Moved(&params, moved)
	return live, true
}

// A fall of ε with the steps t of a chain is by the factor size (1 + t/over)^-power; the zero fall is none.
type fall struct{ size, over, power float64 }

func (f fall) at(t int) float64 {
	if f.size == 0 {
		return 1
	}
	return f.size * libm.Pow(1+float64(t)/f.over, -f.power)
}

// clip is the share of each coordinate of N ḡ + ∇log p(θ) that is left where it is cut to the most that it may be, and
// of what V sees. A minibatch's has its root mean square for its norm.
func (w *walker) clip(g, theta, cov []float64) []float64 {
	s, all, left := w.s, 0.0, make([]float64, len(g))
	for i, x := range g {
		left[i] = math.Abs(float64(s.params.N*x) - float64(s.params.PriorPrec*theta[i]))
		if cov != nil {
			left[i] = libm.Hypot(left[i], math.Sqrt(w.batched*cov[i*len(g)+i]))
		}
		all = libm.Hypot(all, left[i])
	}
	for i, x := range left {
		if !s.each {
			x = all
		}
		left[i] = min(1, s.most/max(x, 1e-300))
		w.seen[i] *= left[i]
	}
	return left
}

// see makes of seen the root mean square of the gradients that V may have taken in after draw t, or the only one. It
// returns the covariance of a datum's gradient there, nil without minibatches.
func (w *walker) see(t int) (cov []float64) {
	d, s := w.draws.Dim, w.s
	if w.own = true; w.right.batch > 0 {
		var at int
		at, w.own = w.covAt(t)
		cov = w.cov[w.chain][at]
	}
	for i, y := range w.mean[w.chain][t*d:][:d] {
		v := float64(y*y) + float64(w.sd*w.sd)
		if cov != nil && s.batch > 0 {
			v += cov[i*d+i] * w.batched / (s.params.N * s.params.N)
		}
		w.seen[i] = math.Sqrt(v)
		if v == y*y {
			w.seen[i] = y
		}
	}
	return cov
}

// begin finds the gradient before the first draw, where V never forgets it: steps without facts are likeliest by it.
// A first step may go so far that the gradient after it says nothing of the one before. An early minibatch may see what
// the others seldom do, and stays in V too: its gradient is that one where the later half is e⁸ times as likely by it.
// It reports whether there are steps enough.
func (w *walker) begin() bool {
	d, n := w.draws.Dim, w.s.skip()
	if w.s.trail.Forgets(&w.s.params) != sampler.Never || w.s.still() {
		w.first = w.seen // that of the first draw in its place
		return true
	}
	if min(len(w.draws.Chains[w.chain])/d, w.used) <= n {
		return false
	}
	from, most, gain := 0, 4.0, math.Inf(1)
	if w.s.noisy() {
		from, most, gain = n/2, 16, -8
	}
	size := make([]float64, d)
	for t := range n {
		w.see(t)
		for i, x := range w.seen {
			size[i] = libm.Hypot(size[i], x)
		}
	}
	unlike := func(first []float64) []float64 {
		try, sum := w.walker(w.s, w.chain), make([]float64, d)
		try.first = first
		for t := range n {
			try.next()
			for i, x := range try.unlike {
				if t >= from {
					sum[i] += x
				}
			}
		}
		return sum
	}
	w.see(0)
	best := slices.Clone(w.seen)
	least := unlike(slices.Clone(best))
	for i := range least {
		least[i] += gain
	}
	for factor := most; factor > 1e-7; factor *= 0.85 {
		first := list.Map(size, func(x float64) float64 { return factor * x })
		for i, x := range unlike(first) {
			if x < least[i] {
				least[i], best[i] = x, first[i]
			}
		}
	}
	w.first = best
	return true
}

// upto is a path of no more draws of a chain.
func (p *path) upto(n int) *path {
	q := *p
	q.used = min(p.used, n)
	return &q
}

// young is the path of the first steps, of which V is known by its start at zero, of a method that forgets it later;
// nil where there are none or they are not the method's first.
func (p *path) young() *path {
	s := *p.right
	f := s.trail.Forgets(&s.params)
	if !s.has("alpha") || f <= beginning || s.still() || s.config.Lanes[0].Or(sampler.KeyBurnIn, 0) > 0 {
		return nil
	}
	q := *p
	s.early = beginning
	q.right, q.used = &s, min(p.used, 2*f)
	return &q
}

// book is the empty ledger of a hypothesis.
func (p *path) book(s *setup) *ledger {
	which, blur := list.Upto(p.draws.Dim), []float64(nil)
	if s.shared && !s.noisy() {
		which = which[:1]
	}
	if s.hidden() {
		blur = p.blur(s)
		which = slices.DeleteFunc(which, func(i int) bool { return blur[i] > mostBlur })
	}
	l := newLedger(which, s.problem.Name)
	l.delay, l.bell = s.delay(), s.batch == 0 && s.tilt == nil && !s.shape
	if l.delay > 0 {
		l.slack = 0.03 // a step is not independent of the minibatches that an epoch has left
	}
	if s.early > 0 || s.trail.Forgets(&s.params) == sampler.Never {
		l.slack = max(l.slack, 0.02) // for the first gradient, of which nobody knows
	}
	if s.hidden() {
		l.wide, l.slack, l.bell = 1.5, max(l.slack, 0.03), false
		for _, i := range which {
			l.slack = max(l.slack, 0.03+float64(blur[i]/2)) // G is as V^-½
		}
	}
	if s.noisy() && (s.shared || s.without != nil || s.scale < 0.7) {
		l.wide, l.slack = 1.5, 0.25 // minibatches' noise alone is not as exactly known as with that of each step
	}
	return l
}

// march is a hypothesis on all chains: what makes their rows, their ledgers and their noise.
type march struct {
	walkers []*walker
	books   []*ledger
	rows    [][]float64
}

func (p *path) march(s *setup) *march {
	m := &march{rows: make([][]float64, len(p.draws.Chains))}
	for k := range p.draws.Chains {
		m.walkers, m.books = append(m.walkers, p.walker(s, k)), append(m.books, p.book(s))
	}
	return m
}

// on takes all steps of which there are draws into the ledgers, but for those that except says, and returns what they
// add up to.
func (m *march) on(ctx context.Context, except func(chain, t int) bool) (*ledger, error) {
	var all *ledger
	for k, w := range m.walkers {
		l := m.books[k]
		for {
			live, ok := w.next()
			if w.t%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if !ok {
				break
			}
			if !live {
				continue
			}
			m.rows[k] = append(m.rows[k], w.row.noise...)
			if except != nil && except(k, w.t-1) {
				l.begin()
				continue
			}
			l.add(k, w.t-1, w.row, w.own)
		}
		if all == nil {
			all = w.book(w.s)
		}
		all.join(l)
	}
	return all, ctx.Err()
}
