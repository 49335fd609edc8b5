package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/experiment"
)

// A sweepDoc is the JSON document of a sweep.
type sweepDoc struct {
	Version string            `json:"version"`
	Config  engine.Config     `json:"config"` // of every cell, but for its values and seed
	Grid    map[string][]any  `json:"grid"`
	Repeats int               `json:"repeats"`
	Cells   []experiment.Cell `json:"cells"`

	Truth *engine.TruthResult `json:"truth,omitempty"`
}

func (e *env) sweepCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Run the session for every value of a grid",
		Long: "Run the session for every value of a grid, several times each on seeds of its own (seed, seed + 1, …), " +
			"and print a table or, with --json, one JSON document. The numbers do not depend on --threads.",
		Example: "psgld-tui sweep --grid eps=1e-3:1:log:20 --repeats 10\n" +
			"psgld-tui sweep --samplers psgld --grid eps=0.1,0.3 --grid alpha=0.9,0.99,0.999 --json",
	}
	args := sessionFlags(c)
	var around surroundings
	around.add(c)
	var grid []string
	var repeats string
	var asJSON bool
	c.Flags().StringArrayVar(&grid, "grid", nil, "KEY=a,b,c or KEY=lo:hi:log:n or KEY=lo:hi:lin:n; may be given for several keys")
	c.Flags().Var(textFlag{&repeats, "COUNT"}, "repeats", "sessions per value, on seeds of their own; 1 without it")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	must(c.RegisterFlagCompletionFunc("grid", completeGrid))
	c.RunE = func(c *cobra.Command, _ []string) error {
		rt, err := around.runtime()
		if err != nil {
			return err
		}
		n := 1
		if repeats != "" {
			if n, err = strconv.Atoi(repeats); err != nil || n < 1 || n > experiment.MaxCells {
				return fmt.Errorf("--repeats must be a whole number from 1 to %d, got %s", experiment.MaxCells, quoteUnlessNumber(repeats))
			}
		}
		if len(grid) == 0 { // before the data are read
			_, err := parseGrid(nil, nil, nil)
			return err
		}
		cfg, p, err := config(args, rt)
		if err != nil {
			return err
		}
		axes, err := parseGrid(grid, p, cfg.Lanes)
		if err != nil {
			return err
		}
		s := sweep{experiment.Sweep{Config: limited(cfg, p), Problem: p, Grid: axes, Repeats: n, Threads: rt.Threads}}
		if err := s.Validate(); err != nil {
			return err
		}
		if err := e.findTruth(c.Context(), s.Config, p, rt); err != nil {
			return err
		}
		return e.sweep(c.Context(), &s, asJSON)
	}
	return c
}

func (e *env) sweep(ctx context.Context, s *sweep, asJSON bool) error {
	bar := startProgress(e.err, s.progress)
	cells, err := s.Run(ctx)
	bar.stop()
	if err != nil {
		return failed(err)
	}
	if asJSON {
		writeJSON(e.out, s.document(cells))
	} else {
		s.writeTable(e.out, cells)
	}
	if ctx.Err() != nil {
		return &failure{exitInterrupted, fmt.Errorf("interrupted after %d of %d cells", len(cells), s.Total())}
	}
	lost := 0
	for _, c := range cells {
		if outcome(ctx, c.Lanes) != nil {
			lost++
		}
	}
	if lost == len(cells) {
		return &failure{exitDiverged, fmt.Errorf("every lane of all %d cells diverged", lost)}
	}
	return nil
}

// A sweep is an experiment.Sweep with its document and its table.
type sweep struct{ experiment.Sweep }

func (s *sweep) document(cells []experiment.Cell) sweepDoc {
	d := sweepDoc{Version: Version(), Config: s.Config, Grid: map[string][]any{}, Repeats: s.Repeats, Cells: cells, Truth: engine.TruthOf(s.Problem)}
	for _, a := range s.Grid {
		for i := range a.Values {
			d.Grid[a.Key] = append(d.Grid[a.Key], a.JSON(i))
		}
	}
	return d
}

func (s *sweep) progress() (float64, string) {
	done, total := s.Done(), s.Total()
	return float64(done) / float64(total), fmt.Sprintf("%d of %d cells", done, total)
}
