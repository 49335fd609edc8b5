//go:build !js

package studies

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/watch"
	"github.com/psgld/psgld-tui/tui/wording"
)

// run is an attendant. Who quits the screen interrupts what runs.
func (w *watching) run(ctx context.Context, r *study.Runner,
	c *cells) (outcomes []study.Outcome, interrupted bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		outcomes, err = r.Run(ctx)
		over.Store(true)
	}()
	shown := w.watch(ctx, r.Jobs, c, &over)
	whole := over.Load()
	stop()
	<-done
	if err == nil {
		err = shown
	}
	return outcomes, !whole, err
}

// watch shows the figures, and between them the sessions that are chosen, until the user
// quits or ctx ends. It is over when all jobs have run.
func (w *watching) watch(ctx context.Context, jobs study.Part, c *cells, over *atomic.Bool) error {
	th, _ := w.figureTheme()
	var points []watch.Point // of the first outcomes
	sections := slices.Clone(w.sections)
	made := make([]int, len(sections)) // of so many of its sessions is a section's report
	for i := range sections {
		sections[i].Options.Votes, made[i] = map[string][2]*claim.Votes{}, -1
	}
	screen := watch.New(watch.Options{
		Title: jobs.Plan.Name, Theme: th, Input: w.In, Output: w.Out.W,
		Look: func() watch.State {
			s := watch.State{Over: over.Load()}
			all, done, label := c.left()
			for _, o := range all[len(points):] {
				points = append(points, watch.Point{ID: o.ID, Score: scoreOf(o)})
			}
			s.Points, s.Done, s.Label = points, done, label
			return s
		},
		Figures: func() ([]figure.Figure, string) {
			all, _, _ := c.left()
			have := study.ByID(all)
			for i, s := range sections {
				n := list.Count(s.Jobs, func(j study.Job) bool { _, ok := have[j.ID]; return ok })
				if n != made[i] {
					reproduce.Complete(sections[i:i+1], all, w.kept)
					made[i] = n
				}
			}
			var out []figure.Figure
			var rest strings.Builder // of experiments that are tables
			for _, s := range sections {
				if len(s.Report.Figures) == 0 {
					writeSection(&rest, s)
				}
				out = append(out, s.Report.Figures...)
			}
			return out, printable.Lines(rest.String())
		},
	})
	for {
		id, err := watch.Run(ctx, screen)
		if err != nil || id == "" {
			return err
		}
		if err := w.open(ctx, jobs, id); err != nil {
			return err
		}
	}
}

// open shows the session of a job from its start, while the others go on.
func (w *watching) open(ctx context.Context, jobs study.Part, id string) error {
	for k := range jobs.Len() {
		j := jobs.Job(k)
		if j.ID != id {
			continue
		}
		return w.Show(ctx, j, func() (*targets.Problem, error) { return w.opened.OpenJob(ctx, j) }, w.rt, w.again)
	}
	return nil
}

// scoreOf says the number by which the first lane that has one is judged.
func scoreOf(o study.Outcome) string {
	if o.Skipped != "" {
		return o.Skipped
	}
	for _, l := range o.Lanes {
		if q, x, ok := figureOf(l); ok {
			return l.Sampler + " " + q.Name + " " + wording.Number(q.Form, x, 7)
		}
	}
	return ""
}
