package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	code "github.com/psgld/psgld-tui/engine/program"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/loading"
)

func (e *env) samplersCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "samplers [NAME…]",
		Short: "List the samplers, or explain some with their settings",
		Long: "List every sampler, optimiser and variational family that --samplers takes. With names, explain " +
			"those: equation, source and settings. " +
			"With --target, say which run on it, and what their settings are there. With --code, print one with " +
			"the session's settings as a short program.",
		Example: "psgld-tui samplers\npsgld-tui samplers --target mlp:400-400\npsgld-tui samplers psgld --target " +
			"blr:a9a\npsgld-tui samplers psgld --code numpy --target banana --eps 0.01 > psgld.py",
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return methodsAfter(""), cobra.ShellCompDirectiveNoFileComp
		},
	}
	of := sessionFlags{args: grammar.Args{}, tell: e.Tell}
	var language string
	addCode(c, &of, &language)
	dataFlag(c, &of.data)
	c.RunE = func(c *cobra.Command, names []string) error {
		if c.Flags().Changed(codeFlag) {
			return printCode(e.Out, &of, names, language)
		}
		if err := needCode(&of); err != nil {
			return err
		}
		var chosen []sampler.Method
		for _, n := range names {
			m, rest, ok := catalog.Cut(n)
			if !ok || rest != "" {
				return fmt.Errorf("%w; %s lists them", state.UnknownSampler(n), grammar.ListCommand)
			}
			chosen = append(chosen, m)
		}
		var p *targets.Problem
		if spec, ok := of.args["target"]; ok {
			var err error
			p, err = state.Config{Target: spec, Dataset: of.args["dataset"]}.Open(dataset.Dir(of.data))
			if err != nil {
				return openError(err)
			}
			tellTaken(e.Tell, p)
		} else if _, ok := of.args["dataset"]; ok {
			return fmt.Errorf("--dataset needs --target, such as --target mlp:400-400")
		}
		if len(chosen) == 0 {
			listMethods(e.Out, p)
		}
		for i, m := range chosen {
			if i > 0 {
				fmt.Fprintln(e.Out)
			}
			explain(e.Out, m, p)
		}
		return nil
	}
	return c
}

// kinds are what several methods of each kind are called, in the order in which they are listed.
var kinds = [...]string{sampler.Sampling: "samplers", sampler.Optimising: "optimisers",
	sampler.Variational: "variational families"}

func ofKind(k sampler.Kind) []sampler.Method {
	return slices.DeleteFunc(slices.Clone(catalog.Methods()), func(m sampler.Method) bool { return m.Kind != k })
}

// listMethods lists the methods by kind; p is nil without a target.
func listMethods(w io.Writer, p *targets.Problem) {
	if p != nil {
		fmt.Fprintf(w, "%s\n\n", text.Header(p))
	}
	t := text.Table{Left: 2}
	for k, name := range kinds {
		if k > 0 {
			t.Add("")
		}
		t.Add(name)
		for _, m := range ofKind(sampler.Kind(k)) {
			about := m.Doc
			if p != nil && m.Misfit(p) != "" {
				about = "not here: it " + m.Misfit(p)
			}
			t.Add("  "+m.Name, about)
		}
	}
	t.Write(w)
	fmt.Fprintf(w, "\n%s NAME explains one and its settings.\n", grammar.ListCommand)
}

// explain says all that there is to say of a method; p is nil without a target.
func explain(w io.Writer, m sampler.Method, p *targets.Problem) {
	fmt.Fprintf(w, "%s: %s, %s\n\n", m.Name, m.Title, article(m.Kind.String()))
	for _, about := range []string{m.Doc, m.Equation, m.Source} {
		text.Paragraph(w, about, "  ")
	}
	fmt.Fprintln(w)
	if p != nil {
		if why := m.Misfit(p); why != "" {
			fmt.Fprintf(w, "  It does not run on %s: it %s.\n", p.Spec, why)
			return
		}
		fmt.Fprintf(w, "  settings on %s\n", p.Spec)
	}
	t := text.Table{Left: 5}
	t.Add("  setting", "symbol", "default", "allowed", "what it is")
	for _, q := range m.All() {
		t.Add("  "+q.Key, q.Symbol, defaultOf(m, q, p), q.Allowed(), q.Doc)
	}
	t.Write(w)
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// defaultOf is a parameter's value where none is given, on a target if there is one.
func defaultOf(m sampler.Method, q param.Param, p *targets.Problem) string {
	switch {
	case p == nil && (q.ByTarget ||
		slices.ContainsFunc(sampler.Common(), func(c param.Param) bool { return c.Key == q.Key })):
		return "by target"
	case p == nil:
		return q.Format(q.Default)
	case state.Unfit(p, q) != "":
		return "–"
	}
	v := state.DefaultSetting(p, m.Name).Value(q.Key)
	switch {
	case q.Key == sampler.KeyEps && p.HasData():
		return fmt.Sprintf("%.3g, lr %.3g", v, state.LROfEps(v, p.N()))
	case q.Key == sampler.KeyTemp && p.HasData() && v == 1/float64(p.N()):
		return "1/N"
	}
	if s := q.Format(v); len(s) <= text.CellWidth || q.Scale == param.Choice {
		return s
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// samplersText is the manual's section on the samplers: a paragraph each.
func samplersText() string {
	var b strings.Builder
	for k := range kinds {
		for _, m := range ofKind(sampler.Kind(k)) {
			fmt.Fprintf(&b, "%s: %s, %s: %s. %s. %s.", m.Name, m.Title, article(m.Kind.String()), m.Doc,
				m.Equation, m.Source)
			if len(m.Params) > 0 {
				b.WriteString(" Settings:")
				for i, q := range m.Params {
					if i > 0 {
						b.WriteString(";")
					}
					fmt.Fprintf(&b, " %s, %s (%s; default %s)", q.Key, q.Doc, q.Allowed(), defaultOf(m, q, nil))
				}
				b.WriteString(".")
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

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
