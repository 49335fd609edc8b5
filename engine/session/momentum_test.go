package session

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/state"
)

// Velocity, thermostat and place in a cycle are state: 700 steps back from 5000
// and on again leads where the straight run leads, also across a change of method,
// and with one thermostat for each coordinate.
func TestMomentumRewinds(t *testing.T) {
	innerlooptest.Later(t, "six methods, each with three others")
	for _, c := range []struct {
		name  string
		value map[string]float64
	}{
		{"sghmc", nil}, {"sgnht", nil}, {"sgnht", map[string]float64{"thermostat": 1}},
		{"csgld", map[string]float64{"cycle": 90}}, {"cpsgld", map[string]float64{"cycle": 90}}, {"sgrld", nil},
	} {
		p := open(t, "gaussian:noise=0.1")
		cfg := config(p, 0, c.value, c.name)
		straight := func(to uint64, swap string) lane.Runner {
			r := oneLane(t, cfg, cfg.Lanes[0], p)
			if swap != "" {
				r.Advance(4000)
				r.Change(state.DefaultSetting(p, swap), false)
			}
			r.Advance(to - r.Standing().Step)
			return r
		}
		for _, swap := range []string{"", "psgld", "sgnht", "sghmc"} {
			if swap == c.name {
				continue
			}
			want := straight(6000, swap).Measures().Digest().Digest
			r := straight(5000, swap)
			r.Rewind(4300)
			r.Advance(1700)
			if got := r.Measures().Digest().Digest; got != want {
				t.Errorf("%s then %q: digest %s after a rewind, %s without", c.name, swap, got, want)
			}
		}
	}
}
