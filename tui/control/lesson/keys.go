package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// answer answers the open question with the choice i. Where nothing is asked it says
// so: a digit that comes too late, or twice, must not throw the user into another view.
func (p *Player) answer(i int) tea.Cmd {
	switch {
	case p.Run.Phase() != lesson.Asking:
		return p.unasked(strconv.Itoa(i + 1))
	case i >= len(p.Run.Scene().Choices):
		return p.Say(false, p.answers()+" answer")
	}
	if c := p.Options.Class; c != nil {
		c.Predicts(p.place(), i)
		if who := c.Holds(p.place()); who != "" {
			p.waits = i + 1
			return p.Say(false, fmt.Sprintf("you predict %d. Another key changes it until %s", i+1, who))
		}
	}
	p.goTo(p.Run.Answer(i))
	return p.keepStill()
}

// unasked is said to a digit where nothing is asked. Pressed twice it shows a view.
func (p *Player) unasked(digit string) tea.Cmd {
	text := "nothing is asked here"
	for i := range p.Desk.Keys.Bindings {
		b := &p.Desk.Keys.Bindings[i]
		if view, ok := strings.CutPrefix(b.Name, "view: "); ok && b.Has(digit) && digit != strconv.Itoa(p.Focus.View+1) {
			p.digit, p.digits = p.Keys.Press, digit
			text += fmt.Sprintf("; %s again shows view %s, %s", digit, digit, view)
		}
	}
	return p.Say(false, text)
}

// answers are the keys that answer the question.
func (p *Player) answers() string { return fmt.Sprintf("1-%d", len(p.Run.Scene().Choices)) }

func (p *Player) answerFirst() tea.Cmd {
	return p.Say(false, "the session waits for your answer: "+p.answers())
}

func (p *Player) hint() tea.Cmd {
	k := p.Run.Card()
	awaited := p.awaited(&k)
	switch {
	case k.Phase == lesson.Asking:
		return p.Say(false, "predict first: "+p.answers()+" answer, and a wrong guess costs nothing")
	case awaited != "":
		return p.Say(false, awaited)
	case k.Phase == lesson.Revealed:
		return p.Say(false, "nothing is left to do in this scene; "+p.Keys.First("lesson: next")+" goes on")
	case k.MoreHints == 0 && len(k.Hints) == 0:
		return p.Say(false, "this scene has no hints; "+p.Keys.First("lesson: next")+" skips it")
	case k.MoreHints == 0:
		return p.Say(false, "there are no more hints; "+p.Keys.First("lesson: next")+" skips the scene")
	}
	p.Run = p.Run.Hint()
	if p.size() == Folded {
		p.Card = Beside
	}
	return nil
}

// awaited says which goals are open where no hint helps: all that are not met come by
// waiting, or the scene was skipped. It is empty elsewhere.
func (p *Player) awaited(k *lesson.Card) string {
	if p.Away {
		return ""
	}
	var open []string
	waiting, met := true, false
	for i := range k.Goals {
		g := &k.Goals[i]
		if g.State == lesson.True {
			met = true
			continue
		}
		what := strings.TrimSpace(g.Label + " " + g.Demand)
		if g.Known() {
			what = strings.TrimSpace(g.Label + " " + g.Value + " " + g.Aim())
		}
		open, waiting = append(open, what), waiting && g.Counts
	}
	list := strings.Join(open, " and ")
	switch {
	case len(open) == 0, k.Phase == lesson.Doing && !(waiting && (met || k.MoreHints == 0)):
		return ""
	case !waiting:
		return "still open: " + list + "; " + p.Keys.First("lesson: next") + " goes on"
	case p.Feed.Foreseen.Phase == state.Paused:
		return p.Keys.First("pause") + " lets the session go on; only waiting is left: " + list
	}
	return "only waiting is left: " + list
}

