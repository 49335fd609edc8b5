package metrics

import (
	"fmt"
	"math"
)

// MaxCovDim is the largest dimension for which a [Chain] keeps the full covariance; above it only variances.
const MaxCovDim = 64

// Chain keeps mean, variance, covariance and autocorrelation of the draws of one chain of D coordinates.
//
// Mean, variance and covariance are step-weighted, φ̂ = Σ w_t φ_t / Σ w_t (Li, Chen, Carlson and Carin 2016, §2). The
// autocorrelation takes the draws as they come, without weights: it describes the chain and not the estimate.
//
// Memory is about 34 kB a coordinate plus, up to MaxCovDim, 520·D² bytes, 2 MB at most, and never grows. Reporting
// works through the draws still waiting in the chain's buffers, which is why it is not safe beside Add.
type Chain struct {
	dim   int
	draws uint64
	cors  []correlator
	fill  int               // draws of the current chunk, the same for every coordinate
	w     [chunkLen]float64 // their weights
	mom   moments
	bat   batches
	// products has the sums of the draws' products in batches, of all pairs of coordinates or, of more than MaxCovDim,
	// of squares alone. See SDError.
	products batches
}

// NewChain returns a chain of dim coordinates without draws.
func NewChain(dim int) *Chain {
	if dim < 0 {
		panic(fmt.Sprintf("metrics: a chain of %d coordinates", dim))
	}
	c := &Chain{dim: dim, cors: make([]correlator, dim), mom: newMoments(dim), bat: newBatches(dim, batchCount)}
	c.products = newBatches(len(c.mom.m2), productCount)
	for i := range c.cors {
		c.cors[i] = newCorrelator()
	}
	return c
}

// Dim returns D.
func (c *Chain) Dim() int { return c.dim }

// Draws returns the number of draws added of the window.
func (c *Chain) Draws() uint64 { return c.draws }

// NewWindow forgets every draw and keeps the memory.
func (c *Chain) NewWindow() {
	c.draws, c.fill = 0, 0
	for i := range c.cors {
		c.cors[i].reset()
	}
	c.mom.reset()
	c.bat.reset()
	c.products.reset()
}

// Add takes the draws of b in order. It does not keep b and does not allocate.
func (c *Chain) Add(b *Block) {
	if b.Dim != c.dim {
		panic(fmt.Sprintf("metrics: a block of %d coordinates added to a chain of %d", b.Dim, c.dim))
	}
	if b.N == 0 {
		return
	}
	if c.draws == 0 {
		for i := range c.cors {
			c.cors[i].shift = b.X[i*b.Cap]
		}
	}
	for at := 0; at < b.N; {
		k := min(b.N-at, chunkLen-c.fill)
		copy(c.w[c.fill:], b.W[at:at+k])
		for i := range c.cors {
			c.cors[i].push(b.X[i*b.Cap+at:][:k])
		}
		at += k
		c.fill += k
		c.draws += uint64(k)
		if c.fill == chunkLen {
			c.mom.fold(c.cors, c.w[:])
			c.products.addProducts(&c.mom, c.cors, c.w[:])
			if !c.bat.addMeans(&c.mom.part) {
				c.bat.add(c.cors, c.w[:])
			}
			for i := 0; i < len(c.cors); i += 2 {
				var other *correlator
				if i+1 < len(c.cors) {
					other = &c.cors[i+1]
				}
				advance(0, &c.cors[i], other)
			}
			c.fill = 0
		}
	}
}

// Mean returns the step-weighted mean of coordinate i, NaN without draws, if a draw was not finite, or if all weights
// are zero.
func (c *Chain) Mean(i int) float64 {
	if c.draws == 0 {
		return math.NaN()
	}
	c.mom.scan(c.cors, c.w[:c.fill])
	return c.cors[i].shift + c.mom.meanOf(i)
}

// Var returns the step-weighted variance of coordinate i, Σ w_t (x_t - x̄)² / Σ w_t, NaN where Mean is NaN. The divisor
// is the sum of weights and not n-1: step sizes are no counts, and n is large wherever the variance is trusted.
func (c *Chain) Var(i int) float64 {
	if c.draws == 0 {
		return math.NaN()
	}
	c.mom.scan(c.cors, c.w[:c.fill])
	return c.mom.cov(i, i)
}

// Cov fills dst, D×D, row after row, with the step-weighted covariance; its diagonal equals Var. It returns false and
// leaves dst alone if D > MaxCovDim or there are no draws.
func (c *Chain) Cov(dst []float64) bool {
	if c.dim > MaxCovDim || c.draws == 0 {
		return false
	}
	if len(dst) != c.dim*c.dim {
		panic(fmt.Sprintf("metrics: covariance of %d coordinates into %d numbers", c.dim, len(dst)))
	}
	c.mom.scan(c.cors, c.w[:c.fill])
	for i := range c.dim {
		for j := range i + 1 {
			v := c.mom.cov(i, j)
			dst[i*c.dim+j], dst[j*c.dim+i] = v, v
		}
	}
	return true
}

// CovError returns Σ |cov_ij - truth_ij| over all entries, the covariance error of the paper's figure
// 1. NaN in, NaN out.
func CovError(cov, truth []float64) float64 {
	if len(cov) != len(truth) {
		panic(fmt.Sprintf("metrics: covariances of %d and %d entries", len(cov), len(truth)))
	}
	s := 0.0
	for i, v := range cov {
		s += math.Abs(v - truth[i])
	}
	return s
}
