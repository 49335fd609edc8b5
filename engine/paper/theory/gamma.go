package theory

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/list"
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
	o          paper.Options
	alpha, eps []float64
	len        uint64
	runs       int
}

func gammaPlanOf(o paper.Options) gammaPlan {
	g := gammaPlan{o, []float64{0.9, 0.99, 0.999, 0.9999, 0.99999}, []float64{0.01, 0.1, 0.3}, 100_000, o.RepeatsOr(8, 16)}
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

// at are the sessions of an α and an ε. They start with θ_i² and V at their means for α → 1
// (averagedOn), so that nothing has to settle. The lane with V frozen there is the limit of
// the others as α → 1.
func (g gammaPlan) at(a, e int) paper.Runs {
	as := psgldOf("pSGLD", g.alpha[a]).With(paper.Values{sampler.KeyEps: g.eps[e]})
	v := list.Map(plane.variances, func(x float64) float64 { return averagedOn(x, g.eps[e]).v })
	lanes := []paper.Lane{gammaOff: as, gammaOn: as.With(paper.Values{keyGamma: 1}), gammaFrozen: as.With(paper.Values{keyFreeze: 1})}
	return plane.runs(g.o, lanes, v, g.len, a*len(g.eps)+e, g.runs)
}

func (g gammaPlan) sessions() (all []paper.Runs) {
	for a := range g.alpha {
		for e := range g.eps {
			all = append(all, g.at(a, e))
		}
	}
	return all
}

// A gammaCell is what was measured of one coordinate at an α and an ε, in units of σ²: the
// estimates of E θ² with each lane, and their differences.
type gammaCell struct {
	alpha, eps, sigma2 float64
	coordinate         int
	off, on, frozen    claim.OverSeeds // E θ²/σ²
	extra              claim.OverSeeds // off - frozen: what V's following the gradient adds
	taken              claim.OverSeeds // off - on: what Γ takes away
}

func (c gammaCell) name() string   { return fmt.Sprintf("θ[%d]", c.coordinate+1) }
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
					var d []float64
					for n := range min(len(x[j]), len(x[k])) {
						d = append(d, x[j][n]-x[k][n])
					}
					return claim.Over(d)
				}
				all = append(all, gammaCell{
					alpha: g.alpha[a], eps: g.eps[e], sigma2: v, coordinate: i,
					off: claim.Over(x[gammaOff]), on: claim.Over(x[gammaOn]), frozen: claim.Over(x[gammaFrozen]),
					extra: less(gammaOff, gammaFrozen), taken: less(gammaOff, gammaOn),
				})
			}
		}
	}
	return all
}

func (g gammaPlan) protocol() string {
	return fmt.Sprintf("N(0, diag(0.16, 1)), constant ε, %d runs of %d draws at each of %d × %d values of α and ε, from where θ_i² and V are their means at α → 1; pSGLD without Γ, with it, and with V frozen at its mean, on the same noise. The paper proves the bound and does not measure it.",
		g.runs, g.len, len(g.alpha), len(g.eps))
}

func (g gammaPlan) report(r *paper.Results) paper.Report {
	cells := g.cells(r)
	rep := g.findings(cells)
	rep.Tables, rep.Figures = []paper.Table{g.table(cells)}, []figure.Figure{g.figure(cells)}
	return rep
}

