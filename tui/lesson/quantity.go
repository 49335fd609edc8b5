package lesson

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A measure is a number of a lane, or of the session, that conditions and texts can name.
type measure struct {
	name   string
	symbol string // on the screen
	doc    string
	form   quantity.Form
	yesNo  bool         // it is 1 for yes and 0 for no
	param  *param.Param // the parameter that it is the setting of; nil for what is measured
	counts bool         // it grows by waiting alone
	before bool         // it is read of the window before the newest change

	// One of these reads it. Where its number is not known, why says why not; a NaN is not known either.
	window  func(w *engine.Window) (x float64, why string)
	lane    func(s observation, v *engine.LaneView) (x float64, why string)
	session func(s *engine.Snapshot) float64
}

// read reads a quantity of the lane with an ID.
func (q *measure) read(s observation, lane int) (x float64, why string) {
	x = math.NaN()
	if s.Snapshot != nil {
		i := s.IndexOf(lane)
		switch {
		case q.session != nil:
			x = q.session(s.Snapshot)
		case i < 0:
			why = "no such lane"
		case q.window == nil:
			x, why = q.lane(s, &s.Lanes[i])
		case !q.before:
			x, why = q.window(&s.Lanes[i].Window)
		case s.Lanes[i].Previous == nil:
			why = "nothing changed yet"
		default:
			x, why = q.window(s.Lanes[i].Previous)
		}
	}
	if why == "" && math.IsNaN(x) {
		why = "not known"
	}
	return x, why
}

// ofShift reads a number of a lane on the shifted test images, once they are shifted as they are asked to be.
func ofShift(number func(p predict.ShiftPoint) float64) func(observation, *engine.LaneView) (float64, string) {
	return func(s observation, v *engine.LaneView) (float64, string) {
		at, i := s.Shift, s.IndexOf(v.ID)
		if at == nil || at.Asked.Kind == targets.NoShift || at.At != at.Asked || i >= len(at.Lanes) {
			return math.NaN(), ""
		}
		return number(at.Lanes[i].Now), ""
	}
}

// format writes a value of q.
func (q *measure) format(x float64) string {
	switch {
	case q.yesNo && x != 0:
		return "yes"
	case q.yesNo:
		return "no"
	case q.param != nil && (q.param.Scale == param.Choice || x == 0):
		return q.param.Format(x)
	case q.param != nil && q.param.Scale == param.Integer && x > 0:
		return plane.Commas(uint64(x))
	case q.param != nil:
		return plane.Exponents(strconv.FormatFloat(x, 'g', 6, 64))
	}
	return wording.Number(q.form, x, numberWidth)
}

// numberWidth is the room for a value.
const numberWidth = 8

// normalName allows a dash for an underscore, as the parameters' keys have them.
func normalName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// A name such as target.b is that of a parameter of the target, whichever that is.
func findQuantity(name string) (*measure, bool) {
	if state.OfTarget(name) {
		return ofTarget(name), true
	}
	name = normalName(name)
	all := measures()
	i, ok := slices.BinarySearchFunc(all, name, func(q *measure, name string) int { return strings.Compare(q.name, name) })
	if !ok {
		return nil, false
	}
	return all[i], true
}

// quantityNames lists the quantities that a condition may name.
func quantityNames() []string {
	return list.Map(measures(), func(q *measure) string { return q.name })
}

// Listed is the names of the settings, or of the other quantities, and what each is. A star marks a quantity that there
// also is of the draws before the newest change, as there is of every setting.
func Listed(settings bool) (rows [][2]string) {
	for _, q := range measures() {
		name := q.name
		if q.window != nil && !settings {
			name += " *"
		}
		if !q.before && settings == (q.param != nil) {
			rows = append(rows, [2]string{name, q.doc})
		}
	}
	return rows
}

