package nets

import (
	"github.com/psgld/psgld-tui/nets/internal/f32"
	"github.com/psgld/psgld-tui/nets/tool/pages"
)

// A Workspace is the memory in which one goroutine at a time uses a network, and the workers that help it.
type Workspace struct {
	net   *Network
	team  *f32.Team
	rows  int // examples at a time
	input []float32
	// sparse are the examples as lists, if the first layer reads such; listed
	// tells whether they are there and not in input.
	sparse *f32.Sparse
	listed bool
	stages []stage
	// dy are gradients by what a layer puts out and reads, in turn.
	dy     [2][]float32
	labels []uint8
	loss   []float64
	// first is the first stage with parameters, where the way back ends.
	first int
	// drawing are the stages that draw, dropout and jitter what drawing for inputs takes, and soft are a teacher's
	// probabilities; the last three are allocated when first needed.
	drawing []int
	dropout inputDropout
	jitter  []jitterSpace
	soft    []float32

	job                                          job
	gatherTask, lossTask, teachTask, distillTask func(worker, workers int)
	columnsTask                                  func(worker, block int)
}

// stage is a layer at work.
type stage struct {
	pass
	inPlace  bool
	from, to int    // parameters
	place    uint64 // of its random words among an example's
	inLen    int
	outLen   int
	y        []float32 // what it puts out; that of the stage before if in place
}

// job is what the functions for Team.Run work on.
type job struct {
	x, y    []uint8
	batch   []int32
	from, n int
	logits  f32.Matrix
	d       f32.Matrix
	scale   float32
	// chance is what is drawn from, if anything; dropped and jitter say what the inputs draw.
	chance  chance
	dropped bool
	jitter  float32
	teacher []float32 // its parameters, and the probabilities
	soft    f32.Matrix
}

// Larger batches are worked on in parts. A part is what keeps the memory of
// activations and gradients within workBytes, and at most maxRows.
const (
	workBytes = 64 << 20
	maxRows   = 512
)

// part returns how many examples a part has at most, how many numbers the activations and gradients of one are, and the
// bytes that these take with what lists it.
func (n *Network) part() (rows int, numbers, each int64) {
	widest := int64(0)
	numbers = int64(n.input.Len())
	for _, l := range n.layers {
		if !l.inPlace() {
			numbers += int64(l.out.Len())
		}
		widest = max(widest, int64(l.out.Len()))
	}
	numbers += 2 * widest
	each = 4 * numbers
	if _, ok := n.layers[0].Layer.(Dense); ok {
		each += f32.SparseBytes(n.input.Len())
	}
	return int(min(max(workBytes/each, 1), maxRows)), numbers, each
}

// WorkspaceBytes is about what a workspace allocates, beside a fixed amount
// for each worker. It does not grow with the minibatch.
func (n *Network) WorkspaceBytes() int64 {
	rows, _, each := n.part()
	return int64(rows) * each
}

