package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A choice is one line of a list.
type choice struct {
	name  string
	note  string // beside the name
	key   string // on the right: the key that does the same
	fill  string // what completing it types; its name if that is empty
	group string // the heading below which it stands
	// detail is what is said below the list while the choice is selected, a
	// paragraph each; nil for a list without.
	detail []paragraph
	why    string // why it is grey; empty for a choice in full ink
	take   action // nil for a choice that cannot be taken
}

// A paragraph is text that is broken to at most so many lines.
type paragraph struct {
	text string
	rows int
}

// chooser is the mode in which one of a list is chosen. What is typed filters
// the list.
type chooser struct {
	title  string
	prompt string // before what is typed
	all    []choice
	filter line
	// typed makes a choice of the text itself, such as the name of a file. Nil
	// if there is none.
	typed func(text string) []choice

	shown  []choice
	lines  []int // of the list: places in shown, or -1 for the heading of the next
	at     int   // the selected one of shown
	top    int   // the first line in sight
	page   int   // how many were in sight when last drawn
	list   plane.Rect
	cursor string
}

func newChooser(m *model, title string, all []choice) *chooser {
	c := &chooser{title: title, prompt: "/", all: all, page: 1, cursor: m.Cursor()}
	c.match()
	return c
}

// match filters the list. The best matches come first, equals in their order.
func (c *chooser) match() {
	text := strings.TrimSpace(c.filter.String())
	type ranked struct {
		choice
		rank int
	}
	var found []ranked
	for _, ch := range c.all {
		if r := rank(ch, text); r > 0 {
			found = append(found, ranked{ch, r})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return a.rank - b.rank })
	c.shown = c.shown[:0]
	for _, f := range found {
		c.shown = append(c.shown, f.choice)
	}
	if c.typed != nil && text != "" {
		at := 0
		if len(found) > 0 && found[0].rank == 1 && !strings.HasSuffix(c.filter.String(), " ") {
			at = len(c.shown) // who types the beginning of a name means the name
		}
		c.shown = slices.Insert(c.shown, at, c.typed(text)...)
	}
	c.at, c.top = 0, 0
	c.head(text == "")
}

// head puts the headings of groups between the choices, which stand together as
// long as nothing has ranked them.
func (c *chooser) head(grouped bool) {
	c.lines = c.lines[:0]
	for i, ch := range c.shown {
		if grouped && ch.group != "" && (i == 0 || c.shown[i-1].group != ch.group) {
			c.lines = append(c.lines, -1)
		}
		c.lines = append(c.lines, i)
	}
}

// line is the place of a choice among the lines.
func (c *chooser) line(at int) int { return max(0, slices.Index(c.lines, at)) }

// rank says how well a choice matches, 1 best, 0 not at all: the name begins
// with the text, a word of it does, it holds the text, the note holds it, or
// the name holds its letters in order.
func rank(ch choice, text string) int {
	text, name := strings.ToLower(text), strings.ToLower(ch.name)
	switch {
	case strings.HasPrefix(name, text):
		return 1
	case strings.Contains(" "+strings.NewReplacer(":", " ", "-", " ").Replace(name), " "+text):
		return 2
	case strings.Contains(name, text):
		return 3
	case strings.Contains(strings.ToLower(ch.note), text):
		return 4
	}
	left := []rune(text)
	for _, r := range name {
		if len(left) > 0 && r == left[0] {
			left = left[1:]
		}
	}
	if len(left) == 0 {
		return 5
	}
	return 0
}

// look selects the choice of a name.
func (c *chooser) look(name string) {
	c.at = max(0, slices.IndexFunc(c.shown, func(ch choice) bool { return ch.name == name }))
}

func (c *chooser) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	a := m.keys.Action(k.String(), keymap.Choose, keymap.Edit)
	switch a {
	case keymap.Cancel:
		m.mode = nil
	case keymap.Take:
		return c.take(m)
	case keymap.Complete:
		return c.complete(m)
	case keymap.Prev:
		c.move(-1)
	case keymap.Next:
		c.move(1)
	case keymap.PagePrev:
		c.move(-c.page)
	case keymap.PageNext:
		c.move(c.page)
	default:
		if c.filter.key(k) {
			c.match()
		}
	}
	return nil
}

