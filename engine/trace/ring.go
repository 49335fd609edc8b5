package trace

import "github.com/psgld/psgld-tui/metrics"

// Ring holds the newest draws of the tracked coordinates.
type Ring struct {
	n    int // capacity of each coordinate
	x    []float64
	next int
	full bool
}

// NewRing makes room for the newest n draws of dim coordinates.
func NewRing(dim, n int) Ring { return Ring{n: n, x: make([]float64, dim*n)} }

// Bytes is the memory of the ring.
func (r *Ring) Bytes() int { return 8 * len(r.x) }

// Set makes r a copy of o in the memory of r.
func (r *Ring) Set(o *Ring) {
	x := append(r.x[:0], o.x...)
	*r = *o
	r.x = x
}

// Add adds the draws of a block.
func (r *Ring) Add(b *metrics.Block) {
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
	if r.next += n; r.next == r.n {
		r.next, r.full = 0, true
	}
}

// Append appends the newest at most limit values of a coordinate, oldest
// first.
func (r *Ring) Append(dst []float64, i, limit int) []float64 {
	col := r.x[i*r.n : (i+1)*r.n]
	have := r.next
	if r.full {
		have = r.n
	}
	for k := min(limit, have); k > 0; k-- {
		dst = append(dst, col[(r.next-k+r.n)%r.n])
	}
	return dst
}
