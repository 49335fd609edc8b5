package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// StochasticPool is stochastic pooling (Zeiler and Fergus, "Stochastic pooling for
// regularization of deep convolutional neural networks", 2013, section 3) of squares
// of 2×2 pixels, channel by channel. It comes after a rectifier. Of the activations
// a in a square GradRandom takes that at k with probability a_k/Σa, drawn for each
// square of each example; Predict and Grad take the mean of this, Σa²/Σa. An odd
// last row or column is left out. Probabilities are met within 2⁻¹⁶.
type StochasticPool struct{}

func (StochasticPool) name() string                { return "pool" }
func (StochasticPool) inPlace() bool               { return false }
func (StochasticPool) params(Shape) params         { return params{} }
func (StochasticPool) out(in Shape) (Shape, error) { return MaxPool{}.out(in) }

// words is a multiple of 4, as places are.
func (p StochasticPool) words(in Shape) int {
	s, _ := p.out(in)
	return (f32.StochasticWords(s.Len()) + 3) &^ 3
}

func (p StochasticPool) compile(in Shape, rows int, team *f32.Team) pass {
	s, _ := p.out(in)
	q := &stochasticPass{
		in: f32.Image{Batch: 1, Height: in.Height, Width: in.Width, Channels: in.Channels}, inLen: in.Len(), outLen: s.Len(),
		team: team, which: make([]uint8, rows*s.Len()), words: make([][]uint32, team.Workers()),
	}
	for i := range q.words {
		q.words[i] = make([]uint32, f32.StochasticWords(s.Len()))
	}
	q.forwardTask, q.backwardTask = q.forwardPart, q.backwardPart
	return q
}

type stochasticPass struct {
	in            f32.Image // one
	inLen, outLen int
	team          *f32.Team
	which         []uint8 // what was taken
	words         [][]uint32
	draw          chance

	// A call's arguments, and its functions for Team.Run.
	y, x, dy, dx              []float32
	rows                      int
	forwardTask, backwardTask func(worker, workers int)
}

func (p *stochasticPass) begin(c chance) { p.draw = c }
func (p *stochasticPass) end()           { p.draw = chance{} }

func (p *stochasticPass) forward(y, x, _ []float32, rows int) {
	p.y, p.x, p.rows = y, x, rows
	p.team.Run(p.forwardTask)
	p.release()
}

func (p *stochasticPass) backward(dx, _, dy, y, x, _ []float32, rows int, _ bool) {
	if dx == nil {
		return
	}
	p.y, p.x, p.dy, p.dx, p.rows = y, x, dy, dx, rows
	p.team.Run(p.backwardTask)
	p.release()
}

// release drops a call's arguments.
func (p *stochasticPass) release() { p.y, p.x, p.dy, p.dx = nil, nil, nil, nil }

func (p *stochasticPass) forwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		y, x := p.y[i*p.outLen:][:p.outLen], p.x[i*p.inLen:][:p.inLen]
		if p.draw.Random == nil {
			f32.WeightedPool(y, x, p.in)
			continue
		}
		p.draw.Words(p.words[worker], p.draw.place(i))
		f32.StochasticPool(y, p.which[i*p.outLen:][:p.outLen], x, p.in, p.words[worker])
	}
}

func (p *stochasticPass) backwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		out, in := i*p.outLen, i*p.inLen
		dx, dy := p.dx[in:][:p.inLen], p.dy[out:][:p.outLen]
		if p.draw.Random == nil {
			f32.WeightedPoolBack(dx, dy, p.y[out:][:p.outLen], p.x[in:][:p.inLen], p.in)
		} else {
			f32.MaxPoolBack(dx, dy, p.which[out:][:p.outLen], p.in)
		}
	}
}
