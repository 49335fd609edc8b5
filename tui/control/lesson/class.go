package lesson

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// place is where the lesson is; nil for none.
func (p *Player) place() *control.Scene {
	if !p.Playing {
		return nil
	}
	return &control.Scene{Lesson: p.Run.Lesson, Card: p.Run.Card()}
}

// shows tells the class what stands on the card.
func (p *Player) shows() {
	if c := p.Options.Class; c != nil {
		c.Shows(p.place())
	}
}

// close goes on from a question that was closed.
func (p *Player) close(at *control.Scene) tea.Cmd {
	if !p.place().Is(at) || p.Run.Phase() != lesson.Asking {
		return nil
	}
	r := p.Run.Pass()
	if p.waits > 0 {
		r = p.Run.Answer(p.waits - 1)
	}
	p.goTo(r)
	p.Notices.Clear() // what was said of the prediction
	return p.keepStill()
}

// join goes to a scene.
func (p *Player) join(at *control.Scene) tea.Cmd {
	switch here := p.place(); {
	case here.Is(at):
		return nil
	case here != nil && here.Lesson.Name == at.Lesson.Name && !p.Away && p.Run.At < at.At && at.Lesson.Begins(at.At) <= p.live:
		return p.enter(p.Run.To(at.At))
	}
	p.List = []*lesson.Lesson{at.Lesson}
	if all, err := p.Options.Lessons(); err == nil {
		p.List = all
	}
	return p.open(lesson.Start(at.Lesson).To(at.At), at.Lesson.Scenes[at.Lesson.Begins(at.At)].Preset)
}

// open opens the target of a session beside the screen, and goes on with a run on it.
func (p *Player) open(r lesson.Run, preset lesson.Preset) tea.Cmd {
	with := p.Outside.TargetOptions(p.Options.DataDir)
	fetch := p.Fetch("the scene's session", func(at *control.Loading) func() tea.Cmd {
		cfg, problem, err := preset.Config(func(c state.Config) (*targets.Problem, error) { return at.Target(c, with) })
		cfg.Seed += p.Options.Seed
		return func() tea.Cmd { return p.opened(r, preset, cfg, problem, err) }
	})
	p.fetch = p.Fetches
	return fetch
}
