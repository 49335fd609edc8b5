package engine

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
)

// TestLaneResultJSON checks that a result comes out of JSON as it went in, with the reasons
// why numbers are missing.
func TestLaneResultJSON(t *testing.T) {
	x, no := metrics.Exact, func(s metrics.Status) metrics.Estimate { return metrics.Withheld(s, 40) }
	r := LaneResult{
		Lane:           "A",
		Sampler:        "psgld",
		Kind:           "sampler",
		Steps:          40,
		Draws:          40,
		Seconds:        0.5,
		StepsPerSecond: 80,
		Names:          []string{"a", "b"},
		Coords: []quantity.CoordValues{
			{quantity.Mean: x(0.1), quantity.ACT: x(2.5), quantity.ESS: no(metrics.TooShort)},
			{quantity.Mean: x(-1e-9), quantity.ACT: no(metrics.Constant), quantity.ESS: no(metrics.TooShort)},
		},
		Values: quantity.Values{
			quantity.CovError: no(metrics.TooShort), quantity.TestError: no(metrics.Untrained),
			quantity.Divergences: x(1e7),
			quantity.Temperature: metrics.Known(1.02, 0.01, 40), quantity.MinESS: no(metrics.Constant),
		},
		Cov: [][]Num{{1, 0.5}, {0.5, 2}}, Eps: 0.3, LR: Num(math.NaN()), Digest: "00ff",
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	const want = `"act":[2.5,null],"ess":[null,null],"divergences":10000000,"min_ess":null,"cov_error":null,"temperature":1.02,"temperature_se":0.01,"test_error":null,` +
		`"cov":[[1,0.5],[0.5,2]],"eps":0.3,"lr":null,"diverged":null,"digest":"00ff",` +
		`"withheld":{"act":["","constant"],"cov_error":"too short","ess":"too short","min_ess":"constant","test_error":"untrained"}}`
	if !strings.HasSuffix(string(b), want) {
		t.Errorf("it is\n%s, want the end\n%s", b, want)
	}
	var got LaneResult
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(got); err != nil || string(again) != string(b) {
		t.Errorf("it comes back as\n%s, want\n%s: %v", again, b, err)
	}
	if e := got.Coords[1][quantity.ACT]; e.Status != metrics.Constant || e.Draws != 40 {
		t.Errorf("τ of b is %v", e)
	}
	if e := got.Values[quantity.NLL]; e.Status != metrics.Absent {
		t.Errorf("what was not there is %v", e)
	}
	if s := got.Summary(); s.Names != nil || s.Coords != nil || s.Cov != nil || s.Digest != "00ff" {
		t.Errorf("the summary is %+v", s)
	}
	// A result from before "withheld", with a member that no result has.
	const old = `{"lane":"A","sampler":"sgld","kind":"sampler","steps":9,"draws":9,"names":null,"coords":[[{"Value":7,"Status":1}]],"mean":null,"min_ess":null,"test_error":0.25,"notes":["min_ess of all coordinates: too short (9 draws)"]}`
	if err := json.Unmarshal([]byte(old), &got); err != nil {
		t.Fatal(err)
	}
	if e := got.Values[quantity.MinESS]; e.Status != metrics.Unknown ||
		got.Values[quantity.TestError].Trusted() != 0.25 || len(got.Notes) != 1 || got.Coords != nil {
		t.Errorf("an old result is %+v", got)
	}
}

// TestEveryQuantityIsWritten checks that each quantity of the table that tells of a whole run is a member of a result,
// by a key of its own, and comes back from it.
func TestEveryQuantityIsWritten(t *testing.T) {
	r := LaneResult{Names: []string{"a"}, Coords: make([]quantity.CoordValues, 1), Draws: 40, Notes: []string{"a note"}}
	keys := map[string]int{}
	for id := range quantity.Coordinates {
		q := &quantity.Coordinates[id]
		if r.Coords[0][id] = metrics.Known(float64(id+1), 0.5, 40); q.Result {
			keys[q.Key], keys[q.ErrorKey] = 0, 0
		}
	}
	delete(keys, "")
	for id := range quantity.All {
		q := &quantity.All[id]
		if r.Values[id] = metrics.Known(float64(id+1), 0.5, 40); q.Result {
			keys[q.Key] = 0
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got LaneResult
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	o, _ := r.quantities()
	for _, m := range o {
		keys[m.key]++
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	for key, n := range keys {
		if n != 1 || all[key] == nil {
			t.Errorf("there are %d members %s in\n%s", n, key, b)
		}
	}
	for id := range quantity.Coordinates {
		if e := got.Coords[0][id]; quantity.Coordinates[id].Result && e.Value != float64(id+1) {
			t.Errorf("%s comes back as %v", quantity.Coordinates[id].Key, e)
		}
	}
	for id := range quantity.All {
		if e := got.Values[id]; quantity.All[id].Result && e.Value != float64(id+1) {
			t.Errorf("%s comes back as %v", quantity.All[id].Key, e)
		}
	}
}
