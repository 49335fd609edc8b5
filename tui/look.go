package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// looking is how a view is looked at: which pane has the attention, what part of
// each axis is shown, and the place whose values are read off.
type looking struct {
	panes panel.Panes // of the newest frame
	pane  string      // the focused one, empty for none

	full      bool // the focused pane has the whole view
	projector bool
	overlay   bool // the lanes of the stage share a pane
	apart     bool // they do so for the projector alone
	card      panel.Card

	zoom    panel.Zoom
	cross   panel.Cross
	inspect bool // keys move the cross
	pointer pointer
	of      lookedAt
}

// lookedAt is what zoom, cross and pane belong to.
type lookedAt struct {
	problem   *targets.Problem
	view      int
	lane      int // the focused lane's ID
	x         panel.XAxis
	logX      bool
	watch     [2]int
	principal bool
}

// frame adds what the panels need to know.
func (l *looking) frame(f *panel.Frame) {
	f.Panes, f.Pane, f.Full, f.Projector = &l.panes, l.pane, l.full, l.projector
	f.Zoom, f.Cross, f.Overlay, f.Card = l.zoom, l.cross, l.overlay, l.card
}

// looked is the frame that the keys and the mouse go by.
func (m *model) looked() panel.Frame {
	f := m.focus.frame(m.displayed())
	f.Theme = m.screen.theme
	f.Filming = m.screen.filming.running()
	m.tapeFrame(&f)
	m.sweepFrame(&f)
	m.look.frame(&f)
	m.makeRoom(&f)
	return f
}

// follow drops what no longer belongs to what is shown: a zoom of another axis, a
// pane of another view. The attention stays on a lane's pane when another lane
// is focused.
func (l *looking) follow(f *focus, s *engine.Snapshot) {
	v := &s.Lanes[f.index(s)]
	now := lookedAt{s.Problem, f.view, v.ID, f.x, f.logX, v.Watch, v.Principal}
	was := l.of
	l.of = now
	if l.card == panel.CardOver && was.problem != nil && (now.view != was.view || now.problem != was.problem) {
		l.card = panel.CardBeside // it is of what was turned there
	}
	switch {
	case now == was:
		return
	case now.problem != was.problem:
		l.zoom, l.cross = panel.Zoom{}, panel.Cross{}
	case now.watch != was.watch || now.principal != was.principal:
		l.zoom[panel.CoordX], l.zoom[panel.CoordY] = panel.Range{}, panel.Range{}
		l.cross = panel.Cross{}
	}
	if now.x != was.x || now.logX != was.logX {
		l.zoom[panel.Progress] = panel.Range{}
		l.cross = panel.Cross{}
	}
	switch {
	case now.view != was.view:
		l.pane, l.full, l.inspect, l.cross = "", false, false, panel.Cross{}
	case now.lane != was.lane && l.pane == panel.LanePane(was.lane):
		l.pane = panel.LanePane(now.lane)
	}
}

// focusPane gives a pane the attention, and its lane too.
func (m *model) focusPane(p panel.Pane) {
	l := &m.look
	l.pane = p.Name
	if s := m.feed.shown; p.Lane >= 0 && p.Lane < len(s.Lanes) {
		m.focus.lane = s.Lanes[p.Lane].ID
		l.of.lane = m.focus.lane
	}
	m.screen.dirty = true
}

// start is the pane from which keys begin: the focused one, else that of the
// focused lane, else the first.
func (m *model) start() (panel.Pane, bool) {
	l := &m.look
	for _, name := range [...]string{l.pane, panel.LanePane(m.focus.lane)} {
		if p, ok := l.panes.Find(name); ok {
			return p, true
		}
	}
	if all := l.panes.All(); len(all) > 0 {
		return all[0], true
	}
	return panel.Pane{}, false
}

// nextPane gives the attention to the pane that is by places away, around the
// end. Without a focused pane it is the one from which keys begin.
func (m *model) nextPane(by int) tea.Cmd {
	all := m.look.panes.All()
	if len(all) == 0 {
		if w, h := m.screen.plane.Size(); panel.Arrange(w, h, panel.Frame{}).Compact {
			return m.say(false, "no panes: the screen is too small")
		}
		return m.say(false, fmt.Sprintf("view %d has no panes yet", m.focus.view+1))
	}
	i := slices.IndexFunc(all, func(p panel.Pane) bool { return p.Name == m.look.pane })
	if i < 0 && m.look.projector { // where that from which keys begin is on the screen alone
		p, _ := m.start()
		i = slices.IndexFunc(all, func(q panel.Pane) bool { return q.Name == p.Name })
	}
	if i < 0 {
		p, _ := m.start()
		m.focusPane(p)
	} else {
		m.focusPane(all[((i+by)%len(all)+len(all))%len(all)])
	}
	return m.sayPane()
}

