package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A quantity of the coordinates that is planted in the table comes to documents and tables by that alone, and lessons
// know them all.
func TestPlantedCoordinate(t *testing.T) {
	known := ok(t, "lesson", "quantities")
	for i := range quantity.Coordinates {
		if q := &quantity.Coordinates[i]; !strings.Contains(known, q.Key+"_x ") {
			t.Errorf("lessons do not know %s", q.Key)
		}
	}
	const at = quantity.Lag1 // which no result has
	q := &quantity.Coordinates[at]
	was := *q
	t.Cleanup(func() { *q = was })
	q.Key, q.Symbol, q.Result = "planted", "plant", true
	args := []string{"run", "--target", "gaussian", "--samplers", "sgld", "--steps", "20000"}
	var doc engine.Result
	document(t, &doc, args...)
	table := ok(t, args...)
	for i, name := range doc.Lanes[0].Names {
		e := doc.Lanes[0].Coords[i][at]
		if !e.OK() {
			t.Fatalf("the document has %v", e)
		}
		cell := wording.Estimate(q.Form, e, text.CellWidth)
		has := func(line string) bool {
			return strings.HasPrefix(line, "  "+name) && strings.HasSuffix(line, "  "+cell)
		}
		if !strings.Contains(table, "  plant\n") || !slices.ContainsFunc(strings.Split(table, "\n"), has) {
			t.Errorf("the table lacks %s of %s:\n%s", cell, name, table)
		}
	}
}
