package studies

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/wording"
)

// cells says of many sessions how far they are: how many are done, the time left
// and the best of those that sample what the newest does.
type cells struct {
	total   int
	threads int
	running func() int // sessions that run now

	mu     sync.Mutex
	ran    []study.Outcome
	pace   study.Pace
	newest string
	best   map[string]bestCell
}

// shardDone is the JSON document of a shard.
type shardDone struct {
	Shard string `json:"shard"`
	File  string `json:"file"`
	Cells int    `json:"cells"`
}

// An attendant runs jobs and shows how far they are. It reports whether they were interrupted.
type attendant func(ctx context.Context, r *study.Runner, c *cells) (all []study.Outcome, interrupted bool, err error)

// withBar shows a bar on a terminal, elsewhere a line each minute.
func (e *Env) withBar(ctx context.Context, r *study.Runner, c *cells) ([]study.Outcome, bool, error) {
	stop := console.StartProgress(e.Err, time.Minute, c.look)
	outcomes, err := r.Run(ctx)
	stop()
	return outcomes, ctx.Err() != nil, err
}

// runPart has jobs run by an attendant. Of a shard it says where its results are, and how to
// join them. path is the results file, empty for none.
func (e *Env) runPart(ctx context.Context, r *study.Runner, by attendant, path string,
	asJSON bool) ([]study.Outcome, error) {
	if n := r.Outdated(); n > 0 && !r.DoneOnly {
		e.Tell(fmt.Sprintf("--from has %d of the sessions with digits of an older numerics version than %d: they "+
			"are run again", n, numerics.Version))
	}
	c := newCells(r, runningThreads(r.Threads))
	r.Each, r.Estimate = c.each, c.estimate
	outcomes, interrupted, err := by(ctx, r, c)
	switch shard := r.Jobs.Shard; {
	case err != nil:
		return nil, console.Failed(err)
	case interrupted:
		return outcomes, interruptedAt(len(outcomes), c.total, path)
	case shard == study.All:
	case asJSON:
		console.WriteJSON(e.Out, shardDone{shard.String(), path, len(outcomes)})
	default:
		e.Out.Line("shard %s: %d of %d cells in %s", shard, len(outcomes), c.total, path)
		fmt.Fprintf(e.Out, "when all %d are done: %s merge %s\n", shard.N, grammar.Program, allShards(path, shard))
	}
	return outcomes, nil
}

// interruptedAt is the error of many sessions that were interrupted. Those that are in a file are not lost.
func interruptedAt(done, total int, path string) error {
	text := fmt.Sprintf("interrupted after %d of %d cells", done, total)
	if path != "" {
		text += ", which are in " + path + "; the same command goes on from there"
	}
	return console.Interrupted("%s", text)
}

func newCells(r *study.Runner, threads int) *cells {
	p := r.Jobs
	c := &cells{total: p.Len(), threads: threads, running: r.Running, best: map[string]bestCell{}}
	if p.Plan.Sweep != nil && c.total > 0 { // its cells are alike, and may be many
		c.pace.Expect(p.Job(0), c.total)
		return c
	}
	for k := range c.total {
		c.pace.Expect(p.Job(k), 1)
	}
	return c
}

// estimate is how long a job takes by those that are done.
func (c *cells) estimate(j study.Job) (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pace.Of(j)
}

// bestCell is the lowest of a quantity on a target.
type bestCell struct {
	value float64
	text  string
}

// each is a Runner's Each.
func (c *cells) each(j study.Job, o study.Outcome, _ bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ran = append(c.ran, o)
	c.pace.Done(j, o)
	target := strings.TrimSpace(j.Config.Target + " " + j.Config.Dataset)
	for _, l := range o.Lanes {
		q, x, ok := figureOf(l)
		if !ok {
			continue
		}
		c.newest = target
		if was, ok := c.best[target]; !ok || x < was.value {
			c.best[target] = bestCell{x, fmt.Sprintf("best %s %s: %s", q.Name, wording.Number(q.Form, x, 7), o.ID)}
		}
	}
}

// figures are the quantities by which a lane is judged, the first that it has.
var figures = []quantity.ID{quantity.TestError, quantity.CovError, quantity.MeanError, quantity.TrainError}

// figureOf is the number by which a lane is judged. It is false if the lane has none.
func figureOf(l engine.LaneResult) (q *quantity.Quantity, x float64, ok bool) {
	for _, id := range figures {
		if e := l.Values[id]; e.OK() {
			return &quantity.All[id], e.Value, true
		}
	}
	return nil, 0, false
}

// look is that of a bar. The share that is done is that of the work where it is known, else that of the cells.
func (c *cells) look() (done float64, label string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	done, label = c.progress()
	if b, ok := c.best[c.newest]; ok {
		label += ", " + b.text
	}
	return done, label
}

// left is look without the best, with the outcomes so far.
func (c *cells) left() (ran []study.Outcome, done float64, label string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	done, label = c.progress()
	return slices.Clip(c.ran), done, label // what is in it stays
}

// progress is the share that is done, and how many cells and how much time are left. The lock is held.
func (c *cells) progress() (done float64, label string) {
	done = float64(len(c.ran)) / float64(max(c.total, 1))
	running := c.running()
	label = fmt.Sprintf("%d of %d cells, %d running, %d to run", len(c.ran), c.total, running,
		max(c.total-len(c.ran)-running, 0))
	if did, left, ok := c.pace.Work(); ok {
		if did+left > 0 {
			done = float64(did) / float64(did+left)
		}
		left /= time.Duration(max(min(c.threads, c.total-len(c.ran)), 1))
		label += ", " + left.Round(time.Second).String() + " left"
	}
	return done, label
}
