package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Chooser is a list of which one is chosen. What is typed filters it.
type Chooser struct {
	Title  string
	Prompt string // before what is typed
	All    []control.Choice
	Filter Line
	// Typed makes choices of the text itself, such as the name of a file, but for those that the list has. Nil if there
	// are none.
	Typed func(text string) []control.Choice
	// ToTheEnd has enter take only what is typed to its end or was chosen: what is typed in part it types to its end.
	ToTheEnd bool

	desk   *control.Desk
	chosen bool             // the selected one was moved to since something was typed
	stale  bool             // something was typed since shown was worked out
	shown  []control.Choice // those that match
	open   string           // the group that is unfolded while nothing is typed
	At     int              // the selected one of them
	top    int              // the first in sight
	page   int              // how many were in sight when last drawn
	rows   int              // the most that have been wanted since it was opened
}

// NewChooser makes a list to open on a desk.
func NewChooser(d *control.Desk, title string, all []control.Choice) *Chooser {
	return &Chooser{Title: title, Prompt: "/", All: all, page: 1, desk: d, stale: true}
}

// Shown lists the choices that match what is typed, the best first, equals in their order.
// They are worked out when somebody looks: a burst of keys costs no more than one.
func (c *Chooser) Shown() []control.Choice {
	if c.stale {
		c.stale = false
		c.match()
	}
	return c.shown
}

// typed says that what is typed has changed.
func (c *Chooser) typed() { c.stale, c.chosen, c.At, c.top = true, false, 0, 0 }

func (c *Chooser) match() {
	text := strings.TrimSpace(c.Filter.String())
	type ranked struct {
		control.Choice
		rank int
	}
	var found []ranked
	for _, ch := range c.All {
		if text == "" && !c.unfolded(ch.Group) || ch.Folds != "" && text != "" {
			continue
		}
		if r := Rank(ch, text); r > 0 {
			found = append(found, ranked{ch, r})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return a.rank - b.rank })
	c.shown = list.Map(found, func(f ranked) control.Choice { return f.Choice })
	if c.Typed != nil && text != "" {
		at := 0
		if len(found) > 0 && found[0].rank <= 2 && !strings.HasSuffix(c.Filter.String(), " ") {
			at = len(c.shown) // who types the beginning of a name means the name
		}
		listed := func(ch control.Choice) bool {
			same := func(o control.Choice) bool { return o.Take != nil && typing(o) == typing(ch) }
			return slices.ContainsFunc(c.All, same)
		}
		c.shown = slices.Insert(c.shown, at, slices.DeleteFunc(c.Typed(text), listed)...)
	}
}

// Rank says how well a choice matches, 1 best, 0 not at all: the name, the key, the symbol or another word for it is
// the text, the name or such a word begins with it, a word of it does, it holds the text or its group begins with it,
// the note holds it, or the name holds its letters in order. A text beyond longestQuery matches nothing.
func Rank(ch control.Choice, text string) int {
	if len(text) > longestQuery {
		return 0
	}
	if text != "" && (text == ch.Key || text == ch.Symbol) {
		return 1
	}
	text, name := strings.ToLower(text), strings.ToLower(ch.Name)
	also := strings.Fields(ch.Also)
	switch {
	case name == text || slices.Contains(also, text):
		return 1
	case strings.HasPrefix(name, text) ||
		slices.ContainsFunc(also, func(w string) bool { return strings.HasPrefix(w, text) }):
		return 2
	case strings.Contains(" "+wordBreaks.Replace(name), " "+text):
		return 3
	case strings.Contains(name, text) || strings.HasPrefix(ch.Group, text):
		return 4
	case strings.Contains(strings.ToLower(ch.Note), text):
		return 5
	}
	left := []rune(text)
	for _, r := range name {
		if len(left) > 0 && r == left[0] {
			left = left[1:]
		}
	}
	if len(left) == 0 {
		return 6
	}
	return 0
}

// longestQuery is more than the length of any name or note.
const longestQuery = 256

// wordBreaks makes words of the parts of a name.
var wordBreaks = strings.NewReplacer(":", " ", "-", " ")

