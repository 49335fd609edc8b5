package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

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
