//go:build !js

package studies

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/printable"
	"github.com/psgld/psgld-tui/tui/watch"
	"github.com/psgld/psgld-tui/tui/wording"
)

// ran are the outcomes that there are so far.
type ran struct {
	mu   sync.Mutex
	all  []study.Outcome
	over bool
}

func (r *ran) look() (all []study.Outcome, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[:len(r.all):len(r.all)], r.over // what is in it stays
}

func (r *ran) add(o study.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, o)
}

func (r *ran) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
}

// run is an attendant. Who quits the screen interrupts what runs.
func (w *watching) run(ctx context.Context, r *study.Runner, c *cells) (outcomes []study.Outcome, interrupted bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var got ran
	each := r.Each
	r.Each = func(j study.Job, o study.Outcome, fresh bool) {
		each(j, o, fresh)
		got.add(o)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		outcomes, err = r.Run(ctx)
		got.end()
	}()
	shown := w.watch(ctx, r, c, &got)
	_, over := got.look()
	stop()
	<-done
	if err == nil {
		err = shown
	}
	return outcomes, !over, err
}

// watch shows the figures, and between them the sessions that are chosen, until the user
// quits or ctx ends.
func (w *watching) watch(ctx context.Context, r *study.Runner, c *cells, got *ran) error {
	th, _ := w.figureTheme()
	var points []watch.Point // of the first outcomes
	sections := slices.Clone(w.sections)
	made := make([]int, len(sections)) // of so many of its sessions is a section's report
	for i := range sections {
		sections[i].Options.Votes, made[i] = map[string][2]*claim.Votes{}, -1
	}
	screen := watch.New(watch.Options{
		Title: r.Jobs.Plan.Name, Theme: th, Input: w.In, Output: w.Out.W,
		Look: func() watch.State {
			all, over := got.look()
			for _, o := range all[len(points):] {
				points = append(points, watch.Point{ID: o.ID, Score: scoreOf(o)})
			}
			s := watch.State{Over: over, Points: points}
			s.Done, s.Label = c.left()
			return s
		},
		Figures: func() ([]figure.Figure, string) {
			all, _ := got.look()
			have := study.ByID(all)
			for i, s := range sections {
				n := 0
				for _, j := range s.Jobs {
					if _, ok := have[j.ID]; ok {
						n++
					}
				}
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
		if err := w.open(ctx, r.Jobs, id); err != nil {
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
