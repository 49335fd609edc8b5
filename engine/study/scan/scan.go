// Package scan runs a session's settings over the values of one of its parameters.
//
// A Scan is a study.Sweep along one axis: over a range that is given, or about the parameter's present value. Its cells
// are sessions of their own, with the session's settings but for that value, a bounded number of steps and seeds from
// the session's on. They run in an order by which any first part of them covers the axis, so that something can be told
// early. Without a range a value a decade comes first, and then only those within a decade of the best. Where no lane
// came to anything with the first seed of a value, the other seeds are left out: the value cannot be the best. Where no
// truth is known, companions tell the bias of the step, and with it the error that is to be expected.
//
// A Job runs the cells of a Scan that have not run, on a number of threads that can be changed meanwhile.
package scan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A Scan is a sweep over one parameter with what is known of its cells. One goroutine starts its jobs; any may read.
type Scan struct {
	Sweep study.Sweep // along one axis
	Param param.Param
	Base  int    // the place of the value about which it was made
	Lanes []Lane // the session's, also those that the sweep leaves out, without cells

	of     string // of
	order  []int  // places in the sweep's plan, in the order in which they run
	coarse int    // how many of them are looked at before the others are chosen
	decade int    // values to a decade, of which those far from the best are left out; 0 to leave none out

	mu   sync.Mutex
	runs map[int][]run // of a place in the plan, a lane each
	took float64       // seconds of a session, the mean over the newest ones
}

// A Lane is a lane of the session with its cells, one for each value.
type Lane struct {
	ID    int
	Title string
	Has   bool // it has the parameter
	Cells Row
}

// Known is what is known of a scan at one time. It is never changed.
type Known struct {
	Param       param.Param // without a key where the cells are those of several
	Values      []float64
	Base        int // the place of the session's value
	Lanes       []Lane
	Steps, Seed uint64  // of a cell, and of its first repeat; the others have the next seeds
	Seeds       int     // repeats
	Done, Total int     // sessions that have run, and that are wanted
	Bias        bool    // companions tell the error that is to be expected
	Took        float64 // seconds of a session, 0 if unknown
}

// New makes the scan over a parameter of the lane with index at: over values, in order, or about its present
// value if they are nil.
func New(s *engine.Snapshot, at int, p param.Param, over []float64, asked Size) *Scan {
	cfg := s.Config.Unlimited()
	cfg.Lanes, cfg.Race = nil, false
	g := &Scan{Param: p, of: of(s, p.Key, asked), runs: map[int][]run{}}
	for _, l := range s.Lanes {
		cfg.Lanes = append(cfg.Lanes, l.Setting)
		g.Lanes = append(g.Lanes, Lane{ID: l.ID, Title: l.Title, Has: l.Setting.Has(p.Key)})
	}
	cfg.Lanes = cfg.Lanes[:turned(s, p.Key)]
	cfg.Bias = s.Problem.F64 != nil && s.Problem.Reference == nil && !s.Problem.Outside() && s.Problem.Exact() == nil &&
		s.Problem.Function == nil
	asked.Cells = cmp.Or(len(over), asked.Cells)
	size := asked.Of(s, cfg.Bias)
	all, x := over, s.Lanes[at].Setting.Value(p.Key)
	if over == nil {
		all, g.Base = values(p, x, size.Cells)
		if p.Scale != param.Choice && p.Scale != param.Integer && len(all) > 3*decade {
			g.decade = decade * (size.Cells - 1) / spread
		}
	} else {
		g.Base, _ = slices.BinarySearch(over, x)
		g.Base = min(g.Base, len(over)-1)
	}
	g.order, g.coarse = order(len(all), g.Base, size.Seeds, g.decade)
	cfg.Steps = size.Steps
	g.Sweep = study.Sweep{
		Config: cfg, Problem: s.Problem, Repeats: size.Seeds,
		Grid: study.Grid{{Key: p.Key, Param: p, Values: all, Shown: all}},
	}
	return g
}

