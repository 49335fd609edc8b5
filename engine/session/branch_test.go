package session

import (
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/timeline"
)

// A branch leaves the tape that it is a branch of to return to, with its future and
// the keyframes of it; Return comes by all sessions that were left in turn.
func TestBranchKeepsTheFuture(t *testing.T) {
	p := open(t, "gaussian")
	s, err := New(config(p, 0, nil, "psgld", "sgld"), p, Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	s.line = timeline.New[engine.LoggedCommand, *sessionCopy](nil, everyChunk)
	l := running(t, s)
	l.do(in(state.Paused), state.Pause{})
	l.do(nil, state.Restart{Seed: 1})
	for range 4 {
		at := l.do(nil).Tape.At
		l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == at+100 }, state.StepBy{N: 100})
		l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.1 + float64(at)/1000})
	}
	whole := l.do(nil)
	half := l.at(whole.Tape.At - 150)
	if s := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.02}); s.Tape.End != half.Tape.At || !s.CanReturn {
		t.Fatalf("the branch: %+v", s.Tape)
	}
	l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == half.Tape.At+30 }, state.StepBy{N: 30})
	l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.03}) // at the end of its tape it has none
	l.do(nil, state.Load{Config: config(p, 0, nil, "sgld"), Problem: p, Paused: true})
	back := func(lanes int, at, end uint64, eps float64) *engine.Snapshot {
		t.Helper()
		l.do(nil, state.Return{})
		s := l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && !s.Tape.Seeking })
		if len(s.Lanes) != lanes || s.Tape.At != at || s.Tape.End != end || s.Lanes[0].Setting.Eps() != eps {
			t.Fatalf("%d lanes at %d of %d, ε %g; want %d at %d of %d, ε %g", len(s.Lanes), s.Tape.At, s.Tape.End, s.Lanes[0].Setting.Eps(), lanes, at, end, eps)
		}
		if want := (state.Loaded{Title: p.Title, Seed: 1, Back: true}); s.Notice.Fact != want {
			t.Errorf("it says %+v, want %+v", s.Notice.Fact, want)
		}
		return s
	}
	sgld := state.DefaultSetting(p, "sgld").Eps()
	for range 2 {
		back(2, half.Tape.At+30, half.Tape.At+30, 0.03)
		same := back(2, half.Tape.At, whole.Tape.End, half.Lanes[0].Setting.Eps())
		if len(same.Tape.Events) != len(whole.Tape.Events) || !slices.Equal(same.Lanes[0].TrailX, half.Lanes[0].TrailX) {
			t.Errorf("%d events of %d, the trail differs", len(same.Tape.Events), len(whole.Tape.Events))
		}
		back(1, 0, 0, sgld)
	}
	back(2, half.Tape.At+30, half.Tape.At+30, 0.03)
	back(2, half.Tape.At, whole.Tape.End, half.Lanes[0].Setting.Eps())
	if end := l.at(whole.Tape.At); end.Lanes[1].Now != whole.Lanes[1].Now || end.Lanes[0].Draws != whole.Lanes[0].Draws {
		t.Errorf("the future ends at %v, was %v", end.Lanes[1].Now, whole.Lanes[1].Now)
	}
	_ = l.stop()
	if s.line.Keyframes() < 4 {
		t.Errorf("%d keyframes are left", s.line.Keyframes())
	}
}

// A command that is refused makes no branch.
func TestRefusedCommandsKeepTheTape(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld"), Runtime{Interactive: true})
	l.do(in(state.Paused), state.Pause{})
	at := l.do(nil).Tape.At
	l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == at+100 }, state.StepBy{N: 100})
	l.at(at + 50)
	if s := l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: -1}); s.Tape.End != at+100 || s.CanReturn || s.Notice.Err() == nil {
		t.Errorf("%+v, CanReturn %v, %+v", s.Tape, s.CanReturn, s.Notice)
	}
}

// A turn of each parameter has one mark a step, whatever is turned between.
func TestMarksOfTurnsBetween(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.2}, state.SetParam{Lane: 0, Key: "lambda", Value: 0.1})
	s := l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.4})
	if n := len(s.Marks); n != 2 || s.Marks[1].Change != state.Change(state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.3, To: 0.4}) {
		t.Errorf("%v", s.Marks)
	}
}
