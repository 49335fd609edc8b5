package noise

import (
	"fmt"
	"math/bits"
)

// A Draw says how minibatches are drawn from N data.
type Draw uint8

const (
	// Shuffle visits each datum once an epoch, in an order drawn anew for each epoch. A batch that straddles two epochs
	// takes from both, and may then hold a datum twice.
	Shuffle Draw = iota
	// Subset draws n different data at each step, independently of other steps:
	// the paper's "subset of n < N data items randomly chosen" (Preliminaries).
	Subset
	// Replace draws n data at each step, each uniformly from all N.
	Replace
)

var drawNames = [...]string{"shuffle", "subset", "replace"}

func (d Draw) String() string { return drawNames[d] }

// MarshalText writes the name of d.
func (d Draw) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a name that MarshalText wrote.
func (d *Draw) UnmarshalText(b []byte) error {
	for i, n := range drawNames {
		if n == string(b) {
			*d = Draw(i)
			return nil
		}
	}
	return fmt.Errorf("must be shuffle, subset or replace, got %q", b)
}

// Batches returns the minibatch indices of each step. They are a function of the stream's key, N, n, draw and step
// alone: two lanes with one stream see the same minibatches, and a rewound step sees its minibatch again.
type Batches struct {
	s     Stream
	total int
	draw  Draw
	epoch uint64 // whose order perm holds; ^0 for none
	perm  []int32
	out   []int32
}

// NewBatches returns the minibatches of total data that a stream draws.
func NewBatches(s Stream, total int, d Draw) *Batches {
	b := &Batches{s: s, total: total, draw: d, epoch: ^uint64(0)}
	if d != Replace {
		b.perm = make([]int32, total)
		b.identity()
	}
	return b
}

// Of makes the data so many, from the next step on.
func (b *Batches) Of(total int) {
	if total != b.total {
		*b = *NewBatches(b.s, total, b.draw)
	}
}

// At returns the n indices of a step. The slice is valid until the next call. It is nil
// for all the data, as targets have it.
func (b *Batches) At(step uint64, n int) []int32 {
	if n <= 0 || n >= b.total {
		return nil
	}
	if cap(b.out) < n {
		b.out = make([]int32, n)
	}
	b.out = b.out[:n]
	switch b.draw {
	case Shuffle:
		b.shuffled(step, uint64(n))
	case Subset:
		b.subset(step)
	case Replace:
		u := uniform{s: b.s.At(step)}
		for i := range b.out {
			b.out[i] = int32(u.below(uint64(b.total)))
		}
	}
	return b.out
}

func (b *Batches) shuffled(step, n uint64) {
	hi, lo := bits.Mul64(step, n)
	epoch, at := bits.Div64(hi%uint64(b.total), lo, uint64(b.total))
	for i := 0; i < int(n); {
		b.order(epoch)
		c := copy(b.out[i:], b.perm[at:])
		i, at, epoch = i+c, 0, epoch+1
	}
}

// order makes perm the order of an epoch, by Fisher and Yates' shuffle.
func (b *Batches) order(epoch uint64) {
	if b.epoch == epoch {
		return
	}
	b.identity()
	u := uniform{s: b.s.At(epoch)}
	for i := b.total - 1; i > 0; i-- {
		j := u.below(uint64(i + 1))
		b.perm[i], b.perm[j] = b.perm[j], b.perm[i]
	}
	b.epoch = epoch
}

// subset takes the first n places of a shuffle and then undoes its swaps, so
// that it costs O(n) and perm is the identity again.
func (b *Batches) subset(step uint64) {
	u := uniform{s: b.s.At(step)}
	n := len(b.out)
	for i := range n {
		j := i + int(u.below(uint64(b.total-i)))
		b.perm[i], b.perm[j] = b.perm[j], b.perm[i]
		b.out[i] = b.perm[i]
	}
	u = uniform{s: b.s.At(step)}
	for i := range n {
		// The swapped places are those of the identity's own first n, and of j.
		j := i + int(u.below(uint64(b.total-i)))
		b.perm[i], b.perm[j] = int32(i), int32(j)
	}
}

func (b *Batches) identity() {
	for i := range b.perm {
		b.perm[i] = int32(i)
	}
}

// uniform draws whole numbers from a stream, two to a block.
type uniform struct {
	s     Stream
	block uint32 // the first that is not in words
	used  uint   // draws made
	words [4]uint64
}

// below returns a draw from 0..n-1, even to n/2⁶⁴.
func (u *uniform) below(n uint64) uint64 {
	if u.used%4 == 0 {
		u.fill()
	}
	hi, _ := bits.Mul64(u.words[u.used%4], n)
	u.used++
	return hi
}

// fill makes the words of two blocks side by side, so that the processor works on both.
func (u *uniform) fill() {
	s := &u.s
	a0, a1, a2, a3 := u.block, uint32(s.step), uint32(s.step>>32), s.place
	b0, b1, b2, b3 := u.block+1, a1, a2, a3
	k0, k1 := s.k0, s.k1
	for range 10 {
		a0, a1, a2, a3 = round(a0, a1, a2, a3, k0, k1)
		b0, b1, b2, b3 = round(b0, b1, b2, b3, k0, k1)
		k0, k1 = k0+weyl0, k1+weyl1
	}
	u.words = [4]uint64{uint64(a1)<<32 | uint64(a0), uint64(a3)<<32 | uint64(a2), uint64(b1)<<32 | uint64(b0),
		uint64(b3)<<32 | uint64(b2)}
	u.block += 2
}
