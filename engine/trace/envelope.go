package trace

import "github.com/psgld/psgld-tui/metrics"

// Envelope holds the path of the tracked coordinates over a whole run in bounded memory. It divides the draws into bins
// of equal size. Of each bin it has the least and the greatest value, and the mean of the window's draws up to its end.
// At first a bin is one draw. When all bins are full, pairs of them are merged.
//
// What it holds depends on the draws alone, and not on how they are cut into blocks.
type Envelope struct {
	dim, most int
	per       uint64   // draws of a bin
	fill      uint64   // draws of the newest bin
	ends      []uint64 // step of each bin's last draw
	// A coordinate after the other, most values each.
	lo, hi, mean []float64
	// The window's sums of the draws and their weights.
	sums   []float64
	weight float64
}

// NewEnvelope makes an envelope of dim coordinates with most bins, an even number.
func NewEnvelope(dim, most int) *Envelope {
	all := make([]float64, dim*(3*most+1))
	part := func(n int) (p []float64) {
		p, all = all[:n:n], all[n:]
		return p
	}
	return &Envelope{
		dim: dim, most: most, per: 1, ends: make([]uint64, 0, most),
		lo: part(dim * most), hi: part(dim * most), mean: part(dim * most), sums: part(dim),
	}
}

// Bytes is the memory of the envelope.
func (e *Envelope) Bytes() int { return 8 * (3*len(e.lo) + len(e.sums) + e.most) }

// BytesBeyond is 0: clones share nothing.
func (e *Envelope) BytesBeyond(metrics.Recorder) int { return 0 }

// Clone returns a copy of e.
func (e *Envelope) Clone() metrics.Recorder {
	k := new(Envelope)
	k.Set(e)
	return k
}

// Set makes e a copy of clone in the memory of e.
func (e *Envelope) Set(clone metrics.Recorder) {
	o := clone.(*Envelope)
	own := *e
	*e = *o
	e.ends = append(own.ends[:0], o.ends...)
	e.lo, e.hi = append(own.lo[:0], o.lo...), append(own.hi[:0], o.hi...)
	e.mean, e.sums = append(own.mean[:0], o.mean...), append(own.sums[:0], o.sums...)
}

// NewWindow begins the running mean of a window.
func (e *Envelope) NewWindow() {
	clear(e.sums)
	e.weight = 0
}

// Add adds the draws of a block. It does not allocate.
func (e *Envelope) Add(b *metrics.Block) {
	least, most, _ := metrics.Extent(b.W[:b.N])
	even := least == most
	for j := 0; j < b.N; {
		if n := len(e.ends); n == 0 || e.fill >= e.per {
			if n == e.most {
				e.merge()
			}
			e.ends, e.fill = append(e.ends, 0), 0
		}
		at, m := len(e.ends)-1, int(min(uint64(b.N-j), e.per-e.fill))
		weights := b.W[j : j+m]
		if even {
			e.weight += float64(b.W[0] * float64(m))
		} else {
			for _, w := range weights {
				e.weight += w
			}
		}
		for i := range e.dim {
			xs := b.Col(i)[j:][:m]
			k := i*e.most + at
			lo, hi, sum := metrics.Extent(xs)
			if e.fill > 0 {
				lo, hi = min(lo, e.lo[k]), max(hi, e.hi[k])
			}
			if even {
				sum *= b.W[0]
			} else {
				sum = 0
				for n, x := range xs {
					sum += float64(weights[n] * x)
				}
			}
			e.sums[i] += sum
			e.lo[k], e.hi[k], e.mean[k] = lo, hi, e.sums[i]/e.weight
		}
		j += m
		e.fill += uint64(m)
		e.ends[at] = b.Last - uint64(b.N-j)*b.Every
	}
}

// merge makes one bin of every two.
func (e *Envelope) merge() {
	n := len(e.ends) / 2
	for k := range n {
		e.ends[k] = e.ends[2*k+1]
	}
	for i := range e.dim {
		lo, hi, mean := e.column(e.lo, i), e.column(e.hi, i), e.column(e.mean, i)
		for k := range n {
			lo[k], hi[k], mean[k] = min(lo[2*k], lo[2*k+1]), max(hi[2*k], hi[2*k+1]), mean[2*k+1]
		}
	}
	e.ends, e.per = e.ends[:n], 2*e.per
	e.fill = e.per
}

// column is a coordinate's part of the values.
func (e *Envelope) column(of []float64, i int) []float64 { return of[i*e.most:][:len(e.ends)] }

// Cut drops the bins that end after a step, which a rewind has undone.
func (e *Envelope) Cut(step uint64) {
	n := len(e.ends)
	for n > 0 && e.ends[n-1] > step {
		n--
	}
	if n < len(e.ends) {
		e.ends, e.fill = e.ends[:n], e.per
	}
}

// Bins returns the step of the last draw of each bin, oldest first, valid until the next Add.
func (e *Envelope) Bins() (ends []uint64) { return e.ends }

// Of returns the least and the greatest value of a coordinate in each bin, and the window's
// mean at its end, valid until the next Add.
func (e *Envelope) Of(i int) (lo, hi, mean []float64) {
	return e.column(e.lo, i), e.column(e.hi, i), e.column(e.mean, i)
}
