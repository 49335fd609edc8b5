package optimiser

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
)

// Each member goes as its optimiser does by itself from the member's start, to the bit, and is what the ensemble
// predicts by. The first starts at θ and the others at draws of the prior: 15 members of 40 coordinates have a standard
// deviation of 2 within three of its standard errors, 2/√1200.
func TestMembersAreOptimisers(t *testing.T) {
	const dim = 40
	start, v := make([]float64, dim), make([]float64, dim)
	for i := range start {
		start[i], v[i] = float64(i)/dim, 1+float64(i)
	}
	z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), dim)
	for of, m := range membersOf() {
		p := samplertest.Params(Ensemble, 0.1, 0, float64(of), mostMembers)
		p.PriorPrec = 0.25
		k, s := samplertest.Begun[float64](Ensemble, start, p)
		g := samplertest.NewNormal(v...)
		var i sampler.Info
		own := p.Own
		p.Own = nil
		for _, q := range m.Params {
			p.Own = append(p.Own, q.Default)
		}
		square := 0.0
		starts := make([]sampler.State[float64], mostMembers)
		alone := make([]sampler.Kernel[float64], mostMembers)
		for j := range starts {
			begin := start
			if j > 0 {
				begin = slices.Clone(z.At(math.MaxUint64 - uint64(j-1)))
				for d := range begin {
					begin[d] *= 2
					square += begin[d] * begin[d]
				}
			}
			alone[j], starts[j] = samplertest.Begun[float64](m, begin, p)
		}
		if sd := math.Sqrt(square / (15 * dim)); math.Abs(sd-2) > 3*2/math.Sqrt(1200) {
			t.Errorf("%s: starts have sd %v", m.Name, sd)
		}
		for range 50 {
			p.Own = own
			k.Step(&s, g, p, z, &i)
			member := make([]float64, dim)
			for j := range starts {
				p.Own = nil
				for _, q := range m.Params {
					p.Own = append(p.Own, q.Default)
				}
				alone[j].Step(&starts[j], g, p, z, new(sampler.Info))
				k.(sampler.Proxy[float64]).Proxy(member, &s, j, nil)
				if !slices.Equal(member, starts[j].Theta) {
					t.Fatalf("%s: member %d is at %v, alone at %v", m.Name, j, member[:3], starts[j].Theta[:3])
				}
			}
		}
		if !slices.Equal(s.Theta, starts[0].Theta) || s.Step != 50 {
			t.Errorf("%s: θ is not the first member's", m.Name)
		}
	}
}
