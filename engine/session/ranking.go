package session

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/list"
)

// rankings are comparisons of a window's chains that are worked out beside the sampling.
type rankings struct {
	// asked are coordinates, and left is how many of them are not worked out. None is asked
	// for again before all are: the newest task comes first.
	asked []int
	left  int

	mu   sync.Mutex
	done []compared
}

// askRanking has the chains compared in a tracked coordinate by all draws that are kept.
func (l *lane[F]) askRanking(i int) {
	c := &l.comparing
	if c.beside == nil || slices.Contains(c.rankings.asked, i) {
		return
	}
	to, grouped, uneven := c.rankings, l.grouped(), l.pool.Uneven()
	to.asked, to.left = append(to.asked, i), to.left+1
	now := compared{coord: i, kept: l.kept, all: true}
	keepers := list.Map(l.chains, func(c *chain[F]) *metrics.Keeper { return c.keeper.Clone() })
	c.beside.Ask([]beside.Task{func(rest func(time.Duration) bool) {
		start := time.Now()
		columns := make([][]float64, len(keepers))
		for k, keeper := range keepers {
			columns[k], now.every = keeper.Append(nil, i, 0)
		}
		var by metrics.Comparer // tens of megabytes, which are not kept
		now.of(&by, columns, grouped, uneven)
		now.ranks = rankCounts(&by, columns)
		to.mu.Lock()
		to.done = append(to.done, now)
		to.mu.Unlock()
		rest(time.Since(start))
	}}, c.moving)
}

// takeRankings takes what has been worked out since the last view, and reports whether
// anything has.
func (c *comparing) takeRankings() bool {
	r := c.rankings
	if len(r.asked) == 0 {
		return false
	}
	r.mu.Lock()
	done := r.done
	r.done = nil
	r.mu.Unlock()
	for _, now := range done {
		if !slices.ContainsFunc(c.newest, func(o compared) bool { return o.coord == now.coord && o.all && o.kept > now.kept }) {
			c.put(now)
		}
	}
	if r.left -= len(done); r.left == 0 {
		r.asked = r.asked[:0]
	}
	return len(done) > 0
}

// put replaces the comparison in a coordinate.
func (c *comparing) put(now compared) *compared {
	at := slices.IndexFunc(c.newest, func(o compared) bool { return o.coord == now.coord })
	if at < 0 {
		at, c.newest = len(c.newest), append(c.newest, compared{})
	}
	c.newest[at] = now
	return &c.newest[at]
}

// forget drops all comparisons, and those that are being worked out.
func (c *comparing) forget() { c.newest, c.rankings, c.ran = nil, new(rankings), false }

// rankCounts counts the ranks of each chain's draws in bins.
func rankCounts(by *metrics.Comparer, columns [][]float64) [][]int {
	ranks := by.Rank(columns)
	counts := make([][]int, len(columns))
	for k := range counts {
		counts[k] = make([]int, rankBins)
		ranks.Histogram(k, counts[k])
	}
	return counts
}

// ranker works out comparisons of the chains for a screen; nil where there is none to show
// them, or no chains to compare.
func (s *Session) ranker() *beside.Worker {
	if s.rank == nil && s.rt.Interactive && !s.ended && s.prob.F64 != nil && s.cfg.ChainCount() > 1 {
		s.rank = beside.New("the comparison of chains", math.MaxInt, s.inbox.poke)
	}
	s.look(s.rank)
	s.rank.Ask(nil, s.moves())
	return s.rank
}
