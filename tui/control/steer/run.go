package steer

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/wording"
)

// faster moves along the speeds of slow motion by places; the last one is no
// limit, to which a slow start goes at once.
func (c *Steer) faster(by int) tea.Cmd {
	if c.Starting && by > 0 {
		return c.setSpeed(0)
	}
	speeds := [...]float64{1, 10, 100, 1000, 0}
	now := c.Feed.Foreseen.Speed
	i := 0
	for i < len(speeds)-1 && (now == 0 || speeds[i] < now) {
		i++
	}
	if by > 0 && speeds[i] > now && now > 0 {
		by-- // a speed between two of them, as the palette can set
	}
	return c.setSpeed(speeds[min(max(i+by, 0), len(speeds)-1)])
}

func (c *Steer) setSpeed(perSecond float64) tea.Cmd {
	text := "full speed"
	if perSecond > 0 {
		text = fmt.Sprintf("%s %s/s", plane.Exact(perSecond, 6), map[bool]string{true: "step", false: "steps"}[perSecond == 1])
	}
	cmd := c.Feed.Send(engine.SetSpeed{PerSecond: perSecond})
	return tea.Batch(cmd, c.Say(false, text))
}

// pause pauses or goes on.
func (c *Steer) pause() tea.Cmd {
	switch s := c.Feed.Foreseen; {
	case s.Tape.Seeking:
		return c.Feed.Halt()
	case s.Phase == engine.Running:
		return c.Feed.Send(engine.Pause{})
	case s.Phase == engine.AllDiverged:
		return c.Say(true, fmt.Sprintf("every lane has diverged: %s takes them back, %s restarts", c.Key("rewind and halve ε"), c.Key("restart")))
	default:
		return tea.Batch(c.branch(), c.Feed.Send(engine.Resume{}))
	}
}

// step takes a step and pauses.
func (c *Steer) step() tea.Cmd { return tea.Batch(c.branch(), c.Feed.Send(engine.StepBy{N: 1})) }

// branch has a session that stands where undo has gone back to leave the rest of its tape, so
// that it does not take again what was undone.
func (c *Steer) branch() tea.Cmd {
	t, to := &c.Feed.Foreseen.Tape, c.Feed.Undone
	if to == nil || t.Seeking || t.At != *to || !control.Ahead(t) {
		return nil
	}
	return c.Feed.Send(engine.Branch{})
}

// pauseWord is what the key that pauses does, for the footer.
func (c *Steer) pauseWord() (string, int) {
	switch c.Feed.Foreseen.Phase {
	case engine.Paused, engine.Done:
		return "go on", 3
	}
	return "pause", 3
}

// lostLanes are the places of the diverged lanes that go back together: the focused one if lanes
// are separate and it is among them, else all of them.
func (c *Steer) lostLanes() (lost []int) {
	s := c.Feed.Foreseen
	if c.Focus.Separate && c.Lane().Diverged != nil {
		return []int{c.Focus.Index(s)}
	}
	for i := range s.Lanes {
		if s.Lanes[i].Diverged != nil {
			lost = append(lost, i)
		}
	}
	return lost
}

// rescueWord is what the key that takes diverged lanes back does, for the footer: of lanes that go
// back otherwise than the first one it says no more than that they do.
func (c *Steer) rescueWord() (string, int) {
	word := ""
	for _, i := range c.lostLanes() {
		switch does := stage.Rescue(&c.Feed.Foreseen.Lanes[i]); word {
		case "", does:
			word = does
		default:
			word = "take them back"
		}
	}
	return word, 0
}

// lost tells of a lane that has diverged since a snapshot.
func (c *Steer) lost(before *engine.Snapshot) tea.Cmd {
	if c.Focus.Scrub { // it is known
		return nil
	}
	for _, l := range c.Feed.Newest.Lanes {
		if l.Diverged == nil || slices.ContainsFunc(before.Lanes, func(o engine.LaneView) bool { return o.ID == l.ID && o.Diverged != nil }) {
			continue
		}
		back := "goes back with half the ε"
		if l.Diverged.Failed != "" {
			back = "goes back and asks again"
		}
		return c.Say(true, fmt.Sprintf("%s %s at step %s; %s %s: %s",
			engine.LaneLetter(l.ID), wording.Stopped(l.Diverged), plane.Count(l.Diverged.Step), c.Key("rewind and halve ε"), back, pane.Reason(&c.Theme, l.Diverged)))
	}
	return nil
}

