package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// Conv is a convolution (a correlation, as in all of the field) with stride 1
// and "same" zero padding: images keep their size, and a pixel of the Channels
// put out sees the Kernel × Kernel square around it, Kernel being odd. Weights
// are in the order (row, column, in, out). A layer Bias or BiasReLU is to
// follow, after MaxPool if there is one.
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

func (c Conv) compile(in Shape, _ int, team *f32.Team) pass {
	if c.Kernel == 1 {
		return &pointwisePass{in.Height * in.Width, in.Channels, c.Channels, team}
	}
	s := f32.Conv{Height: in.Height, Width: in.Width, In: in.Channels, Out: c.Channels, Kernel: c.Kernel}
	p := &convPass{shape: s, inLen: in.Len(), outLen: in.Height * in.Width * c.Channels, team: team,
		sum: make([]float32, s.Patch()*s.Out)}
	p.forwardTask, p.weightsTask, p.dataTask = p.forwardPart, p.weightsPart, p.dataPart
	return p
}

type convPass struct {
	shape         f32.Conv
	inLen, outLen int // numbers of an image
	team          *f32.Team
	// sum is where a gradient is made that is to be added.
	sum []float32

	// A call's arguments, and its functions for Team.Run.
	x, y, w                            []float32
	rows                               int
	forwardTask, weightsTask, dataTask func(worker, workers int)
}

func (p *convPass) forward(y, x, theta []float32, rows int) {
	p.y, p.x, p.w, p.rows = y, x, theta, rows
	p.team.Run(p.forwardTask)
	p.release()
}

// release drops a call's arguments.
func (p *convPass) release() { p.y, p.x, p.w = nil, nil, nil }

func (p *convPass) forwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	p.shape.Forward(p.y[from*p.outLen:to*p.outLen], p.x[from*p.inLen:to*p.inLen], p.w, to-from, p.team.Workspace(worker))
}

func (p *convPass) backward(dx, grad, dy, _, x, theta []float32, rows int, add bool) {
	p.y, p.x, p.w, p.rows = dy, x, grad, rows
	if add {
		p.w = p.sum
	}
	p.team.Run(p.weightsTask)
	if add {
		f32.Axpy(grad, 1, p.sum)
	}
	if dx != nil {
		p.x, p.w = dx, theta
		p.team.Run(p.dataTask)
	}
	p.release()
}

func (p *convPass) weightsPart(worker, workers int) {
	from, to := f32.Span(p.shape.Patch(), 1, worker, workers)
	p.shape.BackWeights(p.w, p.x, p.y, p.rows, from, to, p.team.Workspace(worker))
}

func (p *convPass) dataPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	p.shape.BackData(p.x[from*p.inLen:to*p.inLen], p.y[from*p.outLen:to*p.outLen], p.w, to-from, p.team.Workspace(worker))
}
