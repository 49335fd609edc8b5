// Package sweep is the controller of the grid over the selected parameter that runs beside the session.
//
// How it works. The grid is a scan.Scan: each cell is the session with another value of the parameter. A scan.Job runs
// it on the cores that the session leaves. Four times a second at most the controller wakes, takes what was done and
// publishes it as the Data that the view of the sweep draws.
//
// The grid begins to run when its view is first looked at, and goes on behind other views. It stands while the session
// is paused, unless it is told to go on alone.
// After whatever has happened (control.AfterMsg) the controller checks that the grid still
// belongs to the session's settings, the selected parameter and the size asked for. If it
// does not, its job ends. The grid that does takes its place: one that was kept, or a new
// one, which runs once the settings have stood still for a moment.
//
// Jumping to a cell gives the session the cell's value and begins it again on the cell's
// seed, which makes it that very session.
package sweep

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/record"
	views "github.com/psgld/psgld-tui/tui/view"
	view "github.com/psgld/psgld-tui/tui/view/sweep"
)

// Sweep is the controller. It draws nothing itself: the view of the sweep shows Shown.
type Sweep struct {
	*control.Desk
	control.Unseen
	Shown *view.Shown
	// Size is that of the grid as it was asked for.
	Size scan.Size
	// Most is the runs after which a grid is left as it is; 0 for all.
	Most int

	ctx    context.Context // of the program
	grids  []*scan.Scan    // of this target, the newest first
	grid   *scan.Scan      // the one that is shown, nil for none
	axis   study.Axis      // the range that was asked for, without values for none
	search *search         // of ε, which is shown in the place of a grid; nil for none
	job    *scan.Job       // that runs it, nil if nothing does
	looked bool            // the view was looked at when something last happened
	paused bool
	stands bool    // the session was paused when something last happened
	asked  uint64  // the press that asked for a new grid in the place of one that has run; 0 for none
	each   float64 // seconds for a session of the grid, 0 if unknown
	note   string  // what went wrong
	// focused is the parameter that was selected when a range or a search was asked for. Another takes its place.
	focused string

	serial int // of jobs
	delay  int // of waits before a job
}

const (
	// mostGrids is how many grids of a target are kept.
	mostGrids = 12
	// settleTime is how long the settings must stand still before a grid of them is run.
	settleTime = 400 * time.Millisecond
	// wakeEvery is how often a grid that runs may wake the screen.
	wakeEvery = 250 * time.Millisecond
)

// New makes the controller of a desk. Its jobs end with ctx, and what is known of the grid is put in shown.
func New(ctx context.Context, d *control.Desk, shown *view.Shown) *Sweep {
	c := &Sweep{Desk: d, Shown: shown, ctx: ctx}
	d.Screen.Table = c.table
	return c
}

// table is how the grid that is looked at is written, as it is now; nil where none is.
func (c *Sweep) table(lanes []int) func(io.Writer) error {
	if !c.open() || c.grid == nil {
		return nil
	}
	var b bytes.Buffer
	err := record.Sweep(&b, c.grid, lanes...)
	return func(w io.Writer) error {
		if err == nil {
			_, err = w.Write(b.Bytes())
		}
		return err
	}
}

// Update implements control.Controller.
func (c *Sweep) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.AfterMsg:
		return c.follow(), true
	case control.SettleMsg:
		if msg.Runs > 0 {
			c.Most = msg.Runs
		}
		c.settle(msg)
	case control.EndMsg:
		c.stop()
		c.stopSearch()
	default:
		return nil, false
	}
	return nil, true
}

// open reports whether the view of the grid is looked at.
func (c *Sweep) open() bool { return c.Focus.View == views.Sweep }

