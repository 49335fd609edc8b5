package variational

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The first own parameters of the methods that have meanField.
const (
	meanFieldSD0 = iota
	meanFieldAlpha
	meanFieldLambda
	meanFieldRatio
	meanFieldDecay
	meanFieldAverage
	meanFieldSamples
	numMeanField
)

// meanFieldParams declares the first own parameters of those methods.
func meanFieldParams() []param.Param {
	return []param.Param{
		meanFieldSD0: {Key: "sd0", Symbol: "σ₀",
			Doc: "standard deviation of q at the start, around the start point", ByTarget: true, Scale: param.Log,
			Min: 1e-6, Max: 1e6, Lo: 1e-4, Hi: 10, Default: 0.1, AtStart: true},
		meanFieldAlpha: {Key: "alpha", Symbol: "α", Doc: "memory of the second-moment averages V",
			Scale: param.OneMinusLog, Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.99999, Default: 0.999},
		meanFieldLambda: {Key: "lambda", Symbol: "λ", Doc: "floor of √V + λ, which bounds G by 1/λ", Scale: param.Log,
			Min: 0, OpenMin: true, Max: math.Inf(1), Lo: 1e-12, Hi: 10, Default: 1e-8},
		meanFieldRatio: {Key: "ratio", Symbol: "κ", Doc: "step size of ρ as a share of μ's", ByTarget: true,
			Scale: param.Log, Min: 0, Max: math.Inf(1), Lo: 1e-3, Hi: 10, Default: 1},
		meanFieldDecay: normalParams()[normalDecay],
		meanFieldAverage: sampler.AverageParam("average",
			"over how many steps the q that predicts is averaged, or never for the newest"),
		meanFieldSamples: {Key: "samples", Symbol: "K", Doc: "draws of q that a prediction averages over",
			Scale: param.Integer, Min: 1, Max: 1000, Lo: 1, Hi: 100, Default: 10},
	}
}

// unfitMeanField is Unfit of those methods.
func unfitMeanField(p *targets.Problem) string {
	if p.F64 != nil && !hasLogLik(p.F64) {
		return "needs a target that evaluates its log-likelihood with its gradient"
	}
	return ""
}

// The vectors of State.Own of those methods.
const (
	meanFieldMu = iota
	meanFieldRho
	meanFieldMuV     // V of the gradient by μ
	meanFieldRhoV    // V of the gradient by ρ
	meanFieldMuMean  // μ̄
	meanFieldRhoMean // ρ̄
	meanFieldCount   // one number: the steps that the method has done
	numMeanFieldOwn
)

// A weightPrior is the prior of each parameter: N(0, σ₁²) or, if mix is not 1, the
// mixture mix·N(0, σ₁²) + (1-mix)·N(0, σ₂²). Without a prior its density is 1.
type weightPrior struct {
	mix          float64
	prec1, prec2 float64 // 1/σ₁² and 1/σ₂²
	// The log odds of the second component at w are odds + slope·w². The first
	// component's log density, times its share, is top - prec1·w²/2.
	odds, slope, top float64
}

// normalPrior is N(0, σ²) with 1/σ² = prec, or none if that is 0.
func normalPrior(prec float64) weightPrior {
	q := weightPrior{mix: 1, prec1: prec}
	if prec > 0 {
		q.top = libm.Log(prec/(2*math.Pi)) / 2
	}
	return q
}

// mixturePrior is mix·N(0, sd1²) + (1-mix)·N(0, sd2²). The wider component comes first,
// so that odds + slope·w² is large only where p is.
func mixturePrior(mix, sd1, sd2 float64) weightPrior {
	if sd1 < sd2 {
		return mixturePrior(1-mix, sd2, sd1)
	}
	q := weightPrior{mix: mix, prec1: 1 / (sd1 * sd1), prec2: 1 / (sd2 * sd2)}
	q.odds = libm.Log((1-mix)/mix) + libm.Log(sd1/sd2)
	q.slope = (q.prec1 - q.prec2) / 2
	q.top = libm.Log(mix/sd1) - float64(libm.Log(2*math.Pi)/2)
	return q
}

// log returns ln p(w) and its derivative. With the log odds o of the second component, p(w) is (1 + eᵒ) times the first
// component. In this form nothing overflows, and small parts count.
func (q *weightPrior) log(w float64) (log, slope float64) {
	log, prec := q.top-float64(q.prec1/2*w*w), q.prec1
	if q.mix != 1 {
		more, second := softplus(q.odds + float64(q.slope*w*w))
		log += more
		prec += float64(second * (q.prec2 - q.prec1))
	}
	return log, -prec * w
}

