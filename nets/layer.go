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