// NewWorkspace allocates a workspace with a number of workers. The caller is one of them,
// and the others are goroutines until Close.
func (n *Network) NewWorkspace(workers int) *Workspace {
	rows, numbers, _ := n.part()
	team := f32.NewTeam(workers)
	ws := &Workspace{net: n, team: team, rows: rows, first: -1}
	const line = 64 / 4
	room := pages.Vector[float32](rows*int(numbers)+line*(len(n.layers)+3), 0)
	vector := func(each int) (x []float32) {
		end := (rows*each + line - 1) / line * line
		x, room = room[:rows*each:rows*each], room[end:]
		return x
	}
	ws.input = vector(n.input.Len())
	y, widest := ws.input, 0
	for i, l := range n.layers {
		st := stage{inPlace: l.inPlace(), from: l.from, to: l.to, place: l.place, inLen: l.in.Len(),
			outLen: l.out.Len()}
		switch {
		case n.poolsConv(i + 1):
			// What is pooled is not kept.
			st.outLen = n.layers[i+1].out.Len()
			st.pass = l.Layer.(Conv).convolution(l.in, rows, team, true)
		case n.poolsConv(i):
			st.pass, st.inPlace, st.inLen = pooledBefore{}, true, l.out.Len()
		default:
			st.pass = l.compile(l.in, rows, team)
		}
		if !st.inPlace {
			y = vector(st.outLen)
		}
		st.y = y
		if ws.first < 0 && l.to > l.from {
			ws.first = i
		}
		widest = max(widest, l.out.Len())
		if _, ok := l.Layer.(drawer); ok {
			ws.drawing = append(ws.drawing, i)
		}
		ws.stages = append(ws.stages, st)
	}
	for i := range ws.dy {
		ws.dy[i] = vector(widest)
	}
	ws.labels, ws.loss = make([]uint8, rows), make([]float64, rows)
	if _, ok := ws.stages[0].pass.(sparseReader); ok {
		ws.sparse = f32.NewSparse(rows, n.input.Len(), ws.stages[0].outLen)
		ws.columnsTask = func(_, block int) { ws.sparse.ListColumns(block) }
	}
	ws.gatherTask, ws.lossTask, ws.teachTask, ws.distillTask = ws.gatherPart, ws.lossPart, ws.teachPart, ws.distillPart
	return ws
}

// Close ends the workers. The workspace is not used after it.
func (ws *Workspace) Close() { ws.team.Close() }

// Each calls task once for every i < n by the workspace's workers and returns
// when all is done. Pieces of some ten microseconds share the work well.
func (ws *Workspace) Each(n int, task func(worker, i int)) { ws.team.Each(n, task) }

// MatMul sets dst = a·b by the workspace's workers, for those who multiply matrices of their own: a is m×k, b k×n and
// dst m×n, row by row. The bits do not depend on the number of workers. It does not allocate.
func (ws *Workspace) MatMul(dst, a, b []float32, m, k, n int) {
	ws.team.MatMul(f32.Mat(m, n, dst), f32.Mat(m, k, a), f32.Mat(k, n, b))
}

// MatTMul sets dst = aᵀ·b likewise: a is k×m, b k×n and dst m×n.
func (ws *Workspace) MatTMul(dst, a, b []float32, m, k, n int) {
	ws.team.MatTMul(f32.Mat(m, n, dst), f32.Mat(k, m, a), f32.Mat(k, n, b), false)
}

// forward puts the first rows of the input through all layers.
func (ws *Workspace) forward(theta []float32, rows int) f32.Matrix {
	x := ws.input[:rows*ws.net.input.Len()]
	for i := range ws.stages {
		s := &ws.stages[i]
		y := s.y[:rows*s.outLen]
		if i == 0 && ws.listed {
			s.pass.(sparseReader).forwardSparse(y, ws.sparse, theta[s.from:s.to], rows)
		} else {
			s.forward(y, x, theta[s.from:s.to], rows)
		}
		x = y
	}
	return f32.Mat(rows, ws.net.Classes(), x)
}

// backward takes the gradient by the logits in dy[0] back through all layers.
func (ws *Workspace) backward(grad, theta []float32, rows int, add bool) {
	at := 0
	for i := len(ws.stages) - 1; i >= ws.first; i-- {
		s := &ws.stages[i]
		x := ws.input
		if i > 0 {
			x = ws.stages[i-1].y
		}
		dy := ws.dy[at][:rows*s.outLen]
		if i == 0 && ws.listed {
			ws.team.Each(ws.sparse.Blocks(), ws.columnsTask)
			s.pass.(sparseReader).backwardSparse(grad[s.from:s.to], dy, ws.sparse, rows, add)
			return
		}
		dx := dy
		if !s.inPlace {
			dx = nil
			if i > ws.first {
				at = 1 - at
				dx = ws.dy[at][:rows*s.inLen]
			}
		}
		s.backward(dx, grad[s.from:s.to], dy, s.y[:rows*s.outLen], x[:rows*s.inLen], theta[s.from:s.to], rows, add)
	}
}
