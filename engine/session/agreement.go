package session

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// What is kept of all draws, for what ranks them: so many draws of a chain and so many
// values of a lane at most. Beyond that every second draw is dropped, and so again.
const (
	keptOfOne, valuesOfOne   = 1 << 15, 1 << 19
	keptOfMany, valuesOfMany = metrics.DefaultKept, 1 << 22
)

const (
	// comparedLive is how many draws of a chain are compared at points of the curves, and
	// before there is a comparison of all. R-hat is no test: of more draws it is the same
	// number, with less noise.
	comparedLive = 1 << 10
	// rankedAtOnce is how many values of all chains and coordinates are compared at once for a
	// view of a lane that runs, which takes 2 ms, and rankedAtRest for one of a lane that
	// stands still, 80 ms.
	rankedAtOnce, rankedAtRest = 1 << 15, 1 << 20
	// suspected is how many coordinates are compared while a lane runs.
	suspected = 4
	// tellingESS is how many effective draws each chain must have of its own before an
	// R-hat above its bound says that the chains disagree. Of chains that agree, with m
	// effective draws each, R-hat is about 1 + 1/m, so that at 200 one in twenty is above
	// 1.01. Below that they are too short to tell.
	tellingESS = 200
)

// newKeeper keeps the draws of one of so many chains. It is nil for a network, whose θ does
// not converge, unless that is asked for.
func newKeeper(p *targets.Problem, asked bool, chains, dim int) *metrics.Keeper {
	switch {
	case p.F64 == nil && !asked:
		return nil
	case chains == 1:
		return metrics.NewKeeper(dim, min(keptOfOne, valuesOfOne/dim))
	}
	return metrics.NewKeeper(dim, min(keptOfMany, valuesOfMany/dim)/chains)
}

// compared is a comparison of the chains in a coordinate: which, and of how many draws of the
// lane.
type compared struct {
	coord int
	kept  uint64
	all   bool   // of all draws that are kept, else of comparedLive of a chain at most
	every uint64 // one of so many draws is in it; 0 for a network
	metrics.Comparison
	nested metrics.Estimate // R-hat of groups of chains; Absent of few
	ranks  [][]int          // counts of each chain's; nil before somebody looks
}

// most is how many kept draws of a chain are in it at most; 0 for all.
func (c *compared) most() int {
	if c.all {
		return 0
	}
	return comparedLive
}

// comparing is what comparisons need and what is left of the newest.
type comparing struct {
	metrics.Comparer
	columns  [][]float64
	newest   []compared
	rankings *rankings
	whole    bool           // all that is kept is compared, in all coordinates
	brief    bool           // the only chain's halves are not compared
	moving   bool           // the lane runs: a comparison of a moment ago will do
	beside   *beside.Worker // works out what takes long; nil where nobody is to
	ran      bool           // the lane has run in this window while there was such a worker
}

// converges reports whether θ itself converges, which a network's need not.
func (l *lane[F]) converges() bool { return l.prob.F64 != nil }

// ranks reports whether there are numbers in which chains can be compared.
func (l *lane[F]) ranks() bool { return l.converges() || !l.newestAlone() }

// compares are the numbers in which chains are compared to see whether they agree: the tracked
// coordinates or, of a network, its probes, whose numbers follow those of the coordinates.
func (l *lane[F]) compares() []int {
	n := len(l.tracked)
	switch {
	case l.converges():
		return trace.Tracked(n, n)
	case !l.ranks():
		return nil
	}
	all := make([]int, len(l.evaluator.ProbeNames()))
	for i := range all {
		all[i] = n + i
	}
	return all
}

// columnsOf are the kept draws of the chains in the number i, oldest first, one of every, and
// whether there are as many of each.
func (l *lane[F]) columnsOf(i, most int) (columns [][]float64, every uint64, same bool) {
	c := &l.comparing
	c.columns = slices.Grow(c.columns[:0], len(l.chains))[:len(l.chains)]
	if n := len(l.tracked); i >= n {
		return c.columns, 0, l.evaluator.Probe(i-n, most, c.columns)
	}
	for k, chain := range l.chains {
		c.columns[k], every = chain.keeper.Append(c.columns[k][:0], i, most)
	}
	return c.columns, every, true
}

