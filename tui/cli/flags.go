package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
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

// sessionFlags adds the flags that say what a session is.
func sessionFlags(c *cobra.Command) grammar.Args {
	args := grammar.Args{}
	for _, f := range grammar.Flags() {
		p := c.Flags().VarPF(argFlag{args, f}, f.Name, "", f.Doc)
		p.DefValue = f.Default
		if f.Switch() {
			p.NoOptDefVal = "true"
		}
		complete(c, f)
	}
	return args
}

// surroundings are the flags that change no number.
type surroundings struct {
	data    string
	threads string
}

func (s *surroundings) add(c *cobra.Command) {
	c.Flags().Var(textFlag{&s.threads, "COUNT"}, "threads", "lanes or cells that run at a time; all cores without it")
	c.Flags().Var(textFlag{&s.data, "DIR"}, "data", "the data folder; without it $PSGLD_DATA, else the XDG data folder")
	must(c.MarkFlagDirname("data"))
}

// runtime reads the flags into what a session needs.
func (s *surroundings) runtime() (session.Runtime, error) {
	n := 0
	if s.threads != "" {
		var err error
		if n, err = strconv.Atoi(s.threads); err != nil || n < 1 {
			return session.Runtime{}, fmt.Errorf("--threads must be a whole number, 1 or more, got %s", quoteUnlessNumber(s.threads))
		}
	}
	return session.Runtime{Threads: n, DataDir: dataset.Dir(s.data)}, nil
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

var (
	_ pflag.Value = argFlag{}
	_ pflag.Value = textFlag{}
)

// quoteUnlessNumber shows a refused value.
func quoteUnlessNumber(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return strconv.Quote(s)
}

// config reads the session's flags and opens its target.
func config(args grammar.Args, rt session.Runtime) (engine.Config, *targets.Problem, error) {
	return args.Config(func(c engine.Config) (*targets.Problem, error) {
		p, err := c.Open(rt.DataDir)
		return p, openError(err)
	})
}

// openError marks an error of Open as one of data, unless it is about what was
// asked for.
func openError(err error) error {
	if usage := (*targets.SpecError)(nil); errors.As(err, &usage) {
		return wording.Flag(err)
	}
	if err == nil {
		return nil
	}
	return failed(err)
}

// limited gives a config without any limit that of a run without a screen.
func limited(c engine.Config, p *targets.Problem) engine.Config {
	if c.Steps == 0 && c.Epochs == 0 && c.Seconds == 0 {
		if c.Steps = p.Defaults.Steps; c.Steps == 0 {
			c.Steps = 10_000
		}
	}
	return c
}

// must panics on an error that only a mistake in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