func (g gammaPlan) table(cells []gammaCell) paper.Table {
	t := paper.Table{
		Title: fmt.Sprintf("Estimates of E θ_i² as parts of σ_i², ± standard error over %d runs of %d draws. Extra: pSGLD's less that with V frozen, on the same noise; where κ = (1-α)σ/ε is small the law of first order in 1-α holds, which is κ for small steps; where κ is large it tends to 1. Γ takes away: pSGLD's less that with Γ", g.runs, g.len),
		Head:  []string{"coordinate", "ε", "α", "κ", "pSGLD", "pSGLD + Γ", "V frozen", "exact", "extra", "first order", "extra²", "(1-α)²/α³", "Γ takes away", "1-α"},
	}
	for _, c := range cells {
		extra2, law := claim.NoNumber, claim.NoNumber
		if c.extra.N > 1 {
			extra2 = claim.Significant(square(c.extra.Mean), 3)
		}
		if c.kappa() < 0.5 {
			law = claim.Significant(c.law(), 3)
		}
		t.Rows = append(t.Rows, []string{
			c.name(), claim.Exactly(c.eps), claim.Exactly(c.alpha), claim.Significant(c.kappa(), 3), c.off.Short(4), c.on.Short(4), c.frozen.Short(4),
			claim.Significant(averagedOn(c.sigma2, c.eps).v/c.sigma2, 4),
			c.extra.Short(3), law, extra2, claim.Significant(corollary2(c.alpha), 3), c.taken.Short(3), claim.Significant(1-c.alpha, 3),
		})
	}
	return t
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
		Series: []figure.Series{expected("(1-α)²/α³", "", along(gap, func(gap float64) float64 { return corollary2(1 - gap) }))},
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
		name := fmt.Sprintf("ε = %g", eps)
		squared.Series = append(squared.Series, expected(name+", first order", name, along(fine, func(gap float64) float64 { return square(memoryBias(1-gap, 1, eps)) })))
	}
	for i := range plane.variances {
		for _, eps := range g.eps {
			var squares, extras, losses []point
			for _, c := range cells {
				if c.coordinate != i || c.eps != eps || c.extra.N < 2 || math.Abs(c.extra.Mean) < 2*c.extra.SE {
					continue // a number that may be zero has no place on logarithmic axes
				}
				squares = append(squares, point{1 - c.alpha, numberOf(c.extra).squared()})
				extras = append(extras, point{c.kappa(), numberOf(c.extra)})
				losses = append(losses, point{1 - c.alpha, numberOf(c.taken)})
			}
			name := fmt.Sprintf("ε = %g", eps)
			law.Series = append(law.Series, measured(fmt.Sprintf("θ[%d], %s", i+1, name), "", figure.Points, extras))
			if i == 1 {
				squared.Series = append(squared.Series, measured(name, "", figure.Both, squares))
				taken.Series = append(taken.Series, measured(name, "", figure.Both, losses))
			}
		}
	}
	return figure.Figure{ID: "theory-gamma", Title: "The error of leaving Γ out, and of leaving it in", Columns: 3, Panels: []figure.Panel{squared, law, taken}}
}

// gammaSmall is the ε/σ below which the effect of Γ is compared with its law for small
// steps.
const gammaSmall = 0.4

func (g gammaPlan) findings(cells []gammaCell) (rep paper.Report) {
	at := func(eps, alpha float64) (gammaCell, bool) { // of θ₂
		i := slices.IndexFunc(cells, func(c gammaCell) bool {
			return c.coordinate == 1 && c.eps == eps && c.alpha == alpha && c.extra.N > 1
		})
		if i < 0 {
			return gammaCell{}, false
		}
		return cells[i], true
	}
	small := g.eps[0]
	if c, ok := at(small, usualAlpha); ok {
		rep.Verdict = fmt.Sprintf("At ε = %g and the usual α = 0.99 E θ₂² is %s times σ² without Γ, %s times with the paper's Γ, and %s times with V frozen. The bias comes of V following the gradient: it vanishes as α → 1 at a given ε, and grows as ε falls.",
			small, c.off.Short(4), c.on.Short(4), c.frozen.Short(4))
		rep.Say(fmt.Sprintf("Γ as the paper defines it has the factor 1-α, as it takes V_{t-1} for independent of θ_t. What it takes away at ε = %g is %s of σ², for 1-α = 0.01.", small, c.taken.Short(3)))
	}
	if c, ok := at(small, 0.9); ok {
		rep.Say(fmt.Sprintf("As ε → 0 at a fixed α the variance tends to 2σ² without Γ and to (1+α)σ² with it. At ε = %g and α = 0.9, where κ = %.3g, it is %s and %s of σ², and the limits are 2 and 1.9.", small, c.kappa(), c.off.Short(4), c.on.Short(4)))
	}
	// The constant of corollary 2 at every ε, where κ is small.
	for _, eps := range g.eps {
		var squares []point
		for _, a := range g.alpha {
			if c, ok := at(eps, a); ok && c.kappa() < 0.3 && c.extra.Mean > 3*c.extra.SE {
				squares = append(squares, point{1 - a, numberOf(c.extra).squared()})
			}
		}
		if len(squares) < 2 {
			continue
		}
		rep.Say(fmt.Sprintf("At ε = %g the squared extra error goes as (1-α) to the power %s where κ < 0.3, and corollary 2 has the power 2. Its constant, %.3g at α = %g, is about (σ/ε)² = %.3g: it depends on ε, and has no bound as ε → 0.",
			eps, exponent(slopeOf(squares)), squares[0].y.X/corollary2(1-squares[0].x), 1-squares[0].x, 1/(eps*eps)))
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
		rep.Say(fmt.Sprintf("The extra error is about κσ² with κ = (1-α)σ/ε, the mixing time over the memory of V. In all %d cells with κ < 0.05 where it is measured to 5%% or better, it is within %.0f%% of the law of first order in 1-α. So α → 1 or a frozen V removes the bias, and a smaller ε brings it back.", n, 100*worst))
	}
	if slow > 0 {
		rep.Say(fmt.Sprintf("In the %d of them with ε < %gσ what Γ takes away is within %.0f%% of (1-α)σ², which is the part ε/σ of the bias. The smaller the step, the larger the bias and the smaller the part that Γ removes.", slow, gammaSmall, 100*off))
	}
	return rep
}
