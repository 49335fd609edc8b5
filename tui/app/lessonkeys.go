package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"
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

// takesDigit reports whether the digit d+1 is for the lesson: an answer, or one that
// comes too late. Pressed twice it shows a view.
func (m *model) takesDigit(d int) bool {
	c := &m.course
	return c.on && !(c.run.Phase() != lesson.Asking && c.digits == d && c.digit > 0 && c.digit+1 == m.Press)
}

// digit answers with the digit d+1.
func (m *model) digit(d int) tea.Cmd {
	if m.course.run.Phase() == lesson.Asking {
		return m.answer(d)
	}
	return m.unasked(d)
}

func (m *model) prevScene() tea.Cmd {
	r, ok := m.course.run.Back()
	if !ok {
		return m.Say(false, "this is the lesson's first scene")
	}
	m.course.turn(r)
	return m.keepStill()
}

// leaveAtSecond leaves the lesson at the second of two presses.
func (m *model) leaveAtSecond() tea.Cmd {
	c := &m.course
	if c.leaving > 0 && c.leaving+1 == m.Press {
		return m.leaveLesson()
	}
	c.leaving = m.Press
	return m.Say(false, m.Key("lesson: leave")+" again leaves the lesson and keeps the session")
}

// leavesForBefore reports whether the key that puts back the session before would leave
// the lesson without a word.
func (m *model) leavesForBefore() bool {
	c := &m.course
	return c.on && (m.Feed.Shown.CanReturn || m.Feed.Awaiting()) && !(c.leaving > 0 && c.leaving+1 == m.Press) && !c.run.Done()
}

func (m *model) leaveForBefore() tea.Cmd {
	m.course.leaving = m.Press
	return m.Say(false, m.Key("session before")+" again leaves the lesson for the session before")
}

// standsStill reports whether the session is not to run before a question is answered.
func (m *model) standsStill() bool { return m.course.on && m.course.holding && m.course.run.Hold() }

func (m *model) answerFirst() tea.Cmd {
	return m.Say(false, "the session stands until you have answered: "+m.answers())
}

// cardScroll is how many rows a key scrolls a card.
const cardScroll = 4

// answers are the keys that answer the question.
func (m *model) answers() string {
	return fmt.Sprintf("1-%d", len(m.course.run.Scene().Choices))
}

func (m *model) answer(i int) tea.Cmd {
	c := &m.course
	if i >= len(c.run.Scene().Choices) {
		return m.Say(false, m.answers()+" answer")
	}
	c.run = c.run.Answer(i)
	c.scroll = 0
	return m.keepStill()
}

// unasked is said to the digit d+1 where nothing is asked: one that comes too late, or
// twice, must not throw the user into another view.
func (m *model) unasked(d int) tea.Cmd {
	text := "nothing is asked here"
	if d < len(m.screen.views) && d != m.Focus.View {
		m.course.digit, m.course.digits = m.Press, d
		text += fmt.Sprintf("; %d again shows view %d, %s", d+1, d+1, strings.ToLower(m.screen.views[d].Name))
	}
	return m.Say(false, text)
}

func (m *model) lessonHint() tea.Cmd {
	c := &m.course
	k := c.run.Card()
	switch {
	case k.Phase == lesson.Asking:
		return m.Say(false, "guess first: "+m.answers()+" answer, and no answer costs anything")
	case k.Phase == lesson.Told:
		return m.Say(false, "nothing is left to do in this scene; "+m.Key("lesson: next")+" goes on")
	case k.MoreHints == 0 && len(k.Hints) == 0:
		return m.Say(false, "this scene has no hints; "+m.Key("lesson: next")+" skips it")
	case k.MoreHints == 0:
		return m.Say(false, "there are no more hints; "+m.Key("lesson: next")+" skips the scene")
	}
	c.run = c.run.Hint()
	return nil
}

