package metrics

import (
	"fmt"
	"testing"
)

// A chain that is set to a copy goes on as the chain did from which it was made,
// whatever it knew before, and looking at either changes neither.
func TestChainSet(t *testing.T) {
	for _, dim := range []int{1, 3, MaxCovDim + 1} {
		cols, w := stationary(dim, 9000, 5)
		part := func(c *Chain, from, to int) {
			p := make([][]float64, dim)
			for i := range p {
				p[i] = cols[i][from:to]
			}
			addSplit(c, p, w[from:to], func() int { return 77 })
		}
		told := func(c *Chain) string {
			acf, cov := make([]float64, 60), make([]float64, dim*dim)
			n, full := c.ACF(0, 1, acf), c.Cov(cov)
			return fmt.Sprint(c.Draws(), c.Mean(dim-1), c.Var(0), c.ACTLoose(0), c.ESS(dim-1), c.stationarity(0), n,
				acf, full, cov)
		}
		for _, at := range []int{0, 1, 300, 512, 2000} {
			c, other := NewChain(dim), NewChain(dim)
			part(c, 0, at)
			kept := c.Clone().(*Chain)
			part(c, at, at+1500)
			want := told(c)
			part(other, 4000, 9000)
			for _, x := range []*Chain{other, c} {
				x.Set(kept)
				part(x, at, at+1500)
				if got := told(x); got != want {
					t.Errorf("%d coordinates from draw %d on: %s, want %s", dim, at, got, want)
				}
			}
			if kept.Bytes() <= 0 || kept.Bytes() > c.Bytes() {
				t.Errorf("a copy takes %d bytes and a chain %d, they say", kept.Bytes(), c.Bytes())
			}
		}
	}
}
