package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/regular"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/wording"
)

// argFlag stores a flag's text as it was given. Reading it is grammar's work,
// whose errors name the flag and what is allowed.
type argFlag struct {
	args grammar.Args
	flag grammar.Flag
}

func (f argFlag) Set(s string) error {
	if strings.HasPrefix(s, "--") {
		return fmt.Errorf("needs a value (%s) before %s", f.flag.Kind, s)
	}
	f.args[f.flag.Name] = s
	return nil
}
func (f argFlag) String() string { return f.args[f.flag.Name] }
func (f argFlag) Type() string   { return f.flag.Kind }

// sessionFlags are the flags that say what a session is, and the surroundings.
type sessionFlags struct {
	surroundings
	args grammar.Args
	tell func(line string) // to whom no screen says what was taken of a file; nil where one does
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
func (f *sessionFlags) open() (c state.Config, p *targets.Problem, rt session.Runtime, err error) {
	rt = f.runtime()
	c, p, rt.Replay, err = f.openTelling(&loading.Loading{Heard: f.tell})
	return c, p, rt, err
}

// openTelling is open that tells how far it is. The events are those of --moves.
func (f *sessionFlags) openTelling(at *loading.Loading) (state.Config, *targets.Problem, []state.Event, error) {
	if command, ok := targets.Command(f.args["target"]); ok {
		f.commands.Allow(command) // it was typed
	}
	c, p, err := f.args.Config(func(c state.Config) (*targets.Problem, error) {
		p, err := at.Target(c, f.options())
		return p, openError(err)
	})
	if err != nil {
		return c, p, nil, err
	}
	if f.tell != nil {
		tellTaken(f.tell, p)
	}
	moves, err := f.args.Events(c, p)
	return c, p, moves, err
}

// tellTaken says what was taken of a table, with the note about that. That no truth is known stands with each lane,
// where none was asked for.
func tellTaken(tell func(string), p *targets.Problem) {
	if p.Taken != "" {
		tell(strings.Trim(p.Taken+"; "+p.Note, "; "))
	}
}

// surroundings are the flags that change no number.
type surroundings struct {
	data     string
	threads  int
	context  func() context.Context // of the command
	commands child.Commands         // of targets outside of the program
}

func (s *surroundings) add(c *cobra.Command) {
	addCount(c, &s.threads, "threads", "COUNT", math.MaxInt, "a whole number, 1 or more",
		"lanes or cells that run at a time; as many as there are cores by default")
	s.addOpening(c)
	c.Flags().BoolVar(&s.commands.Any, "allow-exec", false,
		"let a file, such as a recording, start the commands of its exec: and stan: targets")
}

// timeFlag is the value of a flag that has a time between two, such as usual.
func timeFlag(to *time.Duration, usual, least, most string) readFlag {
	parsed := func(text string) time.Duration {
		d, err := time.ParseDuration(text)
		if err != nil {
			return -1
		}
		return d
	}
	return readFlag{"TIME", usual, func(text string) error {
		if *to = parsed(text); *to < parsed(least) || *to > parsed(most) {
			return fmt.Errorf("must be a time from %s to %s, such as %s, got %s", least, most, cmp.Or(usual, most),
				quoteUnlessNumber(text))
		}
		return nil
	}}
}

// addOpening adds those that opening a target takes.
func (s *surroundings) addOpening(c *cobra.Command) {
	dataFlag(c, &s.data)
	s.context, s.commands.Log, s.commands.Kept = c.Context, execLog, prefs.CachePath("stan")
	c.Flags().Var(timeFlag(&s.commands.Limit, "10s", "1ms", "24h"), "child-limit",
		"how long the command of exec: or stan: may take to start, and for each gradient")
	c.Flags().Var(timeFlag(&s.commands.Compile, "10m", "1s", "24h"), "compile-limit",
		"how long the compiler of a stan: model may take")
}

// options are what opening a target needs of them.
func (s *surroundings) options() targets.Options {
	o := targets.Options{DataDir: dataset.Dir(s.data), Commands: &s.commands}
	if s.context != nil {
		o.Context = s.context()
	}
	return o
}

func (s *surroundings) runtime() session.Runtime {
	return session.Runtime{Threads: s.threads, DataDir: dataset.Dir(s.data), Commands: &s.commands}
}

func dataFlag(c *cobra.Command, dir *string) {
	addText(c, dir, "data", "DIR", "the data folder; by default $PSGLD_DATA, else the XDG data folder")
}

// again is what a command line needs beside the Config to mean the same.
func (s *surroundings) again() []string {
	var again []string
	if s.data != "" {
		again = append(again, "--data", s.data)
	}
	if s.commands.Limit != 0 {
		again = append(again, "--child-limit", s.commands.Limit.String())
	}
	if s.commands.Compile != 0 {
		again = append(again, "--compile-limit", s.commands.Compile.String())
	}
	return again
}

// maxExecLog is the size from which the log of commands begins anew.
const maxExecLog = 4 << 20

// execLog opens the file that takes what the commands of targets write to their standard error;
// nil where there can be none.
func execLog() io.Writer {
	path := prefs.CachePath("exec.log")
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return nil
	}
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Size() > maxExecLog {
		flags |= os.O_TRUNC
	}
	f, err := regular.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil
	}
	return f
}

