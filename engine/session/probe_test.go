package session

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// The temperature is that of full gradients at the same draws, however minibatches are
// drawn. With batches that come once an epoch the steps' own gradients, about the origin,
// show a tenth more and further for smaller batches.
func TestTemperatureIsThatOfFullGradients(t *testing.T) {
	innerlooptest.Later(t, "long chains, with a gradient over all data at each draw")
	p, err := targets.Open("blr:synthetic", targets.Options{Standardize: targets.On})
	if err != nil {
		t.Fatal(err)
	}
	const steps = 60_000
	for _, how := range []noise.Draw{noise.Shuffle, noise.Subset} {
		c := config(p, steps, map[string]float64{"batch": 50, "thin": 4, "burn-in": 2000}, "sgld")
		c.Lanes[0] = c.Lanes[0].With("eps", state.EpsOfLR(0.3, p.N()))
		c.Draw = how
		var kept [][]float64
		_, r := run(t, c, p, Runtime{Sink: func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) {
			return &keeper{&kept}, nil
		}})
		want, got := byFullGradients(p, c.Lanes[0], kept).Temperature(), r.Lanes[0].Values[quantity.Temperature]
		// Both errors are those of the draws, and correlated: their sum is more than that of the difference.
		if !got.OK() || !want.OK() || math.Abs(got.Value-want.Value) > 3*(got.Error+want.Error) {
			t.Errorf("%v: temperature %.3f ± %.3f (%v), by full gradients %.3f ± %.3f (%v)", how, got.Value, got.Error, got.Status, want.Value, want.Error, want.Status)
		}
	}
}

// byFullGradients is the virial of draws by gradients over all data.
func byFullGradients(p *targets.Problem, set state.Setting, draws [][]float64) *metrics.Virial {
	full := metrics.NewVirial(p.Dim())
	mean, grad := make([]float64, p.Dim()), make([]float64, p.Dim())
	n, prior := float64(p.N()), 1/set.Value("prior-var")
	for _, theta := range draws {
		p.F64.Grad(mean, theta, nil)
		for i, m := range mean {
			grad[i] = prior*theta[i] - n*m
		}
		full.Add(1, theta, grad)
	}
	return full
}
