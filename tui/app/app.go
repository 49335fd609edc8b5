// Package app is the screen: a Bubble Tea program that shows a session's snapshots and sends it commands. The root
// model only routes; what it routes to is in small files of its own, and the controllers of package control.
//
// A key's way: Update gives it to key, which finds its binding (package control). What that
// does sends a command by [control.Feed.Send], whose effect is foreseen at once. A tick pulls the
// newest snapshot, which makes the frame dirty. View draws that: compose lays the screen out,
// the view's panes draw on cells, and plane.Render writes them. Drawings that come too fast wait.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// ErrInterrupted is returned by Run when a signal, or the end of the terminal, ended the program.
var ErrInterrupted = errors.New("interrupted")

// Options are what the screen needs beside the session. The zero value asks the terminal for what it must know.
type Options struct {
	// DataDir is the data folder, for targets chosen on the screen.
	DataDir string
	// Dark says whether the background is dark; nil asks the terminal and takes it for dark until it answers.
	Dark *bool
	// NoColor leaves colours out, as do a NO_COLOR variable that is not empty
	// and a TERM without them, such as dumb and vt100.
	NoColor bool
	// ASCII draws with printable ASCII only, as do TERM=dumb, TERM=linux and a
	// locale without UTF-8, unless the settings say otherwise.
	ASCII   bool
	unicode bool // they do
	// FPS is how often the screen looks for a new snapshot while the session
	// runs; 0 means 30. A key is shown within a thirtieth of a second all the same.
	FPS int
	// Line multiplies the bytes a second that the terminal is given, which are as many as a line
	// over SSH takes; 0 means 1.
	Line float64
	// Settings is the file of what the user's screen looks like, read at the start and written at the end if that was
	// changed; empty for none. What the other options say goes before it.
	Settings string
	// Warn is told at the end of what could not be written; nil if nobody listens.
	Warn func(error)
	// Fresh says that nothing was asked for: the session begins slowly, so that one sees it
	// happen, and the first start of all says which keys to press.
	Fresh bool
	// Lesson begins with the session, which is that of its first scene; nil for none.
	Lesson *lesson.Lesson
	// Lessons reads the lessons to choose from; nil stands for those of the
	// program. Lessons that are wrong are left out, and the error says why.
	Lessons func() ([]*lesson.Lesson, error)
	// Outside is what can be written and read.
	Outside control.Outside
	// Progress is told by Still how much of what it waits for is done, from 0 to 1,
	// and what that is; nil if nobody listens.
	Progress func(done float64, what string)
	// Input and Output are the terminal; nil means the process's own.
	Input  io.Reader
	Output io.Writer
	// Environ are the terminal's variables; nil means the process's own.
	Environ []string
	// Guest is not nil for a screen that shares the process with others.
	Guest *Guest
	// Class is the room in which lessons are played, nil for none, and Seed is added to the
	// seeds of their sessions but the first.
	Class control.Class
	Seed  uint64
	// More are controllers beside the screen's own.
	More []More

	// Opening is what is shown to be opened until there is a session. Patience is how long
	// it may take before the screen comes: shorter than a person notices.
	Opening  string
	Patience time.Duration
	start    func(at *control.Loading) (control.Session, error)
	began    func() // is told that the screen has its session

	// hold calls a function while the session samples nothing; nil where the program cannot be stopped.
	hold func(func())
}

// A Start makes the session of a screen and tells how far that is.
type Start func(ctx context.Context, at *control.Loading) (*session.Session, error)

// A starting is a session that a Start makes in a goroutine of its own.
type starting struct {
	at   control.Loading
	done chan struct{}
	s    *session.Session
	err  error
}

func (start Start) begin(ctx context.Context) *starting {
	g := &starting{done: make(chan struct{})}
	go func() {
		defer close(g.done)
		if p := caught.In("the session", func() { g.s, g.err = start(ctx, &g.at) }); p != nil {
			g.err = p
		}
	}()
	return g
}

