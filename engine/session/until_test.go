package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
)

func until(t testing.TB, text string) quantity.Until {
	t.Helper()
	u, err := quantity.ParseUntil(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// satisfied reports whether a lane's result has what u asks for in each coordinate, by the numbers that it shows.
func satisfied(l engine.LaneResult, u quantity.Until) bool {
	for _, c := range l.Coords {
		ess := c[quantity.ESS]
		if bulk := c[quantity.BulkESS]; l.Chains > 1 && l.RanksEvery == 1 {
			ess = bulk
		}
		if x := u[quantity.ESS]; x > 0 && !(ess.Trusted() >= x) {
			return false
		}
		if x := u[quantity.MCSE]; x > 0 && !(c[quantity.MCSE].Trusted() <= x*c[quantity.SD].Trusted()) {
			return false
		}
		if x := u[quantity.RHat]; x > 0 && !(c[quantity.RHat].Trusted() <= x) {
			return false
		}
	}
	return true
}

// A run ends at the first look at which every lane that samples has what is asked for: on one thread and on two, in chunks of
// any size, while somebody looks at it, and with a screen, where it pauses there. The same run of that many steps has what is
// asked for, and at no look before has it.
func TestUntil(t *testing.T) {
	for i, c := range []struct {
		target, until string
		chains        int
		values        map[string]float64
		samplers      []string
	}{
		{"gaussian", "ess=400", 1, nil, []string{"psgld", "sgld"}},
		{"gaussian", "mcse=0.03", 1, map[string]float64{sampler.KeyThin: 5, sampler.KeyBurnIn: 33}, []string{"psgld", "sgld"}},
		{"gaussian", "ess=600,rhat=1.005,mcse=0.05", 1, nil, []string{"sgld"}},
		{"gaussian", "ess=400,rhat=1.01", 4, nil, []string{"psgld", "sgld"}},
		{"mixture", "rhat=1.05", 2, nil, []string{"sgld"}},
		{"gaussian", "ess=150", 1, map[string]float64{sampler.KeyThin: 2}, []string{"hmc", "rmsprop"}},
		{"blr:synthetic", "mcse=0.2", 1, map[string]float64{sampler.KeyEps: 1e-3, sampler.KeyThin: 2}, []string{"psgld", "sgd"}},
	} {
		t.Run(fmt.Sprint(c.target, " ", c.until, " ", c.chains), func(t *testing.T) {
			t.Parallel()
			if i != 3 {
				innerlooptest.Skip(t, "one of these runs")
			}
			p := open(t, c.target)
			cfg := config(p, 0, c.values, c.samplers...)
			cfg.Chains, cfg.Until = c.chains, until(t, c.until)
			cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyThin, cfg.Lanes[0].Value(sampler.KeyThin)+1) // lanes are due at steps of their own
			s, first := run(t, cfg, p, Runtime{Threads: 1})
			if first.EndedBy != engine.EndedByUntil {
				t.Fatalf("ended by %q", first.EndedBy)
			}
			ends := func(r engine.Result) (all []string) {
				for _, l := range r.Lanes {
					all = append(all, fmt.Sprint(l.Steps, l.Digest))
				}
				return all
			}
			_, two := run(t, cfg, p, Runtime{Threads: 2})
			if !slices.Equal(ends(two), ends(first)) {
				t.Errorf("one thread ends at %v, two at %v", ends(first), ends(two))
			}

			watched, err := New(cfg, p, Runtime{Interactive: true})
			if err != nil {
				t.Fatal(err)
			}
			watched.Send(state.Watch{Y: 1, Rows: true})
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- watched.Run(ctx) }()
			for watched.Snapshot().Phase != state.Done {
				time.Sleep(time.Millisecond)
			}
			if f, ok := watched.Snapshot().Notice.Fact.(state.Enough); !ok || f.Step != slices.Max(stepsOf(first)) {
				t.Errorf("the screen says %+v", watched.Snapshot().Notice.Fact)
			}
			stop()
			<-ended
			if r := watched.Result(""); !slices.Equal(ends(r), ends(first)) || r.EndedBy != engine.EndedByUntil {
				t.Errorf("with a screen it ends at %v by %q, without at %v", ends(r), r.EndedBy, ends(first))
			}

			again, err := Play(context.Background(), roundTrip(t, s.Recording("test")), p, Runtime{})
			if err != nil {
				t.Fatal(err)
			}
			if r := again.Result(""); !slices.Equal(ends(r), ends(first)) || r.EndedBy != engine.EndedByUntil {
				t.Errorf("the replay ends at %v by %q, it was at %v", ends(r), r.EndedBy, ends(first))
			}

			// Each step at which a lane that has not ended has as many draws as a look takes.
			plain, last := cfg, slices.Max(stepsOf(first))
			plain.Until = quantity.Until{}
			var looks []uint64
			for _, l := range cfg.Lanes {
				for n := quantity.NextLook(0); ; n = quantity.NextLook(n) {
					at := uint64(l.Or(sampler.KeyBurnIn, 0)) + n*uint64(l.Value(sampler.KeyThin)) // that of hmc is its warm-up
					if at > last {
						break
					}
					looks = append(looks, at)
				}
			}
			slices.Sort(looks)
			looks = slices.Compact(looks)
			if looks[len(looks)-1] != last {
				t.Fatalf("ended at step %d, where no lane was due: %v", last, looks)
			}
			looks = looks[max(0, len(looks)-3):]
			for _, at := range looks {
				plain.Steps = at
				_, r := run(t, plain, p, Runtime{})
				all := true
				for i, l := range r.Lanes {
					all = all && (cfg.Lanes[i].Sampler == "rmsprop" || cfg.Lanes[i].Sampler == "sgd" || satisfied(l, cfg.Until))
				}
				if all != (at == last) {
					t.Errorf("at step %d of %d enough is %v", at, last, all)
				}
			}
		})
	}
}

