// Package console is a command's standard input and output, and its errors with an exit status.
//
// How it works. An [Output] masks what is not printable and remembers its first error, so that a
// command prints line by line without a check. A command returns an error, a [Failure] where the
// exit status is another than that of wrong usage, and [Console.Report] writes it as one line.
// Where a command takes long, [StartProgress] draws a bar, if there is a terminal.
package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The exit statuses.
const (
	ExitDone        = 0
	ExitFailed      = 1 // data, disk
	ExitUsage       = 2
	ExitDiverged    = 3 // every lane
	ExitTooFew      = 3 // draws to tell, of check
	ExitAccused     = 4 // draws that are not the method's, of check
	ExitInterrupted = 130
)

// A Console is what the commands of one run read and write.
type Console struct {
	In  io.Reader
	Out *Output
	Err io.Writer // a broken one leaves nobody to tell
}

// A Failure is an error with an exit status other than that of wrong usage. Where Err is nil, all has been said.
type Failure struct {
	Status int
	Err    error
}

func (f *Failure) Error() string {
	if f.Err == nil {
		return fmt.Sprintf("status %d", f.Status)
	}
	return f.Err.Error()
}
func (f *Failure) Unwrap() error { return f.Err }

// Exit gives an error an exit status. Of a nil error all has been said.
func Exit(status int, err error) error { return &Failure{status, err} }

// Failed marks an error as one of data or disk.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	if forbidden := (*targets.Forbidden)(nil); errors.As(err, &forbidden) {
		return &Failure{ExitUsage, err}
	}
	return &Failure{ExitFailed, err}
}

// Interrupted is the error of a command that was interrupted, as the text says.
func Interrupted(format string, args ...any) error {
	return Exit(ExitInterrupted, fmt.Errorf(format, args...))
}

// Ended is the error of what takes long: the text where ctx has ended, and else err as one of data or disk.
func Ended(ctx context.Context, err error, format string, args ...any) error {
	if ctx.Err() != nil {
		return Interrupted(format, args...)
	}
	return Failed(err)
}

// Report writes an error as one line, under it a panic's stack, and returns its exit status.
func (c *Console) Report(err error) int {
	if err == nil {
		return ExitDone
	}
	status := ExitUsage
	var f *Failure
	if errors.As(err, &f) {
		if status = f.Status; f.Err == nil {
			return status
		}
	}
	c.Tell(err.Error())
	if p := (*caught.Panic)(nil); errors.As(err, &p) {
		_, _ = io.WriteString(c.Err, printable.Lines(string(p.Stack)))
	}
	return status
}

// Tell writes a line to standard error, which if broken leaves nobody to tell.
func (c *Console) Tell(line string) {
	line = printable.Line(line)
	if IsTerminal(c.Err) && theme.ASCIIOnly(os.Getenv) != "" {
		line = plane.ASCII(line)
	}
	_, _ = fmt.Fprintf(c.Err, "%s: %s\n", grammar.Program, line)
}

// Output is standard output. It masks what is not printable, and remembers the first error,
// so that printing need not be checked line by line.
type Output struct {
	W     io.Writer
	Err   error
	ascii bool // it is a terminal that shows ASCII alone
}

// NewOutput is standard output on w. With ascii it shows ASCII alone.
func NewOutput(w io.Writer, ascii bool) *Output { return &Output{W: w, ascii: ascii} }

// Write implements io.Writer. What is written ends at the end of a character.
func (c *Output) Write(b []byte) (int, error) {
	if _, err := (Raw{c}).WriteString(printable.Lines(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Line writes a line, whatever is in what is put into it.
func (c *Output) Line(format string, args ...any) {
	_, _ = c.Write([]byte(printable.Line(fmt.Sprintf(format, args...)) + "\n"))
}

// ASCII reports whether it shows ASCII alone.
func (c *Output) ASCII() bool { return c.ascii }

// Columns is the width of a terminal, 0 of anything else.
func (c *Output) Columns() int { return columns(c.W) }

// Raw is standard output for what has styles, or is masked already.
func (c *Output) Raw() Raw { return Raw{c} }

// Raw is an Output that masks nothing.
type Raw struct{ *Output }

// WriteString implements io.StringWriter.
func (s Raw) WriteString(text string) (int, error) {
	out := text
	if s.ascii {
		out = plane.ASCII(text)
	}
	if s.Err == nil {
		_, s.Err = io.WriteString(s.W, out)
	}
	if s.Err != nil {
		return 0, s.Err
	}
	return len(text), nil
}

// Write implements io.Writer.
func (s Raw) Write(b []byte) (int, error) { return s.WriteString(string(b)) }

// Styled is standard output as a file where it is one, so that a library can ask whether it is a terminal.
func (c *Output) Styled() io.Writer {
	if f, ok := c.W.(*os.File); ok {
		return rawFile{Raw{c}, f}
	}
	return Raw{c}
}

// rawFile is a Raw file.
type rawFile struct {
	Raw
	file
}

// A file is what one can do beside writing.
type file interface {
	io.ReadCloser
	descriptor
}

// WriteJSON writes one document on one line. The writer remembers its error.
func WriteJSON(w io.Writer, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	Must(enc.Encode(v)) // which fails for a number that JSON does not have
	_, _ = w.Write(printable.JSON(b.Bytes()))
}

// Must panics on an error that only a mistake in the program can cause.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
