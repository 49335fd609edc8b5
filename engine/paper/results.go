package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
)

// TestError is that of a lane's result, NaN where it has none.
func TestError(l engine.LaneResult) float64 { return l.Values[quantity.TestError].Trusted() }

// results reads numbers off outcomes and remembers the sessions that have none
// to read: those not run, skipped or diverged.
type Results struct {
	outcomes map[string]study.Outcome
	gaps     []string            // reasons, in the order in which they came up
	of       map[string][]string // the jobs, by reason
}

func ResultsOf(outcomes map[string]study.Outcome) *Results {
	return &Results{outcomes: outcomes, of: map[string][]string{}}
}

func (r *Results) Miss(why, id string) {
	if _, ok := r.of[why]; !ok {
		r.gaps = append(r.gaps, why)
	}
	if !slices.Contains(r.of[why], id) {
		r.of[why] = append(r.of[why], id)
	}
}

// lane returns the result of a job's k-th lane. It is false for a job that was
// not run or skipped, and for a lane that diverged, whose numbers estimate
// nothing.
func (r *Results) Lane(id string, k int) (engine.LaneResult, bool) {
	o, ok := r.outcomes[id]
	switch {
	case !ok:
		r.Miss("not run", id)
		return engine.LaneResult{}, false
	case o.Skipped != "":
		r.Miss("skipped ("+o.Skipped+")", id)
		return engine.LaneResult{}, false
	case k >= len(o.Lanes):
		r.Miss("without a result", id)
		return engine.LaneResult{}, false
	}
	if l := o.Lanes[k]; l.Diverged != nil {
		r.Miss("diverged", id)
		return l, false
	}
	return o.Lanes[k], true
}

// curve returns the curve of a job's k-th lane, also of one that diverged.
func (r *Results) Curve(id string, k int) (study.Curve, bool) {
	if o, ok := r.outcomes[id]; ok && o.Skipped == "" && k < len(o.Curves) {
		return o.Curves[k], true
	}
	r.Lane(id, k) // to name the gap
	return study.Curve{}, false
}

// trail returns the draws of a job's k-th lane, also of one that diverged.
func (r *Results) Trail(id string, k int) (study.Trail, bool) {
	if o, ok := r.outcomes[id]; ok && o.Skipped == "" && k < len(o.Draws) {
		return o.Draws[k], true
	}
	r.Lane(id, k)
	return study.Trail{}, false
}

// over reads a quantity off the first lanes of repeats. Repeats that are not
// there at all count for nothing; a lane that diverged is lost.
func (r *Results) Over(ids []string, of func(engine.LaneResult) float64) claim.OverSeeds {
	var values []float64
	for _, id := range ids {
		l, ok := r.Lane(id, 0)
		switch {
		case ok:
			values = append(values, of(l))
		case l.Diverged != nil:
			values = append(values, math.NaN())
		}
	}
	return claim.Over(values)
}

// findings are sentences on what is missing, one a reason, each with the first few
// of its sessions.
func (r *Results) Findings() []string {
	const few = 3
	var all []string
	for _, why := range r.gaps {
		ids := r.of[why]
		more := ""
		if len(ids) > few {
			more = fmt.Sprintf(" and %d more", len(ids)-few)
		}
		are := "sessions are"
		if len(ids) == 1 {
			are = "session is"
		}
		switch {
		case why == "diverged" && len(ids) == 1:
			are, why = "session", "diverged"
		case why == "diverged":
			are = "sessions"
		}
		all = append(all, fmt.Sprintf("%d %s %s: %s%s.", len(ids), are, why, strings.Join(ids[:min(few, len(ids))], "; "), more))
	}
	return all
}
