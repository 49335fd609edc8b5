package metrics

import "math"

// batchCount is the greatest number of batches. Once there were as many draws, there are more than half
// as many batches.
const batchCount = 512

// batches cuts a chain into successive batches of equal weight, and keeps the weighted sums of each. If the
// weights are step sizes, a batch is a stretch of the process's own time. When there are batchCount of them, two
// and two are joined, and each weighs twice as much from then on. Where batches end depends on the weights alone.
type batches struct {
	most  int                 // batches, batchCount or fewer
	least float64             // a batch is complete when it weighs so much; 0 before the first draw with a weight
	n     int                 // complete batches; the one in hand comes after them
	w     [batchCount]float64 // Σ w of each
	dim   int
	sum   []float64 // Σ w x of each, rows of dim, less each coordinate's shift
}

func newBatches(dim, most int) batches {
	return batches{most: most, dim: dim, sum: make([]float64, dim*most)}
}

// row is Σ w x of batch k.
func (b *batches) row(k int) []float64 { return b.sum[k*b.dim : (k+1)*b.dim] }

func (b *batches) reset() {
	b.least, b.n = 0, 0
	clear(b.w[:])
	clear(b.sum)
}

// begin returns the first of draws with the weights w to be taken: without a draw of any weight before, those without
// weight count for nothing.
func (b *batches) begin(w []float64) (at int) {
	for b.least == 0 && at < len(w) {
		b.least = w[at] * (1 - 1e-9) // so that rounding of equal weights does not let a batch wait for one more
		if b.least == 0 {
			at++
		}
	}
	return at
}

// take adds the weights of the draws from at on that go to the batch in hand, and returns where the others begin.
func (b *batches) take(w []float64, at int) (to int) {
	for to = at; to < len(w) && !(b.w[b.n] >= b.least); to++ {
		b.w[b.n] += w[to]
	}
	return to
}

// add takes the draws waiting in the correlators, which have the weights w.
func (b *batches) add(cors []correlator, w []float64) {
	for at := b.begin(w); at < len(w); {
		to, row := b.take(w, at), b.row(b.n)
		for i := range cors {
			row[i] = addWeighted(row[i], w[at:to], cors[i].pending()[at:to])
		}
		at = to
		b.end()
	}
}

// addOne takes a single draw of weight w.
func (b *batches) addOne(w float64, x []float64) {
	if b.least == 0 {
		b.least = w * (1 - 1e-9)
	}
	if w == 0 {
		return
	}
	b.w[b.n] += w
	row := b.row(b.n)
	for i, v := range x {
		row[i] += float64(w * v)
	}
	b.end()
}

// end ends the batch in hand if it is complete.
func (b *batches) end() {
	if b.w[b.n] >= b.least {
		if b.n++; b.n == b.most {
			b.join()
		}
	}
}

// addMeans takes a chunk by its means, if it ends within the batch in hand, and reports whether it did.
func (b *batches) addMeans(p *part) bool {
	if !(b.w[b.n]+p.w < b.least) {
		return false
	}
	b.w[b.n] += p.w
	row := b.row(b.n)
	for i, v := range p.mean {
		row[i] += float64(p.w * v)
	}
	return true
}

// join doubles what a batch must weigh, until half of the batches are left at most. The one in hand must be empty.
func (b *batches) join() {
	for b.n > b.most/2 {
		if b.least *= 2; math.IsInf(b.least, 0) {
			b.least = math.NaN() // nothing is as heavy: all goes into one batch
		}
		n, empty := 0, true
		for from := range b.n {
			if empty {
				b.w[n] = b.w[from]
				copy(b.row(n), b.row(from))
			} else {
				b.w[n] += b.w[from]
				to := b.row(n)
				for i, v := range b.row(from) {
					to[i] += v
				}
			}
			if empty = b.w[n] >= b.least; empty {
				n++
			}
		}
		used := n
		if !empty {
			used++
		}
		clear(b.w[used:])
		clear(b.sum[used*b.dim:])
		b.n = n
	}
}

// addWeighted returns s + Σ w x.
func addWeighted(s float64, w, x []float64) float64 {
	x = x[:len(w)]
	for t, v := range w {
		s += float64(v * x[t])
	}
	return s
}

// span is the batches of one coordinate up to the last draw.
type span struct {
	n      int // batches, the one in hand among them if it has a draw
	w, sum [batchCount]float64
	weight float64 // of all
	least  float64 // what a batch weighs
}

// span fills s with the batches of column i. pending are the weights of the draws that wait in its
// correlator, where there is one.
func (b *batches) span(s *span, i int, cor []correlator, pending []float64) {
	now := batches{most: b.most, least: b.least, n: b.n, w: b.w, dim: 1, sum: s.sum[:]}
	for k := range now.sum {
		now.sum[k] = b.sum[k*b.dim+i]
	}
	now.add(cor, pending)
	s.w, s.least = now.w, now.least
	s.count(now.n)
}

// span fills s with the batches of coordinate i.
func (c *Chain) span(s *span, i int) { c.bat.span(s, i, c.cors[i:i+1], c.w[:c.fill]) }

// count sets how many batches there are, n of them complete.
func (s *span) count(n int) {
	if s.n = n; n < batchCount && s.w[n] > 0 {
		s.n++
	}
	s.weight = s.weightOf(0, s.n)
}

// mean returns Σ w (x - shift) / Σ w of batches from to to-1.
func (s *span) mean(from, to int) float64 {
	w, sum := 0.0, 0.0
	for k := from; k < to; k++ {
		w += s.w[k]
		sum += s.sum[k]
	}
	return sum / w
}

// variance returns the variance of φ̂ = mean(from, to), and τ in batches. Batch b has weight W_b and mean x̄_b, all of
// them have weight W, and u_b = W_b (x̄_b - φ̂). Then
//
//	var φ̂ = Σ_b Σ_k E[u_b u_b+k] / W² = B S_u(0) / W².
//
// This holds however the weights vary, as long as S_u(0) sums over all lags at which draws are correlated. S_u(0) is
// that of autoregressions fitted to the u_b and to their averages, as in (*correlator).autoregressions. If the weights
// are step sizes and draws decorrelate in the process's own time, as Langevin's do, the u_b are a stationary series
// under any schedule. For draws whose τ does not go as the step they are not, but still add up to the right sum.
func (s *span) variance(from, to int) (v, tau float64) {
	var u [batchCount]float64
	mean, weight, n := s.mean(from, to), s.weightOf(from, to), to-from
	for k := range n {
		u[k] = s.sum[from+k] - float64(s.w[from+k]*mean)
	}
	c0, time := timeOf(u[:n])
	return c0 * float64(n) * time / (weight * weight), time / 2
}

// timeOf returns (1/n) Σ u² of values with mean 0, and τ_e = S(0)/C(0) >= 1 by autoregressions. It changes u.
func timeOf(u []float64) (c0, time float64) {
	draws := float64(len(u))
	for _, v := range u {
		c0 += float64(v * v)
	}
	c0 /= draws
	time = 1 // what lies below is chance: batches of many draws are hardly anticorrelated
	var cov [lagCount]float64
	for m := 1.0; len(u) >= leastAverages; m *= 2 {
		if m > 1 && m > widest(time/2, draws) {
			break
		}
		n := float64(len(u))
		for k := range cov {
			sum := 0.0
			for t, v := range u[k:] {
				sum += float64(v * u[t])
			}
			cov[k] = sum / n
		}
		time = max(time, m*spectrum(&cov, n)/c0)
		half := u[:len(u)/2]
		halve(half, u)
		u = half
	}
	return c0, time
}
