package app

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/tui/view/sweep"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets/param"
)

// onSweep is a screen at rest on view 6, with a small grid that is whole.
func onSweep(t *testing.T, spec string, size sweepSize) (*model, *recorder) {
	t.Helper()
	m, r := rest(t, spec)
	m.sweep.size = size
	m.Update(press("6"))
	if m.sweep.grid == nil {
		t.Fatal("view 6 makes no grid")
	}
	m.settleSweep(t.Context())
	t.Cleanup(m.endSweep)
	return m, r
}

// A cell's numbers are those of a session with the cell's config, and the mean over
// seeds is that of such sessions. Where no lane came to anything with the first seed
// it is left at that.
func TestCellsAreTheSessionsOfTheirConfigs(t *testing.T) {
	m, r := onSweep(t, "gaussian", sweepSize{points: 5, steps: 3000, seeds: 2})
	d := m.sweep.data
	if d.State != sweep.Done || d.Done != 9 || d.Total != 9 || len(d.Values) != 5 || len(d.Lanes) != 2 {
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
			cfg.Seed, cfg.Steps = d.Seed+seed, 3000
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
			if c.Runs != runs || c.Lost != runs-done[k] {
				t.Errorf("ε %g, lane %d: %d runs, %d lost; want %d and %d", eps, k, c.Runs, c.Lost, runs, runs-done[k])
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
	m, r := onSweep(t, "gaussian", sweepSize{points: 5, steps: 200, seeds: 1})
	r.sent = nil
	m.Update(press("right"))
	m.Update(press("enter"))
	x := m.sweep.data.Values[m.sweep.data.Base+1]
	want := []engine.Command{
		engine.SetParam{Lane: engine.AllLanes, Key: "eps", Value: x}, engine.Restart{Seed: 1},
	}
	if !reflect.DeepEqual(r.sent, want) {
		t.Errorf("enter sent %#v, want %#v", r.sent, want)
	}
	s := *m.Feed.Snap
	s.Phase, s.Applied, s.Version = engine.Paused, m.Feed.Sent, s.Version+1
	s.Tape.At, s.Tape.End = 5000, 5000
	for i := range s.Lanes {
		s.Lanes[i].Setting = s.Lanes[i].Setting.With("eps", x)
	}
	r.snap = &s
	m.Feed.Pull()
	r.sent = nil
	m.Update(press("enter"))
	if want := []engine.Command{engine.Restart{Seed: 1}, engine.StepBy{N: 200}}; !reflect.DeepEqual(r.sent, want) {
		t.Errorf("enter of a paused session sent %#v, want %#v", r.sent, want)
	}
	// What ran is on the tape before the jump, which the notice says.
	if n, _ := m.Notices.Text(m.Feed.Shown); !strings.Contains(n.Text, "the session is the cell's") || !strings.Contains(n.Text, "S p goes back to what ran") {
		t.Errorf("notice %q", n.Text)
	}
}

// The live session that has jumped to a cell comes to the cell's very numbers.
func TestTheSessionComesToTheCellsNumbers(t *testing.T) {
	s := newSession(t, "gaussian")
	running(t, s)
	s.Send(engine.Pause{})
	m := newScreenOn(t, s, 120, 36)
	settle := func(ok func(*engine.Snapshot) bool) *engine.Snapshot {
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
			look(m)
			if snap := m.Feed.Snap; !m.Feed.Awaiting() && ok(snap) {
				return snap
			}
		}
		t.Fatal("the session does not come there")
		return nil
	}
	settle(func(s *engine.Snapshot) bool { return s.Phase == engine.Paused })
	m.sweep.size = sweepSize{points: 3, steps: 400_000, seeds: 1}
	m.Update(press("6"))
	m.settleSweep(t.Context())
	t.Cleanup(m.endSweep)
	m.Update(press("home"))
	m.Update(press("enter"))
	snap := settle(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == 400_000 && s.Lanes[1].Step == 400_000 })
	for k := range snap.Lanes {
		if got, want := snap.Lanes[k].Values[quantity.CovError].Trusted(), m.sweep.data.Lanes[k].Cells[0].Of[quantity.CovError].Mean; got != want {
			t.Errorf("lane %d came to an error of %v, the cell to %v", k, got, want)
		}
	}
}

// turnTo gives the lanes of the snapshot that have a parameter a value.
func turnTo(m *model, key string, x float64) {
	s := *m.Feed.Snap
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		if l := &s.Lanes[i]; l.Setting.Has(key) {
			l.Setting = l.Setting.With(key, x)
		}
	}
	m.Feed.Snap, m.Feed.Shown = &s, &s
}

