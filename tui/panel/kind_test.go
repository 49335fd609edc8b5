package panel

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
)

// recast makes lanes of other kinds of a snapshot's: what the engine says of
// them, whatever methods there are.
func recast(base *engine.Snapshot, kinds ...string) *engine.Snapshot {
	s := frames.Copy(base)
	from := s.Lanes
	s.Lanes = nil
	for i, kind := range kinds {
		v := frames.Copy(base).Lanes[i%len(from)]
		v.ID = i
		v.Loss, v.ELBO, v.Acceptance = math.NaN(), math.NaN(), math.NaN()
		switch kind {
		case "optimiser":
			v.Title, v.Kind, v.CovError, v.Local = "Adam", sampler.Optimising, math.NaN(), [2]float64{}
			v.Loss, v.Noise = 0.312, 0
			for k := range v.History {
				p := &v.History[k]
				p.Loss, p.CovError, p.Noise = 0.3+0.4/float64(1+k), math.NaN(), 0
			}
		case "variational":
			v.Title, v.Kind = "DSVI", sampler.Variational
			v.ELBO, v.Loss = -331.7, 0.325
			for k := range v.History {
				p := &v.History[k]
				p.Loss, p.ELBO = 0.33+0.3/float64(1+k), -330-400/float64(1+k)
			}
		case "metropolis":
			v.Title, v.Acceptance, v.Divergences = "HMC", 0.8123, 3
		}
		if v.Kind != sampler.Sampling {
			no := metrics.Estimate{Value: math.NaN(), Draws: v.Draws, Status: metrics.NotSampled}
			for _, e := range []*metrics.Estimate{&v.MinESS, &v.MaxACT, &v.Virial, &v.VirialSE, &v.Window.MaxACT, &v.Window.MinESS} {
				*e = no
			}
			for k := range v.Coords {
				c := &v.Coords[k]
				c.MCSE, c.ACT, c.ESS, c.ACTLoose = no, no, no, no
			}
			v.ESSPerSec, v.ESSPerG, v.Bias = math.NaN(), math.NaN(), math.NaN()
		}
		s.Lanes = append(s.Lanes, v)
	}
	return s
}

// Lanes that do not sample, alone and beside others, have no τ, no ESS and no
// temperature anywhere, but say what they are and what they drive at.
func TestKinds(t *testing.T) {
	gauss, blr := scenes.Of("gaussian"), scenes.Of("blr")
	all := []string{"sampler", "optimiser", "variational", "metropolis"}
	for _, c := range []struct {
		name  string
		snap  *engine.Snapshot
		lane  int
		views []int
		sizes [][2]int
	}{
		{"kinds-gaussian", recast(gauss, all...), 1, []int{0, 1}, [][2]int{{80, 24}, {120, 36}}},
		{"kinds-blr", recast(blr, all...), 2, []int{1, 2}, [][2]int{{80, 24}, {120, 36}, {200, 60}}},
		{"optimisers-gaussian", recast(gauss, "optimiser", "optimiser"), 0, []int{0, 1, 2}, [][2]int{{120, 36}}},
		{"optimisers-blr", recast(blr, "optimiser", "optimiser"), 0, []int{0, 1, 2}, [][2]int{{80, 24}, {120, 36}}},
		{"family-blr", recast(blr, "variational"), 0, []int{0, 2, 3}, [][2]int{{120, 36}}},
		{"family-gaussian", recast(gauss, "variational", "sampler"), 0, []int{0, 2}, [][2]int{{120, 36}}},
		{"kinds-blr", recast(blr, all...), 2, []int{0}, [][2]int{{60, 20}}},
	} {
		for _, k := range c.views {
			for _, size := range c.sizes {
				f := frameOf(c.snap)
				f.Lane = c.lane
				view := Views(nil)[k]
				golden.Text(t, fmt.Sprintf("%s-%s-%dx%d", c.name, view.Name(), size[0], size[1]), picture(f, view, size[0], size[1]))
			}
		}
	}
}

// No view of an optimiser alone shows what only a chain has.
func TestOptimiserHasNoESS(t *testing.T) {
	for _, scene := range []string{"gaussian", "blr"} {
		for _, kind := range []string{"optimiser", "variational"} {
			f := frameOf(recast(scenes.Of(scene), kind))
			for _, v := range Views(nil) {
				for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}, {200, 60}} {
					got := picture(f, v, size[0], size[1])
					for _, bad := range []string{"τ", "ESS ", "no sampler", "NaN"} {
						if strings.Contains(got, bad) && !strings.Contains(got, "no ESS") && v.Name() != "Weights" {
							t.Errorf("%s of %s at %v shows %q:\n%s", v.Name(), kind, size, bad, got)
						}
					}
					if v.Name() == "Stage" && !strings.Contains(got, pane.KindName(f.Focused().Kind)) {
						t.Errorf("%s at %v does not say that it is of kind %s:\n%s", v.Name(), size, kind, got)
					}
				}
			}
		}
	}
}
