package session

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child/childtest"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// everywhere calls f for every method on targets of every kind, in the inner loop for pSGLD alone on a network.
func everywhere(t *testing.T, f func(t *testing.T, m sampler.Method, p *targets.Problem)) {
	var all []*targets.Problem
	specs := []string{"gaussian:noise=0.3", "blr:synthetic", "banana", "funnel"}
	if testing.Short() { // with the race detector every method takes ten times as long
		specs = specs[:1]
	}
	for _, spec := range specs {
		all = append(all, open(t, spec))
	}
	all = append(all, fewDigits())
	for _, m := range catalog.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			for _, p := range all {
				if p.F32 != nil && m.Name != "psgld" && innerlooptest.Only() {
					continue
				}
				f(t, m, p)
			}
		})
	}
}

// digitsDir has the digits of fewDigits, for sessions that are opened again from their
// recording.
var digitsDir string

func TestMain(m *testing.M) {
	childtest.Serve()
	var err error
	if digitsDir, err = os.MkdirTemp("", "digits"); err != nil {
		panic(err)
	}
	debug.SetGCPercent(400) // a session a test
	code := m.Run()
	_ = os.RemoveAll(digitsDir)
	os.Exit(code)
}

// fewDigits is a network that learns a tenth of the embedded digits, at half their
// size: most of the time on all of them would be gradients and evaluation.
var fewDigits = sync.OnceValue(func() *targets.Problem {
	m := dataset.Strokes(1, nil)
	rows, cols := m.Rows/2, m.Cols/2
	for name, part := range map[string]struct{ x, y []uint8 }{"train": {m.TrainX, m.TrainY}, "t10k": {m.TestX, m.TestY}} {
		n := len(part.y) / 10
		pixels := make([]uint8, 0, n*rows*cols)
		for i := range n * rows {
			upper, lower := part.x[2*i*m.Cols:][:m.Cols], part.x[(2*i+1)*m.Cols:][:m.Cols]
			for c := 0; c < m.Cols; c += 2 {
				pixels = append(pixels, uint8((int(upper[c])+int(upper[c+1])+int(lower[c])+int(lower[c+1]))/4))
			}
		}
		for file, c := range map[string]struct {
			magic uint32
			size  []uint32
			bytes []uint8
		}{"images-idx3": {0x803, []uint32{uint32(rows), uint32(cols)}, pixels}, "labels-idx1": {0x801, nil, part.y[:n]}} {
			b := binary.BigEndian.AppendUint32(nil, c.magic)
			for _, x := range append([]uint32{uint32(n)}, c.size...) {
				b = binary.BigEndian.AppendUint32(b, x)
			}
			if err := os.WriteFile(filepath.Join(digitsDir, name+"-"+file+"-ubyte"), append(b, c.bytes...), 0o600); err != nil {
				panic(err)
			}
		}
	}
	p, err := targets.Open("mlp:20", targets.Options{Dataset: digitsDir})
	if err != nil {
		panic(err)
	}
	return p
})

// brief is a session of a method of which every part is soon reached.
func brief(p *targets.Problem, names ...string) state.Config {
	c := config(p, 120, map[string]float64{sampler.KeyThin: 10, sampler.KeyBurnIn: 30, "warmup": 60, "cycle": 40}, names...)
	c.Dataset = p.Dataset
	if p.F32 != nil { // most of the time of a step is its gradient
		for i, l := range c.Lanes {
			c.Lanes[i] = l.With(sampler.KeyBatch, 20)
		}
	}
	return c
}

// A method runs with its default settings wherever it does not say that it does
// not run. Its result depends on its lane and seed alone: not on threads or on
// the lanes beside it.
func TestEveryMethodEverywhere(t *testing.T) {
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		c := brief(p, m.Name)
		if why := m.Misfit(p); why != "" {
			if _, err := New(c, p, Runtime{}); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: error %v, want one that says: %s", p.Spec, err, why)
			}
			return
		}
		_, one := run(t, c, p, Runtime{Threads: 1})
		names := []string{m.Name, "sgld"}
		if testing.Short() {
			names = names[:1]
		}
		_, two := run(t, brief(p, names...), p, Runtime{Threads: 2})
		a, b := one.Lanes[0], two.Lanes[0]
		if a.Diverged != nil {
			t.Errorf("%s: diverged at step %d: %s", p.Spec, a.Diverged.Step, a.Diverged.Reason())
		}
		if a.Digest != b.Digest || !same(engine.Num(a.Coords[0][quantity.Mean].Trusted()), engine.Num(b.Coords[0][quantity.Mean].Trusted())) {
			t.Errorf("%s: digests %s and %s, means %v and %v", p.Spec, a.Digest, b.Digest, a.Coords[0][quantity.Mean], b.Coords[0][quantity.Mean])
		}
		if !same(engine.Num(a.Values[quantity.TestError].Trusted()), engine.Num(b.Values[quantity.TestError].Trusted())) {
			t.Errorf("%s: test errors %v and %v", p.Spec, a.Values[quantity.TestError], b.Values[quantity.TestError])
		}
		if a.Values[quantity.ELBO].Applies() != (m.Kind == sampler.Variational) || a.Values[quantity.Acceptance].Applies() != m.Metropolis {
			t.Errorf("%s: ELBO %v, acceptance %v", p.Spec, a.Values[quantity.ELBO], a.Values[quantity.Acceptance])
		}
	})
}

