package predict

import (
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// prober predicts shifted images beside the sampling, on a worker and a fork of its own, by copies of the lanes' recent
// draws. It works in pieces: the images looked at, the sample at the present amount, and the sample at each amount of
// the grid. While lanes run it rests between them.
type prober struct {
	pictures targets.PicturePredictor[float32] // of the fork
	fork     targets.Fork[float32]
	dataDir  string
	foreign  string
	work     *beside.Worker
	later    *time.Timer // has the next piece done that is to wait

	draws         int   // a lane holds at most
	shown, sample int   // images of a piece
	sampled       []int // test rows of the sample

	mu   sync.Mutex
	want probe
	got  []answer          // of each task, as far as there are any
	kind targets.ShiftKind // of those of the grid
	rest time.Time         // before which nothing that can wait is done
	err  error
	quit bool

	set   *targets.ForeignSet // opened when first needed
	theta []float32
	probs []float64
	pixel []uint8
	z     []float64
}

// probe is what is asked of a prober.
type probe struct {
	Question
	shift targets.Shift
	rows  []int // test rows that are looked at
}

// MaxShifted is the most images of a view.
const MaxShifted = 64

// Bounds on a piece, in multiplications and in images.
const (
	shownWork, sampleWork    = 1e9, 4e9
	leastShown               = 16
	leastSample, mostSample  = 32, 256
	refreshEvery             = time.Second
	restMissing, restOfStale = 2, 20 // rest, in times that a piece took, while lanes run
)

func newProber(p *targets.Problem, dataDir, foreign string, poke func()) *prober {
	fork := p.F32.(targets.Forker[float32]).Fork(1)
	t := fork.(targets.PicturePredictor[float32])
	b := &prober{pictures: t, fork: fork, dataDir: dataDir, foreign: foreign, work: beside.New("a lane", 1, poke),
		got: make([]answer, gridTasks)}
	b.draws = recentSize[float32](p.Dim())
	one := float64(b.draws) * float64(max(t.Multiplications(), 1))
	all := len(t.Labels(dataset.Test))
	b.shown = min(max(int(shownWork/one), leastShown), MaxShifted, all)
	b.sample = min(max(int(sampleWork/one), leastSample), mostSample, all)
	b.sampled = list.Map(list.Upto(b.sample), func(i int) int { return i * all / b.sample })
	b.theta = make([]float32, p.Dim())
	b.later = time.AfterFunc(time.Hour, b.next)
	return b
}

// around lists the rows of the images around a place, a quarter of them before it.
func (b *prober) around(from int, shown []Prediction) []int {
	from = min(max(from-b.shown/4, 0), max(len(shown)-b.shown, 0))
	return rowsOf(shown[from:min(from+b.shown, len(shown))])
}

// ask puts a question in the place of the one before. What one kind of shift failed for, another may do without.
func (b *prober) ask(q probe) {
	b.mu.Lock()
	if q.shift.Kind != b.want.shift.Kind {
		b.err = nil
	}
	b.want = q
	b.mu.Unlock()
	b.next()
}

func (b *prober) close() {
	b.mu.Lock()
	b.quit = true
	b.mu.Unlock()
	b.later.Stop()
	b.work.Close()
	b.fork.Close()
}

// next has the most urgent piece done, now or when it is due.
func (b *prober) next() {
	switch p, wait := b.urgent(); {
	case p.due:
		b.work.Ask([]beside.Task{b.piece}, p.of.Running)
	case wait > 0:
		b.later.Reset(wait)
	}
}

func (b *prober) piece(func(time.Duration) bool) {
	p, _ := b.urgent()
	if !p.due { // what was asked has changed
		return
	}
	start := time.Now()
	b.do(&p.of, p.at, p.task)
	if p.of.Running {
		times := restOfStale
		if p.missing {
			times = restMissing
		}
		b.mu.Lock()
		b.rest = time.Now().Add(time.Duration(times) * time.Since(start))
		b.mu.Unlock()
	}
	b.next()
}

// A piece is a task of a question, the at-th.
type piece struct {
	of      probe
	at      int
	task    task
	due     bool // now; else there is none
	missing bool // there is no answer yet
}

// urgent is the most urgent piece. If one has to wait it says how long.
func (b *prober) urgent() (p piece, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.want
	if b.quit || b.err != nil || q.shift.Kind == targets.NoShift || len(q.Lanes) == 0 {
		return p, 0
	}
	by, tasks := drawnOf(q.Lanes), b.tasks(&q)
	if b.kind != q.shift.Kind {
		b.kind, b.got = q.shift.Kind, append(b.got[:gridTasks:gridTasks], make([]answer, len(tasks)-gridTasks)...)
	}
	// The grid from its start, what is missing before what is stale.
	for _, voids := range [...]bool{true, false} {
		for i, t := range tasks {
			void, stale := b.got[i].due(&q, t, by)
			patient := i >= gridTasks
			if !stale || patient && void != voids {
				continue
			}
			until := b.rest
			if at := b.got[i].made.Add(refreshEvery); !void && q.Running && at.After(until) {
				until = at
			}
			d := time.Until(until)
			if void && !patient || !q.Running || d <= 0 {
				return piece{q, i, t, true, void}, 0
			}
			if wait == 0 || d < wait {
				wait = d
			}
		}
	}
	return p, wait
}
