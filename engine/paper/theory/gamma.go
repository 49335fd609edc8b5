package theory

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Why pSGLD without Γ is biased, and by how much, on N(0, σ²).
//
// Memory long against mixing. Near stationarity V = (1 + η)/σ² with a small η that follows θ²/σ² - 1 with the rate κ in
// units of the chain's own time, the mixing time of θ² in steps, σ/ε, over the memory in steps, 1/(1-α):
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
// With the paper's Γ. It is ∂G/∂θ for a V_{t-1} that does not depend on θ, which has the factor 1-α. By the balance
// above it takes σ² (1-α) off, the part ε/σ of the bias, and as ε → 0 the density is |θ|^α p, with E θ² = (1+α) σ². It
// is the whole of what is needed at α = 0 alone.
//
// The law that holds at larger steps too is memoryBias. V averages the squared gradients of the chain as it is, and the
// limit α → 1 at a given ε is averagedOn. The extra error is measured from there.

// memoryRatio is κ.
func memoryRatio(alpha, sigma2, eps float64) float64 { return (1 - alpha) * math.Sqrt(sigma2) / eps }

// corollary2 is the extra term of corollary 2, (1-α)²/α³, without its constant.
func corollary2(alpha float64) float64 { return (1 - alpha) * (1 - alpha) / (alpha * alpha * alpha) }

// gammaPlan is what theory-gamma runs.
type gammaPlan struct {
	o          paper.Options
	alpha, eps []float64
	len        uint64
	runs       int
}

func gammaPlanOf(o paper.Options) gammaPlan {
	g := gammaPlan{o, []float64{0.9, 0.99, 0.999, 0.9999, 0.99999}, []float64{0.01, 0.1, 0.3}, 100_000,
		o.RepeatsOr(8, 16)}
	if o.Scale == paper.Full {
		g.eps, g.len = []float64{0.001, 0.01, 0.1, 0.3}, 1_000_000
	}
	return g
}

// The lanes of a session of theory-gamma.
const (
	gammaOff = iota
	gammaOn
	gammaFrozen
	gammaLanes // how many they are
)

// at are the sessions of an α and an ε. They start with θ_i² and V at their means for α → 1 (averagedOn), so that
// nothing has to settle. The lane with V frozen there is the limit of the others as α → 1.
func (g gammaPlan) at(a, e int) paper.Runs {
	as := psgldOf("pSGLD", g.alpha[a]).With(paper.Values{sampler.KeyEps: g.eps[e]})
	v := list.Map(plane.variances, func(x float64) float64 { return averagedOn(x, g.eps[e]).v })
	lanes := []paper.Entry{gammaOff: as, gammaOn: as.With(paper.Values{keyGamma: 1}),
		gammaFrozen: as.With(paper.Values{keyFreeze: 1})}
	return plane.runs(g.o, lanes, v, g.len, a*len(g.eps)+e, g.runs)
}

func (g gammaPlan) sessions() []paper.Runs {
	return list.Flat(list.Upto(len(g.alpha)), func(a int) []paper.Runs {
		return list.Map(list.Upto(len(g.eps)), func(e int) paper.Runs { return g.at(a, e) })
	})
}

// A gammaCell is what was measured of one coordinate at an α and an ε, in units of σ²: the
// estimates of E θ² with each lane, and their differences.
type gammaCell struct {
	alpha, eps, sigma2 float64
	coordinate         int
	off, on, frozen    claim.OverSeeds // E θ²/σ²
	extra              claim.OverSeeds // off - frozen: what V's following the gradient adds
	taken              claim.OverSeeds // off - on: what Γ takes away
	sessions           []string        // their IDs
}

func (c gammaCell) name() string   { return coordinates[c.coordinate] }
func (c gammaCell) kappa() float64 { return memoryRatio(c.alpha, c.sigma2, c.eps) }
func (c gammaCell) law() float64   { return memoryBias(c.alpha, c.sigma2, c.eps) }

