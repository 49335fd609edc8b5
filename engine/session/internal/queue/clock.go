package queue

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
)

const (
	// ChunkTime is how long lanes run before commands are looked at.
	ChunkTime = 2 * time.Millisecond
	// FrameTime is how long snapshots lie apart at least.
	FrameTime = 12 * time.Millisecond
	// mostRest bounds a rest: a chunk may take long because the machine is busy with something else.
	mostRest = 250 * time.Millisecond
)

// A Gait is how a session goes on.
type Gait uint8

// The gaits.
const (
	Still   Gait = iota
	Free         // at the pace
	Counted      // so many steps, or to a place of the tape
)

// A Clock says when a session makes steps and publishes snapshots, and how many steps a chunk has. The pace is its
// user's; the share, of one processor's time on each thread, and the governor are the machine's. The session's
// goroutine alone may use it, but for Ask.
type Clock struct {
	Pace
	Meter    Meter
	Share    float64         // 0 for all
	Governor *share.Governor // nil without
	Favoured bool            // the governor does not slow it down
	// Chunk is how many steps of a lane take ChunkTime, by the lane's ID.
	Chunk [state.MaxLanes]float64
	// Lead is by how many seconds that it was busy a lane leads the last one in a race, by the lane's ID.
	Lead [state.MaxLanes]float64
	// Single is how many of the last counted steps are made one by one.
	Single uint64

	born      time.Time
	published time.Time    // the newest snapshot
	wanted    atomic.Bool  // a newer one is
	dozes     atomic.Bool  // it wakes when a snapshot is wanted
	asked     atomic.Int64 // when it was woken for one, from born on; 0 if it was not
	fell      time.Time    // when the steps that are made fell due; zero if that is when they were counted
	rested    time.Time    // until then the lanes rest, to keep to their share
}

// NewClock returns a clock without a limit of steps a second.
func NewClock(part float64, g *share.Governor, favoured bool) *Clock {
	return &Clock{Share: part, Governor: g, Favoured: favoured, born: time.Now()}
}

// Ask asks for a newer snapshot, and reports whether the session has to be woken for it. Any goroutine may call it.
func (c *Clock) Ask() (wake bool) {
	if c.wanted.Swap(true) || !c.dozes.Load() {
		return false
	}
	c.asked.Store(int64(time.Since(c.born)))
	return true
}

// FrameDue reports whether somebody wants a snapshot and the last one is old enough.
func (c *Clock) FrameDue() bool { return c.wanted.Load() && time.Since(c.published) >= FrameTime }

// Publishes says that a snapshot is published now.
func (c *Clock) Publishes() {
	c.wanted.Store(false)
	c.published = time.Now()
}

// Took says that a lane has made so many steps of a chunk in that time. The lane's next chunk is halfway between this
// one and the size that would have taken ChunkTime, which counts as four times this size at most.
func (c *Clock) Took(lane int, steps uint64, took time.Duration) {
	size := &c.Chunk[lane]
	want := float64(steps) * ChunkTime.Seconds() / took.Seconds()
	*size = min(max((*size+min(want, 4**size))/2, 1), 1e7)
}

// Rest has lanes rest that have run for so long.
func (c *Clock) Rest(took time.Duration) {
	c.rested = time.Now()
	if c.Share > 0 && c.Share < 1 {
		c.rested = c.rested.Add(time.Duration(min(float64(took)*(1/c.Share-1), float64(mostRest))))
	}
}

// rests reports whether the lanes rest between chunks.
func (c *Clock) rests(g Gait) bool { return c.Share > 0 && g != Still }

// Resting reports whether steps that are due wait until the lanes have rested.
func (c *Clock) Resting(g Gait) bool { return c.rests(g) && time.Now().Before(c.rested) }

// Govern tells the governor how late the steps are that were due, once they are made, and does as that says.
func (c *Clock) Govern(g Gait) {
	now := time.Now()
	if c.Governor == nil || g != Free || !c.Limited() || c.Busy(now, math.MaxInt64) {
		return
	}
	if fell := c.fell; c.rested.Sub(now) <= Beat { // else it is late by its own budget
		c.Governor.Late(now, c.Late(fell, now))
		if !c.Favoured {
			c.Scale(c.Governor.Factor(), now)
		}
	}
	c.fell = time.Time{}
}

// Wait sleeps until wake receives a value, steps are due at the pace, a snapshot is wanted for which there are steps to
// make or news that were not published, or ctx ends.
func (c *Clock) Wait(ctx context.Context, wake <-chan struct{}, g Gait, news bool) {
	var due <-chan time.Time
	var end time.Time
	c.fell = time.Time{}
	paced := g == Free && c.Limited()
	if rest := time.Until(c.rested); c.rests(g) && (rest > 0 || !paced) {
		// Where no pace says when to go on, the rest may have ended since it was asked for.
		due = time.After(max(rest, 0))
	} else if paced {
		now := time.Now()
		d := c.Sleep(now)
		c.dozes.Store(news || c.Fast())
		defer c.dozes.Store(false)
		if c.wanted.Load() && (news || c.Fast()) {
			soon := FrameTime - now.Sub(c.published)
			if !news {
				soon = max(soon, c.Next(now))
			}
			d = min(d, soon)
		}
		d = max(d, time.Millisecond)
		end = now.Add(d)
		due = time.After(d)
	} else if news { // the lanes wait for another program's draws
		c.dozes.Store(true)
		defer c.dozes.Store(false)
		if c.wanted.Load() {
			due = time.After(FrameTime - time.Since(c.published))
		}
	}
	select {
	case <-ctx.Done():
	case <-wake:
		if at := c.asked.Swap(0); at > 0 {
			c.fell = c.born.Add(time.Duration(at))
		}
	case <-due:
		c.asked.Store(0)
		c.fell = end
	}
}

// A Meter measures a session's steps a second over about the last second of sampling.
type Meter struct {
	newest, before struct { // before is what half a second or more was full of
		steps uint64
		took  time.Duration
	}
}

// Add says how many steps were executed in some more time of sampling.
func (m *Meter) Add(steps uint64, took time.Duration) {
	if m.newest.took >= 500*time.Millisecond {
		m.before, m.newest.steps, m.newest.took = m.newest, 0, 0
	}
	m.newest.steps += steps
	m.newest.took += took
}

// Rate is the steps a second, 0 before there were any.
func (m *Meter) Rate() float64 {
	took := m.before.took + m.newest.took
	if took <= 0 {
		return 0
	}
	return float64(m.before.steps+m.newest.steps) / took.Seconds()
}
