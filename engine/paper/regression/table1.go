package regression

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
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
	name    string
	sampler string
	printed float64
	step    string // what a step size and temperature are called in an ID; "" for the method's own
	values  func(n int) paper.Values
}

// adultRows are a reading's rows. The script was never released: the authors'
// reading is that of their code for networks, mean gradients with T = 1/N (PAPER
// §3). The text's is its formula as it stands, and beside it the step read as that
// of the mean gradient at the text's T = 1.
func adultRows(r paper.Reading) []adultRow {
	mean := func(temp func(n int) float64) func(int) paper.Values {
		return func(n int) paper.Values { return paper.Values{paper.KeyLR: adultStep, sampler.KeyTemp: temp(n)} }
	}
	one := func(int) float64 { return 1 }
	inverse := func(n int) float64 { return 1 / float64(n) }
	literal := func(int) paper.Values { return paper.Values{sampler.KeyEps: adultStep, sampler.KeyTemp: 1} }
	own := func(int) paper.Values { return paper.Values{} }
	variational := []adultRow{
		{"DSVI", "dsvi", 15.20, "", own},
		{"L-BFGS-SGVI", "lbfgs-sgvi", 14.91, "", own},
		{"HFSGVI", "hfsgvi", 15.16, "", own},
	}
	if r == paper.Authors {
		return append([]adultRow{
			{"pSGLD", "psgld", 14.85, "lr=0.05 temp=1/N", mean(inverse)},
			{"SGLD", "sgld", 14.85, "lr=0.05 temp=1/N", mean(inverse)},
		}, variational...)
	}
	return append([]adultRow{
		{"pSGLD", "psgld", 14.85, "eps=0.05 temp=1", literal},
		{"SGLD", "sgld", 14.85, "eps=0.05 temp=1", literal},
		{"pSGLD, " + paper.AsStep, "psgld", 14.85, "lr=0.05 temp=1", mean(one)},
		{"SGLD, " + paper.AsStep, "sgld", 14.85, "lr=0.05 temp=1", mean(one)},
	}, variational...)
}

// adultRepeats is the number of seeds.
func adultRepeats(o paper.Options) int {
	if o.Scale == paper.Quick {
		return o.RepeatsOr(3)
	}
	return o.RepeatsOr(10)
}

// id names a session of the row.
func (a adultRow) id(spec string, seed uint64) string {
	step := a.step
	if step == "" {
		step = "defaults"
	}
	return fmt.Sprintf("%s %s %s steps=%d seed=%d", spec, a.sampler, step, adultSteps, seed)
}

func (a adultRow) ids(o paper.Options, spec string) []string {
	var ids []string
	for k := range adultRepeats(o) {
		ids = append(ids, a.id(spec, o.Seed+uint64(k)))
	}
	return ids
}

// adultJobs are the sessions of table 1 and figure 3. Rows that no reading
// touches are the same sessions in both.
func adultJobs(o paper.Options) ([]study.Job, error) {
	p, err := o.Targets.OrElse(adultTarget, creditStandIn)
	if err != nil {
		return nil, err
	}
	var jobs []study.Job
	for _, row := range adultRows(o.Reading) {
		for k := range adultRepeats(o) {
			seed := o.Seed + uint64(k)
			jobs = append(jobs, row.job(p, seed))
		}
	}
	return jobs, nil
}

func (a adultRow) job(p *targets.Problem, seed uint64) study.Job {
	values := a.values(p.N())
	values[sampler.KeyBatch], values[sampler.KeyThin], values[sampler.KeyBurnIn], values[sampler.KeyPriorVar] = adultBatch, adultThin, adultBurnIn, adultPriorVar
	cfg := paper.Session(p, seed, paper.Lane(p, a.sampler, sampler.Schedule{}, values))
	cfg.Steps = adultSteps
	return study.Job{ID: a.id(p.Spec, seed), Config: cfg, Keep: study.Keep{Curves: true}}
}

func adultProtocol(o paper.Options) string {
	text := fmt.Sprintf("BLR on a9a; batch %d, σ² = %d, thinned by %d after %d, %d iterations, %d seeds. ", adultBatch, adultPriorVar, adultThin, adultBurnIn, adultSteps, adultRepeats(o))
	if o.Reading == paper.Authors {
		text += "pSGLD and SGLD with mean gradients, as in the released code for networks: ε = 0.05 is h = εN/2, T = 1/N. That of a9a was not released. "
	} else {
		text += "pSGLD and SGLD by the text's formula, ε = 0.05 with N-scaled gradients at T = 1; and with ε read as h = εN/2 at T = 1. "
	}
	return text + "DSVI, L-BFGS-SGVI and HFSGVI with this program's defaults, as the text gives none; they predict by q at its newest. Without the data, " + creditStandIn + " in their place."
}

