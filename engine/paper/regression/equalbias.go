package regression

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A price is what the long chain of a seed at an ε comes to: the iterations that it takes for an effective sample of
// the slowest weight, and its bias by each of biasMeasures. A number that cannot be told is NaN.
type price struct {
	eps, cost float64
	bias      [2]float64
}

// biasMeasures are what a bias is told by.
var biasMeasures = [2]string{"width of the draws", "error of the weights"}

// The measures.
const (
	biasOfWidth = iota // posterior.width less 1
	biasOfMean         // posterior.error
)

// pricesOf are the prices of a method's long chains, a slice of the grid of ε for each seed.
func (f fig2) pricesOf(r *paper.Results, truth posterior, l paper.Entry) [][]price {
	all := make([][]price, f.longRuns)
	for _, eps := range fig2LongEps {
		for k, id := range f.long(l, eps).IDs() {
			p := price{eps, math.NaN(), [2]float64{math.NaN(), math.NaN()}}
			if x, ok := r.Lane(id, 0); ok {
				p.cost, p.bias = iterationsPer(x), [2]float64{truth.width(x) - 1, truth.error(x)}
			}
			all[k] = append(all[k], p)
		}
	}
	return all
}

// iterationsPer is the number of draws for each effective sample of the slowest weight.
func iterationsPer(l engine.LaneResult) float64 {
	if ess := l.Values[quantity.MinESS].Trusted(); ess > 0 {
		return float64(l.Draws) / ess
	}
	return math.NaN()
}

// atBias is the price at which a seed's chains have a bias by a measure: between the last two neighbours on the grid
// that enclose it, by straight lines on the logarithms of ε, the cost and the bias. It is false where none enclose it.
func atBias(all []price, measure int, bias float64) (price, bool) {
	for i := len(all) - 1; i > 0; i-- {
		a, b := all[i-1], all[i]
		x, y := a.bias[measure], b.bias[measure]
		if !(0 < x && x <= bias && bias <= y && x < y) || math.IsNaN(a.cost+b.cost) {
			continue
		}
		w := libm.Log(bias/x) / libm.Log(y/x)
		between := func(x, y float64) float64 { return x * libm.Pow(y/x, w) }
		return price{eps: between(a.eps, b.eps), cost: between(a.cost, b.cost)}, true
	}
	return price{}, false
}

// An equalBias is what SGLD's long chains at an ε come to beside pSGLD's at the ε where pSGLD's have the same bias,
// over the seeds. The same ε is another step to pSGLD, because G multiplies it.
type equalBias struct {
	measure    int
	eps        float64         // SGLD's
	bias, cost claim.OverSeeds // of SGLD
	of, has    claim.OverSeeds // pSGLD's ε and cost
	times      claim.OverSeeds // SGLD's cost over pSGLD's, of the same seed
	same       claim.OverSeeds // the same at equal ε
}

// equalBiases are those of the ε at which SGLD's bias is seen, and the cost known of every
// seed: the quick ones alone would be another sample. A width is seen to be too large by
// twice its standard error; an error is of bias if the runs' mean has most of it.
func (f fig2) equalBiases(r *paper.Results) (all []equalBias) {
	truth, ok := f.posterior(r)
	if !ok {
		return nil
	}
	sgld, psgld := f.pricesOf(r, truth, fig2Lanes[0]), f.pricesOf(r, truth, fig2Lanes[1])
	for measure := range biasMeasures {
		for i, eps := range fig2LongEps {
			var bias, cost, of, has, times, same []float64
			for k, seed := range sgld {
				x := seed[i]
				bias, cost, same = append(bias, x.bias[measure]), append(cost, x.cost),
					append(same, x.cost/psgld[k][i].cost)
				if y, ok := atBias(psgld[k], measure, x.bias[measure]); ok {
					of, has, times = append(of, y.eps), append(has, y.cost), append(times, x.cost/y.cost)
				}
			}
			e := equalBias{measure, eps, claim.Over(bias), claim.Over(cost), claim.Over(of), claim.Over(has),
				claim.Over(times), claim.Over(same)}
			seen := e.bias.Mean > 2*e.bias.SE
			if x := truth.errorOf(r, f.long(fig2Lanes[0], eps)); measure == biasOfMean {
				seen = x.bias*x.bias > 0.75*x.rms.Mean*x.rms.Mean
			}
			if seen && e.times.N == len(sgld) {
				all = append(all, e)
			}
		}
	}
	return all
}

