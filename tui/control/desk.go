package control

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Desk is what the controllers share: the session, what there is to tell, where the
// attention is, and what the screen looks like.
type Desk struct {
	Feed     Feed
	Notices  Notices
	Focus    Focus
	Settings Settings
	Theme    theme.Theme
	Screen   Screen
	Keys     Keys
	Outside  Outside
	// Now is the clock by which a person's time is told.
	Now    func() time.Time
	Losses Losses
	// Asking reports whether a question of a lesson is open.
	Asking func() bool
	// Fetches counts what was to be opened beside the screen: the newest counts.
	Fetches int
	// Behind are the ends of saved sessions, which are shown behind this one on the same target.
	Behind []*engine.Snapshot
	// Loading is what is being opened; nil for nothing.
	Loading *Loading
}

// Losses are functions that say each what ending the session would lose, and what saves it. Both may be empty.
type Losses []func() (lost, saved string)

// All are what would be lost, and what saves it.
func (l Losses) All() (lost, saved []string) {
	for _, loss := range l {
		what, by := loss()
		if what != "" {
			lost = append(lost, what)
		}
		if by != "" {
			saved = append(saved, by)
		}
	}
	return lost, saved
}

// Open makes c the layer over the screen.
func (d *Desk) Open(c Controller) tea.Cmd {
	d.Keys.Layer, d.Screen.Dirty = c, true
	return nil
}

// Close closes the layer.
func (d *Desk) Close() { d.Keys.Layer, d.Screen.Dirty = nil, true }

// Frame is what panes see of the screen as it is.
func (d *Desk) Frame() pane.Frame {
	s, f := d.Feed.Displayed(), &d.Focus
	if d.Settings.Draws != "newest" && !pane.Slow(s) {
		s = pane.Thin(s)
	}
	out := pane.Frame{
		Attention: f.Attention, Snap: s, Lane: f.Index(s), Linked: !f.Separate, Params: f.List(s), LogY: !f.LinearY,
		Theme: d.Theme, Keys: d.Keys.First, Panes: &d.Screen.Panes,
	}
	if len(d.Behind) > 0 && d.Behind[0].Problem.Spec == s.Problem.Spec {
		out.Behind = d.Behind
	}
	out.Browse = f.Browse && s.Shift != nil
	return out
}

// Show shows a view. Some views are work for the session, so it is told when they are looked at.
func (d *Desk) Show(at int) tea.Cmd {
	l, f := d.Lane(), &d.Focus
	before := f.Watching(l.Watch, l.Principal)
	f.View = at
	if w := f.Watching(l.Watch, l.Principal); w != before {
		return d.Feed.Send(w)
	}
	return nil
}

// Say shows a notice.
func (d *Desk) Say(bad bool, text string) tea.Cmd {
	d.Screen.Dirty = true
	return d.Notices.Say(bad, text, d.Feed.Sent)
}

// Lane is the focused lane as shown.
func (d *Desk) Lane() *engine.LaneView {
	s := d.Feed.Foreseen
	return &s.Lanes[d.Focus.Index(s)]
}

// Selected is the selected parameter.
func (d *Desk) Selected() (param.Param, bool) {
	all := d.Focus.List(d.Feed.Foreseen)
	if len(all) == 0 {
		return param.Param{}, false
	}
	return all[d.Focus.Place(d.Feed.Foreseen)], true
}

// FocusPane gives a pane the attention, and its lane too.
func (d *Desk) FocusPane(p pane.Shown) {
	f, s := &d.Focus, d.Feed.Foreseen
	f.Pane, d.Screen.Dirty = p.Name, true
	if p.Lane >= 0 && p.Lane < len(s.Lanes) {
		f.Lane = s.Lanes[p.Lane].ID
		f.of.lane = f.Lane
	}
}

// Restyle changes what the theme is made of.
func (d *Desk) Restyle(change func(*theme.Look)) {
	l := d.Theme.Look
	change(&l)
	if l == d.Theme.Look {
		return
	}
	d.Theme, d.Screen.Dirty = theme.Of(l), true
}
