package app

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// An again is a screen that stops each time that it has been drawn.
type again struct {
	n       atomic.Int64
	stopped bool
	tell    func(tea.Msg)
}

const onAgain = "it goes on"

func (a *again) Init() tea.Cmd { return nil }

func (a *again) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	const most = 100
	switch n := a.n.Load(); {
	case msg == onAgain:
		a.stopped = false
		a.n.Add(1)
	case a.stopped || msg != n:
	case n == most:
		return a, tea.Quit
	default:
		a.stopped = true
		return a, tea.Exec(stopping{func(func()) {}}, func(error) tea.Msg { return onAgain })
	}
	return a, nil
}

func (a *again) View() tea.View { return tea.NewView(fmt.Sprint(a.n.Load())) }

// Write takes what is drawn.
func (a *again) Write(b []byte) (int, error) {
	go a.tell(a.n.Load())
	return len(b), nil
}

// A program that goes on draws, however late the goroutine ends that drew before it stopped.
func TestDrawsAfterEachStop(t *testing.T) {
	in, typed, err := os.Pipe() // a reader that can be left
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer typed.Close()
	a := &again{}
	p := tea.NewProgram(a, tea.WithInput(in), tea.WithOutput(a), tea.WithFPS(120), tea.WithWindowSize(10, 2),
		tea.WithoutSignalHandler())
	a.tell = p.Send
	end := make(chan error, 1)
	go func() {
		_, err := p.Run()
		end <- err
	}()
	select {
	case err = <-end:
	case <-time.After(ptytest.Patience): // it would not end either
		err = errors.New("nothing is drawn")
	}
	if err != nil {
		t.Errorf("after %d stops: %v", a.n.Load(), err)
	}
}
