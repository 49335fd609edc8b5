package noise

// Float is the arithmetic that normals are asked for in.
type Float interface{ ~float32 | ~float64 }

// Fill writes the stream's standard normals to dst. Normals 2b and 2b+1 come
// from block b by Box and Muller's transform,
//
//	r = √(-2 ln u), z_2b = r cos 2πv, z_2b+1 = r sin 2πv,
//
// with u ∈ (0, 1] and v ∈ [0, 1) of 53 and 62 bits, so |z| ≤ 8.58.
func Fill[F Float](s Stream, dst []F) {
	whole := 0 // filled in place
	if d, ok := any(dst).([]float64); ok {
		whole = len(d) &^ 1
		s.pairs(d[:whole], 0, 1, 0)
	}
	if whole < len(dst) {
		convert(s, dst[whole:], uint32(whole/2))
	}
}

// convert writes the normals of a stream from block on to dst by way of float64.
func convert[F Float](s Stream, dst []F, block uint32) {
	var z [2 * batch]float64
	for len(dst) > 0 {
		n := min(len(z), len(dst))
		s.pairs(z[:(n+1)&^1], block, 1, 0)
		for j, x := range z[:n] {
			dst[j] = F(x)
		}
		dst = dst[n:]
		block += batch
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

// prefetch is how many normals are made at once where a step needs few.
const prefetch = 256

// Normals hands out, step by step, the dim standard normals of a stream. The
// values are those of Fill at that step; Normals only makes several steps'
// worth at a time.
type Normals[F Float] struct {
	s      Stream
	dim    int
	row    int    // dim, rounded up to even
	lo, hi uint64 // steps in buf
	buf    []F
}

// NewNormals returns the normals of s for vectors of length dim.
func NewNormals[F Float](s Stream, dim int) *Normals[F] {
	row := (dim + 1) &^ 1
	return &Normals[F]{s: s, dim: dim, row: row, buf: make([]F, row*max(1, prefetch/max(row, 1)))}
}

// At returns the normals of a step. The slice is good until the next call.
func (n *Normals[F]) At(step uint64) []F {
	if step < n.lo || step >= n.hi {
		n.fill(step)
	}
	o := int(step-n.lo) * n.row
	return n.buf[o : o+n.dim : o+n.dim]
}

// widest is how many normals come from one vector of blocks at most.
const widest = 16

func (n *Normals[F]) fill(step uint64) {
	steps := len(n.buf) / max(n.row, 1)
	buf, float := any(n.buf).([]float64)
	switch {
	case float && n.row == 2:
		n.s.At(step).pairs(buf, 0, 0, 1)
	case n.row < widest:
		n.fillAcross(step, steps)
	default:
		for i := range steps {
			Fill(n.s.At(step+uint64(i)), n.buf[i*n.row:(i+1)*n.row])
		}
	}
	n.lo, n.hi = step, step+uint64(steps)
}

// fillAcross makes the first pair of all steps, then the second and so on: where
// a step has few pairs, several steps fill a vector.
func (n *Normals[F]) fillAcross(step uint64, steps int) {
	var z [2 * batch]float64
	for i := 0; i < steps; i += batch {
		at := n.s.At(step + uint64(i))
		chunk := z[:2*min(batch, steps-i)]
		for k := 0; k < n.row; k += 2 {
			at.pairs(chunk, uint32(k/2), 0, 1)
			o := i*n.row + k
			for j := 0; j < len(chunk); j += 2 {
				n.buf[o], n.buf[o+1] = F(chunk[j]), F(chunk[j+1])
				o += n.row
			}
		}
	}
}
