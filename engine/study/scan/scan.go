// Package scan runs a session's settings over the values of one of its parameters.
//
// A Scan is a study.Sweep along one axis about the parameter's present value. Its cells
// are sessions of their own, with the session's settings but for that value, a bounded
// number of steps and seeds from the session's on. They run in an order by which any
// first part of them covers the axis, so that something can be told early. Where no lane
// came to anything with the first seed of a value, the other seeds are left out: the
// value cannot be the best.
//
// A Job runs the cells of a Scan that have not run, on a number of threads that can be
// changed meanwhile.
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

// A Scan is a sweep over one parameter with what is known of its cells. It belongs to
// one goroutine.
type Scan struct {
	Sweep study.Sweep // along one axis
	Param param.Param
	Base  int        // the place of the value about which it was made
	Lanes []LaneName // the session's, also those that the sweep leaves out

	asked Size
	order []int         // places in the sweep's plan, in the order in which they run
	runs  map[int][]run // of a place in the plan, a lane each
}

// A LaneName is what the sweep calls a lane of the session.
type LaneName struct {
	ID    int
	Title string
	Has   bool // it has the parameter
}

// A run is what a lane of a cell came to.
type run struct {
	diverged *state.Divergence
	values   quantity.Values // those of quantity.Compared
}

// New makes the scan over a parameter about its present value in the lane with index
// at.
func New(s *engine.Snapshot, at int, p param.Param, asked Size) *Scan {
	size := asked.Of(s)
	all, base := values(p, s.Lanes[at].Setting.Value(p.Key), size.Cells)
	cfg := s.Config.Unlimited()
	cfg.Lanes = nil
	g := &Scan{Param: p, Base: base, asked: asked, order: order(len(all), base, size.Seeds), runs: map[int][]run{}}
	n := 1 // lanes after the last that has the parameter are the same in every cell
	for i, l := range s.Lanes {
		cfg.Lanes = append(cfg.Lanes, l.Setting)
		has := l.Setting.Has(p.Key)
		if has {
			n = i + 1
		}
		g.Lanes = append(g.Lanes, LaneName{l.ID, l.Title, has})
	}
	cfg.Lanes = cfg.Lanes[:n]
	cfg.Steps, cfg.Race = size.Steps, false
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
	if g.Sweep.Problem.Opened() != s.Problem.Opened() || g.Param.Key != key || g.asked != asked || len(g.Lanes) != len(s.Lanes) ||
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
	return a.Sampler == b.Sampler && a.Schedule == b.Schedule && maps.Equal(a.With(key, 0).Values, b.With(key, 0).Values)
}

// Done is how many sessions have run.
func (g *Scan) Done() int { return len(g.runs) }

// Total is how many sessions are wanted, as far as that is known.
func (g *Scan) Total() (n int) {
	for at := range g.order {
		if g.wanted(at) {
			n++
		}
	}
	return n
}

// Whole reports whether every session that is wanted has run.
func (g *Scan) Whole() bool { return g.Done() >= g.Total() }

// wanted reports whether the session at a place of the plan is worth its time. A cell
// of which no lane that has the parameter came to anything with the first seed cannot
// be the best, whatever the others come to.
func (g *Scan) wanted(at int) bool {
	repeat := at % g.Sweep.Repeats
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

// trusted reports whether the run came to any number that is to be trusted, beside the
// bias, which is known without running.
func (r *run) trusted() bool {
	return r.diverged == nil && slices.ContainsFunc(quantity.Compared, func(q quantity.ID) bool { return q != quantity.CovBias && r.values[q].OK() })
}

// take keeps what sessions came to, but for those that turn out not to be wanted: which
// ones run beside each other depends on the machine.
func (g *Scan) take(news map[int][]run) {
	maps.Copy(g.runs, news)
	maps.DeleteFunc(g.runs, func(at int, _ []run) bool { return !g.wanted(at) })
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
func (g *Scan) Cell(lane, value int) (c Cell) {
	for repeat := range g.Sweep.Repeats {
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