// Comparison compares the chains in a tracked coordinate, or the halves of the only chain. Of
// a network there is none unless it is asked for: see [quantity.Identified].
func (l *lane[F]) Comparison(i int) metrics.Comparison { return l.compare(i).Comparison }

// compare compares the chains in the number i, by all draws that are kept. While a lane
// runs, a comparison does until a tenth has come to the draws, and one of many draws is worked
// out beside the sampling: until there is the first, there is one of fewer draws. So is that of
// a lane of many draws that has come to stand still, which else would hold up the pause. A lane
// that has been stepped alone has few coordinates compared at once. Of a point of the curves
// there is R-hat alone, of few draws.
func (l *lane[F]) compare(i int) *compared {
	c := &l.comparing
	if l.fresh.on {
		columns, _, _ := l.columnsOf(i, comparedLive)
		return &compared{Comparison: metrics.Comparison{RHat: c.RHat(columns)}, nested: nestedRHat(columns, l.grouped())}
	}
	probe, values := i >= len(l.tracked), math.MaxInt // that may have to be ranked for the view
	if !probe {
		values = len(l.chains) * l.keeper.Len() * min(len(l.tracked), pageLen)
	}
	all := c.whole || values <= rankedAtOnce || !c.moving && (values <= rankedAtRest || !probe && !c.ran && len(l.tracked) <= suspected)
	slack := l.draws / 10
	if c.whole || !c.moving && (values <= rankedAtRest || c.ran) {
		slack = 0
	}
	var old *compared
	if at := slices.IndexFunc(c.newest, func(o compared) bool { return o.coord == i }); at >= 0 {
		old = &c.newest[at]
	}
	near := old != nil && old.kept+slack >= l.kept
	if !all && !probe && !(near && old.all) {
		l.askRanking(i)
	}
	if near && (old.all || !all) || old != nil && old.all && !all && (!c.moving || c.beside != nil) {
		return old
	}
	now := compared{coord: i, kept: l.kept, all: all}
	columns, every, same := l.columnsOf(i, now.most())
	switch now.every = every; {
	case !same && old != nil:
		return old
	case !same:
		now.Comparison = metrics.WithheldComparison(metrics.Unknown, l.draws)
		now.nested = now.RHat
		return &now
	}
	now.of(&c.Comparer, columns, l.grouped(), l.pool.Uneven())
	return c.put(now)
}

// of compares columns, of chains some of which began at one place if they are grouped.
func (c *compared) of(by *metrics.Comparer, columns [][]float64, grouped, uneven bool) {
	c.Comparison, c.nested = by.Compare(columns), nestedRHat(columns, grouped)
	if rhat := c.RHat; uneven {
		c.Comparison = metrics.WithheldComparison(metrics.Uneven, rhat.Draws)
		c.RHat = rhat
	}
}

// agreement compares the chains in the coordinates where they may agree the least: those of
// the largest plain R-hat, and the slowest. A network's are compared in all of its probes.
func (l *lane[F]) agreement(slow int) (a quantity.Agreement) {
	if len(l.chains) == 1 || !l.converges() && l.fresh.on || !l.ranks() {
		return a // at a point of the curves a network's draws still wait for their evaluation
	}
	worst := 0
	for n, i := range l.suspects(slow) {
		c := l.compare(i)
		if n == 0 || a.RHat.OK() && (!c.RHat.OK() || c.RHat.Value > a.RHat.Value) {
			a.RHat, worst = c.RHat, i
		}
		a.Bulk, a.Tail = lesser(a.Bulk, c.BulkESS), lesser(a.Tail, c.TailESS)
		if n == 0 || a.Nested.OK() && !(c.nested.Value <= a.Nested.Value) {
			a.Nested = c.nested
		}
	}
	switch {
	case !a.RHat.OK():
		a.Status = a.RHat.Status
	case a.RHat.Value < metrics.RHatBound:
		a.Status = metrics.OK
	case l.tells(worst):
		a.Status = metrics.Disagree
	default:
		a.Status = metrics.TooShort
	}
	return a
}

