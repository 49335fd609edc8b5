// Package panel draws the parts of the screen. Every panel is a pure function
// of a Frame and a region of the plane; what a panel keeps between frames is
// scratch memory and caches alone, so a picture of it is a golden file. The one
// exception is the window of draws whose extent is not known, which moves only
// when it has to.
package panel

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/chart"
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

// Frame is all that a panel may look at.
type Frame struct {
	Snap  *engine.Snapshot
	Theme theme.Theme
	Lane  int // index of the focused lane in Snap.Lanes
	// Params are the focused lane's parameters; nil to have them looked up.
	Params []sampler.Param
	Linked bool // turns apply to every lane
	Param  int  // index of the selected parameter on the strip
	XAxis  XAxis
	LogX   bool
	LogY   bool
	// Image is the test image with which view 5 begins, by its place in the
	// snapshot's predictions.
	Image int
	// Input is the text being typed for the selected parameter, with its cursor
	// drawn; nil when nothing is typed.
	Input *string
	// Hint is the footer's line of keys.
	Hint string
	// Covered says that something is open over the view, so that nothing else
	// can stand there.
	Covered bool
	// HideNotice leaves the snapshot's notice out of the footer, once it has
	// been shown long enough.
	HideNotice bool
}

// A View is one of the numbered screens: what stands between the header and
// the parameter strip.
type View interface {
	// Name is the view's name, for the footer, the help and the palette.
	Name() string
	// Draw draws the view inside g.
	Draw(g chart.Region, f Frame)
}
