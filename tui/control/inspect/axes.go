package inspect

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view"
)

func (c *Inspect) axes() (all []control.Binding) {
	for x, name := range [...]string{pane.ByStep: "steps", pane.ByEpoch: "epochs", pane.ByGradient: "gradients",
		pane.ByClock: "seconds"} {
		b := control.Binding{Name: name, Help: "curves against " + name, Do: func() tea.Cmd {
			c.Focus.XAxis = pane.XAxis(x)
			return c.Say(false, "curves against "+name)
		}}
		if pane.XAxis(x) == pane.ByEpoch {
			b.Lacks = func() string {
				if c.Feed.Foreseen.Problem.HasData() {
					return ""
				}
				return "takes a target with data"
			}
		}
		all = append(all, b)
	}
	for _, w := range [...]struct {
		name string
		set  func(f *control.Focus)
	}{
		{"log x", func(f *control.Focus) { f.LogX = true }},
		{"linear x", func(f *control.Focus) { f.LogX = false }},
		{"log y", func(f *control.Focus) { f.LinearY = false }},
		{"linear y", func(f *control.Focus) { f.LinearY = true }},
	} {
		all = append(all, control.Binding{Name: w.name, Help: "a " + w.name + " axis", Do: func() tea.Cmd {
			f := &c.Focus
			w.set(f)
			word := map[bool]string{false: "linear", true: "log"}
			return c.Say(false, "x "+word[f.LogX]+", y "+word[!f.LinearY])
		}})
	}
	return all
}

// watchNext shows the next coordinate on an axis, 0 for x and 1 for y.
func (c *Inspect) watchNext(axis int) tea.Cmd {
	dim := c.Feed.Foreseen.Config.Tracked(c.Feed.Foreseen.Problem.Dim())
	if dim <= 2 {
		return c.bothShown()
	}
	at := c.Lane().Watch
	at[axis] = (at[axis] + 1) % dim
	if at[axis] == at[1-axis] {
		at[axis] = (at[axis] + 1) % dim
	}
	return c.watchAt(at)
}

// watchAt watches two coordinates and says so, since the view may not have room for both.
func (c *Inspect) watchAt(at [2]int) tea.Cmd {
	text := "watched: " + c.nameOf(at[0]) + " and " + c.nameOf(at[1])
	if !c.traced() {
		text += fmt.Sprintf("; views %s and %s show them", c.Keys.First("view: stage"),
			c.Keys.First("view: diagnostics"))
	}
	return tea.Batch(c.Feed.Send(c.Focus.Watching(at, false)), c.Say(false, text))
}

// watchRow watches the coordinate of a row, and as the second one that which was the first.
func (c *Inspect) watchRow(hit control.Hit) tea.Cmd {
	at := c.Lane().Watch
	if i, err := strconv.Atoi(hit.Args[0]); err == nil && i != at[0] {
		return c.watchAt([2]int{i, at[0]})
	}
	return nil
}

// watchPrincipal shows the draws' principal directions, or the coordinates again.
func (c *Inspect) watchPrincipal() tea.Cmd {
	if c.Feed.Foreseen.Problem.Dim() <= 2 {
		return c.bothShown()
	}
	l := c.Lane()
	return c.Feed.Send(c.Focus.Watching(l.Watch, !l.Principal))
}

func (c *Inspect) bothShown() tea.Cmd {
	p := c.Feed.Foreseen.Problem
	return c.Say(false, fmt.Sprintf("%s has %d coordinates, and both are shown", p.Spec, p.Dim()))
}

func (c *Inspect) parseWatch(arg string) (func() tea.Cmd, error) {
	if arg == "principal" {
		return c.watchPrincipal, nil
	}
	if f := strings.Fields(arg); len(f) == 2 {
		x, known := c.coordinate(f[0])
		y, both := c.coordinate(f[1])
		if known && both {
			return func() tea.Cmd { return c.watchAt([2]int{x, y}) }, nil
		}
	}
	return nil, fmt.Errorf("must be principal, or two coordinates by name or from 1 to %d, got %q",
		c.Feed.Foreseen.Problem.Dim(), arg)
}

// nameOf is a coordinate's name as the screen writes it.
func (c *Inspect) nameOf(i int) string {
	return pane.ShortName(&c.Theme, c.Feed.Foreseen.Problem.Name(i))
}

// coordinate is the place of a coordinate that is given by its name or by its number from 1.
func (c *Inspect) coordinate(name string) (i int, found bool) {
	p := c.Feed.Foreseen.Problem
	if n, err := strconv.Atoi(name); err == nil {
		return n - 1, n >= 1 && n <= p.Dim()
	}
	for i := range c.Feed.Foreseen.Config.Tracked(p.Dim()) {
		if strings.EqualFold(name, p.Name(i)) || strings.EqualFold(name, c.nameOf(i)) {
			return i, true
		}
	}
	return 0, false
}

// many reports whether the view shows coordinates of which there are some to choose from.
func (c *Inspect) many() bool { return c.traced() && c.Feed.Foreseen.Problem.Dim() > 2 }

// traced reports whether the view shows the watched coordinates.
func (c *Inspect) traced() bool {
	v := c.Focus.View
	return v == view.Stage || v == view.Diagnostics
}

// mapped reports whether the view has the map of a classification.
func (c *Inspect) mapped() bool {
	return c.Focus.View == view.Stage && c.noMap() == ""
}

// noMap says why the target has no map, empty where it has.
func (c *Inspect) noMap() string {
	if t := pane.Function(c.Feed.Foreseen.Problem); t != nil && t.Inputs() == 2 {
		return ""
	}
	return "the stage of classify has a map; t chooses one"
}

// nextMap has the map show the next of what it can.
func (c *Inspect) nextMap() tea.Cmd {
	f, s := &c.Focus, c.Feed.Foreseen
	if !c.mapped() {
		return c.Say(false, cmp.Or(c.noMap(), "the stage has the map"))
	}
	f.Heat = f.Heat.Next(len(s.Lanes), s.Problem.Function != nil)
	return c.Say(false, "map: "+f.Heat.String())
}

// nextClass is the other class of the data that clicks add.
func (c *Inspect) nextClass() tea.Cmd {
	if !c.mapped() {
		return c.Say(false, cmp.Or(c.noMap(), "the stage has the map"))
	}
	c.Focus.Class = 1 - c.Focus.Class
	return c.Say(false, fmt.Sprintf("a click adds a datum of class %d", c.Focus.Class))
}

// addPoint adds a datum where the plot of a function was hit, as if it were typed, in decimals that tell cells apart.
func (c *Inspect) addPoint(at control.Hit) tea.Cmd {
	p, ok := c.Screen.Panes.Find(at.Args[0])
	t := pane.Function(c.Feed.Foreseen.Problem)
	if !ok || t == nil {
		return nil
	}
	place := p.Plot.Under(p.Plot.Rect.X+at.X, p.Plot.Rect.Y+at.Y)
	round := func(x float64, r pane.Range, cells int) float64 {
		unit := math.Pow(10, math.Ceil(-math.Log10(r.Len()/float64(cells))))
		return math.Round(x*unit) / unit
	}
	d := targets.Datum{X: round(place.X, p.Plot.X, at.W), Y: round(place.Y, p.Plot.Y, at.H)}
	if t.Inputs() == 2 {
		d.Class = float64(c.Focus.Class)
	}
	add, err := control.ByName(c.Keys.Bindings, grammar.Point).With(d.String())
	if err != nil {
		return c.Say(true, grammar.Point+" "+err.Error())
	}
	return add()
}
