// Package cli holds the commands: the screen, and those that root lists. Each reads its flags into an state.Config,
// lets the engine do the work, and writes what came of it, by package console. Package studies does it for the commands
// that run many sessions.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/early"
	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/theme"
)

func (e *env) root() *cobra.Command {
	root := e.screenCommand()
	root.Use = grammar.Program
	root.Version = version.String()
	root.SetVersionTemplate(version.Text())
	root.Flags().Bool("version", false, "version, Go version and kernel path")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(e.help)
	root.SetHelpCommand(e.helpCommand())
	root.AddCommand(e.runCommand(), e.sweepCommand(), e.tuneCommand(), e.reproduceCommand(), e.mergeCommand(),
		e.replayCommand(), e.pictureCommand(), e.classCommand(), e.checkCommand(), e.watchCommand(), e.samplersCommand(),
		e.lessonCommand(), e.dataCommand(),
		e.completionCommand(), e.manCommand())
	settle(root)
	return root
}

// settle gives a command and those below it what all of them have in common.
func settle(c *cobra.Command) {
	c.DisableFlagsInUseLine = true
	c.Flags().SortFlags = false
	c.InitDefaultHelpFlag()
	c.Flags().Lookup("help").Usage = "this help"
	if c.Args == nil {
		c.Args = noArgs
	}
	for _, sub := range c.Commands() {
		settle(sub)
	}
}

// ofFiles names the commands and flags that take a FILE, as the usage of each says.
func ofFiles(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		if strings.Contains(c.Use, "FILE") {
			names = append(names, c.Name())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Value.Type(), "FILE") {
				names = append(names, f.Name)
			}
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// noArgs refuses arguments; of a command that has others below it, the argument was meant to be one of those.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if names := commandNames(c); len(names) > 0 {
		return list.Unknown("command", args[0], names)
	}
	return fmt.Errorf("%s takes no argument, got %q", c.Name(), args[0])
}

// oneFile refuses all but one argument.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s needs one FILE, got %d", c.Name(), len(args))
	}
	return nil
}

// needs refuses no arguments, where a command needs some of what.
func needs(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs %s", c.Name(), what)
		}
		return nil
	}
}

func commandNames(c *cobra.Command) []string {
	shown := list.Filter(c.Commands(), func(sub *cobra.Command) bool { return !sub.Hidden })
	names := list.Map(shown, (*cobra.Command).Name)
	slices.Sort(names)
	return names
}

// flagError words an error of the flags' syntax.
func flagError(c *cobra.Command, err error) error {
	var none *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &none) && strings.HasPrefix(err.Error(), "unknown shorthand"):
		return fmt.Errorf("unknown flag -%s; flags are written --name, see %s --help", none.GetSpecifiedName(),
			c.CommandPath())
	case errors.As(err, &none):
		return unknownFlag(c, none.GetSpecifiedName())
	case errors.As(err, &bare):
		return fmt.Errorf("--%s needs a value", bare.GetSpecifiedName())
	case errors.As(err, &bad) && bad.GetFlag().NoOptDefVal != "":
		return fmt.Errorf("--%s takes no value, got %q", bad.GetFlag().Name, bad.GetValue())
	case errors.As(err, &bad):
		return fmt.Errorf("--%s %w", bad.GetFlag().Name, bad.Unwrap())
	}
	return err
}

func unknownFlag(c *cobra.Command, name string) error {
	var own []string
	c.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
	// The flag may belong to another command, to run before others.
	all := append([]*cobra.Command{c.Root()}, c.Root().Commands()...)
	if run, _, err := c.Root().Find([]string{"run"}); err == nil {
		all = slices.Insert(all, 1, run)
	}
	for _, sub := range all {
		if sub.Flags().Lookup(name) != nil {
			return fmt.Errorf("--%s is a flag of %s, not of %s", name, sub.CommandPath(), c.CommandPath())
		}
	}
	return fmt.Errorf("unknown flag --%s%s; see %s --help", name, list.Hint(`"--%s"`, name, own), c.CommandPath())
}

// signalGrace is how long after the first signal others are taken for the same.
const signalGrace = time.Second

// App is the program. The zero value is the one that users run.
type App struct {
	// Screen shows a session on a terminal; nil stands for app.Run.
	Screen Screen
}

// Run runs the command that args name and returns the exit status. SIGINT and SIGTERM, like the end of ctx, interrupt
// it: what was drawn until then is still written.
func (a App) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout = console.Standard(stdout)
	ctx, stop := signal.NotifyContext(ctx, early.Interrupts...)
	defer stop()
	if early.Heard() {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		end()
	}
	// A later signal kills, should writing hang. A terminal that closes may send two at once.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(signalGrace, stop) })()
	ignoreSizeLimit()

	e := &env{app: a, Console: &console.Console{In: stdin,
		Out: console.NewOutput(stdout, console.IsTerminal(stdout) && theme.ASCIIOnly(os.Getenv) != ""), Err: stderr}}
	root := e.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(e.Out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if e.Out.Err != nil {
		err = console.Failed(fmt.Errorf("writing to standard output: %w", atomicfile.Cause(e.Out.Err)))
	}
	return e.Report(err)
}

// env is what the commands of one Run share.
type env struct {
	*console.Console
	app App
}

// studies are what runs many sessions.
func (e *env) studies() *studies.Env {
	return &studies.Env{Console: e.Console,
		Show: func(ctx context.Context, j study.Job, open func() (*targets.Problem, error), rt session.Runtime,
			again []string) error {
			return e.show(ctx, opening{
				what: j.ID, patience: patience(j.Config.Target), again: again, rt: rt,
				open: func(*loading.Loading, *session.Runtime) (state.Config, *targets.Problem, error) {
					p, err := open()
					return j.Config, p, err
				},
			}, screenFlags{})
		}}
}