// sayPane says which pane has the attention.
func (m *model) sayPane() tea.Cmd { return m.say(false, "pane: "+m.paneTitle(m.look.pane)) }

// paneTitle is the title of a pane on the screen as it stands by now.
func (m *model) paneTitle(name string) string {
	m.draw()
	if p, ok := m.look.panes.Find(name); ok {
		return m.titleOf(p)
	}
	return name
}

// titleOf is what stands above a pane of the newest frame; its name where that has
// nothing there.
func (m *model) titleOf(p panel.Pane) string {
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
	if m.look.pane == "" {
		m.focusPane(from)
		return m.sayPane()
	}
	best, found := 0, panel.Pane{}
	for _, p := range m.look.panes.All() {
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
		return m.say(false, "no pane there")
	}
	m.focusPane(found)
	return m.sayPane()
}

// maximise gives the focused pane the whole view, or shows all again.
func (m *model) maximise() tea.Cmd {
	l := &m.look
	if l.full {
		l.full = false
		return nil
	}
	p, ok := m.start()
	if !ok {
		return m.nextPane(1)
	}
	if k, image := panel.ImageAt(p.Name); image {
		m.focus.image += k
		p.Name = panel.FirstImage
	}
	m.focusPane(p)
	l.full = true
	return m.say(false, "alone: "+m.paneTitle(p.Name)+"; "+m.keys.Key(keymap.Maximise)+" or esc shows all panes")
}

// throw turns projector mode on or off. With it on the lanes lie over each other,
// since one pane is all there is.
func (l *looking) throw(on bool) {
	l.projector = on
	switch {
	case on:
		l.apart, l.overlay = !l.overlay, true
	case l.apart:
		l.apart, l.overlay = false, false
	}
}

// project goes into projector mode or out of it.
func (m *model) project() tea.Cmd {
	l := &m.look
	l.throw(!l.projector)
	m.screen.restyle(func(look *lookOf) { look.Thick = l.projector })
	if !l.projector {
		return m.sayKept("projector mode off", func(s prefs.Settings) any { return s.Projector })
	}
	return m.sayKept(m.projecting(), func(s prefs.Settings) any { return s.Projector })
}

// projecting says what leads on and out of projector mode.
func (m *model) projecting() string {
	return "projector mode: " + m.keys.Key(keymap.NextPane) + " another pane, " + m.keys.Key(keymap.Projector) + " back"
}

// overlayLanes lays the lanes of the stage over each other or side by side.
func (m *model) overlayLanes() tea.Cmd {
	m.look.overlay, m.look.apart = !m.look.overlay, false
	if m.look.overlay {
		return m.sayKept("lanes over each other", func(s prefs.Settings) any { return s.Overlay })
	}
	return m.sayKept("lanes side by side", func(s prefs.Settings) any { return s.Overlay })
}

// showCard shows or hides what the newest tweak has changed.
func (m *model) showCard() tea.Cmd {
	l := &m.look
	if m.lane().Previous == nil {
		return m.say(false, "nothing was turned in lane "+engine.LaneLetter(m.lane().ID)+" yet: there is no before and after")
	}
	if p, ok := l.panes.Find(panel.CardPane); ok && !p.Rect.Empty() || l.card == panel.CardOver {
		l.card = panel.CardHidden
		return nil
	}
	l.card = panel.CardOver
	return nil
}

// wideCard is the width from which on a tweak shows its card by itself: on a
// smaller screen it would hide what it is about.
const wideCard = 120

// tallLesson is the height from which on it does so beside a lesson's card, which
// leaves half of the screen for the view.
const tallLesson = 50

// tweaked shows the card at a tweak, unless the user has put it away.
func (m *model) tweaked(before *engine.Snapshot) {
	now := m.feed.snap
	n := len(now.Marks)
	if n == 0 || before.Problem != now.Problem || m.look.card == panel.CardHidden {
		return
	}
	if k := len(before.Marks); k > 0 && before.Marks[k-1] == now.Marks[n-1] || k > n {
		return
	}
	if w, h := m.screen.plane.Size(); w >= wideCard && !m.look.projector && (!m.course.on || h >= tallLesson) {
		m.look.card = panel.CardOver
	}
}

// cardUp reports whether there is a card over the view.
func (m *model) cardUp() bool {
	return m.look.card == panel.CardOver && m.lane().Previous != nil
}

// back undoes the newest of what is open over the view, and clears the notice.
func (m *model) back() tea.Cmd {
	l := &m.look
	switch {
	case l.inspect:
		l.inspect, l.cross = false, panel.Cross{}
	case m.cardUp():
		l.card = panel.CardBeside
	case l.full:
		l.full = false
	case l.projector:
		return m.project()
	default:
		l.pane = ""
	}
	m.notices.clear()
	return nil
}
