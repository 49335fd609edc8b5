package quantity

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Until says when a run has drawn enough: what quantities are to come to in every coordinate of every lane that
// samples. It holds a number for each quantity that has a Goal, and 0 for one that is not asked for.
//
//	ess   effective draws, at least so many. Of several chains that is the bulk ESS or, where not all draws are ranked, the ESS
//	mcse  standard error of the mean, at most so many standard deviations of the draws
//	rhat  R-hat of the chains, or of the halves of the only one, at most so much
//
// An estimate that is withheld holds nothing.
type Until [NumCoord]float64

// FirstLook is how many draws a chain has when Until is looked at first.
const FirstLook = 100

// NextLook is how many draws of its window a chain has when Until is looked at next, after so many: the least above it
// of
//
//	100, 110, 121, 133, …,  n + ⌊n/10⌋ after n.
//
// These numbers are the same everywhere, so that a run ends at the same step on every machine. They grow by a tenth: a
// run draws at most a tenth too many, and looks 24 times a decade. Each look is one more chance to end by luck, and
// looking costs as much as some draws, so that there are not more.
func NextLook(draws uint64) uint64 {
	n := uint64(FirstLook)
	for n <= draws {
		n += n / 10
	}
	return n
}

// goal declares what a run may be asked to go on for.
func (q *Quantity) goal() param.Param {
	return param.Param{Key: q.Key, Min: q.Goal.Above, OpenMin: true, Max: q.Goal.Most}
}

// Wanted reports whether anything is asked for.
func (u Until) Wanted() bool { return u != Until{} }

// ParseUntil reads KEY=NUMBER, several with commas. The error says what is allowed.
func ParseUntil(text string) (u Until, err error) {
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		id := slices.IndexFunc(Coordinates[:], func(q Quantity) bool {
			return q.Goal != (Goal{}) && strings.EqualFold(strings.TrimSpace(key), q.Key)
		})
		switch {
		case !ok || id < 0:
			return Until{}, fmt.Errorf("must be such as %s, or several with commas, got %q", strings.Join(UntilExamples(), " or "), text)
		case u[id] != 0:
			return Until{}, fmt.Errorf("has %s twice, got %q", Coordinates[id].Key, text)
		}
		if u[id], err = Coordinates[id].goal().Parse(value); err != nil {
			return Until{}, fmt.Errorf("%s %w", Coordinates[id].Key, err)
		}
	}
	return u, nil
}

// UntilExamples are texts that ParseUntil reads, one for each quantity that has a Goal.
func UntilExamples() []string {
	return list.Map(withGoals(), func(q Quantity) string { return q.until(q.Goal.Usual) })
}

// UntilHelp says what ParseUntil reads.
func UntilHelp() string {
	return strings.Join(list.Map(withGoals(), func(q Quantity) string {
		return q.until(q.Goal.Usual) + " (" + q.Goal.Doc + ")"
	}), ", ")
}

func withGoals() []Quantity {
	return list.Filter(Coordinates[:], func(q Quantity) bool { return q.Goal != (Goal{}) })
}

// until writes that a quantity is to come to x.
func (q *Quantity) until(x float64) string { return q.Key + "=" + q.goal().Format(x) }

// String writes what ParseUntil reads, and nothing where nothing is asked for.
func (u Until) String() string {
	var all []string
	for id, x := range u {
		if x != 0 {
			all = append(all, Coordinates[id].until(x))
		}
	}
	return strings.Join(all, ",")
}

// MarshalText is String.
func (u Until) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText is ParseUntil. Nothing is asked for by an empty text.
func (u *Until) UnmarshalText(text []byte) (err error) {
	if *u = (Until{}); len(text) > 0 {
		if *u, err = ParseUntil(string(text)); err != nil {
			return fmt.Errorf("until %w", err)
		}
	}
	return nil
}

// farApart is the plain R-hat from which chains of a lane are not ranked, which takes long: their means differ by more
// than half a standard deviation, and no Until lets a run end there but one that asks for no less.
const farApart = 1.1

// Met reports whether each of a lane's coordinates is as u wants it. What takes long, which is to rank the draws, it
// does last, and only where all else holds.
func (u Until) Met(s Source, coords int) bool {
	r := &Reading{from: s, State: s.State()}
	for b := range r.Trust {
		r.Trust[b] = metrics.OK // for now
	}
	several := r.State.Facts.Has(Several)
	for i := range coords {
		r.at(i)
		if !u.holds(r, MCSE, i) || !several && !u.holds(r, ESS, i) || s.Chains().PlainRHat(i) > max(farApart, u[RHat]) {
			return false
		}
	}
	if bound := u.bound(several); bound > 0 {
		for i := range coords { // one after the other, where trust compares all
			if r.compare(i); r.compared.RHat.OK() && r.compared.RHat.Value > bound {
				return false
			}
		}
	}
	r.Trust, r.slowest = trustOf(s, &r.State)
	for i := range coords {
		r.at(i)
		r.compare(i)
		if !u.holds(r, MCSE, i) || !u.holds(r, ESS, i) || !u.holds(r, RHat, i) {
			return false
		}
	}
	return coords > 0
}

// bound is the greatest R-hat at which u may hold, 0 where it asks for none.
func (u Until) bound(several bool) float64 {
	if several && (u[ESS] > 0 || u[MCSE] > 0) && !(u[RHat] > 0 && u[RHat] < metrics.RHatBound) {
		return metrics.RHatBound
	}
	return u[RHat]
}

// holds reports whether a quantity of a coordinate is as u wants it.
func (u Until) holds(r *Reading, id CoordID, i int) bool {
	if u[id] == 0 {
		return true
	}
	e := r.of(&Coordinates[id], i)
	switch id {
	case ESS:
		if bulk := r.of(&Coordinates[BulkESS], i); r.State.Facts.Has(Several|Identified) && !(bulk.OK() && bulk.Draws < r.State.Draws) {
			e = bulk
		}
		return e.OK() && e.Value >= u[id]
	case MCSE:
		return e.OK() && e.Value <= u[id]*math.Sqrt(r.from.Chains().Var(i))
	}
	return e.OK() && e.Value <= u[id]
}
