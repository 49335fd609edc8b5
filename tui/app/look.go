package app

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/tui/control/tape"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/predictions"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// looked is the frame that the keys and the mouse go by.
func (m *model) looked() pane.Frame {
	m.sweepFrame()
	f := m.Frame()
	for _, c := range m.controllers {
		if s, ok := c.(*tape.Tape); ok {
			f.Tape = s.Bar()
		}
	}
	m.makeRoom(&f)
	return f
}

// start is the pane from which keys begin: the focused one, else that of the
// focused lane, else the first.
func (m *model) start() (pane.Shown, bool) {
	for _, name := range [...]string{m.Focus.Pane, pane.LanePane(m.Focus.Lane)} {
		if p, ok := m.Panes.Find(name); ok {
			return p, true
		}
	}
	if all := m.Panes.All(); len(all) > 0 {
		return all[0], true
	}
	return pane.Shown{}, false
}

// nextPane gives the attention to the pane that is by places away, around the
// end. Without a focused pane it is the one from which keys begin.
func (m *model) nextPane(by int) tea.Cmd {
	all := m.Panes.All()
	if len(all) == 0 {
		if w, h := m.Width, m.Height; panel.Arrange(w, h, pane.Frame{}).Compact {
			return m.Say(false, "no panes: the screen is too small")
		}
		return m.Say(false, fmt.Sprintf("view %d has no panes yet", m.Focus.View+1))
	}
	i := slices.IndexFunc(all, func(p pane.Shown) bool { return p.Name == m.Focus.Pane })
	if i < 0 && m.Focus.Projector { // where that from which keys begin is on the screen alone
		p, _ := m.start()
		i = slices.IndexFunc(all, func(q pane.Shown) bool { return q.Name == p.Name })
	}
	if i < 0 {
		p, _ := m.start()
		m.FocusPane(p)
	} else {
		m.FocusPane(all[((i+by)%len(all)+len(all))%len(all)])
	}
	return m.sayPane()
}

// sayPane says which pane has the attention.
func (m *model) sayPane() tea.Cmd { return m.Say(false, "pane: "+m.paneTitle(m.Focus.Pane)) }

// paneTitle is the title of a pane on the screen as it stands by now.
func (m *model) paneTitle(name string) string {
	m.draw()
	if p, ok := m.Panes.Find(name); ok {
		return m.titleOf(p)
	}
	return name
}

// titleOf is what stands above a pane of the newest frame; its name where that has
// nothing there.
func (m *model) titleOf(p pane.Shown) string {
	if title := m.screen.plane.TitleOf(p.Rect); title != "" && !p.Rect.Empty() {
		return title
	}
	return p.Name
}

// paneBeside gives the attention to the nearest pane in a direction.
func (m *model) paneBeside(dx, dy int) tea.Cmd {
	from, ok := m.start()
	if !ok {
		return m.nextPane(1)
	}
	if m.Focus.Pane == "" {
		m.FocusPane(from)
		return m.sayPane()
	}
	best, found := 0, pane.Shown{}
	for _, p := range m.Panes.All() {
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
		return m.Say(false, "no pane there")
	}
	m.FocusPane(found)
	return m.sayPane()
}

// maximise gives the focused pane the whole view, or shows all again.
func (m *model) maximise() tea.Cmd {
	l := &m.Focus
	if l.Full {
		l.Full = false
		return nil
	}
	p, ok := m.start()
	if !ok {
		return m.nextPane(1)
	}
	if k, image := predictions.ImageAt(p.Name); image {
		m.Focus.Image += k
		p.Name = pane.FirstImage
	}
	m.FocusPane(p)
	l.Full = true
	return m.Say(false, "alone: "+m.paneTitle(p.Name)+"; "+m.Key("maximise the pane")+" or esc shows all panes")
}

// project goes into projector mode or out of it.
func (m *model) project() tea.Cmd {
	l := &m.Focus
	l.Project(!l.Projector)
	m.Restyle(func(look *theme.Look) { look.Thick = l.Projector })
	if !l.Projector {
		return m.sayKept("projector mode off", func(s prefs.Settings) any { return s.Projector })
	}
	return m.sayKept(m.projecting(), func(s prefs.Settings) any { return s.Projector })
}

// projecting says what leads on and out of projector mode.
func (m *model) projecting() string {
	return "projector mode: " + m.Key("next pane") + " another pane, " + m.Key("projector mode") + " back"
}

// overlayLanes lays the lanes of the stage over each other or side by side.
func (m *model) overlayLanes() tea.Cmd {
	m.Focus.Overlay, m.Focus.ForProjector = !m.Focus.Overlay, false
	if m.Focus.Overlay {
		return m.sayKept("lanes over each other", func(s prefs.Settings) any { return s.Overlay })
	}
	return m.sayKept("lanes side by side", func(s prefs.Settings) any { return s.Overlay })
}

// showCard shows or hides what the newest tweak has changed.
func (m *model) showCard() tea.Cmd {
	l := &m.Focus
	if m.Lane().Previous == nil {
		return m.Say(false, "nothing was turned in lane "+engine.LaneLetter(m.Lane().ID)+" yet: there is no before and after")
	}
	if p, ok := m.Panes.Find(pane.CardPane); ok && !p.Rect.Empty() || l.Card == pane.CardOver {
		l.Card = pane.CardHidden
		return nil
	}
	l.Card = pane.CardOver
	return nil
}

// wideCard is the width from which on a tweak shows its card by itself: on a
// smaller screen it would hide what it is about.
const wideCard = 120

// tallLesson is the height from which on it does so above a lesson's card, which leaves
// half of the screen for the view.
const tallLesson = 50

// tweaked shows the card at a tweak, unless the user has put it away.
func (m *model) tweaked(before *engine.Snapshot) {
	now := m.Feed.Snap
	n := len(now.Marks)
	if n == 0 || before.Problem != now.Problem || m.Focus.Card == pane.CardHidden {
		return
	}
	if k := len(before.Marks); k > 0 && before.Marks[k-1] == now.Marks[n-1] || k > n {
		return
	}
	if w, h := m.Width, m.Height; w >= wideCard && !m.Focus.Projector && (m.Below == 0 || h >= tallLesson) {
		m.Focus.Card = pane.CardOver
	}
}

// back undoes the newest of what is open over the view, and clears the notice.
func (m *model) back() tea.Cmd {
	l := &m.Focus
	switch {
	case l.Read:
		l.Read, l.Cross = false, pane.Cross{}
	case m.CardUp():
		l.Card = pane.CardBeside
	case l.Full:
		l.Full = false
	case l.Projector:
		return m.project()
	default:
		l.Pane = ""
	}
	m.Notices.Clear()
	return nil
}
