package app

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/psgld/psgld-tui/tui/control"
)

// A Guest is a screen that shares the process with others, on a terminal that is not the
// process's own, such as one at the other end of a line. It catches no signal, stops no
// process, and changes nothing of the process. Options.Input, Output and Environ are then set.
type Guest struct {
	Width, Height int // of the terminal at the start
	// Sizes are those that the terminal gets later; nil for none.
	Sizes <-chan tea.WindowSizeMsg
	in    *ending
}

// A host is what a screen does to the process that it is in and to the terminal.
type host interface {
	// spare gives the screen a processor beside those of the lanes.
	spare() (undo func())
	// onSignal calls f once, at the first signal to end. The function it returns stops listening.
	onSignal(f func()) (stop func())
	// watch has gone called when a terminal that is read from is closed. It may be called more than once.
	watch(in io.Reader, gone func()) io.Reader
	// leave has the program end by the end of its input, and reports whether it does so.
	leave() bool
	// program are Bubble Tea's options.
	program(o *Options) []tea.ProgramOption
	// follow sends the sizes that the terminal gets, if Bubble Tea does not ask for them,
	// until the function it returns is called.
	follow(p *tea.Program) (stop func())
	// stops reports whether the process can be stopped from the screen.
	stops() bool
	// onStop calls f whenever the system asks the process to stop, until the function it returns is called.
	onStop(f func()) (end func())
}

var (
	_ host = process{}
	_ host = (*Guest)(nil)
)

// host is what the screen of the options is in.
func (o *Options) host() host {
	if o.Guest != nil {
		return o.Guest
	}
	return process{}
}

// process is the host of a screen that has the process to itself.
type process struct{}

// spare: the lanes keep a processor of Go's scheduler busy each. With two more for the screen, a key that comes is
// handled as soon as the system runs its thread, and does not wait for a lane to come to the end of its chunk.
func (process) spare() (undo func()) {
	procs := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(procs + 2)
	return func() { runtime.GOMAXPROCS(procs) }
}

func (process) onSignal(f func()) (stop func()) {
	sig := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(sig, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
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

func (process) watch(in io.Reader, gone func()) io.Reader {
	if f, ok := in.(*os.File); ok {
		return watched{f, gone}
	}
	return in
}

func (process) leave() bool                          { return false }
func (process) program(*Options) []tea.ProgramOption { return nil }
func (process) follow(*tea.Program) (stop func())    { return func() {} }
func (process) stops() bool                          { return hasShell() }
func (process) onStop(f func()) (end func())         { return onStop(f) }

func (*Guest) spare() (undo func())          { return func() {} }
func (*Guest) onSignal(func()) (stop func()) { return func() {} }

func (g *Guest) watch(in io.Reader, gone func()) io.Reader {
	g.in = &ending{from: in, gone: gone, came: make(chan []byte, readAhead), left: make(chan struct{})}
	return g.in
}

// leave: Bubble Tea's input reader hands on what it has read, and never ends if the program does
// so before. Where many screens come and go it has to end first.
func (g *Guest) leave() bool {
	g.in.leave()
	return true
}

func (g *Guest) program(o *Options) []tea.ProgramOption {
	return []tea.ProgramOption{tea.WithWindowSize(g.Width, g.Height), tea.WithColorProfile(colorprofile.Env(o.Environ))}
}

func (g *Guest) follow(p *tea.Program) (stop func()) {
	done := make(chan struct{})
	go func() {
		for {
			select {
			case size := <-g.Sizes:
				p.Send(size)
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

func (*Guest) stops() bool                { return false }
func (*Guest) onStop(func()) (end func()) { return func() {} }

// errLeft ends the program of a Guest. It comes after all that was typed.
var errLeft = errors.New("the screen is left")

// readAhead is how many reads of a terminal of a Guest may be ahead of the screen: some seconds of
// keys and moves of the mouse. While Bubble Tea writes a frame it takes none, and what the frame's writer waits
// for, such as the terminal's answer, may come behind them.
const readAhead = 256

// ending is what is typed on a terminal of a Guest. It ends with errLeft when the terminal is
// gone, of which it tells, or the screen is left.
type ending struct {
	from  io.Reader
	gone  func()
	begin sync.Once
	came  chan []byte // from a goroutine that reads, until the terminal is gone
	rest  []byte
	left  chan struct{}
	once  sync.Once
}

func (e *ending) leave() { e.once.Do(func() { close(e.left) }) }

func (e *ending) Read(b []byte) (int, error) {
	e.begin.Do(func() { go e.pump() })
	if len(e.rest) == 0 {
		select {
		case <-e.left:
			return 0, errLeft
		case more, open := <-e.came:
			if !open {
				e.leave()
				e.gone()
				return 0, errLeft
			}
			e.rest = more
		}
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func (e *ending) pump() {
	defer close(e.came)
	for {
		b := make([]byte, 256)
		n, err := e.from.Read(b)
		if n > 0 {
			select {
			case e.came <- b[:n]:
			case <-e.left:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// A More makes a controller that the screen has beside its own.
type More func(*control.Desk) control.Controller

// stopping stops the program until its shell lets it go on. Bubble Tea leaves the terminal to the shell meanwhile. The
// session is held between two steps, so that no lane's clock runs.
type stopping struct{ hold func(func()) }

var _ tea.ExecCommand = stopping{}

func (s stopping) Run() error {
	for b := make([]byte, 1<<20); ; time.Sleep(time.Millisecond) {
		if !bytes.Contains(b[:runtime.Stack(b, true)], []byte(drawing)) {
			break
		}
	}
	s.hold(stopProcess)
	return nil
}

// drawing is Bubble Tea's goroutine that draws at each tick. It stops the ticks after it has been told to end. Where it
// does so late, when the program goes on, it stops those of the next one, and nothing is drawn any more.
const drawing = "startRenderer.func1"

func (stopping) SetStdin(io.Reader)  {}
func (stopping) SetStdout(io.Writer) {}
func (stopping) SetStderr(io.Writer) {}

// stop gives the terminal back to the shell.
func (m *model) stop() tea.Cmd {
	if m.opts.hold == nil || !m.opts.host().stops() {
		return m.Say(false, cmp.Or(m.Outside.Closed, "there is no shell to go back to from here"))
	}
	return tea.Exec(stopping{m.opts.hold}, func(err error) tea.Msg {
		return control.ThenMsg(func() tea.Cmd { return m.resumed(err) })
	})
}

// resumed draws the screen anew when the program goes on. Without a terminal there is none.
func (m *model) resumed(err error) tea.Cmd {
	if err != nil {
		return tea.Quit
	}
	m.Screen.Dirty = true
	if !m.Feed.Begun() {
		return tea.ClearScreen
	}
	return tea.Batch(tea.ClearScreen, m.tell(control.ResumedMsg{}))
}
