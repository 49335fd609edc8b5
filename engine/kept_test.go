package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// told is all that a lane's view says, but for what depends on the clock. The
// average of a network's minibatch losses begins anew whenever its evaluation has
// come so far.
func told(v LaneView) string {
	nan := math.NaN()
	v.Seconds, v.Rate, v.ESSPerSec, v.Left, v.Window.Rate, v.Loss = nan, nan, nan, nan, nan, nan
	for _, values := range []*quantity.Values{&v.Values, &v.Window.Values} {
		*values = values.Timeless()
		values[quantity.Loss] = metrics.Estimate{}
	}
	points := slices.Clone(v.History)
	for i := range points {
		points[i].Seconds, points[i].Loss = nan, nan
		points[i].Values.Set(quantity.Loss, metrics.Estimate{})
	}
	s := fmt.Sprintf("previous %v diverged %v motion %v history %v", v.Previous != nil, v.Diverged, v.Motion, points)
	v.Previous, v.Diverged, v.Motion, v.History = nil, nil, nil, nil
	return fmt.Sprintf("%+v %s", v, s)
}

// A lane that is made what it was, by itself or by another one in its place, goes on
// as it did then: with every method, and with some on targets of every kind, through
// a tweak, and back by a rewind.
func TestLanesRevive(t *testing.T) {
	gaussian := open(t, "gaussian")
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		some := m.Name == "psgld" || !testing.Short() && (slices.Contains([]string{"sghmc", "hmc"}, m.Name) || m.Misfit(gaussian) != "")
		if m.Misfit(p) != "" || !some && p.F32 != nil {
			return
		}
		c := brief(p, m.Name)
		lane := func() runner {
			r := oneLane(t, c, c.Lanes[0], p)
			t.Cleanup(r.close)
			r.watch(Watch{Y: 1, Weights: true})
			return r
		}
		first := lane()
		first.share(1)
		goOn := func(r runner) (views []string) {
			look := func() {
				r.settle()
				views = append(views, told(r.view(false)), fmt.Sprint(r.digest(), r.digests()))
			}
			r.advance(30)
			look()
			r.tweak(r.setting().With(sampler.KeyEps, r.setting().Eps()/2))
			r.advance(140)
			look()
			r.rewind(70)
			r.advance(5)
			look()
			return views
		}
		first.advance(260)
		kept := first.frame()
		want := goOn(first)
		if kept.bytes() < p.Dim() {
			t.Errorf("%s: a copy takes %d bytes, it is said", p.Spec, kept.bytes())
		}
		second := lane()
		for _, r := range []runner{second, first} {
			if !r.restorable(kept) {
				t.Fatalf("%s: not revived", p.Spec)
			}
			r.restore(kept)
			if got := goOn(r); !slices.Equal(got, want) {
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s, look %d:\n%s\nwas\n%s", p.Spec, i, got[i], want[i])
					}
				}
			}
		}
		c.Seed++
		if lane().restorable(kept) {
			t.Errorf("%s: a lane on another seed was revived", p.Spec)
		}
	})
}

