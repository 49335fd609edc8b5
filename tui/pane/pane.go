package pane

import (
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Pane is one box of a view, as the view declares it.
type Pane struct {
	// Name says what the pane shows. It stays the same from frame to frame.
	Name string
	// Lane is the place of the lane that the pane belongs to, -1 for none.
	Lane int
	// At is where the pane stands in the view.
	At plane.Rect
	// Needs are facts that some lane must have. If none has them the pane shows Why under Title.
	Needs      quantity.Facts
	Title, Why string
	// Draw draws the pane with its border.
	Draw func(g plane.Region, f *Frame)
}

// Of is a pane that belongs to no lane.
func Of(name string, draw func(g plane.Region, f *Frame)) Pane {
	return Pane{Name: name, Lane: -1, Draw: draw}
}

// In is the pane at a place.
func (p Pane) In(at plane.Rect) Pane {
	p.At = at
	return p
}

// At are as many panes as there are places, each at its own.
func At(places []plane.Rect, some []Pane) []Pane {
	return list.Map(list.Upto(len(places)), func(i int) Pane { return some[i].In(places[i]) })
}

// A Shown is a pane of the newest frame, for the mouse and the keys.
type Shown struct {
	Name string
	// Lane is the place of the lane that the pane belongs to, -1 for none.
	Lane int
	// Place is the pane's place among the others, and Rect the cells of the plane on
	// which it was drawn. Rect is empty if another pane has the whole view.
	Place, Rect plane.Rect
	// Plot is the part with the data. It is empty without axes.
	Plot Plot
}

// A Plot is a part of the plane with data on it.
type Plot struct {
	Rect         plane.Rect
	AxisX, AxisY Axis  // AxisY is NoAxis for curves and histograms
	X, Y         Range // visible
	Asked        Range // with one axis, the part of X that is to be visible: X is fitted to cells
	AllX, AllY   Range // visible without a zoom
	LogX         bool
	Parts        []chart.Part // of X, if it has several scales
	// Even says that the window is a lattice, to whose scales a zoom keeps, and Equal that a
	// unit is as long on both axes.
	Even, Equal bool
	Tap         string // what a click does beside focusing the pane: a binding's name, called with the pane's
}

// FirstOf is the first of n things on a page of a size: of the page with the thing at a place, or
// of the one that is by pages further, around the end.
func FirstOf(at, by, size, n int) int {
	if size < 1 || n < 1 {
		return 0
	}
	pages := (n + size - 1) / size
	page := min(max(at, 0)/size, pages-1) + by
	return (page%pages + pages) % pages * size
}

// A Range is a part of an axis. The zero Range is all of it.
type Range = chart.Range

// Panes are the panes of the newest frame. The zero value is ready for use.
type Panes struct {
	all []Shown
}

// Reset forgets the panes.
func (p *Panes) Reset() { p.all = p.all[:0] }

// All are the panes in the order in which they were declared, valid until the next frame.
func (p *Panes) All() []Shown { return p.all }

// Zoomed reports whether a pane shows only a part of what it could: the newest may be out of sight.
func (p *Panes) Zoomed(z Zoom) bool {
	part := func(a Axis) bool { return a != NoAxis && z[a].Set() }
	return slices.ContainsFunc(p.all, func(s Shown) bool {
		return !s.Rect.Empty() && !s.Plot.Rect.Empty() && (part(s.Plot.AxisX) || part(s.Plot.AxisY))
	})
}

// Find returns the pane of a name.
func (p *Panes) Find(name string) (Shown, bool) {
	return list.Find(p.all, func(s Shown) bool { return s.Name == name })
}

// At returns the pane under a cell of the plane: the topmost one.
func (p *Panes) At(x, y int) (Shown, bool) {
	for i := len(p.all) - 1; i >= 0; i-- {
		if p.all[i].Rect.Contains(x, y) {
			return p.all[i], true
		}
	}
	return Shown{}, false
}

// show draws a pane on g, if g is not empty, and adds it to the frame's panes. A click on it focuses it.
func (f *Frame) show(p *Pane, g plane.Region, place plane.Rect) {
	f.Panes.all = slices.DeleteFunc(f.Panes.all, func(s Shown) bool { return s.Name == p.Name && s.Rect.Empty() })
	f.Panes.all = append(f.Panes.all, Shown{Name: p.Name, Lane: p.Lane, Place: place, Rect: g.Rect()})
	if g.Empty() {
		return
	}
	g.Zone(plane.Zone{ID: "pane:" + p.Name, Click: plane.Call(DoFocus, p.Name)})
	if p.Draw == nil || p.Needs != 0 && !f.Any(p.Needs) {
		absent(g, f, p.Title, p.Why)
		return
	}
	p.Draw(g, f)
}

// The bindings that zones of panes name.
const (
	DoFocus = "pane.focus" // a pane by its name
	DoWatch = "watch.row"  // a coordinate by its place
	DoPan   = "plot.pan"   // the plot of a pane by its name
	DoZoom  = "plot.zoom"
	DoPoint = "plot.point"
	DoPage  = "page.turn" // another page of the view
)

// SetPlot sets the plot of the pane that is being drawn.
func (f *Frame) SetPlot(g plane.Region, at Plot) {
	if f.Panes == nil || len(f.Panes.all) == 0 || at.Rect.Empty() || !at.X.Set() {
		return
	}
	p := &f.Panes.all[len(f.Panes.all)-1]
	if at.Rect.Intersect(p.Rect) != at.Rect {
		return
	}
	p.Plot = at
	name := []string{p.Name}
	g.Place(at.Rect).Zone(plane.Zone{
		ID:    "plot:" + p.Name,
		Click: plane.Call(DoFocus, name...),
		Drag:  plane.Call(DoPan, name...),
		Wheel: plane.Call(DoZoom, name...),
		Tap:   plane.Call(at.Tap, name...),
	})
}

// SetAxis is SetPlot for a chart with one axis whose whole range is all. It reports whether the chart was drawn.
func (f *Frame) SetAxis(g plane.Region, at chart.Place, axis Axis, all Range) bool {
	if at.OK {
		f.SetPlot(g, Plot{Rect: at.Plot, AxisX: axis, X: at.Range, Parts: at.Parts, Asked: f.Shown(axis, all),
			AllX: all, LogX: at.Log})
	}
	return at.OK
}

// PlaneOf is a plot of two axes with a visible and a whole window. Bent axes have a lattice without steps.
func PlaneOf(plot plane.Region, x, y Axis, win chart.Lattice, all chart.Window) Plot {
	return Plot{
		Rect: plot.Rect(), AxisX: x, AxisY: y, X: win.X, Y: win.Y, AllX: all.X, AllY: all.Y,
		Even: win.StepX > 0 && win.StepY > 0, Equal: win.Equal,
	}
}

// LanePane is the name of the pane of the lane with an ID.
func LanePane(id int) string { return "lane " + Letter(id) }

// TitleEdge is the columns of an edge that a title cannot have: the ends of the edge
// and the glyphs of a legend with the blanks after them.
func TitleEdge(series []chart.Series) int {
	return 7 + 2*list.Count(series, func(s chart.Series) bool { return s.Name != "" })
}

// InLog ends the titles of charts with a log axis.
const InLog = " (log)"

// BesideLegend shortens a title to leave room for a legend: it drops the kind of the
// axis, then the part after a colon. A title that stays too long is left whole.
func BesideLegend(title string, room int) string {
	brief := title
	for _, mark := range [...]string{InLog, ":"} {
		if plane.Width(brief) > room {
			brief, _, _ = strings.Cut(brief, mark)
		}
	}
	if brief = plane.FitTitle(brief, room); plane.Width(brief) > room {
		return title
	}
	return brief
}

// Legend writes the names of the series on the upper edge of a box, after its
// title. A region too low for a box has none.
func Legend(g plane.Region, f *Frame, title string, series []chart.Series) {
	if g.H() < 2 {
		return
	}
	used := plane.Width(plane.FitTitle(g.Spell(title), g.W()-4)) + TitleRoom - 2
	chart.Legend(g.Row(0).Sub(plane.Rect{X: used, W: g.W() - used - 1, H: 1}), f.Theme, series)
}

// TitleRoom is the columns of an edge beside its title and legend.
const TitleRoom = 6

// LegendRoom is the columns of a name in a legend.
func LegendRoom(f *Frame, name string) int {
	n := plane.Width(name) + 4
	if f.Theme.Thick {
		n += 2
	}
	return n
}
