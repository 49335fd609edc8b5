package tune

import (
	"context"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
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

// RunBatches is [Run] over minibatches too. From each lane's own it goes to four times as many data, at equal cost, for
// as long as the error falls or minibatch noise hides the bias. The answers of a lane stand beside each other.
func RunBatches(ctx context.Context, cfg state.Config, p *targets.Problem, each Progress) (all []Answer, err error) {
	own, err := Run(ctx, cfg, p, each)
	for i, a := range own {
		all = append(all, a)
		for better := true; better && err == nil && a.larger(&cfg, p); {
			var next []Answer
			next, err = Run(ctx, cfg, p, func(_ int, s *Search) { each(i, s) })
			if all = append(all, next...); err == nil {
				better = next[0].Missing == Hidden || next[0].Found && !(a.Found && next[0].Error >= a.Error)
				a = next[0]
			}
		}
	}
	return all, err
}

// larger makes a config that of a search with four times an answer's minibatch at equal cost. It is false where that
// has all data already, and where something else than minibatch noise is in the way.
func (a *Answer) larger(cfg *state.Config, p *targets.Problem) bool {
	all, was := float64(p.N()), a.Batch(p)
	if !a.Setting.Has(sampler.KeyBatch) || was >= all || !a.Found && a.Missing != Hidden {
		return false
	}
	n := 4 * was
	cfg.Steps = max(uint64(float64(a.Budget)*was/min(n, all)), 1)
	if n >= all {
		n = 0 // which stands for all data
	}
	cfg.Lanes = []state.Setting{a.Setting.With(sampler.KeyBatch, n)}
	return true
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
