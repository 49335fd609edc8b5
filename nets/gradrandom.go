package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// A Keep holds the probabilities with which dropout keeps an input and an output of the layer before Dropout; 1 keeps
// all. A kept unit is divided by its probability, so that the full network predicts with θ as it is.
type Keep struct{ Input, Hidden float64 }

// Random is a source of random bits. A word depends on its place alone, so that
// workers can draw at the same time and in any order.
type Random interface {
	// Words sets dst[i] to the 32 random bits of place+i, for a place that is a multiple of 4.
	Words(dst []uint32, place uint64)
}

// A drawer is a layer that draws random words in training.
type drawer interface {
	// words is the number of words of an example, a multiple of 4.
	words(in Shape) int
}

// A drawingPass is the pass of a drawer. Without a chance it works as in predictions.
type drawingPass interface {
	begin(c chance)
	end()
}

// A chance is the random words of the examples of a part of a minibatch. Each example has words of its own, by its
// place in the minibatch, and each layer has its share of them.
type chance struct {
	Random
	first, each uint64 // where the words of the first example begin, and how many words an example has
	keep        Keep
}

// place is where words of example i of the part begin.
func (c chance) place(i int) uint64 { return c.first + uint64(i)*c.each }

// draws reports whether layers of the network draw by themselves in training,
// as stochastic pooling does, and not only for dropout.
func (n *Network) draws() bool {
	for _, l := range n.layers {
		if _, dropout := l.Layer.(Dropout); dropout {
			continue
		}
		if _, ok := l.Layer.(drawer); ok {
			return true
		}
	}
	return false
}

// GradRandom is Grad of the network whose layers draw from r, with dropout of the inputs and wherever there is a layer
// Dropout. Inputs are dropped one by one, also the channels of a pixel, and kept ones are divided by the probability,
// as in Dropout. The words of an example depend on its place in the minibatch, and so every minibatch needs an r of its
// own. It uses words of r up to a place of some 32 times the numbers that are dropped or drawn for.
//
// Without anything to draw it is Grad, with the same bits.
func (n *Network) GradRandom(ws *Workspace, dst, theta []float32, e Examples, batch []int32, r Random,
	keep Keep) float64 {
	input, hidden := newCoin(keep.Input), newCoin(keep.Hidden)
	if input != alwaysOne || hidden != alwaysOne || n.draws() {
		ws.job.chance = chance{Random: r, each: uint64(n.words), keep: keep}
		if input != alwaysOne {
			ws.dropInputs(input)
		}
	}
	return n.Grad(ws, dst, theta, e, batch)
}

// inputDropout is the state for dropping inputs.
type inputDropout struct {
	coin  coin
	table [256]float32 // pixels, divided by the probability
	space []inputSpace // of the workers
}

type inputSpace struct {
	x     []uint8
	marks []uint64
	coinSpace
}

// dropInputs makes gather drop inputs.
func (ws *Workspace) dropInputs(c coin) {
	d, size := &ws.dropout, ws.net.input.Len()
	if d.space == nil {
		d.space = make([]inputSpace, ws.team.Workers())
		for i := range d.space {
			d.space[i].x, d.space[i].marks = make([]uint8, size), make([]uint64, f32.MarkWords(size))
		}
	}
	if d.coin != c {
		for i := range d.table {
			d.table[i] = float32(float64(i) / ws.net.input.Divisor / c.probability())
		}
		d.coin = c
	}
	ws.job.dropped = true
}

// kept returns the pixels x of example i of the part without those that are dropped. Pixels that are 0 need no coin.
func (ws *Workspace) kept(worker, i int, x []uint8) []uint8 {
	s := &ws.dropout.space[worker]
	f32.MarkNonZero(s.marks, x)
	ws.dropout.coin.flip(s.marks, ws.job.chance.Random, ws.job.chance.place(i), &s.coinSpace)
	f32.KeepMarkedBytes(s.x, x, s.marks)
	return s.x
}

// begin lets the layers draw for the examples from a place of the minibatch on.
func (ws *Workspace) begin(from int) {
	for _, i := range ws.drawing {
		c := ws.job.chance
		c.first = uint64(from)*c.each + ws.stages[i].place
		ws.stages[i].pass.(drawingPass).begin(c)
	}
}

// end makes the layers work as in predictions again.
func (ws *Workspace) end() {
	for _, i := range ws.drawing {
		ws.stages[i].pass.(drawingPass).end()
	}
}
