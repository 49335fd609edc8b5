package f32

import "github.com/psgld/psgld-tui/nets/internal/winograd"

// A Winograd is a convolution of 5×5 squares by a team: for each tile of 4×4 results the 8×8 pixels
// that they see are transformed, and a product of matrices at each of 64 points adds up the
// channels. Its results are the convolution's but for rounding. They do not depend on the
// number of workers, nor a result on how many images there are, but for the weights' gradient.
type Winograd struct {
	results
	down, across int       // tiles of an image
	weights      []float32 // at the points
	turned       []float32 // with input and output exchanged
	spans        []float32 // sums of the weights' gradient at the points, one after another
	job          winogradJob
	tasks        struct{ correlate, sum, collect func(worker, i int) }
}

// winogradJob is what a call works on.
type winogradJob struct {
	y, x, w []float32
	batch   int
	s       Conv // the convolution that is computed
	back    bool // it is that of the gradient
}

const (
	points = winograd.Points * winograd.Points
	// blockTiles is how many tiles are transformed before they are multiplied, so that
	// they stay in the second-level cache.
	blockTiles = 48
	// winogradSpans is into how many spans of images the weights' gradient is cut, which are
	// summed up on their own and then added in order.
	winogradSpans = 8
	// apart is how many numbers are between the points, beside the tiles', lest they fall on each other in the cache.
	apart = 16
)

// winogradFits tells for which convolutions Winograd's is faster.
func (s Conv) winogradFits() bool {
	tiles := tilesOf(s.Height) * tilesOf(s.Width)
	return s.Kernel == winograd.Kernel && s.In%groupChannels == 0 && s.Out%groupChannels == 0 &&
		2*points*tiles < s.Kernel*s.Kernel*s.Height*s.Width
}

func tilesOf(pixels int) int { return (pixels + winograd.Tile - 1) / winograd.Tile }

func newWinograd(s Conv, pooled bool, rows int, team *Team) *Winograd {
	w := &Winograd{results: newResults(s, pooled, rows, team), down: tilesOf(s.Height), across: tilesOf(s.Width)}
	size := points * w.pointWeights()
	w.weights, w.turned = aligned(size), aligned(s.Patch()*s.Out)
	w.spans = aligned(winogradSpans * size)
	w.tasks.correlate, w.tasks.sum, w.tasks.collect = w.correlate, w.sum, w.collect
	for i := range team.Workers() {
		team.Workspace(i).reserveTiles(max(w.padded(s.In), w.padded(s.Out)),
			points*(w.pointTiles(s.In)+w.pointTiles(s.Out)))
	}
	if pooled {
		team.reserveResults(w.blockImages() * s.Output(1).Len())
	}
	return w
}

// blockImages is how many images are transformed before they are multiplied.
func (w *Winograd) blockImages() int { return max(1, blockTiles/(w.down*w.across)) }

// pointWeights and pointTiles are how many numbers a point takes.
func (w *Winograd) pointWeights() int { return w.In*w.Out + apart }
func (w *Winograd) pointTiles(channels int) int {
	return max(blockTiles, w.down*w.across)*channels + apart
}

// padded is how many numbers an image has with the zeros beside it.
func (w *Winograd) padded(channels int) int {
	const beside = winograd.Points - winograd.Tile
	return (winograd.Tile*w.down + beside) * (winograd.Tile*w.across + beside) * channels
}

// Forward implements Convolution.
func (w *Winograd) Forward(y, x, weights []float32, batch int) {
	w.verify("Winograd.Forward", batch, x, weights, y)
	taps := w.In * w.Out
	w.transformWeights(grid{weights, 0, winograd.Kernel * taps, taps})
	w.run(w.tasks.correlate, w.blocks(batch), winogradJob{y, x, weights, batch, w.Conv, false})
}

// BackData implements Convolution: it is a convolution with the kernel turned by half a circle and
// its channels exchanged.
func (w *Winograd) BackData(dx, dy, weights []float32, batch int) {
	w.verify("Winograd.BackData", batch, dx, weights, dy)
	taps := w.In * w.Out
	for tap := range w.Kernel * w.Kernel {
		w.path.transpose(w.turned[tap*taps:][:taps], Mat(w.In, w.Out, weights[tap*taps:][:taps]))
	}
	w.transformWeights(grid{w.turned, (w.Kernel*w.Kernel - 1) * taps, -winograd.Kernel * taps, -taps})
	back := w.Conv
	back.In, back.Out = w.Out, w.In
	w.run(w.tasks.correlate, w.blocks(batch), winogradJob{dx, dy, weights, batch, back, true})
}

