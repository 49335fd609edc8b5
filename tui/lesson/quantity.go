package lesson

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// form is how a quantity's values are written.
type form uint8

const (
	asNumber  = form(quantity.Number) // three digits, as in a table
	asCount   = form(quantity.Count)
	asShare   = form(quantity.Share) // a percentage
	asSwitch  = form(iota + 100)     // yes or no
	asSetting                        // as it was set
)

// A measure is a number of a lane, or of the session, that conditions and texts can
// name.
type measure struct {
	name   string
	symbol string // on the screen
	doc    string
	form   form
	// lane reads it of a lane. Why is empty if it is known, else the reason why it
	// is not.
	lane func(v *engine.LaneView) (x float64, why string)
	// since reads it of a lane for a scene that began when the lane had kept so many
	// draws, for a quantity that counts from there.
	since func(v *engine.LaneView, began uint64) float64
	// counts says that it grows by waiting alone.
	counts bool
	// session reads it of the session, for a quantity without a lane; NaN where it
	// is not known.
	session func(s *engine.Snapshot) float64
}

const (
	notKnown = "not known"
	noLane   = "no such lane"
)

// read reads a quantity of a lane by its ID.
func (q *measure) read(s sight, lane int) (x float64, why string) {
	if s.Snapshot == nil {
		return math.NaN(), notKnown
	}
	if q.session != nil {
		if x = q.session(s.Snapshot); math.IsNaN(x) {
			why = notKnown
		}
		return x, why
	}
	for i := range s.Lanes {
		if v := &s.Lanes[i]; v.ID == lane {
			if q.since != nil {
				return q.since(v, s.began[lane]), ""
			}
			x, why = q.lane(v)
			if why == "" && math.IsNaN(x) {
				why = notKnown
			}
			return x, why
		}
	}
	return math.NaN(), noLane
}

// at is how a quantity of a lane is written in a condition.
func (q *measure) at(lane int) string {
	if q.session != nil {
		return q.name
	}
	return q.name + "(" + engine.LaneLetter(lane) + ")"
}

// normalName allows a dash for an underscore, as the parameters' keys have them.
func normalName(name string) string { return strings.ReplaceAll(name, "-", "_") }

func findQuantity(name string) (*measure, bool) {
	name = normalName(name)
	all := measures()
	i, ok := slices.BinarySearchFunc(all, name, func(q *measure, name string) int { return strings.Compare(q.name, name) })
	if !ok {
		return nil, false
	}
	return all[i], true
}

// QuantityNames lists the quantities that a condition may name.
func QuantityNames() []string {
	var names []string
	for _, q := range measures() {
		names = append(names, q.name)
	}
	return names
}

// QuantityDoc says what a quantity is, "" for a name that is none.
func QuantityDoc(name string) string {
	if q, ok := findQuantity(name); ok {
		return q.doc
	}
	return ""
}

// SettingDoc begins what QuantityDoc says of a quantity that is a setting.
const SettingDoc = "the setting: "

// measures lists all, by name: the quantities of a lane, now and in the window before
// the newest change; those of the coordinates along the stage's axes; every parameter
// of a sampler, now and before; and a few of the screen.
var measures = sync.OnceValue(func() []*measure {
	all := append(measured(), alongAxes()...)
	all = append(all,
		&measure{name: "new_draws", symbol: "new draws", doc: "draws kept since the newest change or the scene's beginning, whichever is later", form: asCount, counts: true, since: newDraws},
		&measure{name: "diverged", symbol: "diverged", doc: "whether the lane has diverged", form: asSwitch, lane: diverged},
		&measure{name: "lanes", symbol: "lanes", doc: "the number of lanes", form: asCount,
			session: func(s *engine.Snapshot) float64 { return float64(len(s.Lanes)) }},
		&measure{name: "test_data", symbol: "test data", doc: "how many data the test set has", form: asCount, session: testData})
	for _, key := range grammar.ParamKeys() {
		p := paramOf(key)
		q := &measure{name: normalName(key), symbol: p.Symbol, doc: SettingDoc + p.Doc, form: asSetting,
			lane: func(v *engine.LaneView) (float64, string) { return setting(v.Setting, key) }}
		q2 := &measure{name: q.name + "_before", symbol: p.Symbol + " before", doc: q.doc + ", before the newest change", form: asSetting,
			lane: previous(func(w *engine.Window) (float64, string) { return setting(w.Setting, key) })}
		all = append(all, q, q2)
	}
	slices.SortFunc(all, func(a, b *measure) int { return strings.Compare(a.name, b.name) })
	return all
})

