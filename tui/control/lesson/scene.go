package lesson

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
)

// A scene is where the lesson is that is on, and the session that was begun for it.
type scene struct {
	*control.Desk
	options *Options
	progress
}

// progress is how far the lesson is. The zero value is none.
type progress struct {
	Playing bool
	Run     lesson.Run
	// List is the lessons among which it is, for what comes next.
	List []*lesson.Lesson

	// The session at hand is on problem, and snapshots show it that know of the first from commands.
	problem *targets.Problem
	from    uint64
	Unset   []lesson.Preset // what the screen is still to be set to
	Away    bool            // the user has gone to another target
	fetch   int             // the desk's, of the newest scene that was opened

	Holding bool   // the session stands for the sake of a question
	asked   string // what is to be pressed twice: "leave", or a digit where nothing is asked
	press   uint64 // the first press
	waits   int    // a prediction that waits until the question is closed, counted from 1; 0 for none
	Card    CardSize
	scroll  int
}

// at is the place in the lesson; nil for no lesson.
func (s *scene) at() *control.Scene {
	if !s.Playing {
		return nil
	}
	return &control.Scene{Lesson: s.Run.Lesson, Card: s.Run.Card()}
}

// enter goes on with a run, on the session of another one or, without that, on one of its own. If that is to be begun,
// nothing changes until its target is open.
func (s *scene) enter(r, from lesson.Run) tea.Cmd {
	open, set := r.Enters(from)
	if open != nil {
		return s.open(r, *open, set)
	}
	s.goTo(r)
	var cmd tea.Cmd
	for _, to := range set {
		cmd = s.set(to)
	}
	return tea.Batch(cmd, s.keepStill())
}

// open opens the target of a session beside the screen, begins it in place of the one at hand, and goes on with a run.
func (s *scene) open(r lesson.Run, preset lesson.Preset, set []lesson.Preset) tea.Cmd {
	with := s.Outside.TargetOptions(s.options.DataDir)
	fetch := s.Fetch("the scene's session", func(at *control.Loading) func() tea.Cmd {
		cfg, p, err := preset.Session.Config(func(c state.Config) (*targets.Problem,
			error) {
			return at.Target(c, with)
		})
		cfg.Seed += s.options.Seed
		return func() tea.Cmd {
			if cmd, asks := dialog.Permit(s.Desk, err, func() tea.Cmd { return s.open(r, preset, set) }, nil); asks {
				return cmd
			}
			if err != nil {
				return s.Say(true, fmt.Sprintf("lesson %s: %v", r.Lesson.Name, err))
			}
			s.Notices.Clear()
			s.goTo(r)
			first, speed := !s.Playing, 0.0
			s.Playing, s.problem, s.Unset, s.Away, s.Holding = true, p, set, false, r.Phase() == lesson.Asking
			if preset.Speed != nil {
				speed = *preset.Speed
			}
			load := s.Feed.Send(state.Load{Config: cfg, Problem: p, Paused: s.Holding, Passing: !first, Speed: &speed})
			if s.from = s.Feed.Sent; first {
				load = tea.Batch(load, s.Say(false, p.Title+"; "+s.Keys.BackHint("history", "session")))
			}
			return load
		}
	})
	s.fetch = s.Fetches
	return fetch
}

// adopt makes a lesson of the session with which the program starts, that of its first scene, before the session runs.
func (s *scene) adopt(l *lesson.Lesson) {
	list, _ := s.options.Lessons()
	s.progress = progress{Playing: true, Run: lesson.Start(l), List: list, problem: s.Feed.Newest.Problem}
	_, s.Unset = s.Run.Enters(lesson.Run{})
	if perSecond := s.Run.Scene().Preset.Speed; perSecond != nil {
		s.Feed.Order(state.SetSpeed{PerSecond: *perSecond})
	}
	if s.Holding = s.Run.Phase() == lesson.Asking; s.Holding {
		s.Feed.Order(state.Pause{})
	}
	s.from = s.Feed.Sent
}

// goTo goes to another scene, or to the scene at hand with its question answered.
func (s *scene) goTo(r lesson.Run) {
	s.Screen.Dirty = true
	s.Run, s.scroll, s.asked, s.Card, s.waits = r, 0, "", Natural, 0
}

// keepStill stops the session while a question is open, and lets it go on afterwards. To read an
// earlier scene changes nothing.
func (s *scene) keepStill() tea.Cmd {
	switch hold := s.Run.Phase() == lesson.Asking; {
	case hold && !s.Holding:
		s.Holding = true
		return s.Feed.Send(state.Pause{})
	case !hold && s.Holding && !s.Run.Reread():
		s.Holding = false
		return s.Feed.Send(state.Resume{})
	}
	return nil
}

