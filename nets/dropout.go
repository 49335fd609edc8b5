package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// Dropout (Srivastava et al., "Dropout: a simple way to prevent neural networks
// from overfitting", 2014, section 4 and, for the scale, section 10) multiplies each
// output of the layer before by 1/p with probability p = Keep.Hidden, or else by 0,
// independently for each example. It acts in GradRandom only: Grad and Predict pass it
// by. Inputs are dropped by Keep.Input, without a layer.
//
// p is rounded to 32 binary digits, and kept numbers are divided by the rounded p, in
// float32. A dropped number counts as 0 even if it is not finite.
type Dropout struct{}

func (Dropout) name() string                { return "dropout" }
func (Dropout) inPlace() bool               { return true }
func (Dropout) params(Shape) params         { return params{} }
func (Dropout) out(in Shape) (Shape, error) { return in, nil }
func (Dropout) words(in Shape) int          { return coinWords(in.Len()) }

func (Dropout) compile(in Shape, rows int, team *f32.Team) pass {
	p := &dropoutPass{units: in.Len(), each: f32.MarkWords(in.Len()), team: team, space: make([]coinSpace, team.Workers())}
	p.marks = make([]uint64, rows*p.each)
	p.forwardTask, p.backwardTask = p.forwardPart, p.backwardPart
	return p
}

type dropoutPass struct {
	units, each int // numbers of an example, and words of their marks
	team        *f32.Team
	marks       []uint64 // what is kept
	space       []coinSpace
	drop        chance
	coin        coin

	// A call's arguments, and its functions for Team.Run.
	y                         []float32
	rows                      int
	forwardTask, backwardTask func(worker, workers int)
}

func (p *dropoutPass) begin(c chance) {
	if p.coin = newCoin(c.keep.Hidden); p.coin != alwaysOne {
		p.drop = c
	}
}

func (p *dropoutPass) end() { p.drop = chance{} }

func (p *dropoutPass) forward(y, _, _ []float32, rows int) { p.run(p.forwardTask, y, rows) }

func (p *dropoutPass) backward(_, _, dy, _, _, _ []float32, rows int, _ bool) {
	p.run(p.backwardTask, dy, rows)
}

func (p *dropoutPass) run(task func(worker, workers int), y []float32, rows int) {
	if p.drop.Random == nil {
		return
	}
	p.y, p.rows = y, rows
	p.team.Run(task)
	p.y = nil
}

func (p *dropoutPass) forwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		marks := p.marks[i*p.each:][:p.each]
		markAll(marks, p.units)
		p.coin.flip(marks, p.drop.Random, p.drop.place(i), &p.space[worker])
		p.keep(i)
	}
}

func (p *dropoutPass) backwardPart(worker, workers int) {
	from, to := f32.Span(p.rows, 1, worker, workers)
	for i := from; i < to; i++ {
		p.keep(i)
	}
}

func (p *dropoutPass) keep(i int) {
	f32.KeepMarked(p.y[i*p.units:][:p.units], p.marks[i*p.each:][:p.each], float32(1/p.coin.probability()))
}
