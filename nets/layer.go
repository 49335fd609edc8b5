package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// A Shape is that of one example between two layers. What a dense layer puts
// out is 1×1×units.
type Shape struct{ Height, Width, Channels int }

// Len is how many numbers an example has.
func (s Shape) Len() int { return s.Height * s.Width * s.Channels }

func (s Shape) String() string { return fmt.Sprintf("%d×%d×%d", s.Height, s.Width, s.Channels) }

// A Layer is one of Dense, Conv, MaxPool, StochasticPool, GlobalPool, Bias, BiasReLU,
// Maxout and Dropout. A new kind is one file with a type that has these methods.
type Layer interface {
	// name is the kind's, as blocks of parameters are called.
	name() string
	// out is the shape of what the layer makes of examples of a shape. The
	// error says which shapes it takes.
	out(in Shape) (Shape, error)
	// params is the shape of the layer's parameters; zero where it has none.
	params(in Shape) params
	// inPlace reports whether the layer writes over what it reads.
	inPlace() bool
	// compile allocates all that the layer needs for batches of up to rows
	// examples.
	compile(in Shape, rows int, team *f32.Team) pass
}

// params are a matrix of weights, of which a unit sees fanIn and is seen
// through fanOut, or a row of biases, for which these are 0.
type params struct{ rows, cols, fanIn, fanOut int }

// A pass is a layer in a workspace. Slices are those of rows examples and of
// the layer's own parameters; none is kept.
type pass interface {
	// forward sets y to the layer's output for x.
	forward(y, x, theta []float32, rows int)
	// backward sets grad, or adds to it if add, to the gradient by the
	// parameters and, unless dx is nil, dx to that by x. It is given dy, the
	// gradient by the output, which it may spoil, and x and y of the forward
	// pass. In place dx is dy, and x is y, written over.
	backward(dx, grad, dy, y, x, theta []float32, rows int, add bool)
}
