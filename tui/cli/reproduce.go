package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/study"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// resultsFolder is where a reproduction goes if nothing else is said.
const resultsFolder = "psgld-results"

// listWord asks for the list instead of experiments.
const listWord = "list"

// reproduceOptions are the flags of reproduce that say what is shown of it.
type reproduceOptions struct {
	out  string
	from []string // results files that sessions were taken over from
	show bool
	json bool
	done bool // what is done is reported, and nothing is run
	// watch shows the figures while the sessions run.
	watch bool
}

// reproduceFlags are the flags of reproduce that say what is run.
type reproduceFlags struct {
	reading, scale, seed string
	repeats              int
}

func (e *env) reproduceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reproduce ID…|all|list",
		Short: "Reproduce the paper's tables and figures",
		Long: "Run the paper's experiments and write a report: report.md with a page an experiment, report.html and results.json. list shows the experiments. " +
			"Every session is on disk when it is done; an interrupted run goes on where it stopped and gives the same digits. " +
			"Several machines can run a part each (--shard), which merge joins.",
		Example: "psgld-tui reproduce list\n" +
			"psgld-tui reproduce all\n" +
			"psgld-tui reproduce fig1a table1 --scale full --out report\n" +
			"psgld-tui reproduce all --scale full --shard 3/8 --out report",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return fmt.Errorf("reproduce needs an ID, all or %s, which shows the IDs", listWord)
			case len(args) > 1 && (slices.Contains(args, "all") || slices.Contains(args, listWord)):
				return fmt.Errorf("reproduce takes IDs, or all or %s alone, got %s", listWord, strings.Join(args, " "))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			all := []string{"all\tevery experiment", listWord + "\tthe experiments and the time they take"}
			for _, x := range reproduce.Experiments() {
				all = append(all, x.ID+"\t"+x.Title)
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		},
	}
	var f reproduceFlags
	var o reproduceOptions
	var parts shardFlags
	var around surroundings
	choices(c, &f.reading, "protocol", "the reading: the paper's text or its authors' code; both by default", string(paper.Text), string(paper.Authors))
	choices(c, &f.scale, "scale", "quick ("+quickMeaning+") or full (the text's own numbers); quick by default", string(paper.Quick), string(paper.Full))
	c.Flags().Var(textFlag{&f.seed, "NUMBER"}, "seed", "seed of the first repeat; 1 by default")
	c.Flags().Var(repeatsFlag(&f.repeats), "repeats", "seeds per session; by default as many as the experiment has")
	parts.add(c, "DIR", "the folder of the results and the report; "+resultsFolder+" by default")
	around.add(c)
	c.Flags().BoolVar(&o.show, "show", false, "draw the figures in the terminal")
	c.Flags().BoolVar(&o.watch, "watch", false, "show figures and tables as they grow, with the time left; the arrows go from point to point, and enter opens a point's session on the screen")
	c.Flags().BoolVar(&o.done, "only-done", false, "run nothing, and report the sessions that are done")
	c.Flags().BoolVar(&o.json, "json", false, "print results.json on one line")
	must(c.MarkFlagDirname("out"))
	c.RunE = func(c *cobra.Command, args []string) error {
		rt := around.runtime()
		r, err := f.read(args)
		if err != nil {
			return err
		}
		if o.watch && args[0] == listWord {
			return fmt.Errorf("--watch shows sessions that run, and %s runs none", listWord)
		}
		if o.watch && !(isTerminal(e.out.w) && isTerminal(e.in)) {
			return errors.New("--watch needs a terminal; without one the figures are in the report, and --show prints them")
		}
		if args[0] == listWord {
			return e.listExperiments(c.Context(), r, rt, o.json)
		}
		shard, _, err := parseShard(parts.shard, os.Getenv)
		if err != nil {
			return err
		}
		if o.out = parts.out; o.out == "" {
			o.out = resultsFolder
		}
		if info, err := os.Stat(o.out); err == nil && !info.IsDir() {
			return failed(fmt.Errorf("--out: cannot write in %s: is no folder", o.out))
		}
		known, err := e.known(&parts)
		if err != nil {
			return err
		}
		o.from = parts.from
		return e.reproduce(c.Context(), r, shard, known, rt, around.again(), o)
	}
	return c
}

// quickMeaning says what the quick scale is.
const quickMeaning = "smaller networks, fewer epochs or draws: a look"

