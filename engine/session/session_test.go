package session

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/caught"
)

// hung is after how long a test gives up to wait for what must come, however busy the machine is.
const hung = 5 * time.Minute

// live is a running session with a way to wait for what it shows.
type live struct {
	*Session
	t    *testing.T
	sent uint64
	stop func() error
}

func start(t *testing.T, c state.Config, rt Runtime) *live {
	t.Helper()
	rt.Interactive = true
	s, err := New(c, open(t, c.Target), rt)
	if err != nil {
		t.Fatal(err)
	}
	return running(t, s)
}

func running(t *testing.T, s *Session) *live {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	l := &live{Session: s, t: t, stop: sync.OnceValue(func() error { cancel(); return <-done })}
	t.Cleanup(cancel)
	return l
}

// do sends commands and waits until a snapshot shows all of them applied and,
// if given, what is wanted.
func (l *live) do(want func(*engine.Snapshot) bool, cmds ...state.Command) *engine.Snapshot {
	l.t.Helper()
	for _, c := range cmds {
		l.sent = l.Send(c)
	}
	timeout := time.After(hung)
	for {
		if s := l.Snapshot(); s.Applied >= l.sent && (want == nil || want(s)) {
			return s
		}
		select {
		case <-l.Changed():
		case <-time.After(5 * time.Millisecond):
		case <-timeout:
			s := l.Snapshot()
			l.t.Fatalf("waited in vain: phase %v, applied %d of %d, tape %+v, notice %+v", s.Phase, s.Applied, l.sent, s.Tape, s.Notice)
		}
	}
}

func in(p state.Phase) func(*engine.Snapshot) bool {
	return func(s *engine.Snapshot) bool { return s.Phase == p }
}

func TestSteering(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{})
	l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step > 10000 })
	a := l.do(in(state.Paused), state.Pause{})
	if a.Lanes[0].Step != a.Lanes[1].Step {
		t.Errorf("lockstep lanes stand at %d and %d", a.Lanes[0].Step, a.Lanes[1].Step)
	}
	at := a.Lanes[0].Step
	if s := l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step >= at+7 }, state.StepBy{N: 7}); s.Lanes[0].Step != at+7 || s.Lanes[1].Step != at+7 {
		t.Errorf("7 steps on from %d: %d", at, s.Lanes[0].Step)
	}
	s := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.2})
	want := state.Changed{Step: at + 7, Lanes: []state.LaneChange{{Lane: 0, Change: state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.3, To: 0.2}}, {Lane: 1, Change: state.ParamChange{Sampler: "sgld", Key: "eps", From: 0.3, To: 0.2}}}, Of: 2}
	if !reflect.DeepEqual(s.Notice.Fact, want) || s.Lanes[1].Setting.Value("eps") != 0.2 || !s.CanUndo {
		t.Errorf("after the change: %+v", s.Notice)
	}
	if s = l.do(nil, state.Undo{}); s.Lanes[0].Setting.Value("eps") != 0.3 || !s.CanRedo || s.CanUndo {
		t.Errorf("after undo: ε %g", s.Lanes[0].Setting.Value("eps"))
	}
	if s = l.do(nil, state.SetParam{Lane: 0, Key: "alpha", Value: 2}); s.Notice.Err() == nil || s.Notice.Fact.(state.Refused).Err.Error() != "alpha must be in [0, 1), got 2" {
		t.Errorf("notice %+v", s.Notice)
	}
	l.do(func(s *engine.Snapshot) bool { return s.Lanes[1].Diverged != nil }, state.SetParam{Lane: 1, Key: "eps", Value: 0.7}, state.Resume{})
	l.do(func(s *engine.Snapshot) bool { return s.Lanes[1].Diverged == nil && s.Lanes[1].Executed > 0 }, state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 0.5})
	s = l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step > 1000 }, state.SetTarget{Target: "banana"})
	if s.Problem.Spec != "banana" || s.Config.Target != "banana" {
		t.Errorf("target %s", s.Problem.Spec)
	}
	s = l.do(func(s *engine.Snapshot) bool { return len(s.Lanes) == 4 }, state.AddLane{Name: "psgld"}, state.AddLane{Name: "sgld"})
	if s.Lanes[3].ID != 3 {
		t.Errorf("the fourth lane is %d", s.Lanes[3].ID)
	}
	l.do(nil, state.AddLane{Name: "sgld"})
	if s = l.do(func(s *engine.Snapshot) bool { return len(s.Lanes) == 3 }, state.RemoveLane{Lane: 1}); s.Lanes[1].ID != 2 {
		t.Errorf("after removing B the second lane is %d", s.Lanes[1].ID)
	}
	l.do(func(s *engine.Snapshot) bool {
		return s.Config.Seed == 9 && !slices.ContainsFunc(s.Lanes, func(l engine.LaneView) bool { return l.Step <= 100 })
	}, state.Restart{Seed: 9}, state.SetRace{On: true})
	to := make(chan engine.Saved, 1)
	l.do(nil, engine.Save{Version: "test", To: to})
	saved := <-to
	if d := saved.Draws; len(d) != 3 || len(d[0].Columns) != 2 || len(d[0].Columns[0]) < 100 || len(saved.Recording.End) != 3 || len(saved.Result.Lanes) != 3 {
		t.Errorf("saved %d lanes' draws, %+v", len(d), saved.Recording.End)
	}
	if err := Verify(context.Background(), saved.Recording, Runtime{}); err != nil {
		t.Errorf("what was saved in mid-run does not replay: %v", err)
	}
	if err := l.stop(); err != context.Canceled {
		t.Errorf("Run returned %v", err)
	}
	if err := Verify(context.Background(), l.Recording("test"), Runtime{}); err != nil {
		t.Errorf("the session does not replay: %v", err)
	}
}

