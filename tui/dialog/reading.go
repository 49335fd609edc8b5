package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Reading is lines in groups that are read, and searched: the help, or what the words of the screen mean.
type Reading struct {
	sheets []Sheet
	sheet  int    // the one that is shown
	by     string // the binding that opens it goes to its next sheet
	desk   *control.Desk
	all    [][]control.Line // of the sheet
	groups [][]control.Line // those in sight, each below a blank and its heading
	find   Line
	typing bool // a text is typed
	top    int
	most   int // the largest top
	page   int
}

// A Sheet is a part of a Reading that is shown by itself. Lines of a group stand together.
type Sheet struct {
	Title string
	Leads string // what the key that leads here is said to show
	Lines []control.Line
}

// NewReading makes a text of one sheet or more, to open on a desk by the binding of a name.
func NewReading(d *control.Desk, by string, sheets ...Sheet) *Reading {
	h := &Reading{sheets: sheets, by: by, desk: d, page: 1}
	h.turnTo(0)
	return h
}

func (h *Reading) turnTo(sheet int) {
	h.desk.Notices.Answer()
	h.sheet, h.all, h.find = sheet%len(h.sheets), nil, Line{}
	for _, l := range h.sheets[h.sheet].Lines {
		if n := len(h.all); n == 0 || h.all[n-1][0].Group != l.Group {
			h.all = append(h.all, nil)
		}
		n := len(h.all) - 1
		h.all[n] = append(h.all[n], l)
	}
	h.search()
}

// search keeps the lines in sight that hold the text that is typed.
func (h *Reading) search() {
	typed := strings.TrimSpace(h.find.String())
	text := strings.ToLower(typed)
	h.groups, h.top = nil, 0
	for _, group := range h.all {
		found := list.Filter(group, func(l control.Line) bool {
			return strings.Contains(strings.ToLower(l.Help+" "+l.Of+" "+string(l.Group)), text) ||
				text != "" && strings.Contains(l.Keys, typed)
		})
		if found != nil {
			h.groups = append(h.groups, append([]control.Line{{}, {Group: found[0].Group}}, found...))
		}
	}
}

func (h *Reading) Bindings() []control.Binding {
	h.measure(h.desk.Screen.Width, h.desk.Screen.Height-1) // the keys that scroll are named before it is drawn
	by := func(rows func() int) func() tea.Cmd { return func() tea.Cmd { h.scroll(rows()); return nil } }
	leave := leave(h.desk)
	do := map[string]func() tea.Cmd{
		"list: up": by(func() int { return -1 }), "list: down": by(func() int { return 1 }),
		"list: page up": by(func() int { return -h.page }), "list: page down": by(func() int { return h.page }),
		"list: search": h.toSearch, "list: take": leave, "list: back": leave, "list: close": leave,
	}
	hints := map[string]string{"list: search": "search", "list: take": "", "list: up": "", "list: down": ""}
	if h.most > 0 {
		hints["list: up"], hints["list: down"] = "scroll", "scroll"
	}
	if h.typing {
		delete(do, "list: search")
		delete(do, "list: close")
		do["list: take"] = func() tea.Cmd { h.typing = false; return nil }
		do["list: back"] = func() tea.Cmd {
			h.typing, h.find = false, Line{}
			h.search()
			return nil
		}
		hints = map[string]string{"list: take": "keeps what is found", "list: back": "all", "list: up": "",
			"list: down": ""}
	}
	all := with(listKeys(), do)
	for i := range all {
		if hint, ok := hints[all[i].Name]; ok {
			all[i].Hint, all[i].Rank = hint, max(all[i].Rank, 1)
		}
	}
	if b := control.ByName(h.desk.Keys.Bindings, h.by); b != nil && !h.typing {
		more := control.Binding{Keys: b.Keys, Do: leave}
		if len(h.sheets) > 1 {
			next := h.sheets[(h.sheet+1)%len(h.sheets)]
			more = control.Binding{Name: nextSheet, Keys: b.Keys, Hint: next.Leads, Rank: 2,
				Do: func() tea.Cmd { h.turnTo(h.sheet + 1); return nil }}
		}
		all = append([]control.Binding{more}, all...)
	}
	return append(all, control.Binding{Name: doClose, Do: leave},
		control.Binding{Name: doWheel, At: func(at control.Hit) tea.Cmd { h.scroll(-at.By); return nil }})
}

