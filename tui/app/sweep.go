package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/sweep"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/plane"
)

// sweeping is the grid of view 6: over the selected parameter, run beside the
// session. It begins when the view is first looked at and goes on behind other
// views. What was run is kept for as long as the target stays.
type sweeping struct {
	ctx   context.Context // of the program
	grids []*sweepGrid    // of this target, the newest first
	grid  *sweepGrid      // the one that is shown, nil for none
	job   *sweepJob       // that runs it, nil if nothing does
	all   sync.WaitGroup  // every job that was begun

	at     int  // the cell under the cursor
	looked bool // view 6 was looked at when something last happened
	paused bool
	size   sweepSize // as it was asked for; zeros for the usual
	most   int       // runs, after which a grid is left as it is; 0 for all
	note   string    // what went wrong
	data   *sweep.Data

	serial int // of jobs
	delay  int // of waits before a job
}

// mostGrids is how many grids of a target are kept.
const mostGrids = 12

// sweepDelay is how long the settings must stand still before a grid of them is run.
const sweepDelay = 400 * time.Millisecond

// littleOf is the share of the time that a session in slow motion may sample and still
// leave the cores to a grid.
const littleOf = 0.1

// sweepDueMsg is the end of such a wait.
type sweepDueMsg struct{ tag int }

// onGrid reports whether keys go to the cells of the grid.
func (m *model) onGrid() bool {
	if m.Focus.View != control.Sweep || m.Focus.Read {
		return false
	}
	w, h := m.Width, m.Height
	return !panel.Arrange(w, h, pane.Frame{}).Compact
}

// sweepFrame tells the panels of the grid.
func (m *model) sweepFrame() { *m.screen.grid = sweep.Shown{Data: m.sweep.data, At: m.sweep.at} }

// followed looks, after whatever has happened, whether the grid is still that of the
// session.
func (m *model) followed(cmd tea.Cmd) tea.Cmd {
	s := &m.sweep
	snap := m.Feed.Shown
	if s.job != nil {
		s.job.allow(sweepThreads(m.alone()))
	}
	if left := s.looked && m.Focus.View != control.Sweep; left && s.job != nil {
		cmd = tea.Batch(cmd, m.Say(false, fmt.Sprintf("the grid goes on behind this view, %d of %d runs are done: %s, %s pauses it",
			len(s.grid.runs), s.grid.total(), m.Key("view: sweep"), m.Key("sweep: pause"))))
	}
	s.looked = m.Focus.View == control.Sweep
	if s.grid == nil && !s.looked {
		return cmd
	}
	p, ok := m.swept()
	if s.grid != nil && (!ok || !s.grid.fits(snap, p.Key, s.size)) {
		if m.Focus.View != control.Sweep && s.grid.fits(snap, s.grid.param.Key, s.size) {
			return cmd // another parameter was selected where no grid is shown
		}
		m.endJob()
		if s.grid.sweep.Problem != snap.Problem {
			s.grids = nil
		}
		s.grid, s.note = nil, ""
	}
	if m.Focus.View != control.Sweep || s.grid != nil {
		return cmd
	}
	if !ok {
		s.data = &sweep.Data{Note: "the focused lane has no parameter to turn"}
		return cmd
	}
	for i, g := range s.grids {
		if g.fits(snap, p.Key, s.size) {
			copy(s.grids[1:i+1], s.grids[:i])
			s.grids[0] = g
			m.showGrid(g)
			return tea.Batch(cmd, m.sweepSoon())
		}
	}
	return tea.Batch(cmd, m.newGrid(p))
}

// swept is the parameter of the grid: the selected one.
func (m *model) swept() (param.Param, bool) { return m.Selected() }

