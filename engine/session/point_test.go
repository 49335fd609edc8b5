package session

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// A datum that is added before the first step makes the chains of a session that began with it, to the bit: data, N,
// minibatches, epochs and the curvature's are those of the new target.
func TestPointAtStart(t *testing.T) {
	innerlooptest.Later(t, "many sessions")
	for spec, with := range map[string]string{"regress": "regress:points=0.5,2", "classify": "classify:points=0.5,2,1"} {
		digests := func(spec string, ahead ...state.Event) (all []string) {
			c := config(open(t, spec), 0, nil, "sgld", "psgld", "hmc")
			c.Steps, c.Bias = 700, true
			s, err := New(c, open(t, spec), Runtime{Replay: append(ahead, state.Event{At: []uint64{700, 700, 700},
				Command: state.Pause{}})})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, l := range s.lanes {
				all = append(all, l.Measures().Digest().Digest)
			}
			return all
		}
		d := targets.Datum{X: 0.5, Y: 2, Class: float64(map[string]int{"classify": 1}[spec])}
		got := digests(spec, state.Event{At: []uint64{0, 0, 0}, Command: state.AddPoint{Datum: d}})
		for i, want := range digests(with) {
			if got[i] != want {
				t.Errorf("%s: lane %d has %s, begun with it %s", spec, i, got[i], want)
			}
		}
	}
}

// A datum in mid-run has a mark and a window in each lane and one undo. ε stays, and so does a minibatch, but one of
// all data. The truth is of other data until it is found anew or the datum is taken away. Recordings and the tape have
// it.
func TestPoint(t *testing.T) {
	innerlooptest.Skip(t, "many sessions")
	for spec, class := range map[string]float64{"regress": 0, "classify": 1} {
		if testing.Short() && class == 0 {
			continue // a command of the same session
		}
		p := open(t, spec)
		c := config(p, 0, nil, "sgld", "psgld")
		c.Lanes[1].Values["batch"] = float64(p.N())
		l := start(t, c, Runtime{Interactive: true})
		p = l.Snapshot().Problem
		l.do(in(state.Paused), state.Pause{})
		l.do(nil, state.Restart{Seed: 1})
		run := func(n uint64) *engine.Snapshot {
			t.Helper()
			to := l.Snapshot().Lanes[0].Step + n
			return l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == to },
				state.StepBy{N: n})
		}
		is := func(what string, s *engine.Snapshot, more int) {
			t.Helper()
			n := p.N() + more
			if s.Problem.N() != n || len(s.Problem.Added) != more || s.Config.Target != s.Problem.Spec ||
				s.Problem.Opened() != p {
				t.Errorf("%s, %s: %s, N = %d", spec, what, s.Config.Target, s.Problem.N())
			}
			a, b := s.Lanes[0].Setting, s.Lanes[1].Setting
			if a.Value("batch") != c.Lanes[0].Value("batch") || b.Value("batch") != float64(n) || a.Eps() != c.Lanes[0].Eps() {
				t.Errorf("%s, %s: %v and %v", spec, what, a.Values, b.Values)
			}
			why := metrics.OK
			if more > 0 {
				why = metrics.OtherTruth
			}
			if got := s.Lanes[0].Values[quantity.FnError].Status; (got == metrics.OtherTruth) != (why == metrics.OtherTruth) {
				t.Errorf("%s, %s: the error of the function is %q", spec, what, got)
			}
		}
		is("at first", run(6000), 0)
		datum := state.AddPoint{Datum: targets.Datum{X: 0, Y: 2, Class: class}}
		s := l.do(nil, datum)
		is("added", s, 1)
		want := state.DataChange{Was: "[]", Added: s.Marks[0].Change.(state.DataChange).Added, From: p.N(), N: p.N() + 1}
		if len(s.Marks) != 2 || s.Marks[1].Change != state.Change(want) || s.Lanes[0].Draws != 0 || !s.CanUndo {
			t.Errorf("%s: %+v, %d draws", spec, s.Marks, s.Lanes[0].Draws)
		}
		is("run on", run(2000), 1)
		is("another", l.do(nil, datum), 2)
		run(500)
		is("undone", l.do(nil, state.Undo{}), 1)
		is("redone", l.do(nil, state.Redo{}), 2)
		run(500)
		is("rewound", l.do(nil, state.Rewind{Lane: 0, Steps: 1200, EpsFactor: 1}), 2)
		run(300)
		is("cleared", l.do(nil, state.ClearPoints{}), 0)
		run(300)
		if s := l.do(nil, state.ClearPoints{}); s.Notice.Err() == nil {
			t.Errorf("%s: cleared twice", spec)
		}
		is("undone", l.do(nil, state.Undo{}), 2)
		ref := &targets.Reference{By: "hmc", Draws: 9, MinESS: 9, PriorVar: 1}
		for range s.Problem.F64.(targets.Functional).Places() {
			ref.Mean, ref.SD = append(ref.Mean, 0), append(ref.SD, 1)
		}
		found := l.do(nil, state.SetTruth{Truth: state.Truth{Sampler: "hmc"}, Found: ref})
		if found.Problem.Known() != ref || len(found.Problem.Added) != 2 {
			t.Errorf("%s: held to %+v", spec, found.Problem.Known())
		}
		run(300)
		if s := l.do(nil, datum); s.Problem.Known() != nil || s.Config.Truth.Wanted() {
			t.Errorf("%s: the truth stays", spec)
		}
		if s := l.do(nil, state.Undo{}); s.Problem.Known() != ref || !s.Config.Truth.Wanted() {
			t.Errorf("%s: the truth does not come back", spec)
		}
		end := run(100).Tape.At
		for _, to := range []uint64{end - 3000, end} {
			l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == to }, state.Seek{To: to})
		}
		_ = l.stop()
		rec := l.Recording("test")
		truth := func(state.Config, *targets.Problem) (*targets.Reference, error) { return ref, nil }
		if err := Verify(t.Context(), rec, Runtime{Truth: truth}); err != nil {
			t.Error(err)
		}
	}
}