// Run starts a session and runs it and its screen until the user quits, ctx ends, a signal comes or the session fails.
// It returns when both have stopped and the terminal is as it was, with the session, which is nil if there was none by
// then. A session whose step takes longer than endPatience is given up: it runs on until the process ends. One that is
// to be recorded is given up by another signal alone. The error is nil if the user quit, ErrInterrupted after SIGINT,
// SIGTERM, SIGHUP or SIGQUIT and if the terminal was closed, else start's, ctx's or the session's. If start fails
// within o.Patience, there is no screen, unless that asks whether a target's command may be started.
func Run(ctx context.Context, start Start, o Options) (*session.Session, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	host := o.host()
	defer host.spare()()

	var p *tea.Program
	interrupt := func() {
		cancel(ErrInterrupted)
		p.Quit()
	}
	begun := start.begin(ctx)
	var ready control.Session
	select {
	case <-begun.done:
		forbidden := (*targets.Forbidden)(nil)
		switch asks := errors.As(begun.err, &forbidden) && o.Outside.Commands != nil; {
		case begun.err == nil:
			ready = begun.s
		case !asks:
			return nil, begun.err
		}
	case <-time.After(o.Patience):
	}
	input, err := o.input()
	if err != nil {
		return nil, fmt.Errorf("the screen: %w", err)
	}
	o.Input = host.watch(input, interrupt)
	var written atomic.Int64
	out, images := o.terminal(&written)
	o.Output = out
	var s *session.Session // from when it runs
	var m *model
	ended := make(chan error, 1)
	again := false
	o.start = func(at *control.Loading) (control.Session, error) {
		if again { // a command was allowed
			begun = start.begin(ctx)
		}
		again = true
		at.Tell(begun.at.Told)
		<-begun.done
		return begun.s, begun.err
	}
	o.hold = func(f func()) { f() } // until there is a session
	o.began = func() {
		s, m.opts.hold = begun.s, begun.s.Hold
		go func() {
			err := runSession(ctx, s)
			ended <- err
			p.Quit()
		}()
	}
	m = newModel(ctx, ready, o)
	m.Feed.Written = &written
	m.illustrate(images)
	pace := &pace{later: func(d time.Duration) { time.AfterFunc(d, func() { p.Send(drawMsg{}) }) }}
	p = tea.NewProgram(guarded{m, func(err error) {
		cancel(err) // the first counts
		go p.Quit()
	}, pace}, append(m.opts.program(), tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		msg = m.awaited.filter(msg, p.Quit)
		if _, quits := msg.(tea.QuitMsg); quits && host.leave() {
			return nil
		}
		return msg
	}))...)

	stop, still := host.onSignal(interrupt), host.follow(p)
	deaf := host.onStop(func() { p.Send(control.ThenMsg(m.stop)) })
	if _, err = p.Run(); errors.Is(err, errLeft) {
		err = nil
	}
	stop()
	still()
	deaf()
	why := context.Cause(ctx)
	cancel(nil)
	var failed error
	if s != nil {
		m.tell(control.EndMsg{Failed: o.Warn})
		failed = o.await(ended)
	}
	switch {
	case why != nil:
		return s, why
	case failed != nil && !errors.Is(failed, context.Canceled) && !errors.Is(failed, context.DeadlineExceeded):
		return s, failed
	case err != nil:
		return s, fmt.Errorf("the screen: %w", err)
	case m.failed != nil:
		return nil, m.failed
	}
	return s, nil
}

// endPatience is how long the end waits for a session whose step is under way.
const endPatience = 500 * time.Millisecond

// await waits for the end of a session, and gives up one whose step takes long. One that is
// to be recorded is given up where a signal says so.
func (o Options) await(ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-time.After(endPatience):
	}
	if !o.Outside.Recorded {
		return nil
	}
	given := make(chan struct{})
	stop := o.host().onSignal(func() { close(given) })
	defer stop()
	if o.Warn != nil {
		o.Warn(errors.New("the recording waits for the end of a long step: ctrl-c gives it up"))
	}
	select {
	case err := <-ended:
		return err
	case <-given:
		return nil
	}
}

// program returns Bubble Tea's options. Signals are Run's own business, since Bubble Tea does not catch SIGHUP.
func (o Options) program() []tea.ProgramOption {
	// Bubble Tea's renderer ticks at its rate even when nothing happens, which is all that a
	// paused screen costs: no faster than there is something new, but fast enough for keys.
	opts := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithFPS(max(o.FPS, control.DefaultFPS))}
	if o.Input != nil {
		opts = append(opts, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		opts = append(opts, tea.WithOutput(o.Output))
	}
	if o.Environ != nil {
		opts = append(opts, tea.WithEnvironment(o.Environ))
	}
	return append(opts, o.host().program(&o)...)
}

// getenv reads a variable of the terminal's environment.
func (o Options) getenv(key string) string {
	if o.Environ == nil {
		return os.Getenv(key)
	}
	for _, variable := range slices.Backward(o.Environ) {
		if value, ok := strings.CutPrefix(variable, key+"="); ok {
			return value
		}
	}
	return ""
}

// runSession runs the session and turns a panic into an error, so that the
// terminal is restored before anything is said of it.
func runSession(ctx context.Context, s *session.Session) (err error) {
	if p := caught.In("the session", func() { err = s.Run(ctx) }); p != nil {
		return p
	}
	return err
}

// guarded is the root model, of which a panic, or one of its commands, ends the program with an error. Bubble Tea would
// tell of it on the screen that is about to go, and close the terminal while it is read.
type guarded struct {
	*model
	crash func(error) // does not wait for the program's end
	pace  *pace
}

func (g guarded) Init() (cmd tea.Cmd) {
	g.do(func() { cmd = g.model.Init() })
	return g.guard(cmd)
}

func (g guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	g.do(func() { _, cmd = g.model.Update(msg) })
	return g, g.guard(cmd)
}

func (g guarded) View() (v tea.View) {
	if g.Screen.Dirty && g.pace.holds() {
		return g.shown()
	}
	g.do(func() { g.pace.draw(g.Feed.Interval, func() { v = g.model.View() }) })
	return v
}

// do tells crash of a panic of f.
func (g guarded) do(f func()) {
	if p := caught.In("the screen", f); p != nil {
		g.crash(p)
	}
}

// guard is a command, and those in its batch, whose panic is told to crash.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		g.do(func() { msg = cmd() })
		if all, ok := msg.(tea.BatchMsg); ok {
			for i := range all {
				all[i] = g.guard(all[i])
			}
		}
		return msg
	}
}
