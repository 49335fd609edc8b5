// Package regression has the experiments of section 5.2: Bayesian logistic regression.
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
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// The protocol of figure 2 (section 5.2), and what is run beside it.
const (
	australian = "blr:australian"
	fig2Batch  = 5
	fig2Prior  = 100 // σ²
	fig2Steps  = 5000
	// The text's range of ε.
	fig2TextMin = 1e-7
	fig2TextMax = 1e-4
)

var (
	// fig2Eps is the grid of ε: the text's range, and beyond it up to where chains of 5,000 steps mix.
	fig2Eps = []float64{1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1}
	// fig2LongEps are the ε of the long chains, whose τ can be trusted.
	fig2LongEps = []float64{1e-5, 3e-5, 1e-4, 3e-4, 5e-4, 1e-3}
	// fig2Lanes are the methods of figure 2.
	fig2Lanes = []paper.Entry{paper.SGLD, paper.PSGLD}
)

func inText(eps float64) bool { return eps >= fig2TextMin && eps <= fig2TextMax }

// A fig2 is how much of figure 2 is run, and on which target.
type fig2 struct {
	o         paper.Options
	spec      string // of the target
	runs      int    // of each short chain
	longRuns  int    // of each long one
	longSteps uint64 // of which a tenth is burn-in
	chains    int    // of HMC
	hmcDraws  uint64 // of each
}

func fig2Of(o paper.Options, spec string) fig2 {
	f := fig2{o: o, spec: spec, runs: o.RepeatsOr(5, 50), longRuns: 5, longSteps: 1_000_000, chains: 4,
		hmcDraws: 250_000}
	if o.Scale == paper.Quick {
		f.longRuns, f.longSteps, f.hmcDraws = 2, 200_000, 5000
	}
	return f
}

// chain is a chain of a lane on n seeds.
func (f fig2) chain(name string, l paper.Entry, steps, burnIn uint64, n int) paper.Runs {
	l = l.With(paper.Values{sampler.KeyPriorVar: fig2Prior, sampler.KeyTemp: 1, sampler.KeyThin: 1,
		sampler.KeyBurnIn: float64(burnIn)})
	return paper.Runs{Name: f.spec + " " + name, Target: f.spec, Lanes: []paper.Entry{l}, Steps: steps,
		Seed: f.o.Seed, N: n}
}

// stochastic is SGLD's or pSGLD's chain.
func (f fig2) stochastic(l paper.Entry, eps float64, steps, burnIn uint64, n int) paper.Runs {
	name := fmt.Sprintf("%s eps=%s batch=%d %s prior-var=%d steps=%d", l.Sampler, claim.Exactly(eps), fig2Batch,
		f.o.Reading.Draw(), fig2Prior, steps)
	if burnIn > 0 {
		name += fmt.Sprintf(" burn-in=%d", burnIn)
	}
	r := f.chain(name, l.With(paper.Values{sampler.KeyEps: eps, sampler.KeyBatch: fig2Batch}), steps, burnIn, n)
	r.Draw = f.o.Reading.Draw()
	return r
}

// short, long and truth are the chains.
func (f fig2) short(l paper.Entry, eps float64) paper.Runs {
	return f.stochastic(l, eps, fig2Steps, 0, f.runs)
}

func (f fig2) long(l paper.Entry, eps float64) paper.Runs {
	return f.stochastic(l, eps, f.longSteps, f.longSteps/10, f.longRuns)
}

func (f fig2) truth() paper.Runs {
	const warmUp = 1000
	return f.chain(fmt.Sprintf("hmc prior-var=%d draws=%d", fig2Prior, f.hmcDraws), paper.Entry{Sampler: "hmc"},
		f.hmcDraws+warmUp, warmUp, f.chains)
}

// fig2Runs are the sessions that figures 2(a) and 2(b) share. The truth is made of sessions too: every session's
// command then gives its digits by itself, and all seeds are held to the same truth.
func fig2Runs(o paper.Options, spec string) []paper.Runs {
	f := fig2Of(o, spec)
	return slices.Concat([]paper.Runs{f.truth()}, list.Flat(fig2Lanes, func(l paper.Entry) []paper.Runs {
		return list.Map(fig2LongEps, func(eps float64) paper.Runs { return f.long(l, eps) })
	}), list.Flat(fig2Eps, func(eps float64) []paper.Runs {
		return list.Map(fig2Lanes, func(l paper.Entry) paper.Runs { return f.short(l, eps) })
	}))
}

