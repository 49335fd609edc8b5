package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/engine/study/tune"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	views "github.com/psgld/psgld-tui/tui/view"
	view "github.com/psgld/psgld-tui/tui/view/sweep"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A search of ε runs beside the session. Its pilots are shown as the cells of a grid.
type search struct {
	of  *engine.Snapshot // when it began
	cfg state.Config     // of the runs that ε is for

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

// tune begins a search for runs of so many steps; of as many as the session has to take, or the target by default, for
// 0.
func (c *Sweep) tune(steps uint64) tea.Cmd {
	s := c.Feed.Foreseen
	switch {
	case c.Feed.Lacks(views.Sweep) != "":
		return c.Keys.Do("view: sweep") // which says so
	case c.Outside.Closed != "":
		return c.Say(false, "no search: "+c.Outside.Closed)
	}
	c.stop()
	c.turnTo(study.Axis{}, "")
	ctx, stop := context.WithCancel(c.ctx)
	ended := make(chan struct{})
	cfg := s.Config
	cfg.Lanes = list.Map(s.Lanes, func(l engine.LaneView) state.Setting { return l.Setting })
	cfg.Steps = cmp.Or(steps, s.Config.Steps, s.Problem.Defaults.Steps, 10_000)
	r := &search{of: s, cfg: cfg}
	c.grid, c.search, c.stands, c.job = nil, r, s.Phase == state.Paused, &scan.Job{Stop: stop, Ended: ended}
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
	return tea.Batch(c.Keys.Do("view: sweep"), c.collect(c.job))
}

// searches reports whether a search is shown. It is gone where the target or a lane's method is another.
func (c *Sweep) searches(s *engine.Snapshot) bool {
	if c.search == nil {
		return false
	}
	same := func(a, b engine.LaneView) bool { return a.ID == b.ID && a.Setting.Sampler == b.Setting.Sampler }
	if s.Problem != c.search.of.Problem || !slices.EqualFunc(s.Lanes, c.search.of.Lanes, same) {
		c.turnTo(c.axis, c.Size.Range)
		return false
	}
	return true
}

// showSearch gives the view what is known of a search: a cell a pilot, with the error that it tells of a run.
func (c *Sweep) showSearch() {
	r := c.search
	r.mu.Lock()
	defer r.mu.Unlock()
	p, _ := catalog.Must(r.of.Lanes[0].Setting.Sampler).Param(sampler.KeyEps)
	d := &view.Data{Known: scan.Known{Param: p, Steps: r.cfg.Steps, Seeds: 1}, State: view.Running,
		By: tune.Criterion(r.of.Problem)}
	d.Lanes = list.Map(r.of.Lanes, func(l engine.LaneView) scan.Lane {
		return scan.Lane{ID: l.ID, Title: l.Title, Has: true}
	})
	put := func(lane int, eps float64, of scan.Cell, e metrics.Estimate) {
		at, known := slices.BinarySearch(d.Values, eps)
		if !known {
			d.Values = slices.Insert(d.Values, at, eps)
			for i := range d.Lanes {
				d.Lanes[i].Cells = slices.Insert(d.Lanes[i].Cells, at, scan.Cell{})
			}
		}
		of.Of[d.By].Add(e)
		d.Lanes[lane].Cells[at] = of
	}
	for i := range d.Lanes {
		d.Done += len(r.pilots[i])
		for _, q := range r.pilots[i] {
			of := scan.Cell{Runs: 1}
			if q.Expected.Bias == metrics.Diverged {
				of.Diverged = 1
			}
			put(i, q.Eps, of, q.ErrorOf(tune.Budget(r.cfg, i, r.of.Problem)))
		}
		if i < len(r.found) && r.found[i].Found {
			put(i, r.found[i].Setting.Eps(), scan.Cell{Runs: 1}, metrics.Exact(r.found[i].Error))
		}
	}
	if d.Values == nil {
		put(0, r.of.Lanes[0].Setting.Eps(), scan.Cell{}, metrics.Estimate{})
	}
	switch best := tune.Best(r.found); {
	case r.err != nil:
		d.State, d.Told = view.Paused, "the search was stopped: :tune begins it again"
	case r.found == nil:
		d.Told = fmt.Sprintf("searching ε for runs of %s steps, %.0f%%: %s stops it", plane.Count(r.cfg.Steps),
			100*r.part, c.Keys.First("pause"))
	case best >= 0:
		a := &r.found[best]
		d.State, d.Told = view.Done, strings.TrimSpace(wording.Tuned(a)+" "+
			wording.Batches(r.found, r.of.Problem))+" "+c.Keys.First("sweep: jump to the cell")+" takes it."
		c.Shown.At = slices.Index(d.Values, a.Setting.Eps())
	default:
		d.State, d.Told = view.Done, wording.NotTuned(&r.found[0])
	}
	c.Shown.At = min(c.Shown.At, len(d.Values)-1)
	c.Shown.Data = d
}

// take gives the lanes that have a pilot in a cell its ε.
func (c *Sweep) take(d *view.Data, at int) tea.Cmd {
	var cmds []tea.Cmd
	whose := ""
	for i := range d.Lanes {
		if l := &d.Lanes[i]; at < len(l.Cells) && l.Cells[at].Runs > 0 {
			cmds = append(cmds, c.Feed.Send(state.SetParam{Lane: l.ID, Key: d.Param.Key, Value: d.Values[at]}))
			whose += pane.Letter(l.ID) + "'s "
		}
	}
	if whose == "" {
		return c.Say(false, noGrid)
	}
	return tea.Batch(append(cmds, c.Say(false, whose+d.Param.Symbol+" is "+d.Text(at)+" now"))...)
}