// Select selects the choice of a name, and unfolds its group.
func (c *Chooser) Select(name string) {
	named := func(ch control.Choice) bool { return ch.Name == name }
	if i := slices.IndexFunc(c.All, named); i >= 0 {
		c.open, c.stale = c.All[i].Group, true
	}
	c.At = max(0, slices.IndexFunc(c.Shown(), named))
}

// unfolded reports whether the choices of a group are shown while nothing is typed: it is open, or one within it is.
func (c *Chooser) unfolded(group string) bool {
	return group == "" || group == c.open || slices.ContainsFunc(c.All, func(ch control.Choice) bool {
		return c.open != "" && ch.Folds == c.open && ch.Group == group
	})
}

// unfold shows the choices of a group below the one that stands for them, or puts them away again.
func (c *Chooser) unfold(ch control.Choice) tea.Cmd {
	if c.stale = true; c.open == ch.Folds || c.open != "" && c.unfolded(ch.Folds) {
		c.open = ch.Group
	} else {
		c.open = ch.Folds
	}
	c.At = slices.IndexFunc(c.Shown(), func(o control.Choice) bool { return o.Folds == ch.Folds })
	return nil
}

func (c *Chooser) Bindings() []control.Binding {
	move := func(by func() int) func() tea.Cmd { return func() tea.Cmd { c.move(by()); return nil } }
	return append(with(listKeys(), map[string]func() tea.Cmd{
		"list: up": move(func() int { return -1 }), "list: down": move(func() int { return 1 }),
		"list: page up": move(func() int { return -c.page }), "list: page down": move(func() int { return c.page }),
		"list: complete": c.Complete, "list: take": c.take, "list: back": leave(c.desk),
	}), control.Binding{Name: doPick, At: c.pick}, control.Binding{Name: doClose, Do: leave(c.desk)},
		control.Binding{Name: doWheel, At: func(at control.Hit) tea.Cmd {
			c.At = min(max(c.At-at.By, 0), max(len(c.Shown())-1, 0))
			return nil
		}})
}

func (c *Chooser) Update(msg tea.Msg) (tea.Cmd, bool) {
	if c.Filter.Type(msg) {
		text, ok := strings.CutPrefix(c.Filter.String(), c.Prompt)
		if ok && (c.Typed == nil || c.Prompt == ":") { // who sees the prompt may type it, but a path begins with /
			c.Filter.Set(text)
		}
		c.typed()
	}
	return nil, true
}

// move selects another choice; a single step goes around the end.
func (c *Chooser) move(by int) {
	n := len(c.Shown())
	c.chosen = true
	switch {
	case n == 0:
	case by == -1 && c.At == 0:
		c.At = n - 1
	case by == 1 && c.At == n-1:
		c.At = 0
	default:
		c.At = min(max(c.At+by, 0), n-1)
	}
}

// take closes the list and does what the selected choice is for. One that cannot be taken says why.
func (c *Chooser) take() tea.Cmd {
	if len(c.Shown()) == 0 {
		return c.desk.Say(true, c.none())
	}
	for _, o := range c.All { // the name alone of several commands lists them
		if text := c.Filter.String(); o.Folds != "" && c.At == 0 && strings.EqualFold(text+" ", o.Folds) {
			c.Filter.Set(o.Folds)
			c.typed()
			return nil
		}
	}
	ch, text := c.shown[c.At], strings.TrimSpace(c.Filter.String())
	if ch.Folds != "" {
		return c.unfold(ch)
	}
	if c.ToTheEnd && !c.chosen && text != "" && Rank(ch, text) > 1 {
		return c.Complete()
	}
	if ch.Take == nil {
		return c.desk.Say(true, ch.Why)
	}
	c.desk.Close()
	return ch.Take()
}

// none says that nothing matches, and what is nearest to the name that is typed.
func (c *Chooser) none() string {
	text := c.Filter.String()
	name, _, _ := strings.Cut(strings.ReplaceAll(text, "=", " "), " ")
	names := list.Map(c.All, func(ch control.Choice) string { return ch.Name })
	return fmt.Sprintf("nothing here is called %q", text) + list.Hint("%q", name, names)
}

