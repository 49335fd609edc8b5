package state

import (
	"fmt"
	"strconv"

	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A Refusal is the error for a setting that cannot be used: which one it is, what it was to be, and what is allowed.
type Refusal struct {
	Lane    int    // the ID of the lane that it is of; AllLanes for none alone
	Sampler string // of that lane
	Field   string // a parameter's key, or a field of Config as a recording names it
	Value   string // empty where any would be refused
	Allowed string // such as "positive"; where it is empty, Why says why not
	Why     string // such as "needs a target with data"
}

// Error is one line without the words of any command line.
func (r *Refusal) Error() string { return r.Prefix() + r.Field + " " + r.Demand() }

// Prefix names the lane, if it is one's alone.
func (r *Refusal) Prefix() string {
	if r.Lane == AllLanes {
		return ""
	}
	return fmt.Sprintf("lane %s (%s): ", LaneLetter(r.Lane), r.Sampler)
}

// Demand says what is allowed, after the field's name.
func (r *Refusal) Demand() string {
	switch {
	case r.Allowed != "":
		return "must be " + r.Allowed + ", got " + r.Value
	case r.Value != "":
		return r.Value + " " + r.Why
	}
	return r.Why
}

// outside refuses a value beyond what is allowed.
func outside(field, value, allowed string) *Refusal {
	return &Refusal{Lane: AllLanes, Field: field, Value: value, Allowed: allowed}
}

// unfit refuses a field, or a value of it, for a reason.
func unfit(field, value, why string) *Refusal {
	return &Refusal{Lane: AllLanes, Field: field, Value: value, Why: why}
}

// Check returns a Refusal for a value that a parameter cannot have.
func Check(q param.Param, x float64) error {
	if q.Check(x) == nil {
		return nil
	}
	return outside(q.Key, strconv.FormatFloat(x, 'g', -1, 64), q.Allowed())
}