func stepsOf(r engine.Result) (all []uint64) {
	for _, l := range r.Lanes {
		all = append(all, l.Steps)
	}
	return all
}

// roundTrip writes a recording and reads it back.
func roundTrip(t *testing.T, r engine.Recording) engine.Recording {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back, err := engine.ReadRecording(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// The result says what has ended the run.
func TestEndedBy(t *testing.T) {
	p, data := open(t, "gaussian"), open(t, "blr:synthetic")
	ended := func(c state.Config, p *targets.Problem) (engine.Ending, []uint64) {
		_, r := run(t, c, p, Runtime{})
		return r.EndedBy, stepsOf(r)
	}
	never := until(t, "ess=1e12")
	with := func(p *targets.Problem, f func(c *state.Config), samplers ...string) state.Config {
		c := config(p, 0, nil, samplers...)
		c.Until = never
		f(&c)
		return c
	}
	for _, c := range []struct {
		cfg  state.Config
		p    *targets.Problem
		want engine.Ending
	}{
		{with(p, func(c *state.Config) { c.Steps = 500 }, "sgld"), p, engine.EndedBySteps},
		{with(p, func(c *state.Config) { c.Steps, c.Seconds = 1e9, 0.01 }, "sgld"), p, engine.EndedBySeconds},
		{with(data, func(c *state.Config) { c.Epochs, c.Steps = 2, 1e6 }, "sgld"), data, engine.EndedByEpochs},
		{with(data, func(c *state.Config) { c.Epochs, c.Steps = 1e6, 200 }, "sgld"), data, engine.EndedBySteps},
		{with(p, func(c *state.Config) { c.Until = until(t, "ess=100"); c.Steps = 1e6 }, "sgld"), p, engine.EndedByUntil},
		{with(p, func(c *state.Config) { c.Lanes[0] = c.Lanes[0].With(sampler.KeyEps, 5) }, "sgld"), p, engine.AllLost},
	} {
		if got, steps := ended(c.cfg, c.p); got != c.want {
			t.Errorf("steps %d, epochs %g, seconds %g, until %v: ended by %q after %v, want %q", c.cfg.Steps, c.cfg.Epochs, c.cfg.Seconds, c.cfg.Until, got, steps, c.want)
		}
	}
	s, err := New(with(p, func(*state.Config) {}, "sgld"), p, Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Result("").EndedBy; got != "" {
		t.Errorf("a session that has not run was ended by %q", got)
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	if err := s.Run(ctx); err == nil || s.Result("").EndedBy != engine.Interrupted {
		t.Errorf("ended by %q, %v", s.Result("").EndedBy, err)
	}
}

// A lane that diverges does not count. Where none is left that samples, an optimiser ends at its next look.
func TestUntilWithoutTheDiverged(t *testing.T) {
	p := open(t, "gaussian")
	for _, c := range []struct {
		other string
		want  engine.Ending
	}{{"psgld", engine.EndedByUntil}, {"rmsprop", engine.AllLost}} {
		cfg := config(p, 0, nil, "sgld", c.other)
		cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyEps, 5)
		cfg.Until = until(t, "ess=100")
		var ends []uint64
		for threads := 1; threads <= 2; threads++ {
			_, r := run(t, cfg, p, Runtime{Threads: threads})
			if r.EndedBy != c.want || r.Lanes[0].Diverged == nil || r.Lanes[1].Diverged != nil {
				t.Errorf("beside %s: ended by %q", c.other, r.EndedBy)
			}
			ends = append(ends, r.Lanes[1].Steps)
		}
		if ends[0] != ends[1] || c.other == "rmsprop" && ends[0] != quantity.FirstLook {
			t.Errorf("beside %s: ended at steps %v", c.other, ends)
		}
	}
}

// In a race each lane ends where it would alone.
func TestUntilInARace(t *testing.T) {
	p := open(t, "gaussian")
	cfg := config(p, 0, nil, "psgld", "sgld")
	cfg.Until, cfg.Race = until(t, "ess=400"), true
	_, both := run(t, cfg, p, Runtime{})
	for i, l := range cfg.Lanes {
		one := cfg
		one.Lanes, one.Stream = []state.Setting{l}, i
		if _, r := run(t, one, p, Runtime{}); r.Lanes[0].Steps != both.Lanes[i].Steps || both.EndedBy != engine.EndedByUntil {
			t.Errorf("%s ends at step %d alone and at %d in a race, ended by %q", l.Sampler, r.Lanes[0].Steps, both.Lanes[i].Steps, both.EndedBy)
		}
	}
}

// A change of a setting opens a window, in which enough is to be drawn anew.
func TestUntilAfterAChange(t *testing.T) {
	p := open(t, "gaussian")
	cfg := config(p, 0, nil, "sgld")
	cfg.Until = until(t, "ess=200")
	s, _ := run(t, cfg, p, Runtime{})
	end := s.lanes[0].Standing().Step
	again, err := New(cfg, p, Runtime{Replay: []state.Event{
		{At: []uint64{end - 10}, Command: state.SetParam{Lane: 0, Key: sampler.KeyEps, Value: 0.2}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	again.rt.Replay = nil // it goes on behind the event
	if err := again.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	r := again.Result("")
	if n := r.Lanes[0].Draws; r.Lanes[0].Steps <= end || r.Lanes[0].Steps != end-10+n || quantity.NextLook(n-1) != n || !satisfied(r.Lanes[0], cfg.Until) {
		t.Errorf("ended at step %d with %d draws, without the change at %d", r.Lanes[0].Steps, n, end)
	}
}

// What is asked for on the screen is recorded and holds at once if it does. The tape goes back from the end and comes to it
// again. To go on drops what was reached.
func TestSetUntil(t *testing.T) {
	p := open(t, "gaussian")
	s, err := New(config(p, 0, nil, "psgld", "sgld"), p, Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	s.Send(state.StepBy{N: 2000}) // before it runs, so that it runs no more
	go func() { ended <- s.Run(ctx) }()
	sends := func(c state.Command) *engine.Snapshot {
		t.Helper()
		for serial := s.Send(c); s.Snapshot().Applied < serial; {
			time.Sleep(time.Millisecond)
		}
		return s.Snapshot()
	}
	waits := func(what string, f func(s *engine.Snapshot) bool) *engine.Snapshot {
		t.Helper()
		for start := time.Now(); time.Since(start) < hung; time.Sleep(time.Millisecond) {
			if v := s.Snapshot(); f(v) {
				return v
			}
		}
		t.Fatalf("%s: never; %v at %d", what, s.Snapshot().Phase, s.Snapshot().Tape.At)
		return nil
	}
	waits("2,000 steps", func(v *engine.Snapshot) bool { return v.Tape.At == 2000 })
	if v := sends(state.SetUntil{Until: until(t, "ess=500")}); v.Config.Until[quantity.ESS] != 500 || v.Lanes[0].Enough == 0 || !(v.Lanes[0].Left > 0) {
		t.Errorf("%v at %d draws: enough at %d, %g s left", v.Config.Until, v.Lanes[0].Draws, v.Lanes[0].Enough, v.Lanes[0].Left)
	}
	if v := sends(state.SetUntil{Until: until(t, "rhat=1.5,ess=1e9")}); v.Phase == state.Done {
		t.Error("it is enough at once")
	}
	sends(state.SetUntil{Until: until(t, "ess=500")})
	sends(state.Resume{})
	end := waits("the end", func(v *engine.Snapshot) bool { return v.Phase == state.Done }).Tape.At
	sends(state.Seek{To: end - 50})
	waits("back", func(v *engine.Snapshot) bool { return v.Tape.At == end-50 && v.Phase == state.Paused })
	sends(state.Seek{To: end})
	waits("the end again", func(v *engine.Snapshot) bool { return v.Tape.At == end && v.Phase == state.Done })
	if v := sends(state.SetUntil{Until: until(t, "ess=400")}); v.Phase != state.Done {
		t.Errorf("less than there is: %v", v.Phase)
	}
	sends(state.Resume{})
	v := waits("more steps", func(v *engine.Snapshot) bool { return v.Tape.At > end+1000 })
	if v.Config.Until.Wanted() || v.Phase != state.Running {
		t.Errorf("%v, until %q", v.Phase, v.Config.Until)
	}
	if sends(state.SetUntil{Until: until(t, "ess=1e9")}); s.Snapshot().Phase == state.Done {
		t.Error("done")
	}
	if v := sends(state.SetUntil{}); v.Config.Until.Wanted() {
		t.Error("it is still asked for")
	}
	stop()
	<-ended
	rec := roundTrip(t, s.Recording("test"))
	if len(rec.Events) != 6 {
		t.Errorf("%d events", len(rec.Events))
	}
	if err := Verify(context.Background(), rec, Runtime{}); err != nil {
		t.Error(err)
	}
}

// What can never hold is refused.
func TestUntilRefused(t *testing.T) {
	p, network := open(t, "gaussian"), open(t, "mlp:4")
	for _, c := range []state.Config{
		{Target: p.Spec, Lanes: config(p, 0, nil, "rmsprop").Lanes, Until: until(t, "ess=10")},
		{Target: p.Spec, Lanes: config(p, 0, map[string]float64{sampler.KeyTemp: 0}, "sgld").Lanes, Until: until(t, "ess=10")},
	} {
		if err := c.Validate(p); err == nil {
			t.Errorf("%+v is not refused", c)
		}
	}
	c := config(network, 0, nil, "sgld")
	c.Until = until(t, "rhat=1.01")
	if err := c.Validate(network); err == nil {
		t.Error("R-hat of a network's weights is not refused")
	}
	if c.CompareWeights = true; c.Validate(network) != nil {
		t.Error("R-hat of a network's weights is refused though it was asked for")
	}
}

// Nothing is allocated between looks, and untilLook is exact: after so many steps the chains have as many draws as the look
// takes.
func TestUntilLook(t *testing.T) {
	p := open(t, "gaussian")
	for _, values := range []map[string]float64{nil, {sampler.KeyThin: 7}, {sampler.KeyBurnIn: 1000, sampler.KeyThin: 3}} {
		c := config(p, 0, values, "sgld")
		c.Chains = 2
		l := oneLane(t, c, c.Lanes[0], p)
		l.Advance(5) // within a stretch
		for range 10 {
			had := l.Standing().PerChain
			l.Advance(l.Standing().UntilLook)
			if l.Standing().PerChain != quantity.NextLook(had) {
				t.Fatalf("%v: %d draws after %d, want %d", values, l.Standing().PerChain, had, quantity.NextLook(had))
			}
			if n := alloctest.PerRun(10, func() { _ = l.Standing() }); n > 0 {
				t.Fatalf("%g allocations", n)
			}
		}
	}
	if got := untilLook(new(state.Config), nil); got != math.MaxUint64 {
		t.Errorf("nothing is asked for, and the next look is in %d steps", got)
	}
}