// cells go through the coordinates, and of each through ε and α.
func (g gammaPlan) cells(r *paper.Results) []gammaCell {
	var all []gammaCell
	for i, v := range plane.variances {
		for e := range g.eps {
			for a := range g.alpha {
				runs := g.at(a, e)
				var x [gammaLanes][]float64
				for k := range x {
					x[k] = list.Map(moments(r, runs, k, i), func(m float64) float64 { return m / v })
				}
				less := func(j, k int) claim.OverSeeds {
					d := list.Map(list.Upto(min(len(x[j]), len(x[k]))), func(n int) float64 { return x[j][n] - x[k][n] })
					return claim.Over(d)
				}
				all = append(all, gammaCell{
					alpha: g.alpha[a], eps: g.eps[e], sigma2: v, coordinate: i,
					off: claim.Over(x[gammaOff]), on: claim.Over(x[gammaOn]), frozen: claim.Over(x[gammaFrozen]),
					extra: less(gammaOff, gammaFrozen), taken: less(gammaOff, gammaOn), sessions: runs.IDs(),
				})
			}
		}
	}
	return all
}

func (g gammaPlan) protocol() string {
	return fmt.Sprintf("N(0, diag(0.16, 1)): %d runs of %s draws at each of %d values of α and %d of ε. pSGLD "+
		"without Γ, with it, and with V frozen at its mean have the same noise. They start where θ_i² and V are at "+
		"their means for α → 1. The paper proves the bound and does not measure it.",
		g.runs, claim.Whole(g.len), len(g.alpha), len(g.eps))
}

func (g gammaPlan) report(r *paper.Results) paper.Report {
	cells := g.cells(r)
	rep := g.remarks(cells)
	rep.Tables, rep.Figures = []paper.Table{g.estimates(cells), g.differences(cells)}, []figure.Figure{g.figure(cells)}
	return rep
}

// gammaTable has a row a cell, which begins with where it is.
func gammaTable(title, note string, cells []gammaCell, columns ...paper.Column) paper.Table {
	t := paper.TableOf(title, len(cells), append([]paper.Column{
		paper.ColumnOf(cells, "coordinate", gammaCell.name),
		paper.ColumnOf(cells, "ε", func(c gammaCell) string { return claim.Shown(c.eps) }),
		paper.ColumnOf(cells, "α", func(c gammaCell) string { return claim.Exactly(c.alpha) }),
	}, columns...)...)
	t.Note = note
	return t
}

func (g gammaPlan) estimates(cells []gammaCell) paper.Table {
	return gammaTable("Estimates of E θ_i² as multiples of σ_i²",
		fmt.Sprintf("Means ± standard error over %d runs of %s draws. κ = (1 − α)σ/ε is the mixing time over the "+
			"memory of V. Exact is E θ_i² of a chain with V frozen, which has the bias of the step alone.", g.runs,
			claim.Whole(g.len)), cells,
		paper.ColumnOf(cells, "κ", func(c gammaCell) string { return claim.Significant(c.kappa(), 3) }),
		paper.ColumnOf(cells, "pSGLD", func(c gammaCell) string { return c.off.Short(4) }),
		paper.ColumnOf(cells, "pSGLD + Γ", func(c gammaCell) string { return c.on.Short(4) }),
		paper.ColumnOf(cells, "V frozen", func(c gammaCell) string { return c.frozen.Short(4) }),
		paper.ColumnOf(cells, "exact", func(c gammaCell) string {
			return claim.Significant(averagedOn(c.sigma2, c.eps).v/c.sigma2, 4)
		}))
}

