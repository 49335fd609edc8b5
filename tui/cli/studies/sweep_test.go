package studies

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// The document is the same cell by cell.
func TestSweepDocumentCellByCell(t *testing.T) {
	for _, cells := range [][]study.Cell{nil, {{Seed: 1, Values: map[string]any{"eps": 0.1, "gamma": "on"}}},
		{{Seed: 1}, {Seed: 2, Lanes: []engine.LaneResult{{Sampler: "a<b",
			Values: quantity.Values{quantity.CovError: metrics.Withheld(metrics.TooShort, 9)}}}}}} {
		d := SweepDoc{Version: `"cells":[]`, Config: state.Config{Target: "gaussian"},
			Grid: map[string][]any{"eps": {0.1}}, Repeats: 2, Cells: cells, Truth: &engine.TruthResult{By: "exact"}}
		var got bytes.Buffer
		d.write(&got)
		var a, b SweepDoc
		if err := json.Unmarshal(got.Bytes(), &a); err != nil || !strings.HasSuffix(got.String(), "\n") ||
			strings.Count(got.String(), "\n") != 1 {
			t.Fatalf("%v in %s", err, got.String())
		}
		want, err := json.Marshal(d)
		console.Must(err)
		console.Must(json.Unmarshal(want, &b))
		if x, y := text64(a), text64(b); cells != nil && x != y {
			t.Errorf("it reads\n%s, want\n%s", x, y)
		}
	}
}

func TestMeanOver(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		x    []float64
		want string
	}{
		{nil, "–"},
		{[]float64{nan, nan}, "too short"},
		{[]float64{2}, "200%"},
		{[]float64{1, 3}, "200 ± 100%"}, // sd √2·100, se 100
		{[]float64{1, nan, 3}, "200 ± 100% (2 of 3)"},
	} {
		var lanes []engine.LaneResult
		for _, x := range test.x {
			l := engine.LaneResult{Kind: "sampler"}
			if l.Values[quantity.TestError] = metrics.Exact(x); math.IsNaN(x) {
				l.Values[quantity.TestError] = metrics.Withheld(metrics.TooShort, 9)
			}
			lanes = append(lanes, l)
		}
		if got := meanOver(lanes, quantity.TestError); got != test.want {
			t.Errorf("%v: %q, want %q", test.x, got, test.want)
		}
	}
}

// text64 is a document's text.
func text64(v any) string {
	b, err := json.Marshal(v)
	console.Must(err)
	return string(b)
}
