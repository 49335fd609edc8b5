package tui

import (
	"maps"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/experiment"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/panel"
)

// sweepSize is how much of a grid is run.
type sweepSize struct {
	points int
	steps  uint64 // of a cell
	seeds  int
}

// The bounds of a grid's size. With more points cells would be less than half a
// notch apart.
const (
	mostPoints  = 81
	leastPoints = 3
	leastSteps  = 50
	mostSteps   = 5_000_000
	mostSeeds   = 100
)

// What a grid has unless it is said: a notch from cell to cell, over two decades on
// both sides, and on a network, where a step takes a thousand times as long, a factor
// of two.
const (
	usualPoints   = 41
	networkPoints = 13
	usualSteps    = 20_000
	usualSeeds    = 5
	spread        = 40 // notches from end to end
)

// sweepWork is the work of the first repeat of a grid, in data times parameters: on
// one core of a machine of today about ten seconds on a network, and less on what
// does not come to usualSteps by it.
const sweepWork = 2e11

// usualSize is the size of a grid on the session's target.
func usualSize(s *engine.Snapshot, asked sweepSize) sweepSize {
	z := asked
	p := s.Problem
	if z.points == 0 {
		z.points = usualPoints
		if p.F32 != nil {
			z.points = networkPoints
		}
	}
	if z.seeds == 0 {
		z.seeds = usualSeeds
		if p.F32 != nil {
			z.seeds = 3
		}
	}
	if z.steps == 0 {
		step, least := 0.0, uint64(0)
		for _, l := range s.Lanes {
			work := float64(p.Dim())
			if p.HasData() {
				if b := l.Setting.Or(sampler.KeyBatch, 0); b > 0 {
					work *= b
				} else {
					work *= float64(p.N())
				}
			}
			step += work
			// Draws begin after the burn-in, and there must be some to tell of.
			draws := l.Setting.Or(sampler.KeyBurnIn, 0) + 2*l.Setting.Or(sampler.KeyThin, 1)
			least = max(least, uint64(min(draws, mostSteps)))
		}
		z.steps = round125(min(sweepWork/max(step, 1)/float64(z.points), usualSteps))
		z.steps = max(z.steps, least, leastSteps)
	}
	return z
}

// round125 is the largest of 1, 2, 5, 10, … that is not above x.
func round125(x float64) uint64 {
	if !(x >= 1) {
		return 1
	}
	e := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range [...]float64{5, 2, 1} {
		if k*e <= x {
			return uint64(k * e)
		}
	}
	return uint64(e)
}

