package measure

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Needed is how many draws the window of a lane needs in all until u holds, at a look; 0 where that is not known. It
// goes by the slowest coordinate and by R-hat of the watched ones or of all chains: effective draws grow with draws,
// standard errors fall with the root of their number, and R-hat falls to 1 with its inverse.
func Needed(v *engine.LaneView, u quantity.Until, chains int) uint64 {
	n, most := float64(v.Draws), 0.0
	grow := func(by float64, e metrics.Estimate) {
		if !e.OK() {
			by = math.NaN()
		}
		most = max(most, n*by)
	}
	ess, rhat := v.Values[quantity.MinESS], v.Values[quantity.MaxRHat]
	if x := u[quantity.MCSE]; x > 0 {
		grow(1/float64(x*x)/ess.Value, ess)
	}
	if x := u[quantity.ESS]; x > 0 {
		if bulk := v.Values[quantity.MinBulkESS]; bulk.OK() && bulk.Draws == v.Draws {
			ess = bulk
		}
		grow(x/ess.Value, ess)
	}
	if x := u[quantity.RHat]; x > 0 {
		if chains == 1 {
			rhat = v.Coords[0].Values[quantity.RHat]
			if e := v.Coords[1].Values[quantity.RHat]; !e.OK() || e.Value > rhat.Value {
				rhat = e
			}
		}
		grow((rhat.Value-1)/(x-1), rhat)
	}
	if !(most < param.MaxInteger) {
		return 0
	}
	of := uint64(chains)
	return of * quantity.NextLook(max(uint64(most), v.Draws, of)/of-1)
}
