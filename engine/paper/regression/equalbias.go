package regression

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/nets/libm"
)

// A price is what the long chain of a seed at an ε comes to: the iterations that it takes for
// an effective sample of the slowest weight, and its width as of posterior.width. Either is
// NaN where it cannot be told.
type price struct{ eps, cost, width float64 }

// pricesOf are the prices of a method's long chains, a slice of the grid of ε for each seed.
func (f fig2) pricesOf(r *paper.Results, truth posterior, l paper.Lane) [][]price {
	all := make([][]price, f.longRuns)
	for _, eps := range fig2LongEps {
		for k, id := range f.long(l, eps).IDs() {
			p := price{eps, math.NaN(), math.NaN()}
			if x, ok := r.Lane(id, 0); ok {
				p.cost, p.width = iterationsPer(x), truth.width(x)
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

// atWidth is the price at which a seed's chains have a width: between the last two
// neighbours on the grid that enclose it, by straight lines on the logarithms of ε, the cost
// and the width's excess over 1. It is false where none enclose it.
func atWidth(all []price, width float64) (price, bool) {
	for i := len(all) - 1; i > 0; i-- {
		a, b := all[i-1], all[i]
		if !(1 < a.width && a.width <= width && width <= b.width && a.width < b.width) || math.IsNaN(a.cost+b.cost) {
			continue
		}
		w := libm.Log((width-1)/(a.width-1)) / libm.Log((b.width-1)/(a.width-1))
		between := func(x, y float64) float64 { return x * libm.Pow(y/x, w) }
		return price{between(a.eps, b.eps), between(a.cost, b.cost), width}, true
	}
	return price{}, false
}

// An equalBias is what SGLD's long chains at an ε come to beside pSGLD's at the ε where
// pSGLD's draws are as wide, over the seeds. The same ε is another step to pSGLD, because G
// multiplies it.
type equalBias struct {
	eps         float64         // SGLD's
	width, cost claim.OverSeeds // of SGLD
	of, has     claim.OverSeeds // pSGLD's ε and cost
	times       claim.OverSeeds // SGLD's cost over pSGLD's, of the same seed
	same        claim.OverSeeds // the same at equal ε
}

// equalBiases are those of the ε at which SGLD's draws are wider than the posterior by more
// than chance, which is what its step makes, and its cost is known.
func (f fig2) equalBiases(r *paper.Results) (all []equalBias) {
	truth, ok := f.posterior(r)
	if !ok {
		return nil
	}
	sgld, psgld := f.pricesOf(r, truth, fig2Lanes[0]), f.pricesOf(r, truth, fig2Lanes[1])
	for i, eps := range fig2LongEps {
		var width, cost, of, has, times, same []float64
		for k, seed := range sgld {
			x := seed[i]
			width, cost, same = append(width, x.width), append(cost, x.cost), append(same, x.cost/psgld[k][i].cost)
			if y, ok := atWidth(psgld[k], x.width); ok {
				of, has, times = append(of, y.eps), append(has, y.cost), append(times, x.cost/y.cost)
			}
		}
		e := equalBias{eps, claim.Over(width), claim.Over(cost), claim.Over(of), claim.Over(has), claim.Over(times), claim.Over(same)}
		if e.width.N > 1 && e.width.Mean-1 > 2*e.width.SE && e.times.N == len(sgld) {
			all = append(all, e)
		}
	}
	return all
}

func equalBiasTable(all []equalBias) paper.Table {
	column := func(head string, of func(equalBias) string) paper.Column {
		return paper.Column{Head: head, Cell: func(i int) string { return of(all[i]) }}
	}
	return paper.TableOf("At equal bias: iterations per effective sample where the draws of both are equally wide, mean ± standard error over seeds", len(all),
		column("width of draws", func(e equalBias) string { return e.width.Text(3) }),
		column("SGLD's ε", func(e equalBias) string { return claim.Exactly(e.eps) }),
		column("SGLD", func(e equalBias) string { return e.cost.Short(3) }),
		column("pSGLD's ε", func(e equalBias) string { return claim.Significant(e.of.Mean, 2) }),
		column("pSGLD", func(e equalBias) string { return e.has.Short(3) }),
		column("times fewer at equal bias", func(e equalBias) string { return e.times.Short(2) }),
		column("at equal ε", func(e equalBias) string { return e.same.Short(2) }))
}

// equalBiasSaid is the finding of the table.
func equalBiasSaid(all []equalBias) string {
	if len(all) == 0 {
		return ""
	}
	var each []string
	for _, e := range all {
		each = append(each, fmt.Sprintf("%s times where both are %s times as wide as the posterior (SGLD at ε = %s, pSGLD at %s)",
			e.times.Short(2), claim.Decimal(e.width.Mean, 2), claim.Exactly(e.eps), claim.Significant(e.of.Mean, 2)))
	}
	return "Equal ε compares the units of G, which multiplies ε: the same ε is a longer step with pSGLD and costs more bias. " +
		"At equal bias, where the draws of both are equally too wide, pSGLD takes fewer iterations by less: " + strings.Join(each, "; ") + "."
}

// equalBiasPanel has the cost against the width of the draws.
func (f fig2) equalBiasPanel(r *paper.Results) figure.Panel {
	p := figure.Panel{Title: "iterations against bias, long chains", X: figure.Axis{Label: "width of draws (posterior 1)", Log: true}, Y: figure.Axis{Label: "iterations per effective sample", Log: true}}
	truth, ok := f.posterior(r)
	if !ok {
		return p
	}
	for _, l := range fig2Lanes {
		seeds := f.pricesOf(r, truth, l)
		var x []float64
		var y []claim.OverSeeds
		for i := range fig2LongEps {
			var width, cost []float64
			for _, s := range seeds {
				width, cost = append(width, s[i].width), append(cost, s[i].cost)
			}
			if slices.ContainsFunc(cost, math.IsNaN) {
				continue // those that are left would be the quick ones
			}
			x, y = append(x, claim.Over(width).Mean), append(y, claim.Over(cost))
		}
		if s := paper.SeriesOver(l.Title, l.Sampler, figure.Both, x, y); len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}
