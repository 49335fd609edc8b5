// Package agreement tells whether the chains of a lane agree, by the draws that are kept of them.
//
// [Chains.Compare] compares them in one number at a time: a tracked coordinate or, of a network, a probe. A comparison
// of many draws takes longer than a frame. While the lane runs it is worked out beside the sampling, and one of fewer
// draws or of a moment ago is returned until then.
package agreement

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// keptOfLane is how many values of all coordinates of a lane are kept at most for what ranks them: 32 MB.
const keptOfLane = 1 << 22

const (
	// Live is how many draws of a chain are compared at points of the curves, and before there is a comparison of all.
	// R-hat is no test: of more draws it is the same number, with less noise.
	Live = 1 << 10
	// AtOnce is how many values of all chains and coordinates are compared at once for a view of a lane that runs,
	// which takes 2 ms, and atRest for one of a lane that stands still, 80 ms.
	AtOnce, atRest = 1 << 15, 1 << 20
	// PageLen is how many coordinates are compared for a view at most.
	PageLen = 64
	// AtEnd is how many values of all chains and coordinates of a lane are compared for the result
	// of a session that was interrupted, for which somebody waits.
	AtEnd = 1 << 18
	// suspected is how many coordinates are compared while a lane runs.
	suspected = 4
	// tellingESS is how many effective draws each chain must have of its own before an R-hat above its bound says that
	// the chains disagree. Of chains that agree, with m effective draws each, R-hat is about 1 + 1/m, so that at 200
	// one in twenty is above 1.01. Below that they are too short to tell.
	tellingESS = 200
	rankBins   = 20
	// recent is for how long a comparison does for the views of a lane that runs, however many draws have come.
	recent = 500 * time.Millisecond
)

// NewKeeper keeps the draws of one of so many chains: of a coordinate ranked values of all chains, and of all
// coordinates keptOfLane. Beyond that every second draw is dropped, and so again. It allocates blocks as they fill.
func NewKeeper(chains, dim, ranked int) *metrics.Keeper {
	return metrics.NewKeeper(dim, max(1, min(ranked, keptOfLane/dim)/chains))
}

// Probes are the numbers in which the chains of a network are compared.
type Probes interface {
	ProbeNames() []string
	// Probe sets columns to the newest values of a probe, a slice for each chain, most of a
	// chain at most. It reports whether there are as many of each.
	Probe(i, most int, columns [][]float64) bool
}

// Chains are the chains of a lane, as they are compared. The exported fields are set before use.
type Chains struct {
	Dim     int               // of the tracked coordinates
	Pool    metrics.Chains    // their statistics
	Keepers []*metrics.Keeper // of the draws; nil ones of most networks
	Probes  Probes            // of a network; else nil
	Grouped bool              // several began at one place each
	Whole   int               // so many of a chain's draws are compared, in all coordinates; 0 for what a view has

	by      metrics.Comparer
	columns [][]float64
	newest  map[int]*Compared // by number
	asked   *asked
	ran     bool // the lane has run in this window while there was a worker
}

// A Moment is when chains are compared.
type Moment struct {
	Draws, Kept uint64         // of the lane: in the window, and over all windows
	Point       bool           // for a point of the curves
	Moving      bool           // for a view of a lane that runs: a comparison of a moment ago will do
	Beside      *beside.Worker // works out what takes long; nil where nobody is to
}

// Compared is a comparison of the chains in one number.
type Compared struct {
	metrics.Comparison
	Nested metrics.Estimate // R-hat of groups of chains; Absent of few
	Every  uint64           // one of so many draws is in it; 0 for a network

	made  time.Time
	kept  uint64
	all   bool // of all draws that are kept, or of limit, else of Live of a chain at most
	limit int
	ranks [][]int // counts of each chain's; nil before somebody looks
}

// most is how many kept draws of a chain are in it at most; 0 for all.
func (c *Compared) most() int {
	if c.all {
		return c.limit
	}
	return Live
}

// numbers are those in which the chains are compared: the tracked coordinates or, of a
// network, its probes, whose numbers follow those of the coordinates.
func (c *Chains) numbers() []int {
	from, n := 0, c.Dim
	if c.Probes != nil {
		from, n = n, len(c.Probes.ProbeNames())
	}
	return list.Map(list.Upto(n), func(i int) int { return from + i })
}

