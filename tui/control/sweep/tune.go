package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/engine/study/tune"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	view "github.com/psgld/psgld-tui/tui/view/sweep"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A search of ε runs beside the session. Its pilots are shown as the cells of a grid.
type search struct {
	stop   context.CancelFunc
	ended  <-chan struct{}
	budget uint64
	of     *engine.Snapshot // when it began

	mu     sync.Mutex // of what the search's goroutine writes
	pilots [state.MaxLanes][]tune.Pilot
	part   float64 // of its gradients
	found  []tune.Answer
	err    error
}

// tuneOf reads the steps of the run that a search is for.
func (c *Sweep) tuneOf(arg string) (func() tea.Cmd, error) {
	n, err := grammar.Count(arg, 1)
	return func() tea.Cmd { return c.tune(n) }, err
}

// tune begins a search for runs of so many steps; of as many as the session has to take, or the target by default, for 0.
func (c *Sweep) tune(steps uint64) tea.Cmd {
	s := c.Feed.Foreseen
	if c.Outside.Closed != "" {
		return c.Say(false, "no search: "+c.Outside.Closed)
	}
	c.stopSearch()
	c.stop()
	c.grid, c.axis, c.Size.Range, c.focused = nil, study.Axis{}, "", c.Focus.Param
	ctx, stop := context.WithCancel(c.ctx)
	ended := make(chan struct{})
	r := &search{stop: stop, ended: ended, of: s, budget: cmp.Or(steps, s.Config.Steps, s.Problem.Defaults.Steps, 10_000)}
	cfg := s.Config
	cfg.Lanes = list.Map(s.Lanes, func(l engine.LaneView) state.Setting { return l.Setting })
	cfg.Steps = r.budget
	c.search, c.stands = r, s.Phase == state.Paused
	go func() {
		defer close(ended)
		found, err := tune.Run(ctx, cfg, s.Problem, func(lane int, at *tune.Search) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.pilots[lane] = slices.Clone(at.Pilots)
			r.part = (float64(lane) + min(float64(at.Spent)/float64(at.Cap), 1)) / float64(len(cfg.Lanes))
		})
		r.mu.Lock()
		defer r.mu.Unlock()
		for i := range found {
			r.pilots[i] = found[i].Pilots
		}
		r.found, r.err = found, err
	}()
	c.showSearch()
	return tea.Batch(c.Keys.Do("view: sweep"), c.waitSearch(r))
}

// waitSearch waits until it is time to show what a search has come to.
func (c *Sweep) waitSearch(r *search) tea.Cmd {
	return control.Beside(func() func() tea.Cmd {
		over := wait(r.ended)
		return func() tea.Cmd {
			if c.search != r {
				return nil
			}
			if c.showSearch(); over {
				return nil
			}
			return c.waitSearch(r)
		}
	})
}

// searches reports whether a search is shown. It ends where the session pauses or goes on, and is gone where the target or
// a lane's method is another.
func (c *Sweep) searches(s *engine.Snapshot) bool {
	if c.search == nil {
		return false
	}
	same := func(a, b engine.LaneView) bool { return a.ID == b.ID && a.Setting.Sampler == b.Setting.Sampler }
	if s.Problem != c.search.of.Problem || !slices.EqualFunc(s.Lanes, c.search.of.Lanes, same) {
		c.stopSearch()
		return false
	}
	if stands := s.Phase == state.Paused; stands != c.stands {
		c.stands = stands
		c.search.stop()
	}
	return true
}

// stopSearch stops a search and forgets it.
func (c *Sweep) stopSearch() {
	if c.search != nil {
		c.search.stop()
		c.search, c.Shown.Data = nil, nil
	}
}

// showSearch gives the view what is known of a search: a cell a pilot, with the error that it tells of a run.
func (c *Sweep) showSearch() {
	r := c.search
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Screen.Dirty = true
	d := &view.Data{Known: scan.Known{Steps: r.budget, Seeds: 1}, State: view.Running}
	for _, q := range state.Params(r.of.Problem, r.of.Lanes[0].Setting.Sampler) {
		if q.Key == sampler.KeyEps {
			d.Param = q
		}
	}
	for i, l := range r.of.Lanes {
		for _, q := range r.pilots[i] {
			d.Values = append(d.Values, q.Eps)
		}
		if i < len(r.found) && r.found[i].Found {
			d.Values = append(d.Values, r.found[i].Setting.Eps())
		}
		d.Done += len(r.pilots[i])
		d.Lanes = append(d.Lanes, scan.Lane{ID: l.ID, Title: l.Title, Has: true})
	}
	slices.Sort(d.Values)
	if d.Values = slices.Compact(d.Values); len(d.Values) == 0 {
		d.Values = []float64{r.of.Lanes[0].Setting.Eps()}
	}
	for i := range d.Lanes {
		cells := make(scan.Row, len(d.Values))
		at := func(eps float64) *scan.Cell {
			k, _ := slices.BinarySearch(d.Values, eps)
			cells[k] = scan.Cell{Runs: 1}
			return &cells[k]
		}
		for _, q := range r.pilots[i] {
			c := at(q.Eps)
			if q.Expected.Bias == metrics.Diverged {
				c.Diverged = 1
			}
			c.Of[quantity.StepError].Add(q.ErrorOf(r.budget))
		}
		if i < len(r.found) && r.found[i].Found {
			a := &r.found[i]
			at(a.Setting.Eps()).Of[quantity.StepError] = quantity.OverSeeds{N: 1, Mean: a.Error, SE: (a.High - a.Low) / 4}
		}
		d.Lanes[i].Cells = cells
	}
	d.Told = fmt.Sprintf("searching ε for runs of %s steps, %.0f%%: %s stops it", plane.Count(r.budget), 100*r.part,
		c.Keys.First("pause"))
	c.told(r, d)
	c.Shown.At = min(c.Shown.At, len(d.Values)-1)
	c.Shown.Data = d
}

// told fills in what a search that has ended says.
func (c *Sweep) told(r *search, d *view.Data) {
	switch best := tune.Best(r.found); {
	case r.found == nil && r.err == nil:
		return
	case r.err != nil:
		d.State, d.Told = view.Paused, "the search was stopped: :tune begins it again"
	case best >= 0:
		d.State = view.Done
		a := &r.found[best]
		d.Told = wording.Tuned(a) + " " + c.Keys.First("sweep: jump to the cell") + " takes it."
		c.Shown.At, _ = slices.BinarySearch(d.Values, a.Setting.Eps())
	default:
		d.State, d.Told = view.Done, wording.NotTuned(&r.found[0])
	}
}
