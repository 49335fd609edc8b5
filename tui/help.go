package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// helpText is the mode in which the key table is read, or what of it holds a text.
type helpText struct {
	title  string
	by     keymap.Action // the key that opens it closes it too
	all    [][]keymap.Line
	groups [][]keymap.Line // those in sight
	find   line
	typing bool // a text is typed
	cursor string
	top    int
	most   int // the largest top when last drawn
	page   int
	laid   laidHelp
}

func openHelp(m *model) tea.Cmd {
	h := &helpText{title: "keys", by: keymap.Help, page: 1, cursor: m.Cursor()}
	for _, l := range m.keys.Lines() {
		if n := len(h.all); n == 0 || h.all[n-1][0].Group != l.Group {
			h.all = append(h.all, nil)
		}
		n := len(h.all) - 1
		h.all[n] = append(h.all[n], l)
	}
	h.groups = h.all
	m.mode = h
	return nil
}

// search keeps the lines in sight that hold the text that is typed.
func (h *helpText) search() {
	text := strings.ToLower(strings.TrimSpace(h.find.String()))
	h.groups, h.top, h.laid = nil, 0, laidHelp{}
	for _, group := range h.all {
		var found []keymap.Line
		for _, l := range group {
			if strings.Contains(strings.ToLower(l.Help+" "+string(l.Group)), text) || text != "" && strings.Contains(l.Keys, strings.TrimSpace(h.find.String())) {
				found = append(found, l)
			}
		}
		if found != nil {
			h.groups = append(h.groups, found)
		}
	}
}

func (h *helpText) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	a := m.keys.Action(k.String(), keymap.Choose)
	if a == keymap.Complete { // nothing is to be completed here
		a = keymap.None
	}
	if h.typing {
		switch a {
		case keymap.Take:
			h.typing = false
			return nil
		case keymap.Cancel:
			h.typing, h.find = false, line{}
			h.search()
			return nil
		case keymap.Prev, keymap.Next, keymap.PagePrev, keymap.PageNext:
		default:
			if h.find.key(k) {
				h.search()
			}
			return nil
		}
	}
	switch a {
	case keymap.Search:
		h.typing = true
	case keymap.None:
		switch m.keys.Action(k.String(), keymap.Edit) {
		case keymap.LineStart:
			h.scroll(-h.most)
			return nil
		case keymap.LineEnd:
			h.scroll(h.most)
			return nil
		}
		// Any other key leaves the help and does what it says there.
		m.mode = nil
		if m.keys.Action(k.String(), keymap.Main) != h.by {
			return m.key(k)
		}
	case keymap.Prev:
		h.scroll(-1)
	case keymap.Next:
		h.scroll(1)
	case keymap.PagePrev:
		h.scroll(-h.page)
	case keymap.PageNext:
		h.scroll(h.page)
	case keymap.Take, keymap.Cancel:
		m.mode = nil
	}
	return nil
}

func (h *helpText) scroll(by int) { h.top = min(max(h.top+by, 0), h.most) }

func (h *helpText) paste(_ *model, text string) {
	if h.typing {
		h.find.insert(text)
		h.search()
	}
}

func (h *helpText) mouse(m *model, msg tea.MouseMsg) tea.Cmd {
	m.Dirty = true
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			h.scroll(-1)
		} else if e.Button == tea.MouseWheelDown {
			h.scroll(1)
		}
	case tea.MouseClickMsg:
		m.mode = nil
	}
	return nil
}

func (h *helpText) hint(m *model, width int) string {
	if h.typing {
		return "enter keeps what is found · esc all"
	}
	for _, s := range [...]string{"↑↓ pgup pgdown scroll · ", ""} {
		s += m.keys.Key(keymap.Search) + " search · any key leaves the help and does what it says"
		if plane.Width(s) <= width && (h.most > 0 || s[0] == '/') {
			return s
		}
	}
	return "esc back"
}

