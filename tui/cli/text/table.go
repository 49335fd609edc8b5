// Package text writes for people what commands come to: tables, notes and paragraphs.
package text

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Table is text in columns. Its first row is the head. The first Left columns
// are aligned to the left, the others to the right.
type Table struct {
	Left int
	rows [][]string
}

// Add adds a row of foreign text.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, list.Map(cells, printable.Line)) }

// Write writes the table. On a terminal that is too narrow a table of text has its cells
// wrapped, and any other is written in blocks of columns, each with the first Left ones.
func (t *Table) Write(w io.Writer) {
	if c, ok := w.(interface{ ASCII() bool }); ok && c.ASCII() { // as wide as it will be
		for _, r := range t.rows {
			for i := range r {
				r[i] = plane.ASCII(r[i])
			}
		}
	}
	var widths, least []int // least is the width of the widest word
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(widths) {
				widths, least = append(widths, 0), append(least, 0)
			}
			if len(r) > 1 { // else it is a heading
				widths[i] = max(widths[i], lipgloss.Width(c))
				for word := range strings.FieldsSeq(c) {
					least[i] = max(least[i], lipgloss.Width(word))
				}
			}
		}
	}
	room := widthOf(w, math.MaxInt)
	left, columns := min(t.Left, len(widths)), len(widths)
	if left == columns {
		narrow(widths, least, room)
	}
	for from, to := left, left; ; from = to {
		total := 0
		for i, x := range widths {
			if i >= left && i < from {
				continue
			}
			if total += x; i > from && total > room {
				break
			}
			total += len(gap)
			to = i + 1
		}
		if from > left {
			fmt.Fprintln(w)
		}
		for _, r := range t.rows {
			t.writeRow(w, r, widths, from, to)
		}
		if to >= columns {
			return
		}
	}
}

// gap is what stands between two columns.
const gap = "  "

