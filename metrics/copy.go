package metrics

import "slices"

// Clone returns a copy that shares nothing with c, for keyframes: its correlators have only the levels that a draw has
// reached. Set puts it back into a chain.
func (c *Chain) Clone() Recorder {
	k := &Chain{dim: c.dim, draws: c.draws, fill: c.fill, w: c.w, cors: make([]correlator, len(c.cors)), mom: c.mom}
	count, size := 0, 0
	for i := range c.cors {
		for _, lv := range c.cors[i].levels[:c.cors[i].reached()] {
			count, size = count+1, size+lagCount+lv.fill
		}
	}
	// In one piece each: a thousand coordinates have ten thousand levels.
	levels, slab := make([]level, 0, count), make([]float64, 0, size)
	for i := range c.cors {
		from, first := &c.cors[i], len(levels)
		for _, lv := range from.levels[:from.reached()] {
			at := len(slab)
			slab = append(slab, lv.buf[:lagCount+lv.fill]...) // no value behind these is read
			lv.buf = slab[at:len(slab):len(slab)]
			levels = append(levels, lv)
		}
		k.cors[i] = correlator{shift: from.shift, levels: levels[first:len(levels):len(levels)]}
	}
	k.mom.mean, k.mom.m2, k.mom.part = slices.Clone(c.mom.mean), slices.Clone(c.mom.m2), part{}
	k.bat = c.bat
	k.bat.sum = slices.Clone(c.bat.sum[:(c.bat.n+1)*c.dim])
	k.products = c.products
	k.products.sum = slices.Clone(c.products.sum[:(c.products.n+1)*c.products.dim])
	return k
}

// Set makes c the chain that clone was cloned from. Both have the same dimension.
func (c *Chain) Set(clone Recorder) {
	k := clone.(*Chain)
	c.draws, c.fill, c.w = k.draws, k.fill, k.w
	for i := range k.cors {
		from, to := &k.cors[i], &c.cors[i]
		to.shift = from.shift
		for l := range max(len(from.levels), to.reached()) {
			var lv level
			buf := to.levels[l].buf
			if l < len(from.levels) {
				lv = from.levels[l]
				copy(buf, lv.buf)
			} else {
				clear(buf)
			}
			lv.buf = buf
			to.levels[l] = lv
		}
	}
	c.mom.part.n = 0
	c.mom.w, c.mom.w2 = k.mom.w, k.mom.w2
	copy(c.mom.mean, k.mom.mean)
	copy(c.mom.m2, k.mom.m2)
	c.bat.set(&k.bat)
	c.products.set(&k.products)
}

// set makes b a copy of k, which has the rows in use.
func (b *batches) set(k *batches) {
	b.least, b.n, b.w = k.least, k.n, k.w
	clear(b.sum[copy(b.sum, k.sum):])
}

// Bytes is about the memory of the chain.
func (c *Chain) Bytes() int {
	const one = 3*lagCount + 8 // numbers of a level beside its buffer
	n := len(c.w) + len(c.mom.mean) + len(c.mom.m2) + len(c.bat.w) + len(c.bat.sum) +
		len(c.products.w) + len(c.products.sum)
	for i := range c.cors {
		for l := range c.cors[i].levels {
			n += len(c.cors[i].levels[l].buf) + one
		}
	}
	return 8 * n
}

// Cut does nothing: a window has no draws when it begins.
func (c *Chain) Cut(uint64) {}

// BytesBeyond is 0: clones share nothing.
func (c *Chain) BytesBeyond(Recorder) int { return 0 }

// reached is the number of levels that a draw has reached.
func (c *correlator) reached() int {
	n := 0
	for n < len(c.levels) && (c.levels[n].n > 0 || c.levels[n].fill > 0) {
		n++
	}
	return n
}
