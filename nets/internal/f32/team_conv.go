package f32

// A Convolution computes the three forms of a Conv by a team, with the same bits for any number of
// workers.
type Convolution interface {
	Forward(y, x, w []float32, batch int)
	BackData(dx, dy, w []float32, batch int)
	BackWeights(dw, x, dy []float32, batch int)
}

// NewConvolution allocates what the faster way to compute a convolution takes.
func NewConvolution(s Conv, team *Team) Convolution {
	if s.winogradFits() {
		return NewWinograd(s, team)
	}
	d := &direct{Conv: s, team: team}
	d.tasks.forward, d.tasks.data, d.tasks.weights = d.forward, d.data, d.weights
	return d
}

// A direct convolution adds up the products one after another.
type direct struct {
	Conv
	team  *Team
	tasks struct{ forward, data, weights func(worker, workers int) }

	// A call's arguments.
	x, y, w []float32
	batch   int
}

func (d *direct) run(task func(worker, workers int), x, y, w []float32, batch int) {
	d.x, d.y, d.w, d.batch = x, y, w, batch
	d.team.Run(task)
	d.x, d.y, d.w = nil, nil, nil
}

func (d *direct) Forward(y, x, w []float32, batch int)    { d.run(d.tasks.forward, x, y, w, batch) }
func (d *direct) BackData(dx, dy, w []float32, batch int) { d.run(d.tasks.data, dx, dy, w, batch) }
func (d *direct) BackWeights(dw, x, dy []float32, batch int) {
	d.run(d.tasks.weights, x, dy, dw, batch)
}

// images are a worker's part of the batch.
func (d *direct) images(worker, workers int) (x, y []float32, n int) {
	from, to := Span(d.batch, 1, worker, workers)
	in, out := d.Input(1).Len(), d.Output(1).Len()
	return d.x[from*in : to*in], d.y[from*out : to*out], to - from
}

func (d *direct) forward(worker, workers int) {
	x, y, n := d.images(worker, workers)
	d.Conv.Forward(y, x, d.w, n, d.team.Workspace(worker))
}

func (d *direct) data(worker, workers int) {
	x, y, n := d.images(worker, workers)
	d.Conv.BackData(x, y, d.w, n, d.team.Workspace(worker))
}

func (d *direct) weights(worker, workers int) {
	from, to := Span(d.Patch(), 1, worker, workers)
	d.Conv.BackWeights(d.w, d.x, d.y, d.batch, from, to, d.team.Workspace(worker))
}
