package tape

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// scrub begins to go along the tape, or ends it.
func (c *Tape) scrub() tea.Cmd {
	if c.Focus.Scrub {
		return c.leaveTape()
	}
	c.Focus.Scrub, c.Feed.Undone = true, nil
	return nil
}

// leaveTape stops what is under way, or leaves the tape.
func (c *Tape) leaveTape() tea.Cmd {
	if c.Feed.Foreseen.Tape.Seeking || c.Feed.Back {
		return c.Feed.Halt()
	}
	c.Focus.Scrub = false
	if t := &c.Feed.Foreseen.Tape; control.Ahead(t) {
		plays := c.Keys.First("pause") + " plays"
		if c.Feed.Foreseen.Phase == state.Running {
			plays = "it plays"
		}
		return c.Say(false, fmt.Sprintf("at %s of %s: %s on, and a change begins a new branch", plane.Count(t.At),
			plane.Count(t.End), plays))
	}
	return nil
}

// seekBy goes along the tape by a number of hundredths of it.
func (c *Tape) seekBy(hundredths int) tea.Cmd {
	t := &c.Feed.Foreseen.Tape
	return c.seekSteps(hundredths < 0, uint64(max(hundredths, -hundredths))*max(1, t.End/100))
}

// seekSteps goes along the tape by a number of steps. At its end there is nothing more to go along.
func (c *Tape) seekSteps(back bool, n uint64) tea.Cmd {
	c.Feed.Back = false
	t := &c.Feed.Foreseen.Tape
	from := control.Heading(t)
	if back {
		if from == 0 {
			return c.Say(false, "the start of the tape")
		}
		return c.Feed.Seek(from - min(from, n))
	}
	if from >= t.End {
		return c.Say(false, fmt.Sprintf("the end of the tape; %s goes on from here", c.Keys.First("pause")))
	}
	return c.Feed.Seek(from + min(n, t.End-from))
}

// tapeStep takes a single step of the tape, beyond its end a new one.
func (c *Tape) tapeStep() tea.Cmd {
	c.Feed.Back = false
	if t := &c.Feed.Foreseen.Tape; control.Heading(t) >= t.End {
		return c.Feed.Send(state.StepBy{N: 1})
	}
	return c.seekSteps(false, 1)
}

// seekEnd goes to the start of the tape or to its end.
func (c *Tape) seekEnd(last bool) tea.Cmd {
	c.Feed.Back = false
	if last {
		return c.Feed.Seek(c.Feed.Foreseen.Tape.End)
	}
	return c.Feed.Seek(0)
}

// seekTurn goes to the step before the next place at which something was turned, or
// before the one before: there it is to be seen what the turn was made of.
func (c *Tape) seekTurn(by int) tea.Cmd {
	c.Feed.Back = false
	t := &c.Feed.Foreseen.Tape
	from, turn, found, next := control.Heading(t), uint64(0), false, false
	for _, e := range t.Events {
		at := e.At - min(e.At, 1)
		if by < 0 && at < from || by > 0 && at > from && !found {
			turn, found = e.At, true
		}
		next = next || e.At > from && at == from
	}
	makes := func(at uint64) string {
		key := c.Keys.First("tape: a step on")
		return fmt.Sprintf("one step before the change at %s: %s takes that step", plane.Count(at), key)
	}
	switch {
	case found && turn > 0:
		return tea.Batch(c.Feed.Seek(turn-1), c.Say(false, makes(turn)))
	case found: // which was turned before the first step
		return tea.Batch(c.Feed.Seek(0), c.Say(false, "the start of the tape"))
	case by < 0 && from == 0:
		return c.Say(false, "the start of the tape")
	case by < 0:
		return c.Say(false, "nothing was changed before this")
	case next:
		return c.Say(false, makes(from+1)+"; nothing was changed after it")
	}
	return c.Say(false, "nothing was changed after this")
}

// tapePlay plays the tape on, or stops what plays.
func (c *Tape) tapePlay() tea.Cmd {
	if c.Feed.Foreseen.Tape.Seeking || c.Feed.Back {
		return c.Feed.Halt()
	}
	return c.Keys.Do("pause")
}

// playBack plays the tape backwards, or stops it.
func (c *Tape) playBack() tea.Cmd {
	if c.Feed.Back {
		return c.Feed.Halt()
	}
	var stop tea.Cmd
	if c.Feed.Foreseen.Phase == state.Running {
		stop = c.Feed.Halt()
	}
	c.Feed.Back = true
	c.tag++
	return tea.Batch(stop, c.backTick(c.Feed.Interval))
}

