package regression

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// The protocol of figure 2 (section 5.2), and what is run beside it.
const (
	creditTarget   = "blr:australian"
	creditBatch    = 5
	creditPriorVar = 100
	creditSteps    = 5000
	creditTextMin  = 1e-7 // the text's range of ε
	creditTextMax  = 1e-4
	// creditStandIn is sampled where the data are not here.
	creditStandIn = "blr:synthetic"
)

// creditEps is the grid of ε: the text's range, and as far beyond as it takes for
// chains of 5,000 steps to mix.
var creditEps = []float64{1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1}

// creditLongEps are the ε of the long chains, whose τ can be trusted.
var creditLongEps = []float64{1e-5, 3e-5, 1e-4, 3e-4, 1e-3}

// creditRows are the methods of figure 2.
var creditRows = []paper.Method{paper.SGLD, paper.PSGLD}

// A creditPlan is how much of figure 2 is run.
type creditPlan struct {
	runs      int    // of each short chain
	long      int    // of each long one
	longSteps uint64 // of which a tenth is burn-in
	chains    int    // of HMC
	hmcDraws  uint64 // of each
}

func creditPlanOf(o paper.Options) creditPlan {
	if o.Scale == paper.Quick {
		return creditPlan{runs: o.RepeatsOr(5), long: 2, longSteps: 200_000, chains: 4, hmcDraws: 5000}
	}
	return creditPlan{runs: o.RepeatsOr(50), long: 5, longSteps: 1_000_000, chains: 4, hmcDraws: 250_000}
}

// A creditChain is a session of figure 2.
type creditChain struct {
	sampler string
	eps     float64 // 0 for HMC, which finds its own
	steps   uint64
	burnIn  uint64
	seed    uint64
}

// id names the session on a target.
func (c creditChain) id(spec string) string {
	if c.eps == 0 {
		return fmt.Sprintf("%s %s prior-var=%d draws=%d seed=%d", spec, c.sampler, creditPriorVar, c.steps-c.burnIn, c.seed)
	}
	burn := ""
	if c.burnIn > 0 {
		burn = fmt.Sprintf(" burn-in=%d", c.burnIn)
	}
	return fmt.Sprintf("%s %s eps=%s batch=%d prior-var=%d steps=%d%s seed=%d", spec, c.sampler, claim.Exactly(c.eps), creditBatch, creditPriorVar, c.steps, burn, c.seed)
}

func (c creditChain) job(p *targets.Problem) study.Job {
	values := paper.Values{sampler.KeyPriorVar: creditPriorVar, sampler.KeyTemp: 1, sampler.KeyThin: 1, sampler.KeyBurnIn: float64(c.burnIn)}
	if c.eps != 0 {
		values[sampler.KeyEps], values[sampler.KeyBatch] = c.eps, creditBatch
	}
	cfg := paper.Session(p, c.seed, paper.Lane(p, c.sampler, sampler.Schedule{}, values))
	cfg.Steps = c.steps
	return study.Job{ID: c.id(p.Spec), Config: cfg}
}

// short, longer and truth are the chains, one a seed.
func (n creditPlan) short(o paper.Options, name string, eps float64) []creditChain {
	return creditSeeds(o, creditChain{sampler: name, eps: eps, steps: creditSteps}, n.runs)
}

func (n creditPlan) longer(o paper.Options, name string, eps float64) []creditChain {
	return creditSeeds(o, creditChain{sampler: name, eps: eps, steps: n.longSteps, burnIn: n.longSteps / 10}, n.long)
}

func (n creditPlan) truth(o paper.Options) []creditChain {
	const warmUp = 1000
	return creditSeeds(o, creditChain{sampler: "hmc", steps: n.hmcDraws + warmUp, burnIn: warmUp}, n.chains)
}

func creditSeeds(o paper.Options, c creditChain, n int) []creditChain {
	var all []creditChain
	for k := range n {
		c.seed = o.Seed + uint64(k)
		all = append(all, c)
	}
	return all
}

// creditJobs are the sessions of figure 2: (a) and (b) share them. The truth is
// made of sessions too, so that each cell's command gives its digits by itself
// and one truth serves all seeds.
func creditJobs(o paper.Options) ([]study.Job, error) {
	p, err := o.Targets.OrElse(creditTarget, creditStandIn)
	if err != nil {
		return nil, err
	}
	n := creditPlanOf(o)
	var jobs []study.Job
	add := func(chains []creditChain) {
		for _, c := range chains {
			jobs = append(jobs, c.job(p))
		}
	}
	add(n.truth(o))
	for _, row := range creditRows {
		for _, eps := range creditLongEps {
			add(n.longer(o, row.Sampler, eps))
		}
	}
	for _, eps := range creditEps {
		for _, row := range creditRows {
			add(n.short(o, row.Sampler, eps))
		}
	}
	return jobs, nil
}

// creditProtocol is what both parts of figure 2 say of themselves.
func creditProtocol(o paper.Options) string {
	n := creditPlanOf(o)
	return fmt.Sprintf("BLR on Australian credit, standardised, with an intercept; batch %d, σ² = %d, T = 1, no burn-in, %d iterations, %d runs of each; "+
		"ε from 1e-7 to 1e-4 as in the text, N-scaled gradients, and on to 0.1. Beside them %d runs each of %d iterations, a tenth of them burn-in. The truth: %d draws of HMC in %d chains. Without the data, %s in their place.",
		creditBatch, creditPriorVar, creditSteps, n.runs, n.long, n.longSteps, uint64(n.chains)*n.hmcDraws, n.chains, creditStandIn)
}

