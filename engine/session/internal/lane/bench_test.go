package lane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// benchLane makes one lane of a target with a sampler's default setting, and of a config
// what that says of chains.
func benchLane(b testing.TB, spec, name string, cfg state.Config) Runner {
	b.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		b.Fatal(err)
	}
	set := state.DefaultSetting(p, name)
	cfg.Target, cfg.Lanes, cfg.Seed = spec, []state.Setting{set}, 1
	return oneLane(b, cfg, set, p)
}

// A whole step of a lane with full statistics: the figure to hold against
// peers/gaussian.c, of which two lanes on two cores are to be at least as fast.
func BenchmarkLane(b *testing.B) {
	for _, c := range []struct {
		name, target, sampler string
		set                   state.Config
	}{
		{"", "gaussian", "psgld", state.Config{}},
		{"", "gaussian", "sgld", state.Config{}},
		{"", "gaussian", "hmc", state.Config{}},
		{"/4 chains", "gaussian", "hmc", state.Config{Chains: 4}},
		{"", "blr:synthetic", "psgld", state.Config{}},
		{"/4 chains", "gaussian", "psgld", state.Config{Chains: 4}}, // a step of each
		{"/4 chains", "blr:synthetic", "psgld", state.Config{Chains: 4}},
		{"/bias", "gaussian", "psgld", state.Config{Bias: true}}, // and six steps of companions
	} {
		b.Run(c.target+"/"+c.sampler+c.name, func(b *testing.B) {
			r := benchLane(b, c.target, c.sampler, c.set)
			r.Advance(10000)
			b.ReportAllocs()
			b.ResetTimer()
			r.Advance(uint64(b.N))
		})
	}
}
