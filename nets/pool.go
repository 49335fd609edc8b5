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