// A creditTruth is the posterior's mean and standard deviations by HMC.
type creditTruth struct {
	names    []string
	mean, sd []float64
	se       []float64 // of the mean, over the chains
}

// truthOf puts the chains of HMC together. It is false where one is missing.
func (n creditPlan) truthOf(o paper.Options, spec string, r *paper.Results) (creditTruth, bool) {
	var t creditTruth
	chains := n.truth(o)
	var means [][]float64
	for k, c := range chains {
		l, ok := r.Lane(c.id(spec), 0)
		if !ok || len(l.Coords) == 0 {
			return t, false
		}
		if k == 0 {
			t.names, means = l.Names, make([][]float64, len(l.Coords))
			t.sd = make([]float64, len(l.Coords))
		}
		for i := range l.Coords {
			sd := l.Coords[i][quantity.SD].Trusted()
			means[i] = append(means[i], l.Coords[i][quantity.Mean].Trusted())
			t.sd[i] += sd * sd / float64(len(chains))
		}
	}
	for i := range means {
		m := claim.Over(means[i])
		t.mean, t.se = append(t.mean, m.Mean), append(t.se, m.SE)
		t.sd[i] = math.Sqrt(t.sd[i])
	}
	return t, true
}

// error is the root mean square of a lane's mean less the truth's.
func (t creditTruth) error(l engine.LaneResult) float64 {
	if len(l.Coords) != len(t.mean) {
		return math.NaN()
	}
	sum := 0.0
	for i, m := range l.Column(quantity.Mean) {
		d := m - t.mean[i]
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(t.mean)))
}

// width is the mean over the weights of a lane's standard deviation over the
// truth's: 1 for a sampler without bias that has mixed.
func (t creditTruth) width(l engine.LaneResult) float64 {
	if len(l.Coords) != len(t.sd) {
		return math.NaN()
	}
	sum := 0.0
	for i, s := range l.Column(quantity.SD) {
		sum += s / t.sd[i]
	}
	return sum / float64(len(t.sd))
}

// bias is the root mean square of the runs' mean less the truth.
func (t creditTruth) bias(lanes []engine.LaneResult) float64 {
	if len(lanes) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for i, want := range t.mean {
		m := 0.0
		for _, l := range lanes {
			if len(l.Coords) != len(t.mean) {
				return math.NaN()
			}
			m += l.Coords[i][quantity.Mean].Trusted() / float64(len(lanes))
		}
		sum += (m - want) * (m - want)
	}
	return math.Sqrt(sum / float64(len(t.mean)))
}

// A mixing is how many iterations and how much time an effective sample of the
// slowest weight takes, over runs.
type mixing struct {
	runs   int // that there are
	short  int // of them too short to tell
	lost   int // of them without a number for another reason
	median float64
	bound  float64         // what too short ones are above
	mean   claim.OverSeeds // of the others
	ms     claim.OverSeeds // milliseconds, measured where the runs were made
}

// mixingOf reads the mixing of chains. n draws that are too short have n < 50 τ,
// and so take more than 2τ > n/25 iterations an effective sample. That bounds
// them from below, and so the median is known where fewer than half are too short.
func mixingOf(r *paper.Results, spec string, chains []creditChain) mixing {
	m := mixing{median: math.NaN()}
	var iterations, ms, known []float64
	for _, c := range chains {
		m.bound = float64(c.steps-c.burnIn) / 25
		l, ok := r.Lane(c.id(spec), 0)
		if !ok && l.Diverged == nil {
			continue
		}
		m.runs++
		ess := l.Values[quantity.MinESS].Trusted()
		switch {
		case ok && l.Values[quantity.MinESS].Status == metrics.TooShort:
			m.short++
			iterations = append(iterations, math.Inf(1))
		case !ok || !(ess > 0):
			m.lost++
			iterations = append(iterations, math.Inf(1))
		default:
			per := float64(l.Draws) / ess
			iterations, known = append(iterations, per), append(known, per)
			ms = append(ms, 1000*l.Seconds/float64(l.Steps)*per)
		}
	}
	m.mean, m.ms = claim.Over(known), claim.Over(ms)
	if len(iterations) > 0 {
		slices.Sort(iterations)
		if k := len(iterations); !math.IsInf(iterations[k/2], 1) {
			m.median = (iterations[k/2] + iterations[(k-1)/2]) / 2
		}
	}
	return m
}

// mixed reports whether most of the runs are long enough to tell.
func (m mixing) mixed() bool { return !math.IsNaN(m.median) }

// text is the number of iterations: the mean where all runs have one, the median
// where most have, and the bound where most have not.
func (m mixing) text() string {
	switch {
	case m.runs == 0:
		return claim.NoNumber
	case m.short+m.lost == 0:
		return m.mean.Short(3)
	case m.mixed():
		return fmt.Sprintf("median %s (%s)", claim.Significant(m.median, 3), m.without())
	case m.short == 0:
		return fmt.Sprintf("%s (%s)", claim.NoNumber, m.without())
	case m.short < m.runs:
		return fmt.Sprintf("> %s in %d of %d", claim.Significant(m.bound, 3), m.short, m.runs)
	}
	return fmt.Sprintf("> %s (%s)", claim.Significant(m.bound, 3), m.without())
}

func (m mixing) without() string {
	var parts []string
	if m.short > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d too short", m.short, m.runs))
	}
	if m.lost > 0 {
		parts = append(parts, fmt.Sprintf("%d lost", m.lost))
	}
	return strings.Join(parts, ", ")
}

// time is the milliseconds of an effective sample, for runs of which all have one.
func (m mixing) time() string {
	if m.runs == 0 || m.short+m.lost > 0 {
		return claim.NoNumber
	}
	return m.ms.Short(2)
}
