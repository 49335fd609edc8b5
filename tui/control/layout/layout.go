// Package layout is the controller of what stands where on the screen: the views and
// their panes.
package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
)

// Layout is the controller. What it changes is the desk's focus, by which the root draws.
type Layout struct {
	*control.Desk
	control.Unseen
}

// New makes the controller of a desk.
func New(d *control.Desk) *Layout { return &Layout{Desk: d} }

// Bindings implements control.Controller.
func (c *Layout) Bindings() []control.Binding {
	view := func(n int, name, help string) control.Binding {
		return control.Binding{Name: "view: " + name, Keys: strconv.Itoa(n + 1), Help: help, Group: control.Views, Hint: "view", Rank: 9, Do: func() tea.Cmd { return c.toView(n) }}
	}
	views := []control.Binding{
		view(control.Stage, "stage", "stage, diagnostics, learning"),
		view(control.Diagnostics, "diagnostics", "stage, diagnostics, learning"),
		view(control.Learning, "learning", "stage, diagnostics, learning"),
		view(control.Weights, "weights", "weights, predictions"),
		view(control.Predictions, "predictions", "weights, predictions"),
		view(control.Sweep, "sweep", "a grid over the selected parameter"),
		{Name: "view.next", At: func(control.Hit) tea.Cmd { return c.toView((c.Focus.View + 1) % len(c.Views)) }},
	}
	beside := func(dx, dy int) func() tea.Cmd { return func() tea.Cmd { return c.paneBeside(dx, dy) } }
	const other, way = "focus another pane", "focus the pane that way"
	return slices.Concat(views,
		control.In(control.Panes, nil, []control.Binding{
			{Name: "next pane", Keys: "o", Help: other, Do: func() tea.Cmd { return c.nextPane(1) }},
			{Name: "previous pane", Keys: "O", Help: other, Do: func() tea.Cmd { return c.nextPane(-1) }},
			{Keys: "ctrl+left", Help: way, Do: beside(-1, 0)},
			{Keys: "ctrl+right", Help: way, Do: beside(1, 0)},
			{Keys: "ctrl+up", Help: way, Do: beside(0, -1)},
			{Keys: "ctrl+down", Help: way, Do: beside(0, 1)},
			{Name: "maximise the pane", Keys: "f", Help: "the focused pane alone, or all", Do: c.maximise},
			{Name: "projector mode", Keys: "F", Help: "projector: one big pane, thick lines", Do: c.project},
			{Name: "lanes over each other", Keys: "V", Help: "stage: lanes over each other", Do: c.overlayLanes},
			{Name: "before and after", Keys: "d", Help: "before and after the newest tweak", Do: c.showCard},
		}),
		control.In(control.General, nil, []control.Binding{
			{Keys: "esc", Help: "back; clear the notice", Do: c.back},
		}),
		[]control.Binding{
			{Name: pane.DoFocus, At: c.focusAt, Examples: []string{"click a pane: focuses it, and its lane", "double click: the pane alone, or all"}},
			{Name: "lane.focus", At: c.focusLane},
			{Name: "pane", Help: "give a pane of this view the attention", With: c.namedPane, Offer: c.paneChoices},
		},
	)
}

// namedPane reads the name or the title of a pane.
func (c *Layout) namedPane(name string) (func() tea.Cmd, error) {
	for _, p := range c.Panes.All() {
		if strings.EqualFold(p.Name, name) || strings.EqualFold(c.TitleOf(p), name) {
			return func() tea.Cmd { c.FocusPane(p); return nil }, nil
		}
	}
	return nil, fmt.Errorf("this view has no pane %q", name)
}

func (c *Layout) paneChoices() (all []control.Choice) {
	for _, p := range c.Panes.All() {
		all = append(all, control.Choice{Name: c.TitleOf(p), Take: func() tea.Cmd { c.FocusPane(p); return nil }})
	}
	return all
}

// Update implements control.Controller.
func (c *Layout) Update(msg tea.Msg) (tea.Cmd, bool) {
	if msg, ok := msg.(control.SnapshotMsg); ok {
		c.tweaked(msg.Before)
	}
	return nil, false
}