func (c *chooser) paste(_ *model, text string) {
	c.filter.insert(text)
	c.match()
}

// move selects another choice; a single step goes around the end.
func (c *chooser) move(by int) {
	n := len(c.shown)
	switch {
	case n == 0:
	case by == -1 && c.at == 0:
		c.at = n - 1
	case by == 1 && c.at == n-1:
		c.at = 0
	default:
		c.at = min(max(c.at+by, 0), n-1)
	}
}

// take closes the list and does what the selected choice is for. One that
// cannot be taken says why.
func (c *chooser) take(m *model) tea.Cmd {
	if len(c.shown) == 0 {
		return m.Say(true, fmt.Sprintf("nothing here is called %q", c.filter.String()))
	}
	ch := c.shown[c.at]
	if ch.take == nil {
		return m.Say(true, ch.why)
	}
	m.mode = nil
	return ch.take(m)
}

// complete types the selected choice, so that it can be gone on with.
func (c *chooser) complete(m *model) tea.Cmd {
	if len(c.shown) == 0 {
		return c.take(m)
	}
	ch := c.shown[c.at]
	text := ch.fill
	if text == "" {
		text = ch.name
	}
	if c.filter.String() == text {
		switch {
		case ch.take == nil:
			return m.Say(true, ch.why)
		case ch.fill != "":
			return m.Say(false, strings.TrimSpace(ch.fill)+" wants a value: "+ch.note)
		}
		return m.Say(false, m.keys.Key(keymap.Take)+" takes it: there is nothing to complete")
	}
	c.filter.set(text)
	c.match()
	return nil
}

func (c *chooser) mouse(m *model, msg tea.MouseMsg) tea.Cmd {
	e := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		m.Dirty = true
		if e.Button == tea.MouseWheelUp {
			c.at = max(0, c.at-1)
		} else if e.Button == tea.MouseWheelDown {
			c.at = min(max(0, len(c.shown)-1), c.at+1)
		}
	case tea.MouseClickMsg:
		m.Dirty = true
		if !c.list.Contains(e.X, e.Y) {
			m.mode = nil
		} else if y := c.top + e.Y - c.list.Y; y < len(c.lines) && c.lines[y] >= 0 {
			c.at = c.lines[y]
			return c.take(m)
		}
	}
	return nil
}

func (c *chooser) hint(m *model, width int) string {
	return m.keys.Hint(keymap.Choose, width)
}

// draw draws the filter, the list, and below it what there is to say of the
// selected choice.
func (c *chooser) draw(g plane.Region, th theme.Theme) {
	names, detail, headings := 0, 0, 0
	for i, ch := range c.all {
		names = max(names, plane.Width(ch.name))
		if ch.group != "" && (i == 0 || c.all[i-1].group != ch.group) {
			headings++
		}
		detail = max(detail, ch.detailRows())
	}
	for _, ch := range c.shown { // what is typed may be none of all
		detail = max(detail, ch.detailRows())
	}
	w, h, _ := popupSize(g, 96, min(len(c.all)+headings, listRows)+1+detail)
	if h-1-detail < 2 {
		detail = 0
	}
	c.page = max(1, h-1-detail)
	last := c.line(c.at)
	first := last
	if first > 0 && c.lines[first-1] < 0 && c.page > 1 {
		first-- // with its heading
	}
	c.top = min(max(c.top, last-c.page+1), first)
	c.top = max(0, min(c.top, len(c.lines)-c.page))
	in := popup(g, th, w, h, plane.Box{Title: c.title, Foot: c.count()})
	x := in.Text(0, 0, c.prompt+" ", th.Accent)
	in.Text(x, 0, tail(c.filter.show(c.cursor), w-x), th.Text)
	list := in.Sub(plane.Rect{Y: 1, W: w, H: h - 1 - detail})
	c.list = list.Rect()
	names = min(names, w/2)
	for y := range list.H() {
		if c.top+y >= len(c.lines) {
			break
		}
		i := c.lines[c.top+y]
		if i < 0 {
			list.TextFit(0, y, w, th, c.shown[c.lines[c.top+y+1]].group, th.Title)
			continue
		}
		repeat := y > 0 && i > 0 && c.shown[i-1].note == c.shown[i].note
		c.row(list.Row(y), th, c.shown[i], names, i == c.at, repeat)
	}
	if len(c.shown) == 0 {
		list.Text(2, 0, "nothing matches", th.Dim)
	}
	if detail > 0 && c.at < len(c.shown) {
		in.HLine(0, h-detail, w, th.Glyphs.Horizontal, th.Border)
		about(in.Sub(plane.Rect{Y: h - detail + 1, W: w, H: detail - 1}), th, c.shown[c.at])
	}
}

