package app

import (
	"maps"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/view/sweep"
)

// gridValues are the values of a grid about one of them: places to which keys turn
// the parameter, evenly on its scale. base is the place of x.
func gridValues(p param.Param, x float64, points int) (values []float64, base int) {
	if p.Scale == param.Choice {
		for i := range p.Choices {
			values = append(values, float64(i))
		}
		return values, min(max(int(x), 0), max(len(values)-1, 0))
	}
	notches := max(float64(spread)/float64(max(points-1, 1)), 0.5)
	if notches > 1 {
		notches = math.Floor(notches)
	}
	side := points / 2
	walk := func(by float64) (out []float64) {
		at, whole := x, 0.0
		for range side {
			next := p.Turn(at, by)
			step := math.Abs(p.Frac(next) - p.Frac(at))
			if next == at || (next > at) != (by > 0) || p.Scale != param.Integer && len(out) > 0 && step < whole/2 {
				break // the end of the scale, or next to it
			}
			whole = max(whole, step)
			at = next
			out = append(out, at)
		}
		return out
	}
	values = walk(-notches)
	slices.Reverse(values)
	base = len(values)
	return append(append(values, x), walk(notches)...), base
}

// A sweepGrid is a grid and what is known of its cells.
type sweepGrid struct {
	sweep study.Sweep
	param param.Param
	base  int
	ids   []int // the lanes'
	names []string
	asked sweepSize // as the user wants it
	order []int     // places in the sweep's plan, in the order in which they run
	runs  map[int]sweepRun
}

// A sweepRun is what a session of the grid came to, lane by lane.
type sweepRun []laneRun

// A laneRun is the quantities of a lane by which cells are compared.
type laneRun struct {
	diverged *engine.Divergence
	of       quantity.Values
}

// trusted reports whether the run came to any number that is to be trusted, beside the
// bias, which is known without running.
func (r *laneRun) trusted() bool {
	return r.diverged == nil && slices.ContainsFunc(quantity.Compared, func(q quantity.ID) bool { return q != quantity.CovBias && r.of[q].OK() })
}

// newSweepGrid makes the grid over a parameter about its present value in the lane
// with index at.
func newSweepGrid(s *engine.Snapshot, at int, p param.Param, asked sweepSize) *sweepGrid {
	size := usualSize(s, asked)
	values, base := gridValues(p, s.Lanes[at].Setting.Value(p.Key), size.points)
	cfg := s.Config
	cfg.Lanes = nil
	g := &sweepGrid{param: p, base: base, asked: asked, runs: map[int]sweepRun{}}
	for _, l := range s.Lanes {
		cfg.Lanes = append(cfg.Lanes, l.Setting)
		g.ids, g.names = append(g.ids, l.ID), append(g.names, l.Title)
	}
	// Lanes after the last that has the parameter are the same in every cell.
	for n := len(cfg.Lanes); n > 1 && !cfg.Lanes[n-1].Has(p.Key); n-- {
		cfg.Lanes = cfg.Lanes[:n-1]
	}
	cfg.Steps, cfg.Epochs, cfg.Seconds, cfg.Race = size.steps, 0, 0, false
	g.sweep = study.Sweep{
		Config: cfg, Problem: s.Problem, Repeats: size.seeds,
		Grid: study.Grid{{Key: p.Key, Param: p, Values: values, Shown: values}},
	}
	g.order = sweepOrder(len(values), base, size.seeds)
	return g
}

// sweepOrder lists places in a sweep's plan: three repeats of every fourth cell, of
// every other one where there are few, three of those between, then the other
// repeats. Three tell an error, without which no cell can be called better than
// another.
func sweepOrder(cells, base, seeds int) (order []int) {
	points := coarseFirst(cells, base)
	between := func(point int) bool { return (point-base)%coarse(cells) != 0 }
	add := func(points []int, from, to int) {
		for repeat := from; repeat < to; repeat++ {
			for _, point := range points {
				order = append(order, point*seeds+repeat)
			}
		}
	}
	some := min(seeds, 3)
	add(slices.DeleteFunc(slices.Clone(points), between), 0, some)
	add(slices.DeleteFunc(slices.Clone(points), func(point int) bool { return !between(point) }), 0, some)
	add(points, some, seeds)
	return order
}

// coarse is how far apart the cells are that come first: at least five of them.
func coarse(cells int) int {
	switch {
	case cells >= 20:
		return 4
	case cells >= 10:
		return 2
	}
	return 1
}

// coarseFirst lists the places 0 … n-1 so that any first part of the list covers all
// of the range: every 2ᵏ-th from base on, then those halfway between.
func coarseFirst(n, base int) []int {
	stride := 1
	for 2*stride < n {
		stride *= 2
	}
	seen := make([]bool, n)
	all := make([]int, 0, n)
	for ; stride > 0; stride /= 2 {
		for i := base % stride; i < n; i += stride {
			if !seen[i] {
				seen[i] = true
				all = append(all, i)
			}
		}
	}
	return all
}

