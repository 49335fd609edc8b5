package pane

import "github.com/psgld/psgld-tui/tui/plane"

// The size at which a view is laid out when one of its panes is drawn alone, so
// that there are all of them to choose from.
const offW, offH = 240, 80

// DrawView draws a view, or one pane of it over all of g.
func DrawView(g plane.Region, v View, f *Frame) {
	if f.One = TooSmall(g.Size()); f.One && f.Pane == "" {
		f.Overlay = true // of the stage's panes the one that has all lanes
	}
	only := f.Full || f.Projector || f.One
	if f.Panes == nil && (only || f.Pane != "") {
		f.Panes = new(Panes)
	}
	p := f.Panes
	if p == nil {
		v.Draw(g, *f)
		return
	}
	if only && len(f.Lanes()) > 0 && aloneWithRest(g, v, f) {
		return
	}
	p.Begin("", g)
	v.Draw(g, *f)
	if f.Pane == "" {
		return
	}
	if at := p.find(f.Pane); at != nil {
		g.Place(at.Rect).Heavy(f.Theme)
	}
}

// A steered view has rows of its own to steer by, which stay where one of its panes
// has the whole view.
type steered interface {
	// Steer draws them and returns what they leave of g.
	Steer(g plane.Region, f *Frame) plane.Region
}

// aloneWithRest draws the focused pane over all of g but for what one steers by and,
// where there is room beside the pane, the card of the newest tweak. It reports
// whether the view has panes.
func aloneWithRest(g plane.Region, v View, f *Frame) bool {
	rest := g
	if s, ok := v.(steered); ok {
		rest = s.Steer(g, f)
	}
	card := rest.Sub(plane.Rect{})
	if f.cardOver() && f.Pane != CardPane && rest.W() >= WideStage {
		right, left := rest.Bounds().CutRight(besideWidth)
		right.H = min(TweakRows(f.Focused()), right.H)
		card = rest.Sub(right)
		rest = rest.Sub(left)
	}
	if !f.Panes.alone(rest, v, f) {
		return false
	}
	if !card.Empty() {
		f.Panes.only = ""
		TweakCard(card, f, f.Focused())
	}
	return true
}

// alone draws the focused pane over all of g; without one that of the focused
// lane, or the first of the view. It reports whether the view has panes.
func (p *Panes) alone(g plane.Region, v View, f *Frame) bool {
	name := f.Pane
	if name == "" {
		name = LanePane(f.Focused().ID)
	}
	if p.off == nil {
		p.off = plane.NewPlane(offW, offH)
	}
	w, h := g.Size()
	for _, at := range [...]plane.Rect{{W: offW, H: offH}, {W: min(w, offW), H: min(h, offH)}} {
		p.off.Clear()
		p.Begin(name, g)
		v.Draw(p.off.Sub(at), *f)
		if p.found {
			return true
		}
	}
	if f.Pane != "" && f.Full && !f.Projector || p.n == 0 {
		return false
	}
	name = p.all[0].Name
	p.off.Clear()
	p.Begin(name, g)
	v.Draw(p.off.Region(), *f)
	return p.found
}

// The width of the card where it is not part of a view: over one, and beside a pane.
const (
	cardWidth   = 46
	besideWidth = 38
)

// cardOver reports whether the card of the newest tweak is to show over the view.
func (f *Frame) cardOver() bool {
	v := f.Focused()
	return f.Card == CardOver && v != nil && v.Previous != nil && !f.Covered
}

// OverCard draws the card of the newest tweak over the lower right of a view that
// does not show it already. Where the newest of a curve is there it stands over
// the oldest of it.
func OverCard(g plane.Region, f *Frame) {
	if !f.cardOver() {
		return
	}
	v := f.Focused()
	if p := f.Panes; p != nil {
		if at := p.find(CardPane); at != nil && !at.Rect.Empty() {
			return
		}
		p.only = ""
	}
	w, h := min(cardWidth, g.W()), min(TweakRows(v), g.H())
	x := g.W() - w
	if f.Panes != nil {
		whole := g.Rect()
		if p, ok := f.Panes.At(whole.X+whole.W-1, whole.Y+whole.H-2); ok {
			if p.Rect.W >= besideWidth { // what is left of it stays in sight
				w = min(w, p.Rect.W)
			}
			if x = g.W() - w; p.Plot.AxisX == Progress && p.Plot.Rect.W >= w {
				x = p.Plot.Rect.X - whole.X
			}
		}
	}
	at := g.Sub(plane.Rect{X: x, Y: g.H() - h, W: w, H: h})
	at.Fill(' ', plane.Style{})
	TweakCard(at, f, v)
}
