// Package says is the controller of the line under the header: what matters most of what is on the screen, and what to
// do about it.
package says

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Says is the controller.
type Says struct {
	*control.Desk
	said   *finding.Found // nil for nothing
	text   string
	since  time.Time // when the line was worked out
	view   int       // on which
	timing bool      // it is worked out anew after a while
}

// every is how long a sentence stands at least, but for that of a lane which is no longer too short.
const every = 2 * time.Second

// leastWidth is the width of a screen below which no sentence fits.
const leastWidth = 12

// Names of bindings that zones call.
const whyName, actName = "why", "do what the line says"

// New makes the controller of a desk.
func New(d *control.Desk) *Says {
	c := &Says{Desk: d}
	d.Feed.Sending = append(d.Feed.Sending, func(command state.Command) func(uint64) tea.Cmd {
		if state.Changes(command) {
			c.said = nil // it was of what was in force
		}
		return nil
	})
	return c
}

func (c *Says) Bindings() []control.Binding {
	return control.In(control.General, nil, []control.Binding{
		{Name: actName, Keys: "!", Help: "do what the line under the header proposes", Do: c.act},
		{Name: whyName, Help: "the evidence of the line under the header", Do: c.why,
			Examples: []string{"click the line: the evidence of what it says"}},
	})
}

func (c *Says) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg.(type) {
	case control.BeginMsg, control.SnapshotMsg, control.AfterMsg:
		return c.look(), true
	}
	return nil, false
}

// look works the sentence out where the one at hand has stood long enough, is of another view, or has passed.
func (c *Says) look() tea.Cmd {
	left := every - c.Now().Sub(c.since)
	passed := c.said != nil && c.said.Passed(c.Feed.Newest)
	if left > 0 && c.view == c.Focus.View && !c.since.IsZero() && !passed {
		if c.timing {
			return nil
		}
		c.timing = true
		return control.After(left, func() tea.Cmd { c.timing = false; return c.look() })
	}
	c.since, c.view = c.Now(), c.Focus.View
	s := c.Feed.Newest
	all := finding.Of(s)
	predicts := c.view == view.Learning || c.view == view.Predictions
	slices.SortStableFunc(all, func(a, b finding.Found) int { return place(&a, predicts) - place(&b, predicts) })
	before := c.text
	if c.said, c.text = nil, ""; len(all) > 0 {
		c.said, c.text = &all[0], wording.Finding(&all[0], s)
	}
	c.Screen.Dirty = c.Screen.Dirty || c.text != before
	return nil
}

// place orders findings: those that stop a lane, those of what the view shows, and the others.
func place(f *finding.Found, predicts bool) int {
	switch of := f.Predicts; {
	case f.Stops:
		return 0
	case of == predicts:
		return 1
	}
	return 2
}

// silent reports whether there is no line.
func (c *Says) silent() bool {
	if c.Settings.Says == "off" || c.InLesson == nil {
		return c.Settings.Says == "off"
	}
	phase, plays := c.InLesson()
	return plays && phase == lesson.Asking
}

func (c *Says) Slot(room int) control.Slot {
	if c.silent() || room < 6 || c.Screen.Width < leastWidth {
		return control.Slot{}
	}
	return control.Slot{At: control.Top, Rows: 1}
}

