package noise

import "github.com/psgld/psgld-tui/nets/tool/simd"

// Float is the arithmetic that normals are asked for in.
type Float interface{ ~float32 | ~float64 }

// Fill writes the stream's standard normals to dst, which is of float64 or float32 itself. In float64, normals 2b and
// 2b+1 come from block b by Box and Muller's transform,
//
//	r = √(-2 ln u), z_2b = r cos 2πv, z_2b+1 = r sin 2πv,
//
// with u ∈ (0, 1] and v ∈ [0, 1) of 53 and 62 bits, so that |z| ≤ 8.58. In float32 a block makes four normals from
// words of 32 bits, so that |z| ≤ 6.67, in the order of groupsGeneric. They differ from those in float64.
func Fill[F Float](s Stream, dst []F) {
	switch d := any(dst).(type) {
	case []float64:
		s.float64(d)
	case []float32:
		var k Schedule
		s.Schedule(&k)
		k.Float32(d, 0)
	default:
		panic("noise: normals are made in float32 and float64")
	}
}

// float64 writes the normals of the stream's step to dst.
func (s Stream) float64(dst []float64) {
	n := len(dst) / 2
	s.pairs(dst, n, 2, 0, 1, 0)
	if 2*n < len(dst) {
		var z [2]float64
		s.pairs(z[:], 1, 2, uint32(n), 0, 0)
		dst[2*n] = z[0]
	}
}

// pairs writes the normals of n blocks to dst, a pair every so many places. The first is the block numbered block at
// the stream's step; from one to the next the number grows by dBlock and the step by dStep.
func (s Stream) pairs(dst []float64, n, stride int, block, dBlock, dStep uint32) {
	for n > 0 {
		m := min(n, batch)
		if dStep != 0 { // up to where the step's low half overflows
			m = int(min(uint64(m), 1<<32-uint64(uint32(s.step))))
		}
		pairs(simd.Active, dst, m, stride, block, dBlock, uint32(s.step), dStep, uint32(s.step>>32), s.place,
			s.k0, s.k1)
		if n -= m; n == 0 {
			return
		}
		dst = dst[m*stride:]
		block += uint32(m) * dBlock
		s.step += uint64(m) * uint64(dStep)
	}
}

// prefetch is the number of normals that are made at once where a step needs few.
const prefetch = 2 * batch

// Normals returns the standard normals of each step of a stream, as Fill makes them at that step, or those of several
// streams, one after the other. In float64 it makes those of several steps at a time where a step needs few.
type Normals[F Float] struct {
	of     []Stream
	dim    int         // of each stream
	row    int         // places of a step in buf
	lo, hi uint64      // steps in buf
	buf    []F         // made when first needed
	joined *Normals[F] // has these normals too, from place on; may be nil
	place  int
}

// NewNormals returns the normals of s for vectors of length dim.
func NewNormals[F Float](s Stream, dim int) *Normals[F] {
	return &Normals[F]{of: []Stream{s}, dim: dim, row: dim + dim%2}
}

// Join returns the normals of several vectors of one length, one after the other. Each vector's own
// are from then on taken from there, where they are made already.
func Join[F Float](all []*Normals[F]) *Normals[F] {
	if len(all) == 1 {
		return all[0]
	}
	dim := all[0].dim
	n := &Normals[F]{dim: dim, row: len(all)*dim + dim%2}
	for k, part := range all {
		n.of = append(n.of, part.of...)
		part.joined, part.place = n, k*dim
	}
	return n
}

// Stream is the source of the normals, for callers that make them themselves.
func (n *Normals[F]) Stream() Stream { return n.of[0] }

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
	o, size := int(step-n.lo)*n.row, len(n.of)*n.dim
	return n.buf[o : o+size : o+size]
}

// widest is the most normals of a step that are made for several steps at a time.
const widest = 16

func (n *Normals[F]) fill(step uint64) {
	if j := n.joined; j != nil && step >= j.lo && step < j.hi {
		n.Put(step, j.At(step)[n.place:][:n.dim])
		return
	}
	if n.buf == nil {
		n.buf = make([]F, n.row*n.rows())
	}
	steps := n.rows()
	for k, s := range n.of {
		s, own := s.At(step), n.buf[k*n.dim:]
		z, ok := any(own).([]float64)
		switch {
		case !ok:
			Fill(s, own[:n.dim])
		case n.dim < widest:
			// The second of an odd vector's last pair goes where the next vector begins, or beyond all.
			for i := 0; i < n.dim; i += 2 {
				s.pairs(z[i:], steps, n.row, uint32(i/2), 0, 1)
			}
		default:
			for i := range steps {
				s.At(step + uint64(i)).float64(z[i*n.row:][:n.dim])
			}
		}
	}
	n.lo, n.hi = step, step+uint64(steps)
}

// rows is the number of steps whose normals are made at once.
func (n *Normals[F]) rows() int {
	if _, ok := any(n.buf).([]float64); !ok {
		return 1
	}
	return max(1, prefetch/max(n.dim+n.dim%2, 1))
}
