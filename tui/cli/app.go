// Package cli holds the commands: the screen, and those that root lists. Each
// reads its flags into an engine.Config, lets the engine do the work, and writes
// what came of it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1 // data, disk
	exitUsage       = 2
	exitDiverged    = 3 // every lane
	exitInterrupted = 130
)

// signalGrace is how long after the first signal others are taken for the same.
const signalGrace = time.Second

// App is the program. The zero value is the one that users run.
type App struct {
	// Screen shows a session on a terminal; nil stands for app.Run.
	Screen Screen
}

// failure is an error with an exit status other than that of wrong usage.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failed marks an error as one of data or disk.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return &failure{exitFailed, err}
}

// Run runs the command that args name and returns the exit status. SIGINT and
// SIGTERM, like the end of ctx, interrupt it: what was drawn until then is
// still written.
func (a App) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, interrupts()...)
	defer stop()
	// A later signal kills, should writing hang. A terminal that closes may send two
	// at once.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(signalGrace, stop) })()
	ignoreSizeLimit()

	e := &env{app: a, in: stdin, out: &checked{w: stdout, ascii: isTerminal(stdout) && app.ASCIIOnly()}, err: stderr}
	root := e.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(e.out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if e.out.err != nil {
		err = failed(fmt.Errorf("writing to standard output: %w", atomicfile.Cause(e.out.err)))
	}
	return e.report(err)
}

// report writes an error as one line, under it a panic's stack, and returns its exit
// status.
func (e *env) report(err error) int {
	if err == nil {
		return exitDone
	}
	status := exitUsage
	var f *failure
	if errors.As(err, &f) {
		status = f.status
	}
	e.tell(err.Error())
	if p := (*caught.Panic)(nil); errors.As(err, &p) {
		_, _ = e.err.Write(p.Stack)
	}
	return status
}

// tell writes a line to standard error, which if broken leaves nobody to tell.
func (e *env) tell(line string) {
	line = oneLine(line)
	if isTerminal(e.err) && app.ASCIIOnly() {
		line = plane.ASCII(line)
	}
	_, _ = fmt.Fprintf(e.err, "%s: %s\n", grammar.Program, line)
}

// oneLine keeps a message to one line and free of control characters, which a
// file's name or content may hold.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// env is what the commands of one Run share.
type env struct {
	app App
	in  io.Reader
	out *checked
	err io.Writer
}

// checked remembers the first error of a writer, so that printing need not be
// checked line by line.
type checked struct {
	w     io.Writer
	err   error
	ascii bool // it is a terminal that shows ASCII alone
}

func (c *checked) Write(b []byte) (int, error) {
	switch {
	case c.err != nil:
	case c.ascii:
		_, c.err = io.WriteString(c.w, plane.ASCII(string(b)))
	default:
		_, c.err = c.w.Write(b)
	}
	if c.err != nil {
		return 0, c.err
	}
	return len(b), nil
}
