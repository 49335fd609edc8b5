package tune

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
)

// A Comparison tells what minibatches cost one method: the answers for a smaller and a larger one, at equal cost.
type Comparison struct {
	Small, Large *Answer
	Part         float64 // by which Small's squared error would be less at its ε without the noise of minibatches
}

// Batch is an answer's minibatch, of N data where it has all of them.
func (a *Answer) Batch(p *targets.Problem) float64 {
	if n := a.Setting.Or(sampler.KeyBatch, 0); n > 0 {
		return n
	}
	return float64(p.N())
}

// Compare compares the best answer with that of the most different minibatch of the same method. Minibatches of n of N
// data have a bias of ε(s + m(1/n - 1/N)) in first order, s of the step. Both follow from two of them. ok is false
// where m is not two standard errors from 0: then it is not told what minibatches cost.
func Compare(all []Answer, p *targets.Problem) (c Comparison, ok bool) {
	best := Best(all)
	if best < 0 || all[best].Criterion != quantity.StepError {
		return c, false
	}
	a, ratio := &all[best], 1.0
	for i := range all {
		b := &all[i]
		n, m := a.Batch(p), b.Batch(p)
		if r := max(n/m, m/n); b.Found && b.Setting.Sampler == a.Setting.Sampler && r > ratio {
			if ratio, c.Small, c.Large = r, a, b; m < n {
				c.Small, c.Large = b, a
			}
		}
	}
	if ratio == 1 {
		return c, false
	}
	all1 := 1 / float64(p.N())
	small, large := 1/c.Small.Batch(p)-all1, 1/c.Large.Batch(p)-all1
	per, perLarge := c.Small.Bias/c.Small.Setting.Eps(), c.Large.Bias/c.Large.Setting.Eps()
	se := libm.Hypot(c.Small.BiasSE/c.Small.Setting.Eps(), c.Large.BiasSE/c.Large.Setting.Eps())
	if !(per-perLarge >= told*se) {
		return c, false
	}
	noise := min((per-perLarge)*small/(small-large)/per, 1) // the part of the bias
	c.Part = (1 - float64((1-noise)*(1-noise))) * (1 - c.Small.Share())
	return c, true
}
