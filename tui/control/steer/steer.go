// Package steer is the controller of a session's parameters: it turns them, in one lane or in all,
// and takes a change back.
package steer

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Steer is the controller. Its part of the frame is the strip of parameters.
type Steer struct {
	*control.Desk
	control.Quiet

	strip   *strip        // of the newest frame
	turns   turns         // by keys and the wheel
	typed   *dialog.Input // the value that was typed last
	gesture gesture
}

// New makes the controller of a desk.
func New(d *control.Desk) *Steer { return &Steer{Desk: d} }

func (c *Steer) Bindings() []control.Binding {
	const undo = "undo, redo a change of value, lane or target"
	next := func(n int) func() tea.Cmd {
		return func() tea.Cmd {
			if len(c.Feed.Foreseen.Lanes) == 1 {
				return c.Say(false, "there is one lane; "+c.Keys.First("add")+" adds another")
			}
			c.Focus.Move(c.Feed.Foreseen, n)
			return nil
		}
	}
	return slices.Concat(
		control.In(control.Parameters, nil, []control.Binding{
			{Name: "previous parameter", Unlisted: true, Page: control.TenKeys, Keys: "up", Help: "select a parameter",
				Do: control.By(c.selectBy, -1)},
			{Name: "next parameter", Unlisted: true, Page: control.TenKeys, Keys: "down", Help: "select a parameter",
				Do: control.By(c.selectBy, 1)},
			{Name: "turn down", Unlisted: true, Page: control.TenKeys, Keys: "left -",
				Help: "turn the selected parameter", Hint: "turn", Rank: 4, Do: control.By(c.turn, -1)},
			{Name: "turn up", Unlisted: true, Page: control.TenKeys, Keys: "right +",
				Help: "turn the selected parameter", Hint: "turn", Rank: 4, Do: control.By(c.turn, 1)},
			{Name: "turn far down", Unlisted: true, Keys: "shift+left", Help: "turn it in large steps",
				Do: control.By(c.turn, -5)},
			{Name: "turn far up", Unlisted: true, Keys: "shift+right", Help: "turn it in large steps",
				Do: control.By(c.turn, 5)},
			{Name: "type a value", Unlisted: true, Page: control.TenKeys, Keys: "enter", Help: "type a value for it",
				Hint: "type", Rank: 8, Do: c.typeValue},
			{Name: "more parameters", Unlisted: true, Help: "all parameters, or those that matter most",
				Do: c.toggleMore},
			{Name: "undo", Page: control.TenKeys, Keys: "z", Help: undo, Do: c.undo},
			{Name: "redo", Page: control.TenKeys, Keys: "Z", Help: undo, Do: c.redo},
		}),
		control.In(control.Lanes, nil, []control.Binding{
			{Name: "next lane", Unlisted: true, Keys: "tab", Help: "focus the next lane, the one before", Hint: "lane",
				Rank: 6, Do: next(1)},
			{Name: "previous lane", Unlisted: true, Keys: "shift+tab", Help: "focus the next lane, the one before",
				Do: next(-1)},
			{Name: "link lanes", Keys: "l", Help: "turn all lanes together, or the focused one", Do: c.link},
		}),
		c.verbs(),
		[]control.Binding{
			{Name: "param.select", At: func(at control.Hit) tea.Cmd { return c.selectOrType(at.Args[0]) },
				Examples: []string{"click a value: select it; click again to type"}},
			{Name: "param.turn", At: func(at control.Hit) tea.Cmd {
				return c.turnByWheel(at.Args[0], at.By)
			}, Examples: []string{"wheel on a value: turn it"}},
			{Name: "param.slide", At: func(at control.Hit) tea.Cmd {
				return c.slide(at.Args[0], chart.SliderFrac(at.X, at.W), at.Drag)
			}, Examples: []string{"drag a slider: turn it, or go along the history"}},
		},
	)
}

func (c *Steer) Slot(int) control.Slot {
	f := c.Frame()
	some, at := c.Focus.Strip(c.Feed.Foreseen)
	more := map[bool]string{true: "less", false: "more"}[c.Focus.Whole]
	c.strip = newStrip(&f, shown{some, at, c.typing(), more, c.Focus.OnMore})
	return control.Slot{At: control.Bottom, Rows: c.strip.rows(c.Screen.Width, c.Screen.Height, &f, c.Focus.Whole)}
}

