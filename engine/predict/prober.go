package predict

import (
	"slices"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// prober predicts shifted images beside the sampling, on a goroutine and a fork
// of its own, by copies of the lanes' recent draws. It works in pieces: the images
// looked at, the sample at the present amount, and the sample at each amount of
// the grid. While lanes run it rests between them.
type prober struct {
	pictures targets.PicturePredictor[float32] // of the fork
	fork     targets.Fork[float32]
	dataDir  string
	foreign  string
	poke     func() // tells that there is news

	draws         int   // a lane holds at most
	shown, sample int   // images of a piece
	sampled       []int // test rows of the sample

	mu   sync.Mutex
	want probe
	got  []answer          // of each task, as far as there are any
	kind targets.ShiftKind // of those of the grid
	err  error
	news bool
	idle bool
	quit bool
	wake chan struct{}

	ended chan struct{}
	set   *targets.ForeignSet // opened when first needed
	theta []float32
	probs []float64
	pixel []uint8
	z     []float64
}

// probe is what is asked of a prober.
type probe struct {
	shift   targets.Shift
	seed    uint64
	running bool
	rows    []int // test rows that are looked at
	lanes   []*Recent[float32]
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
	b := &prober{pictures: t, fork: fork, dataDir: dataDir, foreign: foreign, poke: poke, idle: true, got: make([]answer, gridTasks)}
	b.draws = recentSize[float32](p.Dim())
	one := float64(b.draws) * float64(max(t.Multiplications(), 1))
	all := len(t.Labels(dataset.Test))
	b.shown = min(max(int(shownWork/one), leastShown), MaxShifted, all)
	b.sample = min(max(int(sampleWork/one), leastSample), mostSample, all)
	for i := range b.sample {
		b.sampled = append(b.sampled, i*all/b.sample)
	}
	b.wake, b.ended = make(chan struct{}, 1), make(chan struct{})
	b.theta = make([]float32, p.Dim())
	go b.serve()
	return b
}

// around lists the rows of the images around a place, a quarter of them before it.
func (b *prober) around(from int, shown []Prediction) []int {
	from = min(max(from-b.shown/4, 0), max(len(shown)-b.shown, 0))
	return rowsOf(shown[from:min(from+b.shown, len(shown))])
}

// ask puts a question in the place of the one before. What one kind of shift
// failed for, another may do without.
func (b *prober) ask(q probe) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, panicked := b.err.(*caught.Panic); !panicked && q.shift.Kind != b.want.shift.Kind {
		b.err = nil
	}
	b.want, b.idle = q, false
	b.nudge()
}

func (b *prober) nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *prober) fresh() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.news
}

func (b *prober) close() {
	b.mu.Lock()
	b.quit = true
	b.mu.Unlock()
	b.nudge()
	<-b.ended
	b.fork.Close()
}

// settled reports whether all that was asked for is answered.
func (b *prober) settled() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.idle
}

// serve does one piece after the other.
func (b *prober) serve() {
	defer close(b.ended)
	var rest time.Time // before which nothing that can wait is done
	for {
		b.mu.Lock()
		q, quit, failed := b.want, b.quit, b.err != nil
		b.mu.Unlock()
		if quit {
			return
		}
		pause := time.Duration(0)
		if !failed {
			start := time.Now()
			var did, missing bool
			p := caught.In("a lane", func() { did, missing, pause = b.piece(q, start, rest) })
			if p != nil {
				b.fail(p)
				continue
			}
			if did {
				if took := time.Since(start); q.running && missing {
					rest = time.Now().Add(restMissing * took)
				} else if q.running {
					rest = time.Now().Add(restOfStale * took)
				}
				continue
			}
		}
		b.sleep(pause)
	}
}

// sleep waits for a question, and for pause if that is not 0.
func (b *prober) sleep(pause time.Duration) {
	var timer <-chan time.Time
	if pause > 0 {
		timer = time.After(pause)
	} else {
		b.mu.Lock()
		b.idle = len(b.wake) == 0
		b.mu.Unlock()
	}
	select {
	case <-b.wake:
	case <-timer:
	}
}

func (b *prober) fail(err error) {
	b.mu.Lock()
	b.err, b.news = err, true
	b.mu.Unlock()
	b.poke()
}

// piece does the most urgent piece and reports whether there was one, and
// whether its answer was missing. If one has to wait it says how long.
func (b *prober) piece(q probe, now, rest time.Time) (did, missing bool, pause time.Duration) {
	if q.shift.Kind == targets.NoShift || len(q.lanes) == 0 {
		return false, false, 0
	}
	by, tasks := drawnOf(q.lanes), b.tasks(&q)
	b.mu.Lock()
	if b.kind != q.shift.Kind {
		b.kind, b.got = q.shift.Kind, append(b.got[:gridTasks:gridTasks], make([]answer, len(tasks)-gridTasks)...)
	}
	got := slices.Clone(b.got)
	b.mu.Unlock()

	wait := time.Duration(0)
	// The grid from its start, what is missing before what is stale.
	for _, voids := range [...]bool{true, false} {
		for i, t := range tasks {
			void, stale := got[i].due(&q, t, by)
			patient := i >= gridTasks
			if !stale || patient && void != voids {
				continue
			}
			until := rest
			if at := got[i].made.Add(refreshEvery); !void && q.running && at.After(until) {
				until = at
			}
			if void && !patient || !q.running || !until.After(now) {
				b.do(&q, i, t)
				return true, void, 0
			}
			if d := until.Sub(now); wait == 0 || d < wait {
				wait = d
			}
		}
	}
	return false, false, wait
}
