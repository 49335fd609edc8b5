package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
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
	// comparedLive is how many draws of a chain are compared while it runs. R-hat is no
	// test: of more draws it is the same number, with less noise.
	comparedLive = 1 << 10
	// suspected is how many coordinates are compared while a lane runs.
	suspected = 4
	// tellingESS is how many effective draws each chain must have of its own before an
	// R-hat above its bound says that the chains disagree. Of chains that agree, with m
	// effective draws each, R-hat is about 1 + 1/m, so that at 200 one in twenty is above
	// 1.01. Below that they are too short to tell.
	tellingESS = 200
)

// newKeeper keeps the draws of one of so many chains. It is nil for a network, whose θ does
// not converge.
func newKeeper(p *targets.Problem, chains, dim int) *metrics.Keeper {
	switch {
	case p.F64 == nil:
		return nil
	case chains == 1:
		return metrics.NewKeeper(dim, min(keptOfOne, valuesOfOne/dim))
	}
	return metrics.NewKeeper(dim, min(keptOfMany, valuesOfMany/dim)/chains)
}

// compared is a comparison of the chains in a coordinate: which, of how many draws of the
// lane, and of how many kept draws of a chain at most.
type compared struct {
	coord int
	kept  uint64
	most  int
	metrics.Comparison
	nested metrics.Estimate // R-hat of groups of chains; Absent of few
	ranks  [][]int          // counts of each chain's; nil before somebody looks
}

// comparing is what comparisons need and what is left of the newest.
type comparing struct {
	metrics.Comparer
	columns [][]float64
	newest  []compared
	whole   bool   // all that is kept is compared, in all coordinates
	brief   bool   // the only chain's halves are not compared
	stale   uint64 // so many draws may have come since a comparison
}

// most is how many kept draws of a chain are compared; 0 for all.
func (c *comparing) most() int {
	if c.whole {
		return 0
	}
	return comparedLive
}

// compares is in how many numbers chains are compared: the tracked coordinates or, of a
// network, its probes.
func (l *lane[F]) compares() int {
	switch {
	case l.keeper != nil:
		return len(l.tracked)
	case l.newestAlone():
		return 0
	}
	return len(l.evaluator.ProbeNames())
}

// columnsOf are the kept draws of the chains in the i-th of these numbers, oldest first, and
// whether there are as many of each.
func (l *lane[F]) columnsOf(i, most int) ([][]float64, bool) {
	c := &l.comparing
	c.columns = slices.Grow(c.columns[:0], len(l.chains))[:len(l.chains)]
	if l.keeper == nil {
		return c.columns, l.evaluator.Probe(i, most, c.columns)
	}
	for k, chain := range l.chains {
		c.columns[k], _ = chain.keeper.Append(c.columns[k][:0], i, most)
	}
	return c.columns, true
}

// Comparison compares the chains in a tracked coordinate, or the halves of the only chain.
// Of a network there is none.
func (l *lane[F]) Comparison(i int) metrics.Comparison {
	if l.keeper == nil {
		return metrics.Comparison{}
	}
	return l.compare(i).Comparison
}

// compare compares the chains in the i-th number. A view of a running lane does with a
// comparison of a moment ago, while no more than a tenth has come to the draws since.
// Of a point of the curves there is R-hat alone.
func (l *lane[F]) compare(i int) *compared {
	c := &l.comparing
	if l.fresh.on {
		columns, _ := l.columnsOf(i, comparedLive)
		return &compared{Comparison: metrics.Comparison{RHat: c.RHat(columns)}, nested: l.nested(columns)}
	}
	most := c.most()
	at := slices.IndexFunc(c.newest, func(o compared) bool { return o.coord == i })
	if at >= 0 && c.newest[at].most == most && c.newest[at].kept+c.stale >= l.kept {
		return &c.newest[at]
	}
	now := compared{coord: i, kept: l.kept, most: most}
	switch columns, same := l.columnsOf(i, most); {
	case !same && at >= 0:
		return &c.newest[at]
	case !same:
		now.Comparison = withheld(metrics.Unknown, l.draws)
		now.RHat, now.nested = now.BulkESS, now.BulkESS
		return &now
	default:
		now.Comparison, now.nested = c.Compare(columns), l.nested(columns)
		if rhat := now.RHat; l.pool.Uneven() {
			now.Comparison = withheld(metrics.Uneven, l.draws)
			now.RHat = rhat
		}
	}
	if at < 0 {
		at, c.newest = len(c.newest), append(c.newest, compared{})
	}
	c.newest[at] = now
	return &c.newest[at]
}

// withheld is a comparison of which all is withheld.
func withheld(s metrics.Status, draws uint64) metrics.Comparison {
	none := metrics.Withheld(s, draws)
	return metrics.Comparison{RHat: none, BulkESS: none, TailESS: none, Mean: none, SD: none, Q5: none, Q95: none}
}

// agreement compares the chains in the coordinates where they may agree the least: those of
// the largest plain R-hat, and the slowest. A network's are compared in all of its probes.
func (l *lane[F]) agreement(slow int) (a quantity.Agreement) {
	if len(l.chains) == 1 || l.keeper == nil && l.fresh.on || l.compares() == 0 {
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

// nested is the R-hat of groups of chains that began at one place.
func (l *lane[F]) nested(columns [][]float64) metrics.Estimate {
	if len(columns) < engine.ManyChains || !l.cfg.RandomStart() {
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
	n := l.compares()
	all := trace.Tracked(n, n)
	if l.whole || n <= suspected || l.keeper == nil {
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

// tells reports whether every chain is long enough by itself for R-hat in the i-th number.
func (l *lane[F]) tells(i int) bool {
	if l.keeper == nil {
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
			c.ranks = l.rank(i)
		}
		for k := range all {
			all[k].Ranks[j] = c.ranks[k]
		}
	}
	return all
}

// rank counts the ranks of each chain's draws in a tracked coordinate, in bins.
func (l *lane[F]) rank(i int) [][]int {
	columns, _ := l.columnsOf(i, comparedLive)
	ranks := l.comparing.Rank(columns)
	counts := make([][]int, len(columns))
	for k := range counts {
		counts[k] = make([]int, rankBins)
		ranks.Histogram(k, counts[k])
	}
	return counts
}

// probesResult compares a network's chains in its probes; nil of any other.
func (l *lane[F]) probesResult() *engine.Probes {
	if l.keeper != nil || l.compares() == 0 || l.draws == 0 || l.div != nil {
		return nil
	}
	r := &engine.Probes{Names: l.evaluator.ProbeNames()}
	for i := range r.Names {
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
