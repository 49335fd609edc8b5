package run

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

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
