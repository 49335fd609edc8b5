package panel

import (
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/predictions"
)

// ofPredictions is where a screen of w×h cells shows single predictions, empty if it
// does not.
func ofPredictions(v pane.View, w, h int, f *pane.Frame) plane.Rect {
	at := arrange(w, h, f)
	if v.Name != predictions.Name || at.Compact {
		return plane.Rect{}
	}
	return at.View
}

// PageSize is how many single predictions a screen of w×h cells has in view 5, 0
// in any other and where there are none. The keys that browse go by it.
func PageSize(v pane.View, w, h int, f pane.Frame) int {
	at := ofPredictions(v, w, h, &f)
	return predictions.PageSize(at.W, at.H, &f)
}
