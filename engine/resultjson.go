package engine

import (
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Num is a number in a result. In JSON, one that is not finite is null.
type Num float64

// MarshalJSON writes x in the fewest digits that read back as x.
func (x Num) MarshalJSON() ([]byte, error) {
	if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(x), 'g', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, null as NaN.
func (x *Num) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*x = Num(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	*x = Num(v)
	return err
}

// laneFields is a lane's result as a document has it, but for its quantities and why they are withheld.
type laneFields LaneResult

// An object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members one after the other.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, m.key), ':'), value...)
	}
	return append(b, '}'), nil
}

// A word says why a quantity is null: for a lane or for all of its coordinates, or one for
// each of them, empty where it is known.
type word []string

func (w word) MarshalJSON() ([]byte, error) {
	if len(slices.Compact(slices.Clone(w))) > 1 {
		return json.Marshal([]string(w))
	}
	return json.Marshal(w[0])
}

func (w *word) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*w = word{""}
		return json.Unmarshal(b, &(*w)[0])
	}
	return json.Unmarshal(b, (*[]string)(w))
}

// at is the status of the i-th coordinate, or of the lane.
func (w word) at(i int) metrics.Status {
	switch {
	case len(w) == 0:
		return metrics.Unknown
	case i >= len(w):
		i = 0
	}
	return metrics.ParseStatus(w[i])
}

// MarshalJSON writes what the lane was, and in the place of Coords a member for each quantity that tells of a whole run
// and that the lane has: a list of numbers for those of the coordinates. What cannot be trusted is null, with the
// reason in "withheld". A standard error that is known is written too, as the key with "_se". The notes come last.
func (r LaneResult) MarshalJSON() ([]byte, error) {
	if r.RanksEvery == 1 {
		r.RanksEvery = 0
	}
	quantities, withheld := r.quantities()
	var o object
	fields := reflect.ValueOf(laneFields(r))
	for i := range fields.NumField() {
		key, how, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
		if key == "notes" && len(withheld) > 0 {
			o = append(o, member{"withheld", withheld})
		}
		switch f := fields.Field(i); {
		case key == "coords":
			o = append(o, quantities...)
		case key == "-", how == "omitempty" && (f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0):
		default:
			o = append(o, member{key, f.Interface()})
		}
	}
	return o.MarshalJSON()
}

// quantities are the members of the quantities, those of the coordinates first, and why some are null.
func (r *LaneResult) quantities() (o object, withheld map[string]word) {
	withheld = map[string]word{}
	put := func(key string, value any, why word) {
		o = append(o, member{key, value})
		if slices.ContainsFunc(why, func(s string) bool { return s != "" }) {
			withheld[key] = why
		}
	}
	for id := range quantity.Coordinates {
		q := &quantity.Coordinates[id]
		all := list.Map(r.Coords, func(c quantity.CoordValues) metrics.Estimate { return c[id] })
		if !q.Result || !slices.ContainsFunc(all, func(e metrics.Estimate) bool { return e.Status != metrics.Absent }) {
			continue
		}
		why := list.Map(all, func(e metrics.Estimate) string { return e.Status.String() })
		put(q.Key, list.Map(all, func(e metrics.Estimate) Num { return Num(e.Value) }), why)
		if q.ErrorKey != "" {
			put(q.ErrorKey, list.Map(all, func(e metrics.Estimate) Num { return Num(e.Error) }), why)
		}
	}
	for id := range quantity.All {
		q, e := &quantity.All[id], r.Values[id]
		switch why := (word{e.Status.String()}); {
		case !q.Result || e.Status == metrics.Absent:
		case e.OK() && q.Form == quantity.Count:
			put(q.Key, uint64(e.Value), why)
		default:
			if put(q.Key, Num(e.Trusted()), why); e.OK() && e.Error > 0 {
				put(q.Key+"_se", Num(e.Error), nil)
			}
		}
	}
	return o, withheld
}

// UnmarshalJSON reads what MarshalJSON wrote. A null without a reason is metrics.Unknown.
func (r *LaneResult) UnmarshalJSON(b []byte) error {
	var t struct {
		laneFields
		Withheld map[string]word
	}
	var all map[string]json.RawMessage
	for _, to := range []any{&t, &all} {
		if err := json.Unmarshal(b, to); err != nil {
			return err
		}
	}
	*r = LaneResult(t.laneFields)
	r.Coords = nil // coordinates come of their quantities alone, below
	estimate := func(x, se Num, why metrics.Status) metrics.Estimate {
		if math.IsNaN(float64(x)) {
			if why == metrics.OK {
				why = metrics.Unknown
			}
			return metrics.Withheld(why, r.Draws)
		}
		return metrics.Known(float64(x), float64(se), r.Draws)
	}
	var wrong error
	read := func(key string, to any) bool {
		raw, ok := all[key]
		if ok {
			wrong = cmp.Or(wrong, json.Unmarshal(raw, to))
		}
		return ok
	}
	for id := range quantity.Coordinates {
		q := &quantity.Coordinates[id]
		var xs, errors []Num
		if !q.Result || !read(q.Key, &xs) {
			continue
		}
		read(q.ErrorKey, &errors)
		r.Coords = append(r.Coords, make([]quantity.CoordValues, max(len(xs)-len(r.Coords), 0))...)
		for i, x := range xs {
			se := Num(math.NaN())
			if i < len(errors) {
				se = errors[i]
			}
			r.Coords[i][id] = estimate(x, se, t.Withheld[q.Key].at(i))
		}
	}
	for i := range r.Coords {
		r.Coords[i].FillErrors()
	}
	for id := range quantity.All {
		q, x, se := &quantity.All[id], Num(math.NaN()), Num(math.NaN())
		if q.Result && read(q.Key, &x) {
			read(q.Key+"_se", &se)
			r.Values[id] = estimate(x, se, t.Withheld[q.Key].at(0))
		}
	}
	return wrong
}
