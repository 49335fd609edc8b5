package record

import "github.com/psgld/psgld-tui/engine/sampler"

// Minibatches is the witness of the loss of a network's minibatches.
type Minibatches[F sampler.Float] struct {
	Plain
	losses
}

// losses are the minibatch losses of the draws since the newest point of the curves.
type losses struct {
	sum   float64
	count int
}

// Take implements [Witness]. It comes after the curve: the draw of a point counts in the next one.
func (m *Minibatches[F]) Take(d *Draws[F]) {
	m.sum -= d.Chains[0].Grad.Newest.LogLik
	m.count++
}

// Mean is the mean loss, NaN without draws. It begins the next sum.
func (m *Minibatches[F]) Mean() float64 {
	mean := m.sum / float64(m.count)
	m.losses = losses{}
	return mean
}

func (m *Minibatches[F]) NewWindow()   { m.losses = losses{} }
func (m *Minibatches[F]) Copy() any    { return m.losses }
func (m *Minibatches[F]) Set(from any) { m.losses = from.(losses) }