// Along the tape of a session that is copied at every chunk of steps everything is
// as along that of one that keeps nothing.
func TestTapeOfKeptPlaces(t *testing.T) {
	p := open(t, "gaussian")
	var told [2][]string
	for k := range told {
		s, err := NewSession(config(p, 0, nil, "psgld", "sgld"), p, Runtime{Interactive: true})
		if err != nil {
			t.Fatal(err)
		}
		if s.kept.apart, s.kept.share = 0, 0; k == 1 {
			s.kept.apart = math.MaxInt64
		}
		l := running(t, s)
		l.do(in(Paused), Pause{})
		l.do(nil, Restart{1})
		begun := l.do(nil).Tape.At
		run := func(n uint64) {
			before := l.do(nil).Tape.At
			for range 4 { // as many chunks at least
				at := l.do(nil).Tape.At
				l.do(func(s *Snapshot) bool { return s.Phase != Running && s.Tape.At == at+n/4 }, StepBy{n / 4})
			}
			if at := l.do(nil).Tape.At; at != before+n {
				t.Fatalf("at %d, want %d", at, before+n)
			}
		}
		run(400)
		for _, c := range []Command{
			SetParam{AllLanes, "eps", 0.2}, AddLane{Name: "psgld"}, Rewind{Lane: 0, Steps: 30, EpsFactor: 0.5}, SetSampler{1, "sghmc"},
			Restart{7}, RemoveLane{0}, Undo{}, SetTarget{Target: "banana"}, SetParam{0, "eps", 0.03},
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
		// A branch: what was kept of the future is gone.
		look(begun + 1000)
		l.do(nil, SetParam{0, "eps", 0.11})
		run(400)
		look(begun + 1390)
		look(begun + 1010)
		look(begun + 1400)
		if k == 0 && len(s.kept.places) < 10 {
			t.Errorf("%d places were kept", len(s.kept.places))
		}
		_ = l.stop()
		rec := s.Recording("")
		if err := rec.Verify(t.Context(), Runtime{}); err != nil {
			t.Error(err)
		}
	}
	for i := range told[0] {
		if i < len(told[1]) && told[0][i] != told[1][i] {
			t.Fatalf("look %d:\n%s\nwithout places\n%s", i, told[0][i], told[1][i])
		}
	}
}

// However long a tape is, the places kept are few, and take no more than there is
// room for; those near its head lie closest.
func TestKeptPlacesAreFew(t *testing.T) {
	k := kept{room: 1 << 20, least: leastKept}
	for at := uint64(1); at <= 20_000; at++ {
		k.places = append(k.places, keptPlace{at: 100 * at, bytes: 1 << 14})
		k.thin(100 * at)
	}
	n := len(k.places)
	if n != 64 {
		t.Errorf("%d places of 16 kB in 1 MB", n)
	}
	last := k.places[n-1].at - k.places[n-2].at
	widest := k.places[0].at
	for i := 1; i < n; i++ {
		widest = max(widest, k.places[i].at-k.places[i-1].at)
	}
	if 10*last > widest || widest > 2_000_000/8 {
		t.Errorf("the newest lie %d apart, and others up to %d", last, widest)
	}
	if k.thin(0); k.places[0].at > 2_000_000/8 {
		t.Errorf("the first is at %d", k.places[0].at)
	}
	k.room = 1
	if k.thin(0); len(k.places) != leastKept {
		t.Errorf("%d places where there is no room", len(k.places))
	}
	k.least = 1
	if k.thin(k.places[1].at); len(k.places) > 2 || k.places[0].at > k.places[len(k.places)-1].at {
		t.Errorf("%d places where one is enough", len(k.places))
	}
	k.places = append(k.places, keptPlace{at: k.places[len(k.places)-1].at + 1}, keptPlace{at: k.places[len(k.places)-1].at + 2})
	k.places = k.places[len(k.places)-3:]
	k.cut(k.places[1].at, 0)
	if len(k.places) != 2 {
		t.Errorf("%d places after a branch", len(k.places))
	}
}

// What copies of a lane share is counted once, with whichever of them is dropped.
func TestSharedCheckpointsCountOnce(t *testing.T) {
	l := benchLane(t, "gaussian", "psgld").(*lane[float64])
	var k kept
	for at := range uint64(6) {
		l.advance(1000)
		k.places = append(k.places, keptPlace{at: at, lanes: []laneFrame{l.frame()}})
		k.weigh(int(at))
	}
	for len(k.places) > 0 {
		distinct := map[*float64]int{}
		for _, p := range k.places {
			c := &p.lanes[0].(*laneState[float64]).past
			distinct[&c.first.Theta[0]] = stateBytes(&c.first)
			for _, level := range c.levels {
				for i := range level {
					if s := &level[i].State; s.Theta != nil {
						distinct[&s.Theta[0]] = stateBytes(s)
					}
				}
			}
		}
		want := 0
		for _, n := range distinct {
			want += n
		}
		if got := k.size(); got != want || len(distinct) < 4 {
			t.Errorf("%d copies take %d bytes, it is said, and %d checkpoints %d", len(k.places), got, len(distinct), want)
		}
		i := len(k.places) / 2
		k.places = slices.Delete(k.places, i, i+1)
		k.weigh(i)
	}
}
