package session

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// An unlearntCell are lanes of a target at so many times their default step.
type unlearntCell struct {
	target string
	steps  uint64
	times  float64
	told   bool // each is told of, or diverges
}

var unlearntCells = []unlearntCell{
	{"blr:synthetic", 20_000, 1, false},
	{"blr:synthetic", 20_000, 2000, true},
	{"blr:synthetic", 5_000, 1e-4, true},
	{"mlp:16-8", 3_000, 1, false},
	{"mlp:16-8", 3_000, 30, true}, // a lane of psgld learns at this step
	{"mlp:16-8", 3_000, 2000, true},
	{"density:log(max(0,1-x^2))-x^2/2000", 3_000, 300, false}, // nothing is predicted, and the loss is infinite
}

// prove runs a cell's lanes and says where what is told is not so.
func (c *unlearntCell) prove(t *testing.T, seed uint64, methods ...string) {
	t.Helper()
	p, err := targets.Open(c.target, targets.Options{DataDir: os.Getenv("PSGLD_DATA"), Dataset: "strokes"})
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(p, c.steps, nil, methods...)
	cfg.Seed = seed
	for i, l := range cfg.Lanes {
		cfg.Lanes[i] = l.With(sampler.KeyEps, c.times*l.Eps())
	}
	s, r := run(t, cfg, p, Runtime{})
	for i, l := range r.Lanes {
		told := slices.ContainsFunc(finding.Of(s.Snapshot()), func(f finding.Found) bool {
			return f.Key == "unlearnt" && f.Lane == i && (f.Proposes != "") == (c.times != 1)
		})
		if told != (l.ConstantLoss > 0) || l.Diverged == nil && told != c.told || l.Diverged != nil && !c.told {
			t.Errorf("%s, seed %d, %g times ε: of %s is told %v, with the loss %g and a constant's %g", c.target, seed, c.times,
				l.Sampler, told, l.Values[quantity.Loss].Value, float64(l.ConstantLoss))
		}
	}
}

// A step that is 2,000 times too large leaves a regression's state finite and a network at chance, and is told of, as
// is one so small that nothing is learnt. The default steps of regressions and networks are not.
func TestLanesThatDoNotLearn(t *testing.T) {
	innerlooptest.Later(t, "sessions of many steps")
	for _, c := range unlearntCells {
		if c.times != 30 { // which the slow test has, with sghmc
			c.prove(t, 1, "sgld", "psgld")
		}
	}
}

// So it is over seeds, and of convolutions and of rows of which most columns are rare.
func TestLanesThatDoNotLearnOverSeeds(t *testing.T) {
	innerlooptest.Later(t, "many networks")
	for _, c := range unlearntCells {
		methods := []string{"sgld", "sghmc"}
		if c.times != 30 {
			methods = append(methods, "psgld")
		}
		c.prove(t, 1, methods...)
	}
	for _, times := range []float64{1, 30, 2000} {
		c := unlearntCell{"cnn:20", 1_200, times, times > 1}
		c.prove(t, 1, "sgld", "sghmc")
	}
	cells := slices.Concat(unlearntCells[1:2], unlearntCells[4:])
	if os.Getenv("PSGLD_DATA") != "" {
		cells = append(cells, unlearntCell{"blr:a9a", 5_000, 1, false}, unlearntCell{"blr:a9a", 5_000, 2000, true},
			unlearntCell{"blr:australian", 5_000, 2000, true})
	}
	for _, c := range cells {
		for seed := range uint64(3) {
			c.prove(t, seed+1, "sgld", "sghmc")
		}
	}
}

// What is told of a regression is the entropy of its labels.
func TestConstantLossIsEntropy(t *testing.T) {
	innerlooptest.Numbers(t, "a long run")
	p := open(t, "blr:synthetic")
	cfg := config(p, 20_000, nil, "sgld")
	cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyEps, 2000*cfg.Lanes[0].Eps())
	_, r := run(t, cfg, p, Runtime{})
	share := 0.0
	y := p.F64.(interface{ Labels(dataset.Split) []int32 }).Labels(dataset.Train)
	for _, c := range y {
		share += float64(c) / float64(len(y))
	}
	want := -share*math.Log(share) - (1-share)*math.Log(1-share)
	if got := float64(r.Lanes[0].ConstantLoss); math.Abs(got-want) > 1e-12 {
		t.Errorf("a constant's loss is %g, want %g", got, want)
	}
}

// A lane that was trained and is given a step that is too large is told of by the loss that it had, before it is as bad
// as a constant. At its own step, and at another temperature, which has another loss by right, it is not.
func TestLossIsHeldToThatOfItsStart(t *testing.T) {
	innerlooptest.Later(t, "sessions of many steps")
	for _, c := range []struct {
		target      string
		times, temp float64
		told        bool
	}{{"blr:synthetic", 1, 1, false}, {"blr:synthetic", 45, 1, true}, {"blr:synthetic", 45, 2, false}} {
		p := open(t, c.target)
		cfg := config(p, 0, nil, "sgld")
		sess, err := New(cfg, p, Runtime{})
		if err != nil {
			t.Fatal(err)
		}
		l := running(t, sess)
		at := func(step uint64) func(*engine.Snapshot) bool {
			return func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step >= step }
		}
		l.do(in(state.Paused), state.Pause{})
		l.do(at(20_000), state.Restart{Seed: 1}, state.StepBy{N: 20_000})
		snap := l.do(at(25_000), state.SetParam{Lane: 0, Key: sampler.KeyEps, Value: c.times * cfg.Lanes[0].Eps()},
			state.SetParam{Lane: 0, Key: sampler.KeyTemp, Value: c.temp}, state.StepBy{N: 5_000})
		v := &snap.Lanes[0]
		if told := v.StartLoss > 0; told != c.told || v.ConstantLoss > 0 {
			t.Errorf("%+v: told %v, of the loss %g at the start and a constant's %g", c, told, v.StartLoss, v.ConstantLoss)
		}
	}
}
