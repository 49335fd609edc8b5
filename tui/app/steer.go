package app

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/tui/view/stage"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// selectBy selects another parameter and says what it is, which a symbol of one
// letter may not.
func (m *model) selectBy(by int) tea.Cmd {
	m.Focus.SelectBy(m.Feed.Shown, by)
	p, ok := m.Selected()
	if !ok {
		return nil
	}
	return m.Say(false, p.Symbol+": "+p.Doc)
}

// turn moves the selected parameter by notches, in each of linked lanes from the
// value that it has there: a turn back gives that value again. A choice has no
// notches: linked lanes take the same one.
func (m *model) turn(notches float64) tea.Cmd {
	p, ok := m.Selected()
	if !ok {
		return nil
	}
	s := m.Feed.Shown
	old := m.Lane().Setting.Value(p.Key)
	x := p.Turn(old, notches)
	if p.Scale != param.Choice {
		x = m.turns.turn(s, m.Lane(), p, notches)
	}
	to, moved, alike := [engine.MaxLanes]float64{}, x != old, true
	if m.Focus.Target(s) == engine.AllLanes && p.Scale != param.Choice {
		for i := range s.Lanes {
			q, ok := paramOf(s.Problem, &s.Lanes[i], p.Key)
			if !ok {
				continue
			}
			if to[i] = x; s.Lanes[i].ID != m.Lane().ID {
				to[i] = m.turns.turn(s, &s.Lanes[i], q, notches)
			}
			moved, alike = moved || to[i] != s.Lanes[i].Setting.Value(p.Key), alike && to[i] == x
		}
	}
	switch {
	case !moved:
		return m.Say(false, fmt.Sprintf("%s %s is the end of its scale; %s types a value beyond", p.Symbol, p.Format(x), m.Key("type a value")))
	case alike:
		return m.setParam(p, x)
	}
	cmd := m.Feed.Send(engine.SetEach{Key: p.Key, Values: to}, func(s *engine.Snapshot) {
		for i := range s.Lanes {
			if l := &s.Lanes[i]; i < len(to) && l.Setting.Has(p.Key) {
				l.Setting = l.Setting.With(p.Key, to[i])
			}
		}
	})
	return tea.Batch(cmd, m.atRestart(p, x))
}

// paramOf is a lane's own parameter with a key.
func paramOf(p *targets.Problem, l *engine.LaneView, key string) (param.Param, bool) {
	all := engine.Params(p, l.Setting.Sampler)
	i := slices.IndexFunc(all, func(q param.Param) bool { return q.Key == key })
	if i < 0 {
		return param.Param{}, false
	}
	return all[i], true
}

// setParam sets a parameter in the lanes that turns apply to.
func (m *model) setParam(p param.Param, x float64) tea.Cmd {
	at := m.Focus.Target(m.Feed.Shown)
	ids := laneIDs(m.Feed.Shown, at)
	cmd := m.Feed.Send(engine.SetParam{Lane: at, Key: p.Key, Value: x}, func(s *engine.Snapshot) {
		for i := range s.Lanes {
			if l := &s.Lanes[i]; slices.Contains(ids, l.ID) && l.Setting.Has(p.Key) {
				l.Setting = l.Setting.With(p.Key, x)
			}
		}
	})
	return tea.Batch(cmd, m.atRestart(p, x))
}

// atRestart says of a parameter that is read at the start alone when its new value
// will be in force.
func (m *model) atRestart(p param.Param, x float64) tea.Cmd {
	if !p.AtStart {
		return nil
	}
	return m.Say(false, fmt.Sprintf("%s %s takes effect at restart (%s)", p.Symbol, p.Format(x), m.Key("restart")))
}

