package app

import (
	"strconv"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// narrowFooter is the width below which the footer has no margin.
const narrowFooter = 20

// footer draws the newest notice, or the hints of keys where there is none.
func footer(g plane.Region, f *frame) {
	x := 1
	if g.W() < narrowFooter {
		x = 0
	}
	if f.note.Text == "" {
		drawHints(g, x, f)
		return
	}
	style := markNotice(g, x, f)
	g.TextFit(x+2, 0, g.W()-x-2, f.Theme, f.note.Text, style)
}

// markNotice draws the mark of the notice and returns its style. A click puts the notice away.
func markNotice(g plane.Region, x int, f *frame) plane.Style {
	glyph, style := f.Theme.Glyphs.Bullet, f.Theme.Accent
	if f.note.Bad {
		glyph, style = f.Theme.Glyphs.Warning, f.Theme.Warn
	}
	g.Set(x, 0, glyph, style)
	g.Zone(noticeZone)
	return style
}

var noticeZone = plane.Zone{ID: "notice", Click: plane.Call("notice.clear")}

// drawHints draws the line of keys from column x on, with the entry that the mouse is on highlighted. A click does what
// its key does: of two the one that is clicked, of a row of views the next.
func drawHints(g plane.Region, x int, f *frame) {
	th := &f.Theme
	first := x
	for i, h := range f.hints {
		key := h.Key(th.ASCII)
		keys, does := plane.Width(key), g.Spell(h.Does)
		w := keys + plane.Width(does)
		if keys > 0 {
			w++
		}
		if x+w > g.W() {
			return
		}
		if x > first {
			g.Set(x-2, 0, th.Glyphs.Bullet, th.Faint)
		}
		if g.Text(x, 0, key, th.Key); keys > 0 {
			g.Set(x+keys, 0, ' ', th.Dim)
		}
		g.Text(x+w-plane.Width(does), 0, does, th.Dim)
		id := "hint:" + strconv.Itoa(i)
		zone := func(from, to int, name string) {
			g.Zone(plane.Zone{Rect: plane.Rect{X: x + from, W: to - from, H: 1}, ID: id, Click: plane.Call(name)})
		}
		switch n := len(h.Names); {
		case n == 1:
			zone(0, w, h.Names[0])
		case n == 2:
			zone(0, w, h.Names[1])
			zone(0, (keys+1)/2, h.Names[0])
		case n > 2:
			zone(0, w, "view.next")
			zone(0, 1, h.Names[0])
			zone(keys-1, keys, h.Names[n-1])
		}
		if f.hot == id && len(h.Names) > 0 {
			g.Sub(plane.Rect{X: x, W: w, H: 1}).Highlight(th.Highlight)
		}
		x += w + plane.Width(control.HintGap)
	}
}

// mostNotice is the most rows of a notice, and leastView the rows that it leaves the view.
const mostNotice, leastView = 6, 6

// lifted is how many of the rows above the bottom rows a notice takes: none if it stands in
// the footer, or something is open there.
func lifted(f *frame, foot plane.Rect, above int) int {
	text := f.note.Text
	if text == "" || f.Covered {
		return 0
	}
	if f.Theme.ASCII {
		text = plane.Spell(text)
	}
	if rows := min(len(plane.Wrap(text, foot.W-4)), mostNotice, above/3, above-leastView); rows > 1 {
		return rows
	}
	return 0
}

// foot draws what is below the rows at the bottom: a notice or the hint of keys. A notice
// that is too long for one row stands above them, in rows of its own.
func foot(g plane.Region, f *frame, foot, note plane.Rect) {
	if note.Empty() {
		footer(g.Sub(foot), f)
		return
	}
	at := g.Sub(note)
	at.Fill(' ', plane.Style{})
	style := markNotice(at, 1, f)
	at.Sub(plane.Rect{X: 3, W: foot.W - 4, H: note.H}).TextWrapped(f.note.Text, style)
	drawHints(g.Sub(foot).Row(0), 1, f)
}
