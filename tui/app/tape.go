package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/plane"
)

// taping is how the user goes along the session's tape.
type taping struct {
	on   bool // keys go along the tape
	held bool // the mouse holds the knob
	back bool // it plays backwards
	tag  int  // of the chain of ticks that plays it so
	// branched is the place among the commands of the newest that made a branch: until
	// it is applied what the tape still shows to come is no longer ahead.
	branched uint64
	// loading is the place among the commands of the newest that loads a session:
	// until it is applied the tape that is shown is of no account.
	loading uint64
	// halted is the place among the commands of the one that stops a seek, 0 if
	// none does.
	halted uint64
	// still is what was shown when a seek began, for as long as that is under way
	// and young: a short one shows its end alone.
	still *engine.Snapshot
	since time.Time
}

// shortSeek is how long a seek shows nothing but where it goes.
const shortSeek = 250 * time.Millisecond

// backMsg is the time to play backwards by another bit.
type backMsg struct{ tag int }

// ahead reports whether some of the tape is still to come.
func ahead(t *engine.Tape) bool { return t.At < t.End || t.Seeking && t.To < t.At }

// heading is where the session stands, or will when it has come there.
func heading(t *engine.Tape) uint64 {
	if t.Seeking {
		return t.To
	}
	return t.At
}

// tapeFrame adds what the panels need to know.
func (m *model) tapeFrame(f *pane.Frame) {
	f.Tape = pane.TapeBar{On: m.tape.on || ahead(&f.Snap.Tape), Scrub: m.tape.on, Back: m.tape.back}
	if m.Layer != nil && m.Layer == m.step {
		text := m.step.Show(m.Cursor())
		f.Tape.Input, f.Tape.On, f.Tape.Scrub = &text, true, true
	}
}

// displayed is the snapshot that is drawn: the newest, but for the first moments
// of a seek.
func (m *model) displayed() *engine.Snapshot {
	s, t := m.Feed.Shown, &m.tape
	if t.still == nil || !s.Tape.Seeking || time.Since(t.since) > shortSeek {
		return s
	}
	out := *t.still
	out.Tape, out.Phase, out.Notice, out.Speed = s.Tape, s.Phase, s.Notice, s.Speed
	out.Tape.At = t.still.Tape.At
	return &out
}

// scrub begins to go along the tape, or ends it.
func (m *model) scrub() tea.Cmd {
	if m.tape.on {
		return m.leaveTape()
	}
	m.tape.on = true
	return nil
}

// leaveTape stops what is under way, or leaves the tape.
func (m *model) leaveTape() tea.Cmd {
	if m.Feed.Shown.Tape.Seeking || m.tape.back {
		return m.halt()
	}
	m.tape.on, m.tape.held = false, false
	if t := &m.Feed.Shown.Tape; ahead(t) {
		return m.Say(false, fmt.Sprintf("at %s of %s: %s goes on along the tape, and a turn makes a branch",
			plane.Count(t.At), plane.Count(t.End), m.Key("pause")))
	}
	return nil
}

// halt stops a seek where it is, and what plays. What plays backwards stands at
// the place to which it is on its way; to stop before that takes another halt.
func (m *model) halt() tea.Cmd {
	seeking := m.Feed.Shown.Tape.Seeking
	if m.tape.back && seeking {
		m.tape.back = false
		return nil
	}
	m.tape.back = false
	cmd := m.Feed.Send(engine.Pause{}, func(s *engine.Snapshot) {
		s.Tape.Seeking = false
		if s.Phase == engine.Running {
			s.Phase = engine.Paused
		}
	})
	if seeking {
		m.tape.halted = m.Feed.Sent
	}
	return cmd
}

// seek goes to a place of the tape.
func (m *model) seek(to uint64) tea.Cmd {
	s := m.Feed.Shown
	to = min(to, s.Tape.End)
	if !s.Tape.Seeking {
		m.tape.still, m.tape.since = s, time.Now()
	}
	return m.Feed.Send(engine.Seek{To: to}, func(s *engine.Snapshot) {
		s.Phase, s.Tape.Seeking, s.Tape.To = engine.Running, true, to
	})
}

