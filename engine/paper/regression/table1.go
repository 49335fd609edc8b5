package regression

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
)

// The protocol of table 1 and figure 3 (section 5.2).
const (
	adultTarget   = "blr:a9a"
	adultSteps    = 15_000
	adultStep     = 0.05 // the text's ε
	adultBatch    = 50
	adultThin     = 50
	adultBurnIn   = 500
	adultPriorVar = 10
	adultTest     = 16_281 // cases
	// usualLambda is the paper's λ.
	usualLambda = 1e-5
	// adultMAP is the test error in percent at the posterior's mode (PAPER §3).
	adultMAP = 15.01
	// adultClaim is by which iteration the paper has pSGLD converged; SGLD is said
	// to need at least twice as many.
	adultClaim = 4000
)

// adultSettled are the distances, in percent, within which a curve has come to an
// error: a binomial standard error at 15% of the test cases, and about as much as an
// averaged prediction wanders.
var adultSettled = [...]float64{0.28, 0.1}

// An adultRow is a row of table 1 in a reading.
type adultRow struct {
	paper.Lane
	step    string // what a step size and temperature are called in an ID
	printed float64
}

// adultRows are a reading's rows. The script was never released: the authors'
// reading is that of their code for networks, mean gradients with T = 1/N (PAPER
// §3). The text's is its formula as it stands, and beside it the step read as that
// of the mean gradient at the text's T = 1.
func adultRows(r paper.Reading) []adultRow {
	both := func(suffix, step string, v paper.Values) []adultRow {
		return []adultRow{
			{paper.Lane{Title: "pSGLD" + suffix, Sampler: "psgld", Values: v}, step, 14.85},
			{paper.Lane{Title: "SGLD" + suffix, Sampler: "sgld", Values: v}, step, 14.85},
		}
	}
	var rows []adultRow
	if r == paper.Authors {
		rows = both("", "lr=0.05 temp=1/N", paper.Values{paper.KeyLR: adultStep, paper.KeyTempN: 1})
	} else {
		rows = append(both("", "eps=0.05 temp=1", paper.Values{sampler.KeyEps: adultStep, sampler.KeyTemp: 1}),
			both(", "+paper.AsStep, "lr=0.05 temp=1", paper.Values{paper.KeyLR: adultStep, sampler.KeyTemp: 1})...)
	}
	return append(rows,
		adultRow{paper.Lane{Title: "DSVI", Sampler: "dsvi"}, "defaults", 15.20},
		adultRow{paper.Lane{Title: "L-BFGS-SGVI", Sampler: "lbfgs-sgvi"}, "defaults", 14.91},
		adultRow{paper.Lane{Title: "HFSGVI", Sampler: "hfsgvi"}, "defaults", 15.16})
}

// adultRepeats is the number of seeds.
func adultRepeats(o paper.Options) int { return o.RepeatsOr(3, 10) }

// runs are the row's sessions on each seed.
func (a adultRow) runs(o paper.Options, spec string) paper.Runs {
	return paper.Runs{
		Name: fmt.Sprintf("%s %s %s steps=%d", spec, a.Sampler, a.step, adultSteps), Target: spec,
		Lanes: []paper.Lane{a.With(paper.Values{sampler.KeyBatch: adultBatch, sampler.KeyThin: adultThin, sampler.KeyBurnIn: adultBurnIn, sampler.KeyPriorVar: adultPriorVar})},
		Steps: adultSteps, Seed: o.Seed, N: adultRepeats(o), Keep: study.Keep{Curves: true},
	}
}

// adultRuns are the sessions of table 1 and figure 3. Rows that no reading
// touches are the same sessions in both.
func adultRuns(o paper.Options, spec string) []paper.Runs {
	var all []paper.Runs
	for _, row := range adultRows(o.Reading) {
		all = append(all, row.runs(o, spec))
	}
	return all
}

func adultProtocol(o paper.Options) string {
	text := fmt.Sprintf("BLR on a9a; batch %d, σ² = %d, thinned by %d after %d, %d iterations, %d seeds. ", adultBatch, adultPriorVar, adultThin, adultBurnIn, adultSteps, adultRepeats(o))
	if o.Reading == paper.Authors {
		text += "pSGLD and SGLD with mean gradients, as in the released code for networks: ε = 0.05 is h = εN/2, T = 1/N. That of a9a was not released. "
	} else {
		text += "pSGLD and SGLD by the text's formula, ε = 0.05 with N-scaled gradients at T = 1; and with ε read as h = εN/2 at T = 1. "
	}
	return text + "DSVI, L-BFGS-SGVI and HFSGVI with this program's defaults, as the text gives none; they predict by q at its newest. Without the data, " + standIn + " in their place."
}

// table1 is the paper's table 1: test errors on a9a.
func table1() paper.Experiment {
	return paper.Experiment{
		ID: "table1", Title: "Test error, BLR on a9a", Source: "section 5.2, table 1", Readings: []paper.Reading{paper.Authors, paper.Text},
		Protocol: adultProtocol, Jobs: jobs(adultTarget, adultRuns), Report: reportTable1,
	}
}