// BackWeights implements Convolution.
func (w *Winograd) BackWeights(dw, x, dy []float32, batch int) {
	w.verify("Winograd.BackWeights", batch, x, dw, dy)
	if batch == 0 {
		clear(dw)
		return
	}
	job := winogradJob{dy, x, dw, batch, w.Conv, false}
	w.run(w.tasks.sum, min(batch, winogradSpans), job)
	w.run(w.tasks.collect, w.In, job)
}

func (w *Winograd) run(task func(worker, i int), n int, job winogradJob) {
	w.job = job
	w.team.Each(n, task)
	w.job = winogradJob{}
}

func (w *Winograd) transformWeights(from grid) {
	for k := range w.In {
		w.path.transform(winograd.Weights, grid{w.weights, k * w.Out, winograd.Points * w.pointWeights(),
			w.pointWeights()}, from, w.Out, w.team.Workspace(0))
		from.at += w.Out
	}
}

func (w *Winograd) blocks(batch int) int {
	return (batch + w.blockImages() - 1) / w.blockImages()
}

// correlate computes a block of images.
func (w *Winograd) correlate(worker, block int) {
	j, ws := &w.job, w.team.Workspace(worker)
	s := j.s
	first := block * w.blockImages()
	count := min(w.blockImages(), j.batch-first)
	from, n := first*w.down*w.across, count*w.down*w.across
	images := grid{ws.tiles, 0, winograd.Points * w.pointTiles(s.In), w.pointTiles(s.In)}
	results := grid{ws.tiles[points*images.column:], 0, winograd.Points * w.pointTiles(s.Out), w.pointTiles(s.Out)}
	w.transformTiles(winograd.Image, images, j.x, s.In, s.Kernel/2, from, n, j.back, ws)
	for p := range points {
		w.path.block(product{
			form: plain, m: n, n: s.Out, k: s.In,
			dst: Matrix{n, s.Out, s.Out, results.data[p*results.column:]},
			a:   Matrix{n, s.In, s.In, images.data[p*images.column:]},
			b:   Matrix{s.In, s.Out, s.Out, w.weights[p*w.pointWeights():]},
		}, ws)
	}
	size := s.Output(1).Len()
	if w.which == nil || j.back {
		w.place(j.y[first*size:], results, s.Out, n, ws)
		return
	}
	w.place(ws.results, results, s.Out, n, ws)
	w.pool(j.y, ws.results[:count*size], first, count)
}

// place transforms n tiles back to images.
func (w *Winograd) place(y []float32, results grid, channels, n int, ws *Workspace) {
	const tile = winograd.Tile
	line := w.Width * channels
	for i := range n {
		image, top, left := w.tile(i)
		results.at = i * channels
		at := (image*w.Height+top)*line + left*channels
		if top+tile <= w.Height && left+tile <= w.Width {
			w.path.transform(winograd.Result, grid{y, at, line, channels}, results, channels, ws)
			continue
		}
		w.path.transform(winograd.Result, grid{ws.pads, 0, tile * channels, channels}, results, channels, ws)
		for r := range min(tile, w.Height-top) {
			copy(y[at+r*line:][:min(tile, w.Width-left)*channels], ws.pads[r*tile*channels:])
		}
	}
}

// tile is where a tile is.
func (w *Winograd) tile(i int) (image, top, left int) {
	i, left = i/w.across, i%w.across
	return i / w.down, i % w.down * winograd.Tile, left * winograd.Tile
}

// transformTiles puts n tiles from the first on, at the points, one after another.
func (w *Winograd) transformTiles(t *winograd.Transform, to grid, x []float32, channels, border, first, n int,
	back bool, ws *Workspace) {
	line := (winograd.Tile*w.across + 2*border) * channels
	for i := range n {
		image, top, left := w.tile(first + i)
		if i == 0 || top+left == 0 {
			w.pad(ws.pads, x, image, channels, border, back && w.which != nil)
		}
		to.at = i * channels
		w.path.transform(t, to, grid{ws.pads, top*line + left*channels, line, channels}, channels, ws)
	}
}

