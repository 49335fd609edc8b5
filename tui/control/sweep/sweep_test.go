package sweep

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
	views "github.com/psgld/psgld-tui/tui/view"
	view "github.com/psgld/psgld-tui/tui/view/sweep"
)

// recorder stands for a session that never answers but keeps what it is sent.
type recorder struct {
	snap *engine.Snapshot
	sent []state.Command
}

func (r *recorder) Send(c state.Command) (serial uint64) {
	r.sent = append(r.sent, c)
	return r.snap.Applied + uint64(len(r.sent))
}
func (r *recorder) Snapshot() *engine.Snapshot { return r.snap }
func (r *recorder) Changed() <-chan struct{}   { return nil }

// newSession makes a session of pSGLD and SGLD on a target.
func newSession(t *testing.T, spec string) *session.Session {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: spec, Seed: 1, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	s, err := session.New(cfg, p, session.Runtime{Threads: 2, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newSweep is the controller on a desk of its own, with the bindings of others that it
// names.
func newSweep(ctx context.Context, s control.Session, size scan.Size) *Sweep {
	d := &control.Desk{Feed: control.NewFeed(ctx, s, 0), Screen: control.Screen{Width: 120, Height: 36}}
	d.Focus.Param, d.Focus.Lane = "eps", d.Feed.Newest.Lanes[0].ID
	c := New(ctx, d, new(view.Shown))
	c.Size = size
	selects := func(by int) func() tea.Cmd {
		return func() tea.Cmd { d.Focus.SelectBy(d.Feed.Foreseen, by); return nil }
	}
	d.Keys.Bindings = append(c.Bindings(),
		control.Binding{Name: "next parameter", Do: selects(1)},
		control.Binding{Name: "previous parameter", Do: selects(-1)},
		control.Binding{Name: "history", Keys: "b"})
	return c
}

// press does what a key does.
func (c *Sweep) press(t *testing.T, key string) {
	t.Helper()
	b := control.ByKey(c.Desk.Keys.Bindings, key)
	if b == nil {
		t.Fatalf("nothing has the key %s", key)
	}
	c.Keys.Press++
	b.Do()
	c.follow()
}

// sized gives the grid a size.
func (c *Sweep) sized(t *testing.T, size string) {
	t.Helper()
	c.Keys.Press++
	do, err := control.ByName(c.Desk.Keys.Bindings, "grid").With(size)
	if err != nil {
		t.Fatal(err)
	}
	do()
	c.follow()
}

// look shows a view.
func (c *Sweep) look(view int) {
	c.Focus.View = view
	c.follow()
}

// waits waits until the grid has run.
func (c *Sweep) waits(t *testing.T) { c.Update(control.SettleMsg{Context: t.Context()}) }

// says is the notice.
func (c *Sweep) says() string {
	n := c.Notices.Text(c.Feed.Foreseen)
	return n.Text
}

// rest is a controller on a session at rest.
func rest(t *testing.T, size scan.Size) (*Sweep, *recorder) {
	t.Helper()
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	c := newSweep(t.Context(), r, size)
	t.Cleanup(func() { c.Update(control.EndMsg{}) })
	return c, r
}

// onSweep is a controller at rest whose view is looked at, with a small grid that is
// whole.
func onSweep(t *testing.T, size scan.Size) (*Sweep, *recorder) {
	t.Helper()
	c, r := rest(t, size)
	if c.look(views.Sweep); c.grid == nil {
		t.Fatal("the view makes no grid")
	}
	c.waits(t)
	return c, r
}

// A cell's numbers are those of a session with the cell's config, and the mean over
// seeds is that of such sessions. Where no lane came to anything with the first seed
// it is left at that.
func TestCellsAreTheSessionsOfTheirConfigs(t *testing.T) {
	innerlooptest.Skip(t, "a whole grid")
	c, r := onSweep(t, scan.Size{Cells: 5, Steps: 20_000, Seeds: 2})
	d := c.Shown.Data
	if d.State != view.Done || d.Done != 7 || d.Total != 7 || len(d.Values) != 5 || len(d.Lanes) != 2 {
		t.Fatalf("%+v", d)
	}
	for i, eps := range d.Values {
		var sum, n [2]float64
		var done [2]int
		runs, some := 0, true
		for seed := uint64(0); seed < 2 && some; seed++ {
			runs++
			some = false
			cfg := r.snap.Config
			cfg.Lanes = slices.Clone(cfg.Lanes)
			for k, l := range r.snap.Lanes {
				cfg.Lanes[k] = l.Setting.With("eps", eps)
			}
			cfg.Seed, cfg.Steps = d.Seed+seed, 20_000
			s, err := session.New(cfg, r.snap.Problem, session.Runtime{Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			for k, l := range s.Result("").Lanes {
				if l.Diverged == nil {
					done[k]++
					if e := l.Values[quantity.CovError]; e.OK() {
						sum[k] += e.Value
						n[k]++
					}
					some = some || l.Values[quantity.MinESS].OK()
				}
			}
		}
		for k := range d.Lanes {
			c := d.Lanes[k].Cells[i]
			if c.Runs != runs || c.Diverged != runs-done[k] {
				t.Errorf("ε %g, lane %d: %d runs, %d lost; want %d and %d", eps, k, c.Runs, c.Diverged, runs,
					runs-done[k])
			}
			// The sum of two is exact but for the rounding of the mean.
			if want := sum[k] / n[k]; n[k] > 0 && math.Abs(c.Of[quantity.CovError].Mean-want) > 1e-14*want {
				t.Errorf("ε %g, lane %d: error %v, of its sessions %v", eps, k, c.Of[quantity.CovError].Mean, want)
			}
		}
	}
}

// Enter turns the parameter and begins again on the cell's seed; a paused session then
// runs as far as the cell.
func TestJumpIsTheCellsSession(t *testing.T) {
	c, r := onSweep(t, scan.Size{Cells: 5, Steps: 200, Seeds: 1})
	r.sent = nil
	c.press(t, "right")
	c.press(t, "enter")
	x := c.Shown.Data.Values[c.Shown.Data.Base+1]
	want := []state.Command{
		state.SetParam{Lane: state.AllLanes, Key: "eps", Value: x}, state.Restart{Seed: 1},
	}
	if !reflect.DeepEqual(r.sent, want) {
		t.Errorf("enter sent %#v, want %#v", r.sent, want)
	}
	s := *c.Feed.Newest
	s.Phase, s.Applied, s.Version = state.Paused, c.Feed.Sent, s.Version+1
	s.Tape.At, s.Tape.End = 5000, 5000
	for i := range s.Lanes {
		s.Lanes[i].Setting = s.Lanes[i].Setting.With("eps", x)
	}
	r.snap = &s
	c.Feed.Pull()
	r.sent = nil
	c.press(t, "enter")
	if want := []state.Command{state.Restart{Seed: 1}, state.StepBy{N: 200}}; !reflect.DeepEqual(r.sent, want) {
		t.Errorf("enter of a paused session sent %#v, want %#v", r.sent, want)
	}
	// What ran is on the tape before the jump, which the notice says.
	text := c.says()
	if !strings.Contains(text, "the session now has the cell") ||
		!strings.Contains(text, "; b goes back to what ran") {
		t.Errorf("notice %q", text)
	}
}

// The live session that has jumped to a cell comes to the cell's very numbers.
func TestTheSessionComesToTheCellsNumbers(t *testing.T) {
	innerlooptest.Later(t, "a whole grid")
	s := newSession(t, "gaussian")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	defer func() {
		cancel()
		<-ended
	}()
	s.Send(state.Pause{})
	c := newSweep(ctx, s, scan.Size{Cells: 3, Steps: 400_000, Seeds: 1})
	defer c.Update(control.EndMsg{})
	settle := func(ok func(*engine.Snapshot) bool) *engine.Snapshot {
		for end := time.Now().Add(ptytest.Patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
			c.Feed.Pull()
			if snap := c.Feed.Newest; !c.Feed.Awaiting() && ok(snap) {
				return snap
			}
		}
		t.Fatal("the session does not come there")
		return nil
	}
	settle(func(s *engine.Snapshot) bool { return s.Phase == state.Paused })
	c.look(views.Sweep)
	c.waits(t)
	c.press(t, "home")
	c.press(t, "enter")
	snap := settle(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == 400_000 && s.Lanes[1].Step == 400_000 })
	for k := range snap.Lanes {
		got, want := snap.Lanes[k].Values[quantity.CovError].Trusted(),
			c.Shown.Data.Lanes[k].Cells[0].Of[quantity.CovError].Mean
		if got != want {
			t.Errorf("lane %d came to an error of %v, the cell to %v", k, got, want)
		}
	}
}

// set gives the lanes of the snapshot that have a parameter a value.
func (c *Sweep) set(key string, x float64) {
	s := *c.Feed.Newest
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		if l := &s.Lanes[i]; l.Setting.Has(key) {
			l.Setting = l.Setting.With(key, x)
		}
	}
	c.Feed.Newest, c.Feed.Foreseen = &s, &s
	c.follow()
}

// A grid belongs to the settings, but for the parameter's own: turning that keeps it,
// turning another makes another, and turning back finds the first again.
func TestGridsAreKeptWhileTheirSettingsStay(t *testing.T) {
	c, _ := onSweep(t, scan.Size{Cells: 5, Steps: 100, Seeds: 1})
	first := c.grid
	c.set("eps", 0.2)
	if c.grid != first {
		t.Error("turning ε drops the grid over ε")
	}
	c.set("lambda", 1e-4)
	second := c.grid
	if second == first || second.Known().Done != 0 {
		t.Error("turning λ keeps the grid over ε")
	}
	c.set("lambda", 1e-5)
	if c.grid != first || c.Shown.Data.State != view.Done {
		t.Error("turning λ back does not find the grid again")
	}
	c.Feed.Send(state.Restart{Seed: 1, Chains: 2})
	if c.follow(); c.grid == first || c.grid.Sweep.Config.Chains != 2 {
		t.Error("another number of chains keeps the grid")
	}
	c.Focus.Param = state.KeyChains
	if c.follow(); c.grid != nil || c.Shown.Data.Note != noParam {
		t.Error("there is a grid over chains, which no lane has of its own")
	}
	c.Focus.Param = "eps"
	c.press(t, "down")
	if g := c.grid; g == first || g.Param.Key != "alpha" || g.Sweep.Grid[0].Key != "alpha" {
		t.Error("another selected parameter has no grid of its own")
	} else if g.Sweep.Config.Lanes[0].Value("eps") != 0.2 || len(g.Sweep.Config.Lanes) != 1 {
		t.Errorf("the grid over α is of %+v; want ε 0.2 and the lane that has α", g.Sweep.Config.Lanes)
	}
	c.look(views.Stage)
	c.Desk.Keys.Do("next parameter")
	c.follow()
	if c.grid.Param.Key != "alpha" {
		t.Error("selecting a parameter in another view changes the grid")
	}
}

// A new target begins on ε, whatever was selected for the one before.
func TestNewTargetsBeginOnTheStepSize(t *testing.T) {
	c, _ := onSweep(t, scan.Size{Cells: 3, Steps: 100, Seeds: 1})
	c.Focus.Param = sampler.KeyBurnIn
	if c.follow(); c.grid.Param.Key != sampler.KeyBurnIn {
		t.Fatalf("the grid is over %s", c.grid.Param.Key)
	}
	now := newSession(t, "banana").Snapshot()
	c.Focus.Follow(c.Feed.Newest, now)
	c.Feed.Newest, c.Feed.Foreseen = now, now
	if c.follow(); c.grid.Param.Key != sampler.KeyEps || c.grid.Sweep.Problem != now.Problem {
		t.Errorf("on a new target the grid is over %s", c.grid.Param.Key)
	}
}

// Cells of the usual length are found again after shorter ones.
func TestShorterCellsAndBack(t *testing.T) {
	c, _ := onSweep(t, scan.Size{Cells: 3, Seeds: 1})
	first := c.grid
	c.sized(t, "steps 20000")
	if n := c.grid.Sweep.Config.Steps; c.grid == first || n != 20_000 {
		t.Fatalf("it makes cells of %d steps", n)
	}
	c.sized(t, "steps 0")
	if c.grid != first || c.Shown.Data.State != view.Done {
		t.Error("it runs the cells of the usual length anew")
	}
}

// Keys pause the grid, go on with it and make it longer, and what has run stays.
func TestGridKeys(t *testing.T) {
	innerlooptest.Later(t, "it waits for a grid")
	c, _ := rest(t, scan.Size{Cells: 5, Steps: 100_000, Seeds: 4})
	c.look(views.Sweep)
	if c.job == nil || c.Shown.Data.State != view.Running {
		t.Fatal("the first look starts no grid")
	}
	c.press(t, "p")
	if c.job != nil || c.Shown.Data.State != view.Paused {
		t.Error("P does not pause it")
	}
	done := c.grid.Known().Done
	c.press(t, "p")
	c.waits(t)
	if n := c.grid.Known().Done; n != c.grid.Known().Total || n < 15 || done > n || c.Shown.Data.State != view.Done {
		t.Errorf("%d of %d cells after going on", n, c.grid.Known().Total)
	}
	c.sized(t, "steps 50000")
	if n := c.grid.Sweep.Config.Steps; n != 50_000 {
		t.Errorf("it makes cells of %d steps", n)
	}
	c.sized(t, "steps 100000")
	if n := c.grid.Sweep.Config.Steps; n != 100_000 || c.Shown.Data.State != view.Done {
		t.Errorf("it makes cells of %d steps, or runs them anew", n)
	}
	c.sized(t, "steps 50000")
	if text := c.says(); !strings.Contains(text, "what has run of 100,000 steps is kept") {
		t.Errorf("it does not say that what has run is kept: %q", text)
	}
	c.sized(t, "steps 100000")
	c.set("eps", 0.1)
	c.press(t, "n")
	if text := c.says(); !c.grid.Whole() || !strings.HasPrefix(text, "n again throws ") {
		t.Errorf("what has run is thrown away at once: %q", text)
	}
	c.press(t, "n")
	if d := c.Shown.Data; d.Values[d.Base] != 0.1 {
		t.Errorf("G makes a grid about %v, want 0.1", d.Values[d.Base])
	}
	c.sized(t, "cells 9")
	if n := len(c.grid.Values()); n != 9 {
		t.Errorf("grid cells 9 makes %d", n)
	}
}

// A grid stands while the session is paused, in whatever view, and goes on with it.
func TestGridStandsWithTheLanes(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	phase := func(p state.Phase) {
		s := *r.snap
		s.Version, s.Phase = s.Version+1, p
		r.snap = &s
	}
	phase(state.Running)
	c := newSweep(t.Context(), r, scan.Size{})
	defer c.stop()
	to := func(p state.Phase) {
		phase(p)
		c.Feed.Newest, c.Feed.Foreseen = r.snap, r.snap
		c.follow()
	}
	c.look(views.Sweep)
	for _, at := range []int{views.Sweep, 0} {
		c.look(at)
		if to(state.Paused); c.job != nil || c.Shown.Data.State != view.Paused {
			t.Error("it runs on while the session is paused")
		}
		if to(state.Running); c.job == nil || c.Shown.Data.State != view.Running {
			t.Error("it stands while the session runs")
		}
	}
	c.look(views.Sweep)
	c.press(t, "p") // the grid alone
	if to(state.Paused); c.job != nil {
		t.Error("a paused grid runs")
	}
	if c.press(t, "p"); c.job == nil {
		t.Error("a grid beside a session that is paused does not go on when it is told to")
	}
}

// Ending a grid, however far it has come, leaves nothing that runs: a bubble fails where
// anything does.
func TestEndedGridsLeaveNothing(t *testing.T) { synctest.Test(t, endedGrid) }

func endedGrid(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	c := newSweep(ctx, r, scan.Size{Cells: 41, Steps: scan.MostSteps, Seeds: scan.MostSeeds})
	c.look(views.Sweep)
	wait := c.collect(c.job)
	got := make(chan tea.Msg, 1)
	go func() { got <- wait() }()
	for range 5 {
		c.press(t, "p")
	}
	cancel()
	c.Update(control.EndMsg{})
	<-got
	if c.start(); c.job != nil {
		t.Error("a grid begins after the program's end")
	}
}

// Progress wakes the screen at its own rate, and only redraws the view of the grid.
func TestProgressIsTakenInBatches(t *testing.T) {
	innerlooptest.Skip(t, "a whole grid")
	c, _ := rest(t, scan.Size{Cells: 21, Steps: 5000, Seeds: 5})
	c.look(views.Sweep)
	messages, start := 0, time.Now()
	for c.job != nil {
		then := c.collect(c.job)().(control.ThenMsg)
		c.Focus.View = messages % 2 * views.Sweep
		c.Screen.Dirty = false
		then()
		if c.Screen.Dirty != c.open() {
			t.Error("progress redraws another view, or not that of the grid")
		}
		messages++
	}
	if d := c.Shown.Data; d.Done != d.Total || d.Total < 40 || d.State != view.Done {
		t.Errorf("%d of %d cells", d.Done, d.Total)
	}
	if took := time.Since(start); took < time.Duration(messages-1)*wakeEvery { // the last comes with the end
		t.Errorf("%d messages in %v", messages, took)
	}
}