// Complete types the selected choice, so that it can be gone on with.
func (c *Chooser) Complete() tea.Cmd {
	if len(c.Shown()) == 0 {
		return c.take()
	}
	ch := c.shown[c.At]
	text := typing(ch)
	if c.Filter.String() == text {
		switch {
		case ch.Take == nil:
			return c.desk.Say(true, ch.Why)
		case ch.Fill != "":
			return c.desk.Say(false, strings.TrimSpace(ch.Fill)+" wants a value: "+ch.Note)
		}
		return c.desk.Say(false, c.desk.Keys.First("list: take")+" takes it: there is nothing to complete")
	}
	c.Filter.Set(text)
	c.typed()
	return nil
}

// typing is what is typed for a choice.
func typing(ch control.Choice) string { return cmp.Or(ch.Folds, ch.Fill, ch.Name) }

// pick takes the choice that was clicked.
func (c *Chooser) pick(at control.Hit) tea.Cmd {
	if i, err := strconv.Atoi(at.Args[0]); err == nil && i < len(c.Shown()) {
		c.At, c.chosen = i, true
		return c.take()
	}
	return nil
}

func (c *Chooser) Slot(int) control.Slot { return control.Slot{At: control.Over} }

// Draw draws the filter, the list, and below it what there is to say of the selected choice.
func (c *Chooser) Draw(g plane.Region, f *pane.Frame) {
	th := f.Theme
	g.Zone(behind)
	names, detail := 0, 0
	for _, ch := range c.All {
		names = max(names, plane.Width(ch.Name)+indent(ch))
		detail = max(detail, detailRows(ch))
	}
	for _, ch := range c.Shown() { // what is typed may be none of all
		detail = max(detail, detailRows(ch))
	}
	gw, gh := g.Size()
	c.rows = max(c.rows, 2, min(len(c.shown), listRows)) // with one there would be no room for its detail
	w, h, _ := popupSize(gw, gh, 96, c.rows+1+detail)
	if h-1-detail < 2 {
		detail = 0
	}
	c.page = max(1, h-1-detail)
	c.top = min(max(c.top, c.At-c.page+1), c.At)
	c.top = max(0, min(c.top, len(c.shown)-c.page))
	in := popup(g, th, w, h, plane.Box{Title: c.Title, Foot: c.count()})
	x := in.Text(0, 0, c.Prompt+" ", th.Accent)
	in.Text(x, 0, plane.Tail(c.Filter.Show(c.desk.Theme.Cursor()), w-x), th.Text)
	list := in.Sub(plane.Rect{Y: 1, W: w, H: h - 1 - detail})
	list.Zone(plane.Zone{ID: "list", Wheel: plane.Call(doWheel)})
	names = min(names, w/2)
	for y := range list.H() {
		i := c.top + y
		if i >= len(c.shown) {
			break
		}
		repeat := y > 0 && i > 0 && c.shown[i-1].Note == c.shown[i].Note
		place := strconv.Itoa(i)
		list.Row(y).Zone(plane.Zone{ID: "list:" + place, Click: plane.Call(doPick, place), Wheel: plane.Call(doWheel)})
		c.row(list.Row(y), th, c.shown[i], names, i == c.At, repeat)
	}
	if len(c.shown) == 0 {
		list.TextFit(2, 0, w-2, th, c.none(), th.Dim)
	}
	if detail > 0 && c.At < len(c.shown) {
		in.HLine(0, h-detail, w, th.Glyphs.Horizontal, th.Border)
		about(in.Sub(plane.Rect{Y: h - detail + 1, W: w, H: detail - 1}), th, c.shown[c.At])
	}
}

// detailRows is the room that a choice's detail needs with the rule above it.
func detailRows(ch control.Choice) int {
	rows := list.Sum(ch.Detail, func(p control.Paragraph) int { return p.Rows })
	if rows > 0 {
		rows++
	}
	return rows
}

