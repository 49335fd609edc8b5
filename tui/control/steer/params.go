package steer

import (
	"fmt"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
)

// selectBy selects another parameter and says what it is, which a symbol of one letter may not.
func (c *Steer) selectBy(by int) tea.Cmd {
	c.Focus.SelectBy(c.Feed.Foreseen, by)
	if c.Focus.OnMore {
		return c.Say(false, c.Keys.First("type a value")+
			map[bool]string{true: " hides the parameters at their defaults",
				false: " shows the other parameters"}[c.Focus.Whole])
	}
	p, ok := c.Selected()
	if !ok {
		return nil
	}
	return c.Say(false, p.Symbol+": "+p.Doc)
}

// turn turns the selected parameter by notches. Each of linked lanes turns from its own value, so
// that a turn back gives that value again. A choice has no notches: linked lanes take the same one.
func (c *Steer) turn(notches float64) tea.Cmd {
	if c.Focus.OnMore {
		return c.toggleMore()
	}
	p, ok := c.Selected()
	if !ok {
		return nil
	}
	s := c.Feed.Foreseen
	if p.Step { // right is now, left never
		return c.setParam(p, map[bool]float64{true: state.FromNow}[notches > 0])
	}
	old, _ := pane.ValueOf(s, c.Lane(), p.Key)
	x := p.Turn(old, notches)
	each := p.Scale != param.Choice && p.Key != state.KeyChains // lane by lane
	if each {
		x = c.turns.turn(s, c.Lane(), p, notches)
	}
	to, moved, alike := [state.MaxLanes]float64{}, x != old, true
	if c.Focus.TurnsApplyTo(s) == state.AllLanes && each {
		for i := range s.Lanes {
			q, ok := paramOf(s.Problem, &s.Lanes[i], p.Key)
			if !ok {
				continue
			}
			if to[i] = x; s.Lanes[i].ID != c.Lane().ID {
				to[i] = c.turns.turn(s, &s.Lanes[i], q, notches)
			}
			moved, alike = moved || to[i] != s.Lanes[i].Setting.Value(p.Key), alike && to[i] == x
		}
	}
	switch {
	case !moved && (p.Scale == param.Choice || x <= p.Min || x >= p.Max):
		return c.Say(false, fmt.Sprintf("%s %s is as far as it goes", p.Symbol, p.Format(x)))
	case !moved:
		return c.Say(false, fmt.Sprintf("%s %s is the end of the slider; %s types a value beyond it", p.Symbol,
			p.Format(x), c.Keys.First("type a value")))
	case alike && p.Key == state.KeyChains:
		return c.setParam(p, x)
	case alike:
		return c.turnTo(p, x, c.allTo(p.Key, x), c.soon())
	}
	return c.turnTo(p, x, state.SetEach{Key: p.Key, Values: to}, c.soon())
}

// A gesture is the turns of a parameter in one movement: a slider is dragged, an arrow is held, keys
// or the wheel come in a burst. A turn that goes on with one is sent in an state.InGesture.
type gesture struct {
	key   string // of the parameter; empty before a turn
	press uint64 // the desk's, of the newest turn
	at    time.Time
}

// burst is the longest time between two turns of a gesture: more than a keyboard waits before
// it repeats a key that is held.
const burst = 700 * time.Millisecond

// soon reports whether a turn comes soon after the one before, with no other key between.
func (c *Steer) soon() bool {
	g := &c.gesture
	return c.Keys.Press <= g.press+1 && c.Now().Sub(g.at) <= burst
}

// turnTo sends a turn of a parameter to x. With on it goes on with the gesture of the one
// before, if that was of the same parameter.
func (c *Steer) turnTo(p param.Param, x float64, command state.Command, on bool) tea.Cmd {
	send := c.Feed.Send
	if on && c.gesture.key == p.Key {
		send = c.Feed.SendInGesture
	}
	c.gesture = gesture{p.Key, c.Keys.Press, c.Now()}
	return tea.Batch(send(command), c.atRestart(p, x))
}

// paramOf is a lane's own parameter with a key.
func paramOf(p *targets.Problem, l *engine.LaneView, key string) (param.Param, bool) {
	q, _, ok := param.Find(state.Turnable(p, l.Setting.Sampler), key)
	return q, ok
}

// setParam sets a parameter in the lanes that turns apply to. Another number of chains takes
// all lanes back to the start.
func (c *Steer) setParam(p param.Param, x float64) tea.Cmd {
	if p.Key == state.KeyChains {
		return c.Feed.Send(state.Restart{Seed: c.Feed.Foreseen.Config.Seed, Chains: int(x)})
	}
	return tea.Batch(c.Feed.Send(c.allTo(p.Key, x)), c.atRestart(p, x))
}