// columnsOf are the kept draws of the chains in the number i, oldest first, one of every, and
// whether there are as many of each.
func (c *Chains) columnsOf(i, most int) (columns [][]float64, every uint64, same bool) {
	c.columns = slices.Grow(c.columns[:0], len(c.Pool))[:len(c.Pool)]
	if n := c.Dim; i >= n {
		return c.columns, 0, c.Probes.Probe(i-n, most, c.columns)
	}
	for k, keeper := range c.Keepers {
		c.columns[k], every = keeper.Append(c.columns[k][:0], i, most)
	}
	return c.columns, every, true
}

// Compare compares the chains in the number i, or the halves of the only one, by all draws that are kept. While a lane
// runs, a comparison does for a moment and until a tenth has come to the draws, and one of many draws is worked out
// beside the sampling: until there is the first of more than Live, there is one of fewer draws. So is that of a lane of
// many draws that has come to stand still, which else would hold up the pause. A lane that has been stepped alone has
// few coordinates compared at once. A point of the curves has a comparison of few draws.
func (c *Chains) Compare(i int, at Moment) *Compared {
	if at.Point {
		columns, _, _ := c.columnsOf(i, Live)
		now := &Compared{}
		now.compare(&c.by, columns, c.Grouped, c.Pool.Uneven())
		return now
	}
	probe, values := i >= c.Dim, math.MaxInt // that may have to be ranked for the view
	if !probe {
		values = len(c.Pool) * c.Keepers[0].Len() * min(c.Dim, PageLen)
	}
	all := c.Whole > 0 || values <= AtOnce || !at.Moving && (values <= atRest || !probe && !c.ran && c.Dim <= suspected)
	slack := at.Draws / 10
	if c.Whole > 0 || !at.Moving && (values <= atRest || c.ran) {
		slack = 0
	}
	old := c.newest[i]
	near := old != nil && (old.kept+slack >= at.Kept || at.Moving && time.Since(old.made) < recent)
	if !all && !probe && !(near && old.all) {
		c.ask(i, at)
	}
	if near && (old.all || !all) ||
		old != nil && old.all && !all && old.kept >= uint64(Live*len(c.Pool)) && (!at.Moving || at.Beside != nil) {
		return old
	}
	now := &Compared{made: time.Now(), kept: at.Kept, all: all, limit: c.Whole}
	columns, every, same := c.columnsOf(i, now.most())
	switch now.Every = every; {
	case !same && old != nil:
		return old
	case !same:
		now.Comparison = metrics.WithheldComparison(metrics.Unknown, at.Draws)
		now.Nested = now.RHat
		return now
	}
	now.compare(&c.by, columns, c.Grouped, c.Pool.Uneven())
	if c.newest[i] = now; all && c.Whole == 0 && values > AtOnce {
		c.by = metrics.Comparer{} // tens of megabytes, for a lane that stands still
	}
	return now
}

// compare compares columns, of chains some of which began at one place if they are grouped. Under a schedule nothing
// but R-hat is said of them.
func (c *Compared) compare(by *metrics.Comparer, columns [][]float64, grouped, uneven bool) {
	c.Comparison, c.Nested = by.Compare(columns), nestedRHat(columns, grouped)
	if rhat := c.RHat; uneven {
		c.Comparison = metrics.WithheldComparison(metrics.Uneven, rhat.Draws)
		c.RHat = rhat
	}
}

// Agreement compares the chains, or the halves of the only one, in the numbers where they may agree the least: the
// coordinates of the largest plain R-hat, and the slowest. Several chains of a network are compared in all of its
// probes.
func (c *Chains) Agreement(slow int, at Moment) (a quantity.Agreement) {
	one := len(c.Pool) == 1
	if c.Probes != nil && (one || at.Point) {
		return a // at a point of the curves a network's draws still wait for their evaluation
	}
	var rhat, still metrics.Estimate // the greatest, whether or not it tells something, and that of what stands still
	worst, drifts, apart := 0, false, false
	a.Spread = metrics.OK
	for _, i := range c.suspects(slow) {
		of := c.Compare(i, at)
		if of.RHat.Status == metrics.Constant { // it says nothing of the others
			still = of.RHat
			continue
		}
		if rhat.Status == metrics.Absent || rhat.OK() && (!of.RHat.OK() || of.RHat.Value > rhat.Value) {
			rhat, worst = of.RHat, i
		}
		a.RHat = worse(a.RHat, of.TellingRHat())
		a.Bulk, a.Tail = a.Bulk.Lesser(of.BulkESS), a.Tail.Lesser(of.TailESS)
		if a.Nested.Status == metrics.Absent || a.Nested.OK() && !(of.Nested.Value <= a.Nested.Value) {
			a.Nested = of.Nested
		}
		// a schedule's second moments are weighted, and ranks are not
		if s := of.SD.Status; !of.SD.OK() && s != metrics.Uneven {
			a.Spread = s
		}
		drifts = drifts || of.SD.Status == metrics.Drifting
		apart = apart || !one && i < c.Dim && c.apart(i)
	}
	if rhat.Status == metrics.Absent { // all stand still
		rhat, a.RHat, a.Bulk, a.Tail, a.Spread = still, still, still, still, still.Status
	}
	switch {
	case one && drifts:
		a.Status = metrics.Drifting
	case one:
		a.Status = metrics.OK
	case !rhat.OK():
		a.Status = rhat.Status
	case apart:
		a.Status = metrics.Disagree
	case rhat.Value < metrics.RHatBound:
		a.Status = metrics.OK
	case c.tells(worst):
		a.Status = metrics.Disagree
	default:
		a.Status = metrics.TooShort
	}
	return a
}

