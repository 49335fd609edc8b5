package panel

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// narrowFooter is the width below which the footer has no margin.
const narrowFooter = 20

// footer draws the newest notice, or the hint of keys where there is none.
func footer(g plane.Region, f *pane.Frame) {
	th := &f.Theme
	x := 1
	if g.W() < narrowFooter {
		x = 0
	}
	if n := f.Note; n.Text != "" {
		glyph, style := th.Glyphs.Bullet, th.Accent
		if n.Bad {
			glyph, style = th.Glyphs.Warning, th.Warn
		}
		g.Set(x, 0, glyph, style)
		g.TextFit(x+2, 0, g.W()-x-2, f.Theme, n.Text, style)
		return
	}
	hint(g, x, f)
}

// A Hint is an entry of the footer's line of keys.
type Hint struct {
	Keys string // as they are written: "space", "←→", "1-6"
	What string // what they do
	X    int    // the column at which it begins
}

// between stands between two hints.
const between = " · "

// Width is how many columns it takes.
func (h Hint) Width() int { return plane.Width(h.Keys) + plane.Width(h.What) }

// hints goes through the entries of a line of keys that fit into w columns, from
// column x on: the first word of each is its keys.
func hints(text string, x, w int, yield func(Hint) bool) {
	for text != "" {
		entry, rest, _ := strings.Cut(text, between)
		h := Hint{Keys: entry, X: x}
		if i := strings.Index(entry, " "); i >= 0 {
			h.Keys, h.What = entry[:i], entry[i:]
		}
		n := h.Width()
		if x+n > w || !yield(h) {
			return
		}
		x, text = x+n+plane.Width(between), rest
	}
}

// hint draws the line of keys, with the one that the mouse is on highlighted.
func hint(g plane.Region, x int, f *pane.Frame) {
	th := &f.Theme
	first := x
	hints(g.Spell(f.Hint), x, g.W(), func(h Hint) bool {
		if h.X > first {
			g.Set(h.X-2, 0, th.Glyphs.Bullet, th.Faint)
		}
		at := g.Text(h.X, 0, h.Keys, th.Key)
		g.Text(at, 0, h.What, th.Dim)
		if f.Hot == h.X && h.X > 0 {
			g.Sub(plane.Rect{X: h.X, W: h.Width(), H: 1}).Highlight(th.Highlight)
		}
		return true
	})
}

// HintAt returns the entry of the footer's line of keys in a cell of a screen of
// w×h cells. A notice in its place has none.
func HintAt(w, h int, f pane.Frame, x, y int) (hint Hint, ok bool) {
	if y != h-1 || w < leastNumbers {
		return Hint{}, false
	}
	at := arrange(w, h, &f)
	foot, above := at.Footer, at.View
	if at.Compact {
		if compactRows(at.View.H, len(f.Lanes())).footer == 0 {
			return Hint{}, false
		}
		foot, above = compactFooter(w, at.View.H)
	}
	told, rows := lifted(&f, foot, above)
	first := 1
	if !told && w < narrowFooter {
		first = 0
	}
	if told && rows < 2 {
		return Hint{}, false
	}
	text := f.Hint
	if f.Theme.ASCII {
		text = plane.Spell(text)
	}
	hints(text, first, w, func(e Hint) bool {
		if x >= e.X && x < e.X+e.Width() {
			hint, ok = e, true
		}
		return !ok
	})
	return hint, ok
}

// NoticeAt reports whether the footer's notice is in a cell of a screen of w×h
// cells.
func NoticeAt(w, h int, f pane.Frame, x, y int) bool {
	at := arrange(w, h, &f)
	foot, above := at.Footer, at.View
	if at.Compact {
		if w < leastNumbers || compactRows(at.View.H, len(f.Lanes())).footer == 0 {
			return false
		}
		foot, above = compactFooter(w, at.View.H)
		foot.Y, above.Y = foot.Y+at.View.Y, above.Y+at.View.Y
	}
	told, rows := lifted(&f, foot, above)
	if rows < 2 {
		return told && foot.Contains(x, y)
	}
	return told && above.Contains(x, y) && y >= above.Y+above.H-rows
}

// ActionAt returns what a click does on a cell of the header or of the head of the
// strip, on a screen of w×h cells; keymap.None for nothing.
func ActionAt(w, h int, f pane.Frame, x, y int) keymap.Action {
	at := arrange(w, h, &f)
	head := at.Header
	if at.Compact {
		head = plane.Rect{X: at.View.X, Y: at.View.Y, W: at.View.W, H: compactRows(at.View.H, len(f.Lanes())).header}
		if w < leastNumbers {
			return keymap.None
		}
	}
	var l pane.Line
	gap := 1
	switch {
	case f.Snap == nil:
		return keymap.None
	case head.Contains(x, y):
		headerLine(&l, head.W, &f)
		head, gap = headerRoom(head)
	case at.Strip.Contains(x, y) && y == at.Strip.Y:
		params := f.FocusedParams()
		if f.Focused() == nil || len(params) == 0 {
			return keymap.None
		}
		var plan stripPlan
		plan.lay(at.Strip.W, at.Strip.H, &f, params)
		l, head = plan.head, at.Strip.Pad(0, 0, 0, 1)
		head.W = plan.headW
	default:
		return keymap.None
	}
	return l.ActionAt(f.Theme.ASCII, head.W, gap, x-head.X)
}
