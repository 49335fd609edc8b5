package metrics

import (
	"fmt"
	"slices"
)

// Keeper keeps the draws of one chain within a budget, for statistics that need all of them, such as
// ranks. When the budget is reached it drops every second draw, and from then on keeps half as many of
// the new ones. This repeats. The draws that are kept are number e, 2e, 3e, ... with e = Every(), a
// power of two. They are a function of the sequence of draws alone.
//
// Draws lie in blocks. A Clone shares the full blocks, which never change, and copies the open one. So it takes the
// same time for any number of draws. A clone may be read in one goroutine while the original goes on in another.
//
// Weights are not kept. Ranks, R-hat and ESS are those of the draws as they come.
type Keeper struct {
	dim    int
	length int    // of a block, in draws
	budget int    // draws kept at most, a multiple of 2·length
	every  uint64 // a power of two
	seen   uint64
	full   [][]float64 // blocks: columns of length values
	shared int         // so many of them, from the first on, clones may have too
	open   []float64   // nil while empty
	fill   int         // draws in it
	spare  [][]float64 // blocks without draws
}

// DefaultKept is how many draws are kept of a chain whose coordinates are few.
const DefaultKept = 1 << 20

// NewKeeper returns a keeper of chains of dim coordinates. budget is how many draws it keeps at most;
// it is rounded down to one that can be halved, but not below 256.
func NewKeeper(dim, budget int) *Keeper {
	if dim < 1 || budget < 1 {
		panic(fmt.Sprintf("metrics: a keeper of %d coordinates and %d draws", dim, budget))
	}
	k := &Keeper{dim: dim, every: 1, length: 1024}
	for k.length > 64 && (k.length*dim > 1<<16 || 4*k.length > budget) {
		k.length /= 2
	}
	k.budget = max(budget/(2*k.length), 2) * 2 * k.length
	return k
}

// Add takes the draws of b in order and does not keep b. It allocates a block now and then until the budget is reached.
// When it drops every second draw, it allocates blocks for the rest of those that clones share.
func (k *Keeper) Add(b *Block) {
	if b.Dim != k.dim {
		panic(fmt.Sprintf("metrics: a block of %d coordinates added to a keeper of %d", b.Dim, k.dim))
	}
	for at := 0; at < b.N; {
		// The next draw that is kept is the one after which the count is a multiple of every.
		first := at + int((k.every-1)-k.seen%k.every)
		if first >= b.N {
			k.seen += uint64(b.N - at)
			return
		}
		if k.open == nil {
			k.open = k.block()
		}
		count := min((b.N-1-first)/int(k.every)+1, k.length-k.fill)
		for i := range k.dim {
			dst, src := k.open[i*k.length+k.fill:][:count], b.Col(i)[first:]
			if k.every == 1 {
				copy(dst, src)
				continue
			}
			for j := range dst {
				dst[j] = src[j*int(k.every)]
			}
		}
		end := first + (count-1)*int(k.every) + 1
		k.seen += uint64(end - at)
		at = end
		k.fill += count
		if k.fill == k.length {
			k.full, k.open, k.fill = append(k.full, k.open), nil, 0
			if len(k.full)*k.length == k.budget {
				k.halve()
			}
		}
	}
}

// block returns memory for a block.
func (k *Keeper) block() []float64 {
	n := len(k.spare)
	if n == 0 {
		return make([]float64, k.dim*k.length)
	}
	b := k.spare[n-1]
	k.spare = k.spare[:n-1]
	return b
}

// halve drops every second draw. All blocks are full.
func (k *Keeper) halve() {
	half := make([][]float64, 0, k.budget/k.length)
	for n := 0; n < len(k.full); n += 2 {
		b := k.full[n]
		if n < k.shared {
			b = make([]float64, k.dim*k.length)
		}
		for i := range k.dim {
			dst := b[i*k.length:][:k.length]
			second(dst[:k.length/2], k.full[n][i*k.length:][:k.length])
			second(dst[k.length/2:], k.full[n+1][i*k.length:][:k.length])
		}
		half = append(half, b)
		if n+1 >= k.shared {
			k.spare = append(k.spare, k.full[n+1])
		}
	}
	k.full, k.shared = half, 0
	k.every *= 2
}

