package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/study"
)

func (e *env) mergeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "merge FILE…",
		Short: "Join the results files of all shards",
		Long: "Join the results files of all shards of a sweep or of a reproduction, and print or write what a single run of everything would give. " +
			"A shard that is missing, there twice, not finished, or of something else is an error that names it.",
		Example: "psgld-tui merge cells/results-*-of-4.jsonl\npsgld-tui merge psgld-results/results-*-of-8.jsonl --out report",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("merge needs the results files of all shards, such as %s", filepath.Join(resultsFolder, shardNames(8)))
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{strings.TrimPrefix(resultsExt, ".")}, cobra.ShellCompDirectiveFilterFileExt),
	}
	var o reproduceOptions
	c.Flags().Var(textFlag{&o.out, "DIR"}, "out", "the report's folder, of a reproduction; that of the first FILE by default")
	var dir string
	dataFlag(c, &dir)
	c.Flags().BoolVar(&o.show, "show", false, "draw a reproduction's figures in the terminal")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	must(c.MarkFlagDirname("out"))
	c.RunE = func(_ *cobra.Command, args []string) error {
		m, err := study.Merge(args)
		if err != nil {
			return failed(err)
		}
		around := surroundings{data: dir}
		switch {
		case m.Request.Has(study.RequestedSweep) && o.out != "":
			return fmt.Errorf("--out is for a reproduction's report, and %s is printed", m.Plan)
		case m.Request.Has(study.RequestedSweep) && o.show:
			return fmt.Errorf("--show is for a reproduction's figures, and %s has none", m.Plan)
		case m.Request.Has(study.RequestedSweep):
			return e.mergeSweep(m, args[0], o.json)
		case m.Request.Has(reproduce.Kind):
			if o.out == "" {
				o.out = filepath.Dir(args[0])
			}
			rt := around.runtime()
			return e.mergeReproduction(m, args, rt, around.again(), o)
		}
		return failed(fmt.Errorf("%s does not say what it was asked for", args[0]))
	}
	return c
}

// mergeSweep prints a sweep. path is one of its files.
func (e *env) mergeSweep(m study.Merged, path string, asJSON bool) error {
	s, asked, err := m.Sweep()
	if err != nil {
		return failed(fmt.Errorf("%s: %w", path, err))
	}
	return e.finishSweep(&sweep{Sweep: *s, version: m.Version, title: asked.Title, truth: asked.Truth}, m.Outcomes, asJSON)
}
