// Package run is the controller by which a session runs: its speed, its pauses, its slow start, its way back and its
// seed.
package run

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Run is the controller.
type Run struct {
	control.Unseen
	*control.Desk
	fresh bool // nobody has said how the session is to begin
	rests bool // it rests where more draws change nothing
	ease  ease
	idle  idle
}

// New makes the controller of a desk. A session is fresh if nobody has said how it is to begin.
func New(d *control.Desk, fresh, rests bool) *Run {
	c := &Run{Desk: d, fresh: fresh, rests: rests}
	d.Feed.Sending = append(d.Feed.Sending, c.takeOver)
	return c
}

func (c *Run) Bindings() []control.Binding {
	const speeds, steps = "slower, faster: steps/s, up to full speed", "one step back, one step on, then pause"
	return append(control.In(control.Running, nil, []control.Binding{
		{Name: "pause", Page: control.TenKeys, Keys: "space", Help: "pause or go on", HintNow: c.pauseWord,
			Do: c.pause},
		{Name: "step back", Unlisted: true, Keys: ",", Help: steps, Do: c.stepBack},
		{Name: "step", Keys: ".", Help: steps, Do: c.step},
		{Name: "slower", Unlisted: true, Keys: "< [", Help: speeds, Do: control.By(c.faster, -1)},
		{Name: "faster", Unlisted: true, Keys: "> ]", Help: speeds, Do: control.By(c.faster, 1)},
		{Name: "restart", Help: "restart with the same seed", Do: control.By(c.restart, 0)},
		{Name: "rewind and halve ε", Keys: "r", Help: "take diverged lanes back, with half the ε",
			HintNow: c.rescueWord, Do: c.rescue},
		{Name: "race", Help: "lanes step together, or race by the clock", Do: c.race},
	}), c.verbs()...)
}

func (c *Run) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.BeginMsg:
		c.easeIn()
		return tea.Batch(c.easeTick(), c.welcome()), true
	case control.SnapshotMsg:
		return tea.Batch(c.lost(msg.Before), c.resumed(), c.rest()), true
	}
	return nil, false
}

// verbs are what can be done by name alone.
func (c *Run) verbs() []control.Binding {
	verb := func(name, help string, examples ...string) control.Binding {
		return c.Verb(name, false, c.do, help, examples...)
	}
	seed := verb(grammar.Seed, "restart with this seed, or with the next",
		":seed 7: restart with seed 7, or with the next")
	numbered := seed.With
	seed.With = func(arg string) (func() tea.Cmd, error) {
		if arg == "next" {
			return control.By(c.restart, 1), nil
		}
		return numbered(arg)
	}
	back := verb(grammar.Back, "go back 200 steps, or N; N 0.5 also halves ε", ":back 500: go back 500 steps")
	back.Do = c.rewind
	return []control.Binding{
		verb(grammar.Speed, "steps a second, or full"),
		seed,
		verb(grammar.Until, "end where enough is drawn: "+quantity.UntilHelp()+"; several with commas, or off",
			":until ess=400: end at 400 effective draws"),
		verb(grammar.Run, "run N steps, then pause", ":run 500: run 500 steps, then pause"),
		back,
	}
}

func (c *Run) do(command state.Command) tea.Cmd {
	if speed, ok := command.(state.SetSpeed); ok {
		return c.setSpeed(speed.PerSecond)
	}
	return c.Feed.Send(command)
}

