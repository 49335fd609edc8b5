package noise

import "math"

// Float is the arithmetic that normals are asked for in.
type Float interface{ ~float32 | ~float64 }

// Fill writes the stream's standard normals to dst, which is of float64 or
// float32 itself. In float64, normals 2b and 2b+1 come from block b by Box and
// Muller's transform,
//
//	r = √(-2 ln u), z_2b = r cos 2πv, z_2b+1 = r sin 2πv,
//
// with u ∈ (0, 1] and v ∈ [0, 1) of 53 and 62 bits, so that |z| ≤ 8.58. In float32 a
// block makes four normals from words of 32 bits, so that |z| ≤ 6.67, in the order of
// groupsGeneric. They differ from those in float64.
func Fill[F Float](s Stream, dst []F) {
	switch d := any(dst).(type) {
	case []float64:
		s.float64(d, 0)
	case []float32:
		var k Schedule
		s.Schedule(&k)
		k.Float32(d, 0)
	default:
		panic("noise: normals are made in float32 and float64")
	}
}

// float64 writes the normals of a stream from block on to dst.
func (s Stream) float64(dst []float64, block uint32) {
	whole := len(dst) &^ 1
	s.pairs(dst[:whole], block, 1, 0)
	if whole < len(dst) {
		var z [2]float64
		s.pairs(z[:], block+uint32(whole/2), 1, 0)
		dst[whole] = z[0]
	}
}

// pairs writes the normals of len(dst)/2 blocks to dst. The first is the block
// numbered block at the stream's step; from one to the next the number grows by
// dBlock and the step by dStep.
func (s Stream) pairs(dst []float64, block, dBlock, dStep uint32) {
	for len(dst) > 0 {
		n := min(len(dst)/2, batch)
		if dStep != 0 { // up to where the step's low half overflows
			n = int(min(uint64(n), 1<<32-uint64(uint32(s.step))))
		}
		active.pairs(dst[:2*n], block, dBlock, uint32(s.step), dStep, uint32(s.step>>32), s.place, s.k0, s.k1)
		dst = dst[2*n:]
		block += uint32(n) * dBlock
		s.step += uint64(n) * uint64(dStep)
	}
}

// prefetch is the number of normals that are made at once where a step needs few.
const prefetch = 2 * batch

// Normals returns the dim standard normals of each step of a stream, as Fill makes them
// at that step. In float64 it makes those of several steps at a time where a step needs
// few.
type Normals[F Float] struct {
	s      Stream
	dim    int
	row    int    // dim, rounded up to even
	lo, hi uint64 // steps in buf
	buf    []F    // made when first needed
	joined []*Normals[F]
}

// NewNormals returns the normals of s for vectors of length dim.
func NewNormals[F Float](s Stream, dim int) *Normals[F] {
	return &Normals[F]{s: s, dim: dim, row: (dim + 1) &^ 1}
}

// Join returns the normals of several vectors of one length, one after the other. They are
// those that the vectors' own have in memory, or next put there.
func Join[F Float](all []*Normals[F]) *Normals[F] {
	if len(all) == 1 {
		return all[0]
	}
	dim := len(all) * all[0].dim
	return &Normals[F]{s: all[0].s, dim: dim, row: dim, joined: all}
}

// Stream is the source of the normals, for callers that make them themselves.
func (n *Normals[F]) Stream() Stream { return n.s }

// Put makes a copy of z the normals of a step, until those of another are asked for.
func (n *Normals[F]) Put(step uint64, z []F) {
	if n.buf == nil {
		n.buf = make([]F, n.row*n.rows())
	}
	copy(n.buf, z)
	n.lo, n.hi = step, step+1
}

// At returns the normals of a step. The slice is valid until the next call.
func (n *Normals[F]) At(step uint64) []F {
	if step < n.lo || step >= n.hi {
		n.fill(step)
	}
	o := int(step-n.lo) * n.row
	return n.buf[o : o+n.dim : o+n.dim]
}

// widest is the most normals that come from one vector of blocks.
const widest = 16

func (n *Normals[F]) fill(step uint64) {
	if n.joined != nil {
		n.join(step)
		return
	}
	if n.buf == nil {
		n.buf = make([]F, n.row*n.rows())
	}
	steps := n.rows()
	buf, ok := any(n.buf).([]float64)
	switch {
	case !ok:
		Fill(n.s.At(step), n.buf[:n.dim])
	case n.row == 2:
		n.s.At(step).pairs(buf, 0, 0, 1)
	case n.row < widest:
		n.s.At(step).across(buf, n.row)
	default:
		for i := range steps {
			n.s.At(step+uint64(i)).float64(buf[i*n.row:(i+1)*n.row], 0)
		}
	}
	n.lo, n.hi = step, step+uint64(steps)
}

// join fills the memory of joined normals from a step on, for as many steps as all have.
func (n *Normals[F]) join(step uint64) {
	if n.buf == nil {
		n.buf = make([]F, n.row*n.joined[0].rows())
	}
	n.lo, n.hi = step, math.MaxUint64
	for _, part := range n.joined {
		part.At(step)
		n.hi = min(n.hi, part.hi)
	}
	end := int(n.hi-n.lo) * n.row
	for k, part := range n.joined {
		to, from := n.buf[:end], part.buf[int(step-part.lo)*part.row:]
		for i := 0; i < part.dim; i += 2 {
			second := min(i+1, part.dim-1) // the same place at the end of an odd row
			one, two := k*part.dim+i, k*part.dim+second
			for o := i; two < len(to) && o+1 < len(from); o += part.row {
				to[two], to[one] = from[o+1], from[o]
				one, two = one+n.row, two+n.row
			}
		}
	}
}

// rows is the number of steps whose normals are made at once.
func (n *Normals[F]) rows() int {
	if _, ok := any(n.buf).([]float64); !ok {
		return 1
	}
	return max(1, prefetch/max(n.row, 1))
}

// across makes the first pair of all steps of buf, then the second and so on:
// where a step has few pairs, several steps fill a vector.
func (s Stream) across(buf []float64, row int) {
	var z [2 * batch]float64
	steps := len(buf) / row
	for i := 0; i < steps; i += batch {
		at := s.At(s.step + uint64(i))
		chunk := z[:2*min(batch, steps-i)]
		for k := 0; k < row; k += 2 {
			at.pairs(chunk, uint32(k/2), 0, 1)
			o := i*row + k
			for j := 0; j < len(chunk); j += 2 {
				buf[o], buf[o+1] = chunk[j], chunk[j+1]
				o += row
			}
		}
	}
}
