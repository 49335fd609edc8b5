package metrics

import "math"

const (
	// squareCount is how many batches of squares there are at most.
	squareCount = 128
	// leastSquares is how many there must be for a standard error, which is then good to 9%.
	leastSquares = squareCount / 2
)

// addSquares takes the chunk that m has folded.
func (b *batches) addSquares(m *moments) {
	p := &m.part
	if p.w == 0 {
		return
	}
	if b.least == 0 {
		b.least = p.w * (1 - 1e-9)
	}
	b.w[b.n] += p.w
	row := b.row(b.n)
	for i, v := range p.mean {
		row[i] += p.m2[m.index(i, i)] + float64(p.w*v*v)
	}
	b.end()
}

// squareError returns the variance of the mean of (x - x̄)².
func (c *Chain) squareError(i int) (v float64, s Status) {
	if s := c.status(i); s != OK {
		return 0, s
	}
	b := &c.squares
	switch {
	case b.n < leastSquares:
		return 0, TooShort
	case c.uneven():
		return 0, Uneven
	}
	// A batch of squares is so many of the draws' own batches.
	per := int(math.Round(b.least / c.bat.least))
	if per < 1 || c.bat.n < per*b.n {
		return 0, Unknown
	}
	var sums, u [squareCount]float64
	weight, mean, square := 0.0, 0.0, 0.0
	for k := range b.n {
		for j := k * per; j < (k+1)*per; j++ {
			sums[k] += c.bat.row(j)[i]
		}
		weight += b.w[k]
		mean += sums[k]
		square += b.row(k)[i]
	}
	mean, square = mean/weight, square/weight
	variance := square - float64(mean*mean)
	for k := range b.n {
		u[k] = b.row(k)[i] - float64(2*mean*sums[k]) + float64(b.w[k]*(float64(mean*mean)-variance))
	}
	c0, time := timeOf(u[:b.n])
	all, _ := c.mom.weights()
	return c0 * float64(b.n) * time / (weight * all), OK
}

// SDError returns the Monte Carlo standard error of √Var(i), of chains that agree,
//
//	√(var of the mean of (x - x̄)²) / (2 sd),
//
// by batches of all draws: that of a mean of batches (see (*span).variance), which costs nothing a
// draw, since a chunk's squares are known already. It is TooShort below 64 chunks, 32,768 draws a
// chain, for which that of a [Comparer] is of all draws too, and Uneven if the weights differ. Whether
// the chains are long enough is for the caller to know.
func (c Chains) SDError(i int) Estimate {
	sum, relative := 0.0, 0.0
	for _, k := range c {
		v, s := k.squareError(i)
		if s != OK {
			return Withheld(s, c.Draws())
		}
		sum += v
		relative += 1 / float64(2*k.squares.n)
	}
	n := float64(len(c))
	se := math.Sqrt(sum) / n / (2 * math.Sqrt(c.Var(i)))
	return Known(se, se*math.Sqrt(relative)/n, c.Draws())
}
