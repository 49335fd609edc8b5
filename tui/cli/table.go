package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/plane"
)

// table is text in columns. Its first row is the head. The first left columns
// are aligned to the left, the others to the right.
type table struct {
	rows [][]string
	left int
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(w io.Writer) {
	if c, ok := w.(*checked); ok && c.ascii { // as wide as it will be
		for _, r := range t.rows {
			for i := range r {
				r[i] = plane.ASCII(r[i])
			}
		}
	}
	var widths []int
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if len(r) > 1 { // else it is a heading
				widths[i] = max(widths[i], lipgloss.Width(c))
			}
		}
	}
	for _, r := range t.rows {
		var b strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", max(0, widths[i]-lipgloss.Width(c)))
			if i > 0 {
				b.WriteString("  ")
			}
			if i < t.left {
				b.WriteString(c + pad)
			} else {
				b.WriteString(pad + c)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// maxCoordinates is how many coordinates a table for people lists.
const maxCoordinates = 20

// cellWidth is the widest number in a table.
const cellWidth = 9

// writeTable writes a run's result for people.
func writeTable(w io.Writer, r engine.Result, p *targets.Problem) {
	fmt.Fprintf(w, "%s  seed %d\n\n", header(p), r.Config.Seed)
	writeLanes(w, r.Lanes)
	for _, l := range r.Lanes {
		if l.Diverged != nil {
			fmt.Fprintf(w, "\n%s %s diverged at step %s: %s\n", l.Lane, title(l.Sampler), plane.Count(l.Diverged.Step), l.Diverged.Reason())
		}
	}
	for _, l := range r.Lanes {
		fmt.Fprintf(w, "\n%s %s\n", l.Lane, title(l.Sampler))
		writeCoordinates(w, l)
		for _, n := range l.Notes {
			if !inTable(n) && (samples(l) || !strings.HasPrefix(n, "min_ess of ")) {
				fmt.Fprintf(w, "  note: %s\n", n)
			}
		}
	}
}

func header(p *targets.Problem) string {
	return p.Spec + "  " + p.Title
}

func title(name string) string {
	if m, ok := catalog.Find(name); ok {
		return m.Title
	}
	return name
}

// samples reports whether a lane's draws are a chain's.
func samples(l engine.LaneResult) bool { return l.Kind == sampler.Sampling.String() }

// column of the table of lanes: shown if any lane has it.
type laneColumn struct {
	head string
	cell func(engine.LaneResult) (text string, has bool)
}

func laneColumns(lanes []engine.LaneResult) []laneColumn {
	// Where the covariance of a density tells of every lane, the mean needs no
	// column.
	means := slices.ContainsFunc(lanes, func(l engine.LaneResult) bool {
		return l.Bias != nil || l.Diverged == nil && l.MeanError != nil && (l.CovError == nil || math.IsNaN(float64(*l.CovError)))
	})
	always := func(f func(engine.LaneResult) string) func(engine.LaneResult) (string, bool) {
		return func(l engine.LaneResult) (string, bool) { return f(l), true }
	}
	maybe := func(f func(engine.LaneResult) *engine.Num, scale float64, unit string) func(engine.LaneResult) (string, bool) {
		return func(l engine.LaneResult) (string, bool) {
			v := f(l)
			if v == nil {
				return "", false
			}
			if math.IsNaN(float64(*v)) {
				return "–", true
			}
			return plane.Number(float64(*v)*scale, cellWidth) + unit, true
		}
	}
	// What only a chain has is a dash for any other lane.
	chain := func(f func(engine.LaneResult) string) func(engine.LaneResult) (string, bool) {
		return func(l engine.LaneResult) (string, bool) {
			if !samples(l) {
				return "–", false
			}
			return f(l), true
		}
	}
	return []laneColumn{
		{"lane", always(func(l engine.LaneResult) string { return l.Lane })},
		{"sampler", always(func(l engine.LaneResult) string { return title(l.Sampler) })},
		{"kind", func(l engine.LaneResult) (string, bool) { return l.Kind, !samples(l) }},
		{"ε", always(func(l engine.LaneResult) string { return num(l.Eps) })},
		{"h", func(l engine.LaneResult) (string, bool) { return num(l.LR), l.LR != 0 && l.LR != l.Eps/2 }}, // without data h is ε/2
		{"steps", always(func(l engine.LaneResult) string { return plane.Count(l.Steps) })},
		{"draws", always(func(l engine.LaneResult) string { return plane.Count(l.Draws) })},
		{"steps/s", always(func(l engine.LaneResult) string { return num(l.StepsPerSecond) })},
		{"mean error", maybe(func(l engine.LaneResult) *engine.Num {
			if !means {
				return nil
			}
			return l.MeanError
		}, 1, "")},
		{"cov error", maybe(func(l engine.LaneResult) *engine.Num { return l.CovError }, 1, "")},
		{"bias", maybe(func(l engine.LaneResult) *engine.Num { return l.CovBias }, 1, "")},
		{"loss", maybe(func(l engine.LaneResult) *engine.Num {
			if samples(l) {
				return nil
			}
			return l.Loss
		}, 1, "")},
		{"ELBO", maybe(func(l engine.LaneResult) *engine.Num { return l.ELBO }, 1, "")},
		{"test error", maybe(func(l engine.LaneResult) *engine.Num { return l.TestError }, 100, "%")},
		{"NLL", maybe(func(l engine.LaneResult) *engine.Num { return l.NLL }, 1, "")},
		{"Brier", maybe(func(l engine.LaneResult) *engine.Num { return l.Brier }, 1, "")},
		{"ECE", maybe(func(l engine.LaneResult) *engine.Num { return l.ECE }, 1, "")},
		{"train error", maybe(func(l engine.LaneResult) *engine.Num { return l.TrainError }, 100, "%")},
		{"acceptance", maybe(func(l engine.LaneResult) *engine.Num { return l.Acceptance }, 1, "")},
		{"divergences", func(l engine.LaneResult) (string, bool) {
			if l.Divergences == nil {
				return "", false
			}
			return plane.Count(*l.Divergences), true
		}},
		{"temperature", chain(func(l engine.LaneResult) string { return orWhy(l, l.Temperature, "temperature", "") })},
		{"max τ", chain(func(l engine.LaneResult) string { return orWhy(l, maxACT(l), "min_ess", "") })},
		{"min ESS", chain(func(l engine.LaneResult) string { return orWhy(l, l.MinESS, "min_ess", "") })},
		{"ESS/s", chain(func(l engine.LaneResult) string { return num(l.ESSPerSecond) })},
	}
}

func writeLanes(w io.Writer, lanes []engine.LaneResult) {
	t := table{left: 2}
	rows := make([][]string, len(lanes)+1)
	for _, c := range laneColumns(lanes) {
		cells := make([]string, len(lanes))
		any := false
		for i, l := range lanes {
			text, has := c.cell(l)
			if text == "" {
				text = "–"
			}
			cells[i], any = text, any || has
		}
		if !any {
			continue
		}
		rows[0] = append(rows[0], c.head)
		for i, text := range cells {
			rows[i+1] = append(rows[i+1], text)
		}
	}
	t.rows = rows
	t.write(w)
}

func writeCoordinates(w io.Writer, l engine.LaneResult) {
	t := table{left: 1}
	switch l.Kind {
	case sampler.Optimising.String():
		t.add("  coordinate", "mean of the path", "sd")
	case sampler.Variational.String():
		t.add("  coordinate", "mean", "sd")
	default:
		t.add("  coordinate", "mean ± MCSE", "sd", "τ", "ESS")
	}
	for i, name := range l.Names {
		if i == maxCoordinates {
			break
		}
		if !samples(l) {
			t.add("  "+name, num(l.Mean[i]), num(l.SD[i]))
			continue
		}
		t.add("  "+name, meanCell(l.Mean[i], l.MCSE[i]), num(l.SD[i]),
			orWhy(l, l.ACT[i], "act", name), orWhy(l, l.ESS[i], "ess", name))
	}
	t.write(w)
	if more := len(l.Names) - maxCoordinates; more > 0 {
		fmt.Fprintf(w, "  and %s more, see --json\n", plane.Count(uint64(more)))
	}
}

// meanCell is a mean with the digits that its standard error leaves.
func meanCell(mean, se engine.Num) string {
	m, s := float64(mean), float64(se)
	if !(s > 0) || math.IsInf(s, 0) || math.IsNaN(m) {
		return num(mean)
	}
	digits := min(max(1-int(math.Floor(math.Log10(s))), 0), 12)
	return fmt.Sprintf("%.*f ± %.*f", digits, m, digits, s)
}

// maxACT is the largest τ; NaN if one of them cannot be trusted.
func maxACT(l engine.LaneResult) engine.Num {
	if len(l.ACT) == 0 || slices.ContainsFunc(l.ACT, func(x engine.Num) bool { return math.IsNaN(float64(x)) }) {
		return engine.Num(math.NaN())
	}
	return slices.Max(l.ACT)
}

func num(x engine.Num) string { return plane.Number(float64(x), cellWidth) }

// inTable reports whether the tables say what a note does.
func inTable(note string) bool {
	what, _, _ := strings.Cut(note, " of ")
	return slices.Contains([]string{"mcse", "act", "ess", "temperature"}, what)
}

// orWhy is a number or, where there is none, the reason that the notes give
// for that quantity: of the coordinate itself, or else the last one given for
// any.
func orWhy(l engine.LaneResult, x engine.Num, what, of string) string {
	if !math.IsNaN(float64(x)) {
		return num(x)
	}
	why := ""
	for _, n := range l.Notes {
		about, reason, ok := strings.Cut(n, ": ")
		if !ok || !strings.HasPrefix(about, what+" of ") {
			continue
		}
		reason, _, _ = strings.Cut(reason, " (")
		if why = reason; about == what+" of "+of {
			break
		}
	}
	if why == "" {
		return "–"
	}
	return why
}
