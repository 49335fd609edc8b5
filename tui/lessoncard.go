package tui

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/tui/keymap"
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
		fmt.Fprintf(&b, " Press %s for the next lesson, “%s”,", m.keys.Key(keymap.NextScene), l.Title)
	} else {
		fmt.Fprintf(&b, " It was the last lesson too: press %s for the list,", m.keys.Key(keymap.Lessons))
	}
	fmt.Fprintf(&b, " or play on with this session.")
	return b.String()
}

// lessonKeys are the keys at the foot of the card, as many as fit into w columns.
func (m *model) lessonKeys(w int, grows bool) string {
	c := &m.course
	entry := func(a keymap.Action, word string) string { return m.keys.Key(a) + " " + word }
	var all []string // the most important first
	switch k := c.run.Card(); {
	case c.away:
		all = append(all, entry(keymap.Again, "again, on the lesson's target"))
	case k.Phase == lesson.Asking:
		all = append(all, m.answers()+" answer")
	case c.run.Done() && m.following() == nil:
		all = append(all, entry(keymap.Lessons, "lessons"))
	case c.run.Done():
		all = append(all, entry(keymap.NextScene, "next lesson"))
	case k.Phase == lesson.Told:
		all = append(all, entry(keymap.NextScene, "next"))
	case k.MoreHints > 0:
		all = append(all, entry(keymap.AskHint, "hint"), entry(keymap.NextScene, "skip"))
	default:
		all = append(all, entry(keymap.NextScene, "skip"))
	}
	size := "hide"
	if grows {
		size = "all of it"
	}
	all = append(all, entry(keymap.LessonCard, size), entry(keymap.LeaveLesson, "leave"))
	if !c.away {
		again := "again"
		if at := c.run.At(); c.run.Lesson().Begins(at) != at {
			again = fmt.Sprintf("from scene %d", c.run.Lesson().Begins(at)+1)
		}
		all = append(all, entry(keymap.Again, again))
	}
	if c.run.At() > 0 {
		all = append(all, entry(keymap.PrevScene, "back"))
	}
	for n := len(all); n > 0; n-- {
		if s := strings.Join(all[:n], " · "); plane.Width(s) <= w {
			return s
		}
	}
	return ""
}

// lessonFoot is the footer's line of keys where the lesson has something to say
// there; empty where not.
func (m *model) lessonFoot(width int) string {
	c := &m.course
	switch {
	case !c.on:
		return ""
	case c.card == cardFolded:
		s := m.keys.Key(keymap.LessonCard) + " the lesson's card · "
		if rest := width - plane.Width(s); rest > 0 {
			return s + m.mainHint(rest)
		}
	case c.bare:
		return m.lessonKeys(width, m.cardGrows(m.looked()))
	case c.run.Phase() == lesson.Asking:
		s := m.answers() + " answer · " + m.keys.Key(keymap.Help) + " help · " + m.keys.Key(keymap.Quit) + " quit"
		if plane.Width(s) <= width {
			return s
		}
	}
	return ""
}
