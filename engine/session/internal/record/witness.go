package record

import "github.com/psgld/psgld-tui/engine/sampler"

// A Witness takes the draws of a lane as they are made, with θ in full. It changes no chain, no noise and no gradient of one.
type Witness[F sampler.Float] interface {
	// Take takes draws step by step, and chain by chain within a step. It does not keep d.
	Take(d *Draws[F])
	// Strides reports whether Take can take draws that the chains have gone beyond, of which there are no more than θ, step
	// and gradients.
	Strides() bool
	// InForce tells that a setting is in force; fresh says that it is of another method.
	InForce(fresh bool)
	// NewWindow begins a window of statistics.
	NewWindow()
	// Rewound tells that the chains have gone back, within a new window.
	Rewound()
	// Copy returns what a keyframe holds of it, and Set makes it that again.
	Copy() Held
	Set(from Held)
}

// Held is what a keyframe holds of a witness. It is nil where that is nothing.
type Held interface {
	Bytes() int
}

// plain is a Witness but for Take. It works on no stride, and keyframes hold nothing of it.
type plain struct{}

func (plain) Strides() bool { return false }
func (plain) InForce(bool)  {}
func (plain) NewWindow()    {}
func (plain) Rewound()      {}
func (plain) Copy() Held    { return nil }
func (plain) Set(Held)      {}

// Draws are states of some chains after steps that lie Every apart.
type Draws[F sampler.Float] struct {
	Chains []*Chain[F]
	First  int    // the number of the first of Chains among the lane's
	N      uint64 // draws of each
	Step   uint64 // of the first draw
	Every  uint64
	Ahead  uint64  // steps that the chains have made since the first draw
	Weight float64 // of each
	Path   []F     // θ of one chain after another at the first draw, then after the step that follows it, and so on; nil for the present states
	Point  bool    // a point of the curves is to be of the newest draw
}

// Theta is θ of one of Chains so many steps after the first draw.
func (d *Draws[F]) Theta(chain int, step uint64) []F {
	if d.Path == nil {
		return d.Chains[chain].State.Theta
	}
	dim := len(d.Chains[chain].State.Theta)
	return d.Path[(int(step)*len(d.Chains)+chain)*dim:][:dim]
}

// A reader works out something of what recorders and witnesses have, and keeps it until it is forgotten.
type reader interface {
	// forget drops what was worked out of draws that are gone.
	forget()
}