// fig2Protocol is what both parts of figure 2 say of themselves.
func fig2Protocol(o paper.Options) string {
	f := fig2Of(o, "")
	return fmt.Sprintf("BLR on Australian credit, σ² = %d, T = 1: %d runs of %s iterations without burn-in at each "+
		"ε, 1e-7 to 1e-4 as in the text and on to 0.1. %d runs of %s, a tenth of them burn-in, at 1e-5 to 0.001. "+
		"Batches of %d. %s The truth is that of %s draws of HMC.",
		fig2Prior, f.runs, claim.Whole(fig2Steps), f.longRuns, claim.Whole(f.longSteps), fig2Batch,
		o.Reading.Batching(), claim.Whole(uint64(f.chains)*f.hmcDraws))
}

// A grid is what the chains of each of fig2Lanes come to at each ε.
type grid[T any] struct {
	eps  []float64
	runs [2][]paper.Runs
	of   [2][]T
}

// gridsOf are the short chains' and the long ones'.
func gridsOf[T any](f fig2, of func(paper.Runs) T) (short, long grid[T]) {
	short.eps, long.eps = fig2Eps, fig2LongEps
	for k, l := range fig2Lanes {
		short.runs[k] = list.Map(short.eps, func(e float64) paper.Runs { return f.short(l, e) })
		long.runs[k] = list.Map(long.eps, func(e float64) paper.Runs { return f.long(l, e) })
		short.of[k], long.of[k] = list.Map(short.runs[k], of), list.Map(long.runs[k], of)
	}
	return short, long
}

// table has the columns of what each method comes to, headed by the method's name, and their own head if they have one.
func (g grid[T]) table(title string, columnsOf func(all []T) []paper.Column) paper.Table {
	columns := []paper.Column{
		paper.ColumnOf(g.eps, "ε", claim.Shown),
		paper.ColumnOf(g.eps, "in the text's range", func(eps float64) string {
			return map[bool]string{true: "yes", false: "no"}[inText(eps)]
		}),
	}
	for k, l := range fig2Lanes {
		for _, c := range columnsOf(g.of[k]) {
			c.Head = strings.TrimSuffix(l.Title+", "+c.Head, ", ")
			columns = append(columns, c)
		}
	}
	return paper.TableOf(title, len(g.eps), columns...)
}

// A posterior is the weights' mean and standard deviations by HMC.
type posterior struct {
	names    []string
	mean, sd []float64
	se       []float64 // of the mean, over the chains
}

// posterior puts the chains of HMC together. It is false where one is missing.
func (f fig2) posterior(r *paper.Results) (posterior, bool) {
	var t posterior
	var means [][]float64
	for k, id := range f.truth().IDs() {
		l, ok := r.Lane(id, 0)
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
			t.sd[i] += sd * sd / float64(f.chains)
		}
	}
	for i := range means {
		m := claim.Over(means[i])
		t.mean, t.se = append(t.mean, m.Mean), append(t.se, m.SE)
		t.sd[i] = math.Sqrt(t.sd[i])
	}
	return t, true
}

// A weightError is the error of the weights that chains estimate.
type weightError struct {
	rms   claim.OverSeeds // of each run
	bias  float64         // of the runs' mean
	width claim.OverSeeds // of the draws, as a share of the truth's
}

func (t posterior) errorOf(r *paper.Results, runs paper.Runs) weightError {
	return weightError{rms: r.Over(runs, t.error), bias: t.bias(r.Lanes(runs)), width: r.Over(runs, t.width)}
}

// error is the root mean square of a lane's mean less the truth's.
func (t posterior) error(l engine.LaneResult) float64 { return t.bias([]engine.LaneResult{l}) }

// bias is the root mean square of the runs' mean less the truth.
func (t posterior) bias(lanes []engine.LaneResult) float64 {
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

// width is the mean over the weights of a lane's standard deviation over the
// truth's: 1 for a sampler without bias that has mixed.
func (t posterior) width(l engine.LaneResult) float64 {
	if len(l.Coords) != len(t.sd) {
		return math.NaN()
	}
	sum := 0.0
	for i, s := range l.Column(quantity.SD) {
		sum += s / t.sd[i]
	}
	return sum / float64(len(t.sd))
}

// Experiments lists them in the paper's order.
func Experiments() []paper.Experiment { return []paper.Experiment{fig2a, fig2b, table1, fig3} }

// standIn is sampled where data are absent.
const standIn = "blr:synthetic"

// jobs are sessions on a target, or on the one that stands in for it.
func jobs(wanted string, runs func(o paper.Options,
	spec string) []paper.Runs) func(paper.Options) ([]study.Job, error) {
	return func(o paper.Options) ([]study.Job, error) {
		all, err := paper.Jobs(o.Targets, runs(o, wanted))
		if err != nil && study.Absent(err) {
			return paper.Jobs(o.Targets, runs(o, standIn))
		}
		return all, err
	}
}