func (g gammaPlan) differences(cells []gammaCell) paper.Table {
	return gammaTable("Differences of these estimates, on the same noise",
		"Means ± standard error over the runs, as multiples of σ_i². Extra is pSGLD less V frozen: the bias that V "+
			"adds by following the gradient. First order is what theory says of it to first order in 1 − α, about "+
			"κ for small steps. It is left out above κ = 0.5, since extra tends to 1 as κ grows. Corollary 2 "+
			"bounds extra² by a constant times (1 − α)²/α³. Γ takes away is pSGLD less pSGLD + Γ, in theory 1 − α "+
			"for small steps.", cells,
		paper.ColumnOf(cells, "extra", func(c gammaCell) string { return c.extra.Short(3) }),
		paper.ColumnOf(cells, "first order", func(c gammaCell) string {
			if c.kappa() < 0.5 {
				return claim.Significant(c.law(), 3)
			}
			return claim.NoNumber
		}),
		paper.ColumnOf(cells, "extra²", func(c gammaCell) string {
			if c.extra.N > 1 {
				return claim.Significant(square(c.extra.Mean), 3)
			}
			return claim.NoNumber
		}),
		paper.ColumnOf(cells, "(1 − α)²/α³", func(c gammaCell) string {
			return claim.Significant(corollary2(c.alpha), 3)
		}),
		paper.ColumnOf(cells, "Γ takes away", func(c gammaCell) string { return c.taken.Short(3) }),
		paper.ColumnOf(cells, "1 − α", func(c gammaCell) string { return claim.Significant(1-c.alpha, 3) }))
}

func (g gammaPlan) figure(cells []gammaCell) figure.Figure {
	gap := list.Map(g.alpha, func(a float64) float64 { return 1 - a })
	same := func(x float64) float64 { return x }
	lo, hi := math.Inf(1), 0.0
	for _, c := range cells {
		lo, hi = min(lo, c.kappa()), max(hi, c.kappa())
	}
	squared := figure.Panel{
		Title: "squared extra error of E θ₂², σ = 1", X: logAxis("1-α"), Y: logAxis("extra²"),
		Series: []figure.Series{expected("(1-α)²/α³", "",
			along(gap, func(gap float64) float64 { return corollary2(1 - gap) }))},
	}
	law := figure.Panel{
		Title: "extra error against memory", X: logAxis("κ = (1-α)σ/ε"), Y: logAxis("extra / σ²"),
		Series: []figure.Series{
			expected("κ", "", along([]float64{lo, 1}, same)),
			expected("2σ²", "", along([]float64{lo, hi}, func(float64) float64 { return 1 })),
		},
	}
	taken := figure.Panel{
		Title: "what Γ takes away, σ = 1", X: logAxis("1-α"), Y: logAxis("difference / σ²"),
		Series: []figure.Series{expected("1-α", "", along(gap, same))},
	}
	for _, eps := range g.eps {
		fine := ratios(gap[len(gap)-1], gap[0], 30)
		fine = slices.DeleteFunc(fine, func(gap float64) bool { return !(memoryRatio(1-gap, 1, eps) < 0.5) })
		squared.Series = append(squared.Series,
			expected("first order", "",
				along(fine, func(gap float64) float64 { return square(memoryBias(1-gap, 1, eps)) })))
	}
	for i := range plane.variances {
		for _, eps := range g.eps {
			var squares, extras, losses []point
			for _, c := range cells {
				if c.coordinate != i || c.eps != eps || c.extra.N < 2 || math.Abs(c.extra.Mean) < 2*c.extra.SE {
					continue // a number that may be zero has no place on logarithmic axes
				}
				squares = append(squares, point{1 - c.alpha, numberOf(c.extra).squared(), c.sessions})
				extras = append(extras, point{c.kappa(), numberOf(c.extra), c.sessions})
				losses = append(losses, point{1 - c.alpha, numberOf(c.taken), c.sessions})
			}
			name := fmt.Sprintf("ε = %g", eps)
			law.Series = append(law.Series, measured(name, "", figure.Points, extras))
			if i == 1 {
				squared.Series = append(squared.Series, measured(name, "", figure.Both, squares))
				taken.Series = append(taken.Series, measured(name, "", figure.Both, losses))
			}
		}
	}
	return figure.Figure{ID: "theory-gamma", Title: "The bias of pSGLD without Γ, and what Γ takes away of it",
		Columns: 3, Panels: []figure.Panel{squared, law, taken}}
}

