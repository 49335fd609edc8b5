package wording

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
)

// findingWords are the words of a finding: its sentence, whose part before the colon stands alone where there is little
// room, and what :why says beside the numbers.
type findingWords struct {
	text    func(f *finding.Found, s *engine.Snapshot) string
	formula string
	source  string
}

var findings = map[string]findingWords{
	"diverged": {func(f *finding.Found, s *engine.Snapshot) string {
		d := s.Lanes[s.IndexOf(f.Lane)].Diverged
		return fmt.Sprintf("%s %s at step %s: %s", lane(f.Lane), Stopped(d), plane.Count(d.Step), d.Reason())
	}, "", "sampler stability, section 3"},
	"too-short": {func(f *finding.Found, _ *engine.Snapshot) string {
		return lane(f.Lane) + " is too short for a number that can be trusted: " + further(f)
	}, "at least 150 τ draws, in the slowest coordinate", ""},
	"bias": {func(f *finding.Found, _ *engine.Snapshot) string {
		const consequence = ": a longer run does not lower it"
		if bias := f.Get("cov_bias"); bias.OK() {
			return fmt.Sprintf("%s's error is its bias, %s of %s", lane(f.Lane), plane.Measured(bias.Value, 4),
				plane.Measured(f.Get("cov_error").Value, 4)) + consequence
		}
		t := f.Get("temperature")
		return fmt.Sprintf("%s is biased, its temperature is %s", lane(f.Lane),
			plane.PlusMinus(t.Value, t.Error, 16)) + consequence
	}, "cov. error - bias; (θ - Eθ)·∇U/D = T + E‖drift‖²/(εD)", "section 4, Theorem 1"},
	"cold": {func(f *finding.Found, _ *engine.Snapshot) string {
		return fmt.Sprintf("%s runs at T = %s: what it draws is narrower than the posterior", lane(f.Lane),
			plane.Number(f.Get("temp").Value, 8))
	}, "exp(-U/T)", ""},
}

func lane(id int) string { return state.LaneLetter(id) }

// further says how many further steps are needed, and how long they take at the present rate.
func further(f *finding.Found) string {
	text := plane.Count(uint64(f.Get("steps_needed").Value)) + "+ further steps"
	if t := f.Get("seconds_needed"); t.OK() {
		text += ", " + Duration(t.Value)
	}
	return text
}

// Finding is a finding in a sentence.
func Finding(f *finding.Found, s *engine.Snapshot) string { return findings[f.Key].text(f, s) }

// Brief is the part of a finding's sentence that stands by itself.
func Brief(text string) string {
	text, _, _ = strings.Cut(text, ": ")
	return text
}

// Why is the evidence of a finding: names with numbers and their errors, a line each, and then the formula and the
// section of the paper, where there are some.
func Why(f *finding.Found) (lines [][2]string) {
	for _, e := range f.Evidence {
		name, form := strings.ReplaceAll(e.Key, "_", " "), quantity.Count
		if q := quantityOf(e.Key); q != nil {
			name, form = q.Name, q.Form
		}
		lines = append(lines, [2]string{name, withError(form, e.Estimate)})
	}
	w := findings[f.Key]
	for _, l := range [][2]string{{"formula", w.formula}, {"paper", w.source}} {
		if l[1] != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

func quantityOf(key string) *quantity.Quantity {
	for i := range quantity.All {
		if q := &quantity.All[i]; q.Key == key {
			return q
		}
	}
	return nil
}

func withError(form quantity.Form, e metrics.Estimate) string {
	if !e.OK() {
		return Withheld(e.Status)
	}
	return WithError(form, e.Value, e.Error, 24)
}

// Findings are what a document has of a session's findings.
func Findings(s *engine.Snapshot) (all []engine.Finding) {
	for _, f := range finding.Of(s) {
		letter := ""
		if f.Lane != finding.AllLanes {
			letter = lane(f.Lane)
		}
		all = append(all, engine.Finding{Key: f.Key, Lane: letter, Quantities: f.Quantities(), Proposes: f.Proposes,
			Text: Finding(&f, s)})
	}
	return all
}
