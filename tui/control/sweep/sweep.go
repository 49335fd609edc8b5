// Package sweep is the controller of the grid over the selected parameter that runs beside the session.
//
// How it works. The grid is a scan.Scan: each cell is the session with another value of the parameter. A scan.Job runs
// it on the cores that the session leaves. Four times a second at most the controller wakes and publishes what is known
// as the Data that the view of the sweep draws. A search of ε (tune.go) is a job too.
//
// The grid begins to run when its view is first looked at, and goes on behind other views. It stands while the session
// is paused, unless it is told to go on alone. After whatever has happened (control.AfterMsg) the controller checks
// that the grid still belongs to the session's settings, the selected parameter and the size asked for. If it does not,
// its job ends. The grid that does takes its place: one that was kept, or a new one, which runs once the settings have
// stood still for a moment.
//
// Jumping to a cell gives the session the cell's value and begins it again on the cell's seed, which makes it that very
// session.
package sweep

import (
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
	job    *scan.Job       // that runs the grid or the search, nil if nothing does
	looked bool            // the view was looked at when something last happened
	paused bool
	stands bool   // the session was paused when something last happened
	asked  uint64 // the press that asked for a new grid in the place of one that has run; 0 for none
	note   string // what went wrong
	// focused is the parameter that was selected when a range or a search was asked for. Another takes its place.
	focused string
}

const (
	mostGrids  = 12                     // grids of a target that are kept
	settleTime = 400 * time.Millisecond // for which settings stand still before a grid of them is run
	wakeEvery  = 250 * time.Millisecond // how often a grid that runs may wake the screen
)

// New makes the controller of a desk. Its jobs end with ctx, and what is known of the grid is put in shown.
func New(ctx context.Context, d *control.Desk, shown *view.Shown) *Sweep {
	c := &Sweep{Desk: d, Shown: shown, ctx: ctx}
	d.Screen.Table = c.table
	return c
}

