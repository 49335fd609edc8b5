package cli

import (
	"cmp"
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
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// resultsFolder is where a reproduction goes if nothing else is said.
const resultsFolder = "psgld-results"

// listWord asks for the list instead of experiments.
const listWord = "list"

func (e *env) reproduceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reproduce ID…|all|list",
		Short: "Reproduce the paper's tables and figures",
		Long: "Run the paper's experiments and write a report: report.md with a page an experiment, report.html " +
			"and results.json. list shows the experiments. " +
			"Every session is on disk when it is done; an interrupted run goes on where it stopped and gives the " +
			"same digits. " +
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
			each := func(x paper.Experiment) string { return x.ID + "\t" + x.Title }
			return append(all, list.Map(reproduce.Experiments(), each)...), cobra.ShellCompDirectiveNoFileComp
		},
	}
	reading, scale, seed, repeats := paper.Reading(""), paper.Quick, uint64(grammar.DefaultSeed), 0
	var o studies.Options
	var parts shardFlags
	var around surroundings
	addChoice(c, &reading, "protocol", "the reading: the paper's text or its authors' code; both by default",
		paper.Text, paper.Authors)
	addChoice(c, &scale, "scale", "quick ("+quickMeaning+") or full (the text's own numbers); quick by default",
		paper.Quick, paper.Full)
	c.Flags().Var(readFlag{kind: "NUMBER", read: func(s string) error {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil || n > studies.MaxSeed {
			return fmt.Errorf("must be a whole number from 0 to %d, got %s", uint64(studies.MaxSeed),
				quoteUnlessNumber(s))
		}
		seed = n
		return nil
	}}, "seed", "seed of the first repeat; 1 by default")
	addRepeats(c, &repeats, "seeds per session; by default as many as the experiment has")
	parts.add(c, "DIR", "the folder of the results and the report; "+resultsFolder+" by default")
	around.add(c)
	c.Flags().BoolVar(&o.Show, "show", false, "draw the figures in the terminal")
	c.Flags().BoolVar(&o.Watch, "watch", false,
		"show figures and tables as they grow, with the time left; the arrows go from point to point, and enter "+
			"opens a point's session on the screen")
	c.Flags().Var(timeFlag(&o.For, "", "1s", "999h"), "for",
		"run for so long at most, and report what is done; a second seed of rows that have one comes first, then rows "+
			"that have none")
	pods := 0
	addCount(c, &pods, "cells", "COUNT", 1000, "a whole number from 1 to 1000",
		"run nothing, and print an indexed Kubernetes Job of so many pods, which run a shard each")
	c.Flags().BoolVar(&o.Done, "only-done", false, "run nothing, and report the sessions that are done")
	c.Flags().BoolVar(&o.JSON, "json", false, "print results.json on one line")
	c.RunE = func(c *cobra.Command, args []string) error {
		rt := around.runtime()
		ids := args
		if args[0] == listWord {
			ids = []string{"all"}
		}
		r, err := reproduce.New(ids, reading, scale, seed, repeats)
		if err != nil {
			return err
		}
		if o.Watch && args[0] == listWord {
			return fmt.Errorf("--watch shows sessions that run, and %s runs none", listWord)
		}
		if o.Watch && !(console.IsTerminal(e.Out.W) && console.IsTerminal(e.In)) {
			return errors.New("--watch needs a terminal; without one the figures are in the report, and --show " +
				"prints them")
		}
		if args[0] == listWord {
			return e.studies().List(r, rt, o.JSON)
		}
		if pods > 0 {
			return e.studies().Manifest(r, pods, cmp.Or(around.threads, 2))
		}
		shard, _, err := studies.ParseShard(parts.shard, os.Getenv)
		if err != nil {
			return err
		}
		o.Out = cmp.Or(parts.out, resultsFolder)
		if info, err := os.Stat(o.Out); err == nil && !info.IsDir() {
			return console.Failed(fmt.Errorf("--out: cannot write in %s: is no folder", o.Out))
		}
		known, err := e.studies().Known(parts.from)
		if err != nil {
			return err
		}
		o.From = parts.from
		return e.studies().Reproduce(c.Context(), r, shard, known, rt, around.again(), o)
	}
	return c
}

// quickMeaning says what the quick scale is.
const quickMeaning = "smaller networks, fewer epochs or draws: a look"

// addChoice adds a flag that has one of some values.
func addChoice[T ~string](c *cobra.Command, to *T, name, doc string, values ...T) {
	words := list.Map(values, func(v T) string { return string(v) })
	c.Flags().Var(readFlag{kind: strings.Join(words, "|"), read: func(s string) error {
		v := T(strings.ToLower(s))
		if !slices.Contains(values, v) {
			return fmt.Errorf("must be %s, got %q", strings.Join(words, " or "), s)
		}
		*to = v
		return nil
	}}, name, doc)
	console.Must(c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
}

func (e *env) mergeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "merge FILE…",
		Short: "Join the results files of all shards",
		Long: "Join the results files of all shards of a sweep or of a reproduction, and print or write what a " +
			"single run of everything would give. " +
			"A shard that is missing, there twice, not finished, or of something else is an error that names it.",
		Example: "psgld-tui merge cells/results-*-of-4.jsonl\npsgld-tui merge psgld-results/results-*-of-8.jsonl " +
			"--out report",
		Args: needs("the results files of all shards, such as " + filepath.Join(resultsFolder, studies.ShardNames(8))),
		ValidArgsFunction: cobra.FixedCompletions([]string{strings.TrimPrefix(studies.ResultsExt, ".")},
			cobra.ShellCompDirectiveFilterFileExt),
	}
	var o studies.Options
	addText(c, &o.Out, "out", "DIR", "the report's folder, of a reproduction; that of the first FILE by default")
	var around surroundings
	dataFlag(c, &around.data)
	c.Flags().BoolVar(&o.Show, "show", false, "draw a reproduction's figures in the terminal")
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON document")
	c.RunE = func(_ *cobra.Command, args []string) error {
		m, err := study.Merge(args)
		if err != nil {
			return console.Failed(err)
		}
		switch {
		case m.Request.Has(study.RequestedSweep) && o.Out != "":
			return fmt.Errorf("--out is for a reproduction's report, and %s is printed", m.Plan)
		case m.Request.Has(study.RequestedSweep) && o.Show:
			return fmt.Errorf("--show is for a reproduction's figures, and %s has none", m.Plan)
		case m.Request.Has(study.RequestedSweep):
			return e.studies().MergeSweep(m, args[0], o.JSON)
		case m.Request.Has(reproduce.Kind):
			o.Out = cmp.Or(o.Out, filepath.Dir(args[0]))
			return e.studies().MergeReproduction(m, args, around.runtime(), around.again(), o)
		}
		return console.Failed(fmt.Errorf("%s does not say what it was asked for", args[0]))
	}
	return c
}