// readFlag is a flag of a kind, whose text is read at once. The error says what is allowed.
type readFlag struct {
	kind, usual string // usual is its default, empty for none to show
	read        func(string) error
}

func (f readFlag) Set(s string) error { return f.read(s) }
func (f readFlag) String() string     { return f.usual }
func (f readFlag) Type() string       { return f.kind }

// addText adds a flag whose text is read later.
func addText(c *cobra.Command, to *string, name, kind, doc string) {
	c.Flags().Var(readFlag{kind, *to, func(s string) error {
		if s == "" {
			return errors.New("must not be empty")
		}
		*to = s
		return nil
	}}, name, doc)
	if kind == "DIR" {
		console.Must(c.MarkFlagDirname(name))
	}
}

// addCount adds a flag that is a whole number from 1 on, as wanted, and leaves what it is without it.
func addCount(c *cobra.Command, to *int, name, kind string, most int, want, doc string) {
	c.Flags().Var(readFlag{kind: kind, read: func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("must be %s, got %s", want, quoteUnlessNumber(s))
		}
		*to = n
		return nil
	}}, name, doc)
}

// quoteUnlessNumber shows a refused value.
func quoteUnlessNumber(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return strconv.Quote(s)
}

// openError marks an error of Open as one of data, unless it is about what was asked for.
func openError(err error) error {
	if errors.Is(err, context.Canceled) {
		return console.Interrupted("interrupted before the target was open")
	}
	if usage := (*targets.SpecError)(nil); errors.As(err, &usage) {
		return wording.Flag(err)
	}
	return console.Failed(err)
}

// limited gives a config without any limit that of a run without a screen, behind the last of its moves.
func limited(c state.Config, p *targets.Problem, moves []state.Event) state.Config {
	if !c.Limited() {
		c.Steps = cmp.Or(p.Defaults.Steps, 10_000) + grammar.LastMove(moves)
	}
	return c
}

// shardFlags are those of the commands that run many sessions.
type shardFlags struct {
	shard string
	out   string
	from  []string
}

func (f *shardFlags) add(c *cobra.Command, kind, doc string) {
	addText(c, &f.shard, "shard", "I/N",
		"run only the I-th of N parts, for merge to join; by default the part that "+studies.Submitters+" names")
	addText(c, &f.out, "out", kind, doc)
	c.Flags().StringArrayVar(&f.from, "from", nil,
		"take over the results of the same sessions from this file; may be given several times")
	console.Must(c.MarkFlagFilename("from", strings.TrimPrefix(studies.ResultsExt, ".")))
}
