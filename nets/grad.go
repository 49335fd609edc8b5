package nets

import (
	"fmt"

	"github.com/psgld/psgld-tui/nets/internal/f32"
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
