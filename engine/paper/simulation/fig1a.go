package simulation

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// fig1a is the paper's figure 1(a): the error of the covariance's estimate and
// the autocorrelation time of SGLD and pSGLD at several ε.
var fig1a = paper.Experiment{
	ID:       "fig1a",
	Title:    "Covariance error and autocorrelation time on a 2D Gaussian",
	Source:   "section 5.1, figure 1(a)",
	Readings: []paper.Reading{paper.Text, paper.Authors},
	Question: "Does pSGLD dominate SGLD: at each step size, does it estimate the covariance better and mix faster?",
	Protocol: func(o paper.Options) string {
		s := protocolOf(o.Reading)
		head := fmt.Sprintf("N(0, diag(0.16, 1)), %s draws at each of %d ε from %s to %s, all kept. ",
			claim.Whole(s.draws), len(s.eps), claim.Exactly(slices.Min(s.eps)), claim.Exactly(slices.Max(s.eps)))
		if o.Reading == paper.Authors {
			return head +
				"As in the released code: η = 0.3·0.8^i, which is ε = 2η here, α = 0.9999, λ = 1e-4, V₀ = ḡ₁², " +
				"start (0, 0), and gradients with noise of standard deviation 0.1, drawn apart for V and the drift."
		}
		return head + "α = 0.99, λ = 1e-5, V₀ = 0, exact gradients. The text names neither the values of ε nor the " +
			"start, which is (0.5, 1) here."
	},
	Jobs: paper.JobsOf(func(o paper.Options) []paper.Runs {
		s := protocolOf(o.Reading)
		all := list.Flat(s.eps, func(eps float64) []paper.Runs {
			return list.Map(s.lanes, func(l paper.Entry) paper.Runs { return fig1aChain(o, l, eps) })
		})
		if o.Reading == paper.Text {
			all = append(all, fig1aAtMode(o).runs(o))
		}
		return all
	}),
	Report: reportFig1a,
}

func fig1aChain(o paper.Options, l paper.Entry, eps float64) paper.Runs {
	return chain{a: 1, lane: l, eps: eps, draws: protocolOf(o.Reading).draws}.runs(o)
}

// fig1aAtMode is the chain of pSGLD that starts where ḡ = 0 with V₀ = 0.
func fig1aAtMode(o paper.Options) chain {
	return chain{a: 1, lane: paper.PSGLD, eps: 0.3, draws: protocolOf(o.Reading).draws, start: "0,0"}
}

// reference returns the other program's number for a method at an ε; NaN if there is none.
func (p published) reference(name string, eps float64) float64 {
	if i := slices.Index(p.eps, eps); i >= 0 && p.errors[name] != nil {
		return p.errors[name][i]
	}
	return math.NaN()
}

// actMean is τ averaged over the coordinates, NaN if one is not to be trusted.
func actMean(l engine.LaneResult) float64 {
	all := l.Column(quantity.ACT)
	return list.Sum(all, func(x float64) float64 { return x }) / float64(len(all))
}

// actSlowest is τ of the slowest coordinate, NaN if one is not to be trusted.
// It is read off the coordinates, which results files of earlier versions have too.
func actSlowest(l engine.LaneResult) float64 {
	if len(l.Coords) == 0 {
		return math.NaN()
	}
	return slices.Max(l.Column(quantity.ACT))
}

// A method has the error and τ of a sampler at each ε.
type method struct {
	name     string
	sampler  string
	runs     []paper.Runs
	err, act []claim.OverSeeds
}

// fig1aNumbers are what figure 1(a) is made of.
type fig1aNumbers struct {
	protocol
	o        paper.Options
	methods  []method
	theories []theory // of SGLD at each ε
}

// theory is what is known of SGLD at an ε. It panics if the Gaussian cannot be opened, which takes no data.
func (n *fig1aNumbers) theory(eps float64) theory {
	p, err := n.o.Targets.Open(n.target(1), "")
	if err != nil {
		panic(err)
	}
	return theoryOf(p, eps, n.draws)
}