// apart reports whether the means of k+1 chains, each long enough by itself, differ by more than their standard errors:
// the sum of squares of their distances from their mean, over the mean square of these, is χ² of k degrees, and so at
// most
//
//	k + 2√(kx) + 2x
//
// but for a chance of e^-x (Laurent and Massart 2000, Annals of Statistics 28:1302). R-hat measures them by the
// standard deviation of a draw, and of long chains says it too late.
func (c *Chains) apart(i int) bool {
	const x = 12.5
	k, mean, between, within := float64(len(c.Pool)-1), c.Pool.Mean(i), 0.0, 0.0
	for _, one := range c.Pool {
		se := metrics.Chains{one}.MCSEOf(i, one.ACT(i))
		if !se.OK() {
			return false
		}
		d := one.Mean(i) - mean
		between += float64(d * d)
		within += float64(se.Value*se.Value) / (k + 1)
	}
	return between > within*(k+float64(2*math.Sqrt(k*x))+2*x)
}

// worse is the R-hat that says the worse: the greater one, if it is above its bound, else one that is withheld.
func worse(a, b metrics.Estimate) metrics.Estimate {
	rank := func(e metrics.Estimate) float64 {
		switch {
		case e.Status == metrics.Absent:
			return 0
		case !e.OK():
			return metrics.RHatBound
		}
		return e.Value
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// nestedRHat is the R-hat of groups of chains that began at one place; Absent where none are grouped.
func nestedRHat(columns [][]float64, grouped bool) metrics.Estimate {
	if !grouped {
		return metrics.Estimate{}
	}
	whole := len(columns) - len(columns)%state.GroupedChains
	return metrics.NestedRHat(slices.Collect(slices.Chunk(columns[:whole], state.GroupedChains)))
}

// suspects are the numbers to compare.
func (c *Chains) suspects(slow int) []int {
	all := c.numbers()
	if c.Whole > 0 || len(all) <= suspected || c.Probes != nil {
		return all
	}
	plain := list.Map(list.Upto(len(all)), c.Pool.PlainRHat)
	// what stands still in all of them comes last
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(plain[b], plain[a]) })
	if all = all[:suspected]; !slices.Contains(all, slow) {
		all[suspected-1] = slow
	}
	return all
}

// tells reports whether every chain is long enough by itself for R-hat in the number i.
func (c *Chains) tells(i int) bool {
	if i >= c.Dim {
		return true // τ of the probes is not known, and networks are rarely there
	}
	return !slices.ContainsFunc(c.Pool, func(one *metrics.Chain) bool {
		ess := one.ESS(i) // of a chain that stands still there is none
		return ess.Status != metrics.Constant && !(ess.Value >= tellingESS)
	})
}

// Ranks counts the ranks of each chain's draws in a coordinate among those of all, in bins of equal width.
func (c *Chains) Ranks(i int, at Moment) [][]int {
	now := c.Compare(i, at)
	if now.ranks == nil {
		columns, _, _ := c.columnsOf(i, now.most())
		now.ranks = c.by.RankCounts(columns, rankBins)
	}
	return now.ranks
}

// Probed compares the chains of a network in its probes.
func (c *Chains) Probed(at Moment) *engine.Probes {
	r := &engine.Probes{Names: c.Probes.ProbeNames()}
	for _, i := range c.numbers() {
		c := c.Compare(i, at)
		why := ""
		num := func(e metrics.Estimate) engine.Num {
			if e.Status > metrics.OK && why == "" {
				why = e.Status.String()
			}
			return engine.Num(e.Trusted())
		}
		r.RHat, r.BulkESS, r.TailESS = append(r.RHat, num(c.TellingRHat())), append(r.BulkESS, num(c.BulkESS)),
			append(r.TailESS, num(c.TailESS))
		r.Withheld = append(r.Withheld, why)
	}
	return r
}

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
