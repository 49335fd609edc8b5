package open

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/wording"
)

// meaningWidth is the room for what a word means, so that it fits a screen of 80.
const meaningWidth = 57

// openWords explains the words of the focused pane, or of the whole screen.
func (c *Open) openWords() tea.Cmd {
	title, lines := c.words()
	c.Screen.Dirty = true
	if lines == nil {
		return c.Say(false, "no word of this pane needs explaining; esc, then "+c.Keys.First(wordsName)+
			" explains those of the screen")
	}
	return c.Desk.Open(dialog.NewReading(c.Desk, wordsName, dialog.Sheet{Title: title, Lines: lines}))
}

func (c *Open) words() (title string, lines []control.Line) {
	c.Screen.Redraw() // as it is without this
	in := c.Screen.Plane.Bounds()
	title = "words of the screen"
	p, focused := c.Screen.Panes.Find(c.Focus.Pane)
	if focused = focused && c.Focus.Pane != "" && !p.Rect.Empty(); focused {
		in, title = p.Rect, "words of the pane"
	}
	listed := map[string]bool{}
	add := func(word, meaning string) {
		if listed[word] || meaning == "" {
			return
		}
		listed[word] = true
		lines = append(lines, control.Entry(word, meaning, meaningWidth)...)
	}
	for _, t := range c.Screen.Plane.Terms(in) {
		for ; t != nil; t = wording.Within(t) {
			word, meaning := t.Explain()
			if c.Theme.ASCII {
				word = plane.ASCII(word)
			}
			add(word, meaning)
		}
	}
	if !focused {
		for i := range c.Feed.Foreseen.Lanes {
			m, _ := catalog.Find(c.Feed.Foreseen.Lanes[i].Setting.Sampler)
			add(m.Title, m.Doc+": "+m.Equation)
		}
		for _, q := range c.Focus.List(c.Feed.Foreseen) {
			add(q.Symbol, q.Doc+"; allowed: "+q.Allowed())
		}
	}
	return title, lines
}

// openHelp lists the keys: those that are used every minute and those of the view, then all,
// then the words of the screen.
func (c *Open) openHelp() tea.Cmd {
	title, words := "", dialog.Sheet{Leads: "words"}
	if c.Feed.Begun() {
		words.Title, words.Lines = c.words()
		title = "View " + strconv.Itoa(c.Focus.View+1) + ", " + strings.ToLower(view.Names()[c.Focus.View])
	}
	sheets := []dialog.Sheet{
		{Title: "keys", Leads: "keys", Lines: control.ShortLines(c.Desk.Keys.Bindings, title)},
		{Title: "all keys", Leads: "all keys", Lines: control.Lines(c.Desk.Keys.Bindings)},
	}
	if words.Lines != nil {
		sheets = append(sheets, words)
	}
	return c.Desk.Open(dialog.NewReading(c.Desk, helpName, sheets...))
}
