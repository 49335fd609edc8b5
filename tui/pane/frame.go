// Package pane has the parts of a view.
//
// A View lists its panes for a size. A Pane is one box of a view: it reads a Frame and draws within a region of the
// plane, so its picture can be a golden file. A pane keeps no state between frames.
//
// The package also has what panes share: lines of text made of parts, curves of the lanes' histories, the zoom and the
// cross on their axes, and the names of lanes and parameters.
package pane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/theme"
)

// XAxis is the unit of the curves' horizontal axis.
type XAxis uint8

// The axes.
const (
	ByStep XAxis = iota
	ByEpoch
	ByGradient // gradients of single rows
	ByClock    // sampling seconds
)

// Frame is everything that a pane reads.
type Frame struct {
	Attention
	Snap   *engine.Snapshot // as the screen shows it, with what is foreseen of commands under way
	Theme  theme.Theme
	Lane   int                // index of the focused lane in Snap.Lanes
	Behind []*engine.Snapshot // saved sessions on the same target, whose curves are pale
	// Params are the focused lane's parameters; nil to have them looked up.
	Params []param.Param
	Linked bool // turns apply to every lane
	LogY   bool
	// Keys is the key of a binding, by its name; nil if keys are unknown.
	Keys func(name string) string
	// Covered says that a dialog is open over the view, so that no card may be.
	Covered bool

	// Panes collects the panes that are drawn, for the mouse and the keys; nil to drop them.
	Panes *Panes
	One   bool // there is no room for more than one pane
}

// Attention is what of a session is looked at, and how.
type Attention struct {
	XAxis XAxis
	LogX  bool
	// Image is the first test image of view 5, by its place in the snapshot's predictions.
	Image int
	// Layer is the first layer of view 4, by its place in the view's order.
	Layer int
	// Browse marks the image at Image, while images are chosen one by one.
	Browse bool
	// Pane is the name of the focused pane, empty for none. With Full it is drawn over the whole view.
	Pane string
	Full bool
	// Asked are the names of quantities that a lesson asks about: their curves come first in a
	// view of many, with the lanes' numbers at the foot.
	Asked []string
	// Projector shows one pane with the header, a row of parameters, the line of keys and the view's own row.
	Projector bool
	// Overlay lays the lanes of the stage over each other in one pane.
	Overlay bool
	// Heat is what the plane of a classification shows, and Class that of a datum that a click adds.
	Heat  Heat
	Class int
	// Card says that the card of the focused lane's newest change is shown: in the place that
	// the view has for it, else over the view.
	Card bool
	// Zoom is the part of each axis that is shown.
	Zoom Zoom
	// Cross is the place whose exact values charts show.
	Cross Cross
}
