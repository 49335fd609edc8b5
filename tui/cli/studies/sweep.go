package studies

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A SweepDoc is the JSON document of a sweep.
type SweepDoc struct {
	Version string           `json:"version"`
	Config  state.Config     `json:"config"` // of every cell, but for its values and seed
	Grid    map[string][]any `json:"grid"`
	Repeats int              `json:"repeats"`
	Cells   []study.Cell     `json:"cells"`

	Truth   *engine.TruthResult `json:"truth,omitempty"`
	Verdict verdictDoc          `json:"verdict"`
}

// A verdictDoc is what a sweep says, in its document.
type verdictDoc struct {
	Lanes   []laneDoc `json:"lanes"`             // those that have a parameter of the grid
	Missing *string   `json:"missing"`           // why no value is best, or where more would be told
	Command string    `json:"command,omitempty"` // the line that resolves what is missing
}

// A laneDoc is what a sweep says of a lane.
type laneDoc struct {
	Lane    string         `json:"lane"`
	Sampler string         `json:"sampler"`
	Best    map[string]any `json:"best"`         // values of the grid; null where none stands out
	By      string         `json:"by,omitempty"` // the quantity
	Text    string         `json:"text"`         // which is best, and those that cannot be told from it; why none is
	Bound   string         `json:"bound"`        // from where on it diverges
}

// verdict is what the cells say.
func (s *Sweep) verdict(cells []study.Cell) (d verdictDoc) {
	k := scan.Of(&s.Sweep, cells)
	point, text := func(i int) int { return i }, s.Grid.Text // of a place in a lane's row
	g := wording.Grid{Known: &k, AskSteps: "--steps", AskSeeds: "--repeats", AskTruth: "--truth hmc"}
	if axis := s.Grid[0]; len(s.Grid) == 1 {
		point, text = func(i int) int { return slices.Index(axis.Values, k.Values[i]) }, axis.Text
		g.Symbol = axis.Key
	}
	g.Text = func(i int) string { return text(point(i)) }
	v, cfg := g.Verdict(), s.Config
	blind := func(b scan.Best) bool { return b.At >= 0 && quantity.All[b.By].Needs == quantity.TestSet }
	if s.Problem != nil && s.Problem.F64 != nil && !cfg.Bias && slices.ContainsFunc(v.Best, blind) {
		v.More, cfg.Bias = "scores cannot see the bias of the step: --bias tells the expected error", true
	}
	for _, l := range v.Lanes {
		lane := laneDoc{Lane: state.LaneLetter(l.ID), Sampler: s.Config.Lanes[l.ID].Sampler, Bound: l.Bound}
		if v.Why == "" {
			lane.Text = g.Best(&l)
		}
		if l.At >= 0 {
			lane.By, lane.Best = quantity.All[l.Best.By].Key, s.Grid.JSON(point(l.At))
		}
		d.Lanes = append(d.Lanes, lane)
	}
	if why := strings.Trim(v.Why+"; "+v.More, "; "); why != "" {
		d.Missing = &why
	}
	if v.Steps > 0 {
		cfg = cfg.Unlimited()
		cfg.Steps = v.Steps
	}
	if v.Truth {
		cfg.Truth = state.Truth{Sampler: "hmc"}
	}
	again := v.Steps > 0 || v.Seeds > 0 || v.Truth || cfg.Bias != s.Config.Bias // else it says the same
	if s.Problem != nil && d.Missing != nil && again {
		words := []string{"sweep", "--repeats", strconv.Itoa(max(v.Seeds, s.Repeats))}
		for _, axis := range s.Asked {
			words = append(words, "--grid", axis)
		}
		d.Command = grammar.CommandLine(cfg, s.Problem, words...)
	}
	return d
}

// write writes the document as console.WriteJSON does, cell by cell: all of many cells'
// text at once is more than the cells themselves.
func (d SweepDoc) write(w io.Writer) {
	cells := d.Cells
	d.Cells = []study.Cell{}
	b, err := json.Marshal(d)
	console.Must(err)
	const empty = `"cells":[]`
	at := bytes.LastIndex(b, []byte(empty)) + len(empty) - 1 // what follows it is the truth, which has none
	out := bufio.NewWriter(w)
	defer func() { _ = out.Flush() }() // the writer below remembers its error
	put := func(b []byte) { _, _ = out.Write(printable.JSON(b)) }
	put(b[:at])
	for i := range cells {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		cell, err := json.Marshal(&cells[i])
		console.Must(err)
		put(cell)
	}
	put(append(b[at:], '\n'))
}

// Sweep runs a shard of s. path is the results file, empty for none.
func (e *Env) Sweep(ctx context.Context, s *Sweep, r *study.Runner, path string, asJSON bool) error {
	outcomes, err := e.runPart(ctx, r, e.withBar, path, asJSON)
	switch {
	case r.Jobs.Shard != study.All || err != nil && ctx.Err() == nil:
		return err
	case err != nil:
		e.printSweep(s, outcomes, asJSON)
		return err
	}
	return e.finishSweep(s, outcomes, asJSON)
}

