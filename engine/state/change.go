package state

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// A Change is what a command has altered in a lane. The set of changes is closed,
// and two are equal where they say the same.
type Change interface {
	// Subject is what was altered: a parameter's key, "sampler", "schedule" or "step".
	Subject() string
}

type (
	// ParamChange is another value of a parameter of a sampler.
	ParamChange struct {
		Sampler, Key string
		From, To     float64
	}
	// SamplerChange is another update rule.
	SamplerChange struct{ From, To string }
	// DataChange is N data in the place of From, with those that were added.
	DataChange struct {
		Was, Added string // as a target's spec has them
		From, N    int
	}
	// ScheduleChange is another course of the step size, from the base Eps on.
	ScheduleChange struct {
		From, To sampler.Schedule
		Eps      float64
	}
	// RewindChange is the way back to the state after a step, to go on from there with Eps.
	RewindChange struct {
		Step         uint64
		FromEps, Eps float64
	}
)

func (c ParamChange) Subject() string  { return c.Key }
func (DataChange) Subject() string     { return "data" }
func (SamplerChange) Subject() string  { return "sampler" }
func (ScheduleChange) Subject() string { return "schedule" }
func (RewindChange) Subject() string   { return "step" }

// A Mark is a change on a lane's axis of steps.
type Mark struct {
	Lane    int // its ID
	Step    uint64
	Seconds float64
	Change  Change
}

// Joint is a change and the next one as one, if they alter the same thing, and
// whether that ends where it began. Two ways back are two.
func Joint(a, b Change) (both Change, alike, none bool) {
	if a.Subject() != b.Subject() {
		return nil, false, false
	}
	switch b := b.(type) {
	case ParamChange:
		b.From = a.(ParamChange).From
		return b, true, b.From == b.To
	case SamplerChange:
		b.From = a.(SamplerChange).From
		return b, true, b.From == b.To
	case DataChange:
		b.Was, b.From = a.(DataChange).Was, a.(DataChange).From
		return b, true, b.Was == b.Added
	case ScheduleChange:
		b.From = a.(ScheduleChange).From
		return b, true, b.From == b.To
	}
	return nil, false, false
}

// Difference is how a setting differs from another, nil if it does not.
func Difference(p *targets.Problem, from, to Setting) Change {
	if from.Sampler != to.Sampler {
		return SamplerChange{From: from.Sampler, To: to.Sampler}
	}
	if a, b := from.Problem, to.Problem; a != b && a != nil && b != nil && !slices.Equal(a.Added, b.Added) {
		return DataChange{Was: fmt.Sprint(a.Added), Added: fmt.Sprint(b.Added), From: a.N(), N: b.N()}
	}
	for _, q := range append(declared(p, from.Sampler), p.Params...) {
		if x, y := from.Or(q.Key, q.Default), to.Or(q.Key, q.Default); x != y {
			return ParamChange{Sampler: from.Sampler, Key: q.Key, From: x, To: y}
		}
	}
	if from.Schedule != to.Schedule {
		return ScheduleChange{From: from.Schedule, To: to.Schedule, Eps: to.Eps()}
	}
	return nil
}
