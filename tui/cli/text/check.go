package text

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/plane"
)

// WriteCheck writes for people what a check finds: the verdict, what was assumed, the facts, what
// explains them, and what so few draws do not show.
func WriteCheck(w io.Writer, r *check.Report, c check.Claim) {
	lane := c.Config.Lanes[0]
	Paragraph(w, verdict(r, lane), "")
	if len(r.Faults) > 0 {
		m, _ := catalog.Find(lane.Sampler)
		Paragraph(w, "Right would be: "+r.Faults[0].Want+". A step of "+m.Name+" is "+m.Equation+".", "")
	}
	if f, ok := r.Shows(); ok {
		text := fmt.Sprintf("It shows best in the %s: %s is expected, and %s found", f.Name,
			plane.Measured(f.Expected, CellWidth), plane.Measured(f.Found, CellWidth))
		if !math.IsInf(f.Z, 0) {
			text += fmt.Sprintf(", a difference of %s standard errors", plane.Measured(math.Abs(f.Z), CellWidth))
		}
		Paragraph(w, text+".", "")
	}
	if len(r.Notes) > 0 {
		Paragraph(w, strings.Join(r.Notes, " "), "")
	}
	fmt.Fprintln(w)
	Line(w, Header(c.Problem), "")
	Paragraph(w, assumed(c), "")
	if len(r.Facts) > 0 {
		fmt.Fprintln(w)
		writeFacts(w, r.Facts)
	}
	if r.Verdict == check.Inconsistent {
		writeFaults(w, r)
	}
}

// verdict is the first line.
func verdict(r *check.Report, l state.Setting) string {
	draws := Counted(r.Draws, "draw")
	of := l.Sampler
	if l.Has(sampler.KeyEps) {
		of += fmt.Sprintf(" at ε = %.6g", l.Eps())
	}
	switch {
	case r.Drifts:
		return fmt.Sprintf("Every step of these %s is one of %s, but they are not yet draws of the target: their "+
			"chains are shorter than ten autocorrelation times. About %s are needed.", draws, of,
			plane.Count(uint64(r.Needed)))
	case r.Verdict == check.TooFew:
		text := fmt.Sprintf("%s: too few to tell whether %s gives %s.", draws, of, plane.Plural(r.Draws, "it", "them"))
		if r.Needed > 0 {
			return text + fmt.Sprintf(" About %s are needed.", plane.Count(uint64(r.Needed)))
		}
		return text + " More may not tell either."
	case r.Variant != nil:
		return fmt.Sprintf("These %s are consistent with %s, with %s: %s", draws, of, r.Variant.Key, r.Variant.What)
	case r.Verdict == check.Consistent:
		return fmt.Sprintf("These %s are consistent with %s: no fact differs by more than chance.", draws, of)
	case r.Diverges:
		return fmt.Sprintf("These %s are not what %s gives: it diverges on this target.", draws, of)
	}
	text := fmt.Sprintf("These %s are not what %s gives", draws, of)
	if len(r.Faults) == 0 {
		return text + "."
	}
	return text + ". " + r.Faults[0].What
}

// assumed lists the settings that the draws are held to, given or by default.
func assumed(c check.Claim) string {
	lane := c.Config.Lanes[0]
	var settings []string
	for _, q := range state.Params(c.Problem, lane.Sampler) {
		value := q.Format(lane.Value(q.Key))
		settings = append(settings, q.Key+" "+value)
	}
	return lane.Sampler + " with " + strings.Join(settings, ", ")
}

// writeFacts writes the facts, and which of them differ.
func writeFacts(w io.Writer, facts []check.Fact) {
	t := Table{Left: 1}
	t.Add("fact", "expected", "found", "SE", "z")
	for _, f := range facts {
		z := f.Z
		if math.IsInf(z, 0) {
			z = math.NaN() // chance has no part in it
		}
		cells := []string{f.Name, plane.Measured(f.Expected, CellWidth), plane.Measured(f.Found, CellWidth),
			plane.Measured(f.SE, CellWidth), plane.Measured(z, CellWidth)}
		if f.Fails {
			cells = append(cells, "differs")
		}
		t.Add(cells...)
	}
	t.Write(w)
}

// writeFaults writes the explanations, best first.
func writeFaults(w io.Writer, r *check.Report) {
	fmt.Fprintln(w)
	write := func(faults []check.Fault, title string) {
		Line(w, title, "")
		for _, f := range faults {
			Paragraph(w, f.Key+": "+f.What, "  - ")
			Paragraph(w, "right: "+f.Want, "    ")
		}
	}
	if len(r.Faults) == 0 {
		Line(w, "No fault that is known explains these draws. Are target, method and settings those of the draws?", "")
		return
	}
	write(r.Faults, plane.Plural(len(r.Faults), "One explanation fits:",
		"These explanations fit, the best first. The draws cannot tell them apart:"))
	if len(r.Lesser) > 0 {
		write(r.Lesser, "Less likely, and not ruled out:")
	}
}

// Counted is a number of things: 1 draw, 2,000 draws.
func Counted(n int, noun string) string {
	return plane.Count(uint64(n)) + " " + plane.Plural(n, noun, noun+"s")
}
