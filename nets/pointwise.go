package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// pointwisePass is a convolution with squares of one pixel: a dense layer on each pixel by itself, Y = X·W with a row
// for each pixel. Stacked after a larger convolution such layers are the mlpconv of Lin et al., "Network in network"
// (2014, section 3.1).
type pointwisePass struct {
	pixels, in, out int
	team            *f32.Team
}

func (p *pointwisePass) forward(y, x, theta []float32, rows int) {
	n := rows * p.pixels
	p.team.MatMul(f32.Mat(n, p.out, y), f32.Mat(n, p.in, x), f32.Mat(p.in, p.out, theta))
}

func (p *pointwisePass) backward(dx, grad, dy, _, x, theta []float32, rows int, add bool) {
	// An image after another, as in other convolutions, so that no sum is long.
	for i := range rows {
		p.team.MatTMul(f32.Mat(p.in, p.out, grad), f32.Mat(p.pixels, p.in, x[i*p.pixels*p.in:]),
			f32.Mat(p.pixels, p.out, dy[i*p.pixels*p.out:]), add || i > 0)
	}
	if dx != nil {
		n := rows * p.pixels
		p.team.MatMulT(f32.Mat(n, p.in, dx), f32.Mat(n, p.out, dy), f32.Mat(p.in, p.out, theta))
	}
}