func reportFig1a(o paper.Options, r *paper.Results) paper.Report {
	n := fig1aNumbers{protocol: protocolOf(o.Reading), o: o}
	n.theories = list.Map(n.eps, n.theory)
	for _, l := range n.lanes {
		m := method{name: l.Title, sampler: l.Sampler}
		for _, eps := range n.eps {
			runs := fig1aChain(o, l, eps)
			m.runs = append(m.runs, runs)
			m.err = append(m.err, r.Over(runs, covError(1)).Times(1/n.entries))
			m.act = append(m.act, r.Over(runs, actMean))
		}
		n.methods = append(n.methods, m)
	}
	rep := n.remarks(r)
	rep.Tables, rep.Figures = []paper.Table{n.errors(), n.acts()}, []figure.Figure{n.figure()}
	return rep
}

func (n *fig1aNumbers) errors() paper.Table {
	columns := []paper.Column{paper.ColumnOf(n.eps, "ε", claim.Exactly)}
	ref := func(m method, i int) float64 { return n.published.reference(m.name, n.eps[i]) }
	for k, m := range n.methods {
		columns = append(columns, paper.ColumnOf(m.err, m.name, func(e claim.OverSeeds) string { return e.Text(3) }))
		if k == 0 {
			columns = append(columns,
				paper.ColumnOf(n.theories, m.name+", expected", func(t theory) string {
					return claim.Decimal(t.Error/n.entries, 3)
				}),
				paper.ColumnOf(n.theories, m.name+", bias alone", func(t theory) string {
					return claim.Decimal(t.Bias/n.entries, 3)
				}))
		}
		columns = append(columns,
			paper.Column{Head: m.name + ", " + n.published.by,
				Cell: func(i int) string { return claim.Decimal(ref(m, i), 3) }})
	}
	columns = append(columns, paper.ColumnOf(n.methods[1].act, "SGLD expected at pSGLD's τ",
		func(act claim.OverSeeds) string {
			return claim.Decimal(n.atACT(act.Mean), 3)
		}))
	t := paper.TableOf("Covariance error: "+n.published.error, len(n.eps), columns...)
	t.Note = "Ours are means ± standard error over the seeds. Expected is the error that SGLD's exact stationary " +
		"variance and the number of draws make, and bias alone that of an endless chain. " +
		n.published.note +
		" The last column is the error expected of SGLD at the ε at which its τ is pSGLD's of the same row."
	for i, eps := range n.eps {
		for _, m := range n.methods {
			// Theirs is one run. Its standard error is that of one of our runs, and is given in place of a test set's.
			sc, ok := claim.ScoreOf(m.name+", ε = "+claim.Exactly(eps), "", ref(m, i), m.err[i], m.err[i].SD())
			if ok && n.o.Reading == paper.Authors {
				t.Scores = append(t.Scores, sc)
			}
		}
	}
	return t
}

func (n *fig1aNumbers) acts() paper.Table {
	columns := []paper.Column{paper.ColumnOf(n.eps, "ε", claim.Exactly)}
	for k, m := range n.methods {
		columns = append(columns,
			paper.ColumnOf(m.act, m.name, func(act claim.OverSeeds) string { return act.Short(3) }))
		if k == 0 {
			columns = append(columns,
				paper.ColumnOf(n.theories, "exact", func(t theory) string { return claim.Significant(t.ACT, 3) }))
		}
	}
	t := paper.TableOf("Autocorrelation time τ = ½ + Σ ρ_k in draws, mean of both coordinates", len(n.eps), columns...)
	t.Note = "Ours are means ± standard error over the seeds. SGLD's exact τ is 2σ²/ε − ½ in a coordinate of " +
		"variance σ². An estimate is the larger of a sum and of what autoregressions give, and so a few per cent " +
		"too large on average. None is below 1/(2 log₁₀ n) for n draws, which is more than the exact τ of the " +
		"first coordinate at the largest ε."
	return t
}

