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
	"maps"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A Scan is a sweep over one parameter with what is known of its cells. It belongs to one goroutine.
type Scan struct {
	Sweep study.Sweep // along one axis
	Param param.Param
	Base  int    // the place of the value about which it was made
	Lanes []Lane // the session's, also those that the sweep leaves out, without cells

	asked  Size
	order  []int         // places in the sweep's plan, in the order in which they run
	coarse int           // how many of them are looked at before the others are chosen
	decade int           // values to a decade, of which those far from the best are left out; 0 to leave none out
	runs   map[int][]run // of a place in the plan, a lane each
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
	Param       param.Param
	Values      []float64
	Base        int // the place of the session's value
	Lanes       []Lane
	Steps, Seed uint64 // of a cell, and of its first repeat; the others have the next seeds
	Seeds       int    // repeats
	Done, Total int    // sessions that have run, and that are wanted
	Bias        bool   // companions tell the error that is to be expected
}

// A run is what a lane of a cell came to.
type run struct {
	diverged *state.Divergence
	values   quantity.Values // those of quantity.Compared
}

// New makes the scan over a parameter of the lane with index at: over values, or about its present value if they are
// nil.
func New(s *engine.Snapshot, at int, p param.Param, of []float64, asked Size) *Scan {
	cfg := s.Config.Unlimited()
	cfg.Lanes, cfg.Race = nil, false
	g := &Scan{Param: p, asked: asked, runs: map[int][]run{}}
	n := 1 // lanes after the last that has the parameter are the same in every cell
	for i, l := range s.Lanes {
		cfg.Lanes = append(cfg.Lanes, l.Setting)
		has := l.Setting.Has(p.Key)
		if has {
			n = i + 1
		}
		g.Lanes = append(g.Lanes, Lane{ID: l.ID, Title: l.Title, Has: has})
	}
	cfg.Lanes = cfg.Lanes[:n]
	cfg.Bias = s.Problem.F64 != nil && s.Problem.Reference == nil && !s.Problem.Outside() && s.Problem.Exact() == nil
	if of != nil {
		asked.Cells = len(of)
	}
	size := asked.Of(s, cfg.Bias)
	all, x := of, s.Lanes[at].Setting.Value(p.Key)
	if of == nil {
		all, g.Base = values(p, x, size.Cells)
		if p.Scale != param.Choice && p.Scale != param.Integer && len(all) > 3*decade {
			g.decade = decade * (size.Cells - 1) / spread
		}
	} else if g.Base, _ = slices.BinarySearch(of, x); g.Base == len(of) {
		g.Base--
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

// Fits reports whether it is a scan over a parameter of a session with these settings,
// of the size asked for. The parameter's own values do not matter, nor does the seed.
func (g *Scan) Fits(s *engine.Snapshot, key string, asked Size) bool {
	c, now := &g.Sweep.Config, &s.Config
	if g.Sweep.Problem.Opened() != s.Problem.Opened() || g.Param.Key != key || g.asked != asked ||
		len(g.Lanes) != len(s.Lanes) ||
		c.Init != now.Init || c.Draw != now.Draw || c.SameNoise != now.SameNoise || c.ChainCount() != now.ChainCount() {
		return false
	}
	for i, was := range g.Lanes {
		l := &s.Lanes[i]
		if l.ID != was.ID || l.Title != was.Title || i < len(c.Lanes) && !sameBut(c.Lanes[i], l.Setting, key) {
			return false
		}
	}
	return true
}

// sameBut reports whether two settings differ in one parameter at most.
func sameBut(a, b state.Setting, key string) bool {
	return a.Sampler == b.Sampler && a.Schedule == b.Schedule &&
		maps.Equal(a.With(key, 0).Values, b.With(key, 0).Values)
}

// Done is how many sessions have run.
func (g *Scan) Done() int { return len(g.runs) }

// Total is how many sessions are wanted, as far as that is known.
func (g *Scan) Total() (n int) {
	near := g.near()
	for at := range g.order {
		if g.wanted(at, near) {
			n++
		}
	}
	return n
}

// Whole reports whether every session that is wanted has run.
func (g *Scan) Whole() bool { return g.Done() >= g.Total() }

// wanted reports whether the session at a place of the plan is worth its time. A cell
// of which no lane that has the parameter came to anything with the first seed cannot
// be the best, whatever the others come to. near are the values that are run, nil for all.
func (g *Scan) wanted(at int, near []bool) bool {
	repeat := at % g.Sweep.Repeats
	if near != nil && !near[at/g.Sweep.Repeats] {
		return false
	}
	first, ok := g.runs[at-repeat]
	if repeat == 0 || !ok {
		return true
	}
	for i := range first {
		if g.Lanes[i].Has && first[i].trusted() {
			return true
		}
	}
	return false
}

// chosen reports whether the values are chosen that are looked at closely: the coarse ones have run.
func (g *Scan) chosen() bool {
	return !slices.ContainsFunc(g.order[:g.coarse], func(at int) bool { return g.runs[at] == nil && g.wanted(at, nil) })
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
	c := &g.Sweep.Config
	k := Known{Param: g.Param, Values: g.Values(), Base: g.Base, Steps: c.Steps, Seed: c.Seed, Seeds: g.Sweep.Repeats,
		Done: g.Done(), Total: g.Total(), Bias: c.Bias}
	for i, l := range g.Lanes {
		for at := 0; l.Has && at < len(k.Values); at++ {
			l.Cells = append(l.Cells, g.Cell(i, at))
		}
		k.Lanes = append(k.Lanes, l)
	}
	return k
}

// trusted reports whether the run came to any number that is to be trusted, beside the
// bias, which is known without running.
func (r *run) trusted() bool {
	return r.diverged == nil &&
		slices.ContainsFunc(quantity.Compared, func(q quantity.ID) bool {
			return q != quantity.CovBias && r.values[q].OK()
		})
}

// take keeps what sessions came to, but for those that turn out not to be wanted: which
// ones run beside each other depends on the machine.
func (g *Scan) take(news map[int][]run) {
	maps.Copy(g.runs, news)
	near := g.near()
	maps.DeleteFunc(g.runs, func(at int, _ []run) bool { return !g.wanted(at, near) })
}

// runsOf reads a session's end.
func runsOf(lanes []engine.LaneResult) []run {
	all := make([]run, len(lanes))
	for i := range lanes {
		all[i].diverged = lanes[i].Diverged
		for _, q := range quantity.Compared {
			all[i].values[q] = lanes[i].Shown(q)
		}
	}
	return all
}

// A Cell is what a lane came to with one value of the parameter.
type Cell struct {
	Runs       int    // repeats that are done
	Diverged   int    // those of them that diverged, which are in no mean
	DivergedAt uint64 // the earliest step at which one did
	Of         [quantity.N]quantity.OverSeeds
}

// Cell puts the repeats of a value together, in the order of their seeds so that the
// sums do not depend on which was done first.
func (g *Scan) Cell(lane, value int) Cell { return g.cell(lane, value, g.Sweep.Repeats) }

// cell is Cell of the first repeats.
func (g *Scan) cell(lane, value, repeats int) (c Cell) {
	for repeat := range repeats {
		all, ok := g.runs[value*g.Sweep.Repeats+repeat]
		if !ok || lane >= len(all) {
			continue
		}
		c.Runs++
		if d := all[lane].diverged; d != nil {
			if c.Diverged++; c.Diverged == 1 || d.Step < c.DivergedAt {
				c.DivergedAt = d.Step
			}
			continue
		}
		for _, q := range quantity.Compared {
			c.Of[q].Add(all[lane].values[q])
		}
	}
	return c
}
