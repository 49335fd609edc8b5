package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/printable"

	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A sweepDoc is the JSON document of a sweep.
type sweepDoc struct {
	Version string           `json:"version"`
	Config  engine.Config    `json:"config"` // of every cell, but for its values and seed
	Grid    map[string][]any `json:"grid"`
	Repeats int              `json:"repeats"`
	Cells   []study.Cell     `json:"cells"`

	Truth *engine.TruthResult `json:"truth,omitempty"`
}

// write writes the document as writeJSON does, cell by cell: all of many cells'
// text at once is more than the cells themselves.
func (d sweepDoc) write(w io.Writer) {
	cells := d.Cells
	d.Cells = []study.Cell{}
	b, err := json.Marshal(d)
	must(err)
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
		must(err)
		put(cell)
	}
	put(append(b[at:], '\n'))
}

func (e *env) sweepCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Run the session for every value of a grid",
		Long: "Run the session for every value of a grid, each several times on the seeds seed, seed + 1, …, " +
			"and print a table or, with --json, one JSON document. The numbers do not depend on --threads. " +
			"With --out every cell is on disk when it is done, an interrupted sweep goes on where it stopped, " +
			"and several machines can run a part each (--shard), which merge joins.",
		Example: "psgld-tui sweep --grid eps=1e-3:1:log:20 --repeats 10\n" +
			"psgld-tui sweep --samplers psgld --grid eps=0.1,0.3 --grid alpha=0.9,0.99,0.999 --json\n" +
			"psgld-tui sweep --grid eps=1e-3:1:log:20 --repeats 10 --out cells --shard 1/4",
	}
	var from sessionFlags
	from.add(c)
	var grid []string
	var repeats int
	var asJSON bool
	var parts shardFlags
	c.Flags().StringArrayVar(&grid, "grid", nil, "KEY=a,b,c or KEY=lo:hi:log:n or KEY=lo:hi:lin:n; may be given for several keys")
	c.Flags().Var(repeatsFlag(&repeats), "repeats", "sessions per value, each on its own seed; 1 by default")
	parts.add(c, "FILE|DIR", "keep every cell in FILE"+resultsExt+" or in a results file in DIR")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	must(c.RegisterFlagCompletionFunc("grid", completeGrid))
	c.RunE = func(c *cobra.Command, _ []string) error {
		shard, variable, err := parseShard(parts.shard, os.Getenv)
		if err != nil {
			return err
		}
		if shard != study.All && parts.out == "" {
			if variable != "" {
				return fmt.Errorf("shard %v, which %s asks for, needs --out, where merge finds it; --shard 1/1 is the whole sweep", shard, variable)
			}
			return fmt.Errorf("--shard %v needs --out, where merge finds it", shard)
		}
		if len(grid) == 0 { // before the data are read
			_, err := grammar.ParseGrid(nil, nil, nil)
			return err
		}
		cfg, p, rt, err := from.open()
		if err != nil {
			return err
		}
		if len(rt.Replay) > 0 {
			return errors.New("--moves is for one session, and a sweep runs many; --grid turns parameters from the start")
		}
		axes, err := grammar.ParseGrid(grid, p, cfg.Lanes)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(axes, func(a study.Axis) bool { return engine.OfTarget(a.Key) }) {
			for i, l := range cfg.Lanes {
				cfg.Lanes[i] = l.On(p)
			}
		}
		s := &sweep{Sweep: study.Sweep{Config: limited(cfg, p, nil), Problem: p, Grid: axes, Repeats: max(repeats, 1), Threads: rt.Threads, Truths: truths(rt.Threads)},
			version: Version(), title: text.Header(p)}
		if err := s.Validate(); err != nil {
			return wording.Flag(err)
		}
		known, err := e.known(&parts)
		if err != nil {
			return err
		}
		if err := e.findTruth(c.Context(), s.Config, p, s.Truths); err != nil {
			return err
		}
		s.truth = engine.TruthOf(p)
		r := s.Runner(shard)
		r.Known = known
		path := ""
		if parts.out != "" {
			plan := s.Plan()
			plan.Request = study.NewRequest(study.RequestedSweep, s.Request(s.title, s.truth))
			path = resultsPath(parts.out, shard)
			if r.Store, err = openResults(path, plan, shard); err != nil {
				return err
			}
			defer r.Store.Close() // each line was synced
			r.Command = cellCommand(from.again())
		}
		return e.sweep(c.Context(), s, r, path, asJSON)
	}
	return c
}

func repeatsFlag(to *int) countFlag {
	return countFlag{to, "COUNT", 1, study.MaxCells, fmt.Sprintf("a whole number from 1 to %d", study.MaxCells)}
}

// sweep runs a shard of s. path is the results file, empty for none.
func (e *env) sweep(ctx context.Context, s *sweep, r *study.Runner, path string, asJSON bool) error {
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

func (e *env) printSweep(s *sweep, outcomes []study.Outcome, asJSON bool) []study.Cell {
	cells := s.Cells(outcomes)
	if asJSON {
		s.document(cells).write(raw{e.out})
	} else {
		s.writeTable(e.out, cells)
	}
	return cells
}

// finishSweep prints a whole sweep, and says so if nothing came of it.
func (e *env) finishSweep(s *sweep, outcomes []study.Outcome, asJSON bool) error {
	cells := e.printSweep(s, outcomes, asJSON)
	lost := 0
	for _, c := range cells {
		if outcome(c.Lanes) != nil {
			lost++
		}
	}
	if lost == len(cells) {
		return &failure{exitDiverged, fmt.Errorf("every lane of all %d cells diverged", lost)}
	}
	return nil
}

// A sweep is a study's with what its document and table say besides.
type sweep struct {
	study.Sweep
	version string
	title   string // of the target
	truth   *engine.TruthResult
}

func (s *sweep) document(cells []study.Cell) sweepDoc {
	for _, c := range cells {
		text.AddNotes(c.Lanes, s.Problem)
	}
	d := sweepDoc{Version: s.version, Config: s.Config, Grid: map[string][]any{}, Repeats: s.Repeats, Cells: cells, Truth: s.truth}
	for _, a := range s.Grid {
		for i := range a.Values {
			d.Grid[a.Key] = append(d.Grid[a.Key], a.JSON(i))
		}
	}
	return d
}