func (e *Env) printSweep(s *Sweep, outcomes []study.Outcome, asJSON bool) []study.Cell {
	cells := s.Cells(outcomes)
	if asJSON {
		s.document(cells).write(e.Out.Raw())
	} else {
		s.writeTable(e.Out, cells)
	}
	return cells
}

// finishSweep prints a whole sweep, and says so if nothing came of it.
func (e *Env) finishSweep(s *Sweep, outcomes []study.Outcome, asJSON bool) error {
	cells := e.printSweep(s, outcomes, asJSON)
	stands := func(l engine.LaneResult) bool { return l.Diverged == nil }
	if !slices.ContainsFunc(cells, func(c study.Cell) bool { return slices.ContainsFunc(c.Lanes, stands) }) {
		return console.Exit(console.ExitDiverged, fmt.Errorf("every lane of all %d cells diverged", len(cells)))
	}
	return nil
}

// A Sweep is a study.Sweep with what its document and table say besides.
type Sweep struct {
	study.Sweep
	Version string
	Title   string // of the target
	Truth   *engine.TruthResult
	Asked   []string // the texts of the grid's axes
}

func (s *Sweep) document(cells []study.Cell) SweepDoc {
	for _, c := range cells {
		text.NoteMissing(c.Lanes, s.Problem)
	}
	d := SweepDoc{Version: s.Version, Config: s.Config, Grid: map[string][]any{}, Repeats: s.Repeats, Cells: cells,
		Truth: s.Truth, Verdict: s.verdict(cells)}
	for _, a := range s.Grid {
		for i := range a.Values {
			d.Grid[a.Key] = append(d.Grid[a.Key], a.JSON(i))
		}
	}
	return d
}

// MergeSweep prints a sweep. path is one of its files.
func (e *Env) MergeSweep(m study.Merged, path string, asJSON bool) error {
	s, asked, err := m.Sweep()
	if err != nil {
		return console.Failed(fmt.Errorf("%s: %w", path, err))
	}
	return e.finishSweep(&Sweep{Sweep: *s, Version: m.Version, Title: asked.Title, Truth: asked.Truth},
		m.Outcomes, asJSON)
}

// writeTable writes a sweep for people: a row for each point of the grid and
// lane, with means over the repeats and their standard errors. A lane that lacks a parameter
// of the grid draws the same at all its values, and has one row for them.
func (s *Sweep) writeTable(w io.Writer, cells []study.Cell) {
	text.Line(w, fmt.Sprintf("%s  seed %d  repeats %d", printable.Line(s.Title), s.Config.Seed, s.Repeats), "")
	fmt.Fprintln(w)
	columns := text.Shown(list.Flat(cells, func(c study.Cell) []engine.LaneResult { return c.Lanes }))
	t := text.Table{Left: len(s.Grid) + 1}
	head := append(list.Map(s.Grid, func(a study.Axis) string { return a.Key }), "sampler")
	head = append(head, list.Map(columns, func(id quantity.ID) string { return quantity.All[id].Symbol })...)
	t.Add(append(head, "diverged")...)
	written := map[string]bool{}
	for from := 0; from < len(cells); {
		to := from
		for to < len(cells) && cells[to].Point == cells[from].Point {
			to++
		}
		for lane := range s.Config.Lanes {
			row := s.row(cells[from:to], lane, columns)
			draws := slices.Clone(row[:len(s.Grid)+1])
			digest := func(c study.Cell) string { return c.Lanes[lane].Digest }
			draws = append(draws, list.Map(cells[from:to], digest)...)
			if key := strings.Join(draws, " "); !written[key] {
				written[key] = true
				t.Add(row...)
			}
		}
		from = to
	}
	t.Write(w)
	fmt.Fprintln(w)
	d := s.verdict(cells)
	for _, l := range d.Lanes {
		said := strings.TrimPrefix(l.Text+"; "+l.Bound, "; ")
		text.Line(w, fmt.Sprintf("%s (%s): %s", wording.Title(l.Sampler), l.Lane, said), "")
	}
	if d.Missing != nil {
		text.Line(w, *d.Missing, "")
	}
	if d.Command != "" {
		text.Line(w, d.Command, "")
	}
}

// row summarises the repeats of a point in one lane. Diverged repeats count in the last column alone.
func (s *Sweep) row(repeats []study.Cell, lane int, columns []quantity.ID) []string {
	var row []string
	for k, j := range s.Grid.At(repeats[0].Point) {
		if s.Config.Lanes[lane].Has(s.Grid[k].Param.Key) {
			row = append(row, s.Grid[k].Text(j))
		} else {
			row = append(row, "–")
		}
	}
	row = append(row, state.LaneLetter(lane)+" "+wording.Title(s.Config.Lanes[lane].Sampler))
	kept := list.Filter(list.Map(repeats, func(c study.Cell) engine.LaneResult { return c.Lanes[lane] }),
		func(l engine.LaneResult) bool { return l.Diverged == nil })
	row = append(row, list.Map(columns, func(id quantity.ID) string { return meanOver(kept, id) })...)
	return append(row, fmt.Sprintf("%d of %d", len(repeats)-len(kept), len(repeats)))
}

// meanOver is a mean ± its standard error over the repeats that have a number, and says so if they are not all.
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
