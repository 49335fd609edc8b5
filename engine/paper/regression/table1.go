package regression

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The protocol of table 1 and figure 3 (section 5.2).
const (
	a9aTarget   = "blr:a9a"
	a9aSteps    = 15_000
	a9aStep     = 0.05 // the text's ε
	a9aBatch    = 50
	a9aThin     = 50
	a9aBurnIn   = 500
	a9aPriorVar = 10
	a9aTest     = 16_281 // cases
	// usualLambda is the paper's λ.
	usualLambda = 1e-5
	// a9aMAP is the test error in percent at the posterior's mode (PAPER §3).
	a9aMAP = 15.01
	// a9aClaim is the iteration by which pSGLD has converged according to the paper; SGLD needs at least twice as many.
	a9aClaim = 4000
)

// a9aSettled are tolerances, in percent, within which a curve has settled: the binomial
// standard error of an error of 15%, and about as much as averaged predictions vary.
var a9aSettled = [...]float64{0.28, 0.1}

// An a9aRow is a row of table 1 in a reading.
type a9aRow struct {
	paper.Entry
	step    string // what a step size, temperature and subsets are called in an ID
	draw    noise.Draw
	printed float64
}

// a9aRows are a reading's rows. The script for a9a was never released, so the authors'
// reading is that of their code for networks: mean gradients and T = 1/N (PAPER §3). The
// text's has its formula as it stands, and again with the step for mean gradients.
func a9aRows(r paper.Reading) []a9aRow {
	both := func(suffix, step string, v paper.Values) []a9aRow {
		return []a9aRow{
			{paper.Entry{Title: "pSGLD" + suffix, Sampler: "psgld", Values: v}, step, r.Draw(), 14.85},
			{paper.Entry{Title: "SGLD" + suffix, Sampler: "sgld", Values: v}, step, r.Draw(), 14.85},
		}
	}
	var rows []a9aRow
	if r == paper.Authors {
		rows = both("", "lr=0.05 temp=1/N", paper.Values{paper.KeyLR: a9aStep, paper.KeyTempN: 1})
	} else {
		rows = append(both("", "eps=0.05 temp=1 subset", paper.Values{sampler.KeyEps: a9aStep, sampler.KeyTemp: 1}),
			both(" ("+paper.AsStep+")", "lr=0.05 temp=1 subset",
				paper.Values{paper.KeyLR: a9aStep, sampler.KeyTemp: 1})...)
	}
	return append(rows,
		a9aRow{paper.Entry{Title: "DSVI", Sampler: "dsvi"}, "defaults", noise.Shuffle, 15.20},
		a9aRow{paper.Entry{Title: "L-BFGS-SGVI", Sampler: "lbfgs-sgvi"}, "defaults", noise.Shuffle, 14.91},
		a9aRow{paper.Entry{Title: "HFSGVI", Sampler: "hfsgvi"}, "defaults", noise.Shuffle, 15.16})
}

func (a a9aRow) runs(o paper.Options, spec string) paper.Runs {
	return paper.Runs{
		Name: fmt.Sprintf("%s %s %s steps=%d", spec, a.Sampler, a.step, a9aSteps), Target: spec,
		Lanes: []paper.Entry{a.With(paper.Values{sampler.KeyBatch: a9aBatch, sampler.KeyThin: a9aThin,
			sampler.KeyBurnIn: a9aBurnIn, sampler.KeyPriorVar: a9aPriorVar})},
		Draw: a.draw, Steps: a9aSteps, Seed: o.Seed, N: o.RepeatsOr(3, 10), Keep: study.Keep{Curves: true},
	}
}

// a9aRuns are the sessions of table 1 and figure 3. The variational methods have the same ones in both readings.
func a9aRuns(o paper.Options, spec string) []paper.Runs {
	return list.Map(a9aRows(o.Reading), func(row a9aRow) paper.Runs { return row.runs(o, spec) })
}

