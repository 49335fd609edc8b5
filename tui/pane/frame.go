// Package pane has what a view is made of.
//
// A pane is one box of a view. Whatever it shows it reads from a Frame, and it draws
// within a region of the plane, so a picture of it is a golden file. What a pane keeps
// between frames is scratch memory alone.
//
// Beside Frame and Pane stand what panes have in common: lines of text made of parts,
// curves of the lanes' histories, the zoom and the cross on their axes, and the names of
// lanes and parameters.
package pane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/theme"
)

// XAxis is what the curves are drawn against.
type XAxis uint8

// The axes.
const (
	ByStep XAxis = iota
	ByEpoch
	ByGradient // gradients of single data
	ByClock    // sampling seconds
)

// Frame is all that a pane may look at.
type Frame struct {
	Snap  *engine.Snapshot
	Theme theme.Theme
	Lane  int // index of the focused lane in Snap.Lanes
	// Params are the focused lane's parameters; nil to have them looked up.
	Params []param.Param
	Linked bool // turns apply to every lane
	Param  int  // index of the selected parameter on the strip
	XAxis  XAxis
	LogX   bool
	LogY   bool
	// Image is the test image with which view 5 begins, by its place in the
	// snapshot's predictions.
	Image int
	// Browse says that the images are chosen one by one: that at Image is marked.
	Browse bool
	// Keys is the key of a binding, by its name; nil where keys are not known.
	Keys func(name string) string
	// Covered says that something is open over the view, so that nothing else
	// can stand there.
	Covered bool

	// Panes takes note of the panes that are drawn, for the mouse and the keys;
	// nil if nobody asks.
	Panes *Panes
	// Pane is the name of the focused pane, empty for none. With Full it is drawn
	// over the whole view.
	Pane string
	Full bool
	One  bool // there is no room for more than one pane
	// Projector leaves out all but the header, one pane and what one steers by: a
	// row of parameters, the line of keys, and the view's own row.
	Projector bool
	// Zoom is the part of each axis that is shown.
	Zoom Zoom
	// Cross is the place of which charts tell the exact values.
	Cross Cross
	// Overlay lays the lanes of the stage over each other in one pane.
	Overlay bool
	// Card is whether what the newest tweak of the focused lane has changed is
	// shown.
	Card Card
}
