package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// Conv is a convolution (a correlation, as in all of the field) with stride 1 and "same" zero padding: images keep
// their size, and a pixel of the Channels put out sees the Kernel × Kernel square around it, Kernel being odd. Weights
// are in the order (row, column, in, out). A layer Bias or BiasReLU is to follow, after MaxPool if there is one.
type Conv struct{ Kernel, Channels int }

func (c Conv) name() string  { return "conv" }
func (c Conv) inPlace() bool { return false }

func (c Conv) out(in Shape) (Shape, error) {
	if c.Kernel < 1 || c.Kernel%2 == 0 {
		return Shape{}, fmt.Errorf("a convolution with squares of side %d, want an odd side", c.Kernel)
	}
	if c.Channels < 1 {
		return Shape{}, fmt.Errorf("a convolution to %d channels, want at least 1", c.Channels)
	}
	return Shape{in.Height, in.Width, c.Channels}, nil
}

func (c Conv) params(in Shape) params {
	square := c.Kernel * c.Kernel
	return params{square * in.Channels, c.Channels, square * in.Channels, square * c.Channels}
}

func (c Conv) compile(in Shape, rows int, team *f32.Team) pass {
	if c.Kernel == 1 {
		return &pointwisePass{in.Height * in.Width, in.Channels, c.Channels, team}
	}
	return c.convolution(in, rows, team, false)
}

// convolution is the pass of a convolution that is not 1×1, pooled 2×2 by maxima if pooled.
func (c Conv) convolution(in Shape, rows int, team *f32.Team, pooled bool) pass {
	s := f32.Conv{Height: in.Height, Width: in.Width, In: in.Channels, Out: c.Channels, Kernel: c.Kernel}
	return &convPass{f32.NewConvolution(s, pooled, rows, team), make([]float32, s.Patch()*s.Out)}
}

type convPass struct {
	f32.Convolution
	// sum is where a gradient is made that is to be added.
	sum []float32
}

func (p *convPass) forward(y, x, theta []float32, rows int) { p.Forward(y, x, theta, rows) }

func (p *convPass) backward(dx, grad, dy, _, x, theta []float32, rows int, add bool) {
	if add {
		p.BackWeights(p.sum, x, dy, rows)
		f32.Axpy(grad, 1, p.sum)
	} else {
		p.BackWeights(grad, x, dy, rows)
	}
	if dx != nil {
		p.BackData(dx, dy, theta, rows)
	}
}

// poolsConv tells whether a layer pools the maxima of a convolution, which then does so itself.
func (n *Network) poolsConv(layer int) bool {
	if layer == 0 || layer == len(n.layers) {
		return false
	}
	_, pool := n.layers[layer].Layer.(MaxPool)
	conv, ok := n.layers[layer-1].Layer.(Conv)
	return pool && ok && conv.Kernel > 1
}

// pooledBefore is MaxPool where the convolution before it has done its work.
type pooledBefore struct{}

func (pooledBefore) forward(_, _, _ []float32, _ int)                   {}
func (pooledBefore) backward(_, _, _, _, _, _ []float32, _ int, _ bool) {}
