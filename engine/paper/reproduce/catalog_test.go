package reproduce

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/paper/regression"
	"github.com/psgld/psgld-tui/engine/paper/simulation"
)

// A report of nothing names what is not there and shows no number.
func TestReportsNameTheirGaps(t *testing.T) {
	for _, e := range append(simulation.Experiments(), regression.Experiments()...) {
		for _, read := range e.Readings {
			o := papertest.Quick(read)
			rep := e.ReportOf(o, nil, nil)
			papertest.Check(t, rep)
			if text := strings.Join(rep.Findings, "\n"); !strings.Contains(text, "not run: ") {
				t.Errorf("%s, %s: %s", e.ID, read, text)
			}
			if e.Protocol(o) == "" || e.Source == "" || e.Title == "" {
				t.Errorf("%s says nothing of itself", e.ID)
			}
			for _, tab := range rep.Tables {
				if len(tab.Scores) > 0 {
					t.Errorf("%s: scores of nothing: %v", e.ID, tab.Scores)
				}
			}
		}
	}
}
