package session

import (
	"context"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// digits is a network that the tests of shifts share.
var digits = sync.OnceValue(func() *targets.Problem {
	p, err := targets.Open("mlp:20", targets.Options{Dataset: "strokes"})
	if err != nil {
		panic(err)
	}
	return p
})

// watched is a session of a network that has taken some steps and looks at its
// predictions.
func watched(t *testing.T, p *targets.Problem, c state.Config, threads int, steps uint64) *Session {
	t.Helper()
	s, err := New(c, p, Runtime{Interactive: true, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		closeLanes(s)
		s.side.Shifts(s.now.Problem).Rest()
	})
	s.now.Mode.Paused = true
	onward(s, steps)
	tell(t, s, state.Watch{Y: 1, Predictions: true})
	return s
}

func onward(s *Session, steps uint64) {
	for to := s.lanes[0].Standing().Odometer + steps; s.lanes[0].Standing().Odometer < to; {
		s.advance(context.Background(), to-s.lanes[0].Standing().Odometer)
	}
	for _, r := range s.lanes {
		r.Measures().Settle()
	}
}

// tell has a command applied, as Run does.
func tell(t *testing.T, s *Session, c state.Command) {
	t.Helper()
	s.inbox.Put(c)
	s.obey()
	s.workOutPhase()
	if s.pub.notice.Err() != nil {
		t.Fatalf("%T: %+v", c, s.pub.notice)
	}
}

// shiftOf is what the session says of a shift once it has answered it.
func shiftOf(t *testing.T, s *Session, shift targets.Shift) *predict.ShiftView {
	t.Helper()
	tell(t, s, state.SetShift{Shift: shift})
	s.publish()
	for ; ; s.publish() {
		if time.Sleep(time.Millisecond); s.pub.snap.Load().Shift.Settled() && !s.side.Shifts(s.now.Problem).News() {
			s.publish()
			return s.pub.snap.Load().Shift
		}
	}
}

// The numbers of shifted images do not depend on the number of threads, and the
// lanes' not on whether anybody looks.
func TestShiftChangesNothing(t *testing.T) {
	innerlooptest.Skip(t, "predictions of many draws")
	p := fewDigits()
	c := networkConfig(p, 0, "psgld", "adam", "bbb")
	var views []*predict.ShiftView
	var digests []string
	for _, threads := range []int{1, 2} {
		s := watched(t, p, c, threads, 60)
		shiftOf(t, s, targets.Shift{Kind: targets.ShiftNoise, Amount: 80})
		onward(s, 60)
		v := shiftOf(t, s, targets.Shift{Kind: targets.ShiftNoise, Amount: 80})
		views = append(views, &predict.ShiftView{Asked: v.Asked, Kinds: v.Kinds, At: v.At, Images: v.Images, Sample: v.Sample, Lanes: v.Lanes})
		for _, r := range s.lanes {
			digests = append(digests, r.Measures().Digest().Digest)
		}
	}
	if !reflect.DeepEqual(views[0], views[1]) {
		t.Error("one thread and two see other things")
	}
	blind, err := New(c, p, Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	onward(blind, 120)
	for i, r := range blind.lanes {
		if d := r.Measures().Digest().Digest; d != digests[i] || d != digests[i+3] {
			t.Errorf("lane %d: digest %s unseen, %s and %s seen", i, d, digests[i], digests[i+3])
		}
	}
	closeLanes(blind)
	// A single state has a spread of 0, and a family one of its own.
	for k, want := range []bool{true, false, true} {
		l := views[0].Lanes[k]
		if l.Now.Mutual > 1e-12 != want || (l.Draws > 1) != want {
			t.Errorf("lane %d: %+v", k, l)
		}
	}
}

// A window has its own draws: a change, a rewind and a restart begin anew.
func TestShiftWindows(t *testing.T) {
	innerlooptest.Skip(t, "predictions of many draws")
	p := digits()
	s := watched(t, p, networkConfig(p, 0, "psgld"), 1, 100)
	shift := targets.Shift{Kind: targets.ShiftNoise, Amount: 60}
	for _, c := range []state.Command{state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 1e-8}, state.Rewind{Lane: 0, Steps: 20, EpsFactor: 1}, state.Restart{Seed: 7}} {
		if v := shiftOf(t, s, shift); len(v.Images) == 0 || math.IsNaN(v.Lanes[0].Now.Entropy) {
			t.Fatalf("no numbers before %T", c)
		}
		tell(t, s, c)
		if v := shiftOf(t, s, shift); v.Lanes[0].Draws != 0 || !math.IsNaN(v.Lanes[0].Now.Entropy) {
			t.Errorf("after %T %d draws of before", c, v.Lanes[0].Draws)
		}
		onward(s, 100)
		if v, n := shiftOf(t, s, shift), int(s.pub.snap.Load().Lanes[0].Draws); v.Lanes[0].Draws != n || n == 0 {
			t.Errorf("after %T and 100 steps %d draws, want %d", c, v.Lanes[0].Draws, n)
		}
	}
}

// A turn takes the predictions away, of all lanes at once, and leaves the images, as
// they are or shifted; the next draw brings them back. Before the first one there are
// images too.
func TestImagesStayWithoutADraw(t *testing.T) {
	innerlooptest.Skip(t, "predictions of many draws")
	p := digits()
	s := watched(t, p, networkConfig(p, 0, "psgld", "sgld"), 1, 0)
	look := func(when string, predicted bool) []predict.Prediction {
		t.Helper()
		s.publish()
		snap := s.pub.snap.Load()
		if len(snap.Predictions) != predict.MaxImages {
			t.Fatalf("%s: %d images", when, len(snap.Predictions))
		}
		for i := range snap.Predictions {
			for k, q := range snap.Predictions[i].Lanes {
				if (q.Mean != nil) != predicted {
					t.Fatalf("%s: image %d, lane %d: %v", when, i, k, q.Mean)
				}
			}
		}
		for k := range snap.Lanes {
			if e := snap.Lanes[k].Values[quantity.TestError].Trusted(); math.IsNaN(e) == predicted {
				t.Errorf("%s: lane %d has a test error of %v", when, k, e)
			}
		}
		return snap.Predictions
	}
	same := func(a, b []predict.Prediction) bool {
		return slices.EqualFunc(a, b, func(a, b predict.Prediction) bool { return a.Row == b.Row })
	}
	none := look("at the start", false)
	onward(s, 200)
	known := look("after 200 steps", true)
	if same(none, known) {
		t.Error("the images have no order")
	}
	s.advance(context.Background(), 20) // whose draws may be evaluated still
	tell(t, s, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 1e-8})
	s.now.Mode.Phase = state.Running // in which they are looked at a second apart
	turned := look("after a turn", false)
	if s.now.Mode.Phase = state.Paused; !same(known, turned) {
		t.Error("a turn takes the images away")
	}
	shift := targets.Shift{Kind: targets.ShiftNoise, Amount: 60}
	if v := shiftOf(t, s, shift); len(v.Images) != predict.MaxShifted || v.At != shift {
		t.Errorf("%d images at %+v", len(v.Images), v.At)
	}
	if shifted := look("shifted", false); !same(known, shifted) {
		t.Error("a shift moves the images")
	}
	onward(s, 100)
	look("after 100 steps more", true)
}

