package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// MaxCells bounds a sweep. Every cell's result is held until the end.
const MaxCells = 100_000

// An Axis is a parameter and the values that it takes.
type Axis struct {
	Key    string // as given: a parameter's, or "lr"
	Param  param.Param
	Values []float64 // of the parameter
	Shown  []float64 // as given: h where Key is "lr" and Values are ε
}

// Text writes a value of the axis for people.
func (a Axis) Text(i int) string {
	if a.Param.Scale == param.Choice {
		return a.Param.Format(a.Shown[i])
	}
	return strconv.FormatFloat(a.Shown[i], 'g', 4, 64)
}

// JSON is a value of the axis in a document: a number, or a choice's name.
func (a Axis) JSON(i int) any {
	if a.Param.Scale == param.Choice {
		return a.Param.Format(a.Shown[i])
	}
	return a.Shown[i]
}

// A Grid is every combination of its axes' values.
type Grid []Axis

// At returns the i-th point as an index on each axis. The last axis varies fastest.
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

// Text names the values of the i-th point for people: eps=0.1 alpha=0.9.
func (g Grid) Text(i int) string {
	var at []string
	for k, j := range g.At(i) {
		at = append(at, g[k].Key+"="+g[k].Text(j))
	}
	return strings.Join(at, " ")
}

// JSON is the values of the i-th point in a document, by their keys.
func (g Grid) JSON(i int) map[string]any {
	at := map[string]any{}
	for k, j := range g.At(i) {
		at[g[k].Key] = g[k].JSON(j)
	}
	return at
}

