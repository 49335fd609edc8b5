// Package finding says what matters now of a session: one table of findings, each with its condition, its evidence and
// what to do. A finding states what is measured and can be trusted, with a margin of five joint standard errors, since
// a session is looked at many times. Where nothing can be trusted yet, a finding says so and what is missing.
package finding

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An Evidence is a quantity on which a finding rests, by its key in documents.
type Evidence struct {
	Key string
	metrics.Estimate
}

// A Found is a finding of a session at a time.
type Found struct {
	*Entry
	Lane  int // the ID of the lane that it is of; AllLanes of all together
	Other int // the lane with which that is compared, else AllLanes
	// Coordinate is that of which the evidence is, empty of none.
	Coordinate string
	Evidence   []Evidence
	Proposes   string  // a command as it is typed, for Lane; empty for none
	Severity   float64 // orders findings of one key, the greatest first
}

// AllLanes is the Lane of a finding of all lanes.
const AllLanes = state.AllLanes

// Get is a quantity of the evidence, Absent where there is none.
func (f *Found) Get(key string) metrics.Estimate {
	e, _ := list.Find(f.Evidence, func(e Evidence) bool { return e.Key == key })
	return e.Estimate
}

// Passed reports whether it says of a lane that it is too short, which that no longer is.
func (f *Found) Passed(s *engine.Snapshot) bool {
	i := s.IndexOf(f.Lane)
	if f.Key != short || i < 0 {
		return false
	}
	_, still := tooShort(s, &s.Lanes[i])
	return !still
}

func (f *Found) has(key string, e metrics.Estimate) {
	f.Evidence = append(f.Evidence, Evidence{key, e})
}

// Quantities are the evidence by key, standard errors as the key with "_se".
func (f *Found) Quantities() map[string]engine.Num {
	all := map[string]engine.Num{}
	for _, e := range f.Evidence {
		all[e.Key] = engine.Num(e.Trusted())
		if e.OK() && e.Error > 0 {
			all[e.Key+"_se"] = engine.Num(e.Error)
		}
	}
	return all
}

// An Entry is a finding of the table.
type Entry struct {
	Key string
	// Predicts says that it is of what a lane predicts, and not of its draws alone.
	Predicts bool
	// Stops says that it is of a lane that has stopped, cannot move, or moves to no purpose.
	Stops bool
	// Rest says that it is of a lane that samples and of which nothing before it in the table is said.
	Rest    bool
	lane    func(s *engine.Snapshot, v *engine.LaneView) (Found, bool) // of each lane, or nil
	session func(s *engine.Snapshot) (Found, bool)                     // of all lanes, in its place
}

// Of are the findings of a session, the most important first.
func Of(s *engine.Snapshot) (all []Found) {
	told := map[int]bool{} // lanes by their ID
	for i := range Table {
		var own []Found
		add := func(f Found, found bool) {
			if f.Entry = &Table[i]; found {
				own = append(own, f)
			}
		}
		if e := &Table[i]; e.session != nil {
			add(e.session(s))
		} else {
			for j := range s.Lanes {
				v := &s.Lanes[j]
				if e.Rest && (told[v.ID] || !v.Facts.Has(quantity.Sampling)) {
					continue
				}
				f, found := e.lane(s, v)
				f.Lane, f.Other = v.ID, AllLanes
				add(f, found)
				told[v.ID] = told[v.ID] || found
			}
		}
		slices.SortStableFunc(own, func(a, b Found) int { return cmp.Compare(b.Severity, a.Severity) })
		all = append(all, own...)
	}
	return all
}

// set writes a command that sets a parameter to a number of one significant digit.
func set(key string, x float64) string {
	round, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 1, 64), 64)
	return key + "=" + strconv.FormatFloat(round, 'g', -1, 64)
}

// run proposes the steps until a lane has so many draws. Of a lane that another program draws it says how many are
// missing, and in how many seconds while that draws.
func (f *Found) run(s *engine.Snapshot, v *engine.LaneView, draws uint64) {
	n, seconds := s.Further(v, draws)
	round := 1.0
	for n > 100*round { // two digits
		round *= 10
	}
	n = math.Ceil(n/round) * round
	f.has("steps_needed", metrics.Exact(n))
	watched := v.Setting.Sampler == catalog.Source.Name
	if seconds > 0 && !(watched && s.Problem.Source.Ended()) {
		f.has("seconds_needed", metrics.Exact(seconds))
	}
	if watched {
		return
	}
	f.Proposes = "run " + strconv.FormatFloat(n, 'f', 0, 64)
}