// testData is the size of the test set, NaN without one.
func testData(s *engine.Snapshot) float64 {
	if s.Problem != nil {
		t, ok := s.Problem.Impl().(interface {
			Labels(targets.Split) []int32
		})
		if ok && len(t.Labels(targets.Test)) > 0 {
			return float64(len(t.Labels(targets.Test)))
		}
	}
	return math.NaN()
}

// paramOf is the first parameter with a key that some method has.
func paramOf(key string) param.Param {
	for _, m := range catalog.Methods() {
		if p, ok := m.Param(key); ok {
			return p
		}
	}
	panic("lesson: no sampler has the parameter " + key)
}

func setting(l engine.Lane, key string) (float64, string) {
	if x, ok := l.Values[key]; ok {
		return x, ""
	}
	return math.NaN(), "no such setting"
}

// estimate is a number, or why it is not known.
func estimate(e metrics.Estimate) (float64, string) {
	if e.Status == metrics.Absent {
		return math.NaN(), notKnown
	}
	return e.Value, e.Status.String()
}

// counts are the quantities that grow by waiting alone.
var counts = []quantity.ID{quantity.StepsTaken, quantity.DrawsKept, quantity.Draws, quantity.Epoch}

// measured are the quantities of a lane, by their keys and their older ones.
func measured() (all []*measure) {
	for i := range quantity.All {
		q, id := &quantity.All[i], quantity.ID(i)
		for _, name := range append([]string{q.Key}, q.Aliases...) {
			all = append(all,
				&measure{name: name, symbol: q.Name, doc: q.Doc, form: form(q.Form), counts: slices.Contains(counts, id),
					lane: func(v *engine.LaneView) (float64, string) { return estimate(v.Values[id]) }},
				&measure{name: name + "_before", symbol: q.Name + " before", doc: name + " of the draws before the newest change", form: form(q.Form),
					lane: previous(func(w *engine.Window) (float64, string) { return estimate(w.Values[id]) })})
		}
	}
	return all
}

// alongAxes are the quantities of the coordinates on the stage's axes. What describes
// the draws is taken to speak of the target, and so waits until they can be trusted.
func alongAxes() (all []*measure) {
	for axis, letter := range [...]string{"x", "y"} {
		for i := range quantity.Coordinates {
			q, id := &quantity.Coordinates[i], quantity.CoordID(i)
			for _, key := range append([]string{q.Key}, q.Aliases...) {
				all = append(all, &measure{name: key + "_" + letter, symbol: q.Name + " along " + letter, doc: q.Doc + " along the stage's " + letter + " axis",
					lane: func(v *engine.LaneView) (float64, string) {
						if s := v.Trust[quantity.Chain]; q.Basis == quantity.Described && s != metrics.OK {
							return math.NaN(), s.String()
						}
						return estimate(v.Coords[axis].Values[id])
					}})
			}
		}
		all = append(all, &measure{name: "now_" + letter, symbol: letter, doc: "where the chain stands along the stage's " + letter + " axis",
			lane: func(v *engine.LaneView) (float64, string) { return v.Now[axis], "" }})
	}
	return all
}

func newDraws(v *engine.LaneView, began uint64) float64 {
	return float64(min(v.Draws, v.Kept-min(v.Kept, began)))
}

func previous(read func(w *engine.Window) (float64, string)) func(v *engine.LaneView) (float64, string) {
	return func(v *engine.LaneView) (float64, string) {
		if v.Previous == nil {
			return math.NaN(), "nothing changed yet"
		}
		return read(v.Previous)
	}
}

func diverged(v *engine.LaneView) (float64, string) {
	if v.Diverged != nil {
		return 1, ""
	}
	return 0, ""
}

// format writes a value of q.
func (q *measure) format(x float64) string {
	switch q.form {
	case asSwitch:
		if x != 0 {
			return "yes"
		}
		return "no"
	case asSetting:
		if p, ok := q.param(); ok && p.Scale == param.Choice || x == 0 {
			return p.Format(x)
		}
		return plane.Exponents(strconv.FormatFloat(x, 'g', 6, 64))
	}
	return wording.Number(quantity.Form(q.form), x, numberWidth)
}

// numberWidth is the room for a value.
const numberWidth = 8

func (q *measure) param() (param.Param, bool) {
	name := strings.TrimSuffix(q.name, "_before")
	for _, key := range grammar.ParamKeys() {
		if normalName(key) == name {
			return paramOf(key), true
		}
	}
	return param.Param{}, false
}
