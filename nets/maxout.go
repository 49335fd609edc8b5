package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// Maxout is the hidden unit of Goodfellow et al., "Maxout networks" (2013, section
// 3): the maximum of Pieces linear functions. It comes after Dense or Conv and a Bias
// with Pieces times as many units, or channels: first those of the first piece, then
// those of the second. After a convolution it takes maxima pixel by pixel. MaxPool
// commutes with it and so stands before the bias.
type Maxout struct{ Pieces int }

func (m Maxout) name() string        { return "maxout" }
func (m Maxout) inPlace() bool       { return false }
func (m Maxout) params(Shape) params { return params{} }

func (m Maxout) out(in Shape) (Shape, error) {
	if m.Pieces < 1 || m.Pieces > 256 {
		return Shape{}, fmt.Errorf("maxima over %d pieces, want 1 to 256", m.Pieces)
	}
	if in.Channels%m.Pieces != 0 {
		return Shape{}, fmt.Errorf("%d channels in %d pieces, want a multiple", in.Channels, m.Pieces)
	}
	return Shape{in.Height, in.Width, in.Channels / m.Pieces}, nil
}

func (m Maxout) compile(in Shape, rows int, team *f32.Team) pass {
	p := &maxoutPass{pixels: in.Height * in.Width, channels: in.Channels, pieces: m.Pieces, team: team,
		which: make([]uint8, rows*in.Len()/m.Pieces)}
	p.forwardTask, p.backwardTask = p.forwardPart, p.backwardPart
	return p
}

type maxoutPass struct {
	pixels, channels, pieces int // channels of all pieces
	team                     *f32.Team
	which                    []uint8 // the pieces of the maxima

	// A call's arguments, and its functions for Team.Run.
	in, out                   []float32
	rows                      int
	forwardTask, backwardTask func(worker, workers int)
}

func (p *maxoutPass) forward(y, x, _ []float32, rows int) { p.run(p.forwardTask, x, y, rows) }

func (p *maxoutPass) backward(dx, _, dy, _, _, _ []float32, rows int, _ bool) {
	if dx != nil {
		p.run(p.backwardTask, dx, dy, rows)
	}
}

func (p *maxoutPass) run(task func(worker, workers int), in, out []float32, rows int) {
	p.in, p.out, p.rows = in, out, rows
	p.team.Run(task)
	p.in, p.out = nil, nil
}

// part cuts a worker's pixels out.
func (p *maxoutPass) part(worker, workers int) (in f32.Matrix, out []float32, which []uint8) {
	from, to := f32.Span(p.rows*p.pixels, 1, worker, workers)
	each := p.channels / p.pieces
	return f32.Mat(to-from, p.channels, p.in[from*p.channels:]), p.out[from*each : to*each], p.which[from*each : to*each]
}

func (p *maxoutPass) forwardPart(worker, workers int) {
	in, out, which := p.part(worker, workers)
	f32.Maxout(out, which, in, p.pieces)
}

func (p *maxoutPass) backwardPart(worker, workers int) {
	in, out, which := p.part(worker, workers)
	f32.MaxoutBack(in, out, which, p.pieces)
}
