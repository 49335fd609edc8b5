package studies

import (
	"fmt"
	"io"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/targets/printable"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/wording"
)

// writeTable writes a sweep for people: a row for each point of the grid and
// lane, with means over the repeats and their standard errors.
func (s *Sweep) writeTable(w io.Writer, cells []study.Cell) {
	fmt.Fprintf(w, "%s  seed %d  repeats %d\n\n", printable.Line(s.Title), s.Config.Seed, s.Repeats)
	var lanes []engine.LaneResult
	for _, c := range cells {
		lanes = append(lanes, c.Lanes...)
	}
	columns := text.Shown(lanes)
	t := text.Table{Left: len(s.Grid) + 1}
	head := append(list.Map(s.Grid, func(a study.Axis) string { return a.Key }), "sampler")
	head = append(head, list.Map(columns, func(id quantity.ID) string { return quantity.All[id].Symbol })...)
	t.Add(append(head, "diverged")...)
	for from := 0; from < len(cells); {
		to := from
		for to < len(cells) && cells[to].Point == cells[from].Point {
			to++
		}
		for lane := range s.Config.Lanes {
			t.Add(s.row(cells[from:to], lane, columns)...)
		}
		from = to
	}
	t.Write(w)
}

// row summarises the repeats of a point in one lane. Diverged repeats count in
// the last column alone.
func (s *Sweep) row(repeats []study.Cell, lane int, columns []quantity.ID) []string {
	var row []string
	for k, j := range s.Grid.At(repeats[0].Point) {
		if s.Config.Lanes[lane].Has(s.Grid[k].Param.Key) {
			row = append(row, s.Grid[k].Text(j))
		} else {
			row = append(row, "–")
		}
	}
	row = append(row, engine.LaneLetter(lane)+" "+wording.Title(s.Config.Lanes[lane].Sampler))
	var kept []engine.LaneResult
	for _, c := range repeats {
		if l := c.Lanes[lane]; l.Diverged == nil {
			kept = append(kept, l)
		}
	}
	row = append(row, list.Map(columns, func(id quantity.ID) string { return meanOver(kept, id) })...)
	return append(row, fmt.Sprintf("%d of %d", len(repeats)-len(kept), len(repeats)))
}

// meanOver is a mean ± its standard error over the repeats that have a number, and says
// so if they are not all.
func meanOver(lanes []engine.LaneResult, id quantity.ID) string {
	if len(lanes) == 0 {
		return wording.None
	}
	var over quantity.OverSeeds
	for _, l := range lanes {
		over.Add(l.Shown(id))
	}
	if over.N == 0 {
		return wording.Withheld(over.Why)
	}
	text := wording.WithError(quantity.All[id].Form, over.Mean, over.SE, text.ErrorWidth)
	if over.N < len(lanes) {
		text += fmt.Sprintf(" (%d of %d)", over.N, len(lanes))
	}
	return text
}
