package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/panel"
)

// cardSize is how much of the screen a lesson's card takes.
type cardSize uint8

const (
	cardBeside cardSize = iota // at most half, with the view above it
	cardWhole                  // all that it needs
	cardFolded                 // nothing
)

// lessonKey does what a key asks of the lesson that is on, if it asks anything
// of it.
func (m *model) lessonKey(key string) (tea.Cmd, bool) {
	c := &m.course
	if !c.on {
		return nil, false
	}
	a := m.keys.Action(key, keymap.Lesson)
	leaving := c.leaving
	c.leaving = false
	switch a {
	case keymap.Answer:
		if c.run.Phase() != lesson.Asking {
			return nil, false
		}
		return m.answer(int(key[0] - '1')), true
	case keymap.NextScene:
		return m.nextScene(), true
	case keymap.PrevScene:
		r, ok := c.run.Back()
		if !ok {
			return m.say(false, "this is the lesson's first scene"), true
		}
		c.turn(r)
		return m.keepStill(), true
	case keymap.AskHint:
		return m.lessonHint(), true
	case keymap.Again:
		return m.enter(c.run.Again()), true
	case keymap.LessonCard:
		m.resizeCard()
		return nil, true
	case keymap.ScrollDown:
		return m.scrollByKey(cardScroll), true
	case keymap.ScrollUp:
		return m.scrollByKey(-cardScroll), true
	case keymap.LeaveLesson:
		switch {
		case m.covered():
			return m.back(), true
		case !leaving:
			c.leaving = true
			return m.say(false, m.keys.Key(keymap.LeaveLesson)+" again leaves the lesson and keeps the session"), true
		}
		return m.leaveLesson(), true
	}
	if a := m.keys.Action(key, keymap.Main); c.holding && c.run.Hold() && (a == keymap.Pause || a == keymap.Step) {
		return m.say(false, "the session stands until you have answered: "+m.answers()), true
	}
	return nil, false
}

// cardScroll is how many rows a key scrolls a card.
const cardScroll = 4

// covered reports whether there is something over the view that esc takes away.
func (m *model) covered() bool {
	l := &m.look
	return l.inspect || l.card == panel.CardOver || l.full || l.projector || l.pane != ""
}

// answers are the keys that answer the question.
func (m *model) answers() string {
	return fmt.Sprintf("1-%d", len(m.course.run.Scene().Choices))
}

func (m *model) answer(i int) tea.Cmd {
	c := &m.course
	if i >= len(c.run.Scene().Choices) {
		return m.say(false, m.answers()+" answer")
	}
	c.run = c.run.Answer(i)
	c.scroll = 0
	return m.keepStill()
}

func (m *model) lessonHint() tea.Cmd {
	c := &m.course
	k := c.run.Card()
	switch {
	case k.Phase == lesson.Asking:
		return m.say(false, "guess first: "+m.answers()+" answer, and no answer costs anything")
	case k.Phase == lesson.Told:
		return m.say(false, "nothing is left to do in this scene; "+m.keys.Key(keymap.NextScene)+" goes on")
	case k.MoreHints == 0 && len(k.Hints) == 0:
		return m.say(false, "this scene has no hints; "+m.keys.Key(keymap.NextScene)+" skips it")
	case k.MoreHints == 0:
		return m.say(false, "there are no more hints; "+m.keys.Key(keymap.NextScene)+" skips the scene")
	}
	c.run = c.run.Hint()
	return nil
}

// nextScene goes on to the next scene, at the end to the next lesson.
func (m *model) nextScene() tea.Cmd {
	c := &m.course
	r, ok := c.run.Next()
	switch {
	case ok && r.At() <= c.live: // read before
		c.turn(r)
		return m.keepStill()
	case ok:
		return m.enter(r)
	case !c.run.Done():
		return m.say(false, "this is the last scene; "+m.keys.Key(keymap.LeaveLesson)+" leaves it, "+m.keys.Key(keymap.Lessons)+" lists the lessons")
	}
	if l := m.following(); l != nil {
		return m.startLesson(l, c.list)
	}
	return m.say(false, "there is no lesson after this one; "+m.keys.Key(keymap.Lessons)+" lists them all")
}

// following is the lesson after the one that is on, nil if it is the last.
func (m *model) following() *lesson.Lesson {
	c := &m.course
	i := slices.IndexFunc(c.list, func(l *lesson.Lesson) bool { return l.Name == c.run.Lesson().Name })
	if i < 0 || i+1 >= len(c.list) {
		return nil
	}
	return c.list[i+1]
}

