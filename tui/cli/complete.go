package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// shells are those that completion has a script for.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func (e *env) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the shell's completion script",
		Example: "source <(psgld-tui completion bash)\npsgld-tui completion zsh > " +
			"\"${fpath[1]}/_psgld-tui\"\npsgld-tui completion fish | source",
		ValidArgs: shells(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("completion needs a shell; want one of %s", strings.Join(shells(), ", "))
			}
			if len(args) > 1 {
				return fmt.Errorf("completion takes one shell, got %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			write, ok := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"zsh":        root.GenZshCompletion,
				"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"powershell": root.GenPowerShellCompletionWithDesc,
			}[args[0]]
			if !ok {
				return list.Unknown("shell", args[0], shells())
			}
			return console.Failed(write(e.Out))
		},
	}
}

func complete(c *cobra.Command, f grammar.Flag) {
	values := cobra.FixedCompletions(f.Values, cobra.ShellCompDirectiveNoFileComp)
	switch {
	case f.Name == "samplers", f.Name == "method":
		values = completeSamplers
	case f.Name == "target":
		values = cobra.FixedCompletions(f.Values, cobra.ShellCompDirectiveDefault) // files too, for blr:FILE
	case f.Name == "schedule":
		values = cobra.FixedCompletions(f.Values, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	case f.Switch():
		return
	}
	console.Must(c.RegisterFlagCompletionFunc(f.Name, values))
}

// completeGrid completes an axis with the parameters that the lanes have, as far as they have been typed.
func completeGrid(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	samplers := grammar.DefaultSamplers
	if f := c.Flag("samplers"); f != nil && f.Value.String() != "" {
		samplers = f.Value.String()
	}
	keys := grammar.ParamKeys()
	if lanes, err := grammar.ParseLanes(samplers); err == nil {
		keys = list.Distinct(list.Flat(lanes, func(l grammar.LaneArg) []string {
			m, _ := catalog.Find(l.Sampler)
			return list.Map(m.All(), func(q param.Param) string { return q.Key })
		}))
	}
	return list.Map(append(keys, "lr"), func(key string) string { return key + "=" }),
		cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// methodsAfter are the completions of a text that ends where a method's name begins.
func methodsAfter(typed string) []string {
	return list.Map(catalog.Methods(), func(m sampler.Method) string { return typed + m.Name + "\t" + m.Doc })
}

// completeSamplers completes the last entry of the list: its name, or the key of a setting.
func completeSamplers(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	const how = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	last := strings.LastIndexByte(typed, ',') + 1
	entry := typed[last:]
	m, _, ok := catalog.Cut(entry)
	if !ok || strings.EqualFold(m.Name, entry) {
		return methodsAfter(typed[:last]), how
	}
	done := last + strings.LastIndexAny(entry, ":;") + 1
	var all []string
	for _, q := range m.All() {
		if len(q.Choices) == 0 {
			all = append(all, typed[:done]+q.Key+"=\t"+q.Doc)
		}
		for _, choice := range q.Choices {
			all = append(all, typed[:done]+q.Key+"="+choice+"\t"+q.Doc)
		}
	}
	return all, how
}