// Values are the parameter's.
func (g *Scan) Values() []float64 { return g.Sweep.Grid[0].Values }

// turned is how many lanes a scan over a parameter runs: those after the last that has it are the same in every cell.
func turned(s *engine.Snapshot, key string) int {
	for n := len(s.Lanes); n > 1; n-- {
		if s.Lanes[n-1].Setting.Has(key) {
			return n
		}
	}
	return 1
}

// of is the same text for all that may share a scan: the parameter's own values do not matter, nor does the seed.
func of(s *engine.Snapshot, key string, asked Size) string {
	c := &s.Config
	text := fmt.Sprintf("%p %s %v %s %v %v %d", s.Problem.Opened(), key, asked, c.Init, c.Draw, c.SameNoise,
		c.ChainCount())
	for i, l := range s.Lanes {
		text += fmt.Sprintf(" %d %s", l.ID, l.Title)
		if i < turned(s, key) {
			text += fmt.Sprintf(" %s %v %v", l.Setting.Sampler, l.Setting.Schedule, l.Setting.With(key, 0).Values)
		}
	}
	return text
}

// Fits reports whether it is a scan over a parameter of a session with these settings, of the size asked for.
func (g *Scan) Fits(s *engine.Snapshot, key string, asked Size) bool {
	return g.of == of(s, key, asked)
}

// Progress is how many sessions have run, and how many are wanted, as far as that is known.
func (g *Scan) Progress() (done, total int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.runs), len(g.wantedOf(g.order))
}

// Whole reports whether every session that is wanted has run.
func (g *Scan) Whole() bool {
	done, total := g.Progress()
	return done >= total
}

// wantedOf are those of the places of the plan that are worth their time. A cell of which no lane that has the
// parameter came to anything with the first seed cannot be the best, whatever the others come to.
func (g *Scan) wantedOf(places []int) (all []int) {
	near := g.near()
	for _, at := range places {
		repeat := at % g.Sweep.Repeats
		first, ok := g.runs[at-repeat]
		if (near == nil || near[at/g.Sweep.Repeats]) && (repeat == 0 || !ok || g.told(first)) {
			all = append(all, at)
		}
	}
	return all
}

// told reports whether a lane that has the parameter came to any number that is to be trusted, beside the bias, which
// is known without running.
func (g *Scan) told(lanes []run) bool {
	for i, l := range lanes {
		if g.Lanes[i].Has && l.diverged == nil && slices.ContainsFunc(quantity.Compared,
			func(q quantity.ID) bool { return q != quantity.CovBias && l.values[q].OK() }) {
			return true
		}
	}
	return false
}

// chosen reports whether the values are chosen that are looked at closely: the coarse ones have run.
func (g *Scan) chosen() bool {
	return !slices.ContainsFunc(g.order[:g.coarse], func(at int) bool {
		first := g.runs[at-at%g.Sweep.Repeats]
		return g.runs[at] == nil && (first == nil || g.told(first))
	})
}

// near are the values that are run: each of the decades, and those within a decade of a lane's best one; nil for all,
// as where no lane has a best one. Before the decades have run it is the session's own.
func (g *Scan) near() (near []bool) {
	if g.decade == 0 {
		return nil
	}
	chosen := g.chosen()
	for i, l := range g.Lanes {
		best := g.Base
		if chosen {
			coarse := make(Row, len(g.Values())) // what runs later does not change the choice
			for at := range coarse {
				if (at-g.Base)%g.decade == 0 {
					coarse[at] = g.cell(i, at, min(g.Sweep.Repeats, coarseRepeats))
				}
			}
			best = coarse.least()
		}
		if !l.Has || best < 0 {
			continue
		}
		if near == nil {
			near = make([]bool, len(g.Values()))
		}
		for k := range near {
			near[k] = near[k] || (k-g.Base)%g.decade == 0 || max(k-best, best-k) < g.decade
		}
	}
	return near
}

