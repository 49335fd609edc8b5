package grammar

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A Move is what is done to a session, in words: a setting gets a value, or a verb an argument.
type Move struct {
	Lane int    // the ID of the lane that it is for, or state.AllLanes
	Name string // a parameter's key, "lr", "schedule" or "chains", or a verb
	Arg  string
}

// The verbs. Those of the second line have no argument.
const (
	Run, Back, Sampler, Add, Seed, Speed, Until, Point = "run", "back", "sampler", "add", "seed", "speed", "until", "point"
	Remove, Restart, Undo, Redo                        = "remove", "restart", "undo", "redo"
)

// verbs are all of them, as an error lists them.
var verbs = []string{Run, Back, Sampler, Add, Seed, Speed, Until, Point, Remove, Restart, Undo, Redo}

// commands are what a move sends to a session, given the place of its lane there.
type commands func(s *state.State, lane int) ([]state.Command, error)

// always makes a command that is the same for every session.
func always(c state.Command) commands {
	return func(*state.State, int) ([]state.Command, error) { return []state.Command{c}, nil }
}

// ofLane makes a command of the place of a lane.
func ofLane(c func(lane int) state.Command) commands {
	return func(_ *state.State, lane int) ([]state.Command, error) { return []state.Command{c(lane)}, nil }
}

