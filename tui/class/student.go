package class

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/control"
)

// A studentScreen is the controller of a student's screen: what is theirs to do in a room, and what the
// lecturer has it do.
type studentScreen struct {
	*control.Desk
	slowness
	room      *Room
	seat      *Seat
	projector projector
	following *watching // the lecturer's screen; nil while the student's own is shown
	frozen    bool
	away      bool // the line is lost
	// The session ran when it was frozen, or when the line was lost.
	ran, left bool
}

// What a seat is told by others. Each is a message of its screen.
type (
	// lostMsg and backMsg say that its line was lost, and that there is another.
	lostMsg struct{}
	backMsg struct{}
	// freezeMsg stops its session and shows the lecturer's screen, or lets go.
	freezeMsg struct{ on bool }
	// targetMsg has it sample what the lecturer does, with its own seed.
	targetMsg struct {
		config  state.Config
		problem *targets.Problem
	}
	// viewMsg shows a view.
	viewMsg struct{ view int }
	// mailMsg is a message that came.
	mailMsg struct{ tea.Msg }
)

// newStudent makes the controller of a seat, which has no screen before it is given one.
func (r *Room) newStudent(s *Seat) *studentScreen { return &studentScreen{room: r, seat: s} }

// at gives the controller its screen.
func (c *studentScreen) at(d *control.Desk) control.Controller {
	c.Desk, c.slowness.desk, c.projector = d, d, projector{desk: d, to: c.seat.screen, ended: c.seat.ctx.Done()}
	return c
}

// longestName is how many characters a name has at most.
const longestName = 16

func (c *studentScreen) Bindings() []control.Binding {
	return control.In(control.General, nil, []control.Binding{
		{Name: "follow", Page: control.TenKeys, Keys: "j", Help: "the lecturer's screen, or your own", Hint: "follow",
			Rank: 3, Do: c.follow},
		{
			Name:     "name",
			Help:     "what the lecturer calls you, such as Ada",
			Examples: []string{":name Ada: what the lecturer calls you"},
			With: func(arg string) (func() tea.Cmd, error) {
				name := printable.Line(strings.TrimSpace(arg))
				if n := len([]rune(name)); n > longestName {
					return nil, fmt.Errorf("has at most %d characters, got %d", longestName, n)
				}
				return func() tea.Cmd { return c.call(name) }, nil
			},
		},
	})
}

func (c *studentScreen) call(name string) tea.Cmd {
	c.room.locked(func() { c.seat.name = name })
	if name == "" {
		return c.Say(false, fmt.Sprintf("the lecturer sees seat %d and no name", c.seat.Number))
	}
	return c.Say(false, "the lecturer sees "+name)
}

func (c *studentScreen) Update(msg tea.Msg) (tea.Cmd, bool) {
	unseen := c.projector.at == nil
	if cmd, took := c.projector.update(msg); took || cmd != nil {
		if unseen && c.projector.at != nil {
			cmd = tea.Batch(cmd, c.Say(false, "the lecturer looks at your screen"))
		}
		return tea.Batch(cmd, c.begun(msg)), took
	}
	switch msg := msg.(type) {
	case watchMsg:
		if msg.desk != c.Desk {
			return nil, false
		}
		return msg.looked(), true
	case control.SnapshotMsg:
		if c.frozen && c.running() { // of a scene that was opened meanwhile
			return c.Feed.Send(state.Pause{}), false
		}
	case mailMsg:
		return tea.Batch(c.obey(msg.Msg), c.mail()), true
	}
	return nil, false
}

func (c *studentScreen) begun(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(control.BeginMsg); !ok {
		return nil
	}
	if c.room.Lesson == nil { // which sets a speed
		c.Feed.Order(state.SetSpeed{PerSecond: firstSpeed})
	}
	return c.mail()
}

// mail waits for what the seat is told.
func (c *studentScreen) mail() tea.Cmd {
	return func() tea.Msg {
		select {
		case m := <-c.seat.mail:
			return mailMsg{m}
		case <-c.seat.ctx.Done():
			return nil
		}
	}
}