func (s *scene) look() tea.Cmd {
	now := s.Feed.Newest
	if !s.Playing || now.Applied < s.from {
		return nil
	}
	other := now.Problem.Opened() != s.problem.Opened()
	if s.Unset != nil && other { // refused; the session's notice says why
		s.progress = progress{List: s.List}
		return nil
	}
	var set tea.Cmd
	for _, to := range s.Unset {
		set = tea.Batch(set, s.set(to))
	}
	s.Unset = nil
	was, gone := s.Run.Phase(), s.Away
	if s.Away = other; other {
		if s.Run = s.Run.See(&engine.Snapshot{}); gone {
			return set
		}
		again := s.Keys.First("lesson: again")
		return tea.Batch(set, s.Say(false, "the lesson is about another target: "+again+" begins its scene again"))
	}
	if s.Run = s.Run.See(now); was != lesson.Doing || s.Run.Phase() != lesson.Revealed {
		return set
	}
	s.scroll, s.Card = 0, Natural
	text := "the goal is reached; " + s.Keys.First("lesson: next") + " goes on"
	if s.Run.Last() {
		text = "the last goal of the lesson is reached"
	}
	return tea.Batch(set, s.Say(false, text))
}

// set sets the screen as a preset wants it. What a preset leaves out is the default
// where a session starts, and else stays.
func (s *scene) set(to lesson.Preset) (cmd tea.Cmd) {
	f, now := &s.Focus, s.Feed.Foreseen
	if to.Starts() {
		f.Lane, f.Separate, f.XAxis, f.LogX, f.LinearY = now.Lanes[0].ID, false, pane.ByStep, false, false
		f.Full, f.Read, f.Pane, f.Zoom = false, false, "", pane.Zoom{}
	}
	if to.XAxis != nil && (*to.XAxis != pane.ByEpoch || now.Problem.HasData()) {
		f.XAxis = *to.XAxis
	}
	if to.LogX != nil {
		f.LogX = *to.LogX
	}
	if to.LogY != nil {
		f.LinearY = !*to.LogY
	}
	if to.Linked != nil {
		f.Separate = !*to.Linked
	}
	if to.Lane != nil && now.IndexOf(*to.Lane) >= 0 {
		f.Lane = *to.Lane
	}
	if to.Param != "" {
		f.Param, f.OnMore = to.Param, false
	}
	for _, c := range to.Commands() {
		cmd = tea.Batch(cmd, s.Feed.Send(c))
	}
	if to.View != nil {
		cmd = tea.Batch(cmd, s.Show(*to.View))
	}
	s.Screen.Dirty = true
	return cmd
}

// close goes on from a question that was closed.
func (s *scene) close(at *control.Scene) tea.Cmd {
	if !s.at().Is(at) || s.Run.Phase() != lesson.Asking {
		return nil
	}
	s.goTo(s.Run.Answer(s.waits - 1).Pass())
	s.Notices.Clear() // what was said of the prediction
	return s.keepStill()
}

func (s *scene) join(at *control.Scene) tea.Cmd {
	here, l := s.at(), at.Lesson
	switch {
	case here.Is(at):
		return nil
	case here != nil && here.Lesson.Name == l.Name && !s.Away && s.Run.At < at.At && l.Begins(at.At) <= s.Run.Live:
		return s.enter(s.Run.To(at.At), s.Run)
	}
	s.List = []*lesson.Lesson{l}
	if all, err := s.options.Lessons(); err == nil {
		s.List = all
	}
	return s.enter(lesson.Start(l).To(at.At), lesson.Run{})
}

// following is the lesson after the one that is on, nil if it is the last.
func (s *scene) following() *lesson.Lesson {
	i := slices.IndexFunc(s.List, func(l *lesson.Lesson) bool { return l.Name == s.Run.Lesson.Name })
	if i < 0 || i+1 >= len(s.List) {
		return nil
	}
	return s.List[i+1]
}

// once asks for a second press, and says what it does.
func (s *scene) once(what, text string) tea.Cmd {
	s.asked, s.press = what, s.Keys.Press
	return s.Say(false, text)
}

// twice reports whether what is to be pressed twice is pressed for the second time in a row.
func (s *scene) twice(what string) bool { return s.asked == what && s.press+1 == s.Keys.Press }
