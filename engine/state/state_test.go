package state

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// begun is a session's state at its start, on a density with a parameter.
func begun(t testing.TB, names ...string) State {
	t.Helper()
	p, err := targets.Open("density:-x^2-a*y^2;a=1", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Target: p.Spec, Seed: 1, Init: "random"}
	for _, n := range names {
		cfg.Lanes = append(cfg.Lanes, DefaultSetting(p, n))
	}
	s, err := Start(cfg, p, State{Bounds: Bounds{Lanes: 3}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// commands are some of each kind, those that are refused last.
var commands, refused = []Command{
	SetParam{Lane: 0, Key: "eps", Value: 0.1}, InGesture{SetParam{Lane: 0, Key: "eps", Value: 0.2}}, SetParam{Lane: AllLanes, Key: "freeze", Value: FromNow},
	SetEach{Key: "eps", Values: [MaxLanes]float64{0.1, 0.2}}, SetParam{Lane: AllLanes, Key: "target.a", Value: 2}, Undo{}, Redo{},
	SetSampler{Lane: 1, Name: "adam"}, SetSchedule{Lane: AllLanes, Schedule: sampler.Schedule{Kind: "halve", Every: 10}}, AddLane{Name: "sgd"},
	Rewind{Lane: AllLanes, Steps: 5, EpsFactor: 0.5}, Rewind{Lane: 0, Steps: 5, EpsFactor: 0.5, Mends: true}, RemoveLane{Lane: 1}, Restart{Seed: 3, Chains: 2},
	SetTruth{Truth: Truth{Sampler: "hmc"}, Found: &targets.Reference{MinESS: 9}}, SetBias{On: true},
	Undo{}, Undo{}, Redo{}, SetTruth{},
	SetUntil{Until: quantity.Until{quantity.ESS: 10}}, SetRace{On: true}, Pause{}, StepBy{N: 3}, Resume{}, SetSpeed{PerSecond: 9}, Watch{X: 1},
	SetShift{Shift: targets.Shift{Kind: 1}}, Seek{To: 9}, Branch{}, Return{},
}, []Command{
	SetTruth{Truth: Truth{Sampler: "sgld"}}, AddPoint{}, ClearPoints{},
	SetParam{Lane: 7, Key: "eps", Value: 1}, SetParam{Lane: AllLanes, Key: "eps", Value: -1}, SetParam{Key: "target.b"}, SetParam{Key: "nothing"}, SetSampler{Name: "nothing"},
	SetSampler{Lane: -2, Name: "sgd"}, AddLane{Name: "nothing"}, AddLane{Name: "sgd", Like: 5}, RemoveLane{Lane: 5}, SetTarget{Target: "ring"}, Restart{Chains: 1000},
	Rewind{Lane: 0}, Rewind{Lane: 9, EpsFactor: 1}, Load{}, SetSchedule{Lane: 0, Schedule: sampler.Schedule{Kind: "halve", Every: 1, Epochs: true}},
}

// Apply changes nothing of the state that it is given, and after an error it returns that.
func TestApplyIsPure(t *testing.T) {
	s := begun(t, "psgld", "sgld")
	for i := range s.Lanes {
		s.Lanes[i].Place.Step = 20 + uint64(i)
	}
	for _, c := range commands {
		before := fmt.Sprintf("%+v", s)
		c, _, err := Resolve(s, c, Opener{})
		if err != nil {
			t.Fatalf("%#v: %v", c, err)
		}
		one, _, err := Apply(s, c)
		if err != nil {
			t.Errorf("%#v: %v", c, err)
		}
		other, _, _ := Apply(s, c)
		if after := fmt.Sprintf("%+v", s); after != before {
			t.Errorf("%#v made\n%s of\n%s", c, after, before)
		}
		if one.Problem.Reference != other.Problem.Reference || !reflect.DeepEqual(on(one, s.Problem), on(other, s.Problem)) {
			t.Errorf("%#v makes\n%+v and then\n%+v", c, one, other)
		}
		s = one
	}
	for _, c := range refused {
		to, fact, err := Apply(s, c)
		if err == nil || fact != nil || !reflect.DeepEqual(to, s) {
			t.Errorf("%#v is refused with %v (%v) and leaves\n%+v of\n%+v", c, err, fact, to, s)
		}
	}
}

// on is a state on a problem, since two that are made alike are not equal.
func on(s State, p *targets.Problem) State {
	s.Lanes, s.Problem = slices.Clone(s.Lanes), p
	for i := range s.Lanes {
		s.Lanes[i].Setting.Problem = p
	}
	return s
}

// Of a target that is turned the number alone is another before it is opened, and all with it.
func TestTurnedTarget(t *testing.T) {
	s := begun(t, "sgld")
	c := SetParam{Lane: AllLanes, Key: "target.a", Value: 2}
	seen, _, err := Apply(s, c)
	if err != nil || seen.Problem != s.Problem || seen.Lanes[0].Setting.Value("target.a") != 2 {
		t.Errorf("unopened: %v, %+v", err, seen.Lanes)
	}
	open, logged, err := Resolve(s, c, Opener{})
	if err != nil {
		t.Fatal(err)
	}
	done, _, err := Apply(s, open)
	if err != nil || done.Problem.Values()[0] != 2 || done.Lanes[0].Setting.Problem != done.Problem {
		t.Errorf("opened: %v, %+v", err, done)
	}
	if logged != Command(c) {
		t.Errorf("it is logged as %+v", logged)
	}
}

// Each command that is recorded is read again by its name.
func TestRecordedCommands(t *testing.T) {
	points := []Command{AddPoint{targets.Datum{X: 1, Y: 2, Class: 1}}, ClearPoints{}} // the density has no data
	for _, c := range append(slices.Clip(commands), points...) {
		if j, ok := c.(InGesture); ok {
			c = j.Command
		}
		if !Changes(c) {
			continue
		}
		if t, ok := c.(SetTruth); ok {
			t.Found = nil // it is looked for
			c = t
		}
		b, err := Event{Command: c}.MarshalJSON()
		var e Event
		if err == nil {
			err = e.UnmarshalJSON(b)
		}
		if err != nil || !reflect.DeepEqual(e.Command, c) {
			t.Errorf("%s is read as %#v (%v)", b, e.Command, err)
		}
		delete(kinds, c.Kind())
	}
	delete(kinds, SetTarget{}.Kind())
	if len(kinds) > 0 {
		t.Errorf("none of commands, at the top of this file, is one of %v", kinds)
	}
}

// kinds are those of the commands that are recorded.
var kinds = func() map[string]bool {
	all := map[string]bool{}
	for k := range decoders {
		all[k] = true
	}
	return all
}()

// A diverged lane goes back with half its ε, and from far above the target's own with that.
func TestRescueFactor(t *testing.T) {
	s := begun(t, "sgld")
	set := s.Lanes[0].Setting
	own := set.Eps()
	for _, c := range []struct{ eps, diverged, to float64 }{
		{8 * own, 8 * own, 4 * own}, {1e6 * own, 1e6 * own, own}, {1e5 * own, 1e6 * own, 1e5 * own},
	} {
		got := c.eps * RescueFactor(s.Problem, set.With(sampler.KeyEps, c.eps), &Divergence{Eps: c.diverged})
		if math.Abs(got/c.to-1) > 1e-12 {
			t.Errorf("ε %g, diverged at %g, goes back with %g, want %g", c.eps, c.diverged, got, c.to)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	s := begun(b, "psgld", "sgld")
	for _, c := range []Command{SetParam{Lane: 0, Key: "eps", Value: 0.01}, Restart{Seed: 3}, Rewind{Lane: AllLanes, Steps: 10, EpsFactor: 0.5}, Pause{}} {
		b.Run(fmt.Sprintf("%T", c), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Apply(s, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
