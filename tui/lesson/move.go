package lesson

import (
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// A Move is something that a user does: it runs steps, or sends a command.
type Move struct {
	Run  uint64 // steps; 0 for a command
	verb string
	key  string // of a parameter, or "lr" or "schedule"
	text string // its value, or a sampler's name
	lane int    // an ID, or engine.AllLanes

	seed   uint64
	steps  uint64
	factor float64
}

// String is the move as it is written in a lesson.
func (m Move) String() string {
	lane := "all"
	if m.lane >= 0 {
		lane = engine.LaneLetter(m.lane)
	}
	switch m.verb {
	case verbRun:
		return fmt.Sprintf("{ run = %d }", m.Run)
	case verbSet:
		return fmt.Sprintf("{ set = %q, to = %q, lane = %q }", m.key, m.text, lane)
	case verbSampler:
		return fmt.Sprintf("{ sampler = %q, lane = %q }", m.text, lane)
	case verbAdd:
		return fmt.Sprintf("{ add = %q, like = %q }", m.text, lane)
	case verbRemove:
		return fmt.Sprintf("{ remove = %q }", lane)
	case verbRewind:
		return fmt.Sprintf("{ rewind = %d, factor = %g }", m.steps, m.factor)
	case verbSeed:
		return fmt.Sprintf("{ seed = %d }", m.seed)
	}
	return fmt.Sprintf("{ %s = true }", m.verb)
}

const (
	verbRun     = "run"
	verbSet     = "set"
	verbSampler = "sampler"
	verbAdd     = "add"
	verbRemove  = "remove"
	verbRestart = "restart"
	verbSeed    = "seed"
	verbRewind  = "rewind"
	verbUndo    = "undo"
)

// verbs are the keys of which a move has exactly one.
var verbs = []string{verbRun, verbSet, verbSampler, verbAdd, verbRemove, verbRestart, verbSeed, verbRewind, verbUndo}

// moveFile is a move as it is read.
type moveFile struct {
	Run     *uint64  `toml:"run"`
	Set     *string  `toml:"set"`
	To      any      `toml:"to"`
	Lane    *string  `toml:"lane"`
	Sampler *string  `toml:"sampler"`
	Add     *string  `toml:"add"`
	Like    *string  `toml:"like"`
	Remove  *string  `toml:"remove"`
	Restart *bool    `toml:"restart"`
	Seed    *uint64  `toml:"seed"`
	Rewind  *uint64  `toml:"rewind"`
	Factor  *float64 `toml:"factor"`
	Undo    *bool    `toml:"undo"`
}

func (f *moveFile) move() (Move, error) {
	m := Move{lane: engine.AllLanes, factor: 1}
	given := map[string]bool{
		verbRun: f.Run != nil, verbSet: f.Set != nil, verbSampler: f.Sampler != nil, verbAdd: f.Add != nil, verbRemove: f.Remove != nil,
		verbRestart: f.Restart != nil, verbSeed: f.Seed != nil, verbRewind: f.Rewind != nil, verbUndo: f.Undo != nil,
	}
	for _, v := range verbs {
		if given[v] && m.verb != "" {
			return m, fmt.Errorf("has both %s and %s; a move has one of %s", m.verb, v, strings.Join(verbs, ", "))
		}
		if given[v] {
			m.verb = v
		}
	}
	for _, only := range []struct {
		key   string
		given bool
		with  []string
	}{
		{"to", f.To != nil, []string{verbSet}}, {"lane", f.Lane != nil, []string{verbSet, verbSampler, verbRewind}},
		{"like", f.Like != nil, []string{verbAdd}}, {"factor", f.Factor != nil, []string{verbRewind}},
	} {
		if only.given && !slices.Contains(only.with, m.verb) {
			return m, fmt.Errorf("%s belongs to %s", only.key, strings.Join(only.with, ", "))
		}
	}
	lane := func(name string, text *string, all bool) (err error) {
		if text == nil {
			return nil
		}
		id, ok := laneOf(*text)
		switch {
		case ok:
			m.lane = id
		case !all:
			err = fmt.Errorf("%s must be A, B, C or D, got %q", name, *text)
		case *text != "all":
			err = fmt.Errorf("%s must be A, B, C, D or all, got %q", name, *text)
		}
		return err
	}
	err := lane("lane", f.Lane, true)
	switch m.verb {
	case "":
		return m, fmt.Errorf("is empty; a move has one of %s", strings.Join(verbs, ", "))
	case verbRun:
		if m.Run = *f.Run; m.Run == 0 || m.Run > maxRun {
			err = fmt.Errorf("run must be from 1 to %d steps, got %d", uint64(maxRun), m.Run)
		}
	case verbSet:
		m.key = *f.Set
		keys := append([]string{"lr", "schedule"}, grammar.ParamKeys()...)
		if !slices.Contains(keys, m.key) {
			return m, fmt.Errorf("set must be a parameter's key, lr or schedule, got %q%s", m.key, targets.Hint("%q", m.key, keys))
		}
		switch to := f.To.(type) {
		case string:
			m.text = to
		case int64, float64:
			m.text = fmt.Sprint(to)
		default:
			err = fmt.Errorf("to must be the value for %s, a number or a text, got %v", m.key, f.To)
		}
	case verbSampler, verbAdd:
		name := f.Sampler
		if m.verb == verbAdd {
			name = f.Add
			if err == nil {
				err = lane("like", f.Like, false)
			}
		}
		m.text = *name
		if _, ok := catalog.Find(m.text); !ok {
			return m, engine.UnknownSampler(m.text)
		}
	case verbRemove:
		err = lane("remove", f.Remove, false)
	case verbSeed:
		m.seed = *f.Seed
	case verbRewind:
		m.steps = *f.Rewind
		if f.Factor != nil {
			m.factor = *f.Factor
		}
	case verbRestart, verbUndo:
		if f.Restart != nil && !*f.Restart || f.Undo != nil && !*f.Undo {
			err = fmt.Errorf("%s must be true, got false", m.verb)
		}
	}
	return m, err
}

// maxRun bounds a move, so that a slip of the pen does not run for days.
const maxRun = 1e9

// Commands are what the move sends to a session that is as the snapshot shows; nil
// for a move that runs.
func (m Move) Commands(s *engine.Snapshot) ([]engine.Command, error) {
	lane := engine.AllLanes
	if m.lane >= 0 {
		lane = slices.IndexFunc(s.Lanes, func(v engine.LaneView) bool { return v.ID == m.lane })
		if lane < 0 {
			return nil, fmt.Errorf("there is no lane %s", engine.LaneLetter(m.lane))
		}
	}
	switch m.verb {
	case verbSet:
		return m.set(s, lane)
	case verbSampler:
		return []engine.Command{engine.SetSampler{Lane: lane, Name: m.text}}, nil
	case verbAdd:
		return []engine.Command{engine.AddLane{Name: m.text, Like: max(lane, 0)}}, nil
	case verbRemove:
		return []engine.Command{engine.RemoveLane{Lane: lane}}, nil
	case verbRestart:
		return []engine.Command{engine.Restart{Seed: s.Config.Seed}}, nil
	case verbSeed:
		return []engine.Command{engine.Restart{Seed: m.seed}}, nil
	case verbRewind:
		return []engine.Command{engine.Rewind{Lane: lane, Steps: m.steps, EpsFactor: m.factor}}, nil
	case verbUndo:
		return []engine.Command{engine.Undo{}}, nil
	}
	return nil, nil
}

// set sets a parameter of one lane or of all that have it. Lanes may read a text
// differently, as pSGLD and SGD do "1/N", so each is read by itself.
func (m Move) set(s *engine.Snapshot, lane int) ([]engine.Command, error) {
	if m.key == "schedule" {
		sch, first, err := sampler.ParseSchedule(m.text)
		if err != nil {
			return nil, fmt.Errorf("schedule %w", err)
		}
		all := []engine.Command{engine.SetSchedule{Lane: lane, Schedule: sch}}
		if first > 0 {
			all = append(all, engine.SetParam{Lane: lane, Key: sampler.KeyEps, Value: first})
		}
		return all, nil
	}
	lanes := s.Config.Lanes
	if lane >= 0 {
		lanes = lanes[lane : lane+1]
	}
	v, q, err := grammar.ParseValue(m.key, m.text, lanes, s.Problem)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.key, err)
	}
	return []engine.Command{engine.SetParam{Lane: lane, Key: q.Key, Value: v}}, nil
}
