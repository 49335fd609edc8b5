package cli

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/study"

	"github.com/psgld/psgld-tui/tui/plane"
)

// cells says of many sessions how far they are: how many are done, the time left
// and the best of those that sample what the newest does.
type cells struct {
	total   int
	threads int
	pace    study.Pace

	mu     sync.Mutex
	done   int
	fresh  int
	start  time.Time
	paced  bool // the jobs were expected
	newest string
	best   map[string]bestCell
}

// bestCell is the lowest of a quantity on a target.
type bestCell struct {
	value float64
	text  string
}

// expect tells of the jobs of a plan that has few of them.
func (c *cells) expect(p study.Part) {
	c.paced = true
	for k := range p.Len() {
		c.pace.Expect(p.Job(k))
	}
}

// each is a Runner's Each.
func (c *cells) each(j study.Job, o study.Outcome, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if fresh {
		c.fresh++
	}
	if c.paced {
		c.pace.Done(j, o)
	}
	target := strings.TrimSpace(j.Config.Target + " " + j.Config.Dataset)
	for _, l := range o.Lanes {
		what, x, unit := figureOf(l)
		if what == "" {
			continue
		}
		c.newest = target
		if was, ok := c.best[target]; !ok || x < was.value {
			if c.best == nil {
				c.best = map[string]bestCell{}
			}
			c.best[target] = bestCell{x, fmt.Sprintf("best %s %s%s: %s", what, plane.Number(x, 7), unit, o.ID)}
		}
	}
}

// figureOf is the number by which a lane is judged, "" if it has none.
func figureOf(l engine.LaneResult) (what string, x float64, unit string) {
	if l.Diverged != nil {
		return "", 0, ""
	}
	for _, q := range []struct {
		name  string
		value *engine.Num
		scale float64
		unit  string
	}{{"test error", l.TestError, 100, "%"}, {"covariance error", l.CovError, 1, ""}, {"mean error", l.MeanError, 1, ""}, {"training error", l.TrainError, 100, "%"}} {
		if q.value != nil && !math.IsNaN(float64(*q.value)) {
			return q.name, float64(*q.value) * q.scale, q.unit
		}
	}
	return "", 0, ""
}

// look is a progress's. The share that is done is that of the work where it is
// known, else that of the cells.
func (c *cells) look() (done float64, label string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	done = float64(c.done) / float64(max(c.total, 1))
	label = fmt.Sprintf("%d of %d cells", c.done, c.total)
	if did, left, ok := c.pace.Work(); c.paced && ok && did+left > 0 {
		done = float64(did) / float64(did+left)
	}
	if left, ok := c.left(); ok {
		label += ", " + left.Round(time.Second).String() + " left"
	}
	if b, ok := c.best[c.newest]; ok {
		label += ", " + b.text
	}
	return done, label
}

// left is the time that the rest takes at the pace so far.
func (c *cells) left() (time.Duration, bool) {
	if c.paced {
		_, left, ok := c.pace.Work()
		return left / time.Duration(max(min(c.threads, c.total-c.done), 1)), ok
	}
	if c.fresh == 0 {
		return 0, false
	}
	return time.Duration(float64(time.Since(c.start)) / float64(c.fresh) * float64(c.total-c.done)), true
}

// watch shows c while jobs run: as a bar on a terminal, elsewhere as a line each
// minute.
func (e *env) watch(c *cells) *progress {
	c.start = time.Now()
	return startCells(e.err, watchEvery, c.look)
}

// watchEvery is how often many sessions say how far they are where there is no bar.
const watchEvery = time.Minute
