package engine

import (
	"sync"
	"time"
	"unsafe"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// recentDraws are the newest kept draws of a lane's window, so that they can be
// asked about inputs that nobody had thought of when they were drawn. One
// goroutine changes them while another takes copies.
type recentDraws[F sampler.Float] struct {
	mu     sync.Mutex
	size   int
	theta  [][]F // places are made as draws come, and used in turn
	weight []float64
	n      int // draws in them
	next   int
	serial uint64 // changes with every change
	window uint64 // changes with every reset
}

// What a lane's recent draws may take. A network too large for that keeps the
// fewest that have a spread to speak of.
const (
	recentBytes = 64 << 20
	leastRecent = 4
	mostRecent  = 32
)

func newRecentDraws[F sampler.Float](dim int) *recentDraws[F] {
	var x F
	fit := recentBytes / (dim * int(unsafe.Sizeof(x)))
	return &recentDraws[F]{size: min(max(fit, leastRecent), mostRecent)}
}

// add keeps a copy of a draw. Once all places are used it does not allocate.
func (r *recentDraws[F]) add(theta []F, weight float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.theta) == r.next {
		r.theta, r.weight = append(r.theta, make([]F, len(theta))), append(r.weight, 0)
	}
	copy(r.theta[r.next], theta)
	r.weight[r.next] = weight
	r.next = (r.next + 1) % r.size
	r.n = min(r.n+1, r.size)
	r.serial++
}

// reset forgets the draws.
func (r *recentDraws[F]) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n, r.next = 0, 0
	r.serial++
	r.window++
}

// renew forgets the draws to make room for others in their place, as the state of
// a lane that predicts by its newest one is.
func (r *recentDraws[F]) renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n, r.next = 0, 0
	r.serial++
}

// recentState tells draws apart from others.
type recentState struct {
	n              int
	serial, window uint64
}

func (r *recentDraws[F]) state() recentState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return recentState{r.n, r.serial, r.window}
}

// take copies draw i to dst and returns its weight. It reports false where there
// is no such draw, or not of that window.
func (r *recentDraws[F]) take(i int, window uint64, dst []F) (weight float64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if window != r.window || i >= r.n {
		return 0, false
	}
	copy(dst, r.theta[i])
	return r.weight[i], true
}

// remember has the lane keep its newest draws from here on.
func (l *lane[F]) remember() { l.recent = newRecentDraws[F](len(l.state.Theta)) }

// recall returns the draws that the lane predicts by: its newest ones; of a lane
// that predicts by its newest state alone, that state, or what it predicts by in
// its place. While the session runs that is renewed at most every
// predictionsEvery. It is nil for a lane that has diverged or that keeps none.
func (l *lane[F]) recall(running bool) *recentDraws[float32] {
	r, _ := any(l.recent).(*recentDraws[float32])
	if r == nil || l.div != nil {
		return nil
	}
	stale := l.newestAlone() && l.draws > 0 && (l.recentAt != l.state.Step || l.recent.state().n == 0)
	if !stale || running && time.Since(l.recentMade) < predictionsEvery {
		return r
	}
	l.recent.renew()
	l.recentAt, l.recentMade = l.state.Step, time.Now()
	if l.proxy == nil {
		l.recent.add(l.state.Theta, 1)
		return r
	}
	for k := range min(l.proxy.Proxies(&l.params), l.recent.size) {
		l.recent.add(l.proxyAt(k), 1)
	}
	return r
}

// proxyAt is the k-th of the vectors that the newest state predicts by. It is
// good until the next call.
func (l *lane[F]) proxyAt(k int) []F {
	if l.proxyTheta == nil {
		l.proxyTheta = make([]F, len(l.state.Theta))
	}
	l.proxy.Proxy(l.proxyTheta, &l.state, l.proxyNoise.At(l.state.Step<<proxyBits|uint64(k)))
	return l.proxyTheta
}