// A grid belongs to the settings, but for the parameter's own: turning that keeps it,
// turning another makes another, and turning back finds the first again.
func TestGridsAreKeptWhileTheirSettingsStay(t *testing.T) {
	m, _ := onSweep(t, "gaussian", sweepSize{points: 5, steps: 100, seeds: 1})
	first := m.sweep.grid
	set(m, "eps", 0.2)
	m.followed(nil)
	if m.sweep.grid != first {
		t.Error("turning ε drops the grid over ε")
	}
	turnTo(m, "lambda", 1e-4)
	m.followed(nil)
	second := m.sweep.grid
	if second == first || second.runs == nil || len(second.runs) != 0 {
		t.Error("turning λ keeps the grid over ε")
	}
	turnTo(m, "lambda", 1e-5)
	m.followed(nil)
	if m.sweep.grid != first || m.sweep.data.State != sweep.Done {
		t.Error("turning λ back does not find the grid again")
	}
	m.Update(press("down"))
	if g := m.sweep.grid; g == first || g.param.Key != "alpha" || g.sweep.Grid[0].Key != "alpha" {
		t.Error("another selected parameter has no grid of its own")
	} else if g.sweep.Config.Lanes[0].Value("eps") != 0.2 || len(g.sweep.Config.Lanes) != 1 {
		t.Errorf("the grid over α is of %+v; want ε 0.2 and the lane that has α", g.sweep.Config.Lanes)
	}
	m.Update(press("1"))
	m.Update(press("down"))
	if m.sweep.grid.param.Key != "alpha" {
		t.Error("selecting a parameter in another view changes the grid")
	}
}

// A new target begins on ε, whatever was selected for the one before.
func TestNewTargetsBeginOnTheStepSize(t *testing.T) {
	m, _ := onSweep(t, "gaussian", sweepSize{points: 3, steps: 100, seeds: 1})
	m.Focus.Param = sampler.KeyBurnIn
	if m.followed(nil); m.sweep.grid.param.Key != sampler.KeyBurnIn {
		t.Fatalf("the grid is over %s", m.sweep.grid.param.Key)
	}
	now := newSession(t, "banana").Snapshot()
	m.Focus.Follow(m.Feed.Snap, now)
	m.Feed.Snap, m.Feed.Shown = now, now
	if m.followed(nil); m.sweep.grid.param.Key != sampler.KeyEps || m.sweep.grid.sweep.Problem != now.Problem {
		t.Errorf("on a new target the grid is over %s", m.sweep.grid.param.Key)
	}
}

// Cells of the usual length are found again after shorter ones.
func TestShorterCellsAndBack(t *testing.T) {
	m, _ := onSweep(t, "gaussian", sweepSize{points: 3, seeds: 1})
	first := m.sweep.grid
	m.Update(press("("))
	if n := m.sweep.grid.sweep.Config.Steps; m.sweep.grid == first || n != usualSteps/2 {
		t.Fatalf("( makes cells of %d steps", n)
	}
	m.Update(press(")"))
	if m.sweep.grid != first || m.sweep.data.State != sweep.Done {
		t.Error(") runs the cells of the usual length anew")
	}
}

// Keys pause the grid, go on with it and make it longer, and what has run stays.
func TestGridKeys(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.sweep.size = sweepSize{points: 5, steps: 100_000, seeds: 4}
	m.Update(press("6"))
	t.Cleanup(m.endSweep)
	if m.sweep.job == nil || m.sweep.data.State != sweep.Running {
		t.Fatal("the first look starts no grid")
	}
	m.Update(press("P"))
	if m.sweep.job != nil || m.sweep.data.State != sweep.Paused {
		t.Error("P does not pause it")
	}
	done := len(m.sweep.grid.runs)
	m.Update(press("P"))
	m.settleSweep(t.Context())
	if n := len(m.sweep.grid.runs); n != 20 || done > n || m.sweep.data.State != sweep.Done {
		t.Errorf("%d of 20 cells after going on", n)
	}
	m.Update(press("("))
	if n := m.sweep.grid.sweep.Config.Steps; n != 50_000 {
		t.Errorf("( makes cells of %d steps", n)
	}
	m.Update(press(")"))
	if n := m.sweep.grid.sweep.Config.Steps; n != 100_000 || m.sweep.data.State != sweep.Done {
		t.Errorf(") makes cells of %d steps, or runs them anew", n)
	}
	m.Update(press("("))
	if n, _ := m.Notices.Text(m.Feed.Shown); !strings.Contains(n.Text, "what has run of 100,000 steps is kept") {
		t.Errorf("( does not say that what has run is kept: %q", n.Text)
	}
	m.Update(press(")"))
	set(m, "eps", 0.1)
	m.Update(press("G"))
	if d := m.sweep.data; d.Values[d.Base] != 0.1 {
		t.Errorf("G makes a grid about %v, want 0.1", d.Values[d.Base])
	}
	m.Layer = nil
	m.Update(press(":"))
	typeKeys(m, "grid cells 9")
	m.Update(press("enter"))
	if n := len(m.sweep.grid.sweep.Grid[0].Values); n != 9 {
		t.Errorf("grid cells 9 makes %d", n)
	}
}