// large writes a number with so many digits, and from 1,000 up as a whole one.
func large(x float64, digits int) string {
	if x < 1000 {
		return claim.Significant(x, digits)
	}
	return claim.Whole(param.Round(x, 4))
}

// gammaSmall is the ε/σ below which the effect of Γ is compared with its law for small steps.
const gammaSmall = 0.4

func (g gammaPlan) remarks(cells []gammaCell) (rep paper.Report) {
	at := func(eps, alpha float64) (gammaCell, bool) { // of θ₂
		return list.Find(cells, func(c gammaCell) bool {
			return c.coordinate == 1 && c.eps == eps && c.alpha == alpha && c.extra.N > 1
		})
	}
	small := g.eps[0]
	if c, ok := at(small, usualAlpha); ok {
		rep.Verdict = fmt.Sprintf("The bias vanishes as α → 1 at each ε, but no α serves every step: it grows as ε "+
			"falls. With ε = %g and the usual α = 0.99, E θ₂² is (%s)σ² without Γ and (%s)σ² with V frozen.",
			small, c.off.Text(3), c.frozen.Text(3))
		rep.Instead = fmt.Sprintf("The bias comes of V following the gradient. It is about κσ² with κ = (1 − α)σ/ε "+
			"where κ is small, and tends to σ² where κ is large. α → 1 or a frozen V removes it, and the paper's Γ "+
			"does not: with Γ, E θ₂² is (%s)σ². This Γ takes V_{t-1} for independent of θ_t, and so has the factor "+
			"1 − α = 0.01. It takes (%s)σ² away.",
			c.on.Text(3), c.taken.Short(3))
	}
	if c, ok := at(small, 0.9); ok {
		rep.Say(fmt.Sprintf("As ε → 0 at a fixed α the variance tends to 2σ² without Γ and to (1 + α)σ² with it. "+
			"With α = 0.9 that is 2σ² and 1.9σ². At ε = %g, where κ = %.3g, E θ₂² is (%s)σ² and (%s)σ².", small,
			c.kappa(), c.off.Text(3), c.on.Text(3)))
	}
	// The constant of corollary 2 at every ε, where κ is small.
	var powers, constants []string
	for _, eps := range g.eps {
		var squares []point
		for _, a := range g.alpha {
			if c, ok := at(eps, a); ok && c.kappa() < 0.3 && c.extra.Mean > 3*c.extra.SE {
				squares = append(squares, point{1 - a, numberOf(c.extra).squared(), c.sessions})
			}
		}
		if len(squares) < 2 {
			continue
		}
		powers = append(powers, fmt.Sprintf("%s at ε = %s", exponent(slopeOf(squares)), claim.Shown(eps)))
		c, y := corollary2(1-squares[0].x), squares[0].y
		constants = append(constants,
			fmt.Sprintf("%s ± %s at ε = %s (%s)", large(y.X/c, 3), large(y.SE/c, 2), claim.Shown(eps),
				large(1/(eps*eps), 3)))
	}
	if powers != nil {
		rep.Say("By corollary 2 the squared extra error of E θ₂² falls as (1 − α)². Where κ < 0.3 the exponents are "+
			strings.Join(powers, ", ")+".",
			"The factor of (1 − α)²/α³ in corollary 2 is no constant: it is about (σ/ε)², which is in brackets "+
				"here, and has no bound as ε → 0. It is "+strings.Join(constants, ", ")+".")
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
		rep.Say(fmt.Sprintf("Where κ < 0.05 and the extra error is measured to 5%% or better, in %d rows, it is "+
			"within %.0f%% of the first order in 1 − α.", n, 100*worst))
	}
	if slow > 0 {
		rep.Say(fmt.Sprintf("In the %d of these rows with ε < %gσ what Γ takes away is within %.0f%% of (1 − α)σ². "+
			"That is the share ε/σ of the bias: the smaller the step, the larger the bias and the smaller the "+
			"share that Γ removes.", slow, gammaSmall, 100*off))
	}
	return rep
}
