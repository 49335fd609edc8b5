package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of an ensemble.
const (
	ensembleOf = iota
	ensembleMembers
)

// mostMembers is how many members a state has, whatever their number in force: one that joins is at its start.
const mostMembers = 16

// membersOf are the optimisers of which an ensemble can be, with their own parameters at their defaults.
func membersOf() []sampler.Method { return []sampler.Method{SGD, Adam, RMSprop} }

// Ensemble is a deep ensemble (Lakshminarayanan, Pritzel and Blundell 2017, algorithm 1, without its adversarial
// examples): M optimisers from starts of their own, whose predictions are averaged. θ is that of the first member,
// which starts where a lane does. The others start at draws of the prior N(0, σ²I), or of N(0, I) where there is none.
// All see the minibatch of the step, and a step takes M gradients.
var Ensemble = sampler.Method{
	Name:     "ensemble",
	Plain:    true,
	Title:    "Ensemble",
	Doc:      "a deep ensemble: optimisers from different starts, averaged",
	Equation: "θ_m' = θ_m + h (ḡ(θ_m) - θ_m/(Nσ²)) of m = 1 … M by sgd, p(y) = (1/M) Σ p(y | θ_m)",
	Source: "Lakshminarayanan, Pritzel & Blundell 2017, Simple and scalable predictive uncertainty estimation using " +
		"deep ensembles, algorithm 1",
	Kind: sampler.Optimising,
	Params: []param.Param{
		ensembleOf: {Key: "of", Symbol: "of", Doc: "what the members are", Scale: param.Choice,
			Choices: list.Map(membersOf(), func(m sampler.Method) string { return m.Name }), AtStart: true},
		ensembleMembers: {Key: "members", Symbol: "M", Doc: "how many members there are", Scale: param.Integer,
			Min: 1, Max: mostMembers, Lo: 1, Hi: mostMembers, Default: 5},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		k := new(ensemble)
		for _, m := range membersOf() {
			own := list.Map(m.Params, func(p param.Param) float64 { return p.Default })
			k.kinds = append(k.kinds, memberKind{m.New64(t), own})
		}
		return k
	},
}

// A memberKind steps members of one optimiser.
type memberKind struct {
	sampler.Kernel[float64]
	own []float64
}

// ensemble is the Kernel. Of each member State.Own holds θ, V and what its optimiser keeps, and after all of them one
// number, which is 1 when they have started.
type ensemble struct {
	kinds   []memberKind
	kind    *memberKind
	members [mostMembers]sampler.State[float64] // views of State.Own
	params  sampler.Params
}

func (k *ensemble) Begin(s *sampler.State[float64], p *sampler.Params) {
	s.Own = nil
	k.set(p)
	for range mostMembers {
		m := sampler.NewState(s.Theta)
		if b, ok := k.kind.Kernel.(sampler.Beginner[float64]); ok {
			b.Begin(&m, &k.params)
		}
		s.Own = append(append(s.Own, m.Theta, m.V), m.Own...)
	}
	s.Own = append(s.Own, make([]float64, 1))
}

func (k *ensemble) set(p *sampler.Params) {
	k.kind = &k.kinds[int(p.Own[ensembleOf])]
	k.params = *p
	k.params.Own = k.kind.own
}

// view has members be those of s.
func (k *ensemble) view(s *sampler.State[float64]) {
	each := (len(s.Own) - 1) / mostMembers
	for j := range k.members {
		own := s.Own[j*each:][:each]
		k.members[j] = sampler.State[float64]{Theta: own[0], V: own[1], Own: own[2:], Step: s.Step}
	}
}

func (k *ensemble) Step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	z *noise.Normals[float64], i *sampler.Info) {
	k.set(p)
	k.view(s)
	if started := s.Own[len(s.Own)-1]; started[0] == 0 {
		started[0] = 1
		sd := 1.0
		if p.PriorPrec > 0 {
			sd = 1 / math.Sqrt(p.PriorPrec)
		}
		for j := range k.members[1:] {
			for d, x := range z.At(math.MaxUint64 - uint64(j)) { // no step has such a number
				k.members[1+j].Theta[d] = sd * x
			}
		}
	}
	ok, drift := true, 0.0
	for j := range int(p.Own[ensembleMembers]) {
		k.kind.Step(&k.members[j], grad, &k.params, z, i)
		ok, drift = ok && i.OK, drift+i.Drift2
	}
	i.OK, i.Drift2 = ok, drift/p.Own[ensembleMembers]
	copy(s.Theta, k.members[0].Theta)
	copy(s.V, k.members[0].V)
	s.Step++
}

func (k *ensemble) GainAt(i int) float64 {
	if k.kind == nil {
		return 1
	}
	return k.kind.GainAt(i)
}

func (*ensemble) Proxies(p *sampler.Params) int { return int(p.Own[ensembleMembers]) }

// Proxy implements Proxy: member number n.
func (*ensemble) Proxy(dst []float64, s *sampler.State[float64], n int, _ []float64) {
	copy(dst, s.Own[n*((len(s.Own)-1)/mostMembers)])
}
