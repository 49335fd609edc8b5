// Package layout is the controller of what stands where on the screen: the views and their panes.
package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/view/predictions"
)

// Layout is the controller. What it changes is the desk's focus, by which the root draws.
type Layout struct {
	*control.Desk
	control.Unseen
	control.Quiet
}

// names are those of the views.
var names = view.Names()

// New makes the controller of a desk.
func New(d *control.Desk) *Layout { return &Layout{Desk: d} }

func (c *Layout) Bindings() []control.Binding {
	to := func(n int, name string) control.Binding {
		return control.Binding{Name: "view: " + name, Keys: strconv.Itoa(n + 1),
			Help: "show a view: stage, diagnostics … sweep", Group: control.Views, Page: control.TenKeys, Hint: "view",
			Rank: 10, Lacks: func() string {
				return c.Feed.Lacks(n)
			}, Unlisted: true, Do: func() tea.Cmd { return c.toView(n) }}
	}
	var all, named []control.Binding
	for i, name := range names {
		b := to(i, strings.ToLower(name))
		all = append(all, b)
		b.Name, b.Help = strings.ToLower(name), "show view "+strconv.Itoa(i+1)
		named = append(named, b)
	}
	all = append(all, control.Binding{Name: "view.next",
		At: func(control.Hit) tea.Cmd { return c.toView(c.nextView()) }})
	beside := func(dx, dy int) func() tea.Cmd { return func() tea.Cmd { return c.paneBeside(dx, dy) } }
	const other, way = "focus the next pane", "focus the pane in that direction"
	layouts := control.Of("layout", "next layout: one pane, together, projector, all", []control.Binding{
		{Name: "all", Help: "show all panes", Do: control.By(c.layOut, "all")},
		{Name: "one", Help: "show the focused pane alone", Do: control.By(c.layOut, "one")},
		{Name: "together", Help: "show all lanes in one plane, on the stage", Do: control.By(c.layOut, "together")},
		{Name: "projector", Help: "show one big pane with thick lines", Do: control.By(c.layOut, "projector")},
	})
	layouts.Keys, layouts.Page, layouts.Do = "f", control.OnView, c.nextLayout
	return slices.Concat(all,
		control.In(control.Panes, nil, []control.Binding{
			{Name: "next pane", Unlisted: true, Page: control.OnView, Keys: "o", Help: other,
				Do: func() tea.Cmd { return c.nextPane(1) }},
			{Keys: "ctrl+left", Help: way, Do: beside(-1, 0)},
			{Keys: "ctrl+right", Help: way, Do: beside(1, 0)},
			{Keys: "ctrl+up", Help: way, Do: beside(0, -1)},
			{Keys: "ctrl+down", Help: way, Do: beside(0, 1)},
			layouts,
			{Name: "before and after", Page: control.OnView, Keys: "d",
				Help: "compare before and after the newest change", HintNow: c.cardWord, Do: c.showCard},
		}),
		control.In(control.General, nil, []control.Binding{
			{Keys: "esc", Help: "go back, or put the notice away", Do: c.back},
		}),
		[]control.Binding{
			{Name: pane.DoFocus, At: c.focusAt,
				Examples: []string{"click a pane: focus it and its lane",
					"double click: show the pane alone, or all panes"}},
			{Name: "lane.focus", At: c.focusLane},
			control.Of("view", "show a view by its name", named),
			{Name: "pane", Help: "focus a pane by its name", With: c.namedPane, Offer: c.paneChoices},
		},
	)
}

func (c *Layout) namedPane(name string) (func() tea.Cmd, error) {
	for _, p := range c.Screen.Panes.All() {
		if strings.EqualFold(p.Name, name) || strings.EqualFold(c.Screen.TitleOf(p), name) {
			return func() tea.Cmd { c.FocusPane(p); return nil }, nil
		}
	}
	return nil, fmt.Errorf("this view has no pane %q", name)
}

func (c *Layout) paneChoices() []control.Choice {
	return list.Map(c.Screen.Panes.All(), func(p pane.Shown) control.Choice {
		return control.Choice{Name: c.Screen.TitleOf(p), Take: func() tea.Cmd { c.FocusPane(p); return nil }}
	})
}

