package app

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"
)

// chart is the pane whose values the keys tell, if it has any: the focused one,
// without one that of the focused lane, else the first that has values.
func (m *model) chart() (pane.Shown, bool) {
	if p, ok := m.Panes.Find(m.Focus.Pane); ok {
		return p, !p.Plot.Rect.Empty()
	}
	if p, ok := m.Panes.Find(pane.LanePane(m.Focus.Lane)); ok && !p.Plot.Rect.Empty() {
		return p, true
	}
	for _, p := range m.Panes.All() {
		if !p.Plot.Rect.Empty() {
			return p, true
		}
	}
	return pane.Shown{}, false
}

// inspect begins to move a cross by keys, or ends it.
func (m *model) inspect() tea.Cmd {
	l := &m.Focus
	if l.Read {
		l.Read, l.Cross = false, pane.Cross{}
		return nil
	}
	p, ok := m.chart()
	if !ok {
		return m.Say(false, m.noChart(p, "values to tell"))
	}
	m.FocusPane(p)
	l.Read = true
	l.Cross = pane.Move(m.looked(), p, 0, 0)
	return m.Say(false, "values of "+m.paneTitle(p.Name)+": "+strings.Join([]string{
		m.Key("values: left") + m.Key("values: right") + " move",
		m.Key("zoom in") + m.Key("zoom out") + m.Key("show all of each axis") + " zoom",
		"esc back"}, ", "))
}

// noChart says what is missing in the focused pane, or in all of the view.
func (m *model) noChart(focused pane.Shown, what string) string {
	if focused.Name == "" {
		return "no chart of this view has " + what + " yet"
	}
	return m.paneTitle(focused.Name) + ": no " + what + "; " + m.Key("next pane") + " goes to another pane"
}

// moveCross moves the cross by keys.
func (m *model) moveCross(dx, dy int) tea.Cmd {
	p, ok := m.chart()
	if !ok {
		return m.Say(false, m.noChart(p, "values to tell"))
	}
	before := m.Focus.Cross
	if m.Focus.Cross = pane.Move(m.looked(), p, dx, dy); m.Focus.Cross == before {
		return m.Say(false, "no values beyond")
	}
	return nil
}

// How far keys move a cross: far, and beyond every end.
const (
	farCross = 10
	allCross = 1 << 20
)

// panStep is the part of what is shown by which a key moves it.
const panStep = 0.2

// zoomBy zooms the chart by keys: in for a positive number of notches.
func (m *model) zoomBy(notches float64) tea.Cmd {
	p, ok := m.chart()
	if !ok {
		return m.Say(false, m.noChart(p, "axes to zoom"))
	}
	at := &p.Plot
	about := at.Middle()
	if c := m.Focus.Cross; m.Focus.Read && c.AxisX == at.AxisX {
		about = c
	}
	if !at.Zoom(&m.Focus.Zoom, about, notches) {
		return m.Say(false, m.paneTitle(p.Name)+" shows all there is, or as little as it can")
	}
	return nil
}

func (m *model) zoomAll() tea.Cmd {
	m.Focus.Zoom = pane.Zoom{}
	return m.Say(false, "all of each axis")
}

func (m *model) pan(by float64) tea.Cmd {
	p, ok := m.chart()
	if !ok || !p.Plot.Pan(&m.Focus.Zoom, by*panStep, 0) {
		return m.Say(false, "zoom in ("+m.Key("zoom in")+") to have a part to move")
	}
	return nil
}
