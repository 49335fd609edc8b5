package paper

import (
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// A Report is what came of an experiment.
type Report struct {
	// Findings are sentences with numbers: what holds, and where the paper's claim
	// does not, what holds instead.
	Findings []string
	Tables   []Table
	Figures  []figure.Figure
}

// A Table is rows of cells under a head.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	// Scores are the rows' comparisons with the paper, for results.json; nil for a
	// table without any.
	Scores []claim.Score
}

// say adds findings, without those that have nothing to say.
func (r *Report) Say(findings ...string) {
	for _, f := range findings {
		if f != "" {
			r.Findings = append(r.Findings, f)
		}
	}
}
