package cli

import (
	"fmt"
	"io"
	"strings"

	"charm.land/fang/v2"
	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/printable"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

// help writes a command's help in fang's style. Fang runs a program of its own
// for it, since its way with errors is several lines and asks the terminal for
// its colours.
func (e *env) help(c *cobra.Command, _ []string) {
	root := e.root()
	root.SetIn(e.In)
	root.SetOut(e.Out.Styled())
	root.SetErr(e.Err)
	shorten(root)
	root.SetArgs(append(strings.Fields(c.CommandPath())[1:], "--help"))
	err := fang.Execute(c.Context(), root, fang.WithoutManpage(), fang.WithoutCompletions(), fang.WithoutVersion(),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	console.Must(err)
}

// shorten makes one entry of the flags that are settings of special samplers,
// for a command that is only to be read.
func shorten(c *cobra.Command) {
	c.Long = printable.Lines(c.Long) // of lesson, which names a folder
	var special []*pflag.Flag
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if a, ok := f.Value.(argFlag); ok && a.flag.Special {
			f.Hidden = true
			special = append(special, f)
		}
	})
	for _, sub := range c.Commands() {
		shorten(sub)
	}
	if len(special) == 0 {
		return
	}
	const width = 90
	names := ""
	for _, f := range special {
		names += " --" + f.Name
	}
	lines := append([]string{"settings of other samplers; " + grammar.ListCommand + " NAME explains them"}, plane.Wrap(names, width)...)
	one := special[0]
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
				WithSection("Settings", "A target or a sampler may have settings of its own after a colon, with semicolons between them: "+
					"--target 'gaussian:a=2;noise=0.1' --samplers 'psgld,sgld:eps=0.1,psgld:alpha=0.9999;gamma=on'.").
				WithSection("Lessons", lessonText()).
				WithSection("Exit status", exitText).
				WithSection("Environment", "PSGLD_DATA is the data folder where --data is not given. NO_COLOR turns colours off.")
			_, err = fmt.Fprint(e.Out, page.Build(roff.NewDocument()))
			return console.Failed(err)
		},
	}
}

// forManual rewrites the flags' descriptions for mango, which shows neither
// the kind of a value nor a default, and a shorthand with two dashes. What is a
// setting of special samplers has a section of its own.
func forManual(c *cobra.Command) *cobra.Command {
	var flags []*pflag.Flag
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if a, ok := f.Value.(argFlag); !ok || !a.flag.Special {
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

const exitText = "0 done; 1 failed (data, disk); 2 wrong usage; 3 every lane diverged; 130 interrupted, and what was drawn is still written. " +
	"Of check: 0 the draws are consistent with the method; 4 they are not; 3 too few draws to tell."

const rootLong = "Watch and steer stochastic-gradient samplers: " + grammar.Program + " runs pSGLD, SGLD and other samplers and optimisers side by side " +
	"on densities in the plane, on Bayesian logistic regression and on networks, and lets you turn every parameter while they run. Without a command it opens the screen."
