package lesson

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
)

// elsewhere is a session of which no goal is known.
var elsewhere = &engine.Snapshot{}

// Start begins one of a list of lessons in place of the session at hand.
func (p *Player) Start(l *lesson.Lesson, list []*lesson.Lesson) tea.Cmd {
	p.List = list
	return p.enter(lesson.Start(l))
}

// enter goes on with a run that has come to a scene for the first time. If that
// starts a session, nothing changes until its target is open.
func (p *Player) enter(r lesson.Run) tea.Cmd {
	preset := r.Scene().Preset
	if !preset.Starts() {
		p.goTo(r)
		p.live = r.At
		return tea.Batch(p.set(preset), p.keepStill())
	}
	return p.open(r, preset)
}

// opened puts the session of a scene in the place of the one at hand.
func (p *Player) opened(r lesson.Run, preset lesson.Preset, cfg state.Config, problem *targets.Problem, err error) tea.Cmd {
	if cmd, asks := dialog.Permit(p.Desk, err, func() tea.Cmd { return p.open(r, preset) }, nil); asks {
		return cmd
	}
	if err != nil {
		return p.Say(true, fmt.Sprintf("lesson %s: %v", r.Lesson.Name, err))
	}
	p.Notices.Clear()
	p.goTo(r)
	first := !p.Playing
	p.Playing, p.live, p.problem, p.Unset, p.Away, p.Holding = true, r.At, problem, true, false, r.Phase() == lesson.Asking
	speed := 0.0
	if s := preset.Speed; s != nil {
		speed = *s
	}
	load := p.Feed.Send(state.Load{Config: cfg, Problem: problem, Paused: p.Holding, Passing: !first, Speed: &speed})
	p.from = p.Feed.Sent
	if first {
		load = tea.Batch(load, p.Say(false, problem.Title+"; "+p.Keys.BackHint("return", "session")))
	}
	return load
}

// goTo goes to another scene, or to the scene at hand with its question answered.
func (p *Player) goTo(r lesson.Run) {
	p.Screen.Dirty = true
	p.Run, p.scroll, p.leaving, p.digit, p.Card, p.waits = r, 0, 0, 0, Natural, 0
}

// Same reports whether the scene at hand is about the session at hand: not so for
// one that is read once more after another session has begun.
func (p *Player) Same() bool {
	l := p.Run.Lesson
	return l.Begins(p.Run.At) == l.Begins(p.live)
}

// keepStill stops the session while a question is open, and lets it go on afterwards. To read an
// earlier scene changes nothing.
func (p *Player) keepStill() tea.Cmd {
	switch hold := p.Run.Phase() == lesson.Asking; {
	case hold && !p.Holding:
		p.Holding = true
		return p.Feed.Send(state.Pause{})
	case !hold && p.Holding && (p.Run.At == p.live || p.Same() && p.Run.Phase() == lesson.Doing):
		p.Holding = false
		return p.Feed.Send(state.Resume{})
	}
	return nil
}

// look takes note of a new snapshot.
func (p *Player) look() tea.Cmd {
	s := p.Feed.Newest
	if !p.Playing || s.Applied < p.from {
		return nil
	}
	var set tea.Cmd
	if p.Unset {
		p.Unset = false
		if s.Problem.Opened() != p.problem.Opened() { // refused; the session's notice says why
			p.progress = progress{List: p.List}
			return nil
		}
		l := p.Run.Lesson
		if first := l.Begins(p.Run.At); first != p.Run.At {
			set = p.set(l.Scenes[first].Preset)
		}
		set = tea.Batch(set, p.set(p.Run.Scene().Preset))
	}
	if s.Problem.Opened() != p.problem.Opened() {
		p.Run = p.Run.See(elsewhere)
		if p.Away {
			return set
		}
		p.Away = true
		return tea.Batch(set, p.Say(false, "the lesson is about another target: "+p.Keys.First("lesson: again")+" begins its scene again"))
	}
	p.Away = false
	was := p.Run.Phase()
	if !p.Same() || p.Run.At != p.live && was == lesson.Revealed {
		return set // it is read once more
	}
	p.Run = p.Run.See(s)
	if was != lesson.Doing || p.Run.Phase() != lesson.Revealed {
		return set
	}
	p.scroll, p.Card = 0, Natural
	text := "the goal is reached; " + p.Keys.First("lesson: next") + " goes on"
	if p.Run.Last() {
		text = "the last goal of the lesson is reached"
	}
	return tea.Batch(set, p.Say(false, text))
}

// set sets the screen as a preset wants it. What a preset leaves out is the default
// where a session starts, and else stays.
func (p *Player) set(to lesson.Preset) tea.Cmd {
	f, s := &p.Focus, p.Feed.Foreseen
	if to.Starts() {
		f.Lane, f.Separate, f.XAxis, f.LogX, f.LinearY = s.Lanes[0].ID, false, pane.ByStep, false, false
		f.Full, f.Read, f.Pane, f.Zoom = false, false, "", pane.Zoom{}
	}
	if to.XAxis != nil && (*to.XAxis != pane.ByEpoch || s.Problem.HasData()) {
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
	if to.Lane != nil && s.IndexOf(*to.Lane) >= 0 {
		f.Lane = *to.Lane
	}
	if to.Param != "" {
		f.Param, f.OnMore = to.Param, false
	}
	var speed, view, shift tea.Cmd
	if to.Shift != nil {
		shift = p.Feed.Send(state.SetShift{Shift: *to.Shift})
	}
	if !to.Starts() && to.Speed != nil { // else it came with the session
		speed = p.Feed.Send(state.SetSpeed{PerSecond: *to.Speed})
	}
	if to.View != nil {
		view = p.Show(*to.View)
	}
	p.Screen.Dirty = true
	return tea.Batch(speed, view, shift)
}