func a9aProtocol(o paper.Options) string {
	read := "pSGLD and SGLD have the text's formula, with ε = 0.05 and T = 1, and again with 0.05 as the step h = " +
		"εN/2 per mean gradient. "
	if o.Reading == paper.Authors {
		read = "pSGLD and SGLD take ε = 0.05 as the step h = εN/2 per mean gradient at T = 1/N, as the released " +
			"code for networks does. "
	}
	return fmt.Sprintf("BLR on a9a, σ² = %d: %s iterations, batches of %d, every %dth draw after %d. ", a9aPriorVar,
		claim.Whole(a9aSteps), a9aBatch, a9aThin, a9aBurnIn) + read + o.Reading.Batching() +
		" DSVI, L-BFGS-SGVI and HFSGVI have this program's settings."
}

// table1 is the paper's table 1: test errors on a9a.
var table1 = paper.Experiment{
	ID:       "table1",
	Title:    "Test error, BLR on a9a",
	Source:   "section 5.2, table 1",
	Readings: []paper.Reading{paper.Authors, paper.Text},
	Question: "Are the test errors those of the paper, and do pSGLD and SGLD predict better than the variational " +
		"methods?",
	Protocol: a9aProtocol, Jobs: jobs(a9aTarget, a9aRuns), Report: reportTable1,
}

func reportTable1(o paper.Options, r *paper.Results) paper.Report {
	spec := r.Target(a9aTarget)
	compared := spec == a9aTarget
	t := paper.Table{Title: "Test error of the averaged prediction, %",
		Head: []string{"method", "paper", "ours", "against the paper's", "seeds"}}
	t.Note = "Ours are means ± standard error over the seeds. The variational methods predict by their newest q, " +
		"and their minibatches go through data shuffled anew each epoch. The posterior mode is that of another program."
	of := map[string]claim.OverSeeds{}
	for _, row := range a9aRows(o.Reading) {
		runs := row.runs(o, spec)
		e := r.Over(runs, paper.TestError).Times(100)
		of[row.Title] = e
		cells := []string{row.Title, claim.NoNumber, e.Text(2), claim.NoNumber, fmt.Sprint(e.N)}
		if compared {
			cells[1] = claim.Decimal(row.printed, 2)
			if s, ok := claim.OnTest(row.Title, row.printed, e, a9aTest); ok {
				cells[3] = s.Verdict
				t.Scores = append(t.Scores, s)
			}
		}
		if step := firstDiverged(r, runs); step > 0 {
			cells[2] = fmt.Sprintf("%s, the first diverges at step %d", cells[2], step)
		}
		t.Rows = append(t.Rows, cells)
	}
	var rep paper.Report
	rep.Verdict = paper.StandsIn(spec, a9aTarget)
	if compared {
		t.Rows = append(t.Rows,
			[]string{"posterior mode", claim.NoNumber, claim.Decimal(a9aMAP, 2), claim.NoNumber, claim.NoNumber})
		t.Note += " " + claim.TieRule
		rep.Verdict = a9aVerdict(o, of, t.Scores)
		rep.Beside = paper.TableOf("Test errors, %, table1: paper / ours", len(t.Rows)-1,
			paper.Column{Head: "method", Cell: func(i int) string { return t.Rows[i][0] }},
			paper.Column{Head: "a9a", Cell: func(i int) string {
				return claim.Beside(t.Rows[i][1], t.Rows[i][2], t.Rows[i][3])
			}})
	}
	rep.Tables = []paper.Table{t}
	a, b := of["pSGLD"], of["SGLD"]
	if se := libm.Hypot(a.SE, b.SE); a.OK() && b.OK() && se > 0 {
		d, word := a.Mean-b.Mean, "above"
		if d < 0 {
			word = "below"
		}
		rep.Instead = fmt.Sprintf("pSGLD and SGLD do not have the same error, as they have in the paper. On this "+
			"test set pSGLD's is %s ± %s points %s SGLD's.",
			claim.Decimal(math.Abs(d), 2), claim.Decimal(se, 2), word)
		if math.Abs(d) <= 2*se {
			rep.Instead = ""
		}
	}
	rep.Say(spread(o, of, compared))
	if o.Reading != paper.Text {
		return rep
	}
	for _, name := range []string{"pSGLD", "SGLD"} {
		e := of[name]
		if e.Lost == 0 && !e.OK() {
			continue
		}
		text := fmt.Sprintf("%s by the text's formula: %s. With ε read as h: %s.", name, errorText(e),
			errorText(of[name+" ("+paper.AsStep+")"]))
		if name == "pSGLD" && e.Lost > 0 && compared {
			text += fmt.Sprintf(" While no minibatch has had a feature, V is near 0 and G near 1/λ. The prior "+
				"alone is then stable only for ε < 4σ²λ = %s.",
				claim.Exactly(param.Round(4*a9aPriorVar*usualLambda, 4)))
		}
		rep.Say(text)
	}
	return rep
}