// rescue takes diverged lanes back, with half the ε or with one that was turned down
// since.
func (c *Steer) rescue() tea.Cmd {
	s, lost := c.Feed.Foreseen, c.lostLanes()
	if lost == nil {
		return c.Say(false, fmt.Sprintf("no lane has diverged; %s goes back %d steps with the same ε", c.Key("back"), stage.RewindSteps))
	}
	factor := func(i int) float64 { return stage.RescueFactor(&s.Lanes[i]) }
	back := func(at, i int) tea.Cmd {
		return c.Feed.Send(engine.Rewind{Lane: at, Steps: stage.RewindSteps, EpsFactor: factor(i), Mends: true})
	}
	if own := c.Focus.Separate && c.Lane().Diverged != nil; !own && !slices.ContainsFunc(lost, func(i int) bool { return factor(i) != factor(lost[0]) }) {
		return back(engine.AllLanes, lost[0])
	}
	return tea.Batch(list.Map(lost, func(i int) tea.Cmd { return back(i, i) })...)
}

// restart begins again on the seed that is so many further.
func (c *Steer) restart(further int) tea.Cmd {
	return c.Feed.Send(engine.Restart{Seed: c.Feed.Foreseen.Config.Seed + uint64(further)})
}

// rewind takes the lanes that turns apply to back.
func (c *Steer) rewind() tea.Cmd {
	return c.Feed.Send(engine.Rewind{Lane: c.Focus.TurnsApplyTo(c.Feed.Foreseen), Steps: stage.RewindSteps, EpsFactor: 1})
}

func (c *Steer) race() tea.Cmd {
	on := !c.Feed.Foreseen.Config.Race
	text := "lanes step together"
	if on {
		text = "lanes race by the clock"
	}
	cmd := c.Feed.Send(engine.SetRace{On: on})
	return tea.Batch(cmd, c.Say(false, text))
}

// removeLane ends the focused lane and focuses the one in its place.
func (c *Steer) removeLane() tea.Cmd {
	s := c.Feed.Foreseen
	at := c.Focus.Index(s)
	if len(s.Lanes) == 1 {
		return c.Say(true, "a session has at least one lane")
	}
	cmd := c.Feed.Send(engine.RemoveLane{Lane: at})
	s = c.Feed.Foreseen
	c.Focus.Lane = s.Lanes[min(at, len(s.Lanes)-1)].ID
	return cmd
}

// undo takes back the newest change of a setting. Behind the last of them it goes
// back along the tape, to before what has put other lanes or another target there.
func (c *Steer) undo() tea.Cmd {
	s := c.Feed.Foreseen
	if s.CanUndo || c.Feed.Awaiting() {
		return c.Feed.Send(engine.Undo{})
	}
	for i := len(s.Tape.Events) - 1; i >= 0; i-- {
		e := s.Tape.Events[i]
		if what := replaced(e.Command); what != "" && e.At > 0 && e.At <= control.Heading(&s.Tape) {
			c.Feed.Back = false
			to := e.At - 1
			cmd := c.Feed.Seek(to)
			c.Feed.Undone = &to
			return tea.Batch(cmd, c.Say(false, fmt.Sprintf("back to before %s: %s goes on from here, %s returns to the end", what, c.Key("pause"), c.Key("redo"))))
		}
	}
	return c.Say(false, "nothing to undo; "+c.Key("tape")+" goes back along the session")
}

// redo makes what was taken back again.
func (c *Steer) redo() tea.Cmd {
	s := c.Feed.Foreseen
	if !s.CanRedo && !c.Feed.Awaiting() && control.Ahead(&s.Tape) {
		c.Feed.Back = false
		return tea.Batch(c.Feed.Seek(s.Tape.End), c.Say(false, "at the end of the session"))
	}
	return c.Feed.Send(engine.Redo{})
}

// replaced says what a command has done that is no change of a setting, empty for
// one that changes settings.
func replaced(c engine.Command) string {
	switch c.(type) {
	case engine.SetTarget:
		return "the other target"
	case engine.AddLane:
		return "the lane was added"
	case engine.RemoveLane:
		return "the lane was removed"
	case engine.Restart:
		return "the restart"
	}
	return ""
}