// table1 is the paper's table 1: test errors on a9a.
func table1() paper.Experiment {
	return paper.Experiment{
		ID: "table1", Title: "Test error, BLR on a9a", Source: "section 5.2, table 1", Readings: []paper.Reading{paper.Authors, paper.Text},
		Protocol: adultProtocol, Jobs: adultJobs,
		Report: func(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
			return reportTable1(o, paper.SpecIn(outcomes, adultTarget, creditStandIn), paper.ResultsOf(outcomes))
		},
	}
}

func reportTable1(o paper.Options, spec string, r *paper.Results) paper.Report {
	rep := paper.Report{Findings: paper.StandsIn(spec, adultTarget)}
	compared := spec == adultTarget
	t := paper.Table{Title: "Test error of the averaged prediction, %, ± standard error over seeds", Head: []string{"method", "paper", "ours", "verdict", "seeds"}}
	best, bestName := claim.OverSeeds{Mean: math.Inf(1)}, ""
	of := map[string]claim.OverSeeds{}
	for _, row := range adultRows(o.Reading) {
		e := r.Over(row.ids(o, spec), paper.TestError).Times(100)
		of[row.name] = e
		cells := []string{row.name, claim.Decimal(row.printed, 2), e.Text(2), claim.NoNumber, fmt.Sprint(e.N)}
		if s, ok := claim.ScoreOf(row.name, "%", row.printed, e, claim.BinomialSE(e.Mean, adultTest)); ok && compared {
			cells[3] = s.Verdict
			t.Scores = append(t.Scores, s)
		}
		if lost, step := firstLost(r, row.ids(o, spec)); lost > 0 {
			cells[2] = fmt.Sprintf("%s, diverged at step %d", cells[2], step)
		}
		if e.OK() && e.Mean < best.Mean {
			best, bestName = e, row.name
		}
		t.Rows = append(t.Rows, cells)
	}
	if compared {
		t.Rows = append(t.Rows, []string{"posterior mode (another program)", claim.NoNumber, claim.Decimal(adultMAP, 2), claim.NoNumber, claim.NoNumber})
	} else {
		for i := range t.Rows {
			t.Rows[i][1] = claim.NoNumber
		}
	}
	rep.Tables = []paper.Table{t}
	if bestName != "" && compared {
		se := claim.BinomialSE(best.Mean, adultTest)
		n, within, spread := 0, 0, best.SD()
		for _, row := range adultRows(o.Reading) {
			if e := of[row.name]; e.OK() && row.name != bestName {
				n++
				spread = max(spread, e.SD())
				if e.Mean-best.Mean <= 2*se {
					within++
				}
			}
		}
		text := fmt.Sprintf("The lowest error is that of %s, %s; %d of the other %d are within twice the binomial standard error of the %d test cases, %s points, of it",
			bestName, best.Text(2), within, n, adultTest, claim.Decimal(se, 2))
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
		rep.Findings = append(rep.Findings, text)
	}
	a, b := of["pSGLD"], of["SGLD"]
	if se := math.Hypot(a.SE, b.SE); a.OK() && b.OK() && se > 0 {
		d, word := a.Mean-b.Mean, "above"
		if d < 0 {
			word = "below"
		}
		rep.Findings = append(rep.Findings, fmt.Sprintf("pSGLD's error is %s points %s SGLD's, %.1f times the standard error over seeds of that difference on this test set; the paper prints the same number for both.",
			claim.Decimal(math.Abs(d), 2), word, math.Abs(d)/se))
	}
	if o.Reading == paper.Text {
		for _, name := range []string{"pSGLD", "SGLD"} {
			e := of[name]
			if e.Lost == 0 && !e.OK() {
				continue
			}
			text := fmt.Sprintf("By the text's formula %s has %s; with ε read as h it has %s.", name, outcomeText(e), outcomeText(of[name+", "+paper.AsStep]))
			if name == "pSGLD" && e.Lost > 0 && compared {
				text += fmt.Sprintf(" Where no minibatch has had a feature yet, V is near 0 and G near 1/λ: the prior alone is then stable only for ε < 4σ²λ = %s.", claim.Exactly(claim.Round4(4*adultPriorVar*usualLambda)))
			}
			rep.Findings = append(rep.Findings, text)
		}
	}
	rep.Findings = append(rep.Findings, r.Findings()...)
	return rep
}

// outcomeText is an error, or that every seed diverged.
func outcomeText(e claim.OverSeeds) string {
	if !e.OK() && e.Lost > 0 {
		return fmt.Sprintf("none: all %d seeds diverged", e.Lost)
	}
	if !e.OK() {
		return "none"
	}
	return e.Text(2) + "%"
}

// firstLost counts the sessions that diverged and says at which step the first
// did.
func firstLost(r *paper.Results, ids []string) (lost int, step uint64) {
	for _, id := range ids {
		l, ok := r.Lane(id, 0)
		if ok || l.Diverged == nil {
			continue
		}
		if lost == 0 || l.Diverged.Step < step {
			step = l.Diverged.Step
		}
		lost++
	}
	return lost, step
}
