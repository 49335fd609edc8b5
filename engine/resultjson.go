package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

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

// A laneJSON is a lane's result as a document has it, but for its quantities.
type laneJSON struct {
	laneFields
	Withheld map[string]word `json:"withheld,omitempty"`
	Notes    []string        `json:"notes,omitempty"` // those of the result, which come last
}

// laneFields is a lane's result that is written field by field.
type laneFields LaneResult

// noQuantities is what is in the place of the quantities.
const noQuantities = `,"coords":null`

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

// MarshalJSON writes what the lane was, then a member for each quantity that tells of a
// whole run and that the lane has: a list of numbers for those of the coordinates. What
// cannot be trusted is null, with the reason in "withheld". A standard error that is known
// is written too, as the key with "_se".
func (r LaneResult) MarshalJSON() ([]byte, error) {
	withheld := map[string]word{}
	var body bytes.Buffer
	put := func(key string, v any) {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // numbers are all that is put
		}
		fmt.Fprintf(&body, ",%q:%s", key, b)
	}
	for id := range quantity.Coordinates {
		q := &quantity.Coordinates[id]
		var all []Num
		var why word
		has, null := false, false
		for i := range r.Coords {
			e := r.Coords[i][id]
			has, null = has || e.Status != metrics.Absent, null || !e.OK()
			all, why = append(all, Num(e.Value)), append(why, e.Status.String())
		}
		if !q.Result || !has {
			continue
		}
		if put(q.Key, all); null {
			withheld[q.Key] = why
		}
		if q.ErrorKey == "" {
			continue
		}
		errors := list.Map(r.Coords, func(c quantity.CoordValues) Num { return Num(c[id].Error) })
		if put(q.ErrorKey, errors); null {
			withheld[q.ErrorKey] = why
		}
	}
	for id := range quantity.All {
		switch q, e := &quantity.All[id], r.Values[id]; {
		case !q.Result || e.Status == metrics.Absent:
		case !e.OK():
			withheld[q.Key] = word{e.Status.String()}
			put(q.Key, nil)
		case q.Form == quantity.Count:
			put(q.Key, uint64(e.Value))
		default:
			if put(q.Key, Num(e.Value)); e.Error > 0 {
				put(q.Key+"_se", Num(e.Error))
			}
		}
	}
	if r.Coords = nil; r.RanksEvery == 1 {
		r.RanksEvery = 0
	}
	b, err := json.Marshal(laneJSON{laneFields(r), withheld, r.Notes})
	return bytes.Replace(b, []byte(noQuantities), body.Bytes(), 1), err
}

// UnmarshalJSON reads what MarshalJSON wrote. A null without a reason is metrics.Unknown.
func (r *LaneResult) UnmarshalJSON(b []byte) error {
	var t laneJSON
	var all map[string]json.RawMessage
	for _, to := range []any{&t, &all} {
		if err := json.Unmarshal(b, to); err != nil {
			return err
		}
	}
	*r = LaneResult(t.laneFields)
	r.Notes, r.Coords = t.Notes, nil // coordinates come of their quantities alone, below
	estimate := func(x, se Num, why metrics.Status) metrics.Estimate {
		if math.IsNaN(float64(x)) {
			if why == metrics.OK {
				why = metrics.Unknown
			}
			return metrics.Withheld(why, r.Draws)
		}
		return metrics.Known(float64(x), float64(se), r.Draws)
	}
	for id := range quantity.Coordinates {
		q := &quantity.Coordinates[id]
		raw, ok := all[q.Key]
		if !q.Result || !ok {
			continue
		}
		var xs, errors []Num
		if err := json.Unmarshal(raw, &xs); err != nil {
			return err
		}
		if raw, ok := all[q.ErrorKey]; ok {
			if err := json.Unmarshal(raw, &errors); err != nil {
				return err
			}
		}
		for len(r.Coords) < len(xs) {
			r.Coords = append(r.Coords, quantity.CoordValues{})
		}
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
		q := &quantity.All[id]
		raw, ok := all[q.Key]
		if !q.Result || !ok {
			continue
		}
		x, se := Num(math.NaN()), Num(math.NaN())
		if err := json.Unmarshal(raw, &x); err != nil {
			return err
		}
		if raw, ok := all[q.Key+"_se"]; ok {
			if err := json.Unmarshal(raw, &se); err != nil {
				return err
			}
		}
		r.Values[id] = estimate(x, se, t.Withheld[q.Key].at(0))
	}
	return nil
}
