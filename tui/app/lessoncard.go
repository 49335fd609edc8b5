package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/plane"
)

// least is the fewest rows that a view keeps beside a card, if there are as many.
const least = 7

// cardRows is how many rows a card of a size gets: of a screen of h rows, with
// room for so many for view and card, and a card that wants so many.
func cardRows(h, room, want int, size cardSize) int {
	switch size {
	case cardFolded:
		return 0
	case cardWhole:
		return min(want, room)
	}
	return min(want, max(h/2, 3), max(room-least, 0))
}

// makeRoom leaves room for the card in a frame. On a screen too small for charts
// the card lies over all but the footer.
func (m *model) makeRoom(f *pane.Frame) {
	if !m.course.on {
		return
	}
	w, h := m.Width, m.Height
	f.Below, m.course.bare = 0, false
	at := panel.Arrange(w, h, *f)
	if at.Compact {
		f.Covered = m.course.card != cardFolded
		return
	}
	f.Below = cardRows(h, at.View.H, m.lessonCard().Height(f.Theme, w), m.course.card)
	m.course.bare = f.Below < 2
}

// cardRect is where the card of a frame is drawn.
func (m *model) cardRect(f pane.Frame) plane.Rect {
	w, h := m.Width, m.Height
	at := panel.Arrange(w, h, f)
	switch {
	case !m.course.on || at.Compact && m.course.card == cardFolded:
		return plane.Rect{}
	case at.Compact:
		return m.screen.stage().Rect()
	}
	return at.Below
}

// drawLesson draws the card of a frame.
func (m *model) drawLesson(f pane.Frame) {
	at := m.cardRect(f)
	if at.Empty() {
		return
	}
	k := m.lessonCard()
	k.Keys = m.lessonKeys(at.W-6, m.cardGrows(f)) // what an edge has room for
	k.Draw(m.screen.plane.Sub(at), f.Theme)
}

// lessonCard is the card of the scene at hand, without its keys.
func (m *model) lessonCard() *lesson.Card {
	c := &m.course
	k := c.run.Card()
	k.Scroll, k.Hot = c.scroll, c.hot
	if c.run.Done() {
		k.Reveal = strings.TrimSpace(k.Reveal + "\n\n" + m.ending())
	}
	return &k
}

// ending is what is said at the end of a lesson.
func (m *model) ending() string {
	var b strings.Builder
	b.WriteString("That was the last scene")
	if !m.course.run.Skipped() {
		b.WriteString(", well done")
	}
	b.WriteByte('.')
	if right, asked := m.course.run.Score(); asked > 0 {
		fmt.Fprintf(&b, " You foresaw %d of %d answers.", right, asked)
	}
	if l := m.following(); l != nil {
		fmt.Fprintf(&b, " Press %s for the next lesson, “%s”,", m.Key("lesson: next"), l.Title)
	} else {
		fmt.Fprintf(&b, " It was the last lesson too: press %s for the list,", m.Key("lessons …"))
	}
	fmt.Fprintf(&b, " or play on with this session.")
	return b.String()
}

// lessonKeys are the keys at the foot of the card, as many as fit into w columns.
func (m *model) lessonKeys(w int, grows bool) string {
	var all []string
	for _, h := range control.Fit(m.lessonHints(grows), w, m.Theme.ASCII) {
		all = append(all, h.Text(m.Theme.ASCII))
	}
	return strings.Join(all, control.HintGap)
}

// lessonHints are the keys of the scene at hand, the most important first.
func (m *model) lessonHints(grows bool) []control.Hint {
	c := &m.course
	var all []control.Hint
	add := func(name, does string) {
		all = append(all, control.Hint{Keys: []string{m.Key(name)}, Does: does, Rank: len(all), Names: []string{name}})
	}
	switch k := c.run.Card(); {
	case c.away:
		add("lesson: again", "again, on the lesson's target")
	case k.Phase == lesson.Asking:
		h := control.Hint{Does: "answer"}
		for i := range c.run.Scene().Choices {
			h.Keys, h.Names = append(h.Keys, strconv.Itoa(i+1)), append(h.Names, "lesson: answer "+strconv.Itoa(i+1))
		}
		all = append(all, h)
	case c.run.Done() && m.following() == nil:
		add("lessons …", "lessons")
	case c.run.Done():
		add("lesson: next", "next lesson")
	case k.Phase == lesson.Told:
		add("lesson: next", "next")
	case k.MoreHints > 0:
		add("lesson: hint", "hint")
		add("lesson: next", "skip")
	default:
		add("lesson: next", "skip")
	}
	size := "hide"
	if grows {
		size = "all of it"
	}
	add("lesson: card", size)
	add("lesson: leave", "leave")
	if !c.away {
		again := "again"
		if at := c.run.At(); c.run.Lesson().Begins(at) != at {
			again = fmt.Sprintf("from scene %d", c.run.Lesson().Begins(at)+1)
		}
		add("lesson: again", again)
	}
	if c.run.At() > 0 {
		add("lesson: back", "back")
	}
	return all
}

// lessonWord is the word for the footer of one of the lesson's keys, and its rank: of
// those that answer, of that of a card that is folded, and of all where the card has no
// room for them.
func (m *model) lessonWord(name string) func() (string, int) {
	return func() (string, int) {
		c := &m.course
		switch {
		case c.card == cardFolded && name == "lesson: card":
			return "the lesson's card", 0
		case c.card == cardFolded || !c.bare && c.run.Phase() != lesson.Asking:
			return "", 0
		}
		for _, h := range m.lessonHints(m.cardGrows(m.looked())) {
			if slices.Contains(h.Names, name) && (c.bare || h.Does == "answer") {
				return h.Does, h.Rank + 1
			}
		}
		return "", 0
	}
}
