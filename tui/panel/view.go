package panel

import "github.com/psgld/psgld-tui/tui/chart"

// The size at which a view is laid out when one of its panes is drawn alone, so
// that there are all of them to choose from.
const offW, offH = 240, 80

// drawView draws a view, or one pane of it over all of g.
func drawView(g chart.Region, v View, f *Frame) {
	if f.Panes == nil && (f.Full || f.Projector || f.Pane != "") {
		f.Panes = new(Panes)
	}
	p := f.Panes
	if p == nil {
		v.Draw(g, *f)
		return
	}
	if (f.Full || f.Projector) && len(f.lanes()) > 0 && p.alone(g, v, f) {
		return
	}
	p.begin("", g)
	v.Draw(g, *f)
	if f.Pane == "" {
		return
	}
	if at := p.find(f.Pane); at != nil {
		g.Place(at.Rect).Heavy(f.Theme)
	}
}

// alone draws the focused pane over all of g; without one that of the focused
// lane, or the first of the view. It reports whether the view has panes.
func (p *Panes) alone(g chart.Region, v View, f *Frame) bool {
	name := f.Pane
	if name == "" {
		name = laneName(f.lane().ID)
	}
	if p.off == nil {
		p.off = chart.NewPlane(offW, offH)
	}
	w, h := g.Size()
	for _, at := range [...]chart.Rect{{W: offW, H: offH}, {W: min(w, offW), H: min(h, offH)}} {
		p.off.Clear()
		p.begin(name, g)
		v.Draw(p.off.Sub(at), *f)
		if p.found {
			return true
		}
	}
	if f.Pane != "" && !f.Projector || p.n == 0 {
		return false
	}
	name = p.all[0].Name
	p.off.Clear()
	p.begin(name, g)
	v.Draw(p.off.Region(), *f)
	return p.found
}

// Card is whether the card of the newest tweak shows.
type Card uint8

// The states of the card.
const (
	CardBeside Card = iota // in the views that have a place for it
	CardOver               // over every view
	CardHidden
)

// cardName is the name of the card's pane.
const cardName = "before and after"

// overCard draws the card of the newest tweak over the lower right of a view that
// does not show it already.
func overCard(g chart.Region, f *Frame) {
	v := f.lane()
	if f.Card != CardOver || v == nil || v.Previous == nil || f.Covered {
		return
	}
	if p := f.Panes; p != nil {
		if at := p.find(cardName); at != nil && !at.Rect.Empty() {
			return
		}
		p.only = ""
	}
	w, h := min(46, g.W()), min(tweakRows(v), g.H())
	at := g.Sub(chart.Rect{X: g.W() - w, Y: g.H() - h, W: w, H: h})
	at.Fill(' ', chart.Style{})
	tweakCard(at, f, v)
}