// detailRows is the room that a choice's detail needs with the rule above it.
func (ch *choice) detailRows() int {
	rows := 0
	for _, p := range ch.detail {
		rows += p.rows
	}
	if rows > 0 {
		rows++
	}
	return rows
}

// about writes what there is to say of a choice: why it cannot be taken, and its
// paragraphs, the last of them in full ink.
func about(g plane.Region, th theme.Theme, ch choice) {
	y := 0
	put := func(text string, rows int, style theme.Style) {
		for ; rows > 0 && y < g.H(); rows-- {
			first, rest := wrap(text, g.W())
			if rows == 1 {
				first = text // with an ellipsis where it is cut
			}
			g.TextFit(0, y, g.W(), th, first, style)
			text = rest
			y++
			if text == "" && ch.why != "" {
				return
			}
		}
	}
	if ch.why != "" && len(ch.detail) > 0 {
		put(ch.why, 2, th.Warn)
	}
	for i, p := range ch.detail {
		style := th.Dim
		if i == len(ch.detail)-1 {
			style = th.Text
		}
		put(p.text, p.rows, style)
	}
}

// listRows is the most lines of a list, so that it leaves the charts in sight.
const listRows = 16

// wrap breaks a text between words so that the first part fits a width.
func wrap(s string, width int) (first, rest string) {
	if plane.Width(s) <= width {
		return s, ""
	}
	for i, r := range s {
		if r == ' ' && plane.Width(s[:i]) <= width {
			first, rest = s[:i], s[i+1:]
		}
	}
	if first == "" {
		return s, ""
	}
	return first, rest
}

func (c *chooser) count() string {
	if c.page < len(c.lines) {
		return fmt.Sprintf("%d of %d", c.at+1, len(c.shown))
	}
	return ""
}

// row draws a line of the list, without a note that repeats the one above.
func (c *chooser) row(g plane.Region, th theme.Theme, ch choice, names int, selected, repeat bool) {
	name, note := th.Text, th.Dim
	text := ch.note
	if ch.why != "" {
		name, note = th.Faint, th.Warn
		text = ch.why
	}
	if selected {
		g.Set(0, 0, th.Glyphs.Pointer, th.Accent)
	}
	w := g.W()
	right, style := ch.key, th.Key
	if right == "" && len(c.lines) == len(c.shown) { // no headings say it
		right, style = ch.group, th.Faint
	}
	if right != "" {
		g.TextRight(w, 0, right, style)
		w -= plane.Width(right) + 1
	}
	names = max(names, min(plane.Width(ch.name), w-4))
	g.TextFit(2, 0, min(names, w-2), th, ch.name, name)
	if rest := w - names - 4; rest > 3 && !(repeat && ch.why == "") {
		g.TextFit(names+4, 0, rest, th, text, note)
	}
	if selected {
		g.Highlight(th.Highlight)
	}
}

// tail is the end of a text that is too long for a width.
func tail(s string, width int) string {
	r := []rune(s)
	for len(r) > 0 && plane.Width(string(r)) > width {
		r = r[1:]
	}
	return string(r)
}
