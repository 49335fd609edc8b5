package metrics

// The correlator's shape. Level l holds averages of 2^l draws and correlates them at lags minLag..lagCount-1, that is,
// at lags minLag·2^l, ..., (lagCount-1)·2^l of the draws. Level 0 has the lags below minLag as well.
//
// With 16 lags a level costs half of what it costs with 32, and the end correction of the sum over lags (see lagSum)
// leaves a bias of τ below 0.1%, under the sampling error of any chain shorter than about 10⁷ τ.
const (
	lagCount = 16
	minLag   = lagCount / 2
	// 40 levels reach lags of 8·10¹² draws, more than a week of ten million draws a second.
	levelCount = 40
	// chunkLen is the number of draws that are processed together. Sums restart at every chunkLen-th value, which also
	// keeps their rounding small in long runs.
	chunkLen    = 512
	minChunkLen = lagCount
)

// correlator is the multiple-tau correlator of one coordinate (Ramírez, Sukumaran, Vorselaars and Likhtman 2010, J.
// Chem. Phys. 133, 154103) with averaging by m = 2 between levels. It stores about 30 kB and no history of the draws.
type correlator struct {
	shift  float64 // the first draw, subtracted from every draw so that a large mean costs no digits
	levels []level
}

// level correlates one resolution. Values wait in buf until a chunk is full; buf starts with the lagCount values before
// the chunk (zeros before the first draw, which add nothing to the products).
type level struct {
	buf  []float64
	fill int    // values in the chunk
	done int    // of those, how many are in local and passed on to the next level
	n    uint64 // values in complete chunks
	sum  float64
	head [lagCount]float64 // the first values of all, known once n > 0
	// Σ y_t y_{t-k} at place lagCount-1-k: of complete chunks, and of the current one. With two sums the bits depend on
	// where chunks end, a fixed place, and not on when a result was asked for. Only level 0 has the lags below minLag.
	total, local [lagCount]float64
}

func newCorrelator() correlator {
	c := correlator{levels: make([]level, levelCount)}
	size := 0
	for l := range c.levels {
		size += lagCount + chunkLenAt(l)
	}
	slab := make([]float64, size)
	for l := range c.levels {
		k := lagCount + chunkLenAt(l)
		c.levels[l].buf, slab = slab[:k:k], slab[k:]
	}
	return c
}

// chunkLenAt halves from level to level as the values do, down to minChunkLen, the least that can refill the history.
func chunkLenAt(l int) int { return max(chunkLen>>l, minChunkLen) }

func (c *correlator) reset() {
	c.shift = 0
	for l := range c.reached() { // those above are as they were made
		buf := c.levels[l].buf
		clear(buf)
		c.levels[l] = level{buf: buf}
	}
}

// push appends draws to level 0, less the shift. There must be room for them in the chunk.
func (c *correlator) push(x []float64) {
	lv := &c.levels[0]
	less(lv.buf[lagCount+lv.fill:], x, c.shift)
	lv.fill += len(x)
}

// pending returns the draws of the current chunk, less the shift.
func (c *correlator) pending() []float64 {
	lv := &c.levels[0]
	return lv.buf[lagCount : lagCount+lv.fill]
}

// settle brings every level up to the last draw.
func (c *correlator) settle() {
	for l := range c.levels {
		lv := &c.levels[l]
		if lv.n == 0 && lv.fill == 0 {
			return
		}
		if lv.done < lv.fill {
			advance(l, c, nil)
		}
	}
}