// meanField is the kernel of Bayes by Backprop (Blundell, Cornebise, Kavukcuoglu
// and Wierstra 2015, section 3.2), in float64. The family is
//
//	q(w) = Π_i N(w_i; μ_i, σ_i²),  σ = ln(1 + e^ρ).
//
// A step draws w = μ + σ∘z, z ~ N(0, I), and moves (μ, ρ) up the gradient of
//
//	L(μ, ρ; z) = N l(w) + log p(w) + T H(q),  l = (1/n) Σ_{i∈batch} log p(d_i | w),
//	H(q) = Σ_i ln σ_i + (D/2) ln 2πe,
//
// whose mean over z and minibatches is the ELBO at T = 1. Every minibatch has the same
// share of the complexity cost. With g = ∇_w [N l(w) + log p(w)],
//
//	∂L/∂μ = g,  ∂L/∂ρ = (g∘z + T/σ) ∂σ/∂ρ,  ∂σ/∂ρ = 1/(1 + e^-ρ),
//
// which equals the source's: there the terms of log q by w add up to T/σ. The entropy is exact here. So is E_q log p(w)
// where p is normal, -(μ_i² + σ_i²)/2σ_p² plus a constant in place of log p(w_i), and with it its gradient. The source
// has a draw of it instead.
//
// The step is RMSprop's, where the source's is plain, by the mean gradients u = ∇L/N,
// with Adam's correction for V_0 = 0 (Kingma and Ba 2015):
//
//	V = α V + (1-α) u∘u,  (μ, ρ)' = (μ, ρ) + h u ⊘ (λ + √(V/(1-αᵗ))),  h = εN/2,
//
// for ρ with κh. The step size falls with the schedule and with "decay": ε_t = ε f(t)/(1 + t/t½) at the method's t-th
// step, from 0. A constant ε leaves μ and ρ to wander by about √h.
//
// θ is the newest w.
type meanField struct {
	prior func(p *sampler.Params) weightPrior
	g     []float64 // of μ
}

func newMeanField(dim int, prior func(p *sampler.Params) weightPrior) *meanField {
	m := &meanField{prior: prior, g: sampler.Vector[float64](dim)}
	for i := range m.g {
		m.g[i] = 1
	}
	return m
}

// Begin implements Beginner: q is N(θ, σ₀²I).
func (*meanField) Begin(s *sampler.State[float64], p *sampler.Params) { beginMeanField(s, p) }

func beginMeanField[F sampler.Float](s *sampler.State[F], p *sampler.Params) {
	s.Own = make([][]F, numMeanFieldOwn)
	for i := range s.Own {
		s.Own[i] = sampler.Vector[F](len(s.Theta))
	}
	s.Own[meanFieldCount] = sampler.Vector[F](1)
	copy(s.Own[meanFieldMu], s.Theta)
	copy(s.Own[meanFieldMuMean], s.Theta)
	rho := F(softplusInverse(p.Own[meanFieldSD0]))
	for i := range s.Own[meanFieldRho] {
		s.Own[meanFieldRho][i], s.Own[meanFieldRhoMean][i] = rho, rho
	}
}

func (m *meanField) GainAt(i int) float64        { return m.g[i] }
func (*meanField) Proxies(p *sampler.Params) int { return int(p.Own[meanFieldSamples]) }

// Proxy implements Proxy: a draw of the averaged q.
func (*meanField) Proxy(dst []float64, s *sampler.State[float64], _ int, z []float64) {
	draw64(dst, s.Own[meanFieldMuMean], s.Own[meanFieldRhoMean], z)
}

// draw64 writes a draw of q to dst.
func draw64(dst, mu, rho, z []float64) {
	for i, x := range z {
		sd, _ := softplus(rho[i])
		dst[i] = mu[i] + float64(sd*x)
	}
}

func (m *meanField) Step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64], i *sampler.Info) {
	m.step(s, grad, p, zs.At(s.Step), i)
	s.Step++
}

