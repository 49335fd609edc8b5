package engine

import "github.com/psgld/psgld-tui/engine/sampler"

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
	// ScheduleChange is another course of the step size, from the base Eps on.
	ScheduleChange struct {
		From, To sampler.Schedule
		Eps      float64
	}
	// RewindChange is the way back to the state after a step, to go on from there
	// with Eps.
	RewindChange struct {
		Step         uint64
		FromEps, Eps float64
	}
)

func (c ParamChange) Subject() string  { return c.Key }
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
