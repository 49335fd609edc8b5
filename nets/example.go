package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

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