// choices adds a flag that has one of some values.
func choices(c *cobra.Command, to *string, name, doc string, values ...string) {
	c.Flags().Var(textFlag{to, strings.Join(values, "|")}, name, doc)
	must(c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// read reads the flags and arguments.
func (f *reproduceFlags) read(args []string) (reproduce.Request, error) {
	var none reproduce.Request
	reading, scale := paper.Reading(strings.ToLower(f.reading)), paper.Scale(strings.ToLower(f.scale))
	if reading != "" && reading != paper.Text && reading != paper.Authors {
		return none, fmt.Errorf("--protocol must be %s or %s, got %q", paper.Text, paper.Authors, f.reading)
	}
	if scale == "" {
		scale = paper.Quick
	}
	if scale != paper.Quick && scale != paper.Full {
		return none, fmt.Errorf("--scale must be %s or %s, got %q", paper.Quick, paper.Full, f.scale)
	}
	seed := uint64(grammar.DefaultSeed)
	if f.seed != "" {
		var err error
		if seed, err = strconv.ParseUint(f.seed, 10, 64); err != nil || seed > maxSeed {
			return none, fmt.Errorf("--seed must be a whole number from 0 to %d, got %s", uint64(maxSeed), quoteUnlessNumber(f.seed))
		}
	}
	if args[0] == listWord {
		args = []string{"all"}
	}
	r, err := reproduce.New(args, reading, scale, seed, f.repeats)
	if unknown := (*reproduce.Unknown)(nil); errors.As(err, &unknown) {
		err = fmt.Errorf("%w; see reproduce list", err)
	}
	return r, err
}

// maxSeed leaves room for the seeds of the repeats.
const maxSeed = 1<<63 - 1

// sections makes the sections of a reproduction, and their plan.
func sections(r reproduce.Request, rt session.Runtime) (*study.Targets, []reproduce.Section, study.Plan, error) {
	t := &study.Targets{Options: targets.Options{DataDir: rt.DataDir}}
	all, err := r.Sections(t)
	if err != nil {
		return t, nil, study.Plan{}, failed(err)
	}
	return t, all, r.Plan(all), nil
}

// reproduce runs a shard of a reproduction, and writes the report if that is all.
func (e *env) reproduce(ctx context.Context, r reproduce.Request, shard study.Shard, known map[string]study.Outcome, rt session.Runtime, again []string, o reproduceOptions) error {
	opened, all, plan, err := sections(r, rt)
	if err != nil {
		return err
	}
	path := filepath.Join(o.out, shardName(shard))
	store, err := openResults(path, plan, shard)
	if err != nil {
		return err
	}
	defer store.Close() // each line was synced
	kept := &study.Predictions{Dir: filepath.Join(o.out, study.PredictionsFolder), From: study.PredictionsBeside(o.from)}
	run := &study.Runner{Jobs: plan.Part(shard), Threads: rt.Threads, Open: opened.OpenJob, Command: cellCommand(again), Store: store, Known: known, Predictions: kept, DoneOnly: o.done}
	by := e.withBar
	if o.watch {
		by = (&watching{e, all, kept, opened, rt, again}).run
	}
	outcomes, err := e.runPart(ctx, run, by, path, o.json)
	if err != nil || shard != study.All {
		return err
	}
	return e.writeReport(r, all, outcomes, kept, Version(), again, o)
}

// mergeReproduction writes the report of what was merged from files.
func (e *env) mergeReproduction(m study.Merged, files []string, rt session.Runtime, again []string, o reproduceOptions) error {
	var r reproduce.Request
	path := files[0]
	if err := m.Request.Read(reproduce.Kind, &r); err != nil {
		return failed(fmt.Errorf("%s: %w", path, err))
	}
	if r.Scale != paper.Quick && r.Scale != paper.Full || r.Seed > maxSeed || r.Repeats < 0 || r.Repeats > len(m.Outcomes) { // else the plan may be of any size
		return failed(fmt.Errorf("%s: the request is of no reproduction", path))
	}
	_, all, plan, err := sections(r, rt)
	if err != nil {
		return err
	}
	if plan.Hash() != m.Hash {
		return failed(fmt.Errorf("%s is by version %s of the program, and this (%s) makes other sessions of %q: merge with that version and the same data (--data)",
			path, m.Version, Version(), m.Plan))
	}
	if err := m.Check(plan); err != nil {
		return failed(fmt.Errorf("%s: %w", path, err))
	}
	kept := &study.Predictions{Dir: filepath.Join(o.out, study.PredictionsFolder), From: study.PredictionsBeside(files)}
	for _, o := range m.Outcomes {
		if plan.Jobs[o.At].Keep.Predictions {
			if err := kept.Take(o); err != nil {
				return failed(err)
			}
		}
	}
	return e.writeReport(r, all, m.Outcomes, kept, m.Version, again, o)
}

// watching shows the figures of a reproduction while its sessions run.
type watching struct {
	*env
	sections []reproduce.Section
	kept     *study.Predictions
	opened   *study.Targets
	rt       session.Runtime
	again    []string
}