// leaveLesson ends the lesson. The session stays, and goes on if a question held
// it.
func (m *model) leaveLesson() tea.Cmd {
	name := m.course.run.Lesson().Name
	held := m.course.holding
	m.course = course{serial: m.course.serial}
	var goOn tea.Cmd
	if held {
		goOn = m.goOn()
	}
	return tea.Batch(goOn, m.say(false, "left lesson "+name+"; the session is yours"))
}

// resizeCard goes to the next size of the card that makes a difference.
func (m *model) resizeCard() {
	c := &m.course
	c.scroll = 0
	switch {
	case c.card == cardFolded:
		c.card = cardBeside
	case m.cardGrows(m.looked()):
		c.card = cardWhole
	default:
		c.card = cardFolded
	}
}

// cardGrows reports whether the card has more to say than fits beside the view,
// and can have more room.
func (m *model) cardGrows(f panel.Frame) bool {
	w, h := m.screen.plane.Size()
	at := panel.Arrange(w, h, f)
	want := m.lessonCard().Height(f.Theme, w)
	view := at.View.H + at.Below.H
	return m.course.card == cardBeside && !at.Compact && cardRows(h, view, want, cardWhole) > cardRows(h, view, want, cardBeside)
}

func (m *model) scrollCard(by int) {
	c := &m.course
	w, _ := m.screen.plane.Size()
	at := m.cardRect(m.looked())
	most := 0
	if k := m.lessonCard(); at.H > 0 {
		most = max(k.Height(m.screen.theme, w)-at.H, 0)
	}
	c.scroll = min(max(c.scroll+by, 0), most)
}

func (m *model) scrollByKey(by int) tea.Cmd {
	before := m.course.scroll
	if m.scrollCard(by); m.course.scroll == before {
		return m.say(false, "the card ends here")
	}
	return nil
}

// wheelCard scrolls the card if the mouse is on it.
func (m *model) wheelCard(e tea.Mouse) bool {
	if !m.course.on || !m.cardRect(m.looked()).Contains(e.X, e.Y) {
		return false
	}
	switch e.Button {
	case tea.MouseWheelUp:
		m.scrollCard(-1)
	case tea.MouseWheelDown:
		m.scrollCard(1)
	}
	m.screen.dirty = true
	return true
}

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
func (m *model) makeRoom(f *panel.Frame) {
	if !m.course.on {
		return
	}
	w, h := m.screen.plane.Size()
	f.Below = 0
	at := panel.Arrange(w, h, *f)
	if at.Compact {
		f.Covered = m.course.card != cardFolded
		return
	}
	f.Below = cardRows(h, at.View.H, m.lessonCard().Height(f.Theme, w), m.course.card)
}

// cardRect is where the card of a frame is drawn.
func (m *model) cardRect(f panel.Frame) chart.Rect {
	w, h := m.screen.plane.Size()
	at := panel.Arrange(w, h, f)
	switch {
	case !m.course.on || at.Compact && m.course.card == cardFolded:
		return chart.Rect{}
	case at.Compact:
		return m.screen.stage().Rect()
	}
	return at.Below
}

// drawLesson draws the card of a frame.
func (m *model) drawLesson(f panel.Frame) {
	at := m.cardRect(f)
	if at.Empty() {
		return
	}
	k := m.lessonCard()
	k.Keys = m.lessonKeys(at.W-4, m.cardGrows(f))
	k.Draw(m.screen.plane.Sub(at), f.Theme)
}

// lessonCard is the card of the scene at hand, without its keys.
func (m *model) lessonCard() *lesson.Card {
	c := &m.course
	k := c.run.Card()
	k.Scroll = c.scroll
	if c.run.Done() {
		k.Reveal = strings.TrimSpace(k.Reveal + "\n\n" + m.ending())
	}
	return &k
}

// ending is what is said at the end of a lesson.
func (m *model) ending() string {
	var b strings.Builder
	b.WriteString("That was the last scene, well done.")
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
		all = append(all, entry(keymap.Again, "again"))
	}
	if c.run.At() > 0 {
		all = append(all, entry(keymap.PrevScene, "back"))
	}
	for n := len(all); n > 0; n-- {
		if s := strings.Join(all[:n], " · "); chart.Width(s) <= w {
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
		if rest := width - chart.Width(s); rest > 0 {
			return s + m.keys.Hint(keymap.Main, rest)
		}
	case c.run.Phase() == lesson.Asking:
		s := m.answers() + " answer · " + m.keys.Key(keymap.Help) + " help · " + m.keys.Key(keymap.Quit) + " quit"
		if chart.Width(s) <= width {
			return s
		}
	}
	return ""
}
