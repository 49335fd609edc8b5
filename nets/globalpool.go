package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// GlobalPool is global average pooling (Lin et al., "Network in network", 2014,
// section 3.2): the mean of each channel over all pixels.
type GlobalPool struct{}

func (GlobalPool) name() string                { return "pool" }
func (GlobalPool) inPlace() bool               { return false }
func (GlobalPool) params(Shape) params         { return params{} }
func (GlobalPool) out(in Shape) (Shape, error) { return Shape{1, 1, in.Channels}, nil }

func (GlobalPool) compile(in Shape, _ int, team *f32.Team) pass {
	p := &globalPass{pixels: in.Height * in.Width, channels: in.Channels, team: team}
	p.forwardTask, p.backwardTask = p.forwardPart, p.backwardPart
	return p
}

type globalPass struct {
	pixels, channels int
	team             *f32.Team

	// A call's arguments, and its functions for Team.Run.
	in, out                   []float32
	rows                      int
	forwardTask, backwardTask func(worker, workers int)
}

func (p *globalPass) forward(y, x, _ []float32, rows int) { p.run(p.forwardTask, x, y, rows) }

func (p *globalPass) backward(dx, _, dy, _, _, _ []float32, rows int, _ bool) {
	if dx != nil {
		p.run(p.backwardTask, dx, dy, rows)
	}
}

func (p *globalPass) run(task func(worker, workers int), in, out []float32, rows int) {
	p.in, p.out, p.rows = in, out, rows
	p.team.Run(task)
	p.in, p.out = nil, nil
}

// example cuts an example out.
func (p *globalPass) example(i int) (in f32.Matrix, out []float32) {
	return f32.Mat(p.pixels, p.channels, p.in[i*p.pixels*p.channels:]), p.out[i*p.channels:][:p.channels]
}

func (p *globalPass) forwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		in, out := p.example(i)
		f32.ColumnSums(out, in, false)
		f32.Scale(out, 1/float32(p.pixels))
	}
}

func (p *globalPass) backwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		in, out := p.example(i)
		f32.Scale(out, 1/float32(p.pixels))
		for r := range in.Rows {
			copy(in.Row(r), out)
		}
	}
}