// grouped reports whether some of the chains began at one place and others elsewhere.
func (l *lane[F]) grouped() bool { return len(l.chains) >= engine.ManyChains && l.cfg.RandomStart() }

// nestedRHat is the R-hat of groups of chains that began at one place; Absent where none are
// grouped.
func nestedRHat(columns [][]float64, grouped bool) metrics.Estimate {
	if !grouped {
		return metrics.Estimate{}
	}
	whole := len(columns) - len(columns)%engine.GroupedChains
	return metrics.NestedRHat(slices.Collect(slices.Chunk(columns[:whole], engine.GroupedChains)))
}

// lesser is the lesser of two estimates, or one that is withheld.
func lesser(a, b metrics.Estimate) metrics.Estimate {
	if a.Status == metrics.Absent || a.OK() && (!b.OK() || b.Value < a.Value) {
		return b
	}
	return a
}

// suspects are the coordinates to compare.
func (l *lane[F]) suspects(slow int) []int {
	all := l.compares()
	if l.whole || len(all) <= suspected || !l.converges() {
		return all
	}
	plain := make([]float64, len(all))
	for i := range plain {
		plain[i] = l.pool.PlainRHat(i)
	}
	slices.SortStableFunc(all, func(a, b int) int {
		switch {
		case plain[a] > plain[b]:
			return -1
		case plain[a] < plain[b]:
			return 1
		}
		return 0
	})
	if all = all[:suspected]; !slices.Contains(all, slow) {
		all[suspected-1] = slow
	}
	return all
}

// tells reports whether every chain is long enough by itself for R-hat in the number i.
func (l *lane[F]) tells(i int) bool {
	if i >= len(l.tracked) {
		return true // τ of the probes is not known, and networks are rarely there
	}
	for _, c := range l.pool {
		if ess := c.ESS(i); !ess.OK() || ess.Value < tellingESS {
			return false
		}
	}
	return true
}

const rankBins = 20

// chainViews are the chains of a lane of several as they are drawn.
func (l *lane[F]) chainViews() []engine.ChainView {
	if len(l.chains) == 1 {
		return nil
	}
	all := make([]engine.ChainView, len(l.chains))
	for k, c := range l.chains {
		v := &all[k]
		n := trailLen / len(l.chains)
		v.TrailX, v.TrailY = c.ring.Append(make([]float64, 0, n), l.x, n), c.ring.Append(make([]float64, 0, n), l.y, n)
		for j, i := range [2]int{l.x, l.y} {
			v.Now[j] = float64(c.state.Theta[l.tracked[i]])
		}
	}
	if l.keeper == nil || l.draws == 0 {
		return all
	}
	for j, i := range [2]int{l.x, l.y} {
		c := l.compare(i)
		if c.ranks == nil {
			columns, _, _ := l.columnsOf(i, c.most())
			c.ranks = rankCounts(&l.comparing.Comparer, columns)
		}
		for k := range all {
			all[k].Ranks[j] = c.ranks[k]
		}
	}
	return all
}

// probesResult compares a network's chains in its probes; nil of any other.
func (l *lane[F]) probesResult() *engine.Probes {
	if l.converges() || !l.ranks() || l.draws == 0 || l.div != nil {
		return nil
	}
	r := &engine.Probes{Names: l.evaluator.ProbeNames()}
	for _, i := range l.compares() {
		c := l.compare(i)
		why := ""
		num := func(e metrics.Estimate) engine.Num {
			if e.Status > metrics.OK && why == "" {
				why = e.Status.String()
			}
			return engine.Num(e.Trusted())
		}
		r.RHat, r.BulkESS, r.TailESS = append(r.RHat, num(c.RHat)), append(r.BulkESS, num(c.BulkESS)), append(r.TailESS, num(c.TailESS))
		r.Withheld = append(r.Withheld, why)
	}
	return r
}
