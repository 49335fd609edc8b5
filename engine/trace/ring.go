package trace

import "github.com/psgld/psgld-tui/metrics"

// Ring holds the newest draws of the tracked coordinates.
type Ring struct {
	n    int // capacity of each coordinate
	x    []float64
	next int
	have int // draws in it
	steps
}

// steps are those of the newest draws that lie evenly.
type steps struct {
	last, every uint64
	count       int
}

// add counts n draws, every so many steps apart up to the last.
func (s *steps) add(n int, last, every uint64) {
	if s.count == 0 || s.every != every || s.last+uint64(n)*every != last {
		*s = steps{every: every}
	}
	s.last, s.count = last, s.count+n
}

// NewRing makes room for the newest n draws of dim coordinates.
func NewRing(dim, n int) *Ring { return &Ring{n: n, x: make([]float64, dim*n)} }

// Bytes is the memory of the ring.
func (r *Ring) Bytes() int { return 8 * len(r.x) }

// BytesBeyond is 0: clones share nothing.
func (r *Ring) BytesBeyond(metrics.Recorder) int { return 0 }

// Clone returns a copy of r.
func (r *Ring) Clone() metrics.Recorder {
	k := new(Ring)
	k.Set(r)
	return k
}

// Set makes r a copy of clone in the memory of r.
func (r *Ring) Set(clone metrics.Recorder) {
	o := clone.(*Ring)
	x := append(r.x[:0], o.x...)
	*r = *o
	r.x = x
}

// NewWindow does nothing: the newest draws may be of several windows.
func (r *Ring) NewWindow() {}

// Add adds the draws of a block.
func (r *Ring) Add(b *metrics.Block) {
	r.add(b.N, b.Last, b.Every)
	for j := 0; j < b.N; {
		m := min(b.N-j, r.n-r.next)
		for i := range b.Dim {
			copy(r.x[i*r.n+r.next:i*r.n+r.next+m], b.Col(i)[j:j+m])
		}
		j += m
		r.advance(m)
	}
}

// advance counts n values written, which do not go beyond the end of the ring.
func (r *Ring) advance(n int) {
	r.next = (r.next + n) % r.n
	r.have = min(r.have+n, r.n)
}

// Cut drops the draws after a step, which a rewind has undone: all, if it is not known which these are.
func (r *Ring) Cut(step uint64) {
	if r.last <= step {
		return
	}
	undone := int(min((r.last-step+r.every-1)/r.every, uint64(r.count)))
	if undone == r.count {
		r.next, r.have, r.steps = 0, 0, steps{}
		return
	}
	r.count -= undone
	r.last -= uint64(undone) * r.every
	undone = min(undone, r.have)
	r.next, r.have = (r.next-undone+r.n)%r.n, r.have-undone
}

// Newest returns the step of the newest draw, from which the newest count draws lie every
// so many steps back. The count is 0 without draws.
func (r *Ring) Newest() (last, every uint64, count int) { return r.last, r.every, min(r.count, r.have) }

// Append appends the newest at most limit values of a coordinate, oldest first.
func (r *Ring) Append(dst []float64, i, limit int) []float64 {
	col := r.x[i*r.n : (i+1)*r.n]
	for k := min(limit, r.have); k > 0; k-- {
		dst = append(dst, col[(r.next-k+r.n)%r.n])
	}
	return dst
}