// follow looks whether the grid is still that of the session.
func (c *Sweep) follow() tea.Cmd {
	var cmd tea.Cmd
	if c.job != nil {
		c.job.Allow(c.threads())
	}
	if c.looked && !c.open() && c.job != nil {
		cmd = c.Say(false, fmt.Sprintf("the grid goes on in the background, %d of %d runs done: %s, then %s pauses it",
			c.grid.Done(), c.grid.Total(), c.Keys.First("view: sweep"), c.Keys.First("sweep: pause")))
	}
	c.looked = c.open()
	s := c.Feed.Foreseen
	if c.Focus.Param != c.focused && (c.search != nil || c.axis.Values != nil) {
		c.stopSearch()
		c.axis, c.Size.Range = study.Axis{}, ""
	}
	if c.searches(s) || c.grid == nil && !c.looked {
		return cmd
	}
	if stands := s.Phase == state.Paused; stands != c.stands {
		c.stands = stands
		if c.grid != nil && !c.grid.Whole() && c.paused != stands {
			cmd = tea.Batch(cmd, c.hold(stands)) // with the lanes
		}
	}
	p, ok := c.param()
	if c.grid != nil && (!ok || !c.grid.Fits(s, p.Key, c.Size)) {
		if !c.looked && c.grid.Fits(s, c.grid.Param.Key, c.Size) {
			return cmd // another parameter was selected where no grid is shown
		}
		c.stop()
		if c.grid.Sweep.Problem.Opened() != s.Problem.Opened() {
			c.grids = nil
		}
		c.grid, c.note = nil, ""
	}
	switch {
	case !c.looked || c.grid != nil:
		return cmd
	case !ok:
		c.Shown.Data = &view.Data{Note: noParam}
		return cmd
	}
	i := slices.IndexFunc(c.grids, func(g *scan.Scan) bool { return g.Fits(s, p.Key, c.Size) })
	if i < 0 {
		return tea.Batch(cmd, c.newGrid(p))
	}
	g := c.grids[i]
	c.grids = slices.Insert(slices.Delete(c.grids, i, i+1), 0, g)
	c.show(g)
	return tea.Batch(cmd, c.startLater())
}

const noParam = "a grid goes over a parameter of the focused lane or of the target: select one"

// param is the selected parameter, if it is the lane's or the target's.
func (c *Sweep) param() (param.Param, bool) {
	if c.axis.Values != nil {
		return c.axis.Param, true
	}
	p, ok := c.Selected()
	return p, ok && p.Key != state.KeyChains
}

// newGrid makes the grid over a parameter and has it run.
func (c *Sweep) newGrid(p param.Param) tea.Cmd {
	if c.Outside.Closed != "" {
		c.note = "no grid: " + c.Outside.Closed
		c.Shown.Data = &view.Data{Note: c.note}
		return nil
	}
	g := scan.New(c.Feed.Foreseen, c.Focus.Index(c.Feed.Foreseen), p, c.axis.Values, c.Size)
	c.grids = slices.Insert(c.grids, 0, g)
	c.grids = c.grids[:min(len(c.grids), mostGrids)]
	c.show(g)
	if err := g.Sweep.Validate(); err != nil {
		c.note = "no grid: " + err.Error()
		c.Shown.Data = &view.Data{Note: c.note}
		return nil
	}
	return c.startLater()
}

// show shows a grid, with the cursor on the value from which it was made, or where it was on the same values.
func (c *Sweep) show(g *scan.Scan) {
	was, all := c.Shown.Data, g.Values()
	keep := was != nil && was.Param.Key == g.Param.Key && len(was.Values) == len(all) && was.Values[0] == all[0]
	c.grid, c.note = g, ""
	c.publish()
	if !keep {
		c.Shown.At = g.Base
		if i, ok := c.Shown.Data.At(c.Lane().Setting.Or(g.Param.Key, all[g.Base])); ok {
			c.Shown.At = i
		}
	}
	c.Shown.At = min(c.Shown.At, len(all)-1)
}

// publish gives the view what is known of the grid.
func (c *Sweep) publish() {
	c.Screen.Dirty = true
	g := c.grid
	if g == nil {
		return
	}
	d := &view.Data{Known: g.Known(), Note: c.note, Alone: c.alone()}
	switch {
	case g.Whole():
		d.State = view.Done
	case c.paused:
		d.State = view.Paused
	case c.job != nil:
		d.State = view.Running
	}
	if c.job != nil {
		d.Left, c.each = c.job.Left(), c.job.Each()
	}
	d.Each, d.Truth = c.each, c.truthTime()
	c.Shown.Data = d
}