func reportTable1(o paper.Options, r *paper.Results) paper.Report {
	spec := r.Target(adultTarget)
	compared := spec == adultTarget
	t := paper.Table{Title: "Test error of the averaged prediction, %, ± standard error over seeds", Head: []string{"method", "paper", "ours", "verdict", "seeds"}}
	of := map[string]claim.OverSeeds{}
	for _, row := range adultRows(o.Reading) {
		runs := row.runs(o, spec)
		e := r.Over(runs, paper.TestError).Times(100)
		of[row.Title] = e
		cells := []string{row.Title, claim.NoNumber, e.Text(2), claim.NoNumber, fmt.Sprint(e.N)}
		if compared {
			cells[1] = claim.Decimal(row.printed, 2)
			if s, ok := claim.ScoreOf(row.Title, "%", row.printed, e, claim.BinomialSE(e.Mean, adultTest)); ok {
				cells[3] = s.Verdict
				t.Scores = append(t.Scores, s)
			}
		}
		if step := firstDiverged(r, runs); step > 0 {
			cells[2] = fmt.Sprintf("%s, diverged at step %d", cells[2], step)
		}
		t.Rows = append(t.Rows, cells)
	}
	var rep paper.Report
	rep.Say(paper.StandsIn(spec, adultTarget))
	if compared {
		t.Rows = append(t.Rows, []string{"posterior mode (another program)", claim.NoNumber, claim.Decimal(adultMAP, 2), claim.NoNumber, claim.NoNumber})
		rep.Say(ranking(o, of))
	}
	rep.Tables = []paper.Table{t}
	a, b := of["pSGLD"], of["SGLD"]
	if se := math.Hypot(a.SE, b.SE); a.OK() && b.OK() && se > 0 {
		d, word := a.Mean-b.Mean, "above"
		if d < 0 {
			word = "below"
		}
		rep.Say(fmt.Sprintf("pSGLD's error is %s points %s SGLD's, %.1f times the standard error over seeds of that difference on this test set; the paper prints the same number for both.",
			claim.Decimal(math.Abs(d), 2), word, math.Abs(d)/se))
	}
	if o.Reading != paper.Text {
		return rep
	}
	for _, name := range []string{"pSGLD", "SGLD"} {
		e := of[name]
		if e.Lost == 0 && !e.OK() {
			continue
		}
		text := fmt.Sprintf("By the text's formula %s has %s; with ε read as h it has %s.", name, errorText(e), errorText(of[name+", "+paper.AsStep]))
		if name == "pSGLD" && e.Lost > 0 && compared {
			text += fmt.Sprintf(" Where no minibatch has had a feature yet, V is near 0 and G near 1/λ: the prior alone is then stable only for ε < 4σ²λ = %s.", claim.Exactly(claim.Round4(4*adultPriorVar*usualLambda)))
		}
		rep.Say(text)
	}
	return rep
}

// ranking says how many methods the lowest error can be told from.
func ranking(o paper.Options, of map[string]claim.OverSeeds) string {
	best := ""
	rows := adultRows(o.Reading)
	for _, row := range rows {
		if e := of[row.Title]; e.OK() && (best == "" || e.Mean < of[best].Mean) {
			best = row.Title
		}
	}
	if best == "" {
		return ""
	}
	lowest := of[best]
	se := claim.BinomialSE(lowest.Mean, adultTest)
	n, within, spread := 0, 0, lowest.SD()
	for _, row := range rows {
		if e := of[row.Title]; e.OK() && row.Title != best {
			n++
			spread = max(spread, e.SD())
			if e.Mean-lowest.Mean <= 2*se {
				within++
			}
		}
	}
	text := fmt.Sprintf("The lowest error is that of %s, %s; %d of the other %d are within twice the binomial standard error of the %d test cases, %s points, of it",
		best, lowest.Text(2), within, n, adultTest, claim.Decimal(se, 2))
	if within > 0 {
		text += ", so that this table does not rank them"
	}
	text += "."
	switch {
	case spread >= se:
		text += fmt.Sprintf(" A method's seeds have a standard deviation of up to %s points, which is no less.", claim.Decimal(spread, 2))
	case spread > 0:
		text += fmt.Sprintf(" A method's seeds have a standard deviation of up to %s points, as they share the test set.", claim.Decimal(spread, 2))
	}
	return text
}

// errorText is an error, or that every seed diverged.
func errorText(e claim.OverSeeds) string {
	switch {
	case e.OK():
		return e.Text(2) + "%"
	case e.Lost > 0:
		return fmt.Sprintf("none: all %d seeds diverged", e.Lost)
	}
	return "none"
}

// firstDiverged is the step at which the first of the sessions that diverged did, 0
// where none did.
func firstDiverged(r *paper.Results, runs paper.Runs) uint64 {
	step := uint64(0)
	for _, id := range runs.IDs() {
		if l, _ := r.Lane(id, 0); l.Diverged != nil && (step == 0 || l.Diverged.Step < step) {
			step = l.Diverged.Step
		}
	}
	return step
}