// A session at rest answers when it is asked, and then rests again.
func TestShiftWhilePaused(t *testing.T) {
	innerlooptest.Skip(t, "predictions of many draws")
	p := digits()
	s, err := New(networkConfig(p, 60, "psgld", "sgld"), p, Runtime{Interactive: true, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	l := running(t, s)
	l.do(func(v *engine.Snapshot) bool { return v.Phase == state.Done && len(v.Predictions) > 0 }, state.Watch{Y: 1, Predictions: true})
	v := l.do(func(v *engine.Snapshot) bool {
		return v.Shift != nil && len(v.Shift.Images) > 0 && len(v.Shift.Lanes) == 2 && !math.IsNaN(v.Shift.Lanes[1].Curve[12].Error)
	}, state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 45}})
	if v.Phase != state.Done {
		t.Errorf("the session is %v", v.Phase)
	}
	// It comes to rest: snapshots that went on would come many a second.
	var last uint64
	l.do(func(v *engine.Snapshot) bool {
		still := v.Version == last
		last = v.Version
		time.Sleep(50 * time.Millisecond)
		return still
	})
	l.do(func(v *engine.Snapshot) bool { return len(v.Shift.Images) == 0 }, state.Watch{Y: 1})
	if err := l.stop(); err != context.Canceled {
		t.Error(err)
	}
}

func TestShiftRefusals(t *testing.T) {
	p := digits()
	s := watched(t, p, networkConfig(p, 0, "psgld"), 1, 50)
	for _, c := range []targets.Shift{{Kind: targets.ShiftForeign, Amount: 1}, {Kind: 200},
		{Kind: targets.ShiftNoise, Amount: -1}} {
		if s.side.Ask(p, state.SetShift{Shift: c}) == nil {
			t.Errorf("%+v is shown", c)
		}
	}
	if s.side.Shifts(s.now.Problem).On() {
		t.Error("what was refused is asked for")
	}
	blind, err := New(networkConfig(p, 10, "psgld"), p, Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeLanes(blind)
	if blind.side.Ask(p, state.SetShift{}) == nil || blind.Snapshot().Shift != nil {
		t.Error("a session without a screen shifts images")
	}
	plane := open(t, "gaussian")
	density, err := New(config(plane, 10, nil, "psgld"), plane, Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	if density.side.Ask(density.now.Problem, state.SetShift{}) == nil || density.Snapshot().Shift != nil {
		t.Error("a density shifts images")
	}
}

// What is worked out beside a session that takes a step in ten seconds is shown when it is
// known, and not with the next step. The clock is a fake one.
func TestShiftBesideASlowSession(t *testing.T) {
	p := digits()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(networkConfig(p, 60, "psgld"), p, Runtime{Interactive: true, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		l := running(t, s)
		l.do(nil, state.Watch{Y: 1, Predictions: true}, state.StepBy{N: 30})
		l.do(func(v *engine.Snapshot) bool { return v.Phase == state.Paused && len(v.Predictions) > 0 })
		l.do(nil, state.SetSpeed{PerSecond: 0.1}, state.Resume{})
		began := time.Now()
		v := l.do(func(v *engine.Snapshot) bool { return v.Shift.Settled() && len(v.Shift.Images) > 0 }, state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 45}})
		if took := time.Since(began); took > time.Second || v.Phase != state.Running {
			t.Errorf("shown after %v, %v", took, v.Phase)
		}
		if err := l.stop(); err != context.Canceled {
			t.Error(err)
		}
	})
}