// nextPane gives the attention to the pane that is by places away, around the
// end. Without a focused pane it is the one from which keys begin.
func (c *Layout) nextPane(by int) tea.Cmd {
	all := c.Screen.Panes.All()
	if len(all) == 0 {
		if c.Screen.Compact() {
			return c.Say(false, "no panes: the screen is too small")
		}
		return c.Say(false, fmt.Sprintf("view %d has no panes yet", c.Focus.View+1))
	}
	i := slices.IndexFunc(all, func(p pane.Shown) bool { return p.Name == c.Focus.Pane })
	if i < 0 && c.Focus.Projector { // where that from which keys begin is on the screen alone
		p, _ := c.Screen.PaneToStart(&c.Focus)
		i = slices.IndexFunc(all, func(q pane.Shown) bool { return q.Name == p.Name })
	}
	if i < 0 {
		p, _ := c.Screen.PaneToStart(&c.Focus)
		c.FocusPane(p)
	} else {
		c.FocusPane(all[((i+by)%len(all)+len(all))%len(all)])
	}
	return c.sayPane()
}

func (c *Layout) sayPane() tea.Cmd { return c.Say(false, "pane: "+c.Screen.PaneTitle(c.Focus.Pane)) }

// paneBeside gives the attention to the nearest pane in a direction.
func (c *Layout) paneBeside(dx, dy int) tea.Cmd {
	from, ok := c.Screen.PaneToStart(&c.Focus)
	if !ok {
		return c.nextPane(1)
	}
	if c.Focus.Pane == "" {
		c.FocusPane(from)
		return c.sayPane()
	}
	best, found := 0, pane.Shown{}
	for _, p := range c.Screen.Panes.All() {
		// Rows count twice, since cells are twice as high as wide.
		x := p.Place.X + p.Place.W/2 - from.Place.X - from.Place.W/2
		y := 2 * (p.Place.Y + p.Place.H/2 - from.Place.Y - from.Place.H/2)
		along, across := x*dx+y*dy, x*dy+y*dx
		if p.Name == from.Name || along <= 0 {
			continue
		}
		if d := along + 2*max(across, -across); found.Name == "" || d < best {
			best, found = d, p
		}
	}
	if found.Name == "" {
		return c.Say(false, "no pane there")
	}
	c.FocusPane(found)
	return c.sayPane()
}

// maximise gives the focused pane the whole view, or shows all again.
func (c *Layout) maximise() tea.Cmd {
	l := &c.Focus
	if l.Full {
		l.Full = false
		return nil
	}
	p, ok := c.Screen.PaneToStart(&c.Focus)
	if !ok {
		return c.nextPane(1)
	}
	if k, image := predictions.ImageAt(p.Name); image {
		c.Focus.Image += k
		p.Name = pane.FirstImage
	}
	c.FocusPane(p)
	l.Full = true
	title := c.Screen.PaneTitle(p.Name)
	return c.Say(false, title+" alone: "+c.Keys.First("layout")+" shows the next layout, esc all panes")
}

// nextLayout goes from all panes to the focused one alone, to the lanes over each other where
// there are some side by side, to the projector, and back to all panes.
func (c *Layout) nextLayout() tea.Cmd {
	f := &c.Focus
	switch together := f.View == view.Stage && len(c.Feed.Foreseen.Lanes) > 1; {
	case f.Projector, f.Overlay, f.Full && !together:
		f.Full, f.Overlay = false, f.Overlay && f.ForProjector
		return c.project()
	case f.Full:
		f.Full = false
		return c.overlayLanes()
	}
	return c.maximise()
}

