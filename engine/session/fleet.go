package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A fleet is the lanes of a session.
type fleet []lane.Runner

// standings is what f says of where each lane stands.
func standings[T any](all fleet, f func(n lane.Standing) T) []T {
	return list.Map(all, func(r lane.Runner) T { return f(r.Standing()) })
}

// measured is what f says of the measures of each lane.
func measured[T any](all fleet, f func(m measure.Reader) T) []T {
	return list.Map(all, func(r lane.Runner) T { return f(r.Measures()) })
}

func (all fleet) odometers() []uint64 {
	return standings(all, func(n lane.Standing) uint64 { return n.Odometer })
}

// executed is how many steps all lanes together have executed.
func (all fleet) executed() uint64 {
	return list.Sum(all, func(r lane.Runner) uint64 { return r.Standing().Odometer })
}

// step is the step of the furthest lane.
func (all fleet) step() uint64 {
	return slices.Max(standings(all, func(n lane.Standing) uint64 { return n.Step }))
}

// seconds is the longest sampling time of a lane.
func (all fleet) seconds() float64 {
	return slices.Max(standings(all, func(n lane.Standing) float64 { return n.Seconds }))
}

// evaluating reports whether draws wait for their evaluation.
func (all fleet) evaluating() bool {
	return slices.ContainsFunc(all, func(r lane.Runner) bool { return r.Standing().Evaluating })
}
