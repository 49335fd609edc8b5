package text

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/wording"
)

// NoteMissing adds to each lane's notes why numbers are missing. A document needs them; a table says it in place.
func NoteMissing(lanes []engine.LaneResult, p *targets.Problem) {
	for i := range lanes {
		l := &lanes[i]
		l.Notes = append(append(l.Notes, ofWhole(*l, p)...), missing(*l)...)
	}
}

// SettingNotes say what the settings of a run do to what is told of a lane.
func SettingNotes(c *state.Config, l engine.LaneResult, set state.Setting, p *targets.Problem) (notes []string) {
	if note := p.Caveat(); note != "" {
		notes = append(notes, note)
	}
	if batches := state.EpochLock(c.Draw, set, p); batches > 0 {
		notes = append(notes, fmt.Sprintf("--thin %g keeps every draw at the same place of an epoch of %g batches: "+
			"the chain is more spread out than its draws; --batching subset has no such places",
			set.Value(sampler.KeyThin), batches))
	}
	if set.Schedule.Kind == "halve" && float64(l.Eps) <= math.Ldexp(set.Eps(), -sampler.MostHalvings) {
		notes = append(notes, fmt.Sprintf("--schedule has halved the step %d times, and halves it no more: a "+
			"step's noise is a millionth of the first one's", sampler.MostHalvings))
	}
	if l.Chains > 1 && !c.RandomStart() {
		notes = append(notes, "all chains began at one place (--init): R-hat says nothing of modes that lie elsewhere")
	}
	if how, unknown := biasUnknown(c, l, p); unknown {
		notes = append(notes, "each ± is the chain's own error: the bias of its step is not known"+how)
	}
	if l.RanksEvery > 1 {
		notes = append(notes, fmt.Sprintf("R-hat, bulk and tail ESS, quantiles and the MCSE of the sd are on every %s draw",
			wording.Ordinal(l.RanksEvery)))
	}
	return notes
}

// biasUnknown reports whether a lane has a standard error and nothing beside it that tells of the bias of its step: no
// exact method, no truth and no estimate. how is what would tell it.
func biasUnknown(c *state.Config, l engine.LaneResult, p *targets.Problem) (how string, unknown bool) {
	if !l.BiasUnknown {
		return "", false
	}
	switch m := catalog.Must(l.Sampler); {
	case c.Bias || m.Halve == nil || p.F64 == nil:
	case p.HasData() && c.Draw == noise.Shuffle && m.Expands:
		how = " (--bias --batching subset estimates it)"
	case !m.Expands:
		how = " (--bias compares the chain with itself at ε/4)"
	default:
		how = " (--bias estimates it)"
	}
	return how, true
}

// ofWhole says what holds of all of a lane's numbers. The problem may be nil.
func ofWhole(l engine.LaneResult, p *targets.Problem) (notes []string) {
	switch {
	case l.Diverged != nil:
		notes = append(notes, fmt.Sprintf("the lane %s at step %d: its numbers estimate nothing",
			wording.Stopped(l.Diverged), l.Diverged.Step))
	case l.Draws == 0:
		notes = append(notes, "no draw was kept: there is nothing to estimate from")
	}
	for id := range quantity.Coordinates {
		at := slices.IndexFunc(l.Coords, func(c quantity.CoordValues) bool {
			return wording.NoStepBias(c[id].Status) != ""
		})
		if at >= 0 {
			notes = append(notes,
				fmt.Sprintf("the bias of the step cannot be told of %s: %s", l.Names[at],
					wording.NoStepBias(l.Coords[at][id].Status)))
			break
		}
	}
	switch other := l.Values[quantity.MeanError].Status == metrics.OtherTruth; {
	case other && p != nil && p.Reference != nil:
		notes = append(notes, fmt.Sprintf("the truth is of --prior-var %g at --temp 1, and not of this lane",
			p.Reference.PriorVar))
	case other:
		notes = append(notes, "the truth is of another posterior, and not of this lane")
	}
	return notes
}

// missing says why each number is missing, once for all coordinates but the first.
func missing(l engine.LaneResult) (notes []string) {
	told := map[string]int{}
	tell := func(key, of string, e metrics.Estimate) {
		if e.OK() || e.Status == metrics.Absent {
			return
		}
		of, further := " of "+of, " of further coordinates"
		if of == " of " {
			of = ""
		}
		why := key + ": " + e.Status.String()
		switch told[why]++; told[why] {
		case 1:
			notes = append(notes, fmt.Sprintf("%s%s: %v (%d draws)", key, of, e.Status, l.Draws))
		case 2:
			notes = append(notes, fmt.Sprintf("%s%s: %v", key, further, e.Status))
		}
	}
	for i, name := range l.Names[:min(len(l.Names), len(l.Coords))] {
		for id := range quantity.Coordinates {
			if q := &quantity.Coordinates[id]; q.Result && (q.Basis != quantity.Described ||
				l.Coords[i][id].Status == metrics.Tails) {
				tell(q.Key, name, l.Coords[i][id])
			}
		}
	}
	for id := range quantity.All {
		q, of := &quantity.All[id], ""
		if q.Basis == quantity.Mixing || q.Basis == quantity.Chain {
			of = "all coordinates"
		}
		if q.Result {
			tell(q.Key, of, l.Values[id])
		}
	}
	return notes
}
