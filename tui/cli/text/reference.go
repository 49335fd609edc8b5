package text

import (
	"fmt"
	"io"
	"math"

	"github.com/psgld/psgld-tui/engine/reference"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/plane"
)

// WriteReference writes for people what a comparison with reference draws finds.
func WriteReference(w io.Writer, r *reference.Report) {
	Paragraph(w, compared(r), "")
	for _, of := range []struct {
		names []string
		what  string
	}{
		{r.Unpaired, "not compared, as the reference has none of the name"},
		{r.Unmatched, "not compared, as only the reference has them"},
		{r.Tailed, "without a comparison of the mean or of the sd, which may not exist with such heavy tails"},
	} {
		if len(of.names) > 0 {
			Paragraph(w, list.Some(of.names, 8)+": "+of.what+".", "")
		}
	}
	if len(r.Tests) == 0 {
		return
	}
	fmt.Fprintln(w)
	Line(w, "Of each coordinate what differs most (--json has mean, sd, 5%, 50% and 95% of each):", "")
	t := Table{Left: 2}
	t.Add("coordinate", "of", "reference", "found", "SE", "z", "in sd")
	for _, s := range r.Furthest() {
		name, off := s.Coordinate, s.Off()
		if name == "" {
			name, off = "all together", math.NaN()
		}
		cells := []string{name, s.Of}
		for _, x := range []float64{s.Expected, s.Found, s.SE, s.Z, off} {
			if math.IsInf(x, 0) {
				x = math.NaN() // chance has no part in it
			}
			cells = append(cells, plane.Measured(x, CellWidth))
		}
		if s.Fails {
			cells = append(cells, "differs")
		}
		t.Add(cells...)
	}
	t.Write(w)
}

// compared is the first sentence.
func compared(r *reference.Report) string {
	draws := Counted(r.Draws, "draw")
	if r.Verdict == reference.TooFew {
		whose := fmt.Sprintf("These %s", draws)
		if r.OfReference {
			whose = fmt.Sprintf("The reference's %s", Counted(r.Reference, "draw"))
		}
		text := fmt.Sprintf("%s are too few to tell: of %s there are fewer than 100 effective draws a chain.", whose,
			r.Coordinate)
		if r.Status != metrics.TooShort {
			text = fmt.Sprintf("%s have not converged: in %s %s.", whose, r.Coordinate, map[bool]string{
				true: "the chains disagree", false: "the halves of the chain differ"}[r.Status == metrics.Disagree])
		}
		if r.Needed > 0 {
			text += fmt.Sprintf(" About %s are needed.", plane.Count(uint64(r.Needed)))
		}
		return text
	}
	coordinates := map[string]bool{}
	for _, t := range r.Tests {
		if t.Coordinate != "" {
			coordinates[t.Coordinate] = true
		}
	}
	if r.Verdict == reference.Consistent {
		return fmt.Sprintf("These %s are consistent with the reference's %s, in %s of %s.", draws,
			plane.Count(uint64(r.Reference)), Counted(len(r.Tests), "number"), Counted(len(coordinates), "coordinate"))
	}
	worst := r.Worst()
	if worst.Coordinate == "" {
		return fmt.Sprintf("These %s are not those of the reference: no number of a coordinate differs, and their "+
			"distribution does.", draws)
	}
	text := fmt.Sprintf("These %s are not those of the reference: the %s of %s is %s where %s is expected", draws,
		worst.Of, worst.Coordinate, plane.Measured(worst.Found, CellWidth),
		plane.Measured(worst.Expected, CellWidth))
	if !math.IsInf(worst.Z, 0) {
		text += fmt.Sprintf(", off by %s of the reference's sd, %s standard errors",
			plane.Measured(math.Abs(worst.Off()), CellWidth), plane.Measured(math.Abs(worst.Z), CellWidth))
	}
	return text + "."
}
