package theory

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// Why pSGLD without Γ is biased, and by how much, on N(0, σ²).
//
// Memory long against mixing. Near stationarity V = (1 + η)/σ² with a small η that
// follows θ²/σ² - 1 with the rate κ in units of the chain's own time, the mixing time
// of θ² in steps, σ/ε, over the memory in steps, 1/(1-α):
//
//	κ = (1-α) σ/ε.
//
// E θ² does not change, so that E[G (1 - θ²/σ²)] = 0; with G = σ (1 - η/2) that is
//
//	E θ²/σ² - 1 = ½ E[η (θ²/σ² - 1)] = ½ κ ∫ e^{-u} 2 du = κ + O(κ²).
//
// Memory short (ε → 0 at a fixed α). V = ḡ², so G = σ²/|θ|, and the chain's density is
// p/G ∝ |θ| p: E θ² = E|θ|³/E|θ| = 2σ².
//
// With the paper's Γ. It is ∂G/∂θ for a V_{t-1} that does not depend on θ, which has
// the factor 1-α. By the balance above it takes σ² (1-α) off, the part ε/σ of the
// bias, and as ε → 0 the density is |θ|^α p, with E θ² = (1+α) σ². It is the whole of
// what is needed at α = 0 alone.
//
// The law that holds at larger steps too is memoryBias. V averages the squared gradients
// of the chain as it is, and the limit α → 1 at a given ε is averagedOn. The extra error
// is measured from there.

// memoryRatio is κ.
func memoryRatio(alpha, sigma2, eps float64) float64 { return (1 - alpha) * math.Sqrt(sigma2) / eps }

// corollary2 is the extra term of corollary 2, (1-α)²/α³, without its constant.
func corollary2(alpha float64) float64 { return (1 - alpha) * (1 - alpha) / (alpha * alpha * alpha) }

// gammaPlan is what theory-gamma runs.
type gammaPlan struct {
	alpha, eps []float64
	len        uint64
	runs       int
}

func gammaPlanOf(o paper.Options) gammaPlan {
	alpha := []float64{0.9, 0.99, 0.999, 0.9999, 0.99999}
	if o.Scale == paper.Full {
		return gammaPlan{alpha, []float64{0.001, 0.01, 0.1, 0.3}, 1_000_000, o.RepeatsOr(16)}
	}
	return gammaPlan{alpha, []float64{0.01, 0.1, 0.3}, 100_000, o.RepeatsOr(8)}
}

// The lanes of a session of theory-gamma.
const (
	gammaOff = iota
	gammaOn
	gammaFrozen
)

// sessions are those of an α and ε. Its lanes have the same noise, so that what they
// differ in is measured far better than what they are. They start where averagedOn has
// θ_i² on average, with V at its mean, so that nothing has to settle and the frozen
// one, which stays there, is the first two at α → 1.
func (g gammaPlan) sessions(o paper.Options, p *targets.Problem, a, e int) theorySession {
	at := paper.Values{sampler.KeyEps: g.eps[e]}
	as := psgldOf("pSGLD", g.alpha[a]).with(at)
	var v []float64
	for _, x := range theoryTruth(p) {
		v = append(v, averagedOn(x, g.eps[e]).v)
	}
	return theorySession{
		lanes: []theoryLane{gammaOff: as, gammaOn: as.with(paper.Values{theoryGamma: 1}), gammaFrozen: as.with(paper.Values{theoryFreeze: 1})},
		same:  true, start: startAt(v), steps: g.len, runs: g.runs, scale: o.Scale,
		seed: o.Seed + uint64((a*len(g.eps)+e)*g.runs),
	}
}

// A gammaCell is what was measured at an α and ε of one coordinate, as a part of its
// σ²: the estimate of E θ² as it is with each lane, and what they differ by.
type gammaCell struct {
	alpha, eps, sigma2 float64
	coordinate         int
	off, on, frozen    claim.OverSeeds // E θ²/σ²
	extra              claim.OverSeeds // off - frozen: what V's following the gradient adds
	left               claim.OverSeeds // on - frozen: what Γ leaves of it
	taken              claim.OverSeeds // off - on: what Γ takes away
}

