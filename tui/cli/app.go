// Package cli holds the commands: the screen, and those that root lists. Each
// reads its flags into an engine.Config, lets the engine do the work, and writes
// what came of it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/printable"
	"github.com/psgld/psgld-tui/tui/early"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1 // data, disk
	exitUsage       = 2
	exitDiverged    = 3 // every lane
	exitTooFew      = 3 // draws to tell, of check
	exitAccused     = 4 // draws that are not the method's, of check
	exitInterrupted = 130
)

// signalGrace is how long after the first signal others are taken for the same.
const signalGrace = time.Second

// App is the program. The zero value is the one that users run.
type App struct {
	// Screen shows a session on a terminal; nil stands for app.Run.
	Screen Screen
}

// failure is an error with an exit status other than that of wrong usage. Where err is nil, all
// has been said.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("status %d", f.status)
	}
	return f.err.Error()
}
func (f *failure) Unwrap() error { return f.err }

// failed marks an error as one of data or disk.
func failed(err error) error {
	if err == nil {
		return nil
	}
	if forbidden := (*targets.Forbidden)(nil); errors.As(err, &forbidden) {
		return &failure{exitUsage, err}
	}
	return &failure{exitFailed, err}
}

// Run runs the command that args name and returns the exit status. SIGINT and
// SIGTERM, like the end of ctx, interrupt it: what was drawn until then is
// still written.
func (a App) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, early.Interrupts...)
	defer stop()
	if early.Heard() {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		end()
	}
	// A later signal kills, should writing hang. A terminal that closes may send two
	// at once.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(signalGrace, stop) })()
	ignoreSizeLimit()

	e := &env{app: a, in: stdin, out: &checked{w: stdout, ascii: isTerminal(stdout) && theme.ASCIIOnly(os.Getenv) != ""}, err: stderr}
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
		if status = f.status; f.err == nil {
			return status
		}
	}
	e.tell(err.Error())
	if p := (*caught.Panic)(nil); errors.As(err, &p) {
		_, _ = io.WriteString(e.err, printable.Lines(string(p.Stack)))
	}
	return status
}

// tell writes a line to standard error, which if broken leaves nobody to tell.
func (e *env) tell(line string) {
	line = printable.Line(line)
	if isTerminal(e.err) && theme.ASCIIOnly(os.Getenv) != "" {
		line = plane.ASCII(line)
	}
	_, _ = fmt.Fprintf(e.err, "%s: %s\n", grammar.Program, line)
}

// env is what the commands of one Run share.
type env struct {
	app App
	in  io.Reader
	out *checked
	err io.Writer
}

// checked is standard output. It masks what is not printable, and remembers the first error,
// so that printing need not be checked line by line.
type checked struct {
	w     io.Writer
	err   error
	ascii bool // it is a terminal that shows ASCII alone
}

// Write implements io.Writer. A character is not to be cut.
func (c *checked) Write(b []byte) (int, error) {
	if _, err := (raw{c}).WriteString(printable.Lines(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// line writes a line, whatever is in what is put into it.
func (c *checked) line(format string, args ...any) {
	_, _ = c.Write([]byte(printable.Line(fmt.Sprintf(format, args...)) + "\n"))
}

// ASCII reports whether it shows ASCII alone.
func (c *checked) ASCII() bool { return c.ascii }

// raw is standard output for what has styles, or is masked already.
type raw struct{ *checked }

// WriteString implements io.StringWriter.
func (s raw) WriteString(text string) (int, error) {
	out := text
	if s.ascii {
		out = plane.ASCII(text)
	}
	if s.err == nil {
		_, s.err = io.WriteString(s.w, out)
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(text), nil
}

// Write implements io.Writer.
func (s raw) Write(b []byte) (int, error) { return s.WriteString(string(b)) }

// styled is standard output for who wants to see whether it is a terminal.
func (c *checked) styled() io.Writer {
	if f, ok := c.w.(*os.File); ok {
		return rawFile{f, raw{c}}
	}
	return raw{c}
}

// rawFile is a raw file.
type rawFile struct {
	*os.File
	raw raw
}

// Write implements io.Writer.
func (f rawFile) Write(b []byte) (int, error) { return f.raw.Write(b) }

// WriteString implements io.StringWriter.
func (f rawFile) WriteString(text string) (int, error) { return f.raw.WriteString(text) }