// measures lists all measures by name: the quantities and the settings of a window, now and before the newest change,
// the quantities of the coordinates on the stage's axes, and a few more.
var measures = sync.OnceValue(func() []*measure {
	all := append(alongAxes(),
		&measure{name: "new_draws", symbol: "new draws", doc: "draws kept since the newest change or the scene's beginning, whichever is later", form: quantity.Count, counts: true,
			lane: func(s observation, v *engine.LaneView) (float64, string) {
				return float64(min(v.Draws, v.Kept-min(v.Kept, s.began[v.ID]))), ""
			}},
		&measure{name: "diverged", symbol: "diverged", doc: "whether the lane has diverged", yesNo: true,
			lane: func(_ observation, v *engine.LaneView) (float64, string) {
				if v.Diverged == nil {
					return 0, ""
				}
				return 1, ""
			}},
		&measure{name: "shift_error", symbol: "error, shifted", doc: "share of a sample of shifted test images that the average over the newest draws gets wrong", form: quantity.Share,
			lane: ofShift(func(p predict.ShiftPoint) float64 { return p.Error })},
		&measure{name: "shift_confidence", symbol: "confidence, shifted", doc: "largest averaged probability, mean over a sample of shifted test images", form: quantity.Share,
			lane: ofShift(func(p predict.ShiftPoint) float64 { return p.Confidence })},
		&measure{name: "lanes", symbol: "lanes", doc: "the number of lanes", form: quantity.Count,
			session: func(s *engine.Snapshot) float64 { return float64(len(s.Lanes)) }},
		&measure{name: "test_data", symbol: "test data", doc: "how many data the test set has", form: quantity.Count, session: testData})
	for _, q := range ofWindows() {
		before := *q
		before.name, before.symbol, before.before, before.counts = q.name+"_before", q.symbol+" before", true, false
		if before.doc = q.name + " of the draws before the newest change"; q.param != nil {
			before.doc = q.doc + ", before the newest change"
		}
		all = append(all, q, &before)
	}
	slices.SortFunc(all, func(a, b *measure) int { return strings.Compare(a.name, b.name) })
	return all
})

// growing are the quantities that grow by waiting alone.
var growing = []quantity.ID{quantity.StepsTaken, quantity.DrawsKept, quantity.Draws, quantity.Epoch}

// ofWindows are the quantities of a lane, by their keys and older names, and the parameters of all samplers.
func ofWindows() (all []*measure) {
	for i := range quantity.All {
		q, id := &quantity.All[i], quantity.ID(i)
		for _, name := range append([]string{q.Key}, q.Aliases...) {
			all = append(all, &measure{name: name, symbol: q.Name, doc: q.Doc, form: q.Form, counts: slices.Contains(growing, id),
				window: func(w *engine.Window) (float64, string) { return known(w.Values[id]) }})
		}
	}
	for _, key := range grammar.ParamKeys() {
		p := paramOf(key)
		all = append(all, &measure{name: normalName(key), symbol: p.Symbol, doc: p.Doc, param: &p,
			window: setting(key)})
	}
	return all
}

// ofTarget is a parameter of the target, now or, with _before behind it, before the newest change.
func ofTarget(name string) *measure {
	key, before := strings.CutSuffix(name, "_before")
	symbol := strings.TrimPrefix(key, targets.KeyPrefix)
	if before {
		symbol += " before"
	}
	return &measure{name: name, symbol: symbol, doc: "a parameter of the target", param: &param.Param{Key: key, Symbol: symbol}, before: before,
		window: setting(key)}
}

// setting reads the setting with a key.
func setting(key string) func(w *engine.Window) (float64, string) {
	return func(w *engine.Window) (float64, string) {
		if x, ok := w.Setting.Values[key]; ok {
			return x, ""
		}
		return math.NaN(), "no such setting"
	}
}

// alongAxes are the quantities of the coordinates on the stage's axes. A description of the draws reads as one of the
// target here, so it is not known until the draws can be trusted.
func alongAxes() (all []*measure) {
	for axis, letter := range [...]string{"x", "y"} {
		for i := range quantity.Coordinates {
			q, id := &quantity.Coordinates[i], quantity.CoordID(i)
			for _, key := range append([]string{q.Key}, q.Aliases...) {
				all = append(all, &measure{name: key + "_" + letter, symbol: q.Name + " along " + letter, doc: q.Doc + " along the stage's " + letter + " axis",
					lane: func(_ observation, v *engine.LaneView) (float64, string) {
						if s := v.Trust[quantity.Chain]; q.Basis == quantity.Described && s != metrics.OK {
							return math.NaN(), s.String()
						}
						return known(v.Coords[axis].Values[id])
					}})
			}
		}
		all = append(all, &measure{name: "now_" + letter, symbol: letter, doc: "where the chain stands along the stage's " + letter + " axis",
			lane: func(_ observation, v *engine.LaneView) (float64, string) { return v.Now[axis], "" }})
	}
	return all
}

// known is an estimate's number, or why it is not known.
func known(e metrics.Estimate) (float64, string) {
	if e.Status == metrics.Absent {
		return math.NaN(), ""
	}
	return e.Value, e.Status.String()
}

// testData is the size of the test set, NaN without one.
func testData(s *engine.Snapshot) float64 {
	if s.Problem != nil {
		t, ok := s.Problem.Impl().(interface {
			Labels(dataset.Split) []int32
		})
		if ok && len(t.Labels(dataset.Test)) > 0 {
			return float64(len(t.Labels(dataset.Test)))
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
