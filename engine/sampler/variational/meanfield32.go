package variational

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
)

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