// newGrid makes the grid over a parameter and has it run.
func (m *model) newGrid(p param.Param) tea.Cmd {
	s := &m.sweep
	g := newSweepGrid(m.Feed.Shown, m.Focus.Index(m.Feed.Shown), p, s.size)
	s.grids = append([]*sweepGrid{g}, s.grids...)
	s.grids = s.grids[:min(len(s.grids), mostGrids)]
	m.showGrid(g)
	if err := g.sweep.Validate(); err != nil {
		s.note = "no grid: " + err.Error()
		s.data = &sweep.Data{Note: s.note}
		return nil
	}
	return m.sweepSoon()
}

// showGrid shows a grid, with the cursor on the value from which it was made, or
// where it was on the same values.
func (m *model) showGrid(g *sweepGrid) {
	s := &m.sweep
	keep := s.data != nil && s.data.Param.Key == g.param.Key && len(s.data.Values) == len(g.sweep.Grid[0].Values) &&
		s.data.Values[0] == g.sweep.Grid[0].Values[0]
	s.grid, s.note = g, ""
	if !keep {
		s.at = g.base
		if i, ok := g.data(0, "").At(m.Lane().Setting.Or(g.param.Key, g.sweep.Grid[0].Values[g.base])); ok {
			s.at = i
		}
	}
	s.at = min(s.at, len(g.sweep.Grid[0].Values)-1)
	m.publishGrid()
}

// publishGrid gives the panels what is known of the grid.
func (m *model) publishGrid() {
	s := &m.sweep
	m.Dirty = true
	if s.grid == nil {
		return
	}
	state := sweep.Waiting
	switch {
	case s.grid.whole():
		state = sweep.Done
	case s.paused:
		state = sweep.Paused
	case s.job != nil:
		state = sweep.Running
	}
	s.data = s.grid.data(state, s.note)
	if s.job != nil {
		s.data.Left, s.data.Alone = s.job.left(), m.alone()
	}
}

// alone reports whether the session leaves the cores to the grid: it stands still, or
// the steps it is asked for take little of the time.
func (m *model) alone() bool {
	s := m.Feed.Shown
	return s.Phase != engine.Running || s.Speed > 0 && s.Speed*float64(len(s.Lanes)) < littleOf*s.Rate
}

// sweepSoon has the grid run once the settings have stood still; at once where they
// have not been turned.
func (m *model) sweepSoon() tea.Cmd {
	s := &m.sweep
	if s.paused || s.grid == nil || s.grid.whole() || s.job != nil || s.note != "" {
		return nil
	}
	s.delay++
	tag := s.delay
	if s.serial == 0 {
		return m.sweepDue(sweepDueMsg{tag})
	}
	return tea.Tick(sweepDelay, func(time.Time) tea.Msg { return sweepDueMsg{tag} })
}

// sweepDue begins to run the grid.
func (m *model) sweepDue(msg sweepDueMsg) tea.Cmd {
	s := &m.sweep
	if msg.tag != s.delay || s.paused || s.grid == nil || s.grid.whole() || s.job != nil || s.note != "" || s.ctx.Err() != nil {
		return nil
	}
	s.serial++
	s.job = startJob(s.ctx, s.grid, s.serial, sweepThreads(m.alone()), s.most, &s.all)
	m.publishGrid()
	return s.job.wait()
}

// sweptSome takes what a job has done.
func (m *model) sweptSome(msg sweptMsg) tea.Cmd {
	s := &m.sweep
	if s.job == nil || msg.serial != s.job.serial {
		return nil
	}
	over := s.job.over()
	err := s.job.take(s.grid)
	next := s.job.wait()
	if over {
		s.job, next = nil, nil
	}
	if err != nil {
		s.note, _, _ = strings.Cut(err.Error(), "\n")
		next = tea.Batch(next, m.Say(true, s.note))
	}
	dirty := m.Dirty
	m.publishGrid()
	m.Dirty = dirty || err != nil || m.Focus.View == control.Sweep
	return next
}

// endJob stops what runs and keeps what was done.
func (m *model) endJob() {
	s := &m.sweep
	s.delay++
	if s.job == nil {
		return
	}
	s.job.stop()
	_ = s.job.take(s.grid) // an error has been told, or comes of being stopped
	s.job = nil
}

