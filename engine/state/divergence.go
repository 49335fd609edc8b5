package state

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// Divergence is where and why a lane stopped.
type Divergence struct {
	Step  uint64 // the first step whose result could not be used
	Chain int    // of the lane, from 0
	// Coordinate is the first one beyond ±sampler.Limit, and Value what it came to, which may be NaN. Coordinate is
	// empty where the method's own state is out of bounds.
	Coordinate string
	Value      float64
	Eps        float64       // the base step size
	Bound      sampler.Bound // the bound that Eps is not below; zero if none is known
	Unproved   bool          // of a target of which nothing shows that it is a density
	Undefined  bool          // the log density is not finite at the last θ that could be used
	// Failed is why there was no gradient, in one line; empty for a lane that did diverge.
	Failed string

	read string // the reason as a document has it, which has no more than that
}

// Reason is the divergence in a sentence, as the JSON document has it.
func (d *Divergence) Reason() string {
	if d.read != "" {
		return d.read
	}
	if d.Failed != "" {
		return d.Failed
	}
	what := "what the method keeps beside θ is not within bounds"
	switch {
	case d.Coordinate == "":
	case math.IsNaN(d.Value):
		what = d.Coordinate + " is not a number"
	default:
		what = fmt.Sprintf("%s is %.3g, not within ±%.0e", d.Coordinate, d.Value, sampler.Limit)
	}
	if b := d.Bound; b.Kind != sampler.NoBound {
		return fmt.Sprintf("%s; ε = %.4g is not below %s = %.4g", what, d.Eps, b.Kind.Formula(), b.Eps)
	}
	if d.Undefined {
		return what + "; the log density is not finite there"
	}
	if d.Unproved {
		return fmt.Sprintf("%s; ε = %.4g is too large here, or the formula is no density: nobody has checked that its exponential has an integral", what, d.Eps)
	}
	return fmt.Sprintf("%s; ε = %.4g is too large here", what, d.Eps)
}

// Status is what withholds a lane's numbers; Absent where nothing has stopped it.
func (d *Divergence) Status() metrics.Status {
	switch {
	case d == nil:
		return metrics.Absent
	case d.Failed != "":
		return metrics.Stopped
	}
	return metrics.Diverged
}

type divergenceJSON struct {
	Step   uint64 `json:"step"`
	Reason string `json:"reason"`
}

// MarshalJSON writes the step and the reason.
func (d *Divergence) MarshalJSON() ([]byte, error) {
	return json.Marshal(divergenceJSON{d.Step, d.Reason()})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Divergence) UnmarshalJSON(b []byte) error {
	var j divergenceJSON
	err := json.Unmarshal(b, &j)
	*d = Divergence{Step: j.Step, read: j.Reason}
	return err
}
