package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/theme"
)

// helpText is the mode in which the key table is read.
type helpText struct {
	groups [][]keymap.Line
	top    int
	most   int // the largest top when last drawn
	page   int
}

func openHelp(m *model) tea.Cmd {
	h := &helpText{page: 1}
	for _, l := range m.keys.Lines() {
		if n := len(h.groups); n == 0 || h.groups[n-1][0].Group != l.Group {
			h.groups = append(h.groups, nil)
		}
		n := len(h.groups) - 1
		h.groups[n] = append(h.groups[n], l)
	}
	m.mode = h
	return nil
}

func (h *helpText) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch m.keys.Action(k.String(), keymap.Choose) {
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
	default:
		// Any other key leaves the help and does what it says there.
		m.mode = nil
		if m.keys.Action(k.String(), keymap.Main) != keymap.Help {
			return m.key(k)
		}
	}
	return nil
}

func (h *helpText) scroll(by int) { h.top = min(max(h.top+by, 0), h.most) }

func (h *helpText) paste(*model, string) {}

func (h *helpText) mouse(m *model, msg tea.MouseMsg) tea.Cmd {
	m.screen.dirty = true
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
	if s := "↑↓ scroll · " + m.keys.Hint(keymap.Choose, width); chart.Width(s) <= width && h.most > 0 {
		return s
	}
	return "esc back"
}

// Columns of the help: the keys, and a whole column with room for every text.
const (
	helpKeys   = 17
	helpColumn = helpKeys + 40
)

// draw sets the groups in as many columns as fit, read downwards.
func (h *helpText) draw(g chart.Region, th theme.Theme) {
	cols := min(3, max(1, (g.W()-6)/helpColumn))
	columns, tall := h.columns(cols)
	w, height, _ := popupSize(g, cols*helpColumn, tall)
	h.page, h.most = max(1, height), max(0, tall-height)
	h.top = min(h.top, h.most)
	in := popup(g, th, w, height, chart.Box{Title: "keys", Foot: h.place()})
	for c, rows := range columns {
		for y := range height {
			if i := h.top + y; i < len(rows) {
				h.row(in.Sub(chart.Rect{X: c * w / cols, Y: y, W: w/cols - 1, H: 1}), th, rows[i])
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
			columns[at] = append(append(columns[at], keymap.Line{Group: group[0].Group}), group...)
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
func (h *helpText) row(g chart.Region, th theme.Theme, l keymap.Line) {
	if l.Keys == "" {
		g.TextFit(0, 0, g.W(), th, string(l.Group), th.Title)
		return
	}
	words := func(s string) string { return s }
	if th.ASCII {
		words = arrowWords.Replace
	}
	keys := words(l.Keys)
	if chart.Width(keys) > helpKeys-1 {
		keys = words(l.First)
	}
	x := g.TextFit(0, 0, min(helpKeys-1, g.W()/2), th, keys, th.Key)
	x = min(max(helpKeys, x+1), max(x+1, g.W()/2))
	g.TextFit(x, 0, g.W()-x, th, l.Help, th.Text)
}