func (c *Says) Draw(g plane.Region, f *pane.Frame) {
	if c.said == nil {
		return
	}
	th, x := &f.Theme, 1
	g.Zone(plane.Zone{ID: whyName, Click: plane.Call(whyName)})
	if i := f.Snap.IndexOf(c.said.Lane); i >= 0 {
		look := f.LaneStyle(&f.Snap.Lanes[i])
		g.Set(x, 0, look.Glyph, look.Style)
		x += 2
	}
	tail := []control.Hint{{Does: ":" + whyName, Rank: 1, Names: []string{whyName}}}
	// What is proposed stands before a sentence's end, which says how long before :why.
	text, kept := g.Spell(pane.ShortName(th, c.text)), -3
	if does := c.proposes(); does != "" {
		act := control.Hint{Keys: []string{c.Keys.First(actName)}, Does: does, Names: []string{actName}}
		tail = []control.Hint{act, tail[0]}
		kept = width(tail[:1], th.ASCII)
	}
	if kept+plane.Width(text)+x+4 > g.W() {
		text = wording.Brief(text)
	}
	room := g.W() - 1 - x
	for len(tail) > 0 && width(tail, th.ASCII)+plane.Width(text)+3 > room {
		tail = tail[:len(tail)-1]
	}
	x = g.TextFit(x, 0, room, f.Theme, text, th.Text) + 3
	for _, h := range tail {
		from := x
		if key := h.Key(th.ASCII); key != "" {
			x = g.Text(x, 0, key, th.Accent) + 1
		}
		x = g.Text(x, 0, h.Does, th.Dim)
		g.Sub(plane.Rect{X: from, W: x - from, H: 1}).Zone(plane.Zone{ID: h.Names[0], Click: plane.Call(h.Names[0])})
		x += 3
	}
}

func width(hints []control.Hint, ascii bool) int {
	return list.Sum(hints, func(h control.Hint) int { return plane.Width(h.Text(ascii)) + 3 })
}

// proposes is the command that the line proposes now, empty for none: nobody is asked to let run what runs, nor to
// pause what stands.
func (c *Says) proposes() string {
	if c.said == nil {
		return ""
	}
	running := c.Feed.Foreseen.Phase == state.Running
	if name, _ := grammar.Cut(c.said.Proposes); name == grammar.Run && running || name == "pause" && !running {
		return ""
	}
	return c.said.Proposes
}

// act does what the line proposes, as if it were typed.
func (c *Says) act() tea.Cmd {
	text := c.proposes()
	if text == "" || c.silent() {
		return c.Say(false, "the line under the header proposes nothing now")
	}
	if b := control.ByName(c.Desk.Keys.Bindings, text); b != nil && b.Do != nil {
		return b.Do()
	}
	moves, err := grammar.Moves(text)
	name, arg := grammar.Cut(text)
	if b := control.ByName(c.Desk.Keys.Bindings, name); err != nil && b != nil && b.With != nil { // it is no move
		do, wrong := b.With(arg)
		if err = wrong; err == nil {
			return do()
		}
	}
	var cmds []tea.Cmd
	for _, m := range moves {
		m.Lane = c.said.Lane
		commands, wrong := m.Commands(c.Feed.Foreseen.State())
		if err = wrong; err != nil {
			break
		}
		cmds = append(cmds, list.Map(commands, c.Feed.Send)...)
	}
	if err != nil {
		return c.Say(true, text+" "+err.Error())
	}
	return tea.Batch(cmds...)
}

func (c *Says) why() tea.Cmd {
	checked := c.Feed.Newest.Check
	if (c.said == nil || c.silent()) && checked == nil {
		return c.Say(false, "the line under the header says nothing now")
	}
	title, lines := "check", []control.Line(nil)
	say := func(all ...[2]string) {
		for _, l := range all {
			lines = append(lines, control.Entry(l[0], l[1], evidenceWidth)...)
		}
	}
	if c.said != nil && !c.silent() {
		title = c.said.Key
		say(append([][2]string{{"says", pane.ShortName(&c.Theme, c.text)}}, wording.Why(c.said)...)...)
		if does := c.proposes(); does != "" {
			say([2]string{c.Keys.First(actName), "does :" + does})
		}
	}
	if checked != nil {
		say(wording.Checked(checked)...)
	}
	return c.Desk.Open(dialog.NewReading(c.Desk, whyName, dialog.Sheet{Title: title, Lines: lines}))
}

// evidenceWidth is the room for a line of the evidence, so that it fits a screen of 80.
const evidenceWidth = 52
