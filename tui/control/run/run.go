// Package run is the controller by which a session runs: its speed, its pauses, its slow start, its way back and its
// seed.
package run

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
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
		{Name: "rewind", Keys: "r", Help: "take diverged lanes back, with half the ε",
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
		return c.Say(true, fmt.Sprintf("every lane has stopped: %s takes them back, %s restarts",
			c.Keys.First("rewind"), c.Keys.First("restart")))
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
			wording.Stopped(l.Diverged), plane.Count(l.Diverged.Step), c.Keys.First("rewind"),
			wording.Rescue(c.Feed.Newest.Problem, &l), pane.ShortName(&c.Theme, l.Diverged.Reason())))
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

// A session at full speed rests once the Monte Carlo error of all that is shown is below a tenth of a percent of a
// standard deviation, 1/√ESS, and nobody has done anything for so long: more draws would change no digit on the
// screen, and cost a processor.
const (
	restESS   = 1e6
	restAfter = time.Minute
)

// idle is since when nobody has done anything.
type idle struct {
	done  [2]uint64 // keys pressed and commands sent until then
	since time.Time
}

// rest pauses a session that has drawn enough.
func (c *Run) rest() tea.Cmd {
	s := c.Feed.Newest
	done := [2]uint64{uint64(c.Keys.Press), c.Feed.Sent}
	if done != c.idle.done || c.idle.since.IsZero() {
		c.idle = idle{done, c.Now()}
	}
	if c.InLesson != nil {
		if _, plays := c.InLesson(); plays {
			return nil
		}
	}
	if !c.rests || c.Settings.Rest == "off" || c.Screen.Filming || c.Screen.Sweeping || s.Phase != state.Running ||
		s.Speed > 0 || s.Tape.Seeking || c.Now().Sub(c.idle.since) < restAfter {
		return nil
	}
	for i := range s.Lanes {
		v := &s.Lanes[i]
		if v.Kind != sampler.Sampling || !(v.Values[quantity.MinESS].Trusted() >= restESS) {
			return nil
		}
	}
	c.idle.since = c.Now()
	cmd := c.Feed.Send(state.Pause{})
	c.Screen.Dirty = true
	return tea.Batch(cmd, c.Notices.Stay("at rest: more draws would change no digit here; "+c.Keys.First("pause")+
		" goes on, "+c.Keys.First("set")+" rest off keeps it running", c.Feed.Sent))
}

// slowStart is the speeds of a fresh session in steps a second, for easeEvery each: a person
// follows the first steps one by one. The last is no limit, after eleven seconds.
var slowStart = [...]float64{4, 4, 4, 4, 10, 25, 60, 150, 400, 1000, 3000, 0}

const easeEvery = time.Second

// An ease is the slow start of a fresh session. It limits the speed alone, and so changes no
// number. It goes on while the screen has Starting set.
type ease struct {
	next  int  // the place of the next speed
	own   bool // the command under way is the ease's
	waits bool // the session stands, and nothing ticks
}

// easeIn has a fresh session start slowly, from its first step on.
func (c *Run) easeIn() {
	if c.Screen.Starting = c.fresh; c.Screen.Starting {
		c.Feed.Order(state.SetSpeed{PerSecond: slowStart[0]})
		c.ease.next = 1
	}
}

// easeTick waits until a speed has had its time.
func (c *Run) easeTick() tea.Cmd {
	if !c.Screen.Starting {
		return nil
	}
	return control.After(easeEvery, c.eased)
}

// eased goes on to the next speed, unless the session stands.
func (c *Run) eased() tea.Cmd {
	e := &c.ease
	if e.waits = c.Feed.Foreseen.Phase != state.Running; e.waits || !c.Screen.Starting {
		return nil
	}
	speed := slowStart[e.next]
	e.next++
	c.Screen.Starting = speed > 0
	return tea.Batch(c.limit(speed), c.easeTick())
}

// resumed goes on with the slow start of a session that stood.
func (c *Run) resumed() tea.Cmd {
	if !c.ease.waits || c.Feed.Foreseen.Phase != state.Running {
		return nil
	}
	c.ease.waits = false
	return c.easeTick()
}

// limit limits the speed as a part of the slow start.
func (c *Run) limit(perSecond float64) tea.Cmd {
	c.ease.own = true
	defer func() { c.ease.own = false }()
	return c.Feed.Send(state.SetSpeed{PerSecond: perSecond})
}

// takeOver ends the slow start where a speed is asked for, or another session, which runs at
// full speed if it has none of its own.
func (c *Run) takeOver(command state.Command) func(uint64) tea.Cmd {
	if !c.Screen.Starting || c.ease.own {
		return nil
	}
	load, loads := command.(state.Load)
	_, returns := command.(state.Return)
	_, speed := command.(state.SetSpeed)
	c.Screen.Starting = !loads && !returns && !speed
	if returns || loads && load.Speed == nil {
		return func(uint64) tea.Cmd { return c.limit(0) }
	}
	return nil
}

// welcome says at the first start of all what to press.
func (c *Run) welcome() tea.Cmd {
	if !c.fresh || c.Settings.Kept.Welcomed {
		return nil
	}
	c.Settings.Welcomed = true
	return c.Notices.Stay("new here? "+c.Keys.First("lesson")+" opens the lessons, "+c.Keys.First("turn up")+
		" turns ε (the step size), "+c.Keys.First("help")+" shows the keys", c.Feed.Sent)
}
