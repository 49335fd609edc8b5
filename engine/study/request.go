package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets/param"
)

// A Request is what a plan was made from, by its kind. It is in the head of a results
// file: whoever merges shards needs nothing else. The zero value asks for nothing.
type Request map[string]json.RawMessage

// RequestedSweep is the kind of a Request that a SweepRequest makes.
const RequestedSweep = "sweep"

// NewRequest is a request of a kind. It panics if of is no plain data.
func NewRequest(kind string, of any) Request {
	b, err := json.Marshal(of)
	if err != nil {
		panic(err)
	}
	return Request{kind: b}
}

// Has reports whether the request is of a kind.
func (r Request) Has(kind string) bool { return r[kind] != nil }

// Read decodes the request of a kind.
func (r Request) Read(kind string, to any) error {
	if err := json.Unmarshal(r[kind], to); err != nil {
		return fmt.Errorf("the request is of no %s", kind)
	}
	return nil
}

// A SweepRequest is a sweep without its target, so that shards can be joined where its
// data are not. Title and Truth are what the sweep's table says of the target.
type SweepRequest struct {
	Config  engine.Config       `json:"config"`
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
	r := SweepRequest{Config: s.Config, Repeats: s.Repeats, Title: title, Truth: truth}
	for _, a := range s.Grid {
		r.Grid = append(r.Grid, axisRequest{a.Key, a.Param.Key, a.Values, a.Shown})
	}
	return r
}

// Sweep makes the sweep again, without its target: its cells can be read but not run. It
// is an error if no sweep has made the request.
func (r SweepRequest) Sweep() (*Sweep, error) {
	bad := errors.New("the request is of no sweep")
	if len(r.Config.Lanes) < 1 || len(r.Config.Lanes) > engine.MaxLanes || r.Repeats < 1 || r.Repeats > MaxCells || len(r.Grid) == 0 {
		return nil, bad
	}
	s := &Sweep{Config: r.Config, Repeats: r.Repeats}
	total := r.Repeats
	for _, a := range r.Grid {
		axis := Axis{Key: a.Key, Values: a.Values, Shown: a.Shown}
		found := false
		for _, l := range r.Config.Lanes {
			m, ok := catalog.Find(l.Sampler)
			if !ok {
				return nil, engine.UnknownSampler(l.Sampler)
			}
			if q, ok := m.Param(a.Param); ok && l.Has(a.Param) && !found {
				axis.Param, found = q, true
			}
		}
		if !found || len(a.Values) == 0 || len(a.Values) != len(a.Shown) || len(a.Values) > MaxCells/total {
			return nil, bad
		}
		if axis.Param.Scale == param.Choice {
			for _, v := range a.Shown {
				if !(v >= 0 && v < float64(len(axis.Param.Choices)) && v == math.Trunc(v)) {
					return nil, bad
				}
			}
		}
		total *= len(a.Values)
		s.Grid = append(s.Grid, axis)
	}
	return s, nil
}

// checkCells returns an error unless the outcomes are cells of s.
func (s *Sweep) checkCells(outcomes []Outcome) error {
	for _, o := range outcomes {
		if o.At >= s.Total() || len(o.Lanes) != len(s.Config.Lanes) {
			return fmt.Errorf("%q is no cell of the sweep", o.ID)
		}
	}
	return nil
}
