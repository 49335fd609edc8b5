package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of a cyclic method, before those of the method in it.
const (
	cyclicLength = iota
	cyclicExplore
	cyclicParams
)

// CSGLD is cyclical SGLD (Zhang, Li, Zhang, Chen and Wilson 2020, equation 1 and
// algorithm 1), and cpsgld the same with pSGLD's preconditioner.
var (
	CSGLD  = cyclic(SGLD, "csgld", "cSGLD")
	CPSGLD = cyclic(PSGLD, "cpsgld", "cpSGLD")
)

// cyclic returns a method with cyclical steps. At step t, from 0,
//
//	ε_t = (ε/2) [cos(π (t mod L)/L) + 1],
//
// and the first part of each cycle, the steps with (t mod L)/L below "explore", is at T = 0 and leaves no draws. The
// paper divides the number of steps by that of cycles; here the length L of a cycle is given. A schedule may vary ε
// besides. All draws have the same weight, as in the paper.
func cyclic(m sampler.Method, name, title string) sampler.Method {
	inner := func(p *sampler.Params) *sampler.Params {
		q := *p
		q.Own = p.Own[cyclicParams:]
		return &q
	}
	c := m
	c.Name, c.Title = name, title
	c.Doc = m.Title + " in cycles of falling steps, each exploring before it samples"
	c.Equation = "ε_t = ε/2 [cos(π (t mod L)/L) + 1], T = 0 in the first part of a cycle; " + m.Equation
	c.Source = "Zhang, Li, Zhang, Chen & Wilson 2020, Cyclical stochastic gradient MCMC for Bayesian deep " +
		"learning, algorithm 1"
	c.Params = append([]param.Param{
		cyclicLength: {Key: "cycle", Symbol: "L", Doc: "steps of a cycle", ByTarget: true, Scale: param.Integer,
			Min: 1, Max: param.MaxInteger, Lo: 10, Hi: 1e6, Default: 1000},
		cyclicExplore: {Key: "explore", Symbol: "β", Doc: "the part of a cycle that explores, without noise or draws",
			Scale: param.Linear, Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.95, Default: 0.5},
	}, m.Params...)
	if m.New64 != nil {
		c.New64 = func(t targets.Target[float64]) sampler.Kernel[float64] {
			return &cyclicKernel[float64]{Kernel: m.New64(t)}
		}
	}
	if m.New32 != nil {
		c.New32 = func(t targets.Target[float32]) sampler.Kernel[float32] {
			return &cyclicKernel[float32]{Kernel: m.New32(t)}
		}
	}
	c.Suit = func(p *targets.Problem, values map[string]float64) {
		if m.Suit != nil {
			m.Suit(p, values)
		}
		suitCycles(p, values)
	}
	c.StationaryCov, c.Halve, c.Trail, c.Alone = nil, nil, nil, false // the step varies by its number
	if m.MaxStep != nil {
		// All steps up to ε are stable if ε is.
		c.MaxStep = func(target any, p *sampler.Params, i *sampler.Info) sampler.Bound {
			return m.MaxStep(target, inner(p), i)
		}
	}
	return c
}

// suitCycles doubles ε on data, which makes the mean step the target's own, and fits four cycles into a run of the
// target's length. On densities cycles are long: each begins at a mode, and the slowest direction may take thousands of
// steps from there. On MNIST's 784-400-400-10, 100 epochs at T = 1 in cycles of five gave 1.60% (cSGLD) and 1.61%
// (cpSGLD), on one seed.
func suitCycles(p *targets.Problem, values map[string]float64) {
	values["cycle"] = 10_000
	if p.HasData() {
		values["cycle"] = max(1, float64(p.Defaults.Steps/4))
		values[sampler.KeyEps] *= 2
	}
}

// cyclicKernel is the kernel of a cyclic method around that of another.
type cyclicKernel[F sampler.Float] struct {
	sampler.Kernel[F]
	params sampler.Params // of the step
}

func (c *cyclicKernel[F]) Spread(each func(n int, task func(worker, i int))) {
	if k, ok := c.Kernel.(sampler.Parallel); ok {
		k.Spread(each)
	}
}

func (c *cyclicKernel[F]) Step(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	c.params = *p
	c.params.Own = p.Own[cyclicParams:]
	var explores bool
	c.params.Eps, explores = cycleAt(s.Step, p)
	if explores {
		c.params.Temp = 0
	}
	c.Kernel.Step(s, grad, &c.params, z, i)
	i.Eps, i.Skip = c.params.Eps, explores
}

// cycleAt returns ε_t of step t, and whether the step explores.
func cycleAt(t uint64, p *sampler.Params) (eps float64, explores bool) {
	length := uint64(p.Own[cyclicLength])
	at := float64(t%length) / float64(length)
	return p.Eps / 2 * (libm.Cos(math.Pi*at) + 1), at < p.Own[cyclicExplore]
}