func (n *fig1aNumbers) figure() figure.Figure {
	eps, act, size := figure.Axis{Label: "ε", Log: true}, figure.Axis{Label: "τ", Log: true},
		figure.Axis{Label: n.published.axis, Log: true}
	errs := figure.Panel{Title: "error", X: eps, Y: size}
	acts := figure.Panel{Title: "autocorrelation time", X: eps, Y: act}
	both := figure.Panel{Title: "error against autocorrelation time", X: act, Y: size}
	for _, m := range n.methods {
		errs.Series = append(errs.Series, paper.SeriesOver(m.name, m.sampler, figure.Both, n.eps, m.err, m.runs))
		acts.Series = append(acts.Series, paper.SeriesOver(m.name, m.sampler, figure.Both, n.eps, m.act, m.runs))
		times := list.Map(m.act, func(act claim.OverSeeds) float64 { return act.Mean })
		both.Series = append(both.Series, paper.SeriesOver(m.name, m.sampler, figure.Both, times, m.err, m.runs))
	}
	for _, m := range n.methods {
		if y := n.published.errors[m.name]; y != nil {
			errs.Series = append(errs.Series,
				figure.Series{Name: m.name + ", " + n.published.by, Like: m.name, Style: figure.Points,
					X: n.published.eps, Y: y, Paper: true})
		}
	}
	expected := figure.Series{Name: "SGLD, expected", Like: "SGLD", Style: figure.Line, Paper: true}
	exact := figure.Series{Name: "SGLD, exact", Like: "SGLD", Style: figure.Line, Paper: true}
	for i, eps := range n.eps {
		if t := n.theories[i]; t.Error > 0 {
			expected.X, expected.Y = append(expected.X, eps), append(expected.Y, t.Error/n.entries)
			exact.X, exact.Y = append(exact.X, eps), append(exact.Y, t.ACT)
		}
	}
	errs.Series, acts.Series = append(errs.Series, expected), append(acts.Series, exact)
	return figure.Figure{ID: "fig1a", Title: "Figure 1(a): error and ACT on N(0, diag(0.16, 1))", Columns: 3,
		Panels: []figure.Panel{errs, acts, both}}
}

// remarks test the paper's claim that "pSGLD dominates".
func (n *fig1aNumbers) remarks(r *paper.Results) (rep paper.Report) {
	sgld, psgld, eps := n.methods[0], n.methods[1], n.eps
	order := func(what string, of func(method) []claim.OverSeeds) claim.Order {
		return claim.OrderOf(what, nil, eps, claim.Line{Name: psgld.name, Y: of(psgld)},
			claim.Line{Name: sgld.name, Y: of(sgld)})
	}
	errs := order("covariance error", func(m method) []claim.OverSeeds { return m.err })
	acts := order("autocorrelation time", func(m method) []claim.OverSeeds { return m.act })
	equal := n.atEqualACT(psgld)
	switch {
	case errs.N == 0:
	case acts.N == 0:
		rep.Verdict = fmt.Sprintf("%s: at equal ε pSGLD's covariance error is lower than SGLD's at %s ε. "+
			"Autocorrelation times cannot be compared: at each ε one is withheld.", claim.Answer(errs), errs.Share())
	default:
		rep.Verdict = fmt.Sprintf("%s: at equal ε pSGLD's covariance error is lower than SGLD's at %s ε, and its "+
			"autocorrelation time at %s. Where both have the same autocorrelation time, its error is lower at %s.",
			claim.Answer(errs, acts), errs.Share(), acts.Share(), equal.Share())
	}
	rep.Say(errs.String(), acts.String(), equal.String())
	if n.o.Reading == paper.Text {
		rep.Instead = n.instead(errs)
		mode := fig1aAtMode(n.o)
		if e := r.Over(mode.runs(n.o), covError(mode.a)); e.OK() {
			rep.Say(fmt.Sprintf("The start matters: at the mode, (0, 0), V₀ = 0 makes G = 1/λ, and pSGLD's first "+
				"step is enormous. At ε = %s its error is then %s over %s draws. In another program's run it was "+
				"more than 27.",
				claim.Exactly(mode.eps), e.Short(2), claim.Whole(n.draws)))
		}
	}
	rep.Say(n.agreement(), n.withTheory(sgld))
	return rep
}

