package finding_test

import (
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Of a lane that samples there is always a finding, on each family of targets, with the samplers of a session that is
// opened without any, with an exact one, and with momentum, in looks of a session that is short, medium and long.
func TestNeverBlank(t *testing.T) {
	innerlooptest.Numbers(t, "sessions on all targets")
	neverBlank(t, func(f targets.Family) bool { return !f.Images || f.Name == "mlp" })
}

func TestNeverBlankOnImages(t *testing.T) {
	innerlooptest.Later(t, "steps of convolutions")
	neverBlank(t, func(f targets.Family) bool { return f.Images && f.Name != "mlp" })
}

func neverBlank(t *testing.T, of func(targets.Family) bool) {
	budget := 100 * time.Millisecond // of a session, between looks
	if innerlooptest.Slow {
		budget *= 5
	}
	for _, f := range targets.Families() {
		examples, first := f.Examples, uint64(100)
		if f.Images { // whose steps are dear
			examples, first = examples[:1], 10
		} else if !innerlooptest.Slow && len(examples) > 1 {
			examples = examples[:1]
		}
		if !of(f) {
			continue
		}
		for _, spec := range examples {
			t.Run(spec, func(t *testing.T) {
				p, err := targets.Open(spec, targets.Options{Dataset: "strokes"})
				if err != nil {
					t.Skip(err) // its data are not here
				}
				c := state.Config{Target: p.Spec, Seed: 1, Init: "random"}
				for _, m := range []string{"psgld", "sgld", "hmc", "sghmc"} {
					set := state.DefaultSetting(p, m)
					if c.Lanes = append(c.Lanes, set); c.Validate(p) != nil {
						c.Lanes = c.Lanes[:len(c.Lanes)-1] // hmc, with minibatches
					}
				}
				look, _, stop := looker(t, c, p)
				defer stop()
				for begin, n := time.Now(), first; n < 1<<24 && time.Since(begin) < budget; n *= 2 {
					s := look(n)
					all := finding.Of(s)
					for i := range s.Lanes {
						if id := s.Lanes[i].ID; !slices.ContainsFunc(all, func(f finding.Found) bool {
							return f.Lane == id
						}) {
							t.Errorf("nothing is said of lane %d after %d steps", id, s.Lanes[i].Step)
						}
					}
					if s.Phase == state.AllDiverged {
						break
					}
				}
			})
		}
	}
}
