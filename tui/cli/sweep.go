package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/wording"
)

func (e *env) sweepCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Run the session for every value of a grid",
		Long: "Run the session for every value of a grid, each several times on the seeds seed, seed + 1, …, " +
			"and print a table or, with --json, one JSON document. It ends with each lane's best value and those that " +
			"cannot be told from it, or with what is missing to tell it and the command for that. The numbers do not " +
			"depend on --threads. " +
			"With --out every cell is on disk when it is done, an interrupted sweep goes on where it stopped, " +
			"and several machines can run a part each (--shard), which merge joins.",
		Example: "psgld-tui sweep --grid eps=1e-3:1:log:20 --repeats 10\n" +
			"psgld-tui sweep --samplers psgld --grid eps=0.1,0.3 --grid alpha=0.9,0.99,0.999 --json\n" +
			"psgld-tui sweep --grid eps=1e-3:1:log:20 --repeats 10 --out cells --shard 1/4",
	}
	from := sessionFlags{tell: e.Tell}
	from.add(c)
	var grid []string
	repeats := 1
	var asJSON bool
	var parts shardFlags
	c.Flags().StringArrayVar(&grid, "grid", nil,
		"KEY=a,b,c or KEY=lo:hi:log:n or KEY=lo:hi:lin:n; may be given for several keys")
	addRepeats(c, &repeats, "sessions per value, each on its own seed; 1 by default")
	parts.add(c, "FILE|DIR", "keep every cell in FILE"+studies.ResultsExt+" or in a results file in DIR")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	console.Must(c.RegisterFlagCompletionFunc("grid", completeGrid))
	c.RunE = func(c *cobra.Command, _ []string) error {
		shard, variable, err := studies.ParseShard(parts.shard, os.Getenv)
		if err != nil {
			return err
		}
		if shard != study.All && parts.out == "" {
			if variable != "" {
				return fmt.Errorf("shard %v, which %s asks for, needs --out, where merge finds it; --shard 1/1 is "+
					"the whole sweep", shard, variable)
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
		if slices.ContainsFunc(axes, func(a study.Axis) bool { return state.OfTarget(a.Key) }) {
			for i, l := range cfg.Lanes {
				cfg.Lanes[i] = l.On(p)
			}
		}
		s := &studies.Sweep{Sweep: study.Sweep{Config: limited(cfg, p, nil), Problem: p, Grid: axes, Repeats: repeats,
			Threads: rt.Threads, Truths: truths(rt.Threads)},
			Version: version.String(), Title: text.Header(p), Asked: grid}
		if err := s.Validate(); err != nil {
			return wording.Flag(err)
		}
		known, err := e.studies().Known(parts.from)
		if err != nil {
			return err
		}
		if err := e.findTruth(c.Context(), s.Config, p, s.Truths); err != nil {
			return err
		}
		s.Truth = engine.TruthOf(p)
		r := s.Runner(shard)
		r.Known = known
		path := ""
		if parts.out != "" {
			plan := s.Plan()
			plan.Request = study.NewRequest(study.RequestedSweep, s.Request(s.Title, s.Truth))
			path = studies.ResultsPath(parts.out, shard)
			if r.Store, err = studies.OpenResults(path, plan, shard); err != nil {
				return err
			}
			defer r.Store.Close() // each line was synced
			r.Command = studies.CellCommand(from.again())
		}
		return e.studies().Sweep(c.Context(), s, r, path, asJSON)
	}
	return c
}

func addRepeats(c *cobra.Command, to *int, doc string) {
	addCount(c, to, "repeats", "COUNT", study.MaxCells, fmt.Sprintf("a whole number from 1 to %d", study.MaxCells), doc)
}
