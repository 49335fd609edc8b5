package session

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// benchLane makes one lane of a target with a sampler's default setting.
func benchLane(b testing.TB, spec, name string) runner {
	b.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		b.Fatal(err)
	}
	set := engine.DefaultLane(p, name)
	return oneLane(b, engine.Config{Target: spec, Lanes: []engine.Lane{set}, Seed: 1}, set, p)
}

// A whole step of a lane with full statistics: the figure to hold against
// peers/gaussian.c, of which two lanes on two cores are to be at least as fast.
func BenchmarkLane(b *testing.B) {
	for _, c := range []struct{ target, sampler string }{
		{"gaussian", "psgld"}, {"gaussian", "sgld"}, {"blr:synthetic", "psgld"},
	} {
		b.Run(c.target+"/"+c.sampler, func(b *testing.B) {
			r := benchLane(b, c.target, c.sampler)
			r.advance(10000)
			b.ReportAllocs()
			b.ResetTimer()
			r.advance(uint64(b.N))
		})
	}
}