func (m *meanField) step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params, z []float64,
	i *sampler.Info) {
	draw64(s.Theta, s.Own[meanFieldMu], s.Own[meanFieldRho], z)
	e := grad.Eval(s.Theta, sampler.AskLogLik)
	var (
		mu, rho   = s.Own[meanFieldMu], s.Own[meanFieldRho]
		muV, rhoV = s.Own[meanFieldMuV], s.Own[meanFieldRhoV]
		prior     = m.prior(p)
		r         = newMeanFieldStep(s, p)
	)
	*i = sampler.Info{GMin: math.Inf(1), OK: true, Eps: r.eps,
		Objective: float64(p.N*e.LogLik) + float64(p.Temp*entropyRest(len(mu)))}
	for j, w := range s.Theta {
		sd, slope := softplus(rho[j])
		like := float64(p.N * e.Mean[j])
		log, byW := prior.log(w)
		byMu, bySD := like+byW, (like+byW)*z[j]
		if prior.mix == 1 {
			log = prior.top - float64(prior.prec1/2*(float64(mu[j]*mu[j])+float64(sd*sd)))
			byMu, bySD = like-float64(prior.prec1*mu[j]), float64(like*z[j])-float64(prior.prec1*sd)
		}
		i.Objective += log + float64(p.Temp*libm.Log(sd))
		i.Noise2 += float64(sd * sd * z[j] * z[j])

		d, g := r.move(&muV[j], byMu/p.N)
		m.g[j] = g
		i.GMin, i.GMax = min(i.GMin, g), max(i.GMax, g)
		i.Drift2 += float64(d * d)
		mu[j] += d
		d, _ = r.move(&rhoV[j], slope*(bySD+p.Temp/sd)/p.N)
		rho[j] += float64(r.ratio * d)
		if !(math.Abs(mu[j]) < sampler.Limit && math.Abs(rho[j]) < sampler.Limit && math.Abs(w) < sampler.Limit) {
			i.OK = false
		}
	}
	if r.share > 0 {
		sampler.Follow(s.Own[meanFieldMuMean], mu, r.share)
		sampler.Follow(s.Own[meanFieldRhoMean], rho, r.share)
	}
}

// entropyRest is what is added to Σ ln σ_i for the entropy of D normal variables.
func entropyRest(dim int) float64 { return float64(float64(dim) / 2 * (1 + libm.Log(2*math.Pi))) }

// meanFieldStep holds the numbers of an RMSprop step of meanField.
type meanFieldStep struct {
	eps, lr       float64 // ε_t and h
	ratio         float64 // κ
	alpha, lambda float64
	unbias        float64 // 1/(1-αᵗ)
	share         float64 // of the newest q in the average, see sampler.AverageShare
}

// newMeanFieldStep counts a step of s.
func newMeanFieldStep[F sampler.Float](s *sampler.State[F], p *sampler.Params) meanFieldStep {
	t := &s.Own[meanFieldCount][0] // in float32 it stays at 2²⁴, where unbias is 1
	r := meanFieldStep{eps: p.Eps, ratio: p.Own[meanFieldRatio], alpha: p.Own[meanFieldAlpha],
		lambda: p.Own[meanFieldLambda]}
	if half := p.Own[meanFieldDecay]; half > 0 {
		r.eps /= 1 + float64(*t)/half
	}
	r.lr = r.eps * p.N / 2
	*t++
	r.unbias = 1 / (1 - libm.Pow(r.alpha, float64(*t)))
	r.share = sampler.AverageShare(p.Own[meanFieldAverage], float64(*t), s.Step)
	return r
}

// move advances v by the mean gradient u and returns the step and its G.
func (r *meanFieldStep) move(v *float64, u float64) (d, g float64) {
	*v = float64(r.alpha**v) + float64((1-r.alpha)*u*u)
	g = 1 / (r.lambda + math.Sqrt(r.unbias**v))
	return float64(r.lr * g * u), g
}

// softplus returns ln(1 + eˣ) and its derivative, the logistic function of x.
func softplus(x float64) (value, slope float64) {
	y := libm.Exp(-math.Abs(x))
	value, slope = math.Max(x, 0)+libm.Log1p(y), 1/(1+y)
	if x < 0 {
		slope *= y
	}
	return value, slope
}

// softplusInverse is the x with softplus(x) = y > 0.
func softplusInverse(y float64) float64 { return y + libm.Log(-libm.Expm1(-y)) }

// meanField32 is meanField in float32: two passes over memory a step, one that
// draws and one that moves, in pieces that several cores can share.
type meanField32 struct {
	step32.Pieces
	prior    func(p *sampler.Params) weightPrior
	schedule noise.Schedule
	z        []float32
	rule     step32.MeanField
	share    float32                 // of the averages
	vectors  step32.MeanFieldSegment // of the step in work or done
	sums     []step32.MeanFieldSums  // of pieces
	// Made once: a method value is allocated.
	drawPiece, movePiece func(worker, i int)
}

