package calibration

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

const (
	interval95  = 1.96
	normal95    = 1.6448536
	wrongErrors = 3      // standard errors that a number is off by if it is wrong,
	wrongSDs    = 0.1    // and standard deviations of the target
	seedsApart  = 10_000 // of the settings, whose noise is their own
)

// coverage is what the experiment of the same name runs: every method at every ε on every target.
type coverage struct {
	cells []coverageCell
	steps uint64
}

// A coverageCell is sessions that differ in their seed.
type coverageCell struct {
	paper.Runs
	eps string
}

func coverageOf(o paper.Options) coverage {
	v := coverage{steps: 20_000}
	if o.Scale == paper.Full {
		v.steps = 100_000
	}
	add := func(target string, l paper.Entry, eps float64) {
		c := coverageCell{eps: claim.NoNumber}
		if eps > 0 {
			l, c.eps = l.With(paper.Values{sampler.KeyEps: eps}), claim.Exactly(eps)
		}
		name := fmt.Sprintf("coverage %s %s eps=%s %s %s", target, l.Title, c.eps, o.Reading, o.Scale)
		c.Runs = paper.Runs{Name: name, Target: target, Lanes: []paper.Entry{l}, Steps: v.steps,
			Seed: o.Seed + seedsApart*uint64(len(v.cells)), N: o.RepeatsOr(20, 100)}
		v.cells = append(v.cells, c)
	}
	for _, target := range []string{"gaussian", "banana", "mixture"} {
		for _, l := range []paper.Entry{
			paper.SGLD, paper.PSGLD, {Title: "SGHMC", Sampler: "sghmc"},
			{Title: "SGHMC, a = 0.03", Sampler: "sghmc", Values: paper.Values{"friction": 0.03}},
		} {
			for _, eps := range []float64{0.03, 0.1, 0.3} {
				add(target, l, eps)
			}
		}
		add(target, paper.Entry{Title: "HMC", Sampler: "hmc"}, 0)
	}
	return v
}

func (v coverage) runs() []paper.Runs {
	return list.Map(v.cells, func(c coverageCell) paper.Runs { return c.Runs })
}

func (v coverage) protocol() string {
	c := v.cells[0]
	return fmt.Sprintf("The Gaussian, the banana and the mixture, each by %d settings of SGLD, pSGLD, SGHMC and "+
		"HMC: %d runs of %s steps with noise and starts of their own, the draws of all steps.", len(v.cells)/3, c.N,
		claim.Whole(v.steps))
}

// A measured is a quantity of a run with its standard error, or why it is withheld.
type measured struct {
	metrics.Estimate
	truth, sd float64 // of the target, NaN where it is not known
}

// measuredOf are the quantities of a run that may have a standard error, by their names: all of the tables of package
// quantity, of which a new one needs no line here.
func measuredOf(l engine.LaneResult, target string, exact *targets.Reference) (names []string, all []measured) {
	add := func(name string, e metrics.Estimate, truth, sd float64) {
		names, all = append(names, name), append(all, measured{e, truth, sd})
	}
	for i, c := range l.Coords {
		mean, sd := exact.Mean[i], exact.SD[i]
		known := map[quantity.CoordID]float64{quantity.Mean: mean, quantity.SD: sd}
		if target == "gaussian" {
			known[quantity.Q5], known[quantity.Q95] = mean-normal95*sd, mean+normal95*sd
		}
		for id := range quantity.Coordinates {
			q, truth := &quantity.Coordinates[id], math.NaN()
			if x, ok := known[quantity.CoordID(id)]; ok {
				truth = x
			}
			if e := c[id]; q.HasError() && q.Needs&(quantity.Extrapolated|quantity.Quartered) == 0 {
				if e.OK() && !(e.Error > 0) {
					e = metrics.Withheld(metrics.Unknown, e.Draws) // it is shown without a ±
				}
				add(fmt.Sprintf("%s of coordinate %d", q.Name, i+1), e, truth, sd)
			}
		}
	}
	for id, e := range l.Values {
		if quantity.ID(id) == quantity.MaxACT && l.Sampler == "hmc" {
			continue // each run finds a step of its own, and so has a τ of its own
		}
		if q := &quantity.All[id]; e.Applies() && q.Form != quantity.Count && (e.Error > 0 || !e.OK()) &&
			q.Basis >= quantity.Mixing {
			add(q.Name, e, math.NaN(), math.NaN())
		}
	}
	return names, all
}

// A covered is how a quantity did in a setting.
type covered struct {
	cell                 coverageCell
	name                 string
	runs, shown          int
	right, judged, wrong int
	truth                bool // of the target is known, so that wrong counts
}

