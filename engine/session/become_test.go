package session

import (
	"errors"
	"reflect"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// What a snapshot's state becomes by a command is what the session becomes, so that the screen foresees it.
func TestBecomesAsForeseen(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{})
	before := l.do(func(s *engine.Snapshot) bool {
		return s.Phase == state.Paused && s.StepsLeft == 0
	}, state.StepBy{N: 500})
	seen := func(s state.State) []any {
		s.Mode.Seen = false
		for i := range s.Lanes {
			l := &s.Lanes[i]
			l.Born, l.Returns, l.Place.Seconds, l.Setting.Problem = 0, 0, 0, nil
		}
		return []any{s.Config.Seed, s.Config.Chains, s.Config.Race, s.Lanes, s.Mode}
	}
	for _, c := range []state.Command{
		state.SetParam{Lane: 0, Key: "eps", Value: 0.1},
		state.InGesture{Command: state.SetParam{Lane: 0, Key: "eps", Value: 0.2}},
		state.SetEach{Key: "eps", Values: [state.MaxLanes]float64{0.3, 0.4}},
		state.SetParam{Lane: 0, Key: "freeze", Value: state.FromNow},
		state.SetParam{Lane: state.AllLanes, Key: "target.a", Value: 2},
		state.SetSchedule{Lane: 1, Schedule: sampler.Schedule{Kind: "halve", Every: 100}},
		state.SetSampler{Lane: 1, Name: "adam"}, state.AddLane{Name: "sgd", Like: 1},
		state.Rewind{Lane: 0, Steps: 100, EpsFactor: 0.5}, state.RemoveLane{Lane: 1},
		state.Restart{Seed: 9, Chains: 2}, state.SetRace{On: true}, state.SetSpeed{PerSecond: 50},
		state.Watch{X: 1, Y: 0}, state.Pause{},
	} {
		want, _, err := state.Apply(before.State(), c)
		if err != nil {
			t.Fatalf("%#v: %v", c, err)
		}
		after := l.do(nil, c)
		if got := seen(after.State()); after.Notice.Err() != nil || !reflect.DeepEqual(got, seen(want)) {
			t.Errorf("%#v made (%v)\n%+v\nforeseen\n%+v", c, after.Notice.Err(), got, seen(want))
		}
		before = after
	}
}

// A sink that refuses its lane leaves the session as it was.
func TestRefusedSink(t *testing.T) {
	p := open(t, "gaussian")
	full := false
	rt := Runtime{Sink: func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) {
		if full {
			return nil, errors.New("the disk is full")
		}
		return nil, nil
	}}
	s, err := New(config(p, 0, nil, "psgld", "sgld"), p, rt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeLanes(s) })
	was, lanes := s.known(), s.lanes
	full = true
	for _, c := range []state.Command{state.AddLane{Name: "sgd"}, state.Restart{Seed: 5},
		state.SetTarget{Target: "banana"}, state.Load{Config: s.start, Problem: p}} {
		if _, err := s.do(c); err == nil || !reflect.DeepEqual(s.known(), was) || !reflect.DeepEqual(s.lanes, lanes) ||
			len(s.shelf.held) > 0 {
			t.Errorf("%#v: %v, and the session is\n%+v, was\n%+v", c, err, s.known(), was)
		}
	}
}
