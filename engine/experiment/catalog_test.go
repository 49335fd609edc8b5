package experiment

import (
	"strings"
	"testing"
)

// A report of nothing names what is not there and shows no number.
func TestReportsNameTheirGaps(t *testing.T) {
	for _, e := range append(simulations(), regressions()...) {
		for _, read := range e.Readings {
			o := quick(read)
			sane(t, e.Report(o, nil))
			rep := e.Report(o, map[string]Outcome{})
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
