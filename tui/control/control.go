package control

import (
	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Controller is one concern of the screen. What is open over the screen is one too,
// for as long as it is open.
type Controller interface {
	// Bindings lists what can be done. Those of what is open take its keys.
	Bindings() []Binding
	// Update handles a message of the controller's own and reports whether it was one.
	// What is open is also told of keys that none of its bindings has, of pasted text,
	// and of the mouse.
	Update(tea.Msg) (cmd tea.Cmd, took bool)
	// Slot says where the controller draws.
	Slot() Slot
	// Draw draws the controller's part of a frame, in its slot.
	Draw(g plane.Region, f *pane.Frame)
}

// A Slot is a place of the screen.
type Slot uint8

// The slots.
const (
	Nowhere Slot = iota
	Over         // over all but the footer
)
