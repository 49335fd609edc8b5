package session

import (
	"context"
	"os"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
)

// normalFits are the methods that keep a normal distribution, μ and then its
// scales, in the first vector of State.Own.
var normalFits = []string{"dsvi", "lbfgs-sgvi", "hfsgvi"}

// Table 1's protocol, with default settings: at 15.3% test error or better.
func TestNormalFamilyOnA9a(t *testing.T) {
	if os.Getenv("PSGLD_DATA") == "" {
		t.Skip("PSGLD_DATA not set")
	}
	innerlooptest.Later(t, "three runs of 15,000 steps")
	p := open(t, "blr:a9a")
	c := config(p, p.Defaults.Steps, map[string]float64{"thin": 7000}, normalFits...)
	_, r := run(t, c, p, Runtime{})
	for _, l := range r.Lanes {
		t.Logf("%s: test error %.2f%%, ELBO %.0f", l.Sampler, 100*l.Values[quantity.TestError].Trusted(), l.Values[quantity.ELBO].Trusted())
		if l.Values[quantity.TestError].Trusted() > 0.153 {
			t.Errorf("%s: test error %.2f%%", l.Sampler, 100*l.Values[quantity.TestError].Trusted())
		}
	}
}

// What these methods keep comes back with a rewind, and a session of them replays,
// through changes of the method, the covariance and the memory too.
func TestNormalFamilyRewindsAndReplays(t *testing.T) {
	innerlooptest.Later(t, "long runs")
	for _, spec := range []string{"banana", "blr:synthetic"} {
		p := open(t, spec)
		s := script(t, config(p, 0, nil, normalFits...), p, 70, []state.Command{
			state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 2e-5}, state.SetParam{Lane: 1, Key: "damping", Value: 2}, state.Rewind{Lane: state.AllLanes, Steps: 50, EpsFactor: 0.5}, state.SetSampler{Lane: 0, Name: "hfsgvi"}, state.SetParam{Lane: 2, Key: "iterations", Value: 9},
			state.SetParam{Lane: state.AllLanes, Key: sampler.KeyThin, Value: 3}, state.SetParam{Lane: 0, Key: "ratio", Value: 0.3}, state.Rewind{Lane: 0, Steps: 40, EpsFactor: 1}, state.SetParam{Lane: 1, Key: "every", Value: 7}, state.Undo{},
		})
		if err := Verify(context.Background(), s.Recording("test"), Runtime{}); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
		for _, name := range normalFits {
			c := config(p, 0, nil, name)
			r := oneLane(t, c, c.Lanes[0], p)
			r.Advance(700)
			want := r.Measures().Digest().Digest
			r.Rewind(333)
			r.Advance(367)
			if got := r.Measures().Digest().Digest; got != want {
				t.Errorf("%s on %s: digest %s after a rewind, %s before", name, spec, got, want)
			}
			r.Close()
		}
	}
}