// broken is a lane that panics.
type broken struct{ lane.Runner }

func (broken) Advance(uint64) { panic("broken") }

func TestAPanicInALaneIsAnError(t *testing.T) {
	for _, at := range []int{0, 1} {
		p := open(t, "gaussian")
		s, err := New(config(p, 1000, nil, "sgld", "psgld"), p, Runtime{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		s.lanes[at] = broken{s.lanes[at]}
		var lost *caught.Panic
		if err := s.Run(context.Background()); !errors.As(err, &lost) || lost.Value != "broken" {
			t.Errorf("lane %d: Run returned %v", at, err)
		}
	}
}

func TestLimitsPauseAnInteractiveSession(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 5000, nil, "sgld"), Runtime{})
	if s := l.do(in(state.Done)); s.Lanes[0].Step != 5000 {
		t.Errorf("done at step %d", s.Lanes[0].Step)
	}
	l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step > 5000 }, state.Resume{})
	if err := l.stop(); err != context.Canceled {
		t.Error(err)
	}
}

// On a fake clock: ten steps a second are ten steps a second.
func TestSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := open(t, "gaussian")
		c := config(p, 0, nil, "sgld")
		s, err := New(c, p, Runtime{Interactive: true, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		s.Send(state.SetSpeed{PerSecond: 10})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		time.Sleep(10*time.Second + 50*time.Millisecond)
		s.Send(state.Pause{})
		synctest.Wait()
		if n := s.Snapshot().Lanes[0].Step; n < 99 || n > 101 {
			t.Errorf("%d steps in 10 seconds at 10 a second", n)
		}
		cancel()
		<-done
	})
}

// Whatever has happened, a replay on the screen pauses at its end.
func TestInteractiveReplay(t *testing.T) {
	p := open(t, "gaussian")
	s := script(t, config(p, 0, nil, "psgld", "sgld"), p, 1000, []state.Command{state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.1}, state.SetParam{Lane: 0, Key: "alpha", Value: 0.9}})
	rec := s.Recording("test")
	l := start(t, rec.Config, Runtime{Replay: rec.Script()})
	end := l.do(in(state.Paused))
	for i, v := range end.Lanes {
		if v.Executed != rec.End[i] || v.Setting.Value("eps") != 0.1 {
			t.Errorf("lane %d stops at %d with ε %g, want %d", i, v.Executed, v.Setting.Value("eps"), rec.End[i])
		}
	}
	if err := l.stop(); err != context.Canceled {
		t.Error(err)
	}
	if err := Verify(context.Background(), l.Recording("test"), Runtime{}); err != nil {
		t.Errorf("the replay's own recording: %v", err)
	}
}

// The processors that a screen adds to Go's scheduler stay the screen's: lanes take no more than there were.
func TestThreadsLeaveTheScreensProcessors(t *testing.T) {
	p := open(t, "gaussian")
	had := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(had + 2)
	defer runtime.GOMAXPROCS(had)
	if s := start(t, config(p, 1, nil, "psgld"), Runtime{Interactive: true}); s.rt.Threads != had {
		t.Errorf("%d threads on %d cores", s.rt.Threads, had)
	}
}