// A second click on a cell jumps to it.
func TestClicksOnCells(t *testing.T) {
	m, r := onSweep(t, "gaussian", sweepSize{points: 5, steps: 100, seeds: 1})
	m.View()
	p, ok := m.Panes.Find("covariance error")
	if !ok {
		t.Fatal("no pane")
	}
	at := p.Plot.Rect
	click := tea.MouseClickMsg{X: at.X + at.W/10, Y: at.Y, Button: tea.MouseLeft}
	m.Update(click)
	if m.sweep.at != 0 {
		t.Errorf("a click on the first cell chooses %d", m.sweep.at)
	}
	n := len(r.sent)
	m.Update(click)
	if len(r.sent) != n+2 {
		t.Errorf("a second click sent %#v", r.sent[n:])
	}
}

// Ending a grid, however far it has come, leaves nothing that runs.
func TestEndedGridsLeaveNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	m := newModel(ctx, r, Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.sweep.size = sweepSize{points: 41, steps: mostSteps, seeds: mostSeeds}
	m.Update(press("6"))
	wait := m.sweep.job.wait()
	got := make(chan tea.Msg, 1)
	go func() { got <- wait() }()
	for range 5 {
		m.Update(press("P"))
	}
	cancel()
	m.endSweep()
	<-got
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	if m.sweepDue(sweepDueMsg{m.sweep.delay}); m.sweep.job != nil {
		t.Error("a grid begins after the program's end")
	}
}

// Progress wakes the screen at its own rate, and only redraws the view of the grid.
func TestProgressIsTakenInBatches(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.sweep.size = sweepSize{points: 41, steps: 200, seeds: 5}
	m.Update(press("6"))
	t.Cleanup(m.endSweep)
	messages := 0
	for m.sweep.job != nil {
		msg := m.sweep.job.wait()().(sweptMsg)
		m.Update(msg)
		messages++
	}
	if d := m.sweep.data; d.Done != d.Total || d.Total < 100 || d.State != sweep.Done {
		t.Errorf("%d of %d cells", d.Done, d.Total)
	}
	if n := m.sweep.data.Total; messages > n/2 {
		t.Errorf("%d messages for %d cells", messages, n)
	}
	m.Update(press("1"))
	m.View()
	m.sweptSome(sweptMsg{m.sweep.serial})
	if m.Dirty {
		t.Error("a grid that is not shown redraws the screen")
	}
}

func TestGridValues(t *testing.T) {
	param := func(key string) param.Param {
		m, _ := catalog.Find("psgld")
		for _, p := range m.All() {
			if p.Key == key {
				return p
			}
		}
		t.Fatal(key)
		return param.Param{}
	}
	for _, c := range []struct {
		key    string
		x      float64
		points int
		n      int
		lo, hi float64
	}{
		{"eps", 0.1, 41, 41, 0.001, 10}, {"eps", 0.1, 5, 5, 0.001, 10}, {"eps", 1, 81, 61, 0.01, 10},
		{"lambda", 1e-5, 41, 41, 1e-7, 1e-3}, {"gamma", 1, 41, 2, 0, 1}, {"alpha", 0.99, 21, 21, 0, 0.9999},
		{"thin", 1, 41, 21, 1, 0}, {"temp", 0, 13, 7, 0, 0},
		{"eps", 8.33e-8, 13, 10, 1.05e-8, 0},
	} {
		values, base := gridValues(param(c.key), c.x, c.points)
		if base >= len(values) || values[base] != c.x || !slices.IsSorted(values) || len(slices.Compact(slices.Clone(values))) != len(values) {
			t.Errorf("%s about %v: %v, base %d", c.key, c.x, values, base)
			continue
		}
		if len(values) != c.n || values[0] != c.lo || c.hi > 0 && math.Abs(values[len(values)-1]-c.hi) > 1e-3*c.hi {
			t.Errorf("%s about %v: %d values from %v to %v, want %d from %v to %v", c.key, c.x, len(values), values[0], values[len(values)-1], c.n, c.lo, c.hi)
		}
	}
}

// A still waits for the grid, so that its picture is the same every time.
func TestStillOfAGrid(t *testing.T) {
	picture := func() string {
		const script = ": type=grid space type=steps space type=300 enter : type=grid space type=cells space type=5 enter 6 right"
		frame, err := Still(t.Context(), newSession(t, "gaussian"), Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}}, 120, 36, script)
		if err != nil {
			t.Fatal(err)
		}
		return frame
	}
	a, b := picture(), picture()
	if a != b {
		t.Error("two stills of a grid differ")
	}
	if text := ansi.Strip(a); !strings.Contains(text, "21 of 21") || !strings.Contains(text, "done") || !strings.Contains(text, "covariance error") {
		t.Errorf("a still of a grid that is not whole:\n%s", text)
	}
}
