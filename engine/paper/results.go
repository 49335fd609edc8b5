package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// TestError is that of a lane's result, NaN where it has none.
func TestError(l engine.LaneResult) float64 { return l.Values[quantity.TestError].Trusted() }

// Has reports whether a session lacks something.
func (all Gaps) Has(id string) bool {
	return slices.ContainsFunc(all, func(g Gap) bool { return slices.Contains(g.IDs, id) })
}

// Results reads numbers off outcomes and remembers the sessions that have none
// to read: those not run, skipped or diverged.
type Results struct {
	jobs     []study.Job
	outcomes map[string]study.Outcome
	gaps     Gaps
}

// Gaps are why some sessions lack something, in the order in which the reasons came up.
type Gaps []Gap

// A Gap is such a reason.
type Gap struct {
	Why string
	IDs []string // of the sessions' jobs
}

// Add takes note of what a session lacks.
func (all *Gaps) Add(why, id string) {
	i := slices.IndexFunc(*all, func(g Gap) bool { return g.Why == why })
	if i < 0 {
		i = len(*all)
		*all = append(*all, Gap{Why: why})
	}
	if g := &(*all)[i]; !slices.Contains(g.IDs, id) {
		g.IDs = append(g.IDs, id)
	}
}

// NewResults are those of an experiment's jobs, of which there are outcomes by ID.
func NewResults(jobs []study.Job, outcomes map[string]study.Outcome) *Results {
	return &Results{jobs: jobs, outcomes: outcomes}
}

// Config is that of the first job, the zero value without one.
func (r *Results) Config() (c state.Config) {
	if len(r.jobs) > 0 {
		c = r.jobs[0].Config
	}
	return c
}

// Target is what the first job samples: the target that the experiment wants, or the one
// that stands in for it. Without a job it is the wanted one.
func (r *Results) Target(wanted string) string { return cmp.Or(r.Config().Target, wanted) }

// Planned reports whether a job is among those of the experiment; true where there are none at all.
func (r *Results) Planned(id string) bool {
	return len(r.jobs) == 0 || slices.ContainsFunc(r.jobs, func(j study.Job) bool { return j.ID == id })
}

// Outcome returns the outcome of a job, false for one that was not run.
func (r *Results) Outcome(id string) (study.Outcome, bool) {
	o, ok := r.outcomes[id]
	return o, ok
}

// Miss notes that a session has no number.
func (r *Results) Miss(why, id string) { r.gaps.Add(why, id) }

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

// Lanes are the results of the first lane of each run that has one.
func (r *Results) Lanes(runs Runs) (all []engine.LaneResult) {
	for _, id := range runs.IDs() {
		if l, ok := r.Lane(id, 0); ok {
			all = append(all, l)
		}
	}
	return all
}

// Curve returns the curve of a job's first lane, also of one that diverged.
func (r *Results) Curve(id string) (study.Curve, bool) { return first(r, id, r.outcomes[id].Curves) }

// Trail returns the draws of a job's first lane, also of one that diverged.
func (r *Results) Trail(id string) (study.Trail, bool) { return first(r, id, r.outcomes[id].Draws) }

// first is the first of what a job has of each lane.
func first[T any](r *Results, id string, all []T) (none T, ok bool) {
	if len(all) > 0 {
		return all[0], true
	}
	r.Lane(id, 0) // to name the gap
	return none, false
}

// Each is a quantity of the k-th lane of every run that has an outcome; NaN where the lane diverged.
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

// Remarks say what is missing: a sentence for each reason, with the first few sessions.
func (r *Results) Remarks() []string {
	const few = 3
	return list.Map(r.gaps, func(g Gap) string {
		n, more, sessions, are := len(g.IDs), "", "sessions", " are"
		if n > few {
			more = fmt.Sprintf(" and %d more", n-few)
		}
		if n == 1 {
			sessions, are = "session", " is"
		}
		if g.Why == "diverged" {
			are = ""
		}
		return fmt.Sprintf("%d %s%s %s: %s%s.", n, sessions, are, g.Why, strings.Join(g.IDs[:min(few, n)], "; "), more)
	})
}

// SeriesOver is a sampler's series of means over seeds with their standard errors. Places
// without a number are left out. runs are those of each place, nil where they are not known.
func SeriesOver(name, sampler string, style figure.Style, x []float64, y []claim.OverSeeds, runs []Runs) figure.Series {
	s := figure.Series{Name: name, Of: sampler, Style: style}
	for i, v := range y {
		if v.OK() && !math.IsNaN(x[i]) {
			s.X, s.Y, s.Err = append(s.X, x[i]), append(s.Y, v.Mean), append(s.Err, v.SE)
			if runs != nil {
				s.Sessions = append(s.Sessions, runs[i].IDs())
			}
		}
	}
	return s
}
