package state

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// FromNow stands for the step at which a lane is.
const FromNow = -math.MaxFloat64

// SetParam sets a parameter of a lane. One that is a step of the chain takes FromNow too. One of the target is of all
// lanes.
type SetParam struct {
	Lane  int     `json:"lane"`
	Key   string  `json:"key"`
	Value float64 `json:"value"`
	// Turned is the target with its parameter's value, as Resolve opens it; nil for a sampler's parameter.
	Turned *targets.Problem `json:"-"`
}

// SetEach sets a parameter in every lane that has it, to Values[i] in lane i.
type SetEach struct {
	Key    string            `json:"key"`
	Values [MaxLanes]float64 `json:"values"`
}

var _, _ = recorded[SetParam](), recorded[SetEach]()

func (SetParam) Kind() string    { return "set-param" }
func (c SetParam) lane() int     { return c.Lane }
func (c SetParam) turns() string { return c.Key }
func (SetEach) Kind() string     { return "set-each" }
func (c SetEach) turns() string  { return c.Key }

func (c SetParam) resolve(s *State, _ Opener) (_, logged Command, err error) {
	if !OfTarget(c.Key) {
		logged = c.counted(s)
		return logged, logged, nil
	}
	logged = c
	if err = c.fits(s.Problem); err == nil {
		c.Turned, err = s.Problem.With(c.Key, c.Value)
	}
	return c, logged, err
}

func (c SetEach) resolve(s *State, with Opener) (_, logged Command, err error) {
	if !OfTarget(c.Key) {
		return c, c, nil
	}
	return SetParam{Lane: AllLanes, Key: c.Key, Value: c.Values[0]}.resolve(s, with)
}

// counted is the command with the steps for which it says FromNow.
func (c SetParam) counted(s *State) Command {
	if c.Value != FromNow {
		return c
	}
	each := SetEach{Key: c.Key}
	for i, l := range s.Lanes {
		each.Values[i] = max(1, float64(l.Place.Step))
	}
	if c.Lane >= 0 && c.Lane < len(s.Lanes) {
		c.Value = each.Values[c.Lane]
		return c
	}
	return each
}

func (c SetParam) apply(s *State) (Fact, error) {
	switch {
	case OfTarget(c.Key):
		return c.turn(s)
	case c.Value == FromNow:
		return c.counted(s).apply(s)
	}
	return s.setParam(c.Lane, c.Key, func(int) float64 { return c.Value })
}

func (c SetEach) apply(s *State) (Fact, error) {
	return s.setParam(AllLanes, c.Key, func(i int) float64 { return c.Values[i] })
}

// setParam sets a parameter of a lane, or of all of them, to value(i) in lane i.
func (s *State) setParam(lane int, key string, value func(i int) float64) (Fact, error) {
	found := false
	fact, err := s.change(lane, func(i int, set Setting) (Setting, error) {
		q, _, ok := param.Find(declared(s.Problem, set.Sampler), key)
		found = found || ok
		x := value(i)
		if !ok || set.Value(key) == x {
			return set, nil
		}
		if err := Check(fit(s.Problem, q, set.Sampler), x); err != nil {
			return set, err
		}
		set = set.With(key, x)
		return set, set.Validate(s.Problem)
	})
	if err == nil && !found {
		err = fmt.Errorf("no lane here has a parameter %q", key)
	}
	return fact, err
}

// turn sets a parameter of the target, in all lanes.
func (c SetParam) turn(s *State) (Fact, error) {
	if err := c.fits(s.Problem); err != nil {
		return nil, err
	}
	return s.change(AllLanes, func(_ int, set Setting) (Setting, error) {
		if c.Turned == nil {
			return set.With(c.Key, c.Value), nil
		}
		set = set.On(c.Turned)
		return set, set.Validate(c.Turned)
	})
}

// fits refuses a parameter that the target does not have, and a value that it cannot have.
func (c SetParam) fits(p *targets.Problem) error {
	q, _, ok := p.Param(c.Key)
	if !ok {
		return fmt.Errorf("%s has no parameter %q", p.Spec, strings.TrimPrefix(c.Key, targets.KeyPrefix))
	}
	return Check(q, c.Value)
}
