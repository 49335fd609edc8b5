package predict

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/metrics/predictive"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
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

// A task is a piece of what answers a question.
type task struct {
	shift  targets.Shift
	rows   []int
	images bool // they are to be shown, and not scored
}

// The tasks of a question: its images, the sample at the present amount, and then the
// sample at each amount of the grid, which can wait.
const (
	imagesTask = iota
	nowTask
	gridTasks // the first of them
)

func (b *prober) tasks(q *probe) []task {
	all := []task{imagesTask: {q.shift, q.rows, true}, nowTask: {q.shift, b.sampled, false}}
	for _, amount := range q.shift.Kind.Scale().Grid() {
		all = append(all, task{targets.Shift{Kind: q.shift.Kind, Amount: amount}, b.sampled, false})
	}
	return all
}

// An answer is what a task came to, and of which draws.
type answer struct {
	task
	seed uint64
	by   []drawn
	made time.Time

	shown  []ShiftedImage
	points []ShiftPoint // one a lane, as draws
	draws  []int
}

// of reports whether an answer is to a question about the draws of the same windows.
func (a *answer) of(q *probe, by []drawn) bool {
	return a.seed == q.Seed &&
		slices.EqualFunc(a.by, by, func(a, b drawn) bool { return a.of == b.of && a.window == b.window })
}

// due reports whether an answer is to be made anew: at once where it is to
// another question, and after a while where there are newer draws.
func (a *answer) due(q *probe, t task, by []drawn) (now, later bool) {
	if a.made.IsZero() || a.shift != t.shift || !a.of(q, by) || !slices.Equal(a.rows, t.rows) {
		return true, true
	}
	return false, !slices.Equal(a.by, by)
}

// do does a task of a question, the i-th, and keeps what comes of it, unless the question was given up.
func (b *prober) do(q *probe, i int, t task) {
	a := answer{task: t, seed: q.Seed, by: drawnOf(q.Lanes)}
	if err := b.prepare(q, t.shift, t.rows); err != nil {
		if !b.moved(q, false) {
			b.mu.Lock()
			b.err = err
			b.mu.Unlock()
		}
		return
	}
	n, c := len(t.rows), b.pictures.Classes()
	labels := b.pictures.Labels(dataset.Test)
	size := len(b.pixel) / max(n, 1)
	if t.images {
		for i, row := range t.rows {
			a.shown = append(a.shown, ShiftedImage{
				Row: row, Pixels: slices.Clone(b.pixel[i*size:][:size]), Lanes: make([]ShiftedPrediction, len(q.Lanes)),
			})
		}
	}
	b.probs = slices.Grow(b.probs[:0], n*c)[:n*c]
	a.points, a.draws = make([]ShiftPoint, len(q.Lanes)), make([]int, len(q.Lanes))
	for k, r := range q.Lanes {
		a.points[k] = noPoint(t.shift.Amount)
		if r == nil {
			continue
		}
		u := predictive.NewUncertainty(n, c)
		for i := range a.by[k].n {
			w, ok := r.take(i, a.by[k].window, b.theta)
			if !ok || b.moved(q, t.images) {
				return // a newer question has made this one void
			}
			b.pictures.PredictPictures(b.probs, b.theta, b.pixel)
			u.Add(w, b.probs)
		}
		if a.draws[k] = int(u.Draws()); a.draws[k] == 0 {
			continue
		}
		if !t.images {
			a.points[k] = overSample(u, t.shift.Amount, t.rows, labels)
			continue
		}
		for i := range a.shown {
			p := &a.shown[i].Lanes[k]
			p.Mean, p.SD = make([]float64, c), make([]float64, c)
			u.Mean(i, p.Mean)
			u.Spread(i, p.SD)
			p.Entropy, p.Mutual = u.Entropy(i), u.Mutual(i)
		}
	}
	a.made = time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if i < gridTasks || b.kind == t.shift.Kind {
		b.got[i] = a
	}
}

// overSample is the mean over the rows.
func overSample(u *predictive.Uncertainty, amount float64, rows []int, labels []int32) ShiftPoint {
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
	return b.quit || w.Seed != q.Seed || w.shift != q.shift && !images
}

// prepare writes the shifted images to b.pixel. The noise of a row is that of its place in the stream, whatever the
// amount, so that more of it is more of the same.
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
	labels := b.pictures.Labels(dataset.Test)
	stream := noise.New(q.Seed, 0, noise.Shift)
	for i, row := range rows {
		var foreign []uint8
		src := b.pictures.Picture(dataset.Test, row)
		switch s.Kind {
		case targets.ShiftNoise:
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

// fill writes to a view what there is in answer to a question, and takes note that it was seen.
func (b *prober) fill(v *ShiftView, q probe) error {
	by := drawnOf(q.Lanes)
	panicked := b.work.Look()
	b.mu.Lock()
	defer b.mu.Unlock()
	if a := &b.got[imagesTask]; a.of(&q, by) && a.shift.Kind == q.shift.Kind {
		v.At, v.Images = a.shift, a.shown
	}
	if b.kind != q.shift.Kind {
		return cmp.Or(panicked, b.err)
	}
	v.Sample = b.sample
	v.Lanes = make([]ShiftLane, len(q.Lanes))
	for k := range v.Lanes {
		l := &v.Lanes[k]
		l.Now = noPoint(q.shift.Amount)
		if a := &b.got[nowTask]; a.of(&q, by) && a.shift == q.shift {
			l.Now, l.Draws = a.points[k], a.draws[k]
		}
		for i, amount := range q.shift.Kind.Scale().Grid() {
			p := noPoint(amount)
			if a := &b.got[gridTasks+i]; a.of(&q, by) && !a.made.IsZero() {
				p = a.points[k]
			}
			l.Curve = append(l.Curve, p)
		}
	}
	return cmp.Or(panicked, b.err)
}