// pad puts an image, or the gradient by its results that were pooled, with zeros around, so that it has whole tiles.
func (w *Winograd) pad(dst, x []float32, image, channels, border int, pooled bool) {
	line, padded := w.Width*channels, (winograd.Tile*w.across+2*border)*channels
	if pooled {
		w.unpool(dst[border*(padded+channels):], padded, x, image)
	}
	image *= w.Height
	for r := -border; r < winograd.Tile*w.down+border; r++ {
		d := dst[:padded]
		dst = dst[padded:]
		if r < 0 || r >= w.Height {
			clear(d)
			continue
		}
		clear(d[:border*channels])
		if !pooled {
			copy(d[border*channels:], x[(image+r)*line:][:line])
		}
		clear(d[border*channels+line:])
	}
}

// sum adds up the weights' gradient at the points over a span of images.
func (w *Winograd) sum(worker, span int) {
	j, ws := &w.job, w.team.Workspace(worker)
	from, to := Span(j.batch, 1, span, min(j.batch, winogradSpans))
	from, to = from*w.down*w.across, to*w.down*w.across
	images := grid{ws.tiles, 0, winograd.Points * w.pointTiles(w.In), w.pointTiles(w.In)}
	results := grid{ws.tiles[points*images.column:], 0, winograd.Points * w.pointTiles(w.Out), w.pointTiles(w.Out)}
	size := points * w.pointWeights()
	for first := from; first < to; first += blockTiles {
		n := min(blockTiles, to-first)
		w.transformTiles(winograd.Image, images, j.x, w.In, w.Kernel/2, first, n, false, ws)
		w.transformTiles(winograd.ResultBack, results, j.y, w.Out, 0, first, n, true, ws)
		for p := range points {
			w.path.block(product{
				form: leftT, m: w.In, n: w.Out, k: n, add: first > from,
				dst: Matrix{w.In, w.Out, w.Out, w.spans[span*size+p*w.pointWeights():]},
				a:   Matrix{n, w.In, w.In, images.data[p*images.column:]},
				b:   Matrix{n, w.Out, w.Out, results.data[p*results.column:]},
			}, ws)
		}
	}
}

// collect adds up the spans for an input channel, and makes its weights' gradient.
func (w *Winograd) collect(worker, k int) {
	size, taps := points*w.pointWeights(), w.In*w.Out
	for p := range points {
		at := p*w.pointWeights() + k*w.Out
		for span := 1; span < min(w.job.batch, winogradSpans); span++ {
			w.path.axpy(w.spans[at:][:w.Out], 1, w.spans[span*size+at:][:w.Out])
		}
	}
	w.path.transform(winograd.WeightsBack, grid{w.job.w, k * w.Out, winograd.Kernel * taps, taps},
		grid{w.spans, k * w.Out, winograd.Points * w.pointWeights(), w.pointWeights()}, w.Out, w.team.Workspace(worker))
}

// A grid is numbers in lines and columns of places, each of which has some channels one after another.
type grid struct {
	data             []float32
	at, line, column int
}

// groupChannels is how many channels are transformed together: a whole number of vectors on every path.
const groupChannels = 16

// transformInGo transforms the lines of a grid, and then its columns, for so many channels.
func (pt path) transformInGo(t *winograd.Transform, dst, src grid, channels int) {
	var between, values [points][groupChannels]float32
	n, m := t.Inputs, len(t.Outputs)
	for c := 0; c < channels; c += groupChannels {
		for j := range n {
			for i := range n {
				values[i] = [groupChannels]float32(src.data[src.at+i*src.line+j*src.column+c:])
			}
			pt.steps(t, &values)
			for i, o := range t.Outputs {
				between[i*n+j] = values[o]
			}
		}
		for i := range m {
			copy(values[:n], between[i*n:])
			pt.steps(t, &values)
			for j, o := range t.Outputs {
				copy(dst.data[dst.at+i*dst.line+j*dst.column+c:], values[o][:])
			}
		}
	}
}

// steps makes all values from the first.
func (pt path) steps(t *winograd.Transform, values *[points][groupChannels]float32) {
	for i, s := range t.Steps {
		to, b := &values[t.Inputs+i], &values[s.B]
		if s.A == winograd.None {
			for c := range to {
				to[c] = s.Factor * b[c]
			}
			continue
		}
		*to = values[s.A]
		pt.addTimes(to[:], s.Factor, b[:])
	}
}