func newMeanField32(dim int, prior func(p *sampler.Params) weightPrior) *meanField32 {
	m := &meanField32{Pieces: step32.NewPieces(dim), prior: prior, z: sampler.Vector[float32](dim)}
	m.sums = make([]step32.MeanFieldSums, m.Count())
	m.drawPiece = func(_, i int) {
		c := m.vectors.Between(m.Bounds(i))
		m.schedule.Float32(c.Z, i*step32.PieceSize)
		step32.DrawMeanField(m.Path(), c.Theta, c.Z, c.Mu, c.Rho)
	}
	m.movePiece = func(_, i int) {
		m.sums[i].Clear()
		c := m.vectors.Between(m.Bounds(i))
		m.rule.Step(m.Path(), c, &m.sums[i])
		if m.share > 0 {
			sampler.Follow(c.MuMean, c.Mu, m.share)
			sampler.Follow(c.RhoMean, c.Rho, m.share)
		}
	}
	return m
}

// Begin implements Beginner: q is N(θ, σ₀²I).
func (*meanField32) Begin(s *sampler.State[float32], p *sampler.Params) { beginMeanField(s, p) }

func (*meanField32) Proxies(p *sampler.Params) int { return int(p.Own[meanFieldSamples]) }

// Proxy implements Proxy: a draw of the averaged q.
func (m *meanField32) Proxy(dst []float32, s *sampler.State[float32], _ int, z []float32) {
	step32.DrawMeanField(m.Path(), dst, z, s.Own[meanFieldMuMean], s.Own[meanFieldRhoMean])
}

func (m *meanField32) Step(s *sampler.State[float32], grad sampler.Gradient[float32], p *sampler.Params,
	zs *noise.Normals[float32], i *sampler.Info) {
	m.vectors = step32.MeanFieldSegment{
		Theta: s.Theta, Z: m.z, Mean: s.Theta, // no gradient is there for the draw
		Mu: s.Own[meanFieldMu], Rho: s.Own[meanFieldRho], MuV: s.Own[meanFieldMuV], RhoV: s.Own[meanFieldRhoV],
		MuMean: s.Own[meanFieldMuMean], RhoMean: s.Own[meanFieldRhoMean],
	}
	zs.Stream().At(s.Step).Schedule(&m.schedule)
	m.Do(m.drawPiece)
	e := grad.Eval(s.Theta, sampler.AskLogLik)
	m.vectors.Mean = e.Mean
	prior := m.prior(p)
	r := newMeanFieldStep(s, p)
	m.set(&r, &prior, p)
	m.share = float32(r.share)
	m.Do(m.movePiece)
	m.report(i, &prior, p)
	i.Eps = r.eps
	i.Objective += float64(p.N * e.LogLik)
	s.Step++
}

// set sets the rule.
func (m *meanField32) set(r *meanFieldStep, q *weightPrior, p *sampler.Params) {
	number := func(x float64) [8]float32 { return step32.Eight(float32(x)) }
	m.rule = step32.MeanField{
		Alpha: number(r.alpha), Beta: number(1 - r.alpha), Lambda: number(r.lambda), Unbias: number(r.unbias),
		LR: number(r.lr), LRRho: number(r.lr * r.ratio), Temp: number(p.Temp / p.N), Prior: number(q.prec1 / p.N),
		More:    number((q.prec2 - q.prec1) / p.N),
		Odds:    number(q.odds),
		Slope:   number(q.slope),
		Half:    number(q.prec1 / 2),
		Mixture: q.mix != 1,
	}
}

// report adds up the pieces, in order, for all of i but the log-likelihood.
func (m *meanField32) report(i *sampler.Info, q *weightPrior, p *sampler.Params) {
	*i = sampler.Info{GMin: math.Inf(1), OK: true}
	var entropy, prior float64
	for k := range m.sums {
		s := &m.sums[k]
		for l := range s.Drift {
			i.Drift2 += float64(s.Drift[l])
			i.Noise2 += float64(s.Noise[l])
			entropy += float64(s.Entropy[l])
			prior += float64(s.Prior[l])
		}
		for l := range s.Least {
			i.GMin, i.GMax = min(i.GMin, float64(s.Least[l])), max(i.GMax, float64(s.Greatest[l]))
		}
		i.OK = i.OK && s.Farthest() < sampler.Limit
	}
	if q.mix == 1 {
		prior *= -q.prec1 / 2
	}
	dim := len(m.z)
	i.Objective = prior + float64(float64(dim)*q.top) + float64(p.Temp*(entropy+entropyRest(dim)))
}

func (m *meanField32) GainAt(i int) float32 {
	if m.vectors.MuV == nil {
		return 1
	}
	return 1 / (m.rule.Lambda[0] + float32(math.Sqrt(float64(float32(m.vectors.MuV[i]*m.rule.Unbias[0])))))
}
