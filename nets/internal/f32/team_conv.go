package f32

import "fmt"

// A Convolution computes the three forms of a Conv by a team, with the same bits for any number of
// workers. If it is pooled then y is the maxima of squares of 2×2 results, as MaxPool has them,
// and dy the gradient by those. BackData and BackWeights follow Forward on the same images.
type Convolution interface {
	Forward(y, x, w []float32, batch int)
	BackData(dx, dy, w []float32, batch int)
	BackWeights(dw, x, dy []float32, batch int)
}

// NewConvolution allocates what the faster way to compute a convolution takes, for up to rows images.
func NewConvolution(s Conv, pooled bool, rows int, team *Team) Convolution {
	if s.winogradFits() {
		return newWinograd(s, pooled, rows, team)
	}
	d := &direct{results: newResults(s, pooled, rows, team)}
	d.chunk = max(1, rows)
	if pooled {
		d.chunk = max(1, leftPack/s.Output(1).Len())
		team.reserveResults(d.chunk * s.Output(1).Len())
	}
	d.tasks.forward, d.tasks.data, d.tasks.weights = d.forward, d.data, d.weights
	return d
}

// results are the convolution's, of which those of a few images are there at a time if they are pooled.
type results struct {
	Conv
	path  path
	team  *Team
	image Image   // the results of an image
	which []uint8 // where the maxima were; nil if nothing is pooled
}

func newResults(s Conv, pooled bool, rows int, team *Team) results {
	r := results{Conv: s, path: active, team: team, image: s.Output(1)}
	if pooled {
		r.which = make([]uint8, rows*r.image.Pooled().Len())
	}
	return r
}

// len is how many numbers of an image come out.
func (r *results) len() int {
	if r.which == nil {
		return r.image.Len()
	}
	return r.image.Pooled().Len()
}

func (r *results) verify(who string, batch int, x, w, y []float32) {
	if !r.valid() {
		panic(fmt.Sprintf("f32: %s: shape %+v", who, r.Conv))
	}
	r.Input(batch).check(who, len(x))
	sameLength(who, "weights", len(w), r.Patch()*r.Out)
	sameLength(who, "numbers of results", len(y), batch*r.len())
}

// pool puts the maxima of the results of some images from the first on.
func (r *results) pool(y, full []float32, first, images int) {
	n, s := r.len(), r.image
	s.Batch = images
	r.path.maxPool(y[first*n:][:images*n], r.which[first*n:][:images*n], full, s)
}

// unpool makes an image's gradient by what was pooled, in lines so many numbers apart.
func (r *results) unpool(dx []float32, line int, dy []float32, image int) {
	s := r.image
	small := s.Pooled()
	for row := range small.Height {
		at := (image*small.Height + row) * small.Width * s.Channels
		to := dx[2*row*line:]
		r.path.unpoolLine(to, dy[at:], r.which[at:], line, s.Channels, small.Width)
		if s.Width%2 == 1 {
			clear(to[(s.Width-1)*s.Channels:][:s.Channels])
			clear(to[line+(s.Width-1)*s.Channels:][:s.Channels])
		}
	}
	if s.Height%2 == 1 {
		clear(dx[(s.Height-1)*line:][:s.Width*s.Channels])
	}
}

// A direct convolution adds up the products one after another.
type direct struct {
	results
	chunk int // images whose results are there at a time
	tasks struct{ forward, data, weights func(worker, workers int) }

	// A call's arguments.
	x, y, w []float32
	batch   int
}

func (d *direct) run(who string, task func(worker, workers int), x, y, w []float32, batch int) {
	d.verify(who, batch, x, w, y)
	d.x, d.y, d.w, d.batch = x, y, w, batch
	d.team.Run(task)
	d.x, d.y, d.w = nil, nil, nil
}

func (d *direct) Forward(y, x, w []float32, batch int) {
	d.run("Convolution.Forward", d.tasks.forward, x, y, w, batch)
}

func (d *direct) BackData(dx, dy, w []float32, batch int) {
	d.run("Convolution.BackData", d.tasks.data, dx, dy, w, batch)
}

func (d *direct) BackWeights(dw, x, dy []float32, batch int) {
	d.run("Convolution.BackWeights", d.tasks.weights, x, dy, dw, batch)
}

// images is x of n images from the first on.
func (d *direct) images(first, n int) []float32 {
	in := d.Input(1).Len()
	return d.x[first*in : (first+n)*in]
}

func (d *direct) forward(worker, workers int) {
	from, to := Span(d.batch, 1, worker, workers)
	ws, out := d.team.Workspace(worker), d.image.Len()
	if d.which == nil {
		d.path.conv(d.Conv, d.y[from*out:to*out], d.images(from, to-from), d.w, to-from, ws)
		return
	}
	for ; from < to; from += d.chunk {
		n := min(d.chunk, to-from)
		d.path.conv(d.Conv, ws.results, d.images(from, n), d.w, n, ws)
		d.pool(d.y, ws.results, from, n)
	}
}

func (d *direct) data(worker, workers int) {
	from, to := Span(d.batch, 1, worker, workers)
	for ws := d.team.Workspace(worker); from < to; from += d.chunk {
		n := min(d.chunk, to-from)
		d.path.convBackData(d.Conv, d.images(from, n), d.gradients(from, n, ws), d.w, n, ws)
	}
}

func (d *direct) weights(worker, workers int) {
	from, to := Span(d.Patch(), 1, worker, workers)
	if d.batch == 0 {
		clear(d.w[from*d.Out : to*d.Out])
	}
	ws := d.team.Workspace(worker)
	for first := 0; first < d.batch && from < to; first += d.chunk {
		n := min(d.chunk, d.batch-first)
		d.path.convBackWeights(d.Conv, d.w, d.images(first, n), d.gradients(first, n, ws), n, from, to, first > 0, ws)
	}
}

// gradients is the gradient by the results of n images from the first on.
func (d *direct) gradients(first, n int, ws *Workspace) []float32 {
	out := d.image.Len()
	if d.which == nil {
		return d.y[first*out : (first+n)*out]
	}
	for i := range n {
		d.unpool(ws.results[i*out:], d.Width*d.Out, d.y, first+i)
	}
	return ws.results[:n*out]
}