// narrow takes from the widest column until the table fits, as far as no word breaks.
func narrow(widths, least []int, room int) {
	total := len(gap)*(len(widths)-1) + list.Sum(widths, func(x int) int { return x })
	for ; total > room; total-- {
		widest := -1
		for i, x := range widths {
			if x > least[i] && (widest < 0 || x > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

// writeRow writes the first Left columns of a row, and those from one up to another, if it has any of them.
func (t *Table) writeRow(w io.Writer, r []string, widths []int, from, to int) {
	switch {
	case len(r) == 1:
		text := strings.TrimLeft(r[0], " ")
		Line(w, text, r[0][:len(r[0])-len(text)])
		return
	case from > t.Left && len(r) <= from:
		return
	}
	lines := 1
	cells := list.Map(r, func(c string) []string { return []string{c} })
	for i, c := range r {
		if lipgloss.Width(c) > widths[i] {
			cells[i] = plane.Wrap(c, widths[i])
			lines = max(lines, len(cells[i]))
		}
	}
	for y := range lines {
		var b strings.Builder
		for i := range r[:min(to, len(r))] {
			if i >= t.Left && i < from {
				continue
			}
			c := ""
			if y < len(cells[i]) {
				c = cells[i][y]
			}
			pad := strings.Repeat(" ", max(0, widths[i]-lipgloss.Width(c)))
			if i > 0 {
				b.WriteString(gap)
			}
			if i < t.Left {
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

// CellWidth is the width of the widest number in a table, and ErrorWidth the widest with its error.
const (
	CellWidth  = 9
	ErrorWidth = 40
)

// WriteRun writes a run's result for people.
func WriteRun(w io.Writer, r engine.Result, p *targets.Problem) {
	Line(w, fmt.Sprintf("%s  seed %d", Header(p), r.Config.Seed), "")
	fmt.Fprintln(w)
	writeLanes(w, r.Lanes)
	for _, l := range r.Lanes {
		if l.Diverged != nil {
			fmt.Fprintln(w)
			Line(w, fmt.Sprintf("%s %s %s at step %s: %s", l.Lane, wording.Title(l.Sampler),
				wording.Stopped(l.Diverged), plane.Count(l.Diverged.Step), l.Diverged.Reason()), "")
		}
	}
	for _, l := range r.Lanes {
		fmt.Fprintf(w, "\n%s %s%s\n", l.Lane, wording.Title(l.Sampler), ownError(l))
		writeFinding(w, r.Findings, l.Lane)
		writeCoordinates(w, l)
		for _, n := range slices.Concat(l.Notes, ofWhole(l, p)) {
			Line(w, "note: "+printable.Line(n), "  ")
		}
	}
	if slices.ContainsFunc(r.Findings, func(f engine.Finding) bool { return f.Lane == "" }) {
		fmt.Fprintln(w)
		writeFinding(w, r.Findings, "")
	}
}

// writeFinding writes the first finding of a lane, and what to do, but that it has diverged, which stands above.
func writeFinding(w io.Writer, all []engine.Finding, lane string) {
	i := slices.IndexFunc(all, func(f engine.Finding) bool { return f.Lane == lane })
	if i < 0 || all[i].Key == "diverged" {
		return
	}
	text := all[i].Text
	if all[i].Proposes != "" {
		text += " (" + all[i].Proposes + ")"
	}
	Line(w, text, "  ")
}

// Header names a problem. The title of a model is its command, which its Spec has.
func Header(p *targets.Problem) string {
	if _, model := targets.Command(p.Spec); model {
		return printable.Line(p.Spec)
	}
	return printable.Line(p.Spec + "  " + p.Title)
}

// samples reports whether a lane's draws are a chain's.
func samples(l engine.LaneResult) bool { return l.Kind == sampler.Sampling.String() }

// Shown are the quantities that a table has of some lanes.
func Shown(lanes []engine.LaneResult) (all []quantity.ID) {
	for id := range quantity.ID(quantity.N) {
		if quantity.All[id].Result &&
			slices.ContainsFunc(lanes, func(l engine.LaneResult) bool { return l.Shown(id).Applies() }) {
			all = append(all, id)
		}
	}
	return all
}

// writeLanes writes what the lanes are, and a column for each quantity that some lane has.
func writeLanes(w io.Writer, lanes []engine.LaneResult) {
	t := Table{Left: 2, rows: make([][]string, len(lanes)+1)}
	column := func(head string, cell func(engine.LaneResult) string) {
		t.rows[0] = append(t.rows[0], head)
		for i, l := range lanes {
			t.rows[i+1] = append(t.rows[i+1], printable.Line(cell(l)))
		}
	}
	some := func(has func(engine.LaneResult) bool) bool { return slices.ContainsFunc(lanes, has) }
	column("lane", func(l engine.LaneResult) string { return l.Lane })
	column("sampler", func(l engine.LaneResult) string { return wording.Title(l.Sampler) })
	if some(func(l engine.LaneResult) bool { return !samples(l) }) {
		column("kind", func(l engine.LaneResult) string { return l.Kind })
	}
	column("ε", func(l engine.LaneResult) string { return num(l.Eps) })
	if some(func(l engine.LaneResult) bool { return l.LR != 0 && l.LR != l.Eps/2 }) { // without data h is ε/2
		column("h", func(l engine.LaneResult) string { return num(l.LR) })
	}
	column("steps", func(l engine.LaneResult) string { return plane.Count(l.Steps) })
	column("draws", func(l engine.LaneResult) string { return plane.Count(l.Draws) })
	column("steps/s", func(l engine.LaneResult) string { return num(l.StepsPerSecond) })
	for _, id := range Shown(lanes) {
		q := &quantity.All[id]
		column(q.Symbol, func(l engine.LaneResult) string {
			return wording.Estimate(q.Form, l.Shown(id), CellWidth)
		})
	}
	t.Write(w)
}

// ownError says beside a lane's errors what is known of its bias.
func ownError(l engine.LaneResult) string {
	switch own := slices.ContainsFunc(l.Coords, func(c quantity.CoordValues) bool { return c[quantity.MCSE].OK() }); {
	case l.BiasUnknown:
		return ": each ± is the chain's own error, bias not known"
	case own:
		return ": each ± is the chain's own error"
	}
	return ""
}

func writeCoordinates(w io.Writer, l engine.LaneResult) {
	t := Table{Left: 1}
	columns := l.Columns()
	t.Add(append([]string{"  coordinate"},
		list.Map(columns, func(id quantity.CoordID) string { return coordinateHead(l, id) })...)...)
	for i, name := range l.Names[:min(len(l.Names), maxCoordinates)] {
		cells := []string{"  " + name}
		for _, id := range columns {
			q, e := &quantity.Coordinates[id], l.Coords[i][id]
			if q.HasError() && e.OK() && e.Error > 0 {
				cells = append(cells, wording.WithError(q.Form, e.Value, e.Error, ErrorWidth))
			} else {
				cells = append(cells, wording.Estimate(q.Form, e, CellWidth))
			}
		}
		t.Add(cells...)
	}
	t.Write(w)
	if more := len(l.Names) - maxCoordinates; more > 0 {
		fmt.Fprintf(w, "  and %s more, see --json\n", plane.Count(uint64(more)))
	}
}

// coordinateHead is the head of a quantity's column.
func coordinateHead(l engine.LaneResult, id quantity.CoordID) string {
	q := &quantity.Coordinates[id]
	switch {
	case id == quantity.Mean && l.Kind == sampler.Optimising.String():
		return "mean of the path"
	case q.Head != "":
		return q.Head
	case q.ErrorKey != "" || q.Error != 0 && l.Applies(q.Error):
		return q.Symbol + " ± MCSE"
	}
	return q.Symbol
}

func num(x engine.Num) string { return plane.Number(float64(x), CellWidth) }

// Width is that of running text.
const Width = 100

// widthOf is the width of a terminal, but at most most, which is the width of anything else.
func widthOf(w io.Writer, most int) int {
	if c, ok := w.(interface{ Columns() int }); ok && c.Columns() > 0 {
		return min(c.Columns(), most)
	}
	return most
}

// Paragraph writes a paragraph, its first line after a mark.
func Paragraph(w io.Writer, text, mark string) {
	writeWrapped(w, plane.Wrap(text, widthOf(w, Width)-len(mark)), mark)
}

// Line writes a line after a mark, in several where a terminal is too narrow for it.
func Line(w io.Writer, text, mark string) {
	lines, room := []string{text}, widthOf(w, math.MaxInt)-len(mark)
	if lipgloss.Width(text) > room {
		lines = plane.Wrap(text, room)
	}
	writeWrapped(w, lines, mark)
}

func writeWrapped(w io.Writer, lines []string, mark string) {
	for _, line := range lines {
		fmt.Fprintln(w, mark+line)
		mark = strings.Repeat(" ", len(mark))
	}
}
