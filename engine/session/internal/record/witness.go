package record

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// A Witness takes the draws of a lane as they are made, with θ in full. It changes no chain, no noise and no gradient
// of one.
type Witness[F sampler.Float] interface {
	// Take takes draws step by step, and chain by chain within a step. It does not keep d.
	Take(d *Draws[F])
	// InForce tells that a setting is in force; fresh says that it is of another method.
	InForce(fresh bool)
	// NewWindow begins a window of statistics.
	NewWindow()
	// Rewound tells that the chains have gone back, within a new window.
	Rewound()
	// Copy returns what a keyframe holds of it, which may have a method Bytes() int, and Set makes it that again.
	Copy() any
	Set(from any)
}

// Patient is a witness that does nothing with most draws. It can take draws that the chains have gone beyond, of which
// there are no more than θ, step and gradients.
type Patient interface {
	// Waits says that Take does nothing with a draw of a chain before the chain has evaluated so many gradients or the
	// lane has kept so many draws. It holds until the next Take of one, a window, a setting or a way back.
	Waits(chain int) (gradients, kept uint64)
}

// A Curve is the witness that makes points of all that is measured.
type Curve[F sampler.Float] interface {
	Witness[F]
	Patient
	// Room is how many draws of every chain there are to the next point.
	Room() uint64
	// Score gives the oldest point that has none its scores, unless they are nil.
	Score(scores *quantity.Scores)
}

// Plain is a Witness but for Take. It is not Patient, and keyframes hold nothing of it.
type Plain struct{}

func (Plain) InForce(bool) {}
func (Plain) NewWindow()   {}
func (Plain) Rewound()     {}
func (Plain) Copy() any    { return nil }
func (Plain) Set(any)      {}

// Draws are states of some chains after steps that lie Every apart.
type Draws[F sampler.Float] struct {
	Chains []*Chain[F]
	First  int    // the number of the first of Chains among the lane's
	N      uint64 // draws of each
	Step   uint64 // of the first draw
	Every  uint64
	Ahead  uint64  // steps that the chains have made since the first draw
	Weight float64 // of each
	// Path is θ of one chain after another at the first draw, then after the step that follows it, and so on; nil for
	// the present states.
	Path  []F
	Point bool // a point of the curves is to be of the newest draw
}

// Theta is θ of one of Chains so many steps after the first draw.
func (d *Draws[F]) Theta(chain int, step uint64) []F {
	if d.Path == nil {
		return d.Chains[chain].State.Theta
	}
	dim := len(d.Chains[chain].State.Theta)
	return d.Path[(int(step)*len(d.Chains)+chain)*dim:][:dim]
}
