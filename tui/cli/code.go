package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	code "github.com/psgld/psgld-tui/engine/program"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/loading"
)

// codeFlag is the flag of samplers that prints a method as a program.
const codeFlag = "code"

// addCode adds --code, and the session's flags that a program can have.
func addCode(c *cobra.Command, of *sessionFlags, language *string) {
	addText(c, language, codeFlag, "LANGUAGE",
		"print the one sampler as a program that writes draws.csv, in "+strings.Join(code.Languages(), ", ")+"; for "+
			strings.Join(code.Names(), ", "))
	console.Must(c.RegisterFlagCompletionFunc(codeFlag,
		cobra.FixedCompletions(code.Languages(), cobra.ShellCompDirectiveNoFileComp)))
	without := append([]string{"samplers"}, grammar.NotOfProgram()...)
	for _, f := range grammar.Flags() {
		if slices.Contains(without, f.Name) {
			continue
		}
		if f.Name == "target" || f.Name == "dataset" {
			f.Default = ""
		}
		of.addOne(c, f)
	}
}

// needCode refuses flags that mean something with --code alone.
func needCode(of *sessionFlags) error {
	for _, f := range grammar.Flags() {
		if _, ok := of.args[f.Name]; ok && f.Name != "target" && f.Name != "dataset" {
			return fmt.Errorf("--%s needs --%s, such as --%s %s", f.Name, codeFlag, codeFlag, code.Languages()[0])
		}
	}
	return nil
}

// printCode prints a method with the session's settings as a program.
func printCode(w io.Writer, of *sessionFlags, names []string, language string) error {
	lanes, err := grammar.ParseLanes(strings.Join(names, ","))
	switch known := strings.Join(code.Names(), ", "); {
	case len(names) == 0:
		return fmt.Errorf("--%s needs the name of a sampler; want one of %s", codeFlag, known)
	case err != nil:
		return fmt.Errorf("--%s: %w", codeFlag, err)
	case len(lanes) > 1:
		return fmt.Errorf("--%s prints one sampler, got %d; want one of %s", codeFlag, len(lanes), known)
	}
	if spec := of.args["target"]; spec != "" {
		if _, ok := targets.Command(spec); ok {
			return errors.New("--" + codeFlag + ": there is no program of a target outside of " + grammar.Program)
		}
	}
	of.args["samplers"] = names[0]
	c, p, _, err := of.openTelling(new(loading.Loading))
	if err != nil {
		return err
	}
	of.unlessGiven(&c.Lanes[0], names[0], map[string]float64{sampler.KeyThin: 1})
	text, err := code.Of(c, c.Lanes[0], p, language, grammar.CheckLine("draws.csv", c, c.Lanes[0], p))
	if err != nil {
		return fmt.Errorf("--%s: %w", codeFlag, err)
	}
	_, err = io.WriteString(w, text.Text)
	return console.Failed(err)
}