// Known is what is known of the scan now.
func (g *Scan) Known() Known {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := &g.Sweep.Config
	k := Known{Param: g.Param, Values: g.Values(), Base: g.Base, Lanes: slices.Clone(g.Lanes), Steps: c.Steps,
		Seed: c.Seed, Seeds: g.Sweep.Repeats, Done: len(g.runs), Total: len(g.wantedOf(g.order)), Bias: c.Bias, Took: g.took}
	for i := range k.Lanes {
		for at := 0; k.Lanes[i].Has && at < len(k.Values); at++ {
			k.Lanes[i].Cells = append(k.Lanes[i].Cells, g.cell(i, at, k.Seeds))
		}
	}
	return k
}

// add keeps what a session came to, but for those that turn out not to be wanted: which ones run beside each other
// depends on the machine.
func (g *Scan) add(at int, lanes []run) {
	g.runs[at] = lanes
	wanted := g.wantedOf(g.order)
	maps.DeleteFunc(g.runs, func(at int, _ []run) bool { return !slices.Contains(wanted, at) })
}

// A run is what a lane of a session came to.
type run struct {
	diverged *state.Divergence
	values   quantity.Values // those of quantity.Compared
	needed   uint64
}

func runOf(l engine.LaneResult) (r run) {
	r.diverged, r.needed = l.Diverged, l.StepsNeeded
	for _, q := range quantity.Compared {
		r.values[q] = l.Shown(q)
	}
	return r
}

// A Cell is what a lane came to with one value of the parameter.
type Cell struct {
	Runs       int    // repeats that are done
	Diverged   int    // those of them that diverged, which are in no mean
	DivergedAt uint64 // the earliest step at which one did
	Needed     uint64 // steps that all take at least until they are long enough; 0 where they are, or that is not known
	Of         [quantity.N]quantity.OverSeeds
}

// add takes a repeat. They are taken in the order of their seeds, so that the sums do not depend on which was done
// first.
func (c *Cell) add(r run) {
	c.Runs++
	if d := r.diverged; d != nil {
		if c.Diverged++; c.Diverged == 1 || d.Step < c.DivergedAt {
			c.DivergedAt = d.Step
		}
		return
	}
	c.Needed = max(c.Needed, r.needed)
	for _, q := range quantity.Compared {
		c.Of[q].Add(r.values[q])
	}
}

// cell is a lane's cell of a value, of its first repeats.
func (g *Scan) cell(lane, value, repeats int) (c Cell) {
	for repeat := range repeats {
		if all := g.runs[value*g.Sweep.Repeats+repeat]; lane < len(all) {
			c.add(all[lane])
		}
	}
	return c
}

// Of is what is known of a sweep of which these cells are done: along one axis a cell for each value, in order, of
// several axes one for each point of the grid, without a parameter.
func Of(s *study.Sweep, done []study.Cell) Known {
	k := Known{Steps: s.Config.Steps, Seed: s.Config.Seed, Seeds: s.Repeats, Done: len(done), Total: s.Total(),
		Bias: s.Config.Bias}
	place := list.Upto(s.Grid.Size())
	if len(s.Grid) == 1 {
		k.Param, k.Values = s.Grid[0].Param, slices.Sorted(slices.Values(s.Grid[0].Values))
		for i, x := range s.Grid[0].Values {
			place[i], _ = slices.BinarySearch(k.Values, x)
		}
	}
	for i, l := range s.Config.Lanes {
		has := func(a study.Axis) bool { return l.Has(a.Param.Key) }
		lane := Lane{ID: i, Title: catalog.Must(l.Sampler).Title, Has: slices.ContainsFunc(s.Grid, has),
			Cells: make(Row, len(place))}
		for _, c := range done {
			lane.Cells[place[c.Point]].add(runOf(c.Lanes[i]))
			k.Steps = max(k.Steps, c.Lanes[i].Steps) // where epochs or seconds end a run
		}
		k.Lanes = append(k.Lanes, lane)
	}
	return k
}
