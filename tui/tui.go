// Package tui is the screen: a Bubble Tea program that shows a session's
// snapshots and sends it commands. The root model only routes; what it routes
// to is in small files of its own, and what is drawn is in package panel.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// ErrInterrupted is returned by Run when a signal ended the program.
var ErrInterrupted = errors.New("interrupted")

// Options are what the screen needs beside the session. The zero value asks the
// terminal for what it must know.
type Options struct {
	// DataDir is the data folder, for targets chosen on the screen.
	DataDir string
	// Dark says whether the background is dark; nil asks the terminal and takes
	// it for dark until it answers.
	Dark *bool
	// NoColor leaves colours out, as do a NO_COLOR variable that is not empty
	// and TERM=dumb.
	NoColor bool
	// ASCII draws with printable ASCII only, as does TERM=dumb.
	ASCII bool
	// FPS is how often the screen looks for a new snapshot while the session
	// runs; 0 means 30.
	FPS int
	// CommandLine writes the command that starts the session shown, for y; nil
	// if there is none.
	CommandLine func(engine.Config, *targets.Problem) string
	// Write saves the session and its draws into a folder, "" for the usual
	// one, and says where they are; nil if that is not possible. It is called
	// outside the screen's goroutine.
	Write func(dir string) (string, error)
	// Input and Output are the terminal; nil means the process's own.
	Input  io.Reader
	Output io.Writer
	// Environ are the terminal's variables; nil means the process's own.
	Environ []string
}

// DefaultFPS is how often the screen looks for a new snapshot.
const DefaultFPS = 30

// Run runs a session and its screen until the user quits, ctx ends, a signal
// comes or the session fails. It returns when both have stopped and the
// terminal is as it was. The error is nil if the user quit, ErrInterrupted
// after SIGINT, SIGTERM or SIGHUP, else ctx's or the session's.
func Run(ctx context.Context, s *engine.Session, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	// The lanes keep a processor of Go's scheduler busy each. With two more for
	// the screen, a key that comes is handled as soon as the system runs its
	// thread, and does not wait for a lane to come to the end of its chunk.
	procs := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(procs + 2)
	defer runtime.GOMAXPROCS(procs)

	p := tea.NewProgram(newModel(ctx, s, o), o.program()...)

	ended := make(chan error, 1)
	go func() {
		err := runSession(ctx, s)
		ended <- err
		p.Quit()
	}()
	interrupted := make(chan struct{})
	stop := onSignal(func() {
		close(interrupted)
		p.Quit()
	})
	_, err := p.Run()
	stop()
	outer := ctx.Err()
	cancel()
	failed := <-ended

	select {
	case <-interrupted:
		return ErrInterrupted
	default:
	}
	switch {
	case failed != nil && !errors.Is(failed, context.Canceled) && !errors.Is(failed, context.DeadlineExceeded):
		return failed
	case err != nil:
		return fmt.Errorf("the screen: %w", err)
	}
	return outer
}

// program returns Bubble Tea's options. Signals are Run's own business, since
// Bubble Tea does not catch SIGHUP.
func (o Options) program() []tea.ProgramOption {
	fps := o.FPS
	if fps <= 0 {
		fps = DefaultFPS
	}
	// Bubble Tea's renderer ticks at its rate even when nothing happens, which is
	// all that a paused screen costs: no faster than there is something new.
	opts := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithFPS(fps)}
	if o.Input != nil {
		opts = append(opts, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		opts = append(opts, tea.WithOutput(o.Output))
	}
	if o.Environ != nil {
		opts = append(opts, tea.WithEnvironment(o.Environ))
	}
	return opts
}

// getenv reads a variable of the terminal's environment.
func (o Options) getenv(key string) string {
	if o.Environ == nil {
		return os.Getenv(key)
	}
	for i := len(o.Environ) - 1; i >= 0; i-- {
		if v := o.Environ[i]; len(v) > len(key) && v[len(key)] == '=' && v[:len(key)] == key {
			return v[len(key)+1:]
		}
	}
	return ""
}

// runSession runs the session and turns a panic into an error, so that the
// terminal is restored before anything is said of it.
func runSession(ctx context.Context, s *engine.Session) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the session panicked: %v\n%s", r, debug.Stack())
		}
	}()
	return s.Run(ctx)
}

// onSignal calls f once, at the first signal to end. The function it returns
// stops listening.
func onSignal(f func()) (stop func()) {
	sig := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(sig, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case <-sig:
			f()
		case <-done:
		}
	}()
	return func() {
		signal.Stop(sig)
		close(done)
	}
}