func (c *Layout) layOut(way string) tea.Cmd {
	f := &c.Focus
	var before tea.Cmd
	if f.Projector && way != "projector" {
		before = c.project()
	}
	if f.Overlay && !f.ForProjector && (way == "all" || way == "one") {
		before = tea.Batch(before, c.overlayLanes())
	}
	if f.Full && way != "one" {
		f.Full = false
	}
	switch {
	case way == "one" && !f.Full:
		return tea.Batch(before, c.maximise())
	case way == "together" && !f.Overlay:
		return tea.Batch(before, c.overlayLanes())
	case way == "projector" && !f.Projector:
		return tea.Batch(before, c.project())
	}
	return before
}

// project goes into projector mode or out of it.
func (c *Layout) project() tea.Cmd {
	l := &c.Focus
	l.Project(!l.Projector)
	c.Restyle(func(look *theme.Look) { look.Thick = l.Projector })
	if !l.Projector {
		return c.SayKept("projector mode off", func(s prefs.Settings) any { return s.Projector })
	}
	return c.SayKept(c.Keys.Projecting(), func(s prefs.Settings) any { return s.Projector })
}

// overlayLanes lays the lanes of the stage over each other or side by side.
func (c *Layout) overlayLanes() tea.Cmd {
	c.Focus.Overlay, c.Focus.ForProjector = !c.Focus.Overlay, false
	if c.Focus.Overlay {
		return c.SayKept("lanes overlaid", func(s prefs.Settings) any { return s.Overlay })
	}
	return c.SayKept("lanes side by side", func(s prefs.Settings) any { return s.Overlay })
}

// cardWord is the word of the card for the footer, where there is one that is not shown.
func (c *Layout) cardWord() (string, int) {
	if c.Lane().Previous == nil || c.Focus.Card {
		return "", 0
	}
	return "before, after", 6
}

// showCard shows or hides what the newest change has done.
func (c *Layout) showCard() tea.Cmd {
	if c.Lane().Previous == nil {
		return c.Say(false, "nothing was changed in lane "+state.LaneLetter(c.Lane().ID)+
			" yet: there is no before and after")
	}
	if c.Screen.Compact() {
		return c.Say(false, "before and after stand beside each other on a larger screen")
	}
	c.Focus.Card = !c.Focus.Card
	return nil
}

// back undoes the newest of what is open over the view, and clears the notice.
func (c *Layout) back() tea.Cmd {
	l := &c.Focus
	switch {
	case c.Loading != nil:
		defer c.Abandon()
		return c.Say(false, c.Loading.What+" was given up")
	case l.Read:
		l.Read, l.Cross = false, pane.Cross{}
	case l.CardUp(c.Feed.Foreseen):
		l.Card = false
	case l.Full:
		l.Full = false
	case l.Projector:
		return c.project()
	default:
		l.Pane = ""
	}
	c.Notices.Clear()
	return nil
}

// nextView is the next view that has something to show.
func (c *Layout) nextView() int {
	at := c.Focus.View
	for range names {
		if at = (at + 1) % len(names); c.Feed.Lacks(at) == "" {
			break
		}
	}
	return at
}

// toView shows a view, and says so where that does not show by itself. Of a view that has nothing to show it says why.
func (c *Layout) toView(at int) tea.Cmd {
	name := names[at]
	said := fmt.Sprintf("view %d: %s", at+1, name)
	switch why, same := c.Feed.Lacks(at), c.Focus.View == at; {
	case why != "":
		return c.Say(false, name+" "+why+"; "+c.Keys.First("target")+" chooses one")
	case c.Screen.Compact():
		return tea.Batch(c.Say(false, said+", on a larger screen"), c.Show(at))
	case same:
		return c.Say(false, said)
	}
	return c.Show(at)
}

// focusAt focuses the pane that was hit; the second of two clicks maximises it.
func (c *Layout) focusAt(at control.Hit) tea.Cmd {
	p, ok := c.Screen.Panes.Find(at.Args[0])
	if !ok {
		return nil
	}
	c.FocusPane(p)
	if at.Twice {
		return c.maximise()
	}
	return nil
}

// focusLane focuses the lane whose line was hit.
func (c *Layout) focusLane(at control.Hit) tea.Cmd {
	if id, err := strconv.Atoi(at.Args[0]); err == nil {
		c.Focus.Lane = id
	}
	return nil
}
