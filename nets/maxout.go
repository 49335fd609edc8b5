package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
)

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
