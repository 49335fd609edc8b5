package control

import (
	"cmp"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Desk is what the controllers share: the session, what there is to tell, where the
// attention is, and what the screen looks like.
type Desk struct {
	Feed     Feed
	Notices  Notices
	Focus    Focus
	Theme    theme.Theme
	Settings Settings
	Width    int // of the screen
	Height   int
	Panes    pane.Panes // of the newest frame
	ViewRect plane.Rect // where the view is drawn
	Plane    *plane.Plane
	Dirty    bool   // the frame no longer shows how things are
	Redraw   func() // draws the frame at once, so that Panes and Plane are those of now
	// DrawAs draws the frame as other terminals would show it, each into a plane of its own. The
	// last row is theirs.
	DrawAs   func(terminals []Terminal) []*plane.Plane
	Filming  bool // the screen is being recorded
	Starting bool // it begins slowly
	// Outside is what the program around the screen does for it.
	Outside Outside
	// Now is the clock by which a person's time is told.
	Now func() time.Time
	Hot string // the ID of the zone under the mouse, empty for none

	// Bindings are those of all controllers.
	Bindings []Binding
	// Press counts what the user has asked for, so that "once more" is the next of it.
	Press uint64
	// Layer is what is open over the screen; nil for nothing.
	Layer Controller
	// Each of Losses says what ending the program would lose, and what saves it. Both may be empty.
	Losses []func() (lost, saved string)
	// Table is how the numbers of the view are written, of lanes by their IDs or of all without
	// any; nil where they are the session's.
	Table func(lanes []int) func(io.Writer) error
	// Fetches counts what was to be opened beside the screen: the newest counts.
	Fetches int
	// Loading is what is being opened; nil for nothing.
	Loading *Loading
}

// A Terminal is what of a terminal decides how a frame looks.
type Terminal struct {
	Width, Height int
	Look          theme.Look
}

// Open makes c the layer over the screen.
func (d *Desk) Open(c Controller) tea.Cmd {
	d.Layer, d.Dirty = c, true
	return nil
}

// Close closes the layer.
func (d *Desk) Close() { d.Layer, d.Dirty = nil, true }

// Key is the first key of the binding with a name, for messages such as "press r". Without a key
// it is the command to type. Without such a binding it is the name itself.
func (d *Desk) Key(name string) string {
	for i := range d.Bindings {
		if b := &d.Bindings[i]; b.Name == name {
			return cmp.Or(b.First(), ":"+strings.TrimSuffix(name, " …"))
		}
	}
	return name
}

// Do does what the binding with a name does. Without such a binding it does nothing.
func (d *Desk) Do(name string) tea.Cmd {
	if b := ByName(d.Bindings, name); b != nil && b.Do != nil {
		return b.Do()
	}
	return nil
}

// On does what the binding does that a zone names. It reports whether there is one, in the layer
// or else on the screen.
func (d *Desk) On(do plane.Do, h Hit) (cmd tea.Cmd, ok bool) {
	var b *Binding
	if d.Layer != nil {
		b = ByName(d.Layer.Bindings(), do.Name)
	}
	if b == nil {
		b = ByName(d.Bindings, do.Name)
	}
	switch h.Args = do.Args; {
	case b == nil:
		return nil, false
	case b.At != nil:
		return b.At(h), true
	case b.Do != nil:
		return b.Do(), true
	}
	return nil, true
}

// BackHint says how the previous thing comes back. It says "press", since the key is B, which is a
// lane's name too.
func (d *Desk) BackHint(name, what string) string {
	verb, key := "type", d.Key(name)
	if !strings.HasPrefix(key, ":") {
		verb = "press"
	}
	return verb + " " + key + " to go back to the previous " + what
}

// Compact reports whether the screen is too small for a pane.
func (d *Desk) Compact() bool { return d.Width < pane.PaneW || d.Height < pane.PaneH }

// Frame is what panes see of the screen as it is.
func (d *Desk) Frame() pane.Frame {
	s, f := d.Feed.Displayed(), &d.Focus
	out := pane.Frame{
		Attention: f.Attention, Snap: s, Lane: f.Index(s), Linked: !f.Separate, Params: f.List(s), LogY: !f.LinearY,
		Theme: d.Theme, Keys: d.Key, Panes: &d.Panes,
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
	d.Dirty = true
	return d.Notices.Say(bad, text, d.Feed.Sent)
}

// Lane is the focused lane as shown.
func (d *Desk) Lane() *engine.LaneView {
	s := d.Feed.Foreseen
	return &s.Lanes[d.Focus.Index(s)]
}

// Params lists the parameters of the strip.
func (d *Desk) Params() []param.Param { return d.Focus.List(d.Feed.Foreseen) }

// Selected is the selected parameter.
func (d *Desk) Selected() (param.Param, bool) {
	all := d.Params()
	if len(all) == 0 {
		return param.Param{}, false
	}
	return all[d.Focus.Place(d.Feed.Foreseen)], true
}

// FocusPane gives a pane the attention, and its lane too.
func (d *Desk) FocusPane(p pane.Shown) {
	f, s := &d.Focus, d.Feed.Foreseen
	f.Pane, d.Dirty = p.Name, true
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
	d.Theme, d.Dirty = theme.Of(l), true
}

// PaneTitle is the title of a pane on the screen as it is now.
func (d *Desk) PaneTitle(name string) string {
	d.Redraw()
	if p, ok := d.Panes.Find(name); ok {
		return d.TitleOf(p)
	}
	return name
}

// TitleOf is the title of a pane in the newest frame, or else its name.
func (d *Desk) TitleOf(p pane.Shown) string {
	if title := d.Plane.TitleOf(p.Rect); title != "" && !p.Rect.Empty() {
		return title
	}
	return p.Name
}

// PaneToStart is the pane from which keys begin: the focused one, else that of the
// focused lane, else the first.
func (d *Desk) PaneToStart() (pane.Shown, bool) {
	if p, ok := d.Panes.Find(d.Focus.Pane); ok {
		return p, true
	}
	return d.PaneOfLane(func(pane.Shown) bool { return true })
}

// PaneOfLane is the pane of the focused lane, if it is one of some panes, else the first
// of them.
func (d *Desk) PaneOfLane(some func(pane.Shown) bool) (pane.Shown, bool) {
	if p, ok := d.Panes.Find(pane.LanePane(d.Focus.Lane)); ok && some(p) {
		return p, true
	}
	for _, p := range d.Panes.All() {
		if some(p) {
			return p, true
		}
	}
	return pane.Shown{}, false
}
