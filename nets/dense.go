package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// Dense is Y = X·W with W of In × Units, row by row, where In is all numbers of
// an example. A layer Bias or BiasReLU is to follow.
type Dense struct{ Units int }

func (d Dense) name() string  { return "dense" }
func (d Dense) inPlace() bool { return false }

func (d Dense) out(Shape) (Shape, error) {
	if d.Units < 1 {
		return Shape{}, fmt.Errorf("a dense layer of %d units, want at least 1", d.Units)
	}
	return Shape{1, 1, d.Units}, nil
}

func (d Dense) params(in Shape) params { return params{in.Len(), d.Units, in.Len(), d.Units} }

func (d Dense) compile(in Shape, _ int, team *f32.Team) pass {
	return &densePass{in.Len(), d.Units, team}
}

type densePass struct {
	in, units int
	team      *f32.Team
}

func (p *densePass) forward(y, x, theta []float32, rows int) {
	p.team.MatMul(f32.Mat(rows, p.units, y), f32.Mat(rows, p.in, x), f32.Mat(p.in, p.units, theta))
}

func (p *densePass) backward(dx, grad, dy, _, x, theta []float32, rows int, add bool) {
	d := f32.Mat(rows, p.units, dy)
	p.team.MatTMul(f32.Mat(p.in, p.units, grad), f32.Mat(rows, p.in, x), d, add)
	if dx != nil {
		p.team.MatMulT(f32.Mat(rows, p.in, dx), d, f32.Mat(p.in, p.units, theta))
	}
}

// A sparseReader is a first layer that can read examples as lists of what is not 0.
type sparseReader interface {
	forwardSparse(y []float32, x *f32.Sparse, theta []float32, rows int)
	backwardSparse(grad, dy []float32, x *f32.Sparse, rows int, add bool)
}

func (p *densePass) forwardSparse(y []float32, x *f32.Sparse, theta []float32, rows int) {
	p.team.SparseMatMul(f32.Mat(rows, p.units, y), x, f32.Mat(p.in, p.units, theta))
}

func (p *densePass) backwardSparse(grad, dy []float32, x *f32.Sparse, rows int, add bool) {
	p.team.SparseMatTMul(f32.Mat(p.in, p.units, grad), x, f32.Mat(rows, p.units, dy), add)
}
