// Package share is what the sessions of one process share: the memory of their keyframes, and the time of the machine.
package share

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// A Governor slows sessions down together where the machine does not keep up with them. It
// is a factor of the steps a second that each of them is allowed. Any goroutine may use it.
//
// A session tells how late it is: the time from when steps fell due to when they were made, as a part of the time to
// the next ones. Every half second the mean of what all told moves the factor. Above a half it falls in proportion, to
// a half of itself at most. Below an eighth it grows by a tenth. Between them it stays, so that it does not swing. It
// never falls below a tenth: a machine that is busy with drawing gains nothing by fewer steps.
type Governor struct {
	cut atomic.Uint64 // bits of 1 - factor, so that the zero value slows nobody down

	mu    sync.Mutex
	begun time.Time // of the time over which the mean is taken
	sum   float64
	count int
}

const (
	window    = 500 * time.Millisecond
	tooLate   = 1.0 / 2
	early     = 1.0 / 8
	mostCut   = 1.0 / 2 // of the factor, in a window
	growth    = 1.1
	leastPace = 0.1
)

// Factor is the part of its steps a second that a session is to make, from 0.1 to 1.
func (g *Governor) Factor() float64 { return 1 - math.Float64frombits(g.cut.Load()) }

// Late tells that steps were made late, by a part of the time to the next ones.
func (g *Governor) Late(now time.Time, part float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.begun.IsZero() {
		g.begun = now
	}
	g.sum += part
	g.count++
	if now.Sub(g.begun) < window {
		return
	}
	mean, factor := g.sum/float64(g.count), g.Factor()
	switch {
	case mean > tooLate:
		factor = max(leastPace, factor*max(mostCut, tooLate/mean))
	case mean < early:
		factor = min(1, factor*growth)
	}
	g.cut.Store(math.Float64bits(1 - factor))
	g.begun, g.sum, g.count = now, 0, 0
}

// A Memory is divided among sessions in equal parts as they come and go. Any goroutine may use it.
type Memory struct {
	bytes int
	mu    sync.Mutex
	parts map[*Part]struct{}
}

// NewMemory returns a Memory of so many bytes that nobody has a part of.
func NewMemory(bytes int) *Memory { return &Memory{bytes: bytes, parts: map[*Part]struct{}{}} }

// A Part is what one session may use.
type Part struct {
	of      *Memory
	bytes   atomic.Int64
	changed func()
}

// Join returns a part of the memory. Whenever another joins or leaves, the part changes, and
// then changed is called, which must not call the Memory.
func (m *Memory) Join(changed func()) *Part {
	p := &Part{of: m, changed: changed}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.parts[p] = struct{}{}
	m.divide()
	return p
}

// Leave gives the part up, which has no bytes then. It may be called more than once.
func (p *Part) Leave() {
	m := p.of
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.parts, p)
	p.bytes.Store(0)
	m.divide()
}

// divide gives everyone the same.
func (m *Memory) divide() {
	for p := range m.parts {
		p.bytes.Store(int64(m.bytes / len(m.parts)))
		p.changed()
	}
}

// Bytes is how much the part is now.
func (p *Part) Bytes() int { return int(p.bytes.Load()) }