// advance correlates the new values of level l of two correlators, which have as many draws, passes the
// averages of complete pairs on, and closes the chunks that are full. Where d is nil there is one.
func advance(l int, c, d *correlator) {
	lv := &c.levels[l]
	from, to := lagCount+lv.done, lagCount+lv.fill
	x, y := lv.buf[from:to], lv.buf[from-lagCount+1:]
	var nobodys [lagCount]float64
	other, u, v := &nobodys, x, y
	if d != nil {
		second := &d.levels[l]
		if second.done != lv.done { // one of them has been settled
			advance(l, c, nil)
			advance(l, d, nil)
			return
		}
		other, u, v = &second.local, second.buf[from:to], second.buf[from-lagCount+1:]
	}
	lags := lagCount
	if l > 0 {
		lags = minLag
	}
	addLags(lv.local[:lags], other[:lags], x, y, u, v)
	if l+1 < len(c.levels) {
		passOn(l, c, d)
	}
	lv.close()
	if d != nil {
		d.levels[l].close()
	}
}

// passOn gives the level above l the averages of the pairs in its new values.
func passOn(l int, c, d *correlator) {
	lv, above := &c.levels[l], &c.levels[l+1]
	for at, to := lagCount+lv.done&^1, lagCount+lv.fill&^1; at < to; {
		k := min(len(above.buf)-lagCount-above.fill, (to-at)/2)
		above.take(lv.buf[at:], k)
		if d != nil {
			d.levels[l+1].take(d.levels[l].buf[at:], k)
		}
		at += 2 * k
		if lagCount+above.fill == len(above.buf) {
			advance(l+1, c, d)
		}
	}
}

// take appends the averages of the first k pairs in x.
func (lv *level) take(x []float64, k int) {
	halve(lv.buf[lagCount+lv.fill:][:k], x)
	lv.fill += k
}

// close marks the values as done, and closes the chunk if it is full.
func (lv *level) close() {
	lv.done = lv.fill
	if lagCount+lv.fill < len(lv.buf) {
		return
	}
	fold(&lv.total, &lv.local)
	lv.sum += sum(lv.buf[lagCount:])
	if lv.n == 0 {
		copy(lv.head[:], lv.buf[lagCount:])
	}
	lv.n += uint64(lv.fill)
	copy(lv.buf[:lagCount], lv.buf[len(lv.buf)-lagCount:])
	lv.fill, lv.done = 0, 0
}

func fold(total, local *[lagCount]float64) {
	for k, v := range local {
		total[k] += v
	}
	*local = [lagCount]float64{}
}

// mean returns the plain mean of the draws less the shift; n > 0.
func (c *correlator) mean() float64 {
	lv := &c.levels[0]
	return (lv.sum + sum(c.pending())) / float64(lv.n+uint64(lv.fill))
}

// autocov fills dst[k] for k = from..to-1 with the autocovariance of level l at k of its own steps,
//
//	C_k = (1/n) Σ_{t=k}^{n-1} (y_t - ȳ)(y_{t-k} - ȳ),
//
// y being the level's n averages and ȳ their mean. The mean is taken off exactly, with the sums of the
// first and the last k values. The divisor is n and not n-k, as in emcee and coda, which makes far lags
// shrink instead of exploding. settle must have been called.
func (c *correlator) autocov(l int, dst *[lagCount]float64) (from, to int) {
	lv := &c.levels[l]
	if l > 0 {
		from = minLag
	}
	n := lv.n + uint64(lv.fill)
	to = int(min(n, lagCount))
	if to <= from {
		return from, from
	}
	all := lv.sum + sum(lv.buf[lagCount:lagCount+lv.fill])
	fn := float64(n)
	mean := all / fn
	first := lv.head[:]
	if lv.n == 0 {
		first = lv.buf[lagCount:]
	}
	last := lv.buf[:lagCount+lv.fill]
	lead, trail := 0.0, 0.0 // sums of the first and the last k values
	for k := range to {
		if k > 0 {
			lead += first[k-1]
			trail += last[len(last)-k]
		}
		if k < from {
			continue
		}
		s := lv.total[lagCount-1-k] + lv.local[lagCount-1-k]
		s -= float64(mean * ((all - lead) + (all - trail) - float64(float64(n-uint64(k))*mean)))
		dst[k] = s / fn
	}
	return from, to
}