// toSearch begins to type what is searched for: of the help among all keys.
func (h *Reading) toSearch() tea.Cmd {
	if h.sheet == 0 && len(h.sheets) > 1 {
		h.turnTo(1)
	}
	h.typing = true
	return nil
}

// Update implements control.Controller. A key that is not for the text does nothing.
func (h *Reading) Update(msg tea.Msg) (tea.Cmd, bool) {
	if h.typing {
		if h.find.Type(msg) {
			h.search()
		}
		return nil, true
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, true
	}
	switch edit := control.ByKey(editKeys(), k.String()); {
	case edit != nil && edit.Name == "typing: start":
		h.scroll(-h.most)
	case edit != nil && edit.Name == "typing: end":
		h.scroll(h.most)
	case k.Text != "":
		return h.desk.Say(false,
			control.Label(k.String())+" does nothing here; "+h.desk.Keys.First("list: back")+" closes this"), true
	}
	return nil, true
}

func (h *Reading) Slot(int) control.Slot { return control.Slot{At: control.Over} }
func (h *Reading) scroll(by int)         { h.top = min(max(h.top+by, 0), h.most) }

// KeysWidth is the room for the keys of a line.
const KeysWidth = 17

// column is the room for a line with its keys and a blank.
func (h *Reading) column() int {
	most := 0
	for _, group := range h.all {
		for _, l := range group {
			most = max(most, KeysWidth+plane.Width(l.Help)+1)
		}
	}
	return most
}

// lay sets the groups in columns for a screen of w×h cells: in no more than are
// needed to have all in sight, or as many as there is room for.
func (h *Reading) lay(w, height int) (columns [][]control.Line, tall int) {
	most := max(1, (w-4)/h.column())
	for cols := 1; ; cols++ {
		if columns, tall = h.columns(cols); cols == most || tall <= height-4 {
			return columns, tall
		}
	}
}

// measure lays the text out on a screen of w×h cells, above the footer. It is in columns in a box
// of so many cells inside.
func (h *Reading) measure(w, height int) (columns [][]control.Line, iw, ih int) {
	columns, tall := h.lay(w, height)
	iw, ih, _ = popupSize(w, height, len(columns)*h.column(), tall)
	h.page, h.most = max(1, ih), max(0, tall-ih)
	h.top = min(h.top, h.most)
	return columns, iw, ih
}

// Draw draws the columns, which are read downwards.
func (h *Reading) Draw(g plane.Region, f *pane.Frame) {
	th := f.Theme
	g.Zone(behind)
	columns, w, height := h.measure(g.Size())
	cols := len(columns)
	title := h.sheets[h.sheet].Title
	if h.typing {
		title += " / " + h.find.Show(h.desk.Theme.Cursor())
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
func (h *Reading) columns(n int) (columns [][]control.Line, tall int) {
	rows := list.Sum(h.groups, func(group []control.Line) int { return len(group) - 2 })
	for tall = max(1, (rows+n-1)/n); ; tall++ { // no lower, without headings
		var starts []int // the first group of each column
		filled, fits := tall, true
		for i, group := range h.groups {
			if filled+len(group) > tall {
				starts, filled = append(starts, i), -1 // without the blank
			}
			filled += len(group)
			fits = fits && filled <= tall
		}
		if !fits || len(starts) > n {
			continue
		}
		columns = make([][]control.Line, max(1, len(starts)))
		end := len(h.groups)
		for c, from := range slices.Backward(starts) {
			columns[c] = slices.Concat(h.groups[from:end]...)[1:]
			end = from
		}
		return columns, tall
	}
}

func (h *Reading) place() string {
	if h.most == 0 {
		return ""
	}
	return fmt.Sprintf("%d%%", 100*h.top/h.most)
}

// row draws a line with all of its keys, or the first ones if there is no room for more.
func (h *Reading) row(g plane.Region, th theme.Theme, l control.Line) {
	if l.Keys == "" {
		g.TextFit(0, 0, g.W(), th, string(l.Group), th.Title)
		return
	}
	words := func(s string) string { return s }
	if th.ASCII {
		words = control.Spelled
	}
	keys := words(l.Keys)
	if plane.Width(keys) > KeysWidth-1 {
		keys = words(l.First)
	}
	x := g.TextFit(0, 0, min(KeysWidth-1, g.W()/2), th, keys, th.Key)
	x = min(max(KeysWidth, x+1), max(x+1, g.W()/2))
	g.TextFit(x, 0, g.W()-x, th, l.Help, th.Text)
}
