package langevin

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
)

// dark is the gradient of a coordinate that the data say nothing of.
type dark struct {
	samplertest.Only[float64]
	e sampler.Eval[float64]
}

func (d *dark) Eval([]float64, sampler.Ask) *sampler.Eval[float64] { return &d.e }

// A coordinate without a gradient has G = 1/λ, and pSGLD stays on the prior
// N(0, σ²) below ε = 4σ²λ alone.
func TestPSGLDFeatureNeverSeen(t *testing.T) {
	const lambda, variance = 1e-3, 2.5
	zero := []float64{0}
	target, none := samplertest.OfDim[float64](1), &dark{e: sampler.Eval[float64]{Mean: zero, Second: zero}}
	p := samplertest.Params(PSGLD, 0.1, 1, 0.99, lambda)
	p.N, p.PriorPrec = 100, 1/variance
	bound := PSGLD.MaxStep(target, p, &sampler.Info{GMax: 1 / lambda})
	if bound.Kind != sampler.DampedBound || math.Abs(bound.Eps-4*variance*lambda) > 1e-15 {
		t.Fatalf("the bound is %+v", bound)
	}
	for _, f := range []float64{0.9, 1.1} {
		p.Eps = f * bound.Eps
		k, s := PSGLD.New64(target), sampler.NewState([]float64{0.3})
		z, info := noiseOf(1), sampler.Info{OK: true}
		for step := 0; step < 5000 && info.OK; step++ {
			k.Step(&s, none, p, z, &info)
		}
		if info.OK != (f < 1) || math.Abs(info.GMax*lambda-1) > 1e-12 {
			t.Errorf("ε = %g of the bound: θ = %g, G up to %g", f, s.Theta[0], info.GMax)
		}
	}
	// Where every coordinate has a gradient G is far from 1/λ, and without a prior
	// nothing drives such a coordinate.
	if PSGLD.MaxStep(target, p, &sampler.Info{GMax: 0.01 / lambda}) != (sampler.Bound{}) {
		t.Error("a bound where G is not near 1/λ")
	}
	p.PriorPrec = 0
	if PSGLD.MaxStep(target, p, &sampler.Info{GMax: 1 / lambda}) != (sampler.Bound{}) {
		t.Error("a bound without a prior")
	}
}
