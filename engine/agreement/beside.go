package agreement

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// asked are comparisons of a window's chains that are worked out beside the sampling.
type asked struct {
	// numbers are coordinates, and left is how many of them are not worked out. None is asked
	// for again before all are, so that none waits for ever.
	numbers []int
	left    int

	mu     sync.Mutex
	copies map[int][]*metrics.Keeper // of the chains, by number, until it is worked out or forgotten
	done   map[int]*Compared         // by number
}

// ask has the chains compared in a coordinate by all draws that are kept.
func (c *Chains) ask(i int, at Moment) {
	to := c.asked
	if at.Beside == nil || slices.Contains(to.numbers, i) {
		return
	}
	to.numbers, to.left = append(to.numbers, i), to.left+1
	to.mu.Lock()
	to.copies[i] = list.Map(c.Keepers, func(k *metrics.Keeper) *metrics.Keeper { return k.Clone().(*metrics.Keeper) })
	to.mu.Unlock()
	now := &Compared{kept: at.Kept, all: true}
	grouped, uneven := c.Grouped, c.Pool.Uneven()
	at.Beside.Ask([]beside.Task{func(rest func(time.Duration) bool) {
		start := time.Now()
		to.mu.Lock()
		keepers := to.copies[i]
		delete(to.copies, i)
		to.mu.Unlock()
		if keepers == nil { // of a window that is over
			return
		}
		columns := make([][]float64, len(keepers))
		for k, keeper := range keepers {
			columns[k], now.Every = keeper.Append(nil, i, 0)
		}
		var by metrics.Comparer // tens of megabytes, which are not kept
		now.compare(&by, columns, grouped, uneven)
		now.ranks = by.RankCounts(columns, rankBins)
		to.mu.Lock()
		to.done[i] = now
		to.mu.Unlock()
		rest(time.Since(start))
	}}, at.Moving)
}

// Begin begins a view of a lane that runs or stands still, with a worker or nil. It takes what
// has been worked out since the last view, and reports whether anything has.
func (c *Chains) Begin(running bool, by *beside.Worker) bool {
	c.ran = c.ran || running && by != nil
	r := c.asked
	if len(r.numbers) == 0 {
		return false
	}
	r.mu.Lock()
	done := maps.Clone(r.done)
	clear(r.done)
	r.mu.Unlock()
	for i, now := range done {
		if old := c.newest[i]; old == nil || !old.all || old.kept <= now.kept {
			c.newest[i] = now
		}
	}
	if r.left -= len(done); r.left == 0 {
		r.numbers = r.numbers[:0]
	}
	return len(done) > 0
}

// Forget drops all comparisons, and those that are being worked out or wait for it.
func (c *Chains) Forget() {
	if old := c.asked; old != nil {
		old.mu.Lock()
		clear(old.copies)
		old.mu.Unlock()
	}
	c.newest, c.asked, c.ran = map[int]*Compared{},
		&asked{copies: map[int][]*metrics.Keeper{}, done: map[int]*Compared{}}, false
}
