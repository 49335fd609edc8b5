package cli

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cmdline"
)

// A sweepDoc is the JSON document of a sweep.
type sweepDoc struct {
	Version string           `json:"version"`
	Config  engine.Config    `json:"config"` // of every cell, but for its values and seed
	Grid    map[string][]any `json:"grid"`
	Repeats int              `json:"repeats"`
	Cells   []cell           `json:"cells"`
}

// A cell is one session of a sweep.
type cell struct {
	Values map[string]any      `json:"values"`
	Repeat int                 `json:"repeat"`
	Seed   uint64              `json:"seed"`
	Lanes  []engine.LaneResult `json:"lanes"`

	point int // on the grid
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
	must(c.RegisterFlagCompletionFunc("grid", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var all []string
		for _, k := range append(cmdline.ParamKeys(), "lr") {
			all = append(all, k+"=")
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}))
	c.RunE = func(c *cobra.Command, _ []string) error {
		rt, err := around.runtime()
		if err != nil {
			return err
		}
		n := 1
		if repeats != "" {
			if n, err = strconv.Atoi(repeats); err != nil || n < 1 || n > maxCells {
				return fmt.Errorf("--repeats must be a whole number from 1 to %d, got %s", maxCells, quoteUnlessNumber(repeats))
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
		s := sweep{cfg: limited(cfg, p), p: p, grid: axes, repeats: n, threads: rt.Threads}
		if err := s.check(); err != nil {
			return err
		}
		return e.sweep(c.Context(), &s, asJSON)
	}
	return c
}

func (e *env) sweep(ctx context.Context, s *sweep, asJSON bool) error {
	bar := startProgress(e.err, s.progress)
	cells, err := s.run(ctx)
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
		return &failure{exitInterrupted, fmt.Errorf("interrupted after %d of %d cells", len(cells), s.total())}
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

// A sweep runs a config at every point of a grid.
type sweep struct {
	cfg     engine.Config
	p       *targets.Problem
	grid    []axis
	repeats int
	threads int // 0 for all cores

	done atomic.Int64 // cells
}

func (s *sweep) total() int { return size(s.grid) * s.repeats }

// check validates every point before anything runs.
func (s *sweep) check() error {
	if size(s.grid) > maxCells/s.repeats {
		return fmt.Errorf("--grid and --repeats ask for more than %d cells", maxCells)
	}
	if s.cfg.Seed > math.MaxUint64-uint64(s.repeats) {
		return fmt.Errorf("--seed must leave room for %d repeats, got %d", s.repeats, s.cfg.Seed)
	}
	for i := range size(s.grid) {
		if err := on(s.cfg, s.grid, i).Validate(s.p); err != nil {
			return err
		}
	}
	return nil
}

// run runs the cells, as many at a time as there are threads, one thread each:
// what a cell yields does not depend on when or where it ran. When ctx ends
// it returns the cells that are whole.
func (s *sweep) run(ctx context.Context) ([]cell, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	all := make([]*cell, s.total())
	var next atomic.Int64
	var wg sync.WaitGroup
	threads := s.threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var fault error
	var once sync.Once
	for range min(threads, len(all)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1) - 1)
				if i >= len(all) {
					return
				}
				c, err := s.cell(ctx, i)
				if err != nil {
					if ctx.Err() == nil {
						once.Do(func() { fault = err })
						stop(err)
					}
					return
				}
				all[i] = &c
				s.done.Add(1)
			}
		})
	}
	wg.Wait()
	if fault != nil {
		return nil, fault
	}
	cells := make([]cell, 0, len(all))
	for _, c := range all {
		if c != nil {
			cells = append(cells, *c)
		}
	}
	return cells, nil
}

// cell runs the i-th cell: the repeats of a point are neighbours.
func (s *sweep) cell(ctx context.Context, i int) (cell, error) {
	c := cell{point: i / s.repeats, Repeat: i % s.repeats, Values: map[string]any{}}
	for k, j := range at(s.grid, c.point) {
		c.Values[s.grid[k].key] = s.grid[k].json(j)
	}
	cfg := on(s.cfg, s.grid, c.point)
	cfg.Seed += uint64(c.Repeat)
	c.Seed = cfg.Seed
	session, err := engine.NewSession(cfg, s.p, engine.Runtime{Threads: 1})
	if err != nil {
		return c, err
	}
	if err := session.Run(ctx); err != nil {
		return c, err
	}
	c.Lanes = session.Result(Version()).Lanes
	return c, nil
}

func (s *sweep) document(cells []cell) sweepDoc {
	d := sweepDoc{Version: Version(), Config: s.cfg, Grid: map[string][]any{}, Repeats: s.repeats, Cells: cells}
	for _, a := range s.grid {
		for i := range a.values {
			d.Grid[a.key] = append(d.Grid[a.key], a.json(i))
		}
	}
	return d
}

func (s *sweep) progress() (float64, string) {
	done, total := s.done.Load(), s.total()
	return float64(done) / float64(total), fmt.Sprintf("%d of %d cells", done, total)
}
