package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
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