// nextScene goes on to the next scene, at the end to the next lesson. A scene that
// is not done is told first.
func (m *model) nextScene() tea.Cmd {
	c := &m.course
	r, ok := c.run.Next()
	switch {
	case c.run.Phase() != lesson.Told:
		return m.skipScene()
	case ok && r.At() <= c.live: // read before
		c.turn(r)
		return m.keepStill()
	case ok:
		return m.enter(r)
	}
	if l := m.following(); l != nil {
		return m.startLesson(l, c.list)
	}
	return m.Say(false, "there is no lesson after this one; "+m.Key("lessons …")+" lists them all")
}

// skipScene tells a scene without its goal, and says what is skipped.
func (m *model) skipScene() tea.Cmd {
	c := &m.course
	what := "the question"
	if s := c.run.Scene(); s.Do != "" {
		what = "“" + strings.TrimSuffix(s.Do, ".") + "”"
	}
	c.turn(c.run.Skip())
	text := "skipped: " + what
	if !c.run.Last() {
		text += "; " + m.Key("lesson: next") + " goes on"
	}
	return tea.Batch(m.keepStill(), m.Say(false, text))
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
	if m.course.fetch == m.Fetches {
		m.Fetches++ // the scene that is being opened comes too late
	}
	m.course = course{}
	var goOn tea.Cmd
	if held {
		goOn = m.goOn()
	}
	text := "left lesson " + name + "; the session is yours"
	if m.Feed.Shown.Speed > 0 {
		text += ", " + m.Key("faster") + " makes it faster"
	}
	return tea.Batch(goOn, m.Say(false, text))
}

// resizeCard goes to the next size of the card that makes a difference.
func (m *model) resizeCard() tea.Cmd {
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
	return nil
}

// cardGrows reports whether the card has more to say than fits beside the view,
// and can have more room.
func (m *model) cardGrows(f pane.Frame) bool {
	w, h := m.Width, m.Height
	at := panel.Arrange(w, h, f)
	want := m.lessonCard().Height(f.Theme, w)
	view := at.View.H + at.Below.H
	return m.course.card == cardBeside && !at.Compact && cardRows(h, view, want, cardWhole) > cardRows(h, view, want, cardBeside)
}

func (m *model) scrollCard(by int) {
	c := &m.course
	w, _ := m.Width, m.Height
	at := m.cardRect(m.looked())
	most := 0
	if k := m.lessonCard(); at.H > 0 {
		most = max(k.Height(m.Theme, w)-at.H, 0)
	}
	c.scroll = min(max(c.scroll+by, 0), most)
}

func (m *model) scrollByKey(by int) tea.Cmd {
	before := m.course.scroll
	if m.scrollCard(by); m.course.scroll == before {
		return m.Say(false, "the card ends here")
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
	m.Dirty = true
	return true
}

// clickCard answers the open question with the choice under a click. Nothing
// else is clicked through a card.
func (m *model) clickCard(x, y int) (tea.Cmd, bool) {
	if !m.course.on || !m.cardRect(m.looked()).Contains(x, y) {
		return nil, false
	}
	i := m.choiceAt(x, y)
	if i == 0 {
		return nil, true
	}
	m.Dirty = true
	return m.answer(i - 1), true
}

// hoverCard shows which choice a click would take.
func (m *model) hoverCard(x, y int) {
	if hot := m.choiceAt(x, y); hot != m.course.hot {
		m.course.hot, m.Dirty = hot, true
	}
}

// choiceAt is the choice of the open question in a cell of the screen, counted
// from 1; 0 for none.
func (m *model) choiceAt(x, y int) int {
	if !m.course.on || m.course.run.Phase() != lesson.Asking {
		return 0
	}
	at := m.cardRect(m.looked())
	if !at.Contains(x, y) {
		return 0
	}
	return m.lessonCard().Choice(m.Theme, at.W, at.H, x-at.X, y-at.Y)
}