// endSweep stops all that runs beside the screen and waits until it has stopped.
func (m *model) endSweep() {
	m.endJob()
	m.sweep.all.Wait()
}

// settleSweep waits until the grid that is shown has run, and says so meanwhile; for
// a still.
func (m *model) settleSweep(ctx context.Context) {
	s := &m.sweep
	if s.job == nil && s.grid != nil {
		m.sweepDue(sweepDueMsg{s.delay})
	}
	if s.job == nil {
		return
	}
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for over := false; !over; {
		select {
		case <-tick.C:
		case <-s.job.ended:
			over = true
		case <-ctx.Done():
			return
		}
		_ = s.job.take(s.grid) // an error is told below
		if progress := m.opts.Progress; progress != nil {
			n, total := len(s.grid.runs), s.grid.total()
			if s.most > 0 {
				total = min(total, s.most)
			}
			progress(float64(n)/float64(total), fmt.Sprintf("grid over %s: %d of %d runs", s.grid.param.Symbol, n, total))
		}
	}
	m.sweptSome(sweptMsg{s.job.serial})
	if !s.grid.whole() && s.note == "" {
		s.paused = true
		m.publishGrid()
	}
}

// pauseGrid pauses the grid or goes on with it.
func (m *model) pauseGrid() tea.Cmd {
	s := &m.sweep
	if s.grid == nil || s.grid.whole() {
		return m.Say(false, "no grid runs: "+m.Key("sweep: anew")+" runs one about the present value")
	}
	s.paused = !s.paused
	if s.paused {
		m.endJob()
		m.publishGrid()
		return m.Say(false, "the grid is paused: "+m.Key("sweep: pause")+" goes on")
	}
	s.delay++
	return tea.Batch(m.sweepDue(sweepDueMsg{s.delay}), m.Say(false, "the grid goes on"))
}

// againGrid makes the grid anew about the present value, on the present seed.
func (m *model) againGrid() tea.Cmd {
	s := &m.sweep
	p, ok := m.swept()
	if !ok {
		return m.Say(false, "the focused lane has no parameter to turn")
	}
	m.endJob()
	for i, g := range s.grids {
		if g == s.grid {
			s.grids = append(s.grids[:i:i], s.grids[i+1:]...)
			break
		}
	}
	s.grid, s.data, s.note, s.paused = nil, nil, "", false
	cmd := m.newGrid(p)
	return tea.Batch(cmd, m.Say(false, fmt.Sprintf("a grid over %s about %s", p.Symbol, p.Format(m.Lane().Setting.Value(p.Key)))))
}

// resizeGrid changes the size of the grid, which runs anew if that is another.
func (m *model) resizeGrid(z sweepSize) tea.Cmd {
	s := &m.sweep
	if usual := usualSize(m.Feed.Shown, sweepSize{points: z.points, seeds: z.seeds}); z.steps == usual.steps {
		z.steps = 0 // so that the grid that has it is found
	}
	s.size = z
	was := s.grid
	cmd := m.followed(nil)
	if m.Focus.View != control.Sweep || s.grid == nil {
		return tea.Batch(cmd, m.Say(false, "the next grid has that size; view "+m.Key("view: sweep")+" shows it"))
	}
	g := &s.grid.sweep
	text := fmt.Sprintf("%d cells of %s steps, %d seeds", len(g.Grid[0].Values), plane.Count(g.Config.Steps), g.Repeats)
	if n := len(s.grid.runs); n > 0 && n < s.grid.total() {
		text += fmt.Sprintf(": %d of %d runs are done", n, s.grid.total())
	} else if was != nil && was != s.grid && len(was.runs) > 0 {
		text += fmt.Sprintf("; what has run of %s steps is kept", plane.Count(was.sweep.Config.Steps))
	}
	return tea.Batch(cmd, m.Say(false, text))
}
