// Package noise holds counter-based random streams.
//
// A stream is a key (seed, lane and chain, purpose, step), and a draw a pure function of its key and place. Results
// therefore do not depend on the caller, the order of calls or the number of cores.
package noise

// A Purpose distinguishes the streams of a chain.
type Purpose uint8

// The purposes.
const (
	Langevin       Purpose = iota // the injected noise of a Langevin step
	Minibatch                     // minibatch indices
	DriftGradient                 // gradient noise of the drift
	SecondGradient                // gradient noise of the second moment V
	Start                         // the random start
	Mask                          // what a network draws in its gradient: dropout, stochastic pooling
	Predict                       // draws of a variational family that predict
	Student                       // what a student network draws
	Accept                        // a method's own uniform numbers: acceptance, path lengths, sketches
	Shift                         // noise in images that are shown
	Probe                         // gradients that statistics take, beside those of the steps
)

// A Stream is the sequence of 128-bit Philox4x32-10 blocks of one key. The cipher is that of Salmon, Moraes, Dror and
// Shaw (2011), Parallel random numbers: as easy as 1, 2, 3; the seed is its key and its counter holds (block, step low,
// step high, lane·2¹⁶ + chain·2⁸ + purpose).
type Stream struct {
	k0, k1 uint32
	place  uint32
	step   uint64
}

// New returns the stream of (seed, lane, purpose) at step 0, of the lane's first chain. Lanes number up to 65,535.
func New(seed uint64, lane int, purpose Purpose) Stream {
	if lane < 0 || lane > 0xffff {
		panic("noise: lane out of range")
	}
	return Stream{k0: uint32(seed), k1: uint32(seed >> 32), place: uint32(lane)<<16 | uint32(purpose)}
}

// Of returns the stream of the same seed, lane and chain for another purpose.
func (s Stream) Of(purpose Purpose) Stream {
	s.place = s.place&^0xff | uint32(purpose)
	return s
}

// Chain returns the stream of the same seed, lane and purpose for a chain. Chains number
// up to 255, and a lane's first is 0.
func (s Stream) Chain(number int) Stream {
	if number < 0 || number > 0xff {
		panic("noise: chain out of range")
	}
	s.place = s.place&^0xff00 | uint32(number)<<8
	return s
}

// At returns the stream of the same key at another step.
func (s Stream) At(step uint64) Stream {
	s.step = step
	return s
}

// Block returns block i of the stream as two words, the cipher's first output lowest.
func (s Stream) Block(i uint32) (a, b uint64) {
	w0, w1, w2, w3 := philox(i, uint32(s.step), uint32(s.step>>32), s.place, s.k0, s.k1)
	return uint64(w1)<<32 | uint64(w0), uint64(w3)<<32 | uint64(w2)
}

// Words sets dst[i] to 32-bit word place+i of the stream, of which a block has four. It panics unless place is a
// multiple of 4 below 2³⁴. It makes a Stream a nets.Random.
func (s Stream) Words(dst []uint32, place uint64) {
	if place%4 != 0 || place>>34 != 0 {
		panic("noise: no such place")
	}
	for i := uint32(place / 4); len(dst) > 0; i++ {
		w0, w1, w2, w3 := philox(i, uint32(s.step), uint32(s.step>>32), s.place, s.k0, s.k1)
		if len(dst) < 4 {
			copy(dst, []uint32{w0, w1, w2, w3})
			return
		}
		dst[0], dst[1], dst[2], dst[3] = w0, w1, w2, w3
		dst = dst[4:]
	}
}

const (
	mul0  = 0xD2511F53
	mul1  = 0xCD9E8D57
	weyl0 = 0x9E3779B9
	weyl1 = 0xBB67AE85
)

// philox is Philox4x32-10: ten rounds, the key bumped by the Weyl constants between them.
func philox(c0, c1, c2, c3, k0, k1 uint32) (w0, w1, w2, w3 uint32) {
	for range 10 {
		c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
		k0, k1 = k0+weyl0, k1+weyl1
	}
	return c0, c1, c2, c3
}

// round is a round of the cipher. It takes scalars: the compiler would keep an array in memory.
func round(c0, c1, c2, c3, k0, k1 uint32) (w0, w1, w2, w3 uint32) {
	p0, p1 := uint64(c0)*mul0, uint64(c2)*mul1
	return uint32(p1>>32) ^ c1 ^ k0, uint32(p1), uint32(p0>>32) ^ c3 ^ k1, uint32(p0)
}
