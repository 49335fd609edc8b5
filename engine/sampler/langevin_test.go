package sampler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// given is a Gradient that does not depend on θ.
type given struct{ Eval64 Eval[float64] }

func (g *given) Eval([]float64, Ask) *Eval[float64]             { return &g.Eval64 }
func (g *given) Dropout([]float64, targets.Keep) *Eval[float64] { return &g.Eval64 }
func (g *given) Target() targets.Target[float64]                { return nil }
func (g *given) Batch() []int32                                 { return nil }

// The vectors' steps have the bits of the generic code, whatever the dimension, at ordinary
// numbers and at the edges.
func TestLangevinPathsAgree(t *testing.T) {
	best := simd.Active
	defer func() { simd.Active = best }()
	moments := func(_ uint64, _ *Params, q *Moments) {
		*q = Moments{Alpha: 0.99, Beta: 1 - 0.99, Lambda: 1e-5, Scale: 0.7}
	}
	frozen := func(_ uint64, _ *Params, q *Moments) { *q = Moments{Lambda: 1e-5, Scale: 1, Frozen: true} }
	edges := []float64{0, math.Copysign(0, -1), 5e-324, 1e-160, 1e160, math.MaxFloat64, math.Inf(1), math.NaN()}
	for name, pre := range map[string]SecondMoment{"G = 1": nil, "a preconditioner": moments, "V frozen": frozen} {
		for dim := 1; dim < 20; dim++ {
			r := rand.New(rand.NewPCG(1, uint64(dim)))
			number := func() float64 {
				if r.IntN(8) == 0 {
					return edges[r.IntN(len(edges))]
				}
				return r.NormFloat64()
			}
			start := NewState(make([]float64, dim))
			g := &given{Eval[float64]{Mean: make([]float64, dim), Second: make([]float64, dim)}}
			for i := range dim {
				start.Theta[i], start.V[i], g.Eval64.Mean[i], g.Eval64.Second[i] = number(), math.Abs(number()),
					number(), number()
			}
			p := Params{Eps: 0.3, Temp: 0.9, N: 7, PriorPrec: 0.5}
			var ends [2][]float64
			for i, path := range []simd.Path{simd.Generic, best} {
				simd.Active = path
				s, k := start.Clone(), NewLangevin64(pre).(*langevin)
				z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), dim)
				var info Info
				for range 3 {
					k.Step(&s, g, &p, z, &info)
				}
				joint := make([]float64, 5*dim)
				k.Steps(&s, g, &p, z, joint, 5)
				ends[i] = slices.Concat(s.Theta, s.V, k.g, k.drift, k.inject, joint,
					[]float64{info.Drift2, info.Noise2, info.GMin, info.GMax})
			}
			if !slices.EqualFunc(ends[0], ends[1], func(a, b float64) bool {
				return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
			}) {
				t.Errorf("%s, dimension %d: generic\n%g\n%v\n%g", name, dim, ends[0], best, ends[1])
			}
		}
	}
}
