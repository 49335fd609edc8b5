package studies

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/version"
)

// Options are the flags of reproduce that say what is shown of it.
type Options struct {
	Out  string
	From []string // results files that sessions were taken over from
	Show bool
	JSON bool
	Done bool // what is done is reported, and nothing is run
	// For is how long sessions are run at most, those that are worth more first; 0 for no end.
	For time.Duration
	// Watch shows the figures while the sessions run.
	Watch bool
}

// MaxSeed leaves room for the seeds of the repeats.
const MaxSeed = 1<<63 - 1

// sections makes the sections of a reproduction, and their plan.
func sections(r reproduce.Request, rt session.Runtime) (*study.Targets, []reproduce.Section, study.Plan, error) {
	t := &study.Targets{Options: targets.Options{DataDir: rt.DataDir}}
	all, err := r.Sections(t)
	if err != nil {
		return t, nil, study.Plan{}, console.Failed(err)
	}
	return t, all, r.Plan(all), nil
}

// Reproduce runs a shard of a reproduction, and writes the report if that is all.
func (e *Env) Reproduce(ctx context.Context, r reproduce.Request, shard study.Shard, known map[string]study.Outcome,
	rt session.Runtime, again []string, o Options) error {
	opened, all, plan, err := sections(r, rt)
	if err != nil {
		return err
	}
	path := filepath.Join(o.Out, shardName(shard))
	store, err := OpenResults(path, plan, shard)
	if err != nil {
		return err
	}
	defer store.Close() // each line was synced
	kept := &study.Predictions{Dir: filepath.Join(o.Out, study.PredictionsFolder),
		From: study.PredictionsBeside(o.From)}
	run := &study.Runner{Jobs: plan.Part(shard), Threads: rt.Threads, Open: opened.OpenJob, Command: CellCommand(again),
		Store: store, Known: known, Predictions: kept, DoneOnly: o.Done, For: o.For}
	by := e.withBar
	if o.Watch {
		by = (&watching{e, all, kept, opened, rt, again}).run
	}
	outcomes, err := e.runPart(ctx, run, by, path, o.JSON)
	if done := len(outcomes); o.For > 0 && err == nil && done < run.Jobs.Len() {
		o.Done = true
		e.Tell(fmt.Sprintf("%s are over: %d of %d cells are done, and the same command goes on", o.For, done,
			run.Jobs.Len()))
	}
	if err != nil || shard != study.All {
		return err
	}
	return e.writeReport(r, all, opened, outcomes, kept, version.String(), again, o)
}

// MergeReproduction writes the report of what was merged from files.
func (e *Env) MergeReproduction(m study.Merged, files []string, rt session.Runtime, again []string, o Options) error {
	var r reproduce.Request
	path := files[0]
	if err := m.Request.Read(reproduce.Kind, &r); err != nil {
		return console.Failed(fmt.Errorf("%s: %w", path, err))
	}
	// else the plan may be of any size
	if r.Scale != paper.Quick && r.Scale != paper.Full || r.Seed > MaxSeed || r.Repeats < 0 ||
		r.Repeats > len(m.Outcomes) {
		return console.Failed(fmt.Errorf("%s: the request is of no reproduction", path))
	}
	opened, all, plan, err := sections(r, rt)
	if err != nil {
		return err
	}
	if plan.Hash() != m.Hash {
		return console.Failed(fmt.Errorf("%s is by version %s of the program, and this (%s) makes other sessions "+
			"of %q: merge with that version and the same data (--data)",
			path, m.Version, version.String(), m.Plan))
	}
	if err := m.Check(plan); err != nil {
		return console.Failed(fmt.Errorf("%s: %w", path, err))
	}
	kept := &study.Predictions{Dir: filepath.Join(o.Out, study.PredictionsFolder), From: study.PredictionsBeside(files)}
	for _, o := range m.Outcomes {
		if plan.Jobs[o.At].Keep.Predictions {
			if err := kept.Take(o); err != nil {
				return console.Failed(err)
			}
		}
	}
	return e.writeReport(r, all, opened, m.Outcomes, kept, m.Version, again, o)
}

// watching shows the figures of a reproduction while its sessions run.
type watching struct {
	*Env
	sections []reproduce.Section
	kept     *study.Predictions
	opened   *study.Targets
	rt       session.Runtime
	again    []string
}
