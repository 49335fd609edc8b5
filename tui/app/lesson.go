package app

import (
	"fmt"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// course is the lesson that is on, and what of the session belongs to it. The
// zero value is none.
type course struct {
	on  bool
	run lesson.Run
	// list is the lessons among which it is, for what comes next.
	list []*lesson.Lesson

	// The session at hand was started for the scene live or one before it. It is
	// on problem, and snapshots show it that know of the first from commands.
	live    int
	problem *targets.Problem
	from    uint64
	unset   bool // the screen is not yet as the scene wants it
	away    bool // the user has gone to another target
	fetch   int  // that of the newest scene

	holding bool   // the session stands for the sake of a question
	leaving uint64 // the press after which the next leaves
	digit   uint64 // that of a digit where nothing is asked: once more and it shows a view
	digits  int    // which digit
	card    cardSize
	scroll  int
	hot     int  // the choice under the mouse, counted from 1
	bare    bool // the card has no room for an edge, and its keys are the footer's
}

// elsewhere is a session of which no goal is known.
var elsewhere = &engine.Snapshot{}

// lessons reads the lessons that there are. Those that are wrong are left out,
// and the error says why.
func (m *model) lessons() ([]*lesson.Lesson, error) {
	if m.opts.Lessons == nil {
		return lesson.Builtin(), nil
	}
	return m.opts.Lessons()
}

// pickLesson opens the list of lessons.
func (m *model) pickLesson() tea.Cmd {
	all, err := m.lessons()
	c := dialog.NewChooser(m.Desk, "lesson", m.lessonChoices(all))
	if m.course.on {
		c.Select(m.course.run.Lesson().Name)
	}
	m.Open(c)
	if err != nil {
		return m.Say(true, err.Error())
	}
	return nil
}

func (m *model) lessonChoices(all []*lesson.Lesson) []control.Choice {
	var choices []control.Choice
	for _, l := range all {
		choices = append(choices, control.Choice{
			Name: l.Name, Note: l.Title, Detail: []control.Paragraph{{Text: l.Caption, Rows: 2}},
			Take: func() tea.Cmd { return m.startLesson(l, all) },
		})
	}
	return choices
}

// lessonVerb is the palette's command that starts a lesson.
func (m *model) lessonVerb() control.Binding {
	return control.Binding{
		Name: "lesson", Help: "a guided one, by its name",
		With: func(arg string) (func() tea.Cmd, error) {
			all, _ := m.lessons()
			l, err := lesson.Find(all, arg)
			return func() tea.Cmd { return m.startLesson(l, all) }, err
		},
		Offer: func() []control.Choice {
			all, _ := m.lessons()
			return m.lessonChoices(all)
		},
	}
}

// begin makes a lesson of the session with which the program starts: that of the
// first scene. It is called before the session runs.
func (c *course) begin(l *lesson.Lesson, list []*lesson.Lesson, f *control.Feed) {
	*c = course{on: true, run: lesson.Start(l), list: list, problem: f.Snap.Problem, unset: true}
	send := func(e engine.Command) { // ticks begin later
		f.Order(e)
	}
	if s := c.run.Scene().Preset.Speed; s != nil {
		send(engine.SetSpeed{PerSecond: *s})
	}
	if c.holding = c.run.Hold(); c.holding {
		send(engine.Pause{})
	}
	c.from = f.Sent
}

// startLesson begins one of a list of lessons in place of the session at hand.
func (m *model) startLesson(l *lesson.Lesson, list []*lesson.Lesson) tea.Cmd {
	m.course.list = list
	return m.enter(lesson.Start(l))
}

// enter goes on with a run that has come to a scene for the first time. If that
// starts a session, nothing changes until its target is open.
func (m *model) enter(r lesson.Run) tea.Cmd {
	c := &m.course
	p := r.Scene().Preset
	if !p.Starts() {
		c.turn(r)
		c.live = r.At()
		return tea.Batch(m.set(p), m.keepStill())
	}
	dir := m.opts.DataDir
	fetch := m.Fetch(func() func() tea.Cmd {
		cfg, problem, err := p.Config(func(c engine.Config) (*targets.Problem, error) { return c.Open(dir) })
		return func() tea.Cmd { return m.sceneOpened(r, cfg, problem, err) }
	})
	c.fetch = m.Fetches
	return tea.Batch(m.Say(false, "opening the scene's session"), fetch)
}

// sceneOpened puts the session of a scene in the place of the one at hand.
func (m *model) sceneOpened(r lesson.Run, cfg engine.Config, problem *targets.Problem, err error) tea.Cmd {
	c := &m.course
	if err != nil {
		return m.Say(true, fmt.Sprintf("lesson %s: %v", r.Lesson().Name, err))
	}
	m.Notices.Clear()
	c.turn(r)
	first := !c.on
	c.on, c.live, c.problem, c.unset, c.away, c.holding = true, r.At(), problem, true, false, r.Hold()
	speed := 0.0
	if s := c.run.Scene().Preset.Speed; s != nil {
		speed = *s
	}
	load := m.Feed.Send(engine.Load{Config: cfg, Problem: problem, Paused: c.holding, Passing: !first, Speed: &speed}, nil)
	c.from = m.Feed.Sent
	if first {
		load = tea.Batch(load, m.Say(false, problem.Title+"; "+m.BackHint("session before", "session")))
	}
	return load
}

// turn shows another place of a lesson.
func (c *course) turn(r lesson.Run) {
	c.run, c.scroll, c.leaving, c.digit, c.hot = r, 0, 0, 0, 0
	if c.card == cardFolded {
		c.card = cardBeside
	}
}

// same reports whether the scene at hand is about the session at hand: not so for
// one that is read once more after another session has begun.
func (c *course) same() bool {
	l := c.run.Lesson()
	return l.Begins(c.run.At()) == l.Begins(c.live)
}

// keepStill stops the session while a question is open, and lets it go on
// afterwards. Who reads an earlier scene changes nothing.
func (m *model) keepStill() tea.Cmd {
	c := &m.course
	switch hold := c.run.Hold(); {
	case hold && !c.holding:
		c.holding = true
		return m.Feed.Send(engine.Pause{}, func(s *engine.Snapshot) { s.Phase = engine.Paused })
	case !hold && c.holding && (c.run.At() == c.live || c.same() && c.run.Phase() == lesson.Doing):
		c.holding = false
		return m.goOn()
	}
	return nil
}

// goOn lets a session run that stands still.
func (m *model) goOn() tea.Cmd {
	return m.Feed.Send(engine.Resume{}, func(s *engine.Snapshot) {
		if s.Phase == engine.Paused {
			s.Phase = engine.Running
		}
	})
}

// taught looks at a new snapshot with the lesson's eyes.
func (m *model) taught() tea.Cmd {
	c, s := &m.course, m.Feed.Snap
	if !c.on || s.Applied < c.from {
		return nil
	}
	var set tea.Cmd
	if c.unset {
		c.unset = false
		if s.Problem != c.problem { // refused; the session's notice says why
			m.course = course{list: c.list}
			return nil
		}
		set = m.set(c.run.Scene().Preset)
	}
	if s.Problem != c.problem {
		c.run = c.run.Look(elsewhere)
		if c.away {
			return set
		}
		c.away = true
		return tea.Batch(set, m.Say(false, "the lesson is about another target: "+m.Key("lesson: again")+" begins its scene again"))
	}
	c.away = false
	was := c.run.Phase()
	if !c.same() || c.run.At() != c.live && was == lesson.Told {
		return set // it is read once more
	}
	c.run = c.run.Look(s)
	if was == lesson.Doing && c.run.Phase() == lesson.Told {
		c.scroll = 0
		text := "the goal is reached; " + m.Key("lesson: next") + " goes on"
		if c.run.Last() {
			text = "the last goal of the lesson is reached"
		}
		return tea.Batch(set, m.Say(false, text))
	}
	return set
}

// set sets the screen as a preset wants it. What is set for a lesson is not kept
// as the user's wish.
func (m *model) set(p lesson.Preset) tea.Cmd {
	f, s := &m.Focus, m.Feed.Shown
	if p.Starts() {
		f.Lane, f.Separate, f.X, f.LogX, f.LinearY = s.Lanes[0].ID, false, pane.ByStep, false, false
		m.Focus.Full, m.Focus.Read, m.Focus.Pane, m.Focus.Zoom = false, false, "", pane.Zoom{}
	}
	if p.XAxis != nil && (*p.XAxis != pane.ByEpoch || s.Problem.HasData()) {
		f.X = *p.XAxis
	}
	if p.LogX != nil {
		f.LogX = *p.LogX
	}
	if p.LogY != nil {
		f.LinearY = !*p.LogY
	}
	if p.Linked != nil {
		f.Separate = !*p.Linked
	}
	if p.Lane != nil {
		for _, l := range s.Lanes {
			if l.ID == *p.Lane {
				f.Lane = l.ID
			}
		}
	}
	if p.Param != "" {
		f.Param = p.Param
	}
	var cmds []tea.Cmd
	if !p.Starts() && p.Speed != nil { // else it came with the session
		speed := *p.Speed
		cmds = append(cmds, m.Feed.Send(engine.SetSpeed{PerSecond: speed}, func(s *engine.Snapshot) { s.Speed = speed }))
	}
	for i, v := range m.screen.views {
		if v.Name == p.View {
			cmds = append(cmds, m.show(i))
		}
	}
	now, start := m.current(), &m.settings.start
	start.View, start.XAxis, start.LogX, start.LogY = now.View, now.XAxis, now.LogX, now.LogY
	m.Dirty = true
	return tea.Batch(cmds...)
}
