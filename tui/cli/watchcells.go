package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/tui/wording"
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
		q, x, ok := figureOf(l)
		if !ok {
			continue
		}
		c.newest = target
		if was, ok := c.best[target]; !ok || x < was.value {
			if c.best == nil {
				c.best = map[string]bestCell{}
			}
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

// look is that of a bar. The share that is done is that of the work where it is
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
func (e *env) watch(c *cells) (stop func()) {
	c.start = time.Now()
	return startCells(e.err, watchEvery, c.look)
}

// watchEvery is how often many sessions say how far they are where there is no bar.
const watchEvery = time.Minute
