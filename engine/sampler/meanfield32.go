package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
)

// meanField32 is meanField in float32: two passes over memory a step, one that
// draws and one that moves, in pieces that several cores can share.
type meanField32 struct {
	prior    func(p *Params) weightPrior
	path     string
	schedule noise.Schedule
	z        []float32
	rule     fieldRule
	share    float32      // of the averages
	whole    fieldStretch // of the step in work or done
	sums     []fieldSums  // of pieces
	each     func(n int, task func(worker, i int))
	// Made once: a method value is allocated.
	drawPiece, movePiece func(worker, i int)
	g                    []float32 // made when first needed
}

func newMeanField32(dim int, prior func(p *Params) weightPrior) *meanField32 {
	m := &meanField32{prior: prior, path: noise.Path(), z: Vector[float32](dim), sums: make([]fieldSums, (dim+pieceSize-1)/pieceSize)}
	m.drawPiece = func(_, i int) {
		c := m.piece(i)
		m.schedule.Float32(c.z, i*pieceSize)
		draw(m.path, c.theta, c.z, c.mu, c.rho)
	}
	m.movePiece = func(_, i int) {
		m.sums[i].clear()
		c := m.piece(i)
		moveField(m.path, c, &m.rule, &m.sums[i])
		if m.share > 0 {
			follow(c.muMean, c.mu, m.share)
			follow(c.rhoMean, c.rho, m.share)
		}
	}
	return m
}

func (m *meanField32) piece(i int) fieldStretch {
	return m.whole.between(i*pieceSize, min((i+1)*pieceSize, len(m.whole.theta)))
}

// Begin implements Beginner: q is N(θ, σ₀²I).
func (*meanField32) Begin(s *State[float32], p *Params) { beginField(s, p) }

// Spread implements Parallel.
func (m *meanField32) Spread(each func(n int, task func(worker, i int))) { m.each = each }

// all does a task for every piece.
func (m *meanField32) all(task func(worker, i int)) {
	if m.each != nil && len(m.sums) > 1 {
		m.each(len(m.sums), task)
		return
	}
	for i := range m.sums {
		task(0, i)
	}
}

// Proxies implements Proxy.
func (*meanField32) Proxies(p *Params) int { return int(p.Own[fieldSamples]) }

// Proxy implements Proxy: a draw of the averaged q.
func (m *meanField32) Proxy(dst []float32, s *State[float32], z []float32) {
	draw(m.path, dst, z, s.Own[fieldMuMean], s.Own[fieldRhoMean])
}

// Step implements Kernel.
func (m *meanField32) Step(s *State[float32], grad Gradient[float32], p *Params, zs *noise.Normals[float32], i *Info) {
	m.whole = fieldStretch{
		theta: s.Theta, z: m.z, mean: s.Theta, // no gradient is there for the draw
		mu: s.Own[fieldMu], rho: s.Own[fieldRho], muV: s.Own[fieldMuV], rhoV: s.Own[fieldRhoV],
		muMean: s.Own[fieldMuMean], rhoMean: s.Own[fieldRhoMean],
	}
	zs.Stream().At(s.Step).Schedule(&m.schedule)
	m.all(m.drawPiece)
	e := grad.Eval(s.Theta, AskLogLik)
	m.whole.mean = e.Mean
	prior := m.prior(p)
	r := newFieldStep(s, p)
	m.set(&r, &prior, p)
	m.share = float32(r.share)
	m.all(m.movePiece)
	m.report(i, &prior, p)
	i.Eps = r.eps
	i.Objective += p.N * e.LogLik
	s.Step++
}

// set sets the rule.
func (m *meanField32) set(r *fieldStep, q *weightPrior, p *Params) {
	number := func(x float64) [8]float32 { return eight(float32(x)) }
	m.rule = fieldRule{
		alpha: number(r.alpha), beta: number(1 - r.alpha), lambda: number(r.lambda), unbias: number(r.unbias),
		lr: number(r.lr), lrRho: number(r.lr * r.ratio), temp: number(p.Temp / p.N), prior: number(q.prec1 / p.N),
		more: number((q.prec2 - q.prec1) / p.N), odds: number(q.odds), slope: number(q.slope), half: number(q.prec1 / 2),
		mixture: q.mix != 1,
	}
}

// report adds up the pieces, in order, for all of i but the log-likelihood.
func (m *meanField32) report(i *Info, q *weightPrior, p *Params) {
	*i = Info{GMin: math.Inf(1)}
	var entropy, prior float64
	far := uint32(0)
	for k := range m.sums {
		s := &m.sums[k]
		for l := range s.drift {
			i.Drift2 += float64(s.drift[l])
			i.Noise2 += float64(s.inject[l])
			i.Virial -= p.N * float64(s.virial[l])
			entropy += float64(s.entropy[l])
			prior += float64(s.prior[l])
		}
		for l := range s.least {
			i.GMin, i.GMax = min(i.GMin, float64(s.least[l])), max(i.GMax, float64(s.greatest[l]))
			far = max(far, s.farthest[l])
		}
	}
	if q.mix == 1 {
		prior *= -q.prec1 / 2
	}
	dim := len(m.z)
	i.Objective = prior + float64(dim)*q.top + p.Temp*(entropy+entropyRest(dim))
	i.OK = far < math.Float32bits(Limit)
}

// Gain implements Kernel, in another pass over V.
func (m *meanField32) Gain() []float32 {
	if m.whole.muV == nil {
		return nil
	}
	if m.g == nil {
		m.g = Vector[float32](len(m.z))
	}
	for i := range m.g {
		m.g[i] = m.GainAt(i)
	}
	return m.g
}

// GainAt implements Kernel.
func (m *meanField32) GainAt(i int) float32 {
	if m.whole.muV == nil {
		return 1
	}
	return 1 / (m.rule.lambda[0] + sqrt(float32(m.whole.muV[i]*m.rule.unbias[0])))
}
