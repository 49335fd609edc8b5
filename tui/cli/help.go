package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"charm.land/fang/v2"
	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

// help writes a command's help in fang's style. Fang runs a program of its own for it, since its way with errors is
// several lines and asks the terminal for its colours.
func (e *env) help(c *cobra.Command, _ []string) {
	root := e.root()
	root.SetIn(e.In)
	root.SetOut(e.Out.Styled())
	root.SetErr(e.Err)
	path := strings.Fields(c.CommandPath())[1:]
	const namesWidth, widest, edges = 90, 120, 4 // the last two are fang's
	width := e.Out.Columns()
	shown, _, err := root.Find(path)
	if width == 0 || err != nil {
		shorten(root, namesWidth)
	} else {
		fold(shown, width)
	}
	shown.Long = wrapped(shown.Long, min(cmp.Or(width, widest), widest)-edges) // fang would break a flag behind its --
	root.SetArgs(append(path, "--help"))
	err = fang.Execute(c.Context(), root, fang.WithoutManpage(), fang.WithoutCompletions(), fang.WithoutVersion(),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	console.Must(err)
}

// fold breaks the texts of a command's help at words, to a terminal's width. Fang breaks the first paragraph alone, and
// puts all else beside the widest name. A list of commands has their names, without what follows them.
func fold(c *cobra.Command, width int) {
	const (
		around    = 4 + 2        // fang's indentation, and what is between a name and its text
		narrowest = 20           // a text
		codeEdges = 8            // of the examples
		marks     = "[--flags]"  // follows a command's name
		more      = "[command] " // and this before it, if it has some of its own
	)
	column := 0
	for _, sub := range c.Commands() {
		sub.Use = sub.Name()
		name := sub.Name() + " " + marks
		if sub.HasAvailableSubCommands() {
			name += more
		}
		column = max(column, len(name))
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !special(f) {
			column = max(column, len("-h --"+f.Name))
		}
	})
	room := max(width-column-around, narrowest)
	shorten(c, room)
	for _, sub := range c.Commands() {
		sub.Short = strings.Join(plane.Wrap(sub.Short, room), "\n")
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" { // as fang has it
			f.Usage, f.DefValue = f.Usage+" ("+f.DefValue+")", ""
		}
		f.Usage = wrapped(f.Usage, room)
	})
	c.Example = eachLine(c.Example, func(l string) string { return foldCommand(strings.TrimSpace(l), width-codeEdges) })
}

// wrapped breaks each line of a text at its blanks.
func wrapped(text string, width int) string {
	return eachLine(text, func(line string) string { return strings.Join(plane.Wrap(line, width), "\n") })
}

func eachLine(text string, f func(line string) string) string {
	return strings.Join(list.Map(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), f), "\n")
}

// foldCommand breaks a command line before its flags, to a width.
func foldCommand(line string, width int) string {
	const flag, end, indent = " --", ` \`, 2
	parts := strings.Split(line, flag)
	text, x := parts[0], len(parts[0])
	for _, p := range parts[1:] {
		if x+len(flag+p+end) > width {
			text, x = text+end+"\n"+flag[1:]+p, indent+len(flag[1:]+p)
			continue
		}
		text, x = text+flag+p, x+len(flag+p)
	}
	return text
}

// special reports whether a flag is a setting of special samplers.
func special(f *pflag.Flag) bool {
	a, ok := f.Value.(argFlag)
	return ok && a.flag.Special
}

// shorten makes one entry of the flags that are settings of special samplers,
// for a command that is only to be read. Its names are broken to a width.
func shorten(c *cobra.Command, width int) {
	c.Long = printable.Lines(c.Long) // of lesson, which names a folder
	var settings []*pflag.Flag
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if special(f) {
			f.Hidden = true
			settings = append(settings, f)
		} else if kind := f.Value.Type(); kind == "on|off" || kind == "off|on" { // else it looks like a switch
			f.Usage += ": on or off"
		}
	})
	for _, sub := range c.Commands() {
		shorten(sub, width)
	}
	if len(settings) == 0 {
		return
	}
	names := ""
	for _, f := range settings {
		names += " --" + f.Name
	}
	lines := append([]string{"settings of other samplers; " + grammar.ListCommand + " NAME explains them"},
		plane.Wrap(names, width)...)
	one := settings[0]
	one.Name, one.Usage, one.DefValue, one.Hidden = "SETTING", strings.Join(lines, "\n"), "", false
}

// helpCommand is "help COMMAND", for those who try it.
func (e *env) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [command]",
		Short:  "Help for a command",
		Hidden: true,
		Args: func(c *cobra.Command, args []string) error {
			sub, rest, err := c.Root().Find(args)
			if err == nil && len(rest) > 0 {
				return noArgs(sub, rest)
			}
			return err
		},
		RunE: func(c *cobra.Command, args []string) error {
			sub, _, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			e.help(sub, nil)
			return nil
		},
	}
}

func (e *env) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		RunE: func(c *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, forManual(e.root()))
			if err != nil {
				return err
			}
			page = page.WithSection("Targets", targetText()).
				WithSection("Samplers", samplersText()).
				WithSection("Settings",
					"A target or a sampler may have settings of its own after a colon, with semicolons between them: "+
						"--target 'gaussian:a=2;noise=0.1' --samplers 'psgld,sgld:eps=0.1,psgld:alpha=0.9999;gamma=on'.").
				WithSection("Lessons", lessonText()).
				WithSection("Exit status", exitText).
				WithSection("Environment",
					"PSGLD_DATA is the data folder where --data is not given. NO_COLOR turns colours off.")
			_, err = fmt.Fprint(e.Out, page.Build(roff.NewDocument()))
			return console.Failed(err)
		},
	}
}

// forManual rewrites the flags' descriptions for mango, which shows neither the kind of a value nor a default, and a
// shorthand with two dashes. What is a setting of special samplers has a section of its own.
func forManual(c *cobra.Command) *cobra.Command {
	var flags []*pflag.Flag
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !special(f) {
			flags = append(flags, f)
		}
	})
	c.ResetFlags() // mango would show hidden ones
	for _, f := range flags {
		c.Flags().AddFlag(f)
		f.Shorthand = ""
		if f.NoOptDefVal == "" {
			f.Usage = f.Value.Type() + ": " + f.Usage
			if f.DefValue != "" && f.DefValue != "[]" {
				f.Usage += " (default " + f.DefValue + ")"
			}
		}
	}
	for _, sub := range c.Commands() {
		forManual(sub)
	}
	return c
}

func targetText() string {
	var b strings.Builder
	for _, f := range targets.Families() {
		fmt.Fprintf(&b, "%s: %s.\n\n", f.Usage, f.Doc)
	}
	return b.String()
}

const exitText = "0 done; 1 failed (data, disk); 2 wrong usage; 3 every lane diverged; 130 interrupted, and what " +
	"was drawn is still written. " +
	"Of check: 0 the draws are consistent with the method; 4 they are not; 3 too few draws to tell."

const rootLong = "Watch and steer stochastic-gradient samplers: " + grammar.Program +
	" runs pSGLD, SGLD and other samplers and optimisers side by side " +
	"on densities in the plane, on Bayesian logistic regression and on networks, and lets you turn every parameter " +
	"while they run. Without a command it opens the screen."

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