func (c gammaCell) kappa() float64 { return memoryRatio(c.alpha, c.sigma2, c.eps) }
func (c gammaCell) law() float64   { return memoryBias(c.alpha, c.sigma2, c.eps) }

func (g gammaPlan) cells(o paper.Options, p *targets.Problem, res *paper.Results) []gammaCell {
	var all []gammaCell
	for i, v := range theoryTruth(p) {
		for e := range g.eps {
			for a := range g.alpha {
				jobs := g.sessions(o, p, a, e).jobs(p)
				var x [3][]float64
				for k := range x {
					x[k] = laneEstimates(res, jobs, k, func(l engine.LaneResult) float64 { return secondMoment(l, i) / v })
				}
				less := func(j, k int) claim.OverSeeds {
					var d []float64
					for n := range min(len(x[j]), len(x[k])) {
						d = append(d, x[j][n]-x[k][n])
					}
					return claim.Over(d)
				}
				all = append(all, gammaCell{
					alpha: g.alpha[a], eps: g.eps[e], sigma2: v, coordinate: i,
					off: claim.Over(x[gammaOff]), on: claim.Over(x[gammaOn]), frozen: claim.Over(x[gammaFrozen]),
					extra: less(gammaOff, gammaFrozen), left: less(gammaOn, gammaFrozen), taken: less(gammaOff, gammaOn),
				})
			}
		}
	}
	return all
}

func theoryGammaTerm() paper.Experiment {
	return paper.Experiment{
		ID: "theory-gamma", Title: "What leaving Γ out costs, against α",
		Source: "section 4.2, corollary 2", Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string {
			g := gammaPlanOf(o)
			return fmt.Sprintf("N(0, diag(0.16, 1)), constant ε, %d runs of %d draws at each of %d × %d values of α and ε, from where θ_i² and V are their means at α → 1; pSGLD without Γ, with it, and with V frozen at its mean, on the same noise. The paper proves the bound and does not measure it.",
				g.runs, g.len, len(g.alpha), len(g.eps))
		},
		Jobs: func(o paper.Options) ([]study.Job, error) {
			p, err := theoryTarget(o)
			if err != nil {
				return nil, err
			}
			var jobs []study.Job
			g := gammaPlanOf(o)
			for a := range g.alpha {
				for e := range g.eps {
					jobs = append(jobs, g.sessions(o, p, a, e).jobs(p)...)
				}
			}
			return jobs, nil
		},
		Report: reportGamma,
	}
}

func reportGamma(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
	p, err := theoryTarget(o)
	if err != nil {
		return paper.Report{Findings: []string{err.Error()}}
	}
	plan, res := gammaPlanOf(o), paper.ResultsOf(outcomes)
	cells := plan.cells(o, p, res)
	return paper.Report{
		Findings: append(gammaFindings(plan, cells), res.Findings()...),
		Tables:   []paper.Table{gammaTable(plan, cells)},
		Figures:  []figure.Figure{gammaFigure(plan, cells)},
	}
}

