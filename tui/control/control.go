// Package control is what the controllers of the screen share. Each of them is one concern: its state, its keys with
// what they do, and its part of the frame. They know the Desk that they are given, and not each other.
//
// How it works. A key finds its [Binding], whose Do changes the [Focus] or calls [Feed.Send]. The Feed sends the
// command to the session and shows its effect at once, in Feed.Foreseen. A tick pulls the session's newest snapshot.
// After each, all controllers get an [AfterMsg]. A frame asks them for a [Slot], and has them draw there.
package control

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Controller is one concern of the screen. What is open over the screen is one too, for as long as it is open.
type Controller interface {
	// Bindings lists what can be done. Those of what is open take its keys.
	Bindings() []Binding
	// Update handles a message of the controller's own and reports whether it was one. The messages below go to every
	// controller of the screen, whatever they report. What is open is told of keys that none of its bindings has, of
	// pasted text, and of the mouse. A command that is returned for FrameMsg or DrawnMsg is not run.
	Update(tea.Msg) (cmd tea.Cmd, took bool)
	// Slot says where the controller draws now, on a screen that has so many rows left. It is called twice a frame, the
	// second time with the rows that the view has left; a controller may keep what it lays out then.
	Slot(room int) Slot
	// Draw draws the controller's part of a frame, in its slot.
	Draw(g plane.Region, f *pane.Frame)
}

// Unseen is the share of the frame of a controller without one.
type Unseen struct{}

func (Unseen) Slot(int) Slot                  { return Slot{} }
func (Unseen) Draw(plane.Region, *pane.Frame) {}

// Quiet are the messages of a controller without any.
type Quiet struct{}

func (Quiet) Update(tea.Msg) (tea.Cmd, bool) { return nil, false }

// A Slot is a part of the screen.
type Slot struct {
	At   Place
	Rows int // of Top, Below and Bottom; it may be none
}

// A Place is where a slot is.
type Place uint8

// The places.
const (
	Nowhere Place = iota
	Top           // below the header
	Below         // between the view and the bottom
	Bottom        // above the footer
	Over          // over all but the footer
	Whole         // of what is open: in the place of all else, which is not drawn
)

// After does something after a time.
func After(wait time.Duration, then func() tea.Cmd) tea.Cmd {
	return tea.Tick(wait, func(time.Time) tea.Msg { return ThenMsg(then) })
}

// Beside does some work outside the screen's goroutine. What it returns is done in that goroutine.
func Beside(work func() (then func() tea.Cmd)) tea.Cmd {
	return func() tea.Msg { return ThenMsg(work()) }
}

// What every controller is told. A ThenMsg is the root's own.
type (
	// BeginMsg says that the program begins.
	BeginMsg struct{}
	// SnapshotMsg says that the desk's feed has a new snapshot.
	SnapshotMsg struct{ Before *engine.Snapshot }
	// AfterMsg says that a key, the mouse or a new snapshot was dealt with.
	AfterMsg struct{}
	// HoverMsg says where the mouse is.
	HoverMsg struct{ X, Y int }
	// FrameMsg says that a frame is about to be drawn, and DrawnMsg that it was.
	FrameMsg struct{}
	DrawnMsg struct{}
	// ResumedMsg says that the program goes on after its shell has stopped it.
	ResumedMsg struct{}
	// SettleMsg asks to wait until what runs beside the screen is done, and to say meanwhile how far it is, if Progress
	// is not nil. Runs bounds the runs of a grid from then on, where it is above 0.
	SettleMsg struct {
		Context  context.Context
		Runs     int
		Progress func(done float64, what string)
	}
	// ThenMsg is what is done after something that was waited for, or done beside the screen.
	ThenMsg func() tea.Cmd
	// EndMsg says that the program ends: what is recorded is brought to its end, and what runs
	// is given up. Failed is told what could not be brought to its end.
	EndMsg struct{ Failed func(error) }
)