// Draw draws the strip of parameters.
func (c *Steer) Draw(g plane.Region, f *pane.Frame) { c.strip.draw(g, f) }

// typing is the text being typed for the selected parameter, nil if none is.
func (c *Steer) typing() *string {
	if c.typed == nil || c.Keys.Layer != c.typed {
		return nil
	}
	text := c.typed.Show(c.Theme.Cursor())
	return &text
}

func (c *Steer) link() tea.Cmd {
	c.Focus.Separate = !c.Focus.Separate
	if c.Focus.Separate {
		return c.Say(false, "changes apply to lane "+state.LaneLetter(c.Lane().ID)+" alone")
	}
	return c.Say(false, "changes apply to all lanes")
}

// verb is a move of the grammar. A parameter that it names is selected.
func (c *Steer) verb(name, help string, examples ...string) control.Binding {
	b := c.Verb(name, false, func(command state.Command) tea.Cmd { return c.do(name, command) }, help, examples...)
	b.Group = control.Parameters
	return b
}

// verbs are what can be done by name alone.
func (c *Steer) verbs() []control.Binding {
	point := c.verb(grammar.Point, "add a datum, as x=0 y=1 or, of two classes, x=0 y=1 class=1; clear takes them away",
		":point x=0 y=1: one datum more; also clear")
	point.Lacks = func() string {
		if _, ok := c.Feed.Foreseen.Problem.F64.(targets.Functional); !ok {
			return "needs regress or classify, whose data can be seen"
		}
		return ""
	}
	return []control.Binding{
		{Each: func() []control.Binding {
			var all []control.Binding
			for _, p := range c.Focus.List(c.Feed.Foreseen) {
				b := c.verb(p.Key, p.Doc+"; allowed: "+p.Allowed())
				b.Symbol = p.Symbol
				all = append(all, b)
			}
			return all
		}},
		c.verb("lr", "ε as a learning rate: h = εN/2"),
		c.verb("schedule", "how ε falls: const, halve:20ep, halve:STEPS or poly:a,b,gamma",
			":schedule …: how ε falls: halve:20ep, poly:a,b,gamma, const"),
		point,
	}
}

func (c *Steer) do(name string, command state.Command) tea.Cmd {
	set, ok := command.(state.SetParam)
	if ok && set.Key == name || name == state.KeyChains {
		c.selectParam(name)
	}
	if p, of := paramOf(c.Feed.Foreseen.Problem, c.Lane(), set.Key); ok && of {
		return tea.Batch(c.Feed.Send(set), c.atRestart(p, set.Value))
	}
	return c.Feed.Send(command)
}

// undo takes back the newest change of a setting. Behind the last of them it goes
// back along the tape, to before what has put other lanes or another target there.
func (c *Steer) undo() tea.Cmd {
	s := c.Feed.Foreseen
	if s.CanUndo || c.Feed.Awaiting() {
		return c.Feed.Send(state.Undo{})
	}
	for i := len(s.Tape.Events) - 1; i >= 0; i-- {
		e := s.Tape.Events[i]
		if what := replaced(e.Command); what != "" && e.At > 0 && e.At <= control.Heading(&s.Tape) {
			to := e.At - 1
			cmd := c.Feed.Seek(to)
			c.Feed.Undone = &to
			return tea.Batch(cmd,
				c.Say(false, fmt.Sprintf("back to before %s: %s goes on from here, %s returns to the end", what,
					c.Keys.First("pause"), c.Keys.First("redo"))))
		}
	}
	return c.Say(false, "nothing to undo; "+c.Keys.First("history")+" goes back along the session")
}

// redo makes what was taken back again.
func (c *Steer) redo() tea.Cmd {
	s := c.Feed.Foreseen
	if !s.CanRedo && !c.Feed.Awaiting() && control.Ahead(&s.Tape) {
		return tea.Batch(c.Feed.Seek(s.Tape.End), c.Say(false, "at the end of the session"))
	}
	return c.Feed.Send(state.Redo{})
}

// replaced says what a command has done that is no change of a setting, empty for one that changes settings.
func replaced(c state.Command) string {
	switch c.(type) {
	case state.SetTarget:
		return "the other target"
	case state.AddLane:
		return "the lane was added"
	case state.RemoveLane:
		return "the lane was removed"
	case state.Restart:
		return "the restart"
	}
	return ""
}
