package simulation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/targets"
)

// findings test the paper's claim that "pSGLD dominates".
func (n *fig1aNumbers) findings(r *paper.Results) []string {
	var rep paper.Report
	sgld, psgld, eps := n.methods[0], n.methods[1], n.eps
	every := func(float64) bool { return true }
	rep.Say(
		claim.Dominance("covariance error", "", every, eps, claim.Line{Name: psgld.name, Y: psgld.err}, claim.Line{Name: sgld.name, Y: sgld.err}),
		claim.Dominance("autocorrelation time", "", every, eps, claim.Line{Name: psgld.name, Y: psgld.act}, claim.Line{Name: sgld.name, Y: sgld.act}),
	)
	if n.o.Reading == paper.Text {
		if e, g := psgld.err[0], sgld.err[0]; e.OK() && g.OK() {
			rep.Say(fmt.Sprintf("The paper says that both become alike at small ε. At ε = %s pSGLD's error is %s and SGLD's %s: without Γ and with α = 0.99 G follows the present gradient, "+
				"and as ε → 0 a Gaussian's variance tends to twice the true one, an error of 1.16.", claim.Exactly(eps[0]), e.Text(3), g.Text(3)))
		}
		if gamma := n.methods[2]; gamma.err[0].OK() && psgld.err[0].OK() {
			last := len(eps) - 1
			rep.Say(fmt.Sprintf("Γ does not mend it: it takes pSGLD's error from %s to %s at ε = %s and from %s to %s at ε = %s.",
				psgld.err[0].Text(3), gamma.err[0].Text(3), claim.Exactly(eps[0]), psgld.err[last].Text(3), gamma.err[last].Text(3), claim.Exactly(eps[last])))
		}
		mode := fig1aAtMode(n.o)
		if e := r.Over(mode.runs(n.o), covError(mode.a)); e.OK() {
			rep.Say(fmt.Sprintf("Started at the mode, (0, 0), where V₀ = 0 makes G = 1/λ, pSGLD at ε = %s has an error of %s over %d draws, for its first step alone (another program's one run: above 27).",
				claim.Exactly(mode.eps), e.Short(2), n.draws))
		}
	}
	rep.Say(n.atEqualACT(psgld), n.agreement(), n.withTheory(sgld))
	return rep.Findings
}

// atEqualACT compares pSGLD with SGLD at the ε where SGLD has the same mean τ, which is
// exactly (v₁ + v₂)/ε - ½. The same ε is another step to pSGLD because of G.
func (n *fig1aNumbers) atEqualACT(psgld method) string {
	p, err := n.o.Targets.Open(n.target(1), "")
	if err != nil {
		return ""
	}
	truth, ok := p.Impl().(targets.Truth)
	if !ok {
		return ""
	}
	cov := truth.Truth().Cov
	var sides claim.Sides
	for i, eps := range n.eps {
		if !psgld.err[i].OK() || !psgld.act[i].OK() {
			continue
		}
		t, ok := theoryOf(p, (cov[0]+cov[3])/(psgld.act[i].Mean+0.5), n.draws)
		if !ok {
			continue
		}
		of := t.Error / n.entries
		sides.Add(fmt.Sprintf("%s (τ %s: %s, %s)", claim.Exactly(eps), claim.Significant(psgld.act[i].Mean, 2), claim.Decimal(psgld.err[i].Mean, 3), claim.Decimal(of, 3)),
			psgld.err[i].Mean-of, psgld.err[i].SE)
	}
	if sides.String() == "" {
		return ""
	}
	return "At equal τ, pSGLD's error against that expected of SGLD: " + sides.String() + "."
}

// agreement counts the references that our runs agree with. A reference is one run, so the
// standard error of a difference is s √(1 + 1/N), with s the standard deviation of our N
// runs. The rounding of the reference is neglected.
func (n *fig1aNumbers) agreement() string {
	count, within, far, chance := 0, 0, 0.0, 0.0
	where := ""
	for _, m := range n.methods {
		for i, eps := range n.eps {
			ref, e := reference(n.o.Reading, m.name, eps), m.err[i]
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
				where = fmt.Sprintf("%s at ε = %s (%s there, %s here, %.1f of them)", m.name, claim.Exactly(eps), claim.Decimal(ref, 3), e.Text(3), z)
			}
		}
	}
	if count == 0 {
		return ""
	}
	whose := "independent reference figures"
	if n.o.Reading == paper.Authors {
		whose = "figures released by the authors"
	}
	return fmt.Sprintf("Of %d %s, one run each, %d are within 2 standard deviations of a run of ours; by chance about %s would not be. The farthest is %s.",
		count, whose, within, claim.Significant(chance, 2), where)
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
	return fmt.Sprintf("Of SGLD's %d errors, which its exact stationary variance, σ²/(1 - ε/(4σ²)) without gradient noise, and the length of the chain foretell, the farthest off is by %.1f standard errors, at %s.",
		count, far, where)
}
