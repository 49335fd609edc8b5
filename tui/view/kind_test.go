package view

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
)

// recast makes lanes of other kinds of a snapshot's: what the engine says of
// them, whatever methods there are.
func recast(base *engine.Snapshot, kinds ...string) *engine.Snapshot {
	s := frametest.Copy(base)
	from := s.Lanes
	s.Lanes = nil
	for i, kind := range kinds {
		v := frametest.Copy(base).Lanes[i%len(from)]
		v.ID = i
		set := func(id quantity.ID, now float64, at func(k int) float64) {
			v.Values[id] = metrics.Known(now, math.NaN(), v.Draws)
			for k := range v.History {
				v.History[k].Values.Set(id, metrics.Known(at(k), math.NaN(), v.Draws))
			}
		}
		none := func(ids ...quantity.ID) {
			no := metrics.Withheld(metrics.NotSampled, v.Draws)
			for _, id := range ids {
				v.Values[id] = no
				if quantity.All[id].Charted {
					for k := range v.History {
						v.History[k].Values.Set(id, no)
					}
				}
			}
		}
		switch kind {
		case "optimiser":
			v.Title, v.Kind, v.Local = "Adam", sampler.Optimising, [2]float64{}
			v.Facts = v.Facts&^quantity.Sampling | quantity.Optimising | quantity.Fitting
			v.Trust[quantity.Chain] = metrics.NotSampled
			set(quantity.Loss, 0.312, func(k int) float64 { return 0.3 + 0.4/float64(1+k) })
			set(quantity.Noise, 0, func(int) float64 { return 0 })
			none(quantity.CovError, quantity.CovNoise, quantity.MeanError, quantity.W2, quantity.SlicedW2)
		case "variational":
			v.Title, v.Kind = "DSVI", sampler.Variational
			v.Facts = v.Facts&^quantity.Sampling | quantity.Variational | quantity.Fitting
			v.Trust[quantity.Chain] = metrics.OK
			set(quantity.Loss, 0.325, func(k int) float64 { return 0.33 + 0.3/float64(1+k) })
			set(quantity.ELBO, -331.7, func(k int) float64 { return -330 - 400/float64(1+k) })
		case "metropolis":
			v.Title = "HMC"
			v.Facts |= quantity.Metropolis | quantity.Energies | quantity.Trajectories
			v.Values[quantity.Acceptance], v.Values[quantity.Divergences] = metrics.Exact(0.8123), metrics.Exact(3)
		}
		if v.Kind != sampler.Sampling {
			v.Trust[quantity.Mixing] = metrics.NotSampled
			none(quantity.MinESS, quantity.MaxACT, quantity.Temperature, quantity.ESSPerSecond, quantity.ESSPerGradient)
			v.Values[quantity.CovBias] = metrics.Withheld(metrics.Absent, 0)
			for k := range v.Coords {
				c := &v.Coords[k]
				no := metrics.Withheld(metrics.NotSampled, v.Draws)
				c.Values[quantity.MCSE], c.Values[quantity.ACT], c.Values[quantity.ESS], c.Rough = no, no, no, no
				c.Values[quantity.Mean].Error = math.NaN()
			}
		}
		s.Lanes = append(s.Lanes, v)
	}
	return s
}

// Lanes that do not sample, alone and beside others, have no τ, no ESS and no
// temperature anywhere, but say what they are and what they drive at.
func TestKinds(t *testing.T) {
	gauss, blr := scenetest.Of("gaussian"), scenetest.Of("blr")
	all := []string{"sampler", "optimiser", "variational", "metropolis"}
	for _, c := range []struct {
		name  string
		snap  *engine.Snapshot
		lane  int
		views []int
		sizes [][2]int
	}{
		{"kinds-gaussian", recast(gauss, all...), 1, []int{0, 1}, [][2]int{{80, 20}, {120, 32}}},
		{"kinds-blr", recast(blr, all...), 2, []int{1, 2}, [][2]int{{120, 32}}},
		{"kinds-blr", recast(blr, all...), 2, []int{0}, [][2]int{{60, 17}}},
		{"optimisers-gaussian", recast(gauss, "optimiser", "optimiser"), 0, []int{0, 1}, [][2]int{{120, 32}}},
		{"optimisers-blr", recast(blr, "optimiser", "optimiser"), 0, []int{0, 1, 2}, [][2]int{{120, 32}}},
		{"family-blr", recast(blr, "variational"), 0, []int{0, 2}, [][2]int{{120, 32}}},
		{"family-gaussian", recast(gauss, "variational", "sampler"), 0, []int{0}, [][2]int{{120, 32}}},
	} {
		for _, k := range c.views {
			for _, size := range c.sizes {
				f := viewtest.Frame(c.snap)
				f.Lane = c.lane
				view := All(nil)[k]
				viewtest.Golden(t, c.name+"-"+view.Name, f, view, size[0], size[1])
			}
		}
	}
}

// No view of an optimiser alone shows what only a chain has.
func TestOptimiserHasNoESS(t *testing.T) {
	for _, scene := range []string{"gaussian", "blr"} {
		for _, kind := range []string{"optimiser", "variational"} {
			f := viewtest.Frame(recast(scenetest.Of(scene), kind))
			for _, v := range All(nil) {
				for _, size := range [][2]int{{60, 17}, {80, 20}, {120, 32}, {200, 56}} {
					got := viewtest.Picture(f, v, size[0], size[1])
					for _, bad := range []string{"τ", "ESS ", "no sampler", "NaN"} {
						if strings.Contains(got, bad) && !strings.Contains(got, "no ESS") && v.Name != "Weights" {
							t.Errorf("%s of %s at %v shows %q:\n%s", v.Name, kind, size, bad, got)
						}
					}
					if v.Name == "Stage" && !strings.Contains(got, pane.KindName(f.Focused().Kind)) {
						t.Errorf("%s at %v does not say that it is of kind %s:\n%s", v.Name, size, kind, got)
					}
				}
			}
		}
	}
}
