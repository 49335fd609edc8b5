package lesson

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// leaving is what is asked for twice before the lesson is left.
const leaving = "leave"

// answer answers the open question with the choice i. Where nothing is asked it says
// so: a digit that comes too late, or twice, must not throw the user into another view.
func (p *Player) answer(i int) tea.Cmd {
	s := &p.Scene
	switch {
	case s.Run.Phase() != lesson.Asking:
		return p.unasked(strconv.Itoa(i + 1))
	case i >= len(s.Run.Scene().Choices):
		return p.Say(false, answers(s.Run)+" answer")
	}
	if c := p.Options.Class; c != nil {
		c.Predicts(s.at(), i)
		if who := c.Holds(s.at()); who != "" {
			s.waits = i + 1
			return p.Say(false, fmt.Sprintf("you predict %d. Another key changes it until %s", i+1, who))
		}
	}
	s.goTo(s.Run.Answer(i))
	return s.keepStill()
}

// unasked is said to a digit where nothing is asked. Pressed twice it shows a view.
func (p *Player) unasked(digit string) tea.Cmd {
	const text = "nothing is asked here"
	for i := range p.Keys.Bindings {
		b := &p.Keys.Bindings[i]
		if view, ok := strings.CutPrefix(b.Name, "view: "); ok && b.Has(digit) && digit != strconv.Itoa(p.Focus.View+1) {
			return p.Scene.once(digit, fmt.Sprintf("%s; %s again shows view %s, %s", text, digit, digit, view))
		}
	}
	return p.Say(false, text)
}

// answers are the keys that answer the question.
func answers(r lesson.Run) string { return fmt.Sprintf("1-%d", len(r.Scene().Choices)) }

func (p *Player) hint() tea.Cmd {
	s := &p.Scene
	k := s.Run.Card()
	open, waiting := k.Open()
	next := p.Keys.First("lesson: next")
	switch {
	case k.Phase == lesson.Asking:
		return p.Say(false, "predict first: "+answers(s.Run)+" answer, and a wrong guess costs nothing")
	case open != "" && !s.Away && !waiting:
		return p.Say(false, "still open: "+open+"; "+next+" goes on")
	case open != "" && !s.Away && p.Feed.Foreseen.Phase == state.Paused:
		return p.Say(false, p.Keys.First("pause")+" lets the session go on; only waiting is left: "+open)
	case open != "" && !s.Away:
		return p.Say(false, "only waiting is left: "+open)
	case k.Phase == lesson.Revealed:
		return p.Say(false, "nothing is left to do in this scene; "+next+" goes on")
	case k.MoreHints == 0 && len(k.Hints) == 0:
		return p.Say(false, "this scene has no hints; "+next+" skips it")
	case k.MoreHints == 0:
		return p.Say(false, "there are no more hints; "+next+" skips the scene")
	}
	s.Run = s.Run.Hint()
	if p.stand.size() == Folded {
		s.Card = Beside
	}
	return nil
}

// next goes on to the next scene, at the end to the next lesson. A scene that is not
// done is told first, without its goal, and it says what is skipped.
func (p *Player) next() tea.Cmd {
	s := &p.Scene
	if r, ok := s.Run.Next(); s.Run.Phase() == lesson.Revealed {
		if ok {
			return s.enter(r, s.Run)
		}
		if l := s.following(); l != nil {
			return p.Start(l, s.List)
		}
		return p.Say(false, "there is no lesson after this one; "+p.Keys.First("lesson")+" lists them all")
	}
	if c := p.Options.Class; c != nil && s.Run.Phase() == lesson.Asking {
		if who := c.Holds(s.at()); who != "" {
			return p.Say(false, "the question is open until "+who)
		}
	}
	text := "skipped: the question"
	if at := s.Run.Scene(); at.Do != "" {
		text = "skipped: “" + strings.TrimSuffix(at.Do, ".") + "”"
	}
	if !s.Run.Last() {
		text += "; " + p.Keys.First("lesson: next") + " goes on"
	}
	s.goTo(s.Run.Skip())
	return tea.Batch(s.keepStill(), p.Say(false, text))
}

// leave leaves the lesson at the second of two presses. The session stays, and goes on if a question held it.
func (p *Player) leave() tea.Cmd {
	s := &p.Scene
	if !s.twice(leaving) {
		return s.once(leaving, p.Keys.First("lesson: leave")+" again leaves the lesson and keeps the session")
	}
	name, held := s.Run.Lesson.Name, s.Holding
	if s.fetch == p.Fetches {
		p.Abandon()
	}
	s.progress = progress{}
	var goOn tea.Cmd
	if held {
		goOn = p.Feed.Send(state.Resume{})
	}
	text := "left lesson " + name + "; the session is yours"
	if p.Feed.Foreseen.Speed > 0 {
		text += ", " + p.Keys.First("faster") + " makes it faster"
	}
	return tea.Batch(goOn, p.Say(false, text))
}