// Moves reads moves apart by semicolons, as in "eps=0.3; B sampler sgld; run 1000". What
// an argument is worth on a target is not checked.
func Moves(text string) ([]Move, error) {
	var all []Move
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		m, err := parseMove(part)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// parseMove reads one move: LANE KEY=VALUE or LANE VERB ARGUMENT, the lane's letter only where not all lanes are meant.
func parseMove(text string) (Move, error) {
	m := moveOf(text)
	if err := m.Check(); err != nil {
		return m, fmt.Errorf("%s: %w", m, err)
	}
	return m, nil
}

// moveOf reads a move without a look at what it says.
func moveOf(text string) Move {
	m := Move{Lane: state.AllLanes}
	word, rest, _ := strings.Cut(text, " ")
	if id, ok := Lane(word); ok {
		m.Lane, text = id, strings.TrimSpace(rest)
	}
	m.Name, m.Arg = Cut(text)
	return m
}

// Cut parts a name from its argument, which stands behind a blank or an equals sign.
func Cut(text string) (name, arg string) {
	if i := strings.IndexAny(text, " ="); i >= 0 {
		return text[:i], strings.TrimSpace(text[i+1:])
	}
	return text, ""
}

// Lane reads a lane's letter as its ID.
func Lane(text string) (id int, ok bool) {
	if len(text) != 1 {
		return 0, false
	}
	id = int(text[0]|0x20) - 'a'
	return id, id >= 0 && id < state.MaxLanes
}

// String writes the move as parseMove reads it.
func (m Move) String() string {
	text := m.Name
	if m.Lane != state.AllLanes {
		text = state.LaneLetter(m.Lane) + " " + text
	}
	switch {
	case m.Arg == "":
		return text
	case slices.Contains(settingNames(), m.Name) || state.OfTarget(m.Name):
		return text + "=" + m.Arg
	}
	return text + " " + m.Arg
}

// settingNames are the keys of all parameters, "lr", "schedule" and "chains".
func settingNames() []string { return append(ParamKeys(), flagLR, flagSchedule, state.KeyChains) }

// Check reads what can be read of a move without a session. The error says what is
// allowed, and leaves the move's name to the caller.
func (m Move) Check() error {
	_, err := m.read()
	return err
}

// Commands are what the move sends to a session in a state. The error is as Check's.
func (m Move) Commands(s state.State) ([]state.Command, error) {
	lane := state.AllLanes
	if m.Lane != state.AllLanes {
		if lane = slices.Index(s.IDs(), m.Lane); lane < 0 {
			return nil, fmt.Errorf("there is no lane %s", state.LaneLetter(m.Lane))
		}
	}
	send, err := m.read()
	if err != nil {
		return nil, err
	}
	return send(&s, lane)
}

// read reads the argument.
func (m Move) read() (commands, error) {
	switch m.Name {
	case Remove, Restart, Undo, Redo:
		if id, ok := Lane(m.Arg); ok {
			return nil, fmt.Errorf("stands behind its lane: %s %s", state.LaneLetter(id), m.Name)
		}
		if m.Arg != "" {
			return nil, fmt.Errorf("takes no value, got %q", m.Arg)
		}
	}
	switch m.Name {
	case Run:
		n, err := Count(m.Arg, 1)
		return always(state.StepBy{N: n}), err
	case Seed:
		n, err := Count(m.Arg, 0)
		return always(state.Restart{Seed: n}), err
	case Speed:
		if strings.EqualFold(m.Arg, "full") {
			return always(state.SetSpeed{}), nil
		}
		x, err := parsePositive(m.Arg)
		if err != nil {
			err = fmt.Errorf("must be positive or full, got %s", got(m.Arg))
		}
		return always(state.SetSpeed{PerSecond: x}), err
	case Until:
		if strings.EqualFold(m.Arg, "off") {
			return always(state.SetUntil{}), nil
		}
		u, err := quantity.ParseUntil(m.Arg)
		return always(state.SetUntil{Until: u}), err
	case Back:
		text, by, _ := strings.Cut(m.Arg, " ")
		n, err := Count(text, 0)
		factor := 1.0
		if by != "" && err == nil {
			factor, err = parsePositive(by)
		}
		return ofLane(func(lane int) state.Command {
			return state.Rewind{Lane: lane, Steps: n, EpsFactor: factor}
		}), err
	case Remove:
		if m.Lane == state.AllLanes {
			return nil, errors.New("needs a lane, as in B remove")
		}
		return ofLane(func(lane int) state.Command { return state.RemoveLane{Lane: lane} }), nil
	case Restart:
		return restart(0), nil
	case state.KeyChains:
		n, err := parseChains(m.Arg)
		return restart(n), err
	case Undo:
		return always(state.Undo{}), nil
	case Redo:
		return always(state.Redo{}), nil
	case Sampler, Add:
		return m.readSampler()
	case Point:
		return m.readPoint()
	case flagSchedule:
		return m.readSchedule()
	}
	if state.OfTarget(m.Name) {
		return m.readTarget()
	}
	if keys := settingNames(); !slices.Contains(keys, m.Name) {
		return nil, fmt.Errorf("is no parameter's key and none of %s%s", strings.Join(verbs, ", "),
			list.Hint("%q", m.Name, append(keys, verbs...)))
	}
	return func(s *state.State, lane int) ([]state.Command, error) {
		lanes := s.Settings()
		if lane >= 0 {
			lanes = lanes[lane : lane+1]
		}
		for _, l := range lanes {
			method, _ := catalog.Find(l.Sampler)
			if q, ok := method.Param(m.Name); ok && q.Step && m.Arg == now {
				return []state.Command{state.SetParam{Lane: lane, Key: q.Key, Value: state.FromNow}}, nil
			}
		}
		v, q, err := parseValue(m.Name, m.Arg, lanes, s.Problem)
		return []state.Command{state.SetParam{Lane: lane, Key: q.Key, Value: v}}, err
	}, nil
}

var errOfAll = errors.New("is of all lanes, and takes no lane's letter")

// OfTarget reports whether a move by that name is of the target, and so of all lanes.
func OfTarget(name string) bool { return state.OfTarget(name) || name == Point }

// clearPoints takes the data away that were added.
const clearPoints = "clear"

// readTarget reads a value of a parameter of the target, which is that of all lanes.
func (m Move) readTarget() (commands, error) {
	if m.Lane != state.AllLanes {
		return nil, errOfAll
	}
	x, err := strconv.ParseFloat(m.Arg, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, fmt.Errorf("must be a number, got %s", got(m.Arg))
	}
	return func(s *state.State, _ int) ([]state.Command, error) {
		q, _, ok := s.Problem.Param(m.Name)
		if !ok {
			return nil, fmt.Errorf("is no parameter of %s%s", s.Problem.Spec,
				list.Hint("%q", m.Name, list.Map(s.Problem.Params, func(q param.Param) string { return q.Key })))
		}
		return []state.Command{state.SetParam{Lane: state.AllLanes, Key: m.Name, Value: x}}, q.Check(x)
	}, nil
}

// readPoint reads a datum, or that those that were added are taken away.
func (m Move) readPoint() (commands, error) {
	if m.Lane != state.AllLanes {
		return nil, errOfAll
	}
	if m.Arg == clearPoints {
		return always(state.ClearPoints{}), nil
	}
	d, err := targets.ParseDatum(m.Arg)
	return func(s *state.State, _ int) ([]state.Command, error) {
		_, err := s.Problem.Plus(append(slices.Clip(s.Problem.Added), d))
		return []state.Command{state.AddPoint{Datum: d}}, err
	}, err
}

// restart begins again on the session's seed, with so many chains a lane, or as many as it has.
func restart(chains int) commands {
	return func(s *state.State, _ int) ([]state.Command, error) {
		return []state.Command{state.Restart{Seed: s.Config.Seed, Chains: chains}}, nil
	}
}

// readSampler reads the name of a method, which is to run on the target.
func (m Move) readSampler() (commands, error) {
	method, rest, ok := catalog.Cut(m.Arg)
	if !ok || rest != "" {
		return nil, state.UnknownSampler(m.Arg)
	}
	return func(s *state.State, lane int) ([]state.Command, error) {
		if why := method.Misfit(s.Problem); why != "" {
			return nil, errors.New(method.Title + " " + why)
		}
		if m.Name == Add {
			return []state.Command{state.AddLane{Name: method.Name, Like: max(lane, 0)}}, nil
		}
		return []state.Command{state.SetSampler{Lane: lane, Name: method.Name}}, nil
	}, nil
}

// readSchedule reads a schedule. A polynomial one sets ε too, to its first step.
func (m Move) readSchedule() (commands, error) {
	schedule, first, err := sampler.ParseSchedule(m.Arg)
	return func(s *state.State, lane int) ([]state.Command, error) {
		if schedule.Epochs && !s.Problem.HasData() {
			return nil, errors.New("in epochs needs a target with data")
		}
		var all []state.Command
		if first > 0 {
			all = append(all, state.SetParam{Lane: lane, Key: sampler.KeyEps, Value: first})
		}
		return append(all, state.SetSchedule{Lane: lane, Schedule: schedule}), nil
	}, err
}