func equalBiasTable(all []equalBias) paper.Table {
	t := paper.TableOf("Iterations per effective sample at equal bias of the long chains", len(all),
		paper.ColumnOf(all, "measure", func(e equalBias) string { return biasMeasures[e.measure] }),
		paper.ColumnOf(all, "bias of both", func(e equalBias) string { return e.bias.Text(3) }),
		paper.ColumnOf(all, "SGLD's ε", func(e equalBias) string { return claim.Shown(e.eps) }),
		paper.ColumnOf(all, "SGLD's iterations", func(e equalBias) string { return e.cost.Short(3) }),
		paper.ColumnOf(all, "pSGLD's ε", func(e equalBias) string { return claim.Significant(e.of.Mean, 2) }),
		paper.ColumnOf(all, "pSGLD's iterations", func(e equalBias) string { return e.has.Short(3) }),
		paper.ColumnOf(all, "times fewer at equal bias", func(e equalBias) string { return e.times.Short(2) }),
		paper.ColumnOf(all, "times fewer at equal ε", func(e equalBias) string { return e.same.Short(2) }))
	t.Note = "Each row is an ε of SGLD and the ε at which pSGLD has the same bias, interpolated between those that " +
		"were run. The bias of the width is the draws' standard deviation over the posterior's, less 1, and that " +
		"of the weights is their root mean square error. Means ± standard error over the seeds. The last two " +
		"columns are means of each seed's ratio."
	return t
}

// equalBiasSaid compares the iterations at equal bias.
func equalBiasSaid(all []equalBias) string {
	if len(all) == 0 {
		return ""
	}
	var by, bias [2][]claim.OverSeeds
	for _, e := range all {
		by[e.measure], bias[e.measure] = append(by[e.measure], e.times), append(bias[e.measure], e.bias)
	}
	said := "The same ε is a longer step with pSGLD, since G multiplies it, and has more bias."
	for k, where := range [2]string{biasOfWidth: "the draws of both are equally too wide",
		biasOfMean: "both have the same error of the weights"} {
		if by[k] != nil {
			said += fmt.Sprintf(" Where %s, pSGLD takes %s times fewer iterations per effective sample (the bias is %s).",
				where, fromTo(by[k]), fromTo(bias[k]))
		}
	}
	return said + " The paper gives a number at each ε of runs of 5,000 iterations, and does not say how it was " +
		"estimated."
}

// fromTo is the range of means, and of one alone the mean with its standard error.
func fromTo(all []claim.OverSeeds) string {
	means := list.Map(all, func(x claim.OverSeeds) float64 { return x.Mean })
	least, most := claim.Significant(slices.Min(means), 2), claim.Significant(slices.Max(means), 2)
	switch {
	case len(all) == 1:
		return all[0].Short(2)
	case least == most:
		return least
	}
	return least + " to " + most
}

// equalBiasPanel has the cost against the width of the draws.
func (f fig2) equalBiasPanel(r *paper.Results) figure.Panel {
	p := figure.Panel{Title: "iterations against bias",
		X: figure.Axis{Label: "width of the draws over the posterior's", Log: true, Min: 1, Max: 10},
		Y: figure.Axis{Label: "iterations per effective sample", Log: true}}
	truth, ok := f.posterior(r)
	if !ok {
		return p
	}
	for _, l := range fig2Lanes {
		seeds := f.pricesOf(r, truth, l)
		var x []float64
		var y []claim.OverSeeds
		var runs []paper.Runs
		for i, eps := range fig2LongEps {
			var width, cost []float64
			for _, s := range seeds {
				width, cost = append(width, 1+s[i].bias[biasOfWidth]), append(cost, s[i].cost)
			}
			if slices.ContainsFunc(cost, math.IsNaN) {
				continue // those that are left would be the quick ones
			}
			x, y, runs = append(x, claim.Over(width).Mean), append(y, claim.Over(cost)), append(runs, f.long(l, eps))
		}
		if s := paper.SeriesOver(l.Title+", long", l.Sampler, figure.Both, x, y, runs); len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}
