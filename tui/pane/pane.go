package pane

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
)

// A Pane is one box of a view, for the mouse and the keys to point at.
type Pane struct {
	// Name says what the pane shows, and stands still from frame to frame.
	Name string
	// Lane is the place of the lane that the pane belongs to, -1 for none.
	Lane int
	// Place is where the pane stands among the others, Rect where it was drawn,
	// in cells of the plane; empty if another one has the whole view.
	Place, Rect plane.Rect
	// Plot is where its data are, on axes whose values can be told; it is empty
	// without such axes.
	Plot Plot
}

// A Plot is a part of the plane with data on it.
type Plot struct {
	Rect         plane.Rect
	AxisX, AxisY Axis  // AxisY is NoAxis where only what runs along is told
	X, Y         Range // what is shown
	AllX, AllY   Range // what is shown without a zoom
	LogX         bool
}

// A Range is a part of an axis. The zero Range is all of it.
type Range struct{ Lo, Hi float64 }

// Set reports whether r is a range with two finite ends.
func (r Range) Set() bool { return r.Hi > r.Lo && !math.IsInf(r.Hi-r.Lo, 0) }

// emptyRange is the range of no values, add widens it to one that is finite.
func emptyRange() Range { return Range{math.Inf(1), math.Inf(-1)} }

func (r *Range) add(v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
	}
}

// maxPanes bounds the panes of a view.
const maxPanes = 32

// Panes are what a view has drawn. The zero value is ready for use.
type Panes struct {
	all   [maxPanes]Pane
	n     int
	only  string       // the one pane that is drawn, empty for all of them
	whole plane.Region // where that is
	found bool         // it was drawn
	off   *plane.Plane // where the view is laid out meanwhile
}

// All are the panes in the order in which they were drawn, valid until the next
// frame.
func (p *Panes) All() []Pane { return p.all[:p.n] }

// Find returns the pane of a name.
func (p *Panes) Find(name string) (Pane, bool) {
	if at := p.find(name); at != nil {
		return *at, true
	}
	return Pane{}, false
}

func (p *Panes) find(name string) *Pane {
	for i := range p.n {
		if p.all[i].Name == name {
			return &p.all[i]
		}
	}
	return nil
}

// At returns the pane under a cell of the plane: the topmost one.
func (p *Panes) At(x, y int) (Pane, bool) {
	for i := p.n - 1; i >= 0; i-- {
		if p.all[i].Rect.Contains(x, y) {
			return p.all[i], true
		}
	}
	return Pane{}, false
}

// Begin forgets the panes. With a name only that one is drawn, over all of
// whole.
func (p *Panes) Begin(only string, whole plane.Region) {
	p.n, p.only, p.whole, p.found = 0, only, whole, false
}

func (p *Panes) add(q Pane) {
	at := p.find(q.Name)
	switch {
	case at == nil && p.n < maxPanes:
		p.all[p.n] = q
		p.n++
	case at != nil && at.Rect.Empty(): // the view has no room for it, but it is drawn over the view
		*at = q
	}
}

// Begin begins a pane: it takes note of it and returns the region in which it is
// drawn, and whether it is drawn at all.
func (f *Frame) Begin(g plane.Region, name string, lane int) (plane.Region, bool) {
	p := f.Panes
	if p == nil {
		return g, true
	}
	q := Pane{Name: name, Lane: lane, Place: g.Rect(), Rect: g.Rect()}
	if q.Place.Empty() {
		return g, p.only == ""
	}
	if p.only != "" {
		if p.only != name || p.found {
			q.Rect = plane.Rect{}
			p.add(q)
			return plane.Region{}, false
		}
		p.found, g = true, p.whole
		q.Rect = g.Rect()
	}
	p.add(q)
	return g, true
}

// SetPlot says where the data of a pane that was drawn are.
func (f *Frame) SetPlot(name string, at Plot) {
	if f.Panes == nil || at.Rect.Empty() || !at.X.Set() {
		return
	}
	if p := f.Panes.find(name); p != nil && at.Rect.Intersect(p.Rect) == at.Rect {
		p.Plot = at
	}
}

// Alone reports whether one pane has the whole view.
func (f *Frame) Alone() bool { return f.Full || f.Projector }

// LanePane is the name of the pane of the lane with an ID.
func LanePane(id int) string {
	return [...]string{"lane A", "lane B", "lane C", "lane D"}[Slot(id)]
}