// coveredIn counts over the runs of a setting. Right is an interval of 95% that covers what the quantity is on average
// over the other runs, which is what the error is about: bias is none of it.
func coveredIn(r *paper.Results, c coverageCell) []covered {
	var names []string
	var all []covered
	of := map[string][]measured{}
	p, err := targets.Open(c.Target, targets.Options{})
	if err != nil {
		panic(err)
	}
	exact := p.Exact() // results that are read from a file have no truth
	for _, l := range r.Lanes(c.Runs) {
		each, values := measuredOf(l, c.Target, exact)
		for i, name := range each {
			if of[name] == nil {
				names = append(names, name)
			}
			of[name] = append(of[name], values[i])
		}
	}
	for _, name := range names {
		k := covered{cell: c, name: name}
		for i, m := range of[name] {
			k.runs++
			k.truth = k.truth || !math.IsNaN(m.truth)
			if !m.OK() || !(m.Error > 0) {
				continue
			}
			k.shown++
			var others []float64
			for j, o := range of[name] {
				if j != i && o.OK() {
					others = append(others, o.Value)
				}
			}
			if mean := claim.Over(others); mean.N >= 9 {
				k.judged++
				if math.Abs(m.Value-mean.Mean) <= interval95*libm.Hypot(m.Error, mean.SE) {
					k.right++
				}
			}
			if off := math.Abs(m.Value - m.truth); off > wrongErrors*m.Error && off > wrongSDs*m.sd {
				k.wrong++
			}
		}
		if k.shown > 0 || k.truth {
			all = append(all, k)
		}
	}
	return all
}

// percentOf is n of all in percent, without a number where there is none.
func percentOf(n, all int) string {
	if all == 0 {
		return claim.NoNumber
	}
	return claim.Decimal(100*float64(n)/float64(all), 0)
}

// row is the numbers of a line of the tables.
func (k covered) row() []string {
	wrong := claim.NoNumber
	if k.truth {
		wrong = percentOf(k.wrong, k.runs)
	}
	return []string{percentOf(k.shown, k.runs), percentOf(k.right, k.judged), wrong}
}

func (v coverage) report(r *paper.Results) (rep paper.Report) {
	all := list.Flat(v.cells, func(c coverageCell) []covered { return coveredIn(r, c) })
	head := []string{"shown, %", "right, %", "shown and wrong, %"}
	sum := paper.Table{
		Title: "Intervals of each quantity, over all settings", Head: append([]string{"method", "quantity"}, head...),
		Note: fmt.Sprintf("Shown: of all runs that ended, those whose quantity has an error. Right: of these, "+
			"those whose 95%% interval covers the mean over the other runs of the setting, with the error of that "+
			"mean, so that bias counts as none of it. HMC finds a step in each run, so that its τ is not judged. "+
			"Shown and wrong: of all runs, those that are more than %d standard errors and %g standard deviations "+
			"from the target's own value, where that is known.",
			wrongErrors, wrongSDs),
	}
	each := paper.Table{Title: "Each setting", Head: append([]string{"target", "method", "ε", "quantity"}, head...)}
	var order []string
	total := map[string]*covered{}
	right, judged := 0, 0
	for _, k := range all {
		each.Rows = append(each.Rows,
			append([]string{k.cell.Target, k.cell.Lanes[0].Title, k.cell.eps, k.name}, k.row()...))
		key := k.cell.Lanes[0].Title + k.name
		t := total[key]
		if t == nil {
			order, t = append(order, key), &covered{cell: k.cell, name: k.name}
			total[key] = t
		}
		t.runs, t.shown, t.wrong, t.truth = t.runs+k.runs, t.shown+k.shown, t.wrong+k.wrong, t.truth || k.truth
		t.right, t.judged = t.right+k.right, t.judged+k.judged
		right, judged = right+k.right, judged+k.judged
	}
	least := -1
	for _, key := range order {
		t := total[key]
		sum.Rows = append(sum.Rows, append([]string{t.cell.Lanes[0].Title, t.name}, t.row()...))
	}
	for i, k := range all {
		if k.judged >= 15 && (least < 0 || k.right*all[least].judged < all[least].right*k.judged) {
			least = i
		}
	}
	rep.Tables = []paper.Table{sum, each}
	if judged > 0 && least >= 0 {
		k := all[least]
		rep.Verdict = fmt.Sprintf("Of the nominal 95%% intervals that are shown %s%% are right, and %s%% in the "+
			"worst setting: the %s of %s on %s",
			percentOf(right, judged), percentOf(k.right, k.judged), k.name, k.cell.Lanes[0].Title, k.cell.Target)
		if k.cell.eps != claim.NoNumber {
			rep.Verdict += " at ε = " + k.cell.eps
		}
		rep.Verdict += "."
	}
	return rep
}
