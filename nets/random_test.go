package nets

import "math"

// philox is a Random of Philox4x32-10 blocks, of a cost like the engine's.
type philox struct{ key uint64 }

func (p philox) Words(dst []uint32, place uint64) {
	if place%4 != 0 {
		panic("no such place")
	}
	for i := place / 4; len(dst) > 0; i++ {
		c0, c1, c2, c3 := uint32(i), uint32(i>>32), uint32(0), uint32(0)
		k0, k1 := uint32(p.key), uint32(p.key>>32)
		for range 10 {
			a, b := uint64(c0)*0xD2511F53, uint64(c2)*0xCD9E8D57
			c0, c1, c2, c3 = uint32(b>>32)^c1^k0, uint32(b), uint32(a>>32)^c3^k1, uint32(a)
			k0, k1 = k0+0x9E3779B9, k1+0xBB67AE85
		}
		if len(dst) < 4 {
			copy(dst, []uint32{c0, c1, c2, c3})
			return
		}
		dst[0], dst[1], dst[2], dst[3] = c0, c1, c2, c3
		dst = dst[4:]
	}
}

// draws is what a network draws for an example, by the documented places of the
// bits, with a word asked for each.
type draws struct {
	Random
	row  uint64 // where its words begin
	keep Keep
	sd   float64 // of the inputs' jitter
	// factors are those of drop, by their place.
	factors map[uint64][]float64
}

// newDraws is for an example at a place of a minibatch.
func newDraws(n *Network, r Random, place int, keep Keep, sd float64) *draws {
	return &draws{r, uint64(place) * uint64(n.words), keep, sd, map[uint64][]float64{}}
}

func (d *draws) word(place uint64) uint32 {
	var w [4]uint32
	place += d.row
	d.Words(w[:], place&^3)
	return w[place%4]
}

// drop multiplies x[i] by 1/p if a number of 32 binary digits is below p·2³². The
// digits are bits i mod 32 of words that are four apart, the highest first.
func (d *draws) drop(x []float64, place uint64, p float64) {
	threshold := math.RoundToEven(p * (1 << 32))
	if threshold == 1<<32 {
		return
	}
	factors := d.factors[place]
	for i := len(factors); i < len(x); i++ {
		u, f := uint32(0), 0.0
		for digit := range uint64(32) {
			w := d.word(place + uint64(i/128*(32*4)+i%128/32) + 4*digit)
			u = u<<1 | w>>(i%32)&1
		}
		if float64(u) < threshold {
			f = (1 << 32) / threshold
		}
		factors = append(factors, f)
	}
	d.factors[place] = factors
	for i, f := range factors {
		x[i] *= f
	}
}

// jitter adds normals of pairs of words.
func (d *draws) jitter(x []float64) {
	if d.sd == 0 {
		return
	}
	for i := range x {
		u, v := d.word(uint64(i&^1)), d.word(uint64(i|1))
		radius := math.Sqrt(-2 * math.Log((float64(u)+0.5)/(1<<32)))
		sin, cos := math.Sincos(2 * math.Pi * (float64(v) + 0.5) / (1 << 32))
		x[i] += d.sd * radius * [...]float64{cos, sin}[i%2]
	}
}

// sixteen is the uniform number of 16 bits at a place.
func (d *draws) sixteen(place uint64, i int) float64 {
	w := d.word(place+uint64(i/2)) >> (i % 2 * 16) & 0xffff
	return (float64(w) + 0.5) / (1 << 16)
}