// a9aVerdict says how the errors compare with the paper's, and the samplers with the variational
// methods on this test set, by two standard errors over the seeds.
func a9aVerdict(o paper.Options, of map[string]claim.OverSeeds, scores []claim.Score) string {
	if len(scores) == 0 {
		return ""
	}
	n, far, lost := map[string]int{}, 0.0, ""
	for _, row := range a9aRows(o.Reading) {
		if e := of[row.Title]; !e.OK() && e.Lost > 0 {
			lost += " " + row.Title + " by the text's formula diverges with every seed."
		}
	}
	for _, s := range scores {
		n[s.Verdict]++
		far = max(far, math.Abs(float64(s.Ours-s.Paper)))
	}
	said := fmt.Sprintf("Of %d test errors %d tie with the paper's, %d are better and %d worse, by %s points at most.",
		len(scores), n[claim.Tie], n[claim.Better], n[claim.Worse], claim.Decimal(far, 2)) + lost
	suffix := ""
	if o.Reading == paper.Text {
		suffix = " (" + paper.AsStep + ")"
	}
	below := func(name string) (n, all int) {
		for _, row := range a9aRows(o.Reading) {
			if a, b := of[name+suffix], of[row.Title]; row.step == "defaults" && a.OK() && b.OK() {
				if all++; claim.Sign(a.Mean-b.Mean, libm.Hypot(a.SE, b.SE)) < 0 {
					n++
				}
			}
		}
		return n, all
	}
	p, all := below("pSGLD")
	g, _ := below("SGLD")
	if all == 0 {
		return said
	}
	return said + fmt.Sprintf(" On this test set pSGLD%[1]s is better than %[2]d of the %[4]d variational methods "+
		"and SGLD%[1]s than %[3]d.", suffix, p, g, all)
}

// spread says by how much errors vary with the test set and with seeds.
func spread(o paper.Options, of map[string]claim.OverSeeds, compared bool) string {
	if !compared {
		return ""
	}
	most, se := 0.0, 0.0
	for _, row := range a9aRows(o.Reading) {
		if e := of[row.Title]; e.OK() {
			most, se = max(most, e.SD()), max(se, claim.BinomialSE(e.Mean, a9aTest))
		}
	}
	if se == 0 {
		return ""
	}
	text := fmt.Sprintf("On another test set the order could be another: the binomial standard error of %s cases "+
		"is %s points.", claim.Whole(a9aTest), claim.Decimal(se, 2))
	if most > 0 {
		text += fmt.Sprintf(" On this one a method's seeds have a standard deviation of up to %s points.",
			claim.Decimal(most, 2))
	}
	return text
}

// errorText says what an error is, or that every seed diverged.
func errorText(e claim.OverSeeds) string {
	switch {
	case e.OK():
		return e.Text(2) + "%"
	case e.Lost > 0:
		return fmt.Sprintf("all %d seeds diverge", e.Lost)
	}
	return "not run"
}

// firstDiverged is the step at which the first of the sessions that diverged did, 0 where none did.
func firstDiverged(r *paper.Results, runs paper.Runs) uint64 {
	step := uint64(0)
	for _, id := range runs.IDs() {
		if l, _ := r.Lane(id, 0); l.Diverged != nil && (step == 0 || l.Diverged.Step < step) {
			step = l.Diverged.Step
		}
	}
	return step
}