// allTo sets a parameter to a value in the lanes that turns apply to. The target is that of all.
func (c *Steer) allTo(key string, x float64) state.SetParam {
	if state.OfTarget(key) {
		return state.SetParam{Lane: state.AllLanes, Key: key, Value: x}
	}
	return state.SetParam{Lane: c.Focus.TurnsApplyTo(c.Feed.Foreseen), Key: key, Value: x}
}

// atRestart says that a parameter which is read at the start alone takes effect at a restart.
func (c *Steer) atRestart(p param.Param, x float64) tea.Cmd {
	if !p.AtStart {
		return nil
	}
	return c.Say(false, fmt.Sprintf("%s %s takes effect at restart (%s)", p.Symbol, p.Format(x),
		c.Keys.First("restart")))
}

func (c *Steer) typeValue() tea.Cmd {
	if c.Focus.OnMore {
		return c.toggleMore()
	}
	p, ok := c.Selected()
	if !ok {
		return nil
	}
	v := dialog.NewInput(c.Desk)
	allowed := p.Allowed()
	if p.Step {
		allowed += ", or now"
	}
	v.About = []string{p.Symbol + " " + p.Doc + ", " + allowed, p.Symbol + " " + allowed}
	switch x, ok := pane.ValueOf(c.Feed.Foreseen, c.Lane(), p.Key); {
	case ok && p.Scale == param.Integer && x != 0:
		v.Begin(strconv.FormatFloat(x, 'f', -1, 64))
	case ok:
		v.Begin(p.Format(x))
	}
	v.Take = func(text string) (func() tea.Cmd, error) {
		x, err := grammar.ParseTurn(p, text, c.Feed.Foreseen.Problem)
		if err != nil {
			return nil, fmt.Errorf("%s %w", p.Symbol, err)
		}
		return func() tea.Cmd { return c.setParam(p, x) }, nil
	}
	c.typed = v
	return c.Open(v)
}

// toggleMore has the strip show all parameters, or those that matter most.
func (c *Steer) toggleMore() tea.Cmd {
	c.Focus.Whole = !c.Focus.Whole
	return nil
}

func (c *Steer) selectParam(key string) { c.Focus.Param, c.Focus.OnMore = key, false }

// selectOrType selects a parameter; one that is selected is typed.
func (c *Steer) selectOrType(key string) tea.Cmd {
	if p, ok := c.Selected(); ok && p.Key == key && !c.Focus.OnMore {
		return c.typeValue()
	}
	c.selectParam(key)
	return nil
}

func (c *Steer) turnByWheel(key string, notches int) tea.Cmd {
	c.selectParam(key)
	if notches == 0 {
		return nil
	}
	return c.turn(float64(notches))
}

// slide sets a parameter to a place of its slider. A click begins a gesture, which a drag goes on with.
func (c *Steer) slide(key string, frac float64, drag bool) tea.Cmd {
	c.selectParam(key)
	if !drag {
		c.gesture = gesture{}
	}
	p, ok := c.Selected()
	if !ok || p.Key != key {
		return nil
	}
	x := p.At(frac)
	if x == c.Lane().Setting.Value(key) || p.Check(x) != nil {
		return nil
	}
	return c.turnTo(p, x, c.allTo(key, x), drag)
}

// turns remember the values before each turn, so that as many notches back give the same value
// again, even one that lies between two notches. The zero value is empty.
type turns struct {
	problem *targets.Problem
	of      map[laneParam][]turn // the newest last; each begins where the one before ends
}

// laneParam is a parameter, by its key, of the lane with an ID.
type laneParam struct {
	lane int
	key  string
}

// turn is a turn by notches.
type turn struct{ notches, from, to float64 }

// mostTurns bounds what is remembered of a parameter.
const mostTurns = 100

// turn returns a lane's value of a parameter after a turn. If that and the newest turns before it
// cancel out, it is the value before them.
func (t *turns) turn(s *engine.Snapshot, l *engine.LaneView, p param.Param, notches float64) float64 {
	if t.problem != s.Problem.Opened() || t.of == nil {
		t.problem, t.of = s.Problem.Opened(), map[laneParam][]turn{}
	}
	at, now := laneParam{l.ID, p.Key}, l.Setting.Value(p.Key)
	past := t.of[at]
	if n := len(past); n > 0 && past[n-1].to != now { // it has come there otherwise
		past = nil
	}
	sum := notches
	for i := len(past) - 1; i >= 0; i-- {
		// What an end of the scale has cut short may lie on the other side.
		if sum += past[i].notches; sum == 0 && (past[i].from > now) == (notches > 0) && past[i].from != now {
			t.of[at] = past[:i]
			return past[i].from
		}
	}
	to := p.Turn(now, notches)
	if to != now {
		t.of[at] = append(past[max(0, len(past)-mostTurns):], turn{notches, now, to})
	}
	return to
}