// second sets dst to every second value of src, from its second on; dst may be the first half of src. The lengths are
// powers of two.
func second(dst, src []float64) {
	for ; len(dst) >= 4; dst, src = dst[4:], src[8:] {
		s := src[:8]
		dst[0], dst[1], dst[2], dst[3] = s[1], s[3], s[5], s[7]
	}
}

// Len returns how many draws are kept.
func (k *Keeper) Len() int { return len(k.full)*k.length + k.fill }

// Every returns e: one of e draws is kept.
func (k *Keeper) Every() uint64 { return k.every }

// Append appends the kept values of coordinate i to dst, oldest first. It returns dst and e, where one of e draws is
// there. If most > 0 and more draws are kept, e is the least power of two that gives at most so many. It panics if i is
// no coordinate.
func (k *Keeper) Append(dst []float64, i, most int) ([]float64, uint64) {
	if i < 0 || i >= k.dim {
		panic(fmt.Sprintf("metrics: coordinate %d of %d", i, k.dim))
	}
	step := 1
	for most > 0 && k.Len()/step > most {
		step *= 2
	}
	next := step - 1 // of all that are kept
	for n := range len(k.full) + 1 {
		b, used := k.open, k.fill
		if n < len(k.full) {
			b, used = k.full[n], k.length
		}
		for ; next < used; next += step {
			dst = append(dst, b[i*k.length+next])
		}
		next -= used
	}
	return dst, k.every * uint64(step)
}

// Newest appends to dst the values of coordinate i of n kept draws, the newest of those whose number among the kept,
// from 1 on, is a multiple of stride, oldest first, and returns dst. There are fewer if fewer are kept. It panics if i
// is no coordinate or stride < 1.
func (k *Keeper) Newest(dst []float64, i, n, stride int) []float64 {
	if i < 0 || i >= k.dim || stride < 1 {
		panic(fmt.Sprintf("metrics: coordinate %d of %d, every %d", i, k.dim, stride))
	}
	last := k.Len() / stride * stride
	n = max(min(n, last/stride), 0)
	for at := last - 1 - (n-1)*stride; at < last; at += stride {
		b := k.open
		if at/k.length < len(k.full) {
			b = k.full[at/k.length]
		}
		dst = append(dst, b[i*k.length+at%k.length])
	}
	return dst
}

// Clone returns a keeper with the same draws, which shares the full blocks.
func (k *Keeper) Clone() Recorder {
	k.shared = max(k.shared, len(k.full))
	k.full = slices.Clip(k.full) // copied where either grows, so that neither holds what the other adds
	c := *k
	c.open, c.spare = slices.Clone(k.open), nil
	return &c
}

// Set makes k what clone is. It shares the full blocks with it.
func (k *Keeper) Set(clone Recorder) { *k = *clone.Clone().(*Keeper) }

// Cut does nothing: a window has no draws when it begins.
func (k *Keeper) Cut(uint64) {}

// NewWindow forgets the draws. Clones keep theirs.
func (k *Keeper) NewWindow() {
	*k = Keeper{dim: k.dim, length: k.length, budget: k.budget, every: 1}
}

// Bytes is about what a keeper takes without its full blocks, which clones share.
func (k *Keeper) Bytes() int {
	n := len(k.spare)
	if k.open != nil {
		n++
	}
	return n * k.blockBytes()
}

// BytesBeyond is what the full blocks take that clone, which may be nil, does not have in the same places.
func (k *Keeper) BytesBeyond(clone Recorder) int {
	o, _ := clone.(*Keeper)
	n := 0
	for i, b := range k.full {
		if o == nil || i >= len(o.full) || &o.full[i][0] != &b[0] {
			n++
		}
	}
	return n * k.blockBytes()
}

func (k *Keeper) blockBytes() int { return 8 * k.length * k.dim }
