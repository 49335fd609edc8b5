// Package inspect is the controller by which charts are read: the cross that tells exact
// values, the part of each axis that is shown, and what stands on it.
package inspect

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
)

// Inspect is the controller. Zoom and cross are the desk's focus, which panes draw.
type Inspect struct {
	*control.Desk
	control.Unseen
	x, y  int       // where the mouse is
	told  bool      // it is on a chart whose values are told
	from  pane.Plot // as it was when a drag of it began
	fromX int       // where that was
	fromY int
}

// New makes the controller of a desk.
func New(d *control.Desk) *Inspect { return &Inspect{Desk: d} }

func (c *Inspect) Bindings() []control.Binding {
	const watch = "show the next coordinate on the x axis, y axis"
	axes := control.In(control.Views, nil, []control.Binding{
		{Name: "watch: next on the x axis", Page: control.OnView, On: c.many, Keys: "c", Unlisted: true, Help: watch,
			Do: control.By(c.watchNext, 0)},
		{Name: "watch: next on the y axis", Page: control.OnView, On: c.many, Keys: "C", Unlisted: true, Help: watch,
			Do: control.By(c.watchNext, 1)},
	})
	state := func() bool { return c.Focus.Read }
	zoomed := func() bool { return c.Screen.Panes.Zoomed(c.Focus.Zoom) }
	cross := func(dx, dy int) func() tea.Cmd { return func() tea.Cmd { return c.moveCross(dx, dy) } }
	const move, far, ends, about = "values: move the cross", "values: move it ten points",
		"values: to the first point, the last", "values: zoom in, out around the cross"
	return slices.Concat(axes,
		control.In(control.Panes, nil, []control.Binding{
			{Name: "exact values", Page: control.OnView, Keys: "v", Help: "read exact values off a chart with a cross",
				Do: c.inspect, Examples: []string{"hover a chart: show exact values"}},
			{Name: "next map", Lacks: c.noMap, Page: control.OnView, On: c.mapped, Keys: "m",
				Help: "what the map shows: probability, sd, lanes apart …", Do: c.nextMap},
			{Name: "class of a click", Lacks: c.noMap, Page: control.OnView, On: c.mapped, Keys: "J",
				Help: "the class of the data that clicks on the map add", Do: c.nextClass},
		}),
		control.In(control.Panes, state, []control.Binding{
			{Name: "values: left", Keys: "left", Help: move, Hint: "move", Rank: 3, Do: cross(-1, 0)},
			{Name: "values: right", Keys: "right", Help: move, Hint: "move", Rank: 3, Do: cross(1, 0)},
			{Name: "values: up", Keys: "up", Help: move, Do: cross(0, 1)},
			{Name: "values: down", Keys: "down", Help: move, Do: cross(0, -1)},
			{Name: "values: far left", Keys: "shift+left pgdown", Help: far, Do: cross(-farCross, 0)},
			{Name: "values: far right", Keys: "shift+right pgup", Help: far, Do: cross(farCross, 0)},
			{Name: "values: first", Keys: "home", Help: ends, Do: cross(-allCross, 0)},
			{Name: "values: last", Keys: "end", Help: ends, Do: cross(allCross, 0)},
			{Name: "values: zoom in", Keys: "+ enter", Help: about, Hint: "zoom", Rank: 4, Do: control.By(c.zoomBy, 1)},
			{Name: "values: zoom out", Keys: "-", Help: about, Hint: "zoom", Rank: 4, Do: control.By(c.zoomBy, -1)},
			{Name: "values: leave", Keys: "esc", Help: "values: put the cross away", Hint: "back", Rank: 1,
				Do: c.leave},
		}),
		control.In(control.Panes, func() bool { return state() || zoomed() }, []control.Binding{
			{Name: "values: show all", Keys: "0", Help: "zoomed: show the whole of each axis",
				HintNow: func() (string, int) {
					if zoomed() {
						return "whole axes", 0 // beside the keys of the screen's state, which all hold
					}
					return "", 0
				}, Do: c.zoomAll},
		}),
		[]control.Binding{
			{Name: "show", Help: "show two coordinates, such as x1 x2 or 3 7, or principal", With: c.parseWatch,
				Examples: []string{":show x1 x2: show two coordinates, by name or as in 3 7"}},
			control.Of("zoom", "zoom a chart: in, out, all, left or right", []control.Binding{
				{Name: "in", Help: "show less of each axis", Do: control.By(c.zoomBy, 1)},
				{Name: "out", Help: "show more of each axis", Do: control.By(c.zoomBy, -1)},
				{Name: "all", Help: "show the whole of each axis", Do: c.zoomAll},
				{Name: "left", Help: "move left along the x axis", Do: control.By(c.pan, -1)},
				{Name: "right", Help: "move right along the x axis", Do: control.By(c.pan, 1)},
			}, ":zoom in: zoom a chart; also out, all, left, right"),
			{Name: "zoom.all", At: func(control.Hit) tea.Cmd { return c.zoomAll() }},
			control.Of("axes", "the axes of curves: steps …, log or linear", c.axes(),
				":axes epochs: curves against epochs, gradients, seconds …",
				":axes log x: a log x axis; also linear x, log y …"),
			{Name: pane.DoWatch, At: c.watchRow, Examples: []string{"click a row: show the trace of its coefficient"}},
			{Name: pane.DoZoom, At: c.zoomAt,
				Examples: []string{"wheel on a chart: zoom; with shift: move along the axis"}},
			{Name: pane.DoPan, At: c.panAt, Examples: []string{"drag a chart: move along a zoomed axis"}},
			{Name: pane.DoPoint, At: c.addPoint, Examples: []string{"click a function: add a datum there"}},
		},
	)
}

func (c *Inspect) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.HoverMsg:
		c.x, c.y = msg.X, msg.Y
		c.under()
	case control.FrameMsg:
		if c.told {
			c.under() // what stands there may have moved
		}
	}
	return nil, false
}