// truthTime is about how many seconds the truth by HMC takes, by what a session of the grid takes; 0 if unknown.
func (c *Sweep) truthTime() float64 {
	s, cfg := c.Feed.Newest, &c.grid.Sweep.Config
	gradients, n := float64(cfg.Steps)*float64(len(cfg.Lanes)), s.Lanes[0].Setting.Or(sampler.KeyBatch, 0)
	if cfg.Bias {
		gradients *= 7
	}
	if s.Problem.HasData() && n > 0 {
		gradients *= n / float64(s.Problem.N())
	}
	hmc := study.Truth{Config: *cfg, Problem: s.Problem}
	if hmc.Config.Truth.Sampler = "hmc"; c.each == 0 || hmc.Config.Validate(s.Problem) != nil {
		return 0
	}
	return c.each / gradients * hmc.Gradients()
}

// alone reports whether the session leaves the cores to the grid.
func (c *Sweep) alone() bool { return c.Feed.Foreseen.Phase != state.Running }

// threads is how many cells run at a time: a core is left to a session that runs and the screen.
func (c *Sweep) threads() int {
	if c.alone() {
		return runtime.NumCPU()
	}
	return max(runtime.NumCPU()-1, 1)
}

// idle reports whether there is nothing to run, or it is not to run.
func (c *Sweep) idle() bool {
	return c.paused || c.grid == nil || c.grid.Whole() || c.job != nil || c.note != ""
}

// startLater has the grid run once the settings have stood still; at once where they have not been turned.
func (c *Sweep) startLater() tea.Cmd {
	if c.idle() {
		return nil
	}
	c.delay++
	tag := c.delay
	if c.serial == 0 {
		return c.start(tag)
	}
	return control.After(settleTime, func() tea.Cmd { return c.start(tag) })
}

// start begins to run the grid.
func (c *Sweep) start(tag int) tea.Cmd {
	if tag != c.delay || c.idle() || c.ctx.Err() != nil {
		return nil
	}
	c.serial++
	c.job = c.grid.Start(c.ctx, c.threads(), c.Most)
	c.publish()
	return c.collect(c.serial)
}

// wait waits until it is time to look at what runs, and reports whether it has ended.
func wait(ended <-chan struct{}) bool {
	select {
	case <-time.After(wakeEvery):
		return false
	case <-ended:
		return true
	}
}

// collect takes what a job has done, now and again until it ends.
func (c *Sweep) collect(serial int) tea.Cmd {
	if c.job == nil || serial != c.serial {
		return nil
	}
	ended := c.job.Ended
	next := control.Beside(func() func() tea.Cmd {
		wait(ended)
		return func() tea.Cmd { return c.collect(serial) }
	})
	over := c.job.Over()
	err := c.job.Take(c.grid)
	if over {
		c.job, next = nil, nil
	}
	if err != nil {
		c.note = err.Error()
		next = tea.Batch(next, c.Say(true, c.note))
	}
	dirty := c.Screen.Dirty
	c.publish()
	c.Screen.Dirty = dirty || c.open()
	return next
}

// stop stops what runs and keeps what was done.
func (c *Sweep) stop() {
	c.delay++
	if c.job == nil {
		return
	}
	c.job.Stop()
	_ = c.job.Take(c.grid) // an error has been told, or comes of being stopped
	c.job = nil
}

// settle waits until the search or the grid that is shown has run, and pauses a grid that is not to run to its end.
func (c *Sweep) settle(msg control.SettleMsg) {
	if c.search != nil {
		for !wait(c.search.ended) && msg.Context.Err() == nil {
		}
		c.showSearch()
	}
	for c.start(c.delay); c.job != nil; c.collect(c.serial) {
		wait(c.job.Ended)
		if msg.Context.Err() != nil {
			return
		}
		_ = c.job.Take(c.grid) // collect tells of an error
		total := c.grid.Total()
		if c.Most > 0 {
			total = min(total, c.Most)
		}
		if msg.Progress != nil {
			msg.Progress(float64(c.grid.Done())/float64(total),
				fmt.Sprintf("grid over %s: %d of %d runs", c.grid.Param.Symbol, c.grid.Done(), total))
		}
	}
	if c.grid != nil && c.note == "" {
		c.paused = c.paused || !c.grid.Whole()
		c.each = 0 // a picture has nothing of the clock
		c.publish()
	}
}