func gammaTable(plan gammaPlan, cells []gammaCell) paper.Table {
	t := paper.Table{
		Title: fmt.Sprintf("Estimates of E θ_i² as parts of σ_i², ± standard error over %d runs of %d draws. Extra: pSGLD's less that with V frozen, on the same noise; where κ = (1-α)σ/ε is small the law of first order in 1-α holds, which is κ for small steps; where κ is large it tends to 1. Γ takes away: pSGLD's less that with Γ", plan.runs, plan.len),
		Head:  []string{"coordinate", "ε", "α", "κ", "pSGLD", "pSGLD + Γ", "V frozen", "exact", "extra", "first order", "extra²", "(1-α)²/α³", "Γ takes away", "1-α"},
	}
	for _, c := range cells {
		square := claim.NoNumber
		if c.extra.N > 1 {
			square = claim.Significant(c.extra.Mean*c.extra.Mean, 3)
		}
		law := claim.NoNumber
		if c.kappa() < 0.5 {
			law = claim.Significant(c.law(), 3)
		}
		t.Rows = append(t.Rows, []string{
			fmt.Sprintf("θ[%d]", c.coordinate+1), claim.Exactly(c.eps), claim.Exactly(c.alpha), claim.Significant(c.kappa(), 3), c.off.Short(4), c.on.Short(4), c.frozen.Short(4),
			claim.Significant(averagedOn(c.sigma2, c.eps).v/c.sigma2, 4),
			c.extra.Short(3), law, square, claim.Significant(corollary2(c.alpha), 3), c.taken.Short(3), claim.Significant(1-c.alpha, 3),
		})
	}
	return t
}

func gammaFigure(plan gammaPlan, cells []gammaCell) figure.Figure {
	log := func(label string) figure.Axis { return figure.Axis{Label: label, Log: true} }
	square := figure.Panel{Title: "squared extra error of E θ₂², σ = 1", X: log("1-α"), Y: log("extra²")}
	law := figure.Panel{Title: "extra error against memory", X: log("κ = (1-α)σ/ε"), Y: log("extra / σ²")}
	taken := figure.Panel{Title: "what Γ takes away, σ = 1", X: log("1-α"), Y: log("difference / σ²")}
	var gap, bound, linear []float64
	lo, hi := math.Inf(1), 0.0
	for _, a := range plan.alpha {
		gap, bound, linear = append(gap, 1-a), append(bound, corollary2(a)), append(linear, 1-a)
	}
	for _, c := range cells {
		lo, hi = min(lo, c.kappa()), max(hi, c.kappa())
	}
	square.Series = append(square.Series, paper.Loggable("(1-α)²/α³", gap, bound, nil, figure.Line, true))
	taken.Series = append(taken.Series, paper.Loggable("1-α", gap, linear, nil, figure.Line, true))
	law.Series = append(law.Series,
		paper.Loggable("κ", []float64{lo, 1}, []float64{lo, 1}, nil, figure.Line, true),
		paper.Loggable("2σ²", []float64{lo, hi}, []float64{1, 1}, nil, figure.Line, true))
	for _, eps := range plan.eps {
		var x, y []float64
		for _, gap := range ratios(1-plan.alpha[len(plan.alpha)-1], 1-plan.alpha[0], 30) {
			if memoryRatio(1-gap, 1, eps) < 0.5 {
				x, y = append(x, gap), append(y, squareOf(memoryBias(1-gap, 1, eps)))
			}
		}
		square.Series = append(square.Series, paper.Loggable(fmt.Sprintf("ε = %g, first order", eps), x, y, nil, figure.Line, true))
	}
	for i := range 2 {
		for _, eps := range plan.eps {
			var x, k, s, sse, e, ese, g, gse []float64
			for _, c := range cells {
				if c.coordinate != i || c.eps != eps || c.extra.N < 2 || math.Abs(c.extra.Mean) < 2*c.extra.SE {
					continue // a number that may be zero has no place on logarithmic axes
				}
				x, k = append(x, 1-c.alpha), append(k, c.kappa())
				s, sse = append(s, c.extra.Mean*c.extra.Mean), append(sse, 2*math.Abs(c.extra.Mean)*c.extra.SE)
				e, ese = append(e, c.extra.Mean), append(ese, c.extra.SE)
				g, gse = append(g, c.taken.Mean), append(gse, c.taken.SE)
			}
			name := fmt.Sprintf("ε = %g", eps)
			law.Series = append(law.Series, paper.Loggable(fmt.Sprintf("θ[%d], %s", i+1, name), k, e, ese, figure.Points, false))
			if i == 1 {
				square.Series = append(square.Series, paper.Loggable(name, x, s, sse, figure.Both, false))
				taken.Series = append(taken.Series, paper.Loggable(name, x, g, gse, figure.Both, false))
			}
		}
	}
	return figure.Figure{ID: "theory-gamma", Title: "The error of leaving Γ out, and of leaving it in", Columns: 3, Panels: []figure.Panel{square, law, taken}}
}

