package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// StochasticPool is stochastic pooling (Zeiler and Fergus, "Stochastic pooling for regularization of deep convolutional
// neural networks", 2013, section 3) of squares of 2×2 pixels, channel by channel. It comes after a rectifier. Of the
// activations a in a square GradRandom takes that at k with probability a_k/Σa, drawn for each square of each example;
// Predict and Grad take the mean of this, Σa²/Σa. An odd last row or column is left out. Probabilities are met within
// 2⁻¹⁶.
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
	q := &stochasticPass{image: in.image(), which: make([]uint8, rows*s.Len()), words: make([][]uint32, team.Workers())}
	for i := range q.words {
		q.words[i] = make([]uint32, f32.StochasticWords(s.Len()))
	}
	q.examplePass = newExamplePass(in, s, team, q.one, q.oneBack)
	return q
}

type stochasticPass struct {
	*examplePass
	image f32.Image
	which []uint8    // what was taken
	words [][]uint32 // of the workers
	draw  chance
}

func (p *stochasticPass) begin(c chance) { p.draw = c }
func (p *stochasticPass) end()           { p.draw = chance{} }

// taken is what was taken in example i.
func (p *stochasticPass) taken(i int) []uint8 { return p.which[i*p.outLen:][:p.outLen] }

func (p *stochasticPass) one(worker, i int, y, x []float32) {
	if p.draw.Random == nil {
		f32.WeightedPool(y, x, p.image)
		return
	}
	p.draw.Words(p.words[worker], p.draw.place(i))
	f32.StochasticPool(y, p.taken(i), x, p.image, p.words[worker])
}

func (p *stochasticPass) oneBack(_, i int, dx, dy, y, x []float32) {
	if p.draw.Random == nil {
		f32.WeightedPoolBack(dx, dy, y, x, p.image)
	} else {
		f32.MaxPoolBack(dx, dy, p.taken(i), p.image)
	}
}
