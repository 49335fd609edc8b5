package nets

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/internal/f32"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Examples are images of a network's shape, one after another, and the class of each.
type Examples struct{ X, Y []uint8 }

// Grad sets dst to the gradient of the mean log-likelihood by θ,
//
//	ḡ = (1/n) Σ_{i∈batch} ∇ log softmax(f(x_i, θ))[y_i],
//
// over n = len(batch) rows of the examples, or all of them if batch is nil. It returns the mean cross entropy; dst is
// minus its gradient. A row may occur several times. Sums are in float32: a layer's product sums up to some hundred
// rows, and the parts of a larger batch are added in order. It panics if a length is wrong or there are no rows.
func (n *Network) Grad(ws *Workspace, dst, theta []float32, e Examples, batch []int32) float64 {
	// The job may also have random layers, inputs and a teacher.
	rows := len(e.Y)
	if batch != nil {
		rows = len(batch)
	}
	n.check(ws, theta, e.X)
	if len(dst) != n.dim || len(e.X) != len(e.Y)*n.input.Len() || rows == 0 {
		panic(fmt.Sprintf("nets: a gradient of %d numbers, want %d, of %d rows by %d labels and %d bytes of images",
			len(dst), n.dim, rows, len(e.Y), len(e.X)))
	}
	ws.job.x, ws.job.y, ws.job.batch = e.X, e.Y, batch
	ws.job.scale = -1 / float32(rows)
	parts := (rows + ws.rows - 1) / ws.rows
	loss := 0.0
	for i := range parts {
		from, to := f32.Span(rows, 1, i, parts)
		m := to - from
		ws.gather(from, m)
		lossTask := ws.lossTask
		if ws.job.teacher != nil {
			ws.teach(from, m)
			lossTask = ws.distillTask
		} else if ws.job.chance.Random != nil {
			ws.begin(from)
		}
		logits := ws.forward(theta, m)
		ws.job.logits, ws.job.d = logits, f32.Mat(m, logits.Cols, ws.dy[0])
		ws.team.Run(lossTask)
		for _, l := range ws.loss[:m] {
			loss += l
		}
		ws.backward(dst, theta, m, i > 0)
	}
	ws.end()
	ws.job = job{}
	return loss / float64(rows)
}

func (n *Network) check(ws *Workspace, theta []float32, x []uint8) {
	if ws.net != n {
		panic("nets: the workspace of another network")
	}
	if len(theta) != n.dim || len(x)%n.input.Len() != 0 {
		panic(fmt.Sprintf("nets: %d parameters, want %d, and %d bytes of images of %d",
			len(theta), n.dim, len(x), n.input.Len()))
	}
}

// gather reads m examples from a place in the batch on.
func (ws *Workspace) gather(from, m int) {
	ws.job.from, ws.job.n = from, m
	ws.job.chance.first = uint64(from) * ws.job.chance.each
	if ws.sparse != nil {
		if ws.listed = ws.job.jitter == 0 && ws.mostlyZero(); ws.listed {
			ws.sparse.Begin(m)
		}
	}
	ws.team.Run(ws.gatherTask)
}

// mostlyZero reports, from some examples of the batch, whether so few pixels are not 0 that lists of them are faster
// than products with all pixels. A list takes up to twice the time for each of its pixels.
func (ws *Workspace) mostlyZero() bool {
	const every = 8
	for i := 0; i < ws.job.n; i += every {
		ws.prefetch(i)
	}
	looked, nonZero := 0, 0
	for i := 0; i < ws.job.n; i += every {
		_, x := ws.example(i)
		nonZero += f32.NonZero(x)
		looked += len(x)
	}
	return 5*nonZero < 2*looked
}

// example returns the row in the data of an example of the part, and its pixels.
func (ws *Workspace) example(i int) (row int, x []uint8) {
	j, size := &ws.job, ws.net.input.Len()
	row = j.from + i
	if j.batch != nil {
		row = int(j.batch[row])
	}
	return row, j.x[row*size:][:size]
}

// prefetch brings an example near: a batch is scattered over memory.
func (ws *Workspace) prefetch(i int) {
	_, x := ws.example(i)
	f32.Prefetch(x)
}

func (ws *Workspace) gatherPart(worker, workers int) {
	j := &ws.job
	size, table := ws.net.input.Len(), &ws.net.bytes
	if j.dropped {
		table = &ws.dropout.table
	}
	from, to := f32.Span(j.n, 1, worker, workers)
	const ahead = 8
	for i := from; i < min(from+ahead, to); i++ {
		ws.prefetch(i)
	}
	for i := from; i < to; i++ {
		if i+ahead < to {
			ws.prefetch(i + ahead)
		}
		row, x := ws.example(i)
		if j.dropped {
			x = ws.kept(worker, i, x)
		}
		if ws.listed {
			ws.sparse.SetRow(i, x, table)
		} else {
			dst := ws.input[i*size:][:size]
			for k, b := range x {
				dst[k] = table[b]
			}
			if j.jitter != 0 {
				jitter(dst, j.jitter, j.chance.Random, j.chance.place(i), &ws.jitter[worker])
			}
		}
		if j.y != nil {
			ws.labels[i] = j.y[row]
		}
	}
}

