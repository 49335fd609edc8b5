package app

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/panel"
)

// The views, by their place in panel.Views.
const (
	stageView = iota
	diagnosticsView
	learningView
	weightsView
	predictionsView
	sweepView
)

// watching asks for two coordinates, and for what the view needs beside them.
func (m *model) watching(at [2]int, principal bool) engine.Watch {
	v := m.Focus.View
	return engine.Watch{X: at[0], Y: at[1], Principal: principal, Weights: v == weightsView, Predictions: v == predictionsView}
}

// toView shows a view, and says so where that does not show by itself.
func (m *model) toView(view int) tea.Cmd {
	w, h := m.Width, m.Height
	said := fmt.Sprintf("view %d: %s", view+1, m.screen.views[view].Name)
	switch same := m.Focus.View == view; {
	case panel.Arrange(w, h, pane.Frame{}).Compact:
		return tea.Batch(m.Say(false, said+", on a larger screen"), m.show(view))
	case same:
		return m.Say(false, said)
	}
	return m.show(view)
}

// show changes the view. Weights and predictions are work for the session, so it
// is told when they are looked at and when not.
func (m *model) show(view int) tea.Cmd {
	l := m.Lane()
	before := m.watching(l.Watch, l.Principal)
	m.Focus.View = view
	if w := m.watching(l.Watch, l.Principal); w != before {
		return m.Feed.Send(w, nil)
	}
	return nil
}

// showNamed shows the view of a name.
func (m *model) showNamed(view string) tea.Cmd {
	i := slices.IndexFunc(m.screen.views, func(v pane.View) bool { return v.Name == view })
	if i < 0 {
		return nil
	}
	return m.show(i)
}

// browse shows the next page of images, or the one before, around the end.
func (m *model) browse(by int) tea.Cmd {
	w, h := m.Width, m.Height
	page := panel.PageSize(m.screen.views[m.Focus.View], w, h, m.looked())
	if page == 0 {
		return m.Say(false, "view "+m.Key("view: predictions")+" lists single predictions once there are some, of a target with a test set")
	}
	pages := (len(m.Feed.Shown.Predictions) + page - 1) / page
	at := min(m.Focus.Image/page, pages-1)
	m.Focus.Image = ((at+by)%pages + pages) % pages * page
	return m.lookAt()
}

// watchNext shows the next coordinate on an axis, 0 for x and 1 for y.
func (m *model) watchNext(axis int) tea.Cmd {
	dim := min(m.Feed.Shown.Problem.Dim(), engine.MaxTracked)
	if dim <= 2 {
		return m.bothShown()
	}
	at := m.Lane().Watch
	at[axis] = (at[axis] + 1) % dim
	if at[axis] == at[1-axis] {
		at[axis] = (at[axis] + 1) % dim
	}
	return m.watchAt(at)
}

func (m *model) watchAt(at [2]int) tea.Cmd {
	return m.Feed.Send(m.watching(at, false), func(s *engine.Snapshot) {
		for i := range s.Lanes {
			s.Lanes[i].Watch = at
		}
	})
}

// watchPrincipal shows the draws' principal directions, or the coordinates
// again.
func (m *model) watchPrincipal() tea.Cmd {
	if m.Feed.Shown.Problem.Dim() <= 2 {
		return m.bothShown()
	}
	l := m.Lane()
	return m.Feed.Send(m.watching(l.Watch, !l.Principal), nil)
}

func (m *model) bothShown() tea.Cmd {
	p := m.Feed.Shown.Problem
	return m.Say(false, fmt.Sprintf("%s has %d coordinates, and both are shown", p.Spec, p.Dim()))
}
