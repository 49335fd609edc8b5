package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

// MaxPool takes the maxima of squares of 2×2 pixels, channel by channel. An odd last row or column is left out. It
// commutes with a bias and a rectifier, so it stands before them, where it leaves them a quarter of the work.
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
	which := make([]uint8, rows*s.Len()) // where the maxima were
	of := func(i int) []uint8 { return which[i*s.Len():][:s.Len()] }
	image := in.image()
	return newExamplePass(in, s, team,
		func(_, i int, y, x []float32) { f32.MaxPool(y, of(i), x, image) },
		func(_, i int, dx, dy, _, _ []float32) { f32.MaxPoolBack(dx, dy, of(i), image) })
}

// image is one example of the shape.
func (s Shape) image() f32.Image {
	return f32.Image{Batch: 1, Height: s.Height, Width: s.Width, Channels: s.Channels}
}

// GlobalPool is global average pooling (Lin et al., "Network in network", 2014,
// section 3.2): the mean of each channel over all pixels.
type GlobalPool struct{}

func (GlobalPool) name() string                { return "pool" }
func (GlobalPool) inPlace() bool               { return false }
func (GlobalPool) params(Shape) params         { return params{} }
func (GlobalPool) out(in Shape) (Shape, error) { return Shape{1, 1, in.Channels}, nil }

func (g GlobalPool) compile(in Shape, _ int, team *f32.Team) pass {
	s, _ := g.out(in)
	pixels := in.Height * in.Width
	return newExamplePass(in, s, team,
		func(_, _ int, y, x []float32) {
			f32.ColumnSums(y, f32.Mat(pixels, in.Channels, x), false)
			f32.Scale(y, 1/float32(pixels))
		},
		func(_, _ int, dx, dy, _, _ []float32) {
			f32.Scale(dy, 1/float32(pixels))
			for at := 0; at < len(dx); at += len(dy) {
				copy(dx[at:], dy)
			}
		})
}

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

// Maxout is the hidden unit of Goodfellow et al., "Maxout networks" (2013, section 3): the maximum of Pieces linear
// functions. It comes after Dense or Conv and a Bias with Pieces times as many units or channels, ordered piece by
// piece. After a convolution it takes maxima pixel by pixel. MaxPool commutes with it, so a network has the pool before
// the bias.
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
	s, _ := m.out(in)
	which := make([]uint8, rows*s.Len()) // the pieces of the maxima
	of := func(i int) []uint8 { return which[i*s.Len():][:s.Len()] }
	pixels := in.Height * in.Width
	return newExamplePass(in, s, team,
		func(_, i int, y, x []float32) { f32.Maxout(y, of(i), f32.Mat(pixels, in.Channels, x), m.Pieces) },
		func(_, i int, dx, dy, _, _ []float32) {
			f32.MaxoutBack(f32.Mat(pixels, in.Channels, dx), dy, of(i), m.Pieces)
		})
}
