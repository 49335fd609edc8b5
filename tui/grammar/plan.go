package grammar

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// A Planned move is made when its lane, or each lane, is at a step: one for all lanes or, of a
// move without a lane, one for each.
type Planned struct {
	At []uint64
	Move
	item int // its place in the text, from 1
}

// planned is what a move of a plan can be beside a setting.
var planned = []string{Sampler, Until, Remove, Point}

// Plan reads moves apart by semicolons, each behind its step, as in "12400 eps=0.3; 15000 B alpha=0.999". Steps of one
// for each lane are apart by slashes. The error names the item.
func Plan(text string) ([]Planned, error) {
	var all []Planned
	item := 0
	for part := range strings.SplitSeq(text, ";") {
		item++
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		m, err := parsePlanned(part)
		if err != nil {
			return nil, itemError(item, part, err)
		}
		m.item = item
		all = append(all, m)
	}
	return all, nil
}

func itemError(item int, text string, err error) error {
	const most = 80
	if all := []rune(text); len(all) > most {
		text = string(all[:most]) + "…"
	}
	return fmt.Errorf("item %d, %q: %s", item, text, printable.Line(err.Error()))
}

func parsePlanned(text string) (p Planned, err error) {
	steps, rest, _ := strings.Cut(text, " ")
	for step := range strings.SplitSeq(steps, "/") {
		n, err := Count(step, 0)
		if err != nil {
			return p, fmt.Errorf("its step %w, as in 12400 eps=0.3", err)
		}
		if n > 1<<53 {
			return p, fmt.Errorf("its step must be at most 2^53, got %s", step)
		}
		if p.At = append(p.At, n); len(p.At) > state.MaxLanes {
			return p, fmt.Errorf("it has more than %d steps, one a lane", state.MaxLanes)
		}
	}
	p.Move = moveOf(strings.TrimSpace(rest))
	keys := slices.DeleteFunc(settingNames(), func(key string) bool { return key == state.KeyChains })
	setting := state.OfTarget(p.Name) || slices.Contains(keys, p.Name)
	switch {
	case p.Name == "":
		return p, errors.New("it has a step alone, want a move behind it as in 12400 eps=0.3")
	case !setting && !slices.Contains(planned, p.Name):
		return p, fmt.Errorf("%s cannot be planned%s, want KEY=VALUE, %s", p.Name,
			list.Hint("%q", p.Name, append(keys, planned...)), strings.Join(planned, ", "))
	case setting && p.Arg == "":
		return p, fmt.Errorf("%s has no value, want one as in 12400 eps=0.3", p.Name)
	}
	if err := p.Check(); err != nil {
		return p, err
	}
	if len(p.At) > 1 && p.Lane != state.AllLanes {
		return p, fmt.Errorf("it has %d steps for one lane", len(p.At))
	}
	return p, nil
}

// String writes the move as Plan reads it.
func (p Planned) String() string {
	return strings.Join(list.Map(p.At, func(n uint64) string { return strconv.FormatUint(n, 10) }), "/") + " " +
		p.Move.String()
}

// Events reads --moves of a, of a session of c on its opened target, as events ahead. Each
// move is checked with the settings that are in force by then.
func (a Args) Events(c state.Config, p *targets.Problem) ([]state.Event, error) {
	all, err := Plan(a[flagMoves])
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flagMoves, err)
	}
	begun, err := state.Start(c, p, state.State{})
	if err != nil {
		return nil, err
	}
	sim := simulation{State: begun}
	var events []state.Event
	for _, m := range all {
		more, err := sim.make(m)
		if err == nil && c.Steps > 0 && slices.Max(m.At) > c.Steps {
			err = fmt.Errorf("it is behind the last step, --%s %d", flagSteps, c.Steps)
		}
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", flagMoves, itemError(m.item, m.String(), err))
		}
		events = append(events, more...)
	}
	sim.place(events)
	return events, nil
}

// LastMove is the last step of the moves of events.
func LastMove(events []state.Event) uint64 {
	return list.Max(events, func(e state.Event) uint64 { return slices.Max(e.At) })
}

// never is the step of an event of which a lane knows nothing.
const never = math.MaxUint64

// simulation is a session as moves leave it, without its steps.
type simulation struct {
	state.State
	at [state.MaxLanes]uint64 // the newest move's step, by a lane's ID
	// Of each event, the lanes that it finds, and their steps by place or never.
	ids   [][]int
	steps [][]uint64
}

// make makes a move, and returns its events, without their places.
func (s *simulation) make(m Planned) ([]state.Event, error) {
	commands, err := m.Commands(s.State)
	if err != nil {
		return nil, err
	}
	if n := len(s.Lanes); len(m.At) > 1 && len(m.At) != n {
		return nil, fmt.Errorf("it has %d steps where there are %d lanes", len(m.At), n)
	}
	ids, steps := s.IDs(), make([]uint64, len(s.Lanes))
	for i := range s.Lanes {
		l := &s.Lanes[i]
		without := m.Lane == state.AllLanes && slices.Contains(ParamKeys(), m.Name) && !l.Setting.Has(m.Name)
		if steps[i] = never; without || m.Lane != state.AllLanes && m.Lane != l.ID {
			continue
		}
		steps[i] = m.At[min(i, len(m.At)-1)]
		if steps[i] < s.at[l.ID] {
			return nil, fmt.Errorf("lane %s is at step %d by then, want the moves of a lane in the order of their steps",
				state.LaneLetter(l.ID), s.at[l.ID])
		}
		s.at[l.ID], l.Place.Step = steps[i], steps[i]
	}
	var events []state.Event
	for _, c := range commands {
		c, logged, err := state.Resolve(s.State, c, state.Opener{})
		if err == nil {
			s.State, _, err = state.Apply(s.State, c)
		}
		if err != nil {
			return nil, err
		}
		events = append(events, state.Event{Command: logged, Move: m.String()})
		s.ids, s.steps = append(s.ids, ids), append(s.steps, steps)
	}
	return events, nil
}

// place sets each event's steps. A lane of which an event knows nothing goes on to the same
// step, unless it has a move of its own before that.
func (s *simulation) place(events []state.Event) {
	var next, upTo [state.MaxLanes]uint64
	for id := range next {
		next[id] = never
	}
	bounds := make([][state.MaxLanes]uint64, len(events))
	for k := len(events) - 1; k >= 0; k-- {
		bounds[k] = next
		for i, id := range s.ids[k] {
			next[id] = min(next[id], s.steps[k][i])
		}
	}
	for k := range events {
		most := uint64(0)
		for _, n := range s.steps[k] {
			if n != never {
				most = max(most, n)
			}
		}
		for i, id := range s.ids[k] {
			n := s.steps[k][i]
			if n == never {
				n = max(upTo[id], min(most, bounds[k][id]))
			}
			upTo[id] = n
			events[k].At = append(events[k].At, n)
		}
	}
}
