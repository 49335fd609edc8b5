package predict

import (
	"sync"
	"unsafe"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// Recent holds the newest kept draws of a chain's window. One goroutine changes them while another takes copies.
type Recent[F sampler.Float] struct {
	mu     sync.Mutex
	size   int
	theta  [][]F // places are made as draws come, and used in turn
	weight []float64
	n      int // draws in them
	next   int
	serial uint64 // changes with every change
	window uint64 // changes with every reset
}

// What the recent draws of a chain may take. A network too large for that keeps the
// fewest that have a spread to speak of.
const (
	recentBytes = 64 << 20
	leastRecent = 4
	mostRecent  = 32
)

// NewRecent holds draws of so many coordinates.
func NewRecent[F sampler.Float](dim int) *Recent[F] { return &Recent[F]{size: recentSize[F](dim)} }

// recentSize is how many draws of so many coordinates are held.
func recentSize[F sampler.Float](dim int) int {
	var x F
	fit := recentBytes / (dim * int(unsafe.Sizeof(x)))
	return min(max(fit, leastRecent), mostRecent)
}

// Size is how many draws there are at most.
func (r *Recent[F]) Size() int { return r.size }

// Len is how many draws there are.
func (r *Recent[F]) Len() int { return r.state().n }

// Add keeps a copy of a draw. Once all places are used it does not allocate.
func (r *Recent[F]) Add(theta []F, weight float64) {
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

// Reset opens a new window without draws.
func (r *Recent[F]) Reset() { r.drop(1) }

// Renew drops the draws to make room for others of the same window, such as the
// newest state of a chain that predicts by that alone.
func (r *Recent[F]) Renew() { r.drop(0) }

func (r *Recent[F]) drop(windows uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n, r.next = 0, 0
	r.serial++
	r.window += windows
}

// recentState tells draws apart from others.
type recentState struct {
	n              int
	serial, window uint64
}

func (r *Recent[F]) state() recentState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return recentState{r.n, r.serial, r.window}
}

// take copies draw i to dst and returns its weight. It reports false where there
// is no such draw, or not of that window.
func (r *Recent[F]) take(i int, window uint64, dst []F) (weight float64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if window != r.window || i >= r.n {
		return 0, false
	}
	copy(dst, r.theta[i])
	return r.weight[i], true
}
