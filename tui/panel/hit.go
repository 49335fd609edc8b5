package panel

import (
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/predictions"
)

// ofView is the view of single predictions with the part of a screen of w×h cells that
// it has; nil for any other view, and on a screen that is too small for views.
func ofView(v pane.View, w, h int, f *pane.Frame) (*predictions.View, Layout) {
	p, _ := v.(*predictions.View)
	at := arrange(w, h, f)
	if at.Compact {
		p = nil
	}
	return p, at
}

// PageSize is how many single predictions a screen of w×h cells has in view 5, 0
// in any other and where there are none. The keys that browse go by it.
func PageSize(v pane.View, w, h int, f pane.Frame) int {
	p, at := ofView(v, w, h, &f)
	if p == nil {
		return 0
	}
	return p.PageSize(at.View.W, at.View.H, &f)
}

// ShiftHit says whether (x, y) of a screen of w×h cells is on the slider of view
// 5's shift, and at which fraction of it.
func ShiftHit(v pane.View, w, h int, f pane.Frame, x, y int) (frac float64, ok bool) {
	p, at := ofView(v, w, h, &f)
	if p == nil {
		return 0, false
	}
	return p.ShiftAt(at.View.W, at.View.H, &f, x-at.View.X, y-at.View.Y)
}

// ImageAtCell is the place among the predictions of the image under a cell of a
// screen of w×h cells.
func ImageAtCell(v pane.View, w, h int, f pane.Frame, x, y int) (image int, ok bool) {
	p, at := ofView(v, w, h, &f)
	if p == nil {
		return 0, false
	}
	return p.ImageAt(at.View.W, at.View.H, &f, x-at.View.X, y-at.View.Y)
}