// seekBy goes along the tape by a number of hundredths of it.
func (m *model) seekBy(hundredths int) tea.Cmd {
	m.tape.back = false
	t := &m.Feed.Shown.Tape
	return m.seekSteps(hundredths < 0, uint64(max(hundredths, -hundredths))*max(1, t.End/100))
}

// seekSteps goes along the tape by a number of steps. At its end there is nothing
// more to go along.
func (m *model) seekSteps(back bool, n uint64) tea.Cmd {
	t := &m.Feed.Shown.Tape
	from := heading(t)
	if back {
		if from == 0 {
			return m.Say(false, "the start of the tape")
		}
		return m.seek(from - min(from, n))
	}
	if from >= t.End {
		return m.Say(false, fmt.Sprintf("the end of the tape; %s goes on from here", m.Key("pause")))
	}
	return m.seek(from + min(n, t.End-from))
}

// tapeStep takes a single step of the tape, beyond its end a new one.
func (m *model) tapeStep() tea.Cmd {
	m.tape.back = false
	if t := &m.Feed.Shown.Tape; heading(t) >= t.End {
		return m.stepBy(1)
	}
	return m.seekSteps(false, 1)
}

func (m *model) tapeStepBack() tea.Cmd {
	m.tape.back = false
	return m.seekSteps(true, 1)
}

// seekEnd goes to the start of the tape or to its end.
func (m *model) seekEnd(last bool) tea.Cmd {
	m.tape.back = false
	if last {
		return m.seek(m.Feed.Shown.Tape.End)
	}
	return m.seek(0)
}

// seekTurn goes to the step before the next place at which something was turned, or
// before the one before: there it is to be seen what the turn was made of.
func (m *model) seekTurn(by int) tea.Cmd {
	m.tape.back = false
	t := &m.Feed.Shown.Tape
	from, turn, found, next := heading(t), uint64(0), false, false
	for _, e := range t.Events {
		at := e.At - min(e.At, 1)
		if by < 0 && at < from || by > 0 && at > from && !found {
			turn, found = e.At, true
		}
		next = next || e.At > from && at == from
	}
	makes := func(at uint64) string {
		return fmt.Sprintf("the step before the turn at %s, which %s makes", plane.Count(at), m.Key("tape: a step on"))
	}
	switch {
	case found && turn > 0:
		return tea.Batch(m.seek(turn-1), m.Say(false, makes(turn)))
	case found: // which was turned before the first step
		return tea.Batch(m.seek(0), m.Say(false, "the start of the tape"))
	case by < 0 && from == 0:
		return m.Say(false, "the start of the tape")
	case by < 0:
		return m.Say(false, "nothing was turned before this")
	case next:
		return m.Say(false, makes(from+1)+"; nothing is turned after it")
	}
	return m.Say(false, "nothing is turned after this")
}

// tapePlay plays the tape on, or stops what plays.
func (m *model) tapePlay() tea.Cmd {
	if m.Feed.Shown.Tape.Seeking || m.tape.back {
		return m.halt()
	}
	return m.pause()
}

// playBack plays the tape backwards, or stops it.
func (m *model) playBack() tea.Cmd {
	if m.tape.back {
		return m.halt()
	}
	var stop tea.Cmd
	if m.Feed.Shown.Phase == engine.Running {
		stop = m.halt()
	}
	m.tape.back = true
	m.tape.tag++
	return tea.Batch(stop, m.backTick())
}

func (m *model) backTick() tea.Cmd {
	tag := m.tape.tag
	return tea.Tick(m.Feed.Interval, func(time.Time) tea.Msg { return backMsg{tag} })
}

// backStep plays backwards by what fits into a frame: at full speed a hundredth of
// the tape. It waits until the session has come to the place before.
func (m *model) backStep(msg backMsg) tea.Cmd {
	if msg.tag != m.tape.tag || !m.tape.back {
		return nil
	}
	s := m.Feed.Shown
	if s.Tape.Seeking || m.Feed.Awaiting() {
		return m.backTick()
	}
	m.Dirty = true
	if s.Tape.At == 0 {
		m.tape.back = false
		return m.Say(false, "the start of the tape")
	}
	n := max(1, s.Tape.End/100)
	if s.Speed > 0 {
		n = max(1, uint64(s.Speed*m.Feed.Interval.Seconds()))
	}
	next := m.backTick()
	if s.Speed > 0 && s.Speed*m.Feed.Interval.Seconds() < 1 {
		tag := m.tape.tag
		next = tea.Tick(time.Duration(float64(time.Second)/s.Speed), func(time.Time) tea.Msg { return backMsg{tag} })
	}
	return tea.Batch(m.seek(s.Tape.At-min(n, s.Tape.At)), next)
}

