package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

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