// helpKeys is the room for the keys of a line.
const helpKeys = 17

// column is the room for a line with its keys and a blank.
func (h *helpText) column() int {
	most := 0
	for _, group := range h.all {
		for _, l := range group {
			most = max(most, helpKeys+plane.Width(l.Help)+1)
		}
	}
	return most
}

// lay sets the groups in columns for a screen of w×h cells: in no more than are
// needed to have all in sight, or as many as there is room for.
func (h *helpText) lay(w, height int) (columns [][]keymap.Line, tall int) {
	if l := &h.laid; l.w == w && l.height == height && l.columns != nil {
		return l.columns, l.tall
	}
	most := max(1, (w-4)/h.column())
	for cols := 1; ; cols++ {
		if columns, tall = h.columns(cols); cols == most || tall <= height-4 {
			h.laid = laidHelp{w, height, columns, tall}
			return columns, tall
		}
	}
}

// laidHelp is the help for one size of the screen, which many frames need.
type laidHelp struct {
	w, height int
	columns   [][]keymap.Line
	tall      int
}

// draw draws the columns, which are read downwards.
func (h *helpText) draw(g plane.Region, th theme.Theme) {
	columns, tall := h.lay(g.W(), g.H())
	cols := len(columns)
	w, height, _ := popupSize(g, cols*h.column(), tall)
	h.page, h.most = max(1, height), max(0, tall-height)
	h.top = min(h.top, h.most)
	title := h.title
	if h.typing {
		title += " / " + h.find.show(h.cursor)
	} else if text := h.find.String(); text != "" {
		title += " / " + text
	}
	in := popup(g, th, w, height, plane.Box{Title: title, Foot: h.place()})
	if len(h.groups) == 0 {
		in.Text(0, 0, "nothing matches", th.Dim)
	}
	for c, rows := range columns {
		for y := range height {
			if i := h.top + y; i < len(rows) {
				h.row(in.Sub(plane.Rect{X: c * w / cols, Y: y, W: w/cols - 1, H: 1}), th, rows[i])
			}
		}
	}
}

// columns sets whole groups in at most n columns that are as short as can be.
// A heading is a line without keys, and so is the blank above it.
func (h *helpText) columns(n int) (columns [][]keymap.Line, tall int) {
	for tall = 1; ; tall++ {
		columns = [][]keymap.Line{nil}
		fits := true
		for _, group := range h.groups {
			at := len(columns) - 1
			if len(columns[at]) > 0 && len(columns[at])+2+len(group) > tall {
				columns, at = append(columns, nil), at+1
			}
			if len(columns[at]) > 0 {
				columns[at] = append(columns[at], keymap.Line{})
			}
			if group[0].Group != "" {
				columns[at] = append(columns[at], keymap.Line{Group: group[0].Group})
			}
			columns[at] = append(columns[at], group...)
			fits = fits && len(columns[at]) <= tall
		}
		if fits && len(columns) <= n {
			return columns, tall
		}
	}
}

func (h *helpText) place() string {
	if h.most == 0 {
		return ""
	}
	return fmt.Sprintf("%d%%", 100*h.top/h.most)
}

// row draws a line with all of its keys, or the first ones if there is no room
// for more.
func (h *helpText) row(g plane.Region, th theme.Theme, l keymap.Line) {
	if l.Keys == "" {
		g.TextFit(0, 0, g.W(), th, string(l.Group), th.Title)
		return
	}
	words := func(s string) string { return s }
	if th.ASCII {
		words = arrowWords.Replace
	}
	keys := words(l.Keys)
	if plane.Width(keys) > helpKeys-1 {
		keys = words(l.First)
	}
	x := g.TextFit(0, 0, min(helpKeys-1, g.W()/2), th, keys, th.Key)
	x = min(max(helpKeys, x+1), max(x+1, g.W()/2))
	g.TextFit(x, 0, g.W()-x, th, l.Help, th.Text)
}
