// Package experiment runs many sessions: grids of settings, repeated over
// seeds.
package experiment

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// MaxCells bounds a sweep. Every cell's result is held until the end.
const MaxCells = 100_000

// An Axis is a parameter and the values that it takes.
type Axis struct {
	Key    string // as given: a parameter's, or "lr"
	Param  sampler.Param
	Values []float64 // of the parameter: those of lr as ε
	Shown  []float64 // as given
}

// Text writes a value of the axis for people.
func (a Axis) Text(i int) string {
	if a.Param.Scale == sampler.Choice {
		return a.Param.Format(a.Shown[i])
	}
	return strconv.FormatFloat(a.Shown[i], 'g', 4, 64)
}

// JSON is a value of the axis in a document: a number, or a choice's name.
func (a Axis) JSON(i int) any {
	if a.Param.Scale == sampler.Choice {
		return a.Param.Format(a.Shown[i])
	}
	return a.Shown[i]
}

// A Grid is every combination of its axes' values.
type Grid []Axis

// At lists the index on each axis of the i-th point; the last axis turns
// fastest.
func (g Grid) At(i int) []int {
	idx := make([]int, len(g))
	for k := len(g) - 1; k >= 0; k-- {
		n := len(g[k].Values)
		idx[k] = i % n
		i /= n
	}
	return idx
}

// Size is the number of points.
func (g Grid) Size() int {
	n := 1
	for _, a := range g {
		n *= len(a.Values)
	}
	return n
}

// On puts the i-th point on a config: a value for every lane that has the
// parameter.
func (g Grid) On(c engine.Config, i int) engine.Config {
	c.Lanes = slices.Clone(c.Lanes)
	for k, j := range g.At(i) {
		for n, l := range c.Lanes {
			if l.Has(g[k].Param.Key) {
				c.Lanes[n] = l.With(g[k].Param.Key, g[k].Values[j])
			}
		}
	}
	return c
}

// A Cell is one session of a sweep.
type Cell struct {
	Values map[string]any      `json:"values"`
	Repeat int                 `json:"repeat"`
	Seed   uint64              `json:"seed"`
	Lanes  []engine.LaneResult `json:"lanes"`

	Point int `json:"-"` // on the grid
}

// A Sweep runs a config at every point of a grid, several times each on the
// seeds that follow the config's.
type Sweep struct {
	Config  engine.Config
	Problem *targets.Problem
	Grid    Grid
	Repeats int
	Threads int // cells at a time; 0 for all cores

	done atomic.Int64
}

// Total is the number of cells.
func (s *Sweep) Total() int { return s.Grid.Size() * s.Repeats }

// Done is the number of cells that have ended. It may be called at any time.
func (s *Sweep) Done() int { return int(s.done.Load()) }

// Validate checks every point before anything runs. Its error names a flag.
func (s *Sweep) Validate() error {
	if s.Grid.Size() > MaxCells/s.Repeats {
		return fmt.Errorf("--grid and --repeats ask for more than %d cells", MaxCells)
	}
	if s.Config.Seed > math.MaxUint64-uint64(s.Repeats) {
		return fmt.Errorf("--seed must leave room for %d repeats, got %d", s.Repeats, s.Config.Seed)
	}
	for i := range s.Grid.Size() {
		if err := s.Grid.On(s.Config, i).Validate(s.Problem); err != nil {
			return err
		}
	}
	return nil
}

// Run runs the cells, each on one thread: what a cell yields does not depend on
// when or where it ran. The repeats of a point are neighbours. When ctx ends, it
// returns the cells that are whole.
func (s *Sweep) Run(ctx context.Context) ([]Cell, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	all := make([]*Cell, s.Total())
	var (
		next  atomic.Int64
		wg    sync.WaitGroup
		fault error
		once  sync.Once
	)
	threads := s.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	for range min(threads, len(all)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1) - 1)
				if i >= len(all) {
					return
				}
				c, err := s.cell(ctx, i)
				if err != nil {
					if ctx.Err() == nil {
						once.Do(func() { fault = err })
						stop()
					}
					return
				}
				all[i] = &c
				s.done.Add(1)
			}
		})
	}
	wg.Wait()
	if fault != nil {
		return nil, fault
	}
	cells := make([]Cell, 0, len(all))
	for _, c := range all {
		if c != nil {
			cells = append(cells, *c)
		}
	}
	return cells, nil
}

func (s *Sweep) cell(ctx context.Context, i int) (Cell, error) {
	c := Cell{Point: i / s.Repeats, Repeat: i % s.Repeats, Values: map[string]any{}}
	for k, j := range s.Grid.At(c.Point) {
		c.Values[s.Grid[k].Key] = s.Grid[k].JSON(j)
	}
	cfg := s.Grid.On(s.Config, c.Point)
	cfg.Seed += uint64(c.Repeat)
	c.Seed = cfg.Seed
	session, err := engine.NewSession(cfg, s.Problem, engine.Runtime{Threads: 1})
	if err != nil {
		return c, err
	}
	if err := session.Run(ctx); err != nil {
		return c, err
	}
	c.Lanes = session.Result("").Lanes
	return c, nil
}