// Whatever a method keeps, going back to a step and on from there, across
// changes of the method too, is the same to the bit; and so is a replay.
func TestEveryMethodRewindsAndReplays(t *testing.T) {
	if testing.Short() {
		t.Skip("a race would be in what the test above meets too")
	}
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		if m.Misfit(p) != "" || p.Spec == "banana" || p.Spec == "funnel" {
			return
		}
		if p.F32 != nil && m.Name != "psgld" && m.Name != "sghmc" { // it comes after the densities
			innerlooptest.Later(t, "steps of a network")
		}
		c := brief(p, m.Name)
		r := oneLane(t, c, c.Lanes[0], p)
		defer r.Close()
		want := map[uint64]string{}
		other, own := state.DefaultSetting(p, "sgld"), c.Lanes[0]
		if m.Name == "sgld" {
			other = state.DefaultSetting(p, "psgld")
		}
		for r.Standing().Step < 300 {
			want[r.Standing().Step] = r.Measures().Digest().Digest
			switch r.Standing().Step {
			case 150:
				r.Change(other, false)
			case 200:
				r.Change(own, false)
			}
			r.Advance(10)
		}
		for _, to := range []uint64{290, 210, 190, 140, 10, 0} {
			r.Rewind(to)
			if got := r.Measures().Digest().Digest; r.Standing().Diverged == nil && got != want[to] && (to <= 150 || to > 200) {
				// Between the changes the setting in force is the last one, and its method
				// begins there.
				t.Errorf("%s: rewound to %d, digest %s, want %s", p.Spec, to, got, want[to])
			}
		}
		r.Advance(140)
		if got := r.Measures().Digest().Digest; got != want[140] {
			t.Errorf("%s: running on from 0 leads elsewhere at 140", p.Spec)
		}
		swap := other.Sampler
		names := []string{m.Name, "sgld"}
		if p.F32 != nil { // of which a lane alone takes long
			names = names[:1]
		}
		s := script(t, brief(p, names...), p, 25, []state.Command{
			state.SetParam{Lane: 0, Key: sampler.KeyEps, Value: own.Eps() / 2}, state.SetSampler{Lane: 0, Name: swap}, state.SetSampler{Lane: 0, Name: m.Name}, state.Rewind{Lane: 0, Steps: 30, EpsFactor: 1}, state.Undo{}, state.Rewind{Lane: 0, Steps: 60, EpsFactor: 0.5}, state.AddLane{Name: m.Name},
		})
		defer closeLanes(s)
		if err := Verify(context.Background(), s.Recording("test"), Runtime{Threads: 2}); err != nil {
			t.Errorf("%s: %v", p.Spec, err)
		}
	})
}

func same(a, b engine.Num) bool { return a == b || a != a && b != b }

// A method that is taken up at step 0, before any step, keeps what it needs when
// a rewind goes back to there.
func TestMethodTakenUpAtTheStart(t *testing.T) {
	if testing.Short() {
		t.Skip("the tests of every method above meet the same goroutines")
	}
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		if m.Misfit(p) != "" {
			return
		}
		c := brief(p, "sgld")
		r := oneLane(t, c, c.Lanes[0], p)
		defer r.Close()
		r.Change(state.DefaultSetting(p, m.Name), false)
		r.Advance(20)
		want := r.Measures().Digest().Digest
		r.Advance(20)
		r.Rewind(20)
		if got := r.Measures().Digest().Digest; r.Standing().Diverged == nil && got != want {
			t.Errorf("%s: rewound to 20, digest %s, want %s", p.Spec, got, want)
		}
	})
}

// A default that is not the parameter's own is said to be the target's.
func TestDefaultsAreDeclared(t *testing.T) {
	if testing.Short() {
		t.Skip("the tests of every method above meet the same goroutines")
	}
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		if m.Misfit(p) != "" {
			return
		}
		l := state.DefaultSetting(p, m.Name)
		for _, q := range m.Params {
			if v := l.Value(q.Key); v != q.Default && !q.ByTarget {
				t.Errorf("%s: %s is %g, and not %g as declared", p.Spec, q.Key, v, q.Default)
			}
		}
	})
}

// A method that is taken up in the middle keeps draws of its own step size, also
// where the one before it had none to keep.
func TestMethodTakenUpFromOneThatExplores(t *testing.T) {
	innerlooptest.Later(t, "every method on every target, twice")
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		if m.Misfit(p) != "" || p.Spec == "banana" || p.Spec == "funnel" {
			return
		}
		c := brief(p, m.Name)
		set := c.Lanes[0].With(sampler.KeyThin, 1)
		if set.Has(sampler.KeyBurnIn) {
			set = set.With(sampler.KeyBurnIn, 0)
		}
		fresh := oneLane(t, c, set, p)
		defer fresh.Close()
		fresh.Advance(110) // methods that count their own steps are there
		own := fresh.Measures().View(false, nil).Eps
		fresh.Advance(10) // and those that count the lane's are here
		want := fresh.Measures().View(false, nil).Eps
		for _, before := range []string{"csgld", "hmc"} {
			from, _ := catalog.Find(before)
			if from.Misfit(p) != "" || m.Name == before {
				continue
			}
			c := brief(p, before)
			l := oneLane(t, c, c.Lanes[0], p)
			l.Advance(10) // of 20 or 60 that explore
			l.Change(set, false)
			l.Advance(110)
			v := l.Measures().View(false, nil)
			if v.Draws == 0 && v.Diverged == nil {
				t.Errorf("%s: no draws after %s", p.Spec, before)
			}
			if v.Eps != want && v.Eps != own && !m.Metropolis {
				t.Errorf("%s: ε is %g after %s, want %g", p.Spec, v.Eps, before, want)
			}
			l.Close()
		}
	})
}
