package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/wording"
)

// argFlag stores a flag's text as it was given. Reading it is grammar's work,
// whose errors name the flag and what is allowed.
type argFlag struct {
	args grammar.Args
	flag grammar.Flag
}

func (f argFlag) Set(s string) error { f.args[f.flag.Name] = s; return nil }
func (f argFlag) String() string     { return f.args[f.flag.Name] }
func (f argFlag) Type() string       { return f.flag.Kind }

// sessionFlags are the flags that say what a session is, and the surroundings.
type sessionFlags struct {
	surroundings
	args grammar.Args
}

func (f *sessionFlags) add(c *cobra.Command) {
	f.args = grammar.Args{}
	for _, flag := range grammar.Flags() {
		f.addOne(c, flag)
	}
	f.surroundings.add(c)
}

func (f *sessionFlags) addOne(c *cobra.Command, flag grammar.Flag) {
	p := c.Flags().VarPF(argFlag{f.args, flag}, flag.Name, "", flag.Doc)
	p.DefValue = flag.Default
	if flag.Switch() {
		p.NoOptDefVal = "true"
	}
	complete(c, flag)
}

// open reads the session's flags and opens its target.
func (f *sessionFlags) open() (c engine.Config, p *targets.Problem, rt session.Runtime, err error) {
	c, p, err = f.openTelling(new(control.Loading))
	return c, p, f.runtime(), err
}

// openTelling is open that tells how far it is.
func (f *sessionFlags) openTelling(at *control.Loading) (engine.Config, *targets.Problem, error) {
	return f.args.Config(func(c engine.Config) (*targets.Problem, error) {
		p, err := at.Target(c, f.runtime().DataDir)
		return p, openError(err)
	})
}

// surroundings are the flags that change no number.
type surroundings struct {
	data    string
	threads int
}

func (s *surroundings) add(c *cobra.Command) {
	c.Flags().Var(countFlag{&s.threads, "COUNT", 1, math.MaxInt, "a whole number, 1 or more"}, "threads", "lanes or cells that run at a time; as many as there are cores by default")
	dataFlag(c, &s.data)
}

// runtime is what a session needs of them.
func (s *surroundings) runtime() session.Runtime {
	return session.Runtime{Threads: s.threads, DataDir: dataset.Dir(s.data)}
}

// dataFlag adds the flag of the data folder.
func dataFlag(c *cobra.Command, dir *string) {
	c.Flags().Var(textFlag{dir, "DIR"}, "data", "the data folder; by default $PSGLD_DATA, else the XDG data folder")
	must(c.MarkFlagDirname("data"))
}

// again is what a command line needs beside the Config to mean the same.
func (s *surroundings) again() []string {
	if s.data != "" {
		return []string{"--data", s.data}
	}
	return nil
}

// textFlag is a flag whose text is read later.
type textFlag struct {
	to   *string
	kind string
}

func (f textFlag) Set(s string) error {
	if s == "" {
		return errors.New("must not be empty")
	}
	*f.to = s
	return nil
}
func (f textFlag) String() string {
	if f.to == nil { // pflag compares with the zero value
		return ""
	}
	return *f.to
}
func (f textFlag) Type() string { return f.kind }

// countFlag is a flag that is a whole number, 0 without it.
type countFlag struct {
	to          *int
	kind        string
	least, most int
	want        string
}

func (f countFlag) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < f.least || n > f.most {
		return fmt.Errorf("must be %s, got %s", f.want, quoteUnlessNumber(s))
	}
	*f.to = n
	return nil
}
func (f countFlag) String() string { return "" } // a flag without a default
func (f countFlag) Type() string   { return f.kind }

// quoteUnlessNumber shows a refused value.
func quoteUnlessNumber(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return strconv.Quote(s)
}

// openError marks an error of Open as one of data, unless it is about what was
// asked for.
func openError(err error) error {
	if usage := (*targets.SpecError)(nil); errors.As(err, &usage) {
		return wording.Flag(err)
	}
	return failed(err)
}

// limited gives a config without any limit that of a run without a screen.
func limited(c engine.Config, p *targets.Problem) engine.Config {
	if !c.Limited() {
		c.Steps = cmp.Or(p.Defaults.Steps, 10_000)
	}
	return c
}

// must panics on an error that only a mistake in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