// gridValues are the values of a grid about one of them: places to which keys turn
// the parameter, evenly on its scale. base is the place of x.
func gridValues(p sampler.Param, x float64, points int) (values []float64, base int) {
	if p.Scale == sampler.Choice {
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
			if next == at || (next > at) != (by > 0) || p.Scale != sampler.Whole && len(out) > 0 && step < whole/2 {
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
	sweep experiment.Sweep
	param sampler.Param
	base  int
	ids   []int // the lanes'
	names []string
	asked sweepSize // as the user wants it
	order []int     // places in the sweep's plan, in the order in which they run
	runs  map[int]sweepRun
}

// A sweepRun is what a session of the grid came to, lane by lane.
type sweepRun []laneRun

type laneRun struct {
	lost   bool
	lostAt uint64
	of     [panel.NumSweepQuantities]runValue
}

// runValue is a quantity of a run: NaN where it has none.
type runValue struct {
	x     float64
	short bool // the run is too short for it
}

// newSweepGrid makes the grid over a parameter about its present value in the lane
// with index at.
func newSweepGrid(s *engine.Snapshot, at int, p sampler.Param, asked sweepSize) *sweepGrid {
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
	g.sweep = experiment.Sweep{
		Config: cfg, Problem: s.Problem, Repeats: size.seeds,
		Grid: experiment.Grid{{Key: p.Key, Param: p, Values: values, Shown: values}},
	}
	for repeat := range size.seeds {
		for _, point := range coarseFirst(len(values), base) {
			g.order = append(g.order, point*size.seeds+repeat)
		}
	}
	return g
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

// whole reports whether every session has run.
func (g *sweepGrid) whole() bool { return len(g.runs) >= len(g.order) }

// runOf reads a session's end.
func runOf(lanes []engine.LaneResult, p *targets.Problem) sweepRun {
	var run sweepRun
	for i := range lanes {
		run = append(run, laneRunOf(&lanes[i], p))
	}
	return run
}

func laneRunOf(r *engine.LaneResult, p *targets.Problem) (out laneRun) {
	for q := range out.of {
		out.of[q].x = math.NaN()
	}
	if r.Diverged != nil {
		out.lost, out.lostAt = true, r.Diverged.Step
		return out
	}
	m, _ := sampler.Find(r.Sampler)
	set := func(q panel.SweepQuantity, x *engine.Num, short bool) {
		if x != nil {
			out.of[q] = runValue{float64(*x), short}
		}
	}
	short := false
	if m.Kind == sampler.Sampling {
		tau := math.Inf(-1)
		for _, x := range r.ACT {
			if v := float64(x); v != v || v > tau {
				tau = v
			}
			if tau != tau {
				break
			}
		}
		ess := float64(r.MinESS)
		short = ess != ess
		if len(r.ACT) == 0 {
			tau = math.NaN()
		}
		out.of[panel.SweepACT] = runValue{tau, tau != tau}
		out.of[panel.SweepESS] = runValue{ess / float64(r.Steps) * 1000, short}
		set(panel.SweepBias, r.CovBias, false)
	}
	if m.Kind != sampler.Optimising {
		set(panel.SweepCovError, r.CovError, short)
	}
	if p.HasData() {
		set(panel.SweepMeanError, r.MeanError, short)
	} else {
		out.of[panel.SweepMeanError].x = math.NaN()
	}
	set(panel.SweepTestError, r.TestError, false)
	set(panel.SweepNLL, r.NLL, false)
	if m.Kind != sampler.Sampling {
		set(panel.SweepLoss, r.Loss, false)
		set(panel.SweepELBO, r.ELBO, false)
	}
	return out
}

// data is the grid as the panels see it.
func (g *sweepGrid) data(state panel.SweepState, note string) *panel.SweepData {
	axis := &g.sweep.Grid[0]
	n := len(axis.Values)
	d := &panel.SweepData{
		Param: g.param, Values: axis.Values, Base: g.base, Steps: g.sweep.Config.Steps, Seed: g.sweep.Config.Seed,
		Seeds: g.sweep.Repeats, Done: len(g.runs), Total: len(g.order), State: state, Note: note,
	}
	for i, id := range g.ids {
		l := panel.SweepLane{ID: id, Title: g.names[i]}
		if i < len(g.sweep.Config.Lanes) && g.sweep.Config.Lanes[i].Has(g.param.Key) {
			l.Has, l.Cells = true, make([]panel.SweepCell, n)
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
func (g *sweepGrid) cell(c *panel.SweepCell, point, lane int) {
	var sum, squares [panel.NumSweepQuantities]float64
	for repeat := range g.sweep.Repeats {
		run, ok := g.runs[point*g.sweep.Repeats+repeat]
		if !ok || lane >= len(run) {
			continue
		}
		r := &run[lane]
		c.Runs++
		if r.lost {
			if c.Lost++; c.Lost == 1 || r.lostAt < c.LostAt {
				c.LostAt = r.lostAt
			}
			continue
		}
		for q := range r.of {
			v, of := &r.of[q], &c.Of[q]
			if v.short {
				of.Short++
			}
			if math.IsNaN(v.x) {
				continue
			}
			// Welford (1962).
			of.N++
			d := v.x - sum[q]
			sum[q] += d / float64(of.N)
			squares[q] += d * (v.x - sum[q])
		}
	}
	for q := range c.Of {
		of := &c.Of[q]
		of.Mean, of.SE = math.NaN(), math.NaN()
		if of.N > 0 {
			of.Mean = sum[q]
		}
		if n := float64(of.N); n > 1 {
			of.SE = math.Sqrt(squares[q] / (n - 1) / n)
		}
	}
}
