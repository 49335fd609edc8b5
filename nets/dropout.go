package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// Dropout (Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014, section 4 and,
// for the scale, section 10) multiplies each output of the layer before by 1/p with probability p = Keep.Hidden, or
// else by 0, independently for each example. It acts in GradRandom only: Grad and Predict pass it by. Inputs are
// dropped by Keep.Input, without a layer.
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
	p := &dropoutPass{each: f32.MarkWords(in.Len()), space: make([]coinSpace, team.Workers())}
	p.marks = make([]uint64, rows*p.each)
	p.examplePass = newExamplePass(in, in, team,
		func(worker, i int, y, _ []float32) {
			marks := p.marks[i*p.each:][:p.each]
			markAll(marks, len(y))
			p.coin.flip(marks, p.drop.Random, p.drop.place(i), &p.space[worker])
			p.keep(i, y)
		},
		func(_, i int, dx, _, _, _ []float32) { p.keep(i, dx) })
	return p
}

type dropoutPass struct {
	*examplePass
	each  int      // words of the marks of an example
	marks []uint64 // what is kept
	space []coinSpace
	drop  chance
	coin  coin
}

func (p *dropoutPass) begin(c chance) {
	if p.coin = newCoin(c.keep.Hidden); p.coin != alwaysOne {
		p.drop = c
	}
}

func (p *dropoutPass) end() { p.drop = chance{} }

func (p *dropoutPass) forward(y, x, theta []float32, rows int) {
	if p.drop.Random != nil {
		p.examplePass.forward(y, x, theta, rows)
	}
}

func (p *dropoutPass) backward(dx, grad, dy, y, x, theta []float32, rows int, add bool) {
	if p.drop.Random != nil {
		p.examplePass.backward(dx, grad, dy, y, x, theta, rows, add)
	}
}

// keep divides what is kept of example i, and clears the rest.
func (p *dropoutPass) keep(i int, y []float32) {
	f32.KeepMarked(y, p.marks[i*p.each:][:p.each], float32(1/p.coin.probability()))
}
