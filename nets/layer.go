package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// A Shape is the shape of one example between two layers. After a dense layer it is 1×1×units.
type Shape struct{ Height, Width, Channels int }

// Len is the number of values of an example.
func (s Shape) Len() int { return s.Height * s.Width * s.Channels }

func (s Shape) String() string { return fmt.Sprintf("%d×%d×%d", s.Height, s.Width, s.Channels) }

// A Layer is one of Dense, Conv, MaxPool, StochasticPool, GlobalPool, Bias, BiasReLU,
// Maxout and Dropout. A new kind is one file with a type that has these methods.
type Layer interface {
	// name is the name of the kind, by which blocks of parameters are called.
	name() string
	// out is the shape of the layer's output, given that of its input. The error says which shapes it takes.
	out(in Shape) (Shape, error)
	// params is the shape of the layer's parameters; zero where it has none.
	params(in Shape) params
	// inPlace reports whether the layer writes over what it reads.
	inPlace() bool
	// compile allocates all that the layer needs for batches of up to rows examples.
	compile(in Shape, rows int, team *f32.Team) pass
}

// params is the shape of a matrix of weights or of a row of biases. A unit has fanIn
// inputs, and an input reaches fanOut units. Both are 0 for biases.
type params struct{ rows, cols, fanIn, fanOut int }

// A pass is a layer in a workspace. Its arguments are values of some examples, and the
// layer's own parameters. It retains none.
type pass interface {
	// forward sets y to the layer's output for x.
	forward(y, x, theta []float32, rows int)
	// backward sets grad to the gradient by the parameters, or adds to it if add. Unless dx is nil, it sets dx to the
	// gradient by x. dy is the gradient by the output, and may be overwritten. x and y are the input and output of the
	// forward pass. For a layer in place dx is dy, and x is y, which the forward pass has overwritten.
	backward(dx, grad, dy, y, x, theta []float32, rows int, add bool)
}

// An examplePass is the pass of a layer that has no parameters and works on each example
// by itself. The workers share the examples.
type examplePass struct {
	inLen, outLen int // numbers of an example
	team          *f32.Team
	// put sets y to the layer's output for x, of example i.
	put func(worker, i int, y, x []float32)
	// back sets dx to the gradient by x, given dy, the gradient by y, of example i.
	back func(worker, i int, dx, dy, y, x []float32)

	// A call's arguments, and its functions for Team.Run.
	dx, dy, y, x              []float32
	rows                      int
	forwardTask, backwardTask func(worker, workers int)
}

func newExamplePass(in, out Shape, team *f32.Team, put func(worker, i int, y, x []float32),
	back func(worker, i int, dx, dy, y, x []float32)) *examplePass {
	p := &examplePass{inLen: in.Len(), outLen: out.Len(), team: team, put: put, back: back}
	p.forwardTask, p.backwardTask = p.forwardPart, p.backwardPart
	return p
}

func (p *examplePass) forward(y, x, _ []float32, rows int) {
	p.run(p.forwardTask, nil, nil, y, x, rows)
}

func (p *examplePass) backward(dx, _, dy, y, x, _ []float32, rows int, _ bool) {
	if dx != nil {
		p.run(p.backwardTask, dx, dy, y, x, rows)
	}
}

func (p *examplePass) run(task func(worker, workers int), dx, dy, y, x []float32, rows int) {
	p.dx, p.dy, p.y, p.x, p.rows = dx, dy, y, x, rows
	p.team.Run(task)
	p.dx, p.dy, p.y, p.x = nil, nil, nil, nil
}

func (p *examplePass) forwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		p.put(worker, i, p.y[i*p.outLen:][:p.outLen], p.x[i*p.inLen:][:p.inLen])
	}
}

func (p *examplePass) backwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		in, out := i*p.inLen, i*p.outLen
		p.back(worker, i, p.dx[in:][:p.inLen], p.dy[out:][:p.outLen], p.y[out:][:p.outLen], p.x[in:][:p.inLen])
	}
}

// pointwisePass is a convolution with squares of one pixel: a dense layer on each pixel by itself, Y = X·W with a row
// for each pixel. Stacked after a larger convolution such layers are the mlpconv of Lin et al., "Network in network"
// (2014, section 3.1).
type pointwisePass struct {
	pixels, in, out int
	team            *f32.Team
}

func (p *pointwisePass) forward(y, x, theta []float32, rows int) {
	n := rows * p.pixels
	p.team.MatMul(f32.Mat(n, p.out, y), f32.Mat(n, p.in, x), f32.Mat(p.in, p.out, theta))
}

func (p *pointwisePass) backward(dx, grad, dy, _, x, theta []float32, rows int, add bool) {
	// An image after another, as in other convolutions, so that no sum is long.
	for i := range rows {
		p.team.MatTMul(f32.Mat(p.in, p.out, grad), f32.Mat(p.pixels, p.in, x[i*p.pixels*p.in:]),
			f32.Mat(p.pixels, p.out, dy[i*p.pixels*p.out:]), add || i > 0)
	}
	if dx != nil {
		n := rows * p.pixels
		p.team.MatMulT(f32.Mat(n, p.in, dx), f32.Mat(n, p.out, dy), f32.Mat(p.in, p.out, theta))
	}
}