func (c *studentScreen) obey(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case lostMsg:
		c.away = true
		if c.left = c.running(); c.left {
			return c.Feed.Send(state.Pause{})
		}
	case backMsg:
		if !c.away {
			return nil // it is the first line
		}
		var goOn tea.Cmd
		if c.left && !c.frozen {
			goOn = c.Feed.Send(state.Resume{})
		}
		c.away, c.left = false, false
		return tea.Batch(tea.ClearScreen, goOn, c.Say(false, fmt.Sprintf("seat %d is as you left it", c.seat.Number)))
	case freezeMsg:
		return c.freeze(msg.on)
	case targetMsg:
		c.ran = true
		return c.sample(msg)
	case viewMsg:
		return c.Show(msg.view)
	case control.CloseMsg, control.JoinMsg:
		c.ran = false                        // a lesson stops its sessions itself
		return func() tea.Msg { return msg } // for the lesson's controller
	}
	return nil
}

func (c *studentScreen) running() bool { return c.Feed.Foreseen.Phase == state.Running }

// follow shows the lecturer's screen, or the student's own.
func (c *studentScreen) follow() tea.Cmd {
	if c.seen() {
		return c.back()
	}
	w, cmd := watch(c.Desk, c.room.screen, c.foot,
		[]control.Binding{{Name: "follow: back", Keys: "j esc q", Help: "your own screen", Do: c.back}})
	c.following = w
	c.room.locked(func() { c.seat.follows = true })
	return cmd
}

// seen reports whether the lecturer's screen is shown.
func (c *studentScreen) seen() bool { return c.following != nil && c.following.open() }

// back shows the student's own screen again, if the lecturer lets it.
func (c *studentScreen) back() tea.Cmd {
	if c.frozen {
		return nil // the foot says so
	}
	if c.seen() {
		c.Close()
		c.following.open()
	}
	c.following = nil
	c.room.locked(func() { c.seat.follows = false })
	return nil
}

// foot says whose screen is shown.
func (c *studentScreen) foot() (what, hint string) {
	if c.frozen {
		return "the lecturer's screen", "all sessions are paused until the lecturer goes on"
	}
	return "the lecturer's screen", c.Keys.First("follow") + " your own"
}

// freeze stops the session and shows the lecturer's screen, or lets go. Who followed goes on.
func (c *studentScreen) freeze(on bool) tea.Cmd {
	if on == c.frozen {
		return nil
	}
	if !on {
		c.frozen = false
		if c.seat.chose {
			c.Screen.Dirty = true
		} else {
			c.back()
		}
		switch {
		case c.ran && c.away: // it goes on with the next line
			c.left = true
		case c.ran:
			return c.Feed.Send(state.Resume{})
		}
		return nil
	}
	c.frozen, c.ran = true, c.running() || c.left
	c.seat.chose = c.seen()
	var all []tea.Cmd
	if c.ran {
		all = append(all, c.Feed.Send(state.Pause{}))
	}
	if !c.seat.chose {
		all = append(all, c.follow())
	}
	return tea.Batch(all...)
}

// sample puts a session on the lecturer's target in the place of the one at hand.
func (c *studentScreen) sample(m targetMsg) tea.Cmd {
	m.config.Seed += uint64(c.seat.Number)
	return c.Fetch("the lecturer's target", func(*control.Loading) func() tea.Cmd {
		p := c.room.problem(m.config, m.problem)
		return func() tea.Cmd {
			load := state.Load{Config: m.config, Problem: p, Paused: c.frozen, Speed: new(float64(firstSpeed))}
			return tea.Batch(c.Feed.Send(load),
				c.Say(false, fmt.Sprintf("the lecturer's session, with seed %d; %s", m.config.Seed,
					c.Keys.BackHint("history", "session"))))
		}
	})
}

func (c *studentScreen) Shows(at *control.Scene)                { c.seat.place.Store(at) }
func (c *studentScreen) Predicts(at *control.Scene, choice int) { c.room.predict(c.seat, at, choice) }

func (c *studentScreen) Holds(at *control.Scene) string {
	if c.room.open(at) {
		return "the lecturer closes the question"
	}
	return ""
}

func (c *studentScreen) Outcome(at *control.Scene) string { return c.room.outcome(at, true) }
