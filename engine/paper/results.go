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

// Results reads numbers off outcomes and remembers the sessions that have none
// to read: those not run, skipped or diverged.
type Results struct {
	jobs     []study.Job
	outcomes map[string]study.Outcome
	gaps     []string            // reasons, in the order in which they came up
	of       map[string][]string // the jobs, by reason
}

// NewResults are those of an experiment's jobs, of which there are outcomes by ID.
func NewResults(jobs []study.Job, outcomes map[string]study.Outcome) *Results {
	return &Results{jobs: jobs, outcomes: outcomes, of: map[string][]string{}}
}

// Target is what the first job samples: the target that the experiment wants, or the one
// that stands in for it. Without a job it is the wanted one.
func (r *Results) Target(wanted string) string {
	if len(r.jobs) == 0 {
		return wanted
	}
	return r.jobs[0].Config.Target
}

// Dataset is the data set of the first job, "" without one.
func (r *Results) Dataset() string {
	if len(r.jobs) == 0 {
		return ""
	}
	return r.jobs[0].Config.Dataset
}

// Outcome returns the outcome of a job, false for one that was not run.
func (r *Results) Outcome(id string) (study.Outcome, bool) {
	o, ok := r.outcomes[id]
	return o, ok
}

// Miss notes that a session has no number.
func (r *Results) Miss(why, id string) {
	if _, ok := r.of[why]; !ok {
		r.gaps = append(r.gaps, why)
	}
	if !slices.Contains(r.of[why], id) {
		r.of[why] = append(r.of[why], id)
	}
}

// Lane returns the result of a job's k-th lane. It is false for a job without an outcome
// and for a lane that diverged, since the numbers of such a lane estimate nothing.
func (r *Results) Lane(id string, k int) (engine.LaneResult, bool) {
	o, ok := r.outcomes[id]
	switch {
	case !ok:
		r.Miss("not run", id)
	case o.Skipped != "":
		r.Miss("skipped ("+o.Skipped+")", id)
	case k >= len(o.Lanes):
		r.Miss("without a result", id)
	case o.Lanes[k].Diverged != nil:
		r.Miss("diverged", id)
		return o.Lanes[k], false
	default:
		return o.Lanes[k], true
	}
	return engine.LaneResult{}, false
}

// Curve returns the curve of a job's first lane, also of one that diverged.
func (r *Results) Curve(id string) (study.Curve, bool) {
	if o := r.outcomes[id]; len(o.Curves) > 0 {
		return o.Curves[0], true
	}
	r.Lane(id, 0) // to name the gap
	return study.Curve{}, false
}

// Trail returns the draws of a job's first lane, also of one that diverged.
func (r *Results) Trail(id string) (study.Trail, bool) {
	if o := r.outcomes[id]; len(o.Draws) > 0 {
		return o.Draws[0], true
	}
	r.Lane(id, 0)
	return study.Trail{}, false
}

// Each is a quantity of the k-th lane of every run that has an outcome; NaN where the lane
// diverged.
func (r *Results) Each(runs Runs, k int, of func(engine.LaneResult) float64) []float64 {
	var values []float64
	for _, id := range runs.IDs() {
		l, ok := r.Lane(id, k)
		switch {
		case ok:
			values = append(values, of(l))
		case l.Diverged != nil:
			values = append(values, math.NaN())
		}
	}
	return values
}

// Over is a quantity of the first lane over all runs.
func (r *Results) Over(runs Runs, of func(engine.LaneResult) float64) claim.OverSeeds {
	return claim.Over(r.Each(runs, 0, of))
}

// Findings say what is missing: a sentence for each reason, with the first few sessions.
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
