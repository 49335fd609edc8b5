package dialog

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// desk is where dialogs are opened, without a session.
func desk() *control.Desk {
	d := &control.Desk{Theme: theme.New(true, false, false), Screen: control.Screen{Width: 60, Height: 14}}
	d.Keys.Bindings = Keys()
	return d
}

// draw draws a dialog on a plane of its desk's size.
func draw(d *control.Desk, c control.Controller) *plane.Plane {
	p := plane.NewPlane(d.Screen.Width, d.Screen.Height)
	c.Draw(p.Region(), &pane.Frame{Theme: d.Theme})
	return p
}

// press does what a key does in a dialog.
func press(c control.Controller, key string) { control.ByKey(c.Bindings(), key).Do() }

// choices are n of them, in groups of ten if asked for.
func choices(n int, grouped bool) (all []control.Choice) {
	for i := range n {
		ch := control.Choice{Name: fmt.Sprint("choice ", i), Take: func() tea.Cmd { return nil }}
		if grouped {
			if ch.Group = fmt.Sprint("group ", i/10); i%10 == 0 {
				all = append(all, control.Choice{Name: ch.Group + " …", Folds: ch.Group})
			}
		}
		all = append(all, ch)
	}
	return all
}

// A list keeps its selection in sight, and a click on the line of a group folds it and takes nothing.
func TestListScrolls(t *testing.T) {
	for _, grouped := range []bool{false, true} {
		d := desk()
		c := NewChooser(d, "a list", choices(20, grouped))
		d.Open(c)
		if grouped {
			c.Select("choice 3")
			c.At = 0
		}
		for i := range 2 * len(c.Shown()) {
			draw(d, c)
			if at := c.At; at < c.top || at >= c.top+c.page {
				t.Fatalf("after %d moves line %d is not among %d to %d", i, at, c.top, c.top+c.page)
			}
			press(c, "down")
		}
		draw(d, c)
		if c.At != 0 || c.top != 0 {
			t.Errorf("twice around, the list begins at line %d with choice %d", c.top, c.At)
		}
		p := draw(d, c)
		for _, z := range p.Zones() {
			if z.ID == "list" {
				first := p.ZoneAt(z.Rect.X+3, z.Rect.Y)
				d.Keys.On(first.Click, control.Hit{})
			}
		}
		if grouped && len(c.Shown()) != 2 {
			t.Errorf("after a click on its line the group is there still: %d lines", len(c.Shown()))
		}
		if closed := d.Keys.Layer == nil; closed == grouped {
			t.Errorf("grouped %v: after a click on the first line the list is closed: %v", grouped, closed)
		}
	}
}

// However many keys come before somebody looks, a list is matched once, and a text that is
// longer than any name costs no more than its reading.
func TestListIsMatchedWhenLookedAt(t *testing.T) {
	d, asked := desk(), 0
	c := NewChooser(d, "a list", choices(20, false))
	c.Typed = func(string) []control.Choice { asked++; return nil }
	for range 2 * MaxLine {
		c.Update(tea.KeyPressMsg{Code: '1', Text: "1"})
	}
	for range 2 {
		draw(d, c)
	}
	if asked != 1 || len(c.Shown()) > 0 {
		t.Errorf("what is typed was asked for %d times, and %d choices match", asked, len(c.Shown()))
	}
	c.Filter.Set("CHOICE 1")
	c.typed()
	if n := len(c.Shown()); n != 11 {
		t.Errorf("%d choices begin with choice 1, want 11", n)
	}
}

// A name that nothing has names the nearest.
func TestListNamesTheNearest(t *testing.T) {
	d := desk()
	c := NewChooser(d, "a list", []control.Choice{{Name: "alpha"}, {Name: "eps"}})
	c.Filter.Set("epz=0.3")
	if got, want := c.none(), `nothing here is called "epz=0.3" (did you mean "eps"?)`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// lines are those of a text of n groups.
func lines(n int) (all []control.Line) {
	for i := range n {
		for k := range 3 + i%8 {
			all = append(all, control.Line{Group: control.Group(fmt.Sprint("group ", i)), Keys: fmt.Sprint(k),
				First: fmt.Sprint(k), Help: "what the key does, in so many words"})
		}
	}
	return all
}

// A text scrolls to its end and no further.
func TestTextScrolls(t *testing.T) {
	d := desk()
	h := NewReading(d, "help", Sheet{Title: "keys", Lines: lines(12)})
	_, tall := h.columns(1)
	if b := control.ByKey(h.Bindings(), "down"); b == nil || b.Hint != "scroll" {
		t.Error("a text that is longer than its room does not say so before it is scrolled")
	}
	for range 2 * tall {
		draw(d, h)
		press(h, "down")
	}
	if h.top != h.most || h.most != tall-h.page {
		t.Errorf("the text ends at line %d of %d with %d in sight", h.top, tall, h.page)
	}
}

// A text has as many columns as it needs and as there is room for, and no group is torn
// apart.
func TestTextUsesTheWidth(t *testing.T) {
	h := NewReading(desk(), "help", Sheet{Title: "keys", Lines: lines(12)})
	for _, c := range []struct{ w, h, columns int }{{20, 10, 1}, {80, 24, 1}, {120, 36, 2}, {200, 60, 2}, {200, 40, 3},
		{250, 30, 4}, {300, 200, 1}} {
		columns, tall := h.lay(c.w, c.h)
		if len(columns) != c.columns {
			t.Errorf("%d×%d: %d columns of %d lines, want %d", c.w, c.h, len(columns), tall, c.columns)
		}
		for _, rows := range columns {
			if rows[0].Keys != "" {
				t.Errorf("%d×%d: a column begins with %+v", c.w, c.h, rows[0])
			}
		}
	}
}

// Of a paste for which there is no room nothing is taken, since a part of a formula is another one.
func TestPasteIsWholeOrNot(t *testing.T) {
	var l Line
	l.Type(tea.PasteMsg{Content: "-x^2"})
	if l.Type(tea.PasteMsg{Content: strings.Repeat("+x", MaxLine/2)}) || l.String() != "-x^2" {
		t.Errorf("%d characters are taken", len(l.String()))
	}
	if rest := strings.Repeat("é", MaxLine-4); !l.Type(tea.PasteMsg{Content: rest}) || l.String() != "-x^2"+rest {
		t.Errorf("what just fits becomes %d bytes", len(l.String()))
	}
}