// about writes what there is to say of a choice: why it cannot be taken, and its
// paragraphs, the last of them in full ink.
func about(g plane.Region, th theme.Theme, ch control.Choice) {
	y := 0
	put := func(text string, rows int, style theme.Style) {
		lines := plane.Wrap(text, g.W())
		if rest := rows - 1; len(lines) > rows {
			lines = append(lines[:rest], strings.Join(lines[rest:], " ")) // with an ellipsis where it is cut
		}
		for i, line := range lines {
			g.TextFit(0, y+i, g.W(), th, line, style)
		}
		if ch.Why != "" {
			rows = len(lines) // what says why is no longer than it must be
		}
		y += rows
	}
	if ch.Why != "" && len(ch.Detail) > 0 {
		put(ch.Why, 2, th.Warn)
	}
	for i, p := range ch.Detail {
		style := th.Dim
		if i == len(ch.Detail)-1 {
			style = th.Text
		}
		put(p.Text, p.Rows, style)
	}
}

// listRows is the most lines of a list, so that it leaves the charts in sight.
const listRows = 16

func (c *Chooser) count() string {
	if c.page < len(c.shown) {
		return fmt.Sprintf("%d of %d", c.At+1, len(c.shown))
	}
	return ""
}

// indent is by how many cells a choice stands to the right of what unfolds it.
func indent(ch control.Choice) int {
	if ch.Group != "" {
		return 2
	}
	return 0
}

// row draws a line of the list, without a note that repeats the one above.
func (c *Chooser) row(g plane.Region, th theme.Theme, ch control.Choice, names int, selected, repeat bool) {
	name, note := th.Text, th.Dim
	text := ch.Note
	if ch.Why != "" {
		name, note = th.Faint, th.Warn
		text = ch.Why
	}
	if selected {
		g.Set(0, 0, th.Glyphs.Pointer, th.Accent)
	}
	w := g.W()
	right, style := ch.Key, th.Key
	x := 2 + indent(ch)
	if c.Filter.String() != "" { // it stands apart from its group
		x = 2
		if right == "" && !strings.HasPrefix(ch.Name, ch.Group) {
			right, style = ch.Group, th.Faint
		}
	}
	if right != "" {
		g.TextRight(w, 0, right, style)
		w -= plane.Width(right) + 1
	}
	names = max(names, min(plane.Width(ch.Name)+x-2, w-4))
	g.TextFit(x, 0, min(names-x+2, w-x), th, ch.Name, name)
	if rest := w - names - 4; rest > 3 && !(repeat && ch.Why == "") {
		g.TextFit(names+4, 0, rest, th, text, note)
	}
	if selected {
		g.Highlight(th.Highlight)
	}
}

// dim takes the colour out of what is behind an overlay.
func dim(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	for y := range h {
		for x := range w {
			g.Restyle(x, y, th.Faint)
		}
	}
}

// popupSize is the inside of a popup for w×h cells of content on gw×gh cells, and whether
// there is room for a box around it.
func popupSize(gw, gh, w, h int) (iw, ih int, boxed bool) {
	if gw < 16 || gh < 6 {
		return gw, gh, false
	}
	if w > gw-12 { // a stripe of what is behind is no more than clutter
		w = gw - 4
	}
	return w, min(h, gh-4), true
}

// popup dims g and draws an empty box for w×h cells of content in its middle. It
// returns the box's inside. Where there is no room for a box it is all of g.
func popup(g plane.Region, th theme.Theme, w, h int, b plane.Box) plane.Region {
	gw, gh := g.Size()
	w, h, boxed := popupSize(gw, gh, w, h)
	if !boxed {
		g.Fill(' ', theme.Style{})
		return g
	}
	dim(g, th)
	box := g.Sub(plane.Rect{X: (gw - w - 4) / 2, Y: (gh - h - 2) / 2, W: w + 4, H: h + 2})
	box.Fill(' ', theme.Style{})
	b.Focused = true
	in := box.Box(th, b)
	return in.Sub(plane.Rect{X: 1, W: w, H: h})
}
