package app

import (
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

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
}

// A host is what a screen does to the process that it is in and to the terminal.
type host interface {
	// spare gives the screen a processor beside those of the lanes.
	spare() (undo func())
	// onSignal calls f once, at the first signal to end. The function it returns stops
	// listening.
	onSignal(f func()) (stop func())
	// watch has gone called when a terminal that is read from is closed. It may be called
	// more than once.
	watch(in io.Reader, gone func()) io.Reader
	// program are Bubble Tea's options.
	program(o *Options) []tea.ProgramOption
	// follow sends the sizes that the terminal gets, if Bubble Tea does not ask for them,
	// until the function it returns is called.
	follow(p *tea.Program) (stop func())
	// stops reports whether the process can be stopped from the screen.
	stops() bool
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

// spare: the lanes keep a processor of Go's scheduler busy each. With two more for the
// screen, a key that comes is handled as soon as the system runs its thread, and does not wait
// for a lane to come to the end of its chunk.
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

func (process) program(*Options) []tea.ProgramOption { return nil }

func (process) follow(*tea.Program) (stop func()) { return func() {} }

func (process) stops() bool { return hasShell() }

func (*Guest) spare() (undo func()) { return func() {} }

func (*Guest) onSignal(func()) (stop func()) { return func() {} }

func (*Guest) watch(in io.Reader, gone func()) io.Reader { return ending{in, gone} }

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

func (*Guest) stops() bool { return false }

// ending is a terminal of a Guest, which tells when it is gone.
type ending struct {
	io.Reader
	gone func()
}

// Read implements io.Reader.
func (e ending) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	if err != nil {
		e.gone()
	}
	return n, err
}

// A More makes a controller that the screen has beside its own.
type More func(*control.Desk) control.Controller
