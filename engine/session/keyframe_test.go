package session

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// told is all that a lane's view says, but for what depends on the clock. The
// average of a network's minibatch losses begins anew whenever its evaluation has
// come so far.
func told(v engine.LaneView) string {
	nan := math.NaN()
	v.Seconds, v.Left, v.Values = nan, nan, v.Values.Timeless()
	v.Values[quantity.Loss] = metrics.Estimate{}
	points := slices.Clone(v.History)
	for i := range points {
		points[i].Seconds = nan
		points[i].Values.Set(quantity.Loss, metrics.Estimate{})
	}
	s := fmt.Sprintf("previous %v diverged %v motion %v history %v", v.Previous != nil, v.Diverged, v.Motion, points)
	v.Previous, v.Diverged, v.Motion, v.History = nil, nil, nil, nil
	return fmt.Sprintf("%+v %s", v, s)
}

// A lane that is made what it was, by itself or by another one in its place, goes on
// as it did then: with every method, and with some on targets of every kind, through
// a change, and back by a rewind.
func TestLanesAreRestored(t *testing.T) {
	innerlooptest.Numbers(t, "many sessions")
	gaussian := open(t, "gaussian")
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		some := slices.Contains([]string{"psgld", "sghmc", "hmc"}, m.Name) || m.Misfit(gaussian) != ""
		if m.Misfit(p) != "" || !some && p.F32 != nil {
			return
		}
		if p.F32 != nil && m.Name != "psgld" {
			innerlooptest.Later(t, "steps of a network")
		}
		c := brief(p, m.Name)
		begun := func() lane.Runner {
			r := oneLane(t, c, c.Lanes[0], p)
			t.Cleanup(r.Close)
			r.Measures().Watch(state.Watch{Y: 1, Weights: true})
			return r
		}
		first := begun()
		first.Share(1)
		goOn := func(r lane.Runner) (views []string) {
			look := func() {
				r.Measures().Settle()
				views = append(views, told(r.Measures().View(false, nil)), fmt.Sprint(r.Measures().Digest(), r.Standing().Digests))
			}
			r.Advance(30)
			look()
			r.Change(r.Standing().Setting.With(sampler.KeyEps, r.Standing().Setting.Eps()/2), false)
			r.Advance(140)
			look()
			r.Rewind(70)
			r.Advance(5)
			look()
			return views
		}
		first.Advance(260)
		frame := first.Copy()
		want := goOn(first)
		if frame.Bytes() < p.Dim() {
			t.Errorf("%s: a copy takes %d bytes, it is said", p.Spec, frame.Bytes())
		}
		second := begun()
		for _, r := range []lane.Runner{second, first} {
			if !frame.Fits(r) {
				t.Fatalf("%s: not restorable", p.Spec)
			}
			r.Restore(frame)
			if got := goOn(r); !slices.Equal(got, want) {
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s, look %d:\n%s\nwas\n%s", p.Spec, i, got[i], want[i])
					}
				}
			}
		}
		c.Seed++
		if frame.Fits(begun()) {
			t.Errorf("%s: a lane on another seed was restorable", p.Spec)
		}
	})
}

// everyChunk has a keyframe at every chunk of steps.
var everyChunk = timeline.Budget{Bytes: 256 << 20, Least: 4}

// Along the tape of a session with a keyframe at every chunk of steps everything is as
// along that of one without any.
func TestTapeOfKeyframes(t *testing.T) {
	innerlooptest.Later(t, "long runs")
	p := open(t, "gaussian")
	var told [2][]string
	for k := range told {
		s, err := New(config(p, 0, nil, "psgld", "sgld"), p, Runtime{Interactive: true})
		if err != nil {
			t.Fatal(err)
		}
		if s.line = timeline.New[engine.LoggedCommand, *sessionCopy](nil, everyChunk); k == 1 {
			s.line = timeline.New[engine.LoggedCommand, *sessionCopy](nil, timeline.Budget{Apart: math.MaxInt64})
		}
		l := running(t, s)
		l.do(in(state.Paused), state.Pause{})
		l.do(nil, state.Restart{Seed: 1})
		begun := l.do(nil).Tape.At
		run := func(n uint64) {
			before := l.do(nil).Tape.At
			for range 4 { // as many chunks at least
				at := l.do(nil).Tape.At
				l.do(func(s *engine.Snapshot) bool { return s.Phase != state.Running && s.Tape.At == at+n/4 }, state.StepBy{N: n / 4})
			}
			if at := l.do(nil).Tape.At; at != before+n {
				t.Fatalf("at %d, want %d", at, before+n)
			}
		}
		run(400)
		for _, c := range []state.Command{
			state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.2}, state.AddLane{Name: "psgld"}, state.Rewind{Lane: 0, Steps: 30, EpsFactor: 0.5}, state.SetSampler{Lane: 1, Name: "sghmc"},
			state.Restart{Seed: 7}, state.RemoveLane{Lane: 0}, state.Undo{}, state.SetTarget{Target: "banana"}, state.SetParam{Lane: 0, Key: "eps", Value: 0.03},
		} {
			l.do(nil, c)
			run(400)
		}
		look := func(at uint64) {
			s := l.at(at)
			for _, v := range s.Lanes {
				for i := range v.History {
					v.History[i].Seconds = 0
				}
				told[k] = append(told[k], fmt.Sprint(at-begun, v.ID, v.Step, v.Executed, v.Now, v.Coords, v.TrailX, v.TrailY, v.Setting, v.History, v.Draws, v.Motion, s.Config.Seed, s.Config.Target))
			}
			marks := slices.Clone(s.Marks)
			for i := range marks {
				marks[i].Seconds = 0
			}
			told[k] = append(told[k], fmt.Sprint(len(s.Tape.Events), s.Tape.End-s.Tape.At, s.Replaying, s.CanUndo, s.CanRedo, marks))
		}
		for _, at := range []uint64{3900, 2100, 2101, 399, 400, 401, 1, 3333, 1600, 4000, 850, 3999} {
			look(begun + at)
		}
		for at := uint64(1300); at > 900; at -= 37 {
			look(begun + at)
		}
		// A branch: the keyframes of the future are gone.
		look(begun + 1000)
		l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.11})
		run(400)
		look(begun + 1390)
		look(begun + 1010)
		look(begun + 1400)
		if k == 0 && s.line.Keyframes() < 10 {
			t.Errorf("%d keyframes", s.line.Keyframes())
		}
		_ = l.stop()
		rec := s.Recording("")
		if err := Verify(t.Context(), rec, Runtime{}); err != nil {
			t.Error(err)
		}
	}
	for i := range told[0] {
		if i < len(told[1]) && told[0][i] != told[1][i] {
			t.Fatalf("look %d:\n%s\nwithout keyframes\n%s", i, told[0][i], told[1][i])
		}
	}
}
