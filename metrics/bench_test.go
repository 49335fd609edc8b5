package metrics

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func benchBlock(dim, n int) *Block {
	r := rand.New(rand.NewPCG(1, 2))
	b := NewBlock(dim, n)
	b.N = n
	for i := range b.X {
		b.X[i] = r.NormFloat64()
	}
	for i := range b.W {
		b.W[i] = 0.3
	}
	return b
}

func benchmarkChainAdd(b *testing.B, dim, n int) {
	c, blk := NewChain(dim), benchBlock(dim, n)
	b.ReportAllocs()
	for b.Loop() {
		c.Add(blk)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/draw")
}

func BenchmarkChainAdd2D(b *testing.B) {
	for _, n := range []int{16, 256, 1024} {
		b.Run(fmt.Sprintf("block=%d", n), func(b *testing.B) { benchmarkChainAdd(b, 2, n) })
	}
}

func BenchmarkChainAdd15D(b *testing.B)  { benchmarkChainAdd(b, 15, 256) }
func BenchmarkChainAdd123D(b *testing.B) { benchmarkChainAdd(b, 123, 256) }

// BenchmarkChainReport is what a snapshot asks of a two-dimensional chain a million draws long.
func BenchmarkChainReport(b *testing.B) {
	c, blk := NewChain(2), benchBlock(2, 1000)
	for range 1000 {
		c.Add(blk)
	}
	one := benchBlock(2, 1)
	var cov [4]float64
	var acf [61]float64
	b.ReportAllocs()
	for b.Loop() {
		c.Add(one)
		c.Cov(cov[:])
		for i := range 2 {
			c.Mean(i)
			c.ESS(i)
			c.ACT(i)
			c.MCSE(i)
			c.ACF(i, 1, acf[:])
		}
	}
}

// BenchmarkACT is the autocorrelation time of one coordinate, after new draws: of independent draws,
// whose window closes at once, and of a chain with τ = 300, for which the levels up to averages over
// thousands of draws are gone through.
func BenchmarkACT(b *testing.B) {
	for _, tau := range []float64{0.5, 300} {
		b.Run(fmt.Sprintf("τ=%v", tau), func(b *testing.B) {
			x := ar1((2*tau-1)/(2*tau+1), 200_000, 1)
			c := chainOf(ones(len(x)), x)
			b.ReportAllocs()
			for b.Loop() {
				c.ACT(0)
			}
		})
	}
}

// BenchmarkMCSEUneven is the standard error of one coordinate under a schedule.
func BenchmarkMCSEUneven(b *testing.B) {
	const n = 200_000
	w := make([]float64, n)
	for t := range w {
		w[t] = 1 / (1 + float64(t)/1000)
	}
	c := chainOf(w, ar1(0.9, n, 1))
	b.ReportAllocs()
	for b.Loop() {
		c.MCSE(0)
	}
}