// laneIDs lists the lanes that a command's lane stands for.
func laneIDs(s *engine.Snapshot, at int) []int {
	var ids []int
	for i, l := range s.Lanes {
		if at == engine.AllLanes || at == i {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// faster moves along the speeds of slow motion by places; the last one is no
// limit.
func (m *model) faster(by int) tea.Cmd {
	speeds := [...]float64{1, 10, 100, 1000, 0}
	now := m.Feed.Shown.Speed
	i := 0
	for i < len(speeds)-1 && (now == 0 || speeds[i] < now) {
		i++
	}
	if by > 0 && speeds[i] > now && now > 0 {
		by-- // a speed between two of them, as the palette can set
	}
	return m.setSpeed(speeds[min(max(i+by, 0), len(speeds)-1)])
}

func (m *model) setSpeed(perSecond float64) tea.Cmd {
	text := "full speed"
	if perSecond > 0 {
		text = fmt.Sprintf("%g %s/s", perSecond, map[bool]string{true: "step", false: "steps"}[perSecond == 1])
	}
	cmd := m.Feed.Send(engine.SetSpeed{PerSecond: perSecond}, func(s *engine.Snapshot) { s.Speed = perSecond })
	return tea.Batch(cmd, m.Say(false, text))
}

// pause pauses or goes on.
func (m *model) pause() tea.Cmd {
	switch s := m.Feed.Shown; {
	case s.Tape.Seeking:
		return m.halt()
	case s.Phase == engine.Running:
		return m.Feed.Send(engine.Pause{}, func(s *engine.Snapshot) { s.Phase = engine.Paused })
	case s.Phase == engine.AllDiverged:
		return m.Say(true, fmt.Sprintf("every lane has diverged: %s goes back with half the ε, %s restarts", m.Key("rewind and halve ε"), m.Key("restart")))
	default:
		return m.Feed.Send(engine.Resume{}, func(s *engine.Snapshot) { s.Phase = engine.Running })
	}
}

// pauseWord is what the key that pauses does, for the footer.
func (m *model) pauseWord() (string, int) {
	if m.Feed.Shown.Phase == engine.Paused {
		return "go on", 3
	}
	return "pause", 3
}

// whenLost is a word for the footer, and its rank, where a lane has diverged.
func (m *model) whenLost(word string, rank int) func() (string, int) {
	return func() (string, int) {
		if control.Diverged(m.Feed.Shown) {
			return word, rank
		}
		return "", 0
	}
}

// stepBy runs a number of steps and pauses.
func (m *model) stepBy(n uint64) tea.Cmd {
	return m.Feed.Send(engine.StepBy{N: n}, func(s *engine.Snapshot) {
		if s.Phase == engine.Running {
			s.Phase = engine.Paused
		}
	})
}

func (m *model) restart(seed uint64) tea.Cmd {
	return m.Feed.Send(engine.Restart{Seed: seed}, func(s *engine.Snapshot) { s.Config.Seed = seed })
}

// rewindSteps is how far a rewind goes back.
const rewindSteps = stage.RewindSteps

// lost tells of a lane that has diverged since a snapshot.
func (m *model) lost(before *engine.Snapshot) tea.Cmd {
	if m.tape.on { // it is known
		return nil
	}
	for _, l := range m.Feed.Snap.Lanes {
		if l.Diverged == nil || slices.ContainsFunc(before.Lanes, func(o engine.LaneView) bool { return o.ID == l.ID && o.Diverged != nil }) {
			continue
		}
		return m.Say(true, fmt.Sprintf("%s diverged at step %s; %s goes back with half the ε: %s",
			engine.LaneLetter(l.ID), plane.Count(l.Diverged.Step), m.Key("rewind and halve ε"), l.Diverged.Reason()))
	}
	return nil
}

// rescue takes diverged lanes back, with half the ε or with one that was turned down
// since: the focused one if lanes are separate and it is among them, else all of them.
func (m *model) rescue() tea.Cmd {
	if !control.Diverged(m.Feed.Shown) {
		return m.Say(false, fmt.Sprintf("no lane has diverged; %s goes back %d steps with the same ε", m.Key("rewind"), rewindSteps))
	}
	s := m.Feed.Shown
	back := func(at int, factor float64) tea.Cmd {
		return m.Feed.Send(engine.Rewind{Lane: at, Steps: rewindSteps, EpsFactor: factor}, nil)
	}
	if m.Focus.Separate && m.Lane().Diverged != nil {
		return back(m.Focus.Index(s), stage.RescueFactor(m.Lane()))
	}
	var lost []int
	alike := true
	for i := range s.Lanes {
		if s.Lanes[i].Diverged != nil {
			lost = append(lost, i)
			alike = alike && stage.RescueFactor(&s.Lanes[i]) == stage.RescueFactor(&s.Lanes[lost[0]])
		}
	}
	if alike {
		return back(engine.AllLanes, stage.RescueFactor(&s.Lanes[lost[0]]))
	}
	var each []tea.Cmd
	for _, i := range lost {
		each = append(each, back(i, stage.RescueFactor(&s.Lanes[i])))
	}
	return tea.Batch(each...)
}

func (m *model) rewind(steps uint64, factor float64) tea.Cmd {
	return m.Feed.Send(engine.Rewind{Lane: m.Focus.Target(m.Feed.Shown), Steps: steps, EpsFactor: factor}, nil)
}

func (m *model) race() tea.Cmd {
	on := !m.Feed.Shown.Config.Race
	text := "lanes step together"
	if on {
		text = "lanes race by the clock"
	}
	cmd := m.Feed.Send(engine.SetRace{On: on}, func(s *engine.Snapshot) { s.Config.Race = on })
	return tea.Batch(cmd, m.Say(false, text))
}

// removeLane ends the focused lane and focuses the one in its place.
func (m *model) removeLane() tea.Cmd {
	s := m.Feed.Shown
	at := m.Focus.Index(s)
	if len(s.Lanes) == 1 {
		return m.Say(true, "a session has at least one lane")
	}
	id := s.Lanes[at].ID
	cmd := m.Feed.Send(engine.RemoveLane{Lane: at}, func(s *engine.Snapshot) {
		if len(s.Lanes) > 1 {
			s.Lanes = slices.DeleteFunc(s.Lanes, func(l engine.LaneView) bool { return l.ID == id })
		}
	})
	s = m.Feed.Shown
	m.Focus.Lane = s.Lanes[min(at, len(s.Lanes)-1)].ID
	return cmd
}