// faster moves along the speeds of slow motion by places; the last one is no limit, to which a slow start goes at once.
func (c *Run) faster(by int) tea.Cmd {
	if c.Screen.Starting && by > 0 {
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

func (c *Run) setSpeed(perSecond float64) tea.Cmd {
	text := "full speed"
	if perSecond > 0 {
		text = fmt.Sprintf("%s %s/s", plane.Exact(perSecond, 6),
			map[bool]string{true: "step", false: "steps"}[perSecond == 1])
	}
	cmd := c.Feed.Send(state.SetSpeed{PerSecond: perSecond})
	return tea.Batch(cmd, c.Say(false, text))
}

// pause pauses or goes on.
func (c *Run) pause() tea.Cmd {
	switch s := c.Feed.Foreseen; {
	case s.Tape.Seeking:
		return c.Feed.Halt()
	case s.Phase == state.Running:
		return c.Feed.Send(state.Pause{})
	case s.Phase == state.AllDiverged:
		return c.Say(true, fmt.Sprintf("every lane has diverged: %s takes them back, %s restarts",
			c.Keys.First("rewind and halve ε"), c.Keys.First("restart")))
	default:
		return tea.Batch(c.branch(), c.Feed.Send(state.Resume{}))
	}
}

func (c *Run) step() tea.Cmd { return tea.Batch(c.branch(), c.Feed.Send(state.StepBy{N: 1})) }

func (c *Run) stepBack() tea.Cmd {
	at := control.Heading(&c.Feed.Foreseen.Tape)
	if at == 0 {
		return c.Say(false, "the start of the session")
	}
	return c.Feed.Seek(at - 1)
}

// branch has a session that stands where undo has gone back to leave the rest of its tape, so
// that it does not take again what was undone.
func (c *Run) branch() tea.Cmd {
	t, to := &c.Feed.Foreseen.Tape, c.Feed.Undone
	if to == nil || t.Seeking || t.At != *to || !control.Ahead(t) {
		return nil
	}
	return c.Feed.Send(state.Branch{})
}

// pauseWord is what the key that pauses does, for the footer.
func (c *Run) pauseWord() (string, int) {
	switch c.Feed.Foreseen.Phase {
	case state.Paused, state.Done:
		return "go on", 3
	}
	return "pause", 3
}

// lostLanes are the places of the diverged lanes that go back together: the focused one if lanes
// are separate and it is among them, else all of them.
func (c *Run) lostLanes() []int {
	s := c.Feed.Foreseen
	if c.Focus.Separate && c.Lane().Diverged != nil {
		return []int{c.Focus.Index(s)}
	}
	return list.Filter(list.Upto(len(s.Lanes)), func(i int) bool { return s.Lanes[i].Diverged != nil })
}

// rescueWord is what the key that takes diverged lanes back does, for the footer: of lanes that go
// back otherwise than the first one it says no more than that they do.
func (c *Run) rescueWord() (string, int) {
	word := ""
	for _, i := range c.lostLanes() {
		switch does := wording.Rescue(c.Feed.Foreseen.Problem, &c.Feed.Foreseen.Lanes[i]); word {
		case "", does:
			word = does
		default:
			word = "take them back"
		}
	}
	return word, 0
}

// lost tells of a lane that has diverged since a snapshot.
func (c *Run) lost(before *engine.Snapshot) tea.Cmd {
	if control.Ahead(&c.Feed.Newest.Tape) { // it is known
		return nil
	}
	for _, l := range c.Feed.Newest.Lanes {
		if l.Diverged == nil ||
			slices.ContainsFunc(before.Lanes, func(o engine.LaneView) bool {
				return o.ID == l.ID && o.Diverged != nil
			}) {
			continue
		}
		return c.Say(true, fmt.Sprintf("%s %s at step %s; %s goes %s: %s", state.LaneLetter(l.ID),
			wording.Stopped(l.Diverged), plane.Count(l.Diverged.Step), c.Keys.First("rewind and halve ε"),
			wording.Rescue(c.Feed.Newest.Problem, &l), pane.Reason(&c.Theme, l.Diverged)))
	}
	return nil
}

// rescue takes diverged lanes back, see [state.RescueFactor].
func (c *Run) rescue() tea.Cmd {
	s, lost := c.Feed.Foreseen, c.lostLanes()
	if lost == nil {
		return c.Say(false, fmt.Sprintf("no lane has diverged; %s goes back %d steps with the same ε",
			c.Keys.First("back"), state.RewindSteps))
	}
	factor := func(i int) float64 { return state.RescueFactor(s.Problem, s.Lanes[i].Setting, s.Lanes[i].Diverged) }
	back := func(at, i int) tea.Cmd {
		return c.Feed.Send(state.Rewind{Lane: at, Steps: state.RewindSteps, EpsFactor: factor(i), Mends: true})
	}
	own := c.Focus.Separate && c.Lane().Diverged != nil
	if !own && !slices.ContainsFunc(lost, func(i int) bool { return factor(i) != factor(lost[0]) }) {
		return back(state.AllLanes, lost[0])
	}
	return tea.Batch(list.Map(lost, func(i int) tea.Cmd { return back(i, i) })...)
}

// restart begins again on the seed that is so many further.
func (c *Run) restart(further int) tea.Cmd {
	return c.Feed.Send(state.Restart{Seed: c.Feed.Foreseen.Config.Seed + uint64(further)})
}

// rewind takes the lanes that turns apply to back.
func (c *Run) rewind() tea.Cmd {
	return c.Feed.Send(state.Rewind{Lane: c.Focus.TurnsApplyTo(c.Feed.Foreseen), Steps: state.RewindSteps,
		EpsFactor: 1})
}

func (c *Run) race() tea.Cmd {
	on := !c.Feed.Foreseen.Config.Race
	text := "lanes step together"
	if on {
		text = "lanes race by the clock"
	}
	cmd := c.Feed.Send(state.SetRace{On: on})
	return tea.Batch(cmd, c.Say(false, text))
}