// gammaSmall is the ε/σ below which what Γ takes away is held to its law, which is that
// of small steps.
const gammaSmall = 0.4

func gammaFindings(plan gammaPlan, cells []gammaCell) []string {
	at := func(i int, eps, alpha float64) (gammaCell, bool) {
		for _, c := range cells {
			if c.coordinate == i && c.eps == eps && c.alpha == alpha && c.extra.N > 1 {
				return c, true
			}
		}
		return gammaCell{}, false
	}
	var found []string
	small := plan.eps[0]
	if c, ok := at(1, small, 0.99); ok {
		found = append(found, fmt.Sprintf("At ε = %g and the usual α = 0.99, E θ₂² is %s σ² without Γ and %s σ² with it, where it is %s with V frozen: Γ as the paper defines it hardly helps. It has the factor 1-α, as it takes V_{t-1} for independent of θ_t; what it takes away is %s of σ² for 1-α = 0.01.",
			small, c.off.Short(4), c.on.Short(4), c.frozen.Short(4), c.taken.Short(3)))
	}
	if c, ok := at(1, small, 0.9); ok {
		found = append(found, fmt.Sprintf("As ε → 0 at a fixed α the variance tends to 2σ² without Γ and to (1+α)σ² with it. At ε = %g, α = 0.9 (κ = %.3g) it is %s and %s of σ², against 2 and 1.9.", small, c.kappa(), c.off.Short(4), c.on.Short(4)))
	}
	// The constant of corollary 2 at every ε, where the law is linear.
	for _, eps := range plan.eps {
		var x, y, se []float64
		for _, a := range plan.alpha {
			if c, ok := at(1, eps, a); ok && c.kappa() < 0.3 && c.extra.Mean > 3*c.extra.SE {
				x, y, se = append(x, 1-a), append(y, c.extra.Mean*c.extra.Mean), append(se, 2*c.extra.Mean*c.extra.SE)
			}
		}
		if len(x) < 2 {
			continue
		}
		s := slopeOf(x, y, se)
		ratio := y[0] / corollary2(1-x[0])
		found = append(found, fmt.Sprintf("ε = %g: the squared extra error goes as (1-α)^%s where κ < 0.3, for corollary 2's 2; its constant is %.3g at α = %g, about (σ/ε)² = %.3g: not independent of ε, and without bound as ε → 0.", eps, s.text(), ratio, 1-x[0], 1/(eps*eps)))
	}
	var worst, off float64
	n, slow := 0, 0
	for _, c := range cells {
		if c.extra.N > 1 && c.kappa() < 0.05 && c.extra.SE < 0.05*c.extra.Mean {
			worst, n = max(worst, math.Abs(c.extra.Mean/c.law()-1)), n+1
			if c.eps < gammaSmall*math.Sqrt(c.sigma2) {
				off, slow = max(off, math.Abs(c.taken.Mean/(1-c.alpha)-1)), slow+1
			}
		}
	}
	if n > 0 {
		found = append(found,
			fmt.Sprintf("The extra error is about κσ² with κ = (1-α)σ/ε, mixing time over memory: V follows the current gradient. In all %d cells with κ < 0.05 where it is measured to 5%% or better, it is that of the law of first order in 1-α within %.0f%%. So α → 1 or a frozen V removes the bias, and a smaller ε brings it back.", n, 100*worst))
	}
	if slow > 0 {
		found = append(found,
			fmt.Sprintf("In the %d of them with ε < %gσ what Γ takes away is (1-α)σ² within %.0f%%, the part ε/σ of the bias: the smaller the step, the more there is of it and the less of that is removed.", slow, gammaSmall, 100*off))
	}
	return found
}
