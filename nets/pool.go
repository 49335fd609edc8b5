package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// MaxPool takes the maxima of squares of 2×2 pixels, channel by channel. An odd
// last row or column is left out. It commutes with a bias and a rectifier, so
// it stands before them, where it leaves them a quarter of the work.
type MaxPool struct{}

func (MaxPool) name() string        { return "pool" }
func (MaxPool) inPlace() bool       { return false }
func (MaxPool) params(Shape) params { return params{} }

func (MaxPool) out(in Shape) (Shape, error) {
	if in.Height < 2 || in.Width < 2 {
		return Shape{}, fmt.Errorf("images of %d×%d cannot be pooled 2×2", in.Height, in.Width)
	}
	return Shape{in.Height / 2, in.Width / 2, in.Channels}, nil
}

func (m MaxPool) compile(in Shape, rows int, team *f32.Team) pass {
	s, _ := m.out(in)
	p := &poolPass{in: in, inLen: in.Len(), outLen: s.Len(), team: team, which: make([]uint8, rows*s.Len())}
	p.forwardTask, p.backwardTask = p.forwardPart, p.backwardPart
	return p
}

type poolPass struct {
	in            Shape
	inLen, outLen int
	team          *f32.Team
	which         []uint8 // where the maxima were

	// A call's arguments, and its functions for Team.Run.
	in32, out32               []float32
	rows                      int
	forwardTask, backwardTask func(worker, workers int)
}

func (p *poolPass) forward(y, x, _ []float32, rows int) { p.run(p.forwardTask, x, y, rows) }

func (p *poolPass) backward(dx, _, dy, _, _, _ []float32, rows int, _ bool) {
	if dx != nil {
		p.run(p.backwardTask, dx, dy, rows)
	}
}

func (p *poolPass) run(task func(worker, workers int), in, out []float32, rows int) {
	p.in32, p.out32, p.rows = in, out, rows
	p.team.Run(task)
	p.in32, p.out32 = nil, nil
}

// part cuts a worker's images out.
func (p *poolPass) part(worker, workers int) (in, out []float32, which []uint8, s f32.Image) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	s = f32.Image{Batch: to - from, Height: p.in.Height, Width: p.in.Width, Channels: p.in.Channels}
	return p.in32[from*p.inLen : to*p.inLen], p.out32[from*p.outLen : to*p.outLen], p.which[from*p.outLen : to*p.outLen], s
}

func (p *poolPass) forwardPart(worker, workers int) {
	in, out, which, s := p.part(worker, workers)
	f32.MaxPool(out, which, in, s)
}

func (p *poolPass) backwardPart(worker, workers int) {
	in, out, which, s := p.part(worker, workers)
	f32.MaxPoolBack(in, out, which, s)
}