// instead says what holds at small and at large ε.
func (n *fig1aNumbers) instead(errs claim.Order) string {
	sgld, psgld, gamma := n.methods[0].err[0], n.methods[1].err[0], n.methods[2].err[0]
	if !sgld.OK() || !psgld.OK() || !gamma.OK() {
		return ""
	}
	text := ""
	if !math.IsNaN(errs.Cross) && errs.Lower != nil && errs.Higher != nil {
		text = fmt.Sprintf("pSGLD's error is lower than SGLD's above ε ≈ %s and higher below. ",
			claim.Significant(errs.Cross, 2))
	}
	return text + fmt.Sprintf("The paper says that both samplers become alike at small ε. They do not: at ε = %s "+
		"pSGLD's error is %s and SGLD's %s. "+
		"With α = 0.99 G follows the current gradient there, and as ε → 0 a Gaussian's variance tends to twice the "+
		"true one, which is an error of 1.16. Γ does not mend it: with Γ the error is %s.",
		claim.Exactly(n.eps[0]), psgld.Text(3), sgld.Text(3), gamma.Text(3))
}

// atACT is the error expected of SGLD at the ε where its mean τ is act. τ is exactly (v₁ + v₂)/ε - ½.
func (n *fig1aNumbers) atACT(act float64) float64 {
	if math.IsNaN(act) {
		return math.NaN()
	}
	return n.theory((0.16+1)/(act+0.5)).Error / n.entries
}

// atEqualACT compares pSGLD with SGLD at the ε where SGLD has the same mean τ. The same ε is
// another step to pSGLD because of G.
func (n *fig1aNumbers) atEqualACT(psgld method) claim.Order {
	o := claim.Order{What: "covariance error at equal τ", Ours: psgld.name, Other: "SGLD", Cross: math.NaN()}
	for i, eps := range n.eps {
		if !psgld.err[i].OK() || !psgld.act[i].OK() {
			continue
		}
		of := n.atACT(psgld.act[i].Mean)
		if math.IsNaN(of) {
			continue
		}
		if o.Claimed++; o.Add(claim.Exactly(eps), psgld.err[i].Mean-of, psgld.err[i].SE) < 0 {
			o.Holds++
		}
	}
	return o
}

// agreement counts the references that our runs agree with. A reference is one run, so the standard error of a
// difference is s √(1 + 1/N), with s the standard deviation of our N runs. The rounding of the reference is neglected.
func (n *fig1aNumbers) agreement() string {
	count, within, far, chance := 0, 0, 0.0, 0.0
	where := ""
	for _, m := range n.methods {
		for i, eps := range n.eps {
			ref, e := n.published.reference(m.name, eps), m.err[i]
			if math.IsNaN(ref) || !(e.SD() > 0) {
				continue
			}
			z := math.Abs(e.Mean-ref) / (e.SD() * math.Sqrt(1+1/float64(e.N)))
			count++
			chance += 2 * distuv.StudentsT{Sigma: 1, Nu: float64(e.N - 1)}.CDF(-2)
			if z <= 2 {
				within++
			}
			if z >= far {
				far = z
				where = fmt.Sprintf("%s at ε = %s: %s there and %s here, %.1f standard deviations apart", m.name,
					claim.Exactly(eps), claim.Decimal(ref, 3), e.Text(3), z)
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s numbers, of one run each, agree with ours in %d of %d cases: they are within two "+
		"standard deviations of a single run from our mean. By chance alone about %s would not be. The farthest is %s.",
		n.published.whose, within, count, claim.Significant(chance, 2), where)
}

// withTheory says how far SGLD's errors are from those that theory predicts.
func (n *fig1aNumbers) withTheory(sgld method) string {
	far, where, count := 0.0, "", 0
	for i, eps := range n.eps {
		t := n.theories[i]
		want := t.Error / n.entries
		if e := sgld.err[i]; e.OK() && !math.IsNaN(want) {
			count++
			if z := math.Abs(e.Mean-want) * n.entries / t.SD * math.Sqrt(float64(e.N)); z >= far {
				far = z
				where = fmt.Sprintf("ε = %s (%s, expected %s)", claim.Exactly(eps), e.Text(3), claim.Decimal(want, 3))
			}
		}
	}
	if count == 0 {
		return ""
	}
	const chance = 3.5 // beyond it is one in 2,000
	said := "SGLD's errors are the expected ones"
	if far > chance {
		said = "SGLD's errors are not the expected ones"
	}
	return fmt.Sprintf("%s: of %d the farthest is off by %.1f standard errors, at %s. The stationary variance is "+
		"σ²/(1 − ε/(4σ²)) without gradient noise.",
		said, count, far, where)
}