// next goes on to the next scene, at the end to the next lesson. A scene that is not
// done is told first.
func (p *Player) next() tea.Cmd {
	r, ok := p.Run.Next()
	switch {
	case p.Run.Phase() != lesson.Revealed:
		return p.skip()
	case ok && r.At <= p.live: // read before
		p.goTo(r)
		return p.keepStill()
	case ok:
		return p.enter(r)
	}
	if l := p.following(); l != nil {
		return p.Start(l, p.List)
	}
	return p.Say(false, "there is no lesson after this one; "+p.Keys.First("lesson")+" lists them all")
}

// skip tells a scene without its goal, and says what is skipped.
func (p *Player) skip() tea.Cmd {
	if c := p.Options.Class; c != nil && p.Run.Phase() == lesson.Asking {
		if who := c.Holds(p.place()); who != "" {
			return p.Say(false, "the question is open until "+who)
		}
	}
	what := "the question"
	if s := p.Run.Scene(); s.Do != "" {
		what = "“" + strings.TrimSuffix(s.Do, ".") + "”"
	}
	p.goTo(p.Run.Skip())
	text := "skipped: " + what
	if !p.Run.Last() {
		text += "; " + p.Keys.First("lesson: next") + " goes on"
	}
	return tea.Batch(p.keepStill(), p.Say(false, text))
}

func (p *Player) previous() tea.Cmd {
	r, ok := p.Run.Back()
	if !ok {
		return p.Say(false, "this is the lesson's first scene")
	}
	p.goTo(r)
	return p.keepStill()
}

// following is the lesson after the one that is on, nil if it is the last.
func (p *Player) following() *lesson.Lesson {
	i := slices.IndexFunc(p.List, func(l *lesson.Lesson) bool { return l.Name == p.Run.Lesson.Name })
	if i < 0 || i+1 >= len(p.List) {
		return nil
	}
	return p.List[i+1]
}

// twice reports whether what leaves the lesson is pressed for the second time in a row.
func (p *Player) twice() bool { return p.leaving > 0 && p.leaving+1 == p.Keys.Press }

// leaveAtSecond leaves the lesson at the second of two presses. The session stays, and
// goes on if a question held it.
func (p *Player) leaveAtSecond() tea.Cmd {
	if !p.twice() {
		p.leaving = p.Keys.Press
		return p.Say(false, p.Keys.First("lesson: leave")+" again leaves the lesson and keeps the session")
	}
	name, held := p.Run.Lesson.Name, p.Holding
	if p.fetch == p.Fetches {
		p.Abandon()
	}
	p.progress = progress{}
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

// forBefore is said before the session before is put back, which ends the lesson.
func (p *Player) forBefore() tea.Cmd {
	p.leaving = p.Keys.Press
	return p.Say(false, p.Keys.First("return")+" again leaves the lesson for the session before")
}

// resize goes to the next size of the card that makes a difference.
func (p *Player) resize() tea.Cmd {
	p.scroll = 0
	switch {
	case p.size() == Folded:
		p.Card = Beside
	case p.grows():
		p.Card = Whole
	default:
		p.Card = Folded
	}
	return nil
}

// scrollRows is how many rows a key scrolls a card.
const scrollRows = 4

// scrolled is the card's scroll after so many rows more. Where it rests it is at its end if
// rows are left out before what is in sight, else at its beginning.
func (p *Player) scrolled(by int) int {
	below, rest := p.unseen(), 0
	if p.shown.skipped > 0 {
		rest = below
	}
	from := rest
	if p.scroll > 0 {
		from = p.scroll - 1
	}
	to := min(max(from+by, 0), below)
	if to == rest {
		return 0
	}
	return to + 1
}

// unseen is how many of the card's rows its place has no room for.
func (p *Player) unseen() int {
	if most := p.most(p.size()); most > 0 {
		return max(p.rows-most, 0)
	}
	return 0
}

func (p *Player) scrollBy(by int) tea.Cmd {
	before := p.scroll
	if p.scroll = p.scrolled(by); p.scroll == before {
		return p.Say(false, "the card ends here")
	}
	return nil
}
