package predict

import (
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// drawn is which draws of a lane stand behind numbers.
type drawn struct {
	of *Recent[float32]
	recentState
}

func drawnOf(lanes []*Recent[float32]) []drawn {
	all := make([]drawn, len(lanes))
	for i, r := range lanes {
		if all[i].of = r; r != nil {
			all[i].recentState = r.state()
		}
	}
	return all
}

// sameWindows reports whether draws are of the same windows of the same lanes.
func sameWindows(a, b []drawn) bool {
	return slices.EqualFunc(a, b, func(a, b drawn) bool { return a.of == b.of && a.window == b.window })
}

// An answer is one piece and what it was made of.
type answer struct {
	shift targets.Shift
	seed  uint64
	rows  []int
	by    []drawn
	made  time.Time

	images []ShiftedImage
	points []ShiftPoint // one a lane, as draws
	draws  []int
}

// probed is what a prober has found out: of the images, at the present amount,
// and at each of the grid.
type probed struct {
	images, now answer
	grid        []answer
	kind        targets.ShiftKind
}

// due reports whether an answer is to be made anew: at once where it is to
// another question, and after a while where there are newer draws.
func (a *answer) due(q *probe, s targets.Shift, rows []int, by []drawn) (now, later bool) {
	if a.made.IsZero() || a.shift != s || a.seed != q.seed || !sameWindows(a.by, by) || !slices.Equal(a.rows, rows) {
		return true, true
	}
	return false, !slices.Equal(a.by, by)
}

// do answers a question and keeps what comes of it, unless it was given up.
func (b *prober) do(q *probe, s targets.Shift, rows []int, images bool, keep func(*probed, answer)) {
	a := answer{shift: s, seed: q.seed, rows: rows, by: drawnOf(q.lanes)}
	if err := b.prepare(q, s, rows); err != nil {
		if !b.moved(q, false) {
			b.fail(err)
		}
		return
	}
	n, c := len(rows), b.pictures.Classes()
	labels := b.pictures.Labels(targets.Test)
	size := len(b.pixel) / max(n, 1)
	if images {
		for i, row := range rows {
			a.images = append(a.images, ShiftedImage{
				Row: row, Pixels: slices.Clone(b.pixel[i*size:][:size]), Lanes: make([]ShiftedPrediction, len(q.lanes)),
			})
		}
	}
	b.probs = slices.Grow(b.probs[:0], n*c)[:n*c]
	a.points, a.draws = make([]ShiftPoint, len(q.lanes)), make([]int, len(q.lanes))
	for k, r := range q.lanes {
		a.points[k] = noPoint(s.Amount)
		if r == nil {
			continue
		}
		u := metrics.NewUncertainty(n, c)
		for i := range a.by[k].n {
			w, ok := r.take(i, a.by[k].window, b.theta)
			if !ok || b.moved(q, images) {
				return // a newer question has made this one void
			}
			b.pictures.PredictPictures(b.probs, b.theta, b.pixel)
			u.Add(w, b.probs)
		}
		if a.draws[k] = u.Draws(); u.Draws() == 0 {
			continue
		}
		if images {
			for i := range a.images {
				p := &a.images[i].Lanes[k]
				p.Mean, p.SD = make([]float64, c), make([]float64, c)
				u.Mean(i, p.Mean)
				u.Spread(i, p.SD)
				p.Entropy, p.Mutual = u.Entropy(i), u.Mutual(i)
			}
			continue
		}
		a.points[k] = overSample(u, s.Amount, rows, labels)
	}
	a.made = time.Now()
	b.mu.Lock()
	keep(&b.got, a)
	b.news = true
	b.mu.Unlock()
	b.poke()
}

// overSample is the mean over the rows.
func overSample(u *metrics.Uncertainty, amount float64, rows []int, labels []int32) ShiftPoint {
	p := ShiftPoint{Amount: amount}
	for i, row := range rows {
		class, top := u.Top(i)
		if class != int(labels[row]) {
			p.Error++
		}
		p.Entropy += u.Entropy(i)
		p.Mutual += u.Mutual(i)
		p.Confidence += top
	}
	n := float64(len(rows))
	p.Error, p.Entropy, p.Mutual, p.Confidence = p.Error/n, p.Entropy/n, p.Mutual/n, p.Confidence/n
	if math.IsNaN(p.Entropy) {
		return noPoint(amount)
	}
	return p
}

// moved reports whether the answer to a question is no longer wanted. Images are
// finished all the same, so that something is seen of a slider that moves on.
func (b *prober) moved(q *probe, images bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &b.want
	return b.quit || w.seed != q.seed || w.shift != q.shift && !images
}

// prepare writes the shifted images to b.pixel. The noise of a row is that of its
// place in the stream, whatever the amount, so that more of it is more of the
// same.
func (b *prober) prepare(q *probe, s targets.Shift, rows []int) error {
	h, w, channels := b.pictures.PictureSize()
	size := h * w * channels
	b.pixel = slices.Grow(b.pixel[:0], len(rows)*size)[:len(rows)*size]
	if s.Kind == targets.ShiftForeign && b.set == nil {
		set, err := targets.OpenForeign(b.foreign, b.dataDir)
		if err != nil {
			return err
		}
		b.set = set
	}
	labels := b.pictures.Labels(targets.Test)
	stream := noise.New(q.seed, 0, noise.Shift)
	for i, row := range rows {
		var foreign []uint8
		src := b.pictures.Picture(targets.Test, row)
		switch s.Kind {
		case targets.ShiftNoise, targets.ShiftStatic:
			b.z = slices.Grow(b.z[:0], size)[:size]
			noise.Fill(stream.At(uint64(row)), b.z)
		case targets.ShiftForeign:
			if foreign = b.set.Picture(int(labels[row]), row); foreign == nil {
				foreign = src
			}
		}
		s.Apply(b.pixel[i*size:][:size], src, h, w, channels, b.z, foreign)
	}
	return nil
}

// fill writes to a view what there is in answer to a question, and takes note
// that it was seen.
func (b *prober) fill(v *ShiftView, q probe) error {
	by := drawnOf(q.lanes)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.news = false
	lanes := len(q.lanes)
	if a := &b.got.images; sameWindows(a.by, by) && a.shift.Kind == q.shift.Kind && a.seed == q.seed {
		v.At, v.Images = a.shift, a.images
	}
	if b.got.kind != q.shift.Kind {
		return b.err
	}
	v.Sample = b.sample
	v.Lanes = make([]ShiftLane, lanes)
	for k := range v.Lanes {
		l := &v.Lanes[k]
		l.Now = noPoint(q.shift.Amount)
		if sameWindows(b.got.now.by, by) && b.got.now.shift == q.shift && b.got.now.seed == q.seed {
			l.Now, l.Draws = b.got.now.points[k], b.got.now.draws[k]
		}
		grid := q.shift.Kind.Scale().Grid()
		l.Curve = make([]ShiftPoint, len(grid))
		for i := range l.Curve {
			l.Curve[i] = noPoint(grid[i])
			if a := &b.got.grid[i]; sameWindows(a.by, by) && a.seed == q.seed && !a.made.IsZero() {
				l.Curve[i] = a.points[k]
			}
		}
	}
	return b.err
}
