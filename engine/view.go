package engine

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Motion is the newest step of a lane in the watched coordinates, in its two parts: θ moves from From by Drift, which
// is the step that T = 0 would have made there with the same minibatch, and then by the noise, to LaneView.Now.
type Motion struct {
	From, Drift [2]float64
}

// Point is one point of a lane's curves.
type Point struct {
	Step    uint64
	Epoch   float64 // passes over the data; NaN without data
	Seconds float64 // that the lane was busy; the only field that differs from run to run
	Draws   uint64  // in the window

	Eps  float64
	X, Y float64 // the first two coordinates of the newest draw

	Values quantity.Point
}

// Of is a charted quantity at the point, NaN where it cannot be trusted.
func (p *Point) Of(id quantity.ID) float64 {
	v, _ := p.Values.Of(id)
	return v
}

// LayerView is the state of one layer of a network, or of all of θ for a target without layers.
type LayerView struct {
	Name  string
	N     int
	Theta Bins // of the parameters
	Gain  Bins // of log₁₀ of the preconditioner G; without counts where G is 1
	SD    float64
}

// Bins is a histogram of equal bins from Lo to Hi.
type Bins struct {
	Lo, Hi float64
	Counts []uint32
}

// NewestTheta is where a lane stands at the end, in the arithmetic in which it was sampled: one of F32 and F64 is set.
// Of a lane that diverged it is the last θ that could be used, of a variational family a draw of its newest member, and
// of a distilled student its teacher.
type NewestTheta struct {
	Lane, Sampler string
	F32           []float32
	F64           []float64
	Layers        []targets.Layer // which part is what; nil for a target without layers
}

// A Period is a setting and the step of its lane from which it is in force. With Begins its
// method starts there, without the state of an earlier one.
type Period struct {
	Step    uint64
	Setting state.Setting
	Begins  bool
}

// FunctionQuantiles are the levels of a FunctionView's quantiles.
var FunctionQuantiles = [5]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// FunctionView is a window's draws as functions, a number for each of the target's places.
type FunctionView struct {
	Mean, SD  []float64
	Quantiles [5][]float64
	Newest    [][]float64 // draws of the first chain, oldest first
}