// table writes the grid that is looked at; nil where none is.
func (c *Sweep) table() func(io.Writer) error {
	if g := c.grid; c.open() && g != nil {
		return func(w io.Writer) error { return record.Sweep(w, g) }
	}
	return nil
}

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
		c.paused = true
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
	if c.job != nil && c.search == nil {
		c.job.Allow(c.threads())
		if c.looked && !c.open() {
			done, total := c.grid.Progress()
			cmd = c.Say(false, fmt.Sprintf("the grid goes on in the background, %d of %d runs done: %s, then %s pauses it",
				done, total, c.Keys.First("view: sweep"), c.Keys.First("sweep: pause")))
		}
	}
	c.looked, c.Screen.Sweeping = c.open(), c.job != nil
	s := c.Feed.Foreseen
	if c.Focus.Param != c.focused && (c.search != nil || c.axis.Values != nil) {
		c.turnTo(study.Axis{}, "")
	}
	searches := c.searches(s)
	if c.grid == nil && !c.looked && !searches {
		return cmd
	}
	if stands := s.Phase == state.Paused; stands != c.stands {
		c.stands = stands
		if searches && c.job != nil {
			c.job.Stop()
		} else if c.grid != nil && !c.grid.Whole() && c.paused != stands {
			cmd = tea.Batch(cmd, c.hold(stands)) // with the lanes
		}
	}
	if searches {
		return cmd
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
	why := c.Outside.Closed
	if why == "" {
		g := scan.New(c.Feed.Foreseen, c.Focus.Index(c.Feed.Foreseen), p, c.axis.Values, c.Size)
		c.grids = slices.Insert(c.grids, 0, g)
		c.grids = c.grids[:min(len(c.grids), mostGrids)]
		c.show(g)
		err := g.Sweep.Validate()
		if err == nil {
			return c.startLater()
		}
		why = err.Error()
	}
	c.note = "no grid: " + why
	c.Shown.Data = &view.Data{Note: c.note}
	return nil
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

func (c *Sweep) publish() {
	switch c.Screen.Dirty = true; {
	case c.search != nil:
		c.showSearch()
		return
	case c.grid == nil:
		return
	}
	d := &view.Data{Known: c.grid.Known(), Note: c.note, Alone: c.alone()}
	d.Each, d.Truth = d.Took/float64(c.threads()), c.truthTime(d.Took)
	switch {
	case d.Done >= d.Total:
		d.State = view.Done
	case c.paused:
		d.State = view.Paused
	case c.job != nil:
		d.State, d.Left = view.Running, c.job.Left()
	}
	c.Shown.Data = d
}

// truthTime is about how many seconds the truth by HMC takes, by the seconds of a session of the grid; 0 if unknown.
func (c *Sweep) truthTime(each float64) float64 {
	s, cfg := c.Feed.Newest, &c.grid.Sweep.Config
	gradients, n := float64(cfg.Steps)*float64(len(cfg.Lanes)), s.Lanes[0].Setting.Or(sampler.KeyBatch, 0)
	if cfg.Bias {
		gradients *= 7
	}
	if s.Problem.HasData() && n > 0 {
		gradients *= n / float64(s.Problem.N())
	}
	hmc := study.Truth{Config: *cfg, Problem: s.Problem}
	if hmc.Config.Truth.Sampler = "hmc"; each == 0 || hmc.Config.Validate(s.Problem) != nil {
		return 0
	}
	return each / gradients * hmc.Gradients()
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

// startLater has the grid run once the settings have stood still; at once where they have not been turned.
func (c *Sweep) startLater() tea.Cmd {
	if len(c.grids) == 1 {
		return c.start()
	}
	g := c.grid
	return control.After(settleTime, func() tea.Cmd {
		if c.grid != g {
			return nil
		}
		return c.start()
	})
}

// start begins to run the grid, where there is anything to run and it is to run.
func (c *Sweep) start() tea.Cmd {
	if c.paused || c.grid == nil || c.grid.Whole() || c.job != nil || c.note != "" || c.ctx.Err() != nil {
		return nil
	}
	c.job = c.grid.Start(c.ctx, c.threads(), c.Most)
	return c.collect(c.job)
}

// wait waits until it is time to look at what runs.
func wait(ended <-chan struct{}) {
	select {
	case <-time.After(wakeEvery):
	case <-ended:
	}
}

// collect shows what a job has done, now and again until it ends.
func (c *Sweep) collect(j *scan.Job) tea.Cmd {
	if c.job != j || j == nil {
		return nil
	}
	next := control.Beside(func() func() tea.Cmd {
		wait(j.Ended)
		return func() tea.Cmd { return c.collect(j) }
	})
	select {
	case <-j.Ended:
		if c.job, next = nil, nil; j.Err != nil {
			c.note = j.Err.Error()
			next = c.Say(true, c.note)
		}
	default:
	}
	dirty := c.Screen.Dirty
	c.publish()
	c.Screen.Dirty = dirty || c.open()
	return next
}

// stop stops what runs and keeps what was done.
func (c *Sweep) stop() {
	if c.job != nil {
		c.job.Stop()
		c.job = nil
	}
}

// settle waits until the search or the grid that is shown has run, and pauses a grid that is not to run to its end.
func (c *Sweep) settle(msg control.SettleMsg) {
	if c.search == nil {
		c.start()
	}
	for c.job != nil {
		wait(c.job.Ended)
		if c.collect(c.job); msg.Context.Err() != nil {
			return
		}
		if msg.Progress == nil || c.search != nil {
			continue
		}
		done, total := c.grid.Progress()
		if c.Most > 0 {
			total = min(total, c.Most)
		}
		msg.Progress(float64(done)/float64(total),
			fmt.Sprintf("grid over %s: %d of %d runs", c.grid.Param.Symbol, done, total))
	}
	if c.grid != nil && c.note == "" {
		c.paused = c.paused || !c.grid.Whole()
		c.publish()
		c.Shown.Data.Each = 0 // a picture has nothing of the clock
	}
}