// typeDigit begins to type a step with its first digit.
func (m *model) typeDigit(digit string) tea.Cmd {
	cmd := m.typeStep()
	m.step.Insert(digit)
	return cmd
}

// typeStep begins to type a step to which to go.
func (m *model) typeStep() tea.Cmd {
	m.tape.back = false
	v := dialog.NewInput(m.Desk)
	v.Characters, v.Otherwise = "0123456789, ", "a step is a whole number"
	v.About = []string{fmt.Sprintf("a step up to %s, the end of the tape", plane.Count(m.Feed.Shown.Tape.End))}
	v.Take = func(text string) (func() tea.Cmd, error) {
		to, err := m.place(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("the step %w", err)
		}
		return func() tea.Cmd { return m.goTo(to) }, nil
	}
	m.step = v
	return m.Open(v)
}

// place reads a place of the tape.
func (m *model) place(text string) (uint64, error) {
	to, err := whole(strings.ReplaceAll(text, ",", ""))
	if end := m.Feed.Shown.Tape.End; err == nil && to > end {
		err = fmt.Errorf("must be at most %s, the end of the tape", plane.Count(end))
	}
	return to, err
}

// goTo goes along the tape to a place.
func (m *model) goTo(to uint64) tea.Cmd {
	m.tape.on = true
	return m.seek(to)
}

// tapeMouse lets the mouse take the tape's knob, and reports whether it did.
func (m *model) tapeMouse(msg tea.MouseMsg) (tea.Cmd, bool) {
	e := msg.Mouse()
	w, h := m.Width, m.Height
	t := &m.tape
	switch msg.(type) {
	case tea.MouseClickMsg:
		t.held = false
		if e.Button != tea.MouseLeft {
			return nil, false
		}
		to, ok := panel.TapeHit(w, h, m.looked(), e.X, e.Y)
		if !ok {
			return nil, false
		}
		t.held, t.back, m.Dirty = true, false, true
		return m.seek(to), true
	case tea.MouseMotionMsg:
		if t.held = t.held && e.Button == tea.MouseLeft; !t.held {
			return nil, false
		}
		if to := panel.TapeAt(w, h, m.looked(), e.X); to != heading(&m.Feed.Shown.Tape) {
			m.Dirty = true
			return m.seek(to), true
		}
		return nil, true
	case tea.MouseReleaseMsg:
		was := t.held
		t.held = false
		return nil, was
	}
	return nil, false
}

// branching tells of a command that makes a branch of a tape with something still to
// come, and how that comes back.
func (m *model) branching(c engine.Command) func(serial uint64) tea.Cmd {
	t := m.Feed.Shown.Tape
	switch c.(type) {
	case engine.Load, engine.Return:
		return func(serial uint64) tea.Cmd { m.tape.loading = serial; return nil }
	}
	if !engine.Changes(c) || !ahead(&t) || m.Feed.Snap.Applied < max(m.tape.loading, m.tape.branched) {
		return nil
	}
	turns := 0
	for i := range t.Events {
		if t.Events[i].At > t.At {
			turns++
		}
	}
	what := fmt.Sprintf("%s steps", plane.Count(t.End-t.At))
	if turns == 1 {
		what += " and a turn"
	} else if turns > 1 {
		what += fmt.Sprintf(" and %d turns", turns)
	}
	return func(serial uint64) tea.Cmd {
		m.tape.branched, m.unwritten.branch, m.Dirty = serial, true, true
		return m.Notices.SayAside(fmt.Sprintf("a branch begins at %s; the key %s goes back to the %s that were to come", plane.Count(t.At), m.Key("session before"), what), serial)
	}
}
