package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
)

func (e *env) mergeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "merge FILE…",
		Short: "Join the results files of all shards",
		Long: "Join the results files of all shards of a sweep or of a reproduction, and print or write what a " +
			"single run of everything would give. " +
			"A shard that is missing, there twice, not finished, or of something else is an error that names it.",
		Example: "psgld-tui merge cells/results-*-of-4.jsonl\npsgld-tui merge psgld-results/results-*-of-8.jsonl " +
			"--out report",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("merge needs the results files of all shards, such as %s",
					filepath.Join(resultsFolder, studies.ShardNames(8)))
			}
			return nil
		},
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