func (c *Tape) backTick(wait time.Duration) tea.Cmd {
	tag := c.tag
	return control.After(wait, func() tea.Cmd { return c.backStep(tag) })
}

// backStep plays backwards by what fits into a frame: at full speed a hundredth of
// the tape. It waits until the session has come to the place before.
func (c *Tape) backStep(tag int) tea.Cmd {
	if tag != c.tag || !c.Feed.Back {
		return nil
	}
	s := c.Feed.Foreseen
	if s.Tape.Seeking || c.Feed.Awaiting() {
		return c.backTick(c.Feed.Interval)
	}
	c.Screen.Dirty = true
	if s.Tape.At == 0 {
		c.Feed.Back = false
		return c.Say(false, "the start of the tape")
	}
	n, wait := max(1, s.Tape.End/100), c.Feed.Interval
	if s.Speed > 0 {
		n = max(1, uint64(s.Speed*wait.Seconds()))
		wait = max(wait, time.Duration(float64(time.Second)/s.Speed))
	}
	return tea.Batch(c.Feed.Seek(s.Tape.At-min(n, s.Tape.At)), c.backTick(wait))
}

// typeDigit begins to type a step with its first digit.
func (c *Tape) typeDigit(digit string) tea.Cmd {
	cmd := c.typeStep()
	c.step.Type(tea.PasteMsg{Content: digit})
	return cmd
}

// typeStep begins to type a step to which to go.
func (c *Tape) typeStep() tea.Cmd {
	c.Feed.Back = false
	v := dialog.NewInput(c.Desk)
	v.About = []string{fmt.Sprintf("a step up to %s, the end of the tape", plane.Count(c.Feed.Foreseen.Tape.End))}
	v.Take = func(text string) (func() tea.Cmd, error) {
		to, err := c.place(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("the step %w", err)
		}
		return func() tea.Cmd { return c.goTo(to) }, nil
	}
	c.step = v
	return c.Open(v)
}

// place reads a place of the tape.
func (c *Tape) place(text string) (uint64, error) {
	to, err := grammar.Count(strings.ReplaceAll(text, ",", ""), 0)
	if end := c.Feed.Foreseen.Tape.End; err == nil && to > end {
		err = fmt.Errorf("must be at most %s, the end of the tape", plane.Count(end))
	}
	return to, err
}

// goTo goes along the tape to a place.
func (c *Tape) goTo(to uint64) tea.Cmd {
	c.Focus.Scrub = true
	return c.Feed.Seek(to)
}

// branching tells of a command that makes a branch of a tape with something still to
// come, and how that comes back. Another session has another tape.
func (c *Tape) branching(command state.Command) func(serial uint64) tea.Cmd {
	t := c.Feed.Foreseen.Tape
	switch command.(type) {
	case state.Load, state.Return:
		return func(serial uint64) tea.Cmd {
			c.loading, c.branched = serial, 0
			c.Feed.Back, c.Feed.Halted = false, 0
			return nil
		}
	}
	if !state.Branches(command) || !control.Ahead(&t) || c.Feed.Newest.Applied < max(c.loading, c.branched) {
		return nil
	}
	turns := len(t.Events) - passed(&t)
	what := plane.Count(t.End-t.At) + " " + pane.Plural(int(t.End-t.At), "step", "steps")
	if turns > 0 {
		what += fmt.Sprintf(", %d %s", turns, pane.Plural(turns, "change", "changes"))
	}
	return func(serial uint64) tea.Cmd {
		c.branched, c.Feed.Branched, c.Screen.Dirty = serial, true, true
		return c.Notices.SayAside(fmt.Sprintf("a new branch begins at step %s; %s brings back the old one (%s)",
			plane.Count(t.At), c.Keys.First("return"), what), serial)
	}
}

// stopped tells where a seek was stopped.
func (c *Tape) stopped() tea.Cmd {
	s := c.Feed.Newest
	if c.Feed.Halted == 0 || s.Applied < c.Feed.Halted {
		return nil
	}
	c.Feed.Halted = 0
	if s.Tape.At == s.Tape.To {
		return nil
	}
	next := c.Keys.First("pause") + " plays on from here, "
	if c.Focus.Scrub {
		next += c.Keys.First("tape: type a step") + " types a step to go to"
	} else {
		next += c.Keys.First("tape") + " goes along the tape"
	}
	return c.Say(false, fmt.Sprintf("stopped at %s on the way to %s: %s", plane.Count(s.Tape.At),
		plane.Count(s.Tape.To), next))
}