// On returns a config with the values of the i-th point. Every lane that has a parameter gets its value.
func (g Grid) On(c state.Config, i int) state.Config {
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

// Turned is a problem with the values of its parameters that a config's lanes have: that of a
// cell of a sweep over them.
func Turned(p *targets.Problem, c state.Config) (*targets.Problem, error) {
	now := p.Values()
	for i, q := range p.Params {
		x, ok := c.Lanes[0].Values[q.Key]
		if !ok || x == now[i] {
			continue
		}
		var err error
		if p, err = p.With(q.Key, x); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// A Cell is one session of a sweep.
type Cell struct {
	Values map[string]any      `json:"values"`
	Repeat int                 `json:"repeat"`
	Seed   uint64              `json:"seed"`
	Lanes  []engine.LaneResult `json:"lanes"`

	Point int `json:"-"` // on the grid
}

// A Sweep runs a config at every point of a grid, on as many successive seeds as there are repeats.
type Sweep struct {
	Config  state.Config
	Problem *targets.Problem
	Grid    Grid
	Repeats int
	Threads int // cells at a time; 0 for all cores
	// Truths finds the truth that Config asks for; nil if Problem has it.
	Truths *Truths
}

// Total is the number of cells.
func (s *Sweep) Total() int { return s.Grid.Size() * s.Repeats }

// Validate checks every point before anything runs. The error is an *state.Refusal, or
// one that Config.Validate returns.
func (s *Sweep) Validate() error {
	if s.Grid.Size() > MaxCells/s.Repeats {
		return &state.Refusal{Lane: state.AllLanes, Field: "repeats", Value: strconv.Itoa(s.Repeats), Why: fmt.Sprintf("asks for more than %d cells", MaxCells)}
	}
	if s.Config.Seed > math.MaxUint64-uint64(s.Repeats) {
		return &state.Refusal{Lane: state.AllLanes, Field: "seed", Value: strconv.FormatUint(s.Config.Seed, 10), Why: fmt.Sprintf("leaves no room for %d repeats", s.Repeats)}
	}
	for i := range s.Grid.Size() {
		if err := s.Grid.On(s.Config, i).Validate(s.Problem); err != nil {
			return err
		}
	}
	return nil
}

// Plan is the sweep's cells as jobs. The repeats of a point are neighbours.
func (s *Sweep) Plan() Plan { return Plan{Name: "sweep of " + s.Config.Target, Sweep: s} }

func (s *Sweep) job(i int) Job {
	c := s.Grid.On(s.Config, i/s.Repeats)
	c.Seed += uint64(i % s.Repeats)
	// Two values may look alike, but no two cells have the same number.
	return Job{ID: fmt.Sprintf("%d: %s seed=%d", i, s.Grid.Text(i/s.Repeats), c.Seed), Config: c}
}

// Cells are the outcomes of Plan's jobs as cells.
func (s *Sweep) Cells(outcomes []Outcome) []Cell {
	var cells []Cell
	for _, o := range outcomes {
		c := Cell{Point: o.At / s.Repeats, Repeat: o.At % s.Repeats, Values: s.Grid.JSON(o.At / s.Repeats), Lanes: o.Lanes}
		c.Seed = s.Config.Seed + uint64(c.Repeat)
		cells = append(cells, c)
	}
	return cells
}

// Runner runs a shard of the cells.
func (s *Sweep) Runner(shard Shard) *Runner {
	return &Runner{
		Jobs: s.Plan().Part(shard), Threads: s.Threads,
		Open: func(ctx context.Context, j Job) (*targets.Problem, error) {
			p, err := Turned(s.Problem, j.Config)
			if err != nil {
				return nil, err
			}
			c := j.Config
			if p != s.Problem {
				c.Target = p.Spec
			}
			return s.Truths.On(ctx, c, p)
		},
	}
}

// RequestedSweep is the kind of a Request that a SweepRequest makes.
const RequestedSweep = "sweep"

// A SweepRequest is a sweep without its target, so that shards can be joined where its
// data are not. Title and Truth are what the sweep's table says of the target.
type SweepRequest struct {
	Config  state.Config        `json:"config"`
	Grid    []axisRequest       `json:"grid"`
	Repeats int                 `json:"repeats"`
	Title   string              `json:"title,omitempty"`
	Truth   *engine.TruthResult `json:"truth,omitempty"`
}

// axisRequest is an Axis in a results file.
type axisRequest struct {
	Key    string    `json:"key"`
	Param  string    `json:"param"`
	Values []float64 `json:"values"`
	Shown  []float64 `json:"shown"`
}

// Request is the sweep in a results file.
func (s *Sweep) Request(title string, truth *engine.TruthResult) SweepRequest {
	grid := list.Map(s.Grid, func(a Axis) axisRequest { return axisRequest{a.Key, a.Param.Key, a.Values, a.Shown} })
	return SweepRequest{Config: s.Config, Repeats: s.Repeats, Title: title, Truth: truth, Grid: grid}
}

// Sweep makes the sweep again whose cells were merged, without its target: its cells can be read but not run. asked is
// the request for it. It is an error if it is not the one that the plan was made from, by the plan's hash.
func (m Merged) Sweep() (s *Sweep, asked SweepRequest, err error) {
	if err := m.Request.Read(RequestedSweep, &asked); err != nil {
		return nil, asked, err
	}
	s = &Sweep{Config: asked.Config, Repeats: asked.Repeats}
	none := errors.New("the request is of no sweep")
	if n := len(s.Config.Lanes); n == 0 || n > state.MaxLanes || s.Repeats < 1 {
		return nil, asked, none
	}
	room := MaxCells / s.Repeats
	for _, a := range asked.Grid {
		if n := len(a.Values); n == 0 || n > room || len(a.Shown) != n {
			return nil, asked, none
		}
		room /= len(a.Values)
		axis := Axis{Key: a.Key, Values: a.Values, Shown: a.Shown}
		if state.OfTarget(a.Param) {
			axis.Param = param.Param{Key: a.Param}
		}
		for _, l := range s.Config.Lanes {
			m, ok := catalog.Find(l.Sampler)
			if !ok {
				return nil, asked, state.UnknownSampler(l.Sampler)
			}
			if q, ok := m.Param(a.Param); ok && l.Has(a.Param) && axis.Param.Key == "" {
				axis.Param = q
			}
		}
		if axis.Param.Key == "" {
			return nil, asked, none
		}
		s.Grid = append(s.Grid, axis)
	}
	if s.Plan().Hash() != m.Hash {
		return nil, asked, none
	}
	return s, asked, m.Check(s.Plan())
}
