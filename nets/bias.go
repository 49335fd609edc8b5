package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// Bias adds a number to each channel, or unit.
type Bias struct{}

// BiasReLU is max(0, x + b) with a number b for each channel, or unit.
type BiasReLU struct{ Bias }

func (Bias) name() string                                     { return "bias" }
func (Bias) inPlace() bool                                    { return true }
func (Bias) out(in Shape) (Shape, error)                      { return in, nil }
func (Bias) params(in Shape) params                           { return params{rows: 1, cols: in.Channels} }
func (Bias) compile(in Shape, _ int, team *f32.Team) pass     { return newBiasPass(in, team, false) }
func (BiasReLU) compile(in Shape, _ int, team *f32.Team) pass { return newBiasPass(in, team, true) }

type biasPass struct {
	pixels, channels int
	relu             bool
	team             *f32.Team

	// A call's arguments, and its functions for Team.Run.
	y, dy                     f32.Matrix // a row for each pixel
	theta, grad               []float32
	add                       bool
	forwardTask, backwardTask func(worker, workers int)
}

func newBiasPass(in Shape, team *f32.Team, relu bool) pass {
	p := &biasPass{pixels: in.Height * in.Width, channels: in.Channels, relu: relu, team: team}
	p.forwardTask, p.backwardTask = p.forwardPart, p.backwardPart
	return p
}

func (p *biasPass) forward(y, _, theta []float32, rows int) {
	p.y, p.theta = f32.Mat(rows*p.pixels, p.channels, y), theta
	p.team.Run(p.forwardTask)
	p.y, p.theta = f32.Matrix{}, nil
}

func (p *biasPass) forwardPart(worker, workers int) {
	y := p.y.Between(f32.Span(p.y.Rows, 1, worker, workers))
	if p.relu {
		f32.AddBiasReLU(y, p.theta)
	} else {
		f32.AddBias(y, p.theta)
	}
}

func (p *biasPass) backward(_, grad, dy, y, _, _ []float32, rows int, add bool) {
	p.y, p.dy = f32.Mat(rows*p.pixels, p.channels, y), f32.Mat(rows*p.pixels, p.channels, dy)
	p.grad, p.add = grad, add
	p.team.Run(p.backwardTask)
	p.y, p.dy, p.grad = f32.Matrix{}, f32.Matrix{}, nil
}

// backwardPart has whole columns, so that no sum is split.
func (p *biasPass) backwardPart(worker, workers int) {
	const cacheLine = 16
	from, to := f32.Span(p.channels, cacheLine, worker, workers)
	dy := p.dy.Columns(from, to)
	if p.relu {
		f32.ReLUBack(dy, p.y.Columns(from, to))
	}
	f32.ColumnSums(p.grad[from:to], dy, p.add)
}
