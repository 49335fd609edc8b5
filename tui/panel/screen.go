package panel

import "github.com/psgld/psgld-tui/tui/plane"

// Layout is where Screen draws its parts, in cells of the plane.
type Layout struct {
	Header, Tape, View, Strip, Footer plane.Rect
	// Below is what Frame.Below asks for, as far as there is room.
	Below plane.Rect
	// Compact says that the screen is too small for a pane; then View is all of it
	// but for the tape, and the other parts are empty.
	Compact bool
}

// Arrange lays out a screen of w×h cells.
func Arrange(w, h int, f Frame) Layout { return arrange(w, h, &f) }

func arrange(w, h int, f *Frame) Layout {
	all := plane.Rect{W: max(w, 0), H: max(h, 0)}
	if w < paneW || h < paneH {
		tape, rest := f.cutTape(all)
		return Layout{Tape: tape, View: rest, Compact: true}
	}
	most := 2
	switch {
	case h < 2*paneH:
		most = 1
	case h >= fullH:
		most = 3
	}
	rows := stripRows(w, most, f, f.params())
	var at Layout
	at.Header, all = all.CutTop(1)
	at.Tape, all = f.cutTape(all)
	if f.Projector {
		rows = 1
	}
	at.Footer, all = all.CutBottom(1)
	at.Strip, at.View = all.CutBottom(rows)
	at.Below, at.View = at.View.CutBottom(f.Below)
	return at
}

// Screen draws a whole screen of the plane's size, which may be any. It clears
// the plane first.
func Screen(p *plane.Plane, v View, f Frame) {
	p.Clear()
	w, h := p.Size()
	at := arrange(w, h, &f)
	if at.Compact {
		if f.Panes != nil {
			f.Panes.begin("", p.Region())
		}
		tapeBar(p.Sub(at.Tape), &f)
		compact(p.Sub(at.View), &f)
		return
	}
	tapeBar(p.Sub(at.Tape), &f)
	if v != nil {
		drawView(p.Sub(at.View), v, &f)
		overCard(p.Sub(at.View), &f)
	}
	header(p.Sub(at.Header), &f) // after the view, which knows whether it is zoomed
	strip(p.Sub(at.Strip), &f)
	tell(p.Region(), &f, at.Footer, at.View)
}

// laneFinder is a view with panes that belong to lanes.
type laneFinder interface {
	LaneAt(w, h int, f Frame, x, y int) (lane int, ok bool)
}

// LaneHit returns the lane whose pane is at (x, y) of a screen of w×h cells.
func LaneHit(v View, w, h int, f Frame, x, y int) (lane int, ok bool) {
	at := arrange(w, h, &f)
	if at.Compact {
		return compactLaneAt(at.View.H, &f, y-at.View.Y)
	}
	if l, is := v.(laneFinder); is && at.View.Contains(x, y) {
		return l.LaneAt(at.View.W, at.View.H, f, x-at.View.X, y-at.View.Y)
	}
	return 0, false
}

// Views returns the views in the order of their numbers. The last one shows a grid.
func Views(grid *SweepShown) []View {
	return []View{NewStage(), NewDiagnostics(), NewLearning(), NewWeights(), NewPredictions(), NewSweep(grid)}
}
