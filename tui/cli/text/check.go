package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/plane"
)

// WriteCheck writes for people what a check finds: the verdict, what was assumed, the facts, what
// explains them, and what so few draws do not show.
func WriteCheck(w io.Writer, r *check.Report, c check.Claim) {
	lane := c.Config.Lanes[0]
	Paragraph(w, verdict(r, lane), "")
	fmt.Fprintln(w)
	Line(w, Header(c.Problem), "")
	Paragraph(w, assumed(c), "")
	if len(r.Facts) > 0 {
		fmt.Fprintln(w)
		writeFacts(w, r.Facts)
	}
	if r.Verdict == check.Inconsistent {
		writeFaults(w, r.Faults)
	}
	writeUnseen(w, r)
}

// verdict is the first line.
func verdict(r *check.Report, l state.Setting) string {
	draws := Counted(r.Draws, "draw")
	of := l.Sampler
	if l.Has(sampler.KeyEps) {
		of += fmt.Sprintf(" at ε = %.6g", l.Eps())
	}
	failing := 0
	for _, f := range r.Facts {
		if f.Fails {
			failing++
		}
	}
	switch {
	case r.Verdict == check.TooFew:
		text := fmt.Sprintf("%s: too few to tell whether %s gives %s.", draws, of, plural(r.Draws, "it", "them"))
		if r.Needed > 0 {
			text += fmt.Sprintf(" About %s are needed.", plane.Count(uint64(r.Needed)))
		}
		return text
	case r.Verdict == check.Consistent:
		return fmt.Sprintf("These %s are consistent with %s: no fact differs by more than chance.", draws, of)
	case r.Diverges:
		return fmt.Sprintf("These %s are not what %s gives: it diverges on this target.", draws, of)
	}
	return fmt.Sprintf("These %s are not what %s gives: %d of %s %s by more than chance.", draws, of, failing,
		Counted(len(r.Facts), "fact"), plural(failing, "differs", "differ"))
}

// assumed lists the settings that the draws are held to, given or by default.
func assumed(c check.Claim) string {
	lane := c.Config.Lanes[0]
	var settings []string
	for _, q := range state.Params(c.Problem, lane.Sampler) {
		value := q.Format(lane.Value(q.Key))
		if q.Key == sampler.KeyBurnIn && lane.Value(q.Key) == 0 {
			if lane.Or(sampler.KeyTemp, 0) == 0 {
				continue // each move counts
			}
			value = "a tenth of each chain"
			if alpha := lane.Or("alpha", 1); alpha < 1 {
				value += fmt.Sprintf(" and at least %s steps, after which V has forgotten its start",
					plane.Count(uint64(check.Forgets(alpha))))
			}
		}
		settings = append(settings, q.Key+" "+value)
	}
	return lane.Sampler + " with " + strings.Join(settings, ", ")
}

// writeFacts writes the facts that can be trusted, of the draws or of the method, and how many cannot.
func writeFacts(w io.Writer, facts []check.Fact) {
	t := Table{Left: 1}
	short, simulated := 0, false
	t.Add("fact", "expected", "found", "SE", "z")
	for _, f := range facts {
		if f.Expected != f.Expected && f.Found != f.Found { // NaN
			short++
			continue
		}
		expected := plane.Measured(f.Expected, CellWidth)
		if f.Simulated > 0 {
			expected, simulated = plane.PlusMinus(f.Expected, f.Simulated, ErrorWidth), true
		}
		cells := []string{f.Name, expected, plane.Measured(f.Found, CellWidth), plane.Measured(f.SE, CellWidth),
			plane.Measured(f.Z, CellWidth)}
		if f.Fails {
			cells = append(cells, "differs")
		}
		t.Add(cells...)
	}
	t.Write(w)
	if simulated {
		Line(w, "An expected value with a standard error comes from a simulation of the method.", "")
	}
	if short > 0 {
		Line(w, Counted(short, "further fact")+
			" cannot be told: the draws are too few, or too strongly autocorrelated.", "")
	}
}

// writeFaults writes the explanations, best first.
func writeFaults(w io.Writer, faults [][]check.Fault) {
	if len(faults) == 0 {
		fmt.Fprintln(w)
		Line(w, "No fault that is known explains these draws. Are target, method and settings those of the draws?", "")
		return
	}
	fmt.Fprintf(w, "\n%s\n", plural(len(faults), "One explanation fits:", "These explanations fit, the best first:"))
	for i, alike := range faults {
		mark := fmt.Sprintf("  %d. ", i+1)
		if len(alike) > 1 {
			Paragraph(w, "One of these, which the draws cannot tell apart:", mark)
			mark = "     - "
		}
		for _, f := range alike {
			Paragraph(w, f.Key+": "+f.What, mark)
			Paragraph(w, "right: "+f.Want, strings.Repeat(" ", len(mark)))
		}
	}
}

// writeUnseen writes which faults these draws cannot show.
func writeUnseen(w io.Writer, r *check.Report) {
	if len(r.Unseen) == 0 {
		return
	}
	fmt.Fprint(w, "\nThese draws can neither show nor rule out:\n")
	for _, u := range r.Unseen {
		text := u.Fault.Key + ": " + u.Fault.What
		if u.Needed > 0 {
			text += fmt.Sprintf(" About %s draws would show it.", plane.Count(uint64(u.Needed)))
		} else {
			text += " The difference is too small to say how many draws would show it."
		}
		Paragraph(w, printable.Line(text), "  - ")
	}
}

// Counted is a number of things: 1 draw, 2,000 draws.
func Counted(n int, noun string) string {
	return plane.Count(uint64(n)) + " " + plural(n, noun, noun+"s")
}

func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