func (ws *Workspace) lossPart(worker, workers int) {
	j := &ws.job
	from, to := f32.Span(j.n, 1, worker, workers)
	f32.SoftmaxLoss(j.d.Between(from, to), ws.loss[from:to], j.logits.Between(from, to), ws.labels[from:to], j.scale)
}

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

// GradDistill sets dst to the gradient by the student's parameters of
//
//	(1/n) Σ_{i∈batch} Σ_c p(c | x_i', teacher) log p(c | x_i', student)
//
// with p = softmax(f(x, ·)), and returns that mean: the objective in which Korattikara et al., "Bayesian dark
// knowledge" (2015, section 2.2), fit a student to one draw of a teacher. Both work as in predictions, without dropout
// and without layers that draw. x' is x + jitter·N(0, I), in the units of a pixel after division; x itself where jitter
// is 0, and r is not used then. The labels of e are not used.
func (n *Network) GradDistill(ws *Workspace, dst, student, teacher []float32, e Examples, batch []int32, r Random,
	jitter float64) float64 {
	n.check(ws, teacher, e.X)
	if !(jitter >= 0) {
		panic("nets: a jitter that is not at least 0")
	}
	if ws.soft == nil {
		ws.soft = make([]float32, ws.rows*n.Classes())
	}
	ws.job.teacher = teacher
	if jitter > 0 {
		ws.job.chance = chance{Random: r, each: uint64(n.words)}
		ws.addJitter(float32(jitter))
	}
	return -n.Grad(ws, dst, student, e, batch)
}

// teach computes the teacher's probabilities of the part.
func (ws *Workspace) teach(from, m int) {
	logits := ws.forward(ws.job.teacher, m)
	ws.job.logits, ws.job.soft = logits, f32.Mat(m, logits.Cols, ws.soft)
	ws.team.Run(ws.teachTask)
	if ws.stages[0].inPlace {
		ws.gather(from, m) // it wrote over the input
	}
}

func (ws *Workspace) teachPart(worker, workers int) {
	j := &ws.job
	from, to := f32.Span(j.n, 1, worker, workers)
	f32.Softmax(j.soft.Between(from, to), j.logits.Between(from, to))
}

func (ws *Workspace) distillPart(worker, workers int) {
	j := &ws.job
	from, to := f32.Span(j.n, 1, worker, workers)
	f32.SoftmaxCross(j.d.Between(from, to), ws.loss[from:to], j.logits.Between(from, to),
		j.soft.Between(from, to), j.scale)
}

// jitterSpace is memory for the random words of a stretch of an example.
type jitterSpace [256]uint32

// addJitter makes gather add N(0, sd²) to every input.
func (ws *Workspace) addJitter(sd float32) {
	if ws.jitter == nil {
		ws.jitter = make([]jitterSpace, ws.team.Workers())
	}
	ws.job.jitter = sd
}

// jitter adds sd·N(0, 1) to every number of x, of the words from place on, one for each.
func jitter(x []float32, sd float32, r Random, place uint64, space *jitterSpace) {
	for len(x) > 0 {
		part := x[:min(len(x), len(space))]
		words := space[:(len(part)+1)&^1]
		r.Words(words, place)
		f32.AddNormals(part, sd, words)
		x, place = x[len(part):], place+uint64(len(space))
	}
}

// Predict writes the probabilities of the classes of each image of x to dst, row by row. The softmax of the float32
// logits is in float64, so that improbable classes keep a probability above 0.
func (n *Network) Predict(ws *Workspace, dst []float64, theta []float32, x []uint8) {
	n.check(ws, theta, x)
	rows, classes := len(x)/n.input.Len(), n.Classes()
	if len(dst) != rows*classes {
		panic(fmt.Sprintf("nets: %d probabilities of %d images, want %d", len(dst), rows, rows*classes))
	}
	ws.job.x = x
	for from := 0; from < rows; from += ws.rows {
		m := min(ws.rows, rows-from)
		ws.gather(from, m)
		logits := ws.forward(theta, m)
		for i := range m {
			softmax(dst[(from+i)*classes:][:classes], logits.Row(i))
		}
	}
	ws.job = job{}
}

// softmax sets p to exp(x)/Σ exp(x).
func softmax(p []float64, x []float32) {
	top := math.Inf(-1)
	for _, v := range x {
		top = math.Max(top, float64(v))
	}
	sum := 0.0
	for j, v := range x {
		p[j] = libm.Exp(float64(v) - top)
		sum += p[j]
	}
	for j := range p {
		p[j] /= sum
	}
}