// fits reports whether the grid is one over a parameter of a session with these
// settings. The parameter's own values do not matter, nor does the seed.
func (g *sweepGrid) fits(s *engine.Snapshot, key string, asked sweepSize) bool {
	c, now := &g.sweep.Config, &s.Config
	if g.sweep.Problem != s.Problem || g.param.Key != key || g.asked != asked || len(g.ids) != len(s.Lanes) ||
		c.Init != now.Init || c.Draw != now.Draw || c.SameNoise != now.SameNoise {
		return false
	}
	for i, id := range g.ids {
		l := &s.Lanes[i]
		if l.ID != id || l.Title != g.names[i] {
			return false
		}
		if i < len(c.Lanes) && !sameBut(c.Lanes[i], l.Setting, key) {
			return false
		}
	}
	return true
}

// sameBut reports whether two settings differ in one parameter at most.
func sameBut(a, b engine.Lane, key string) bool {
	if a.Sampler != b.Sampler || a.Schedule != b.Schedule || len(a.Values) != len(b.Values) {
		return false
	}
	return maps.EqualFunc(a.Values, b.Values, func(x, y float64) bool { return x == y }) || sameValuesBut(a.Values, b.Values, key)
}

func sameValuesBut(a, b map[string]float64, key string) bool {
	for k, x := range a {
		if y, ok := b[k]; !ok || x != y && k != key {
			return false
		}
	}
	return true
}

// whole reports whether every session that is wanted has run.
func (g *sweepGrid) whole() bool { return len(g.runs) >= g.total() }

// wanted reports whether the session at a place of the plan is worth its time. A cell
// of which no lane that has the parameter came to anything with the first seed cannot
// be the best, whatever the others come to.
func (g *sweepGrid) wanted(at int) bool {
	repeat := at % g.sweep.Repeats
	first, ok := g.runs[at-repeat]
	if repeat == 0 || !ok {
		return true
	}
	for i := range first {
		if g.sweep.Config.Lanes[i].Has(g.param.Key) && first[i].trusted() {
			return true
		}
	}
	return false
}

// total is how many sessions are wanted, as far as that is known.
func (g *sweepGrid) total() (n int) {
	for at := range g.order {
		if g.wanted(at) {
			n++
		}
	}
	return n
}

// take keeps what sessions came to, but for those that turn out not to be wanted: which
// ones run beside each other depends on the machine.
func (g *sweepGrid) take(news map[int]sweepRun) {
	maps.Copy(g.runs, news)
	maps.DeleteFunc(g.runs, func(at int, _ sweepRun) bool { return !g.wanted(at) })
}

// runOf reads a session's end.
func runOf(lanes []engine.LaneResult) sweepRun {
	run := make(sweepRun, len(lanes))
	for i := range lanes {
		run[i].diverged = lanes[i].Diverged
		for _, q := range quantity.Compared {
			run[i].of[q] = lanes[i].Shown(q)
		}
	}
	return run
}

// data is the grid as the panels see it.
func (g *sweepGrid) data(state sweep.State, note string) *sweep.Data {
	axis := &g.sweep.Grid[0]
	n := len(axis.Values)
	d := &sweep.Data{
		Param: g.param, Values: axis.Values, Base: g.base, Steps: g.sweep.Config.Steps, Seed: g.sweep.Config.Seed,
		Seeds: g.sweep.Repeats, Done: len(g.runs), Total: g.total(), State: state, Note: note,
	}
	for i, id := range g.ids {
		l := sweep.Lane{ID: id, Title: g.names[i]}
		if i < len(g.sweep.Config.Lanes) && g.sweep.Config.Lanes[i].Has(g.param.Key) {
			l.Has, l.Cells = true, make([]sweep.Cell, n)
			for point := range l.Cells {
				g.cell(&l.Cells[point], point, i)
			}
		}
		d.Lanes = append(d.Lanes, l)
	}
	return d
}

// cell puts the repeats of a point together, in the order of their seeds so that
// the sums do not depend on which was done first.
func (g *sweepGrid) cell(c *sweep.Cell, point, lane int) {
	for repeat := range g.sweep.Repeats {
		run, ok := g.runs[point*g.sweep.Repeats+repeat]
		if !ok || lane >= len(run) {
			continue
		}
		r := &run[lane]
		c.Runs++
		if d := r.diverged; d != nil {
			if c.Lost++; c.Lost == 1 || d.Step < c.LostAt {
				c.LostAt = d.Step
			}
			continue
		}
		for _, q := range quantity.Compared {
			c.Of[q].Add(r.of[q])
		}
	}
}
