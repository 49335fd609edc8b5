package simulation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/targets"
)

// fig1aFindings hold the paper's claim, "pSGLD dominates", against the numbers.
func fig1aFindings(o paper.Options, s planeSetting, lines []planeLine, theories []planeTheory, r *paper.Results) []string {
	var all []string
	sgld, psgld := lines[0], lines[1]
	every := func(float64) bool { return true }
	all = append(all, claim.Dominance("covariance error", "", every, s.eps, claim.Line{Name: psgld.row.Name, Y: psgld.err}, claim.Line{Name: sgld.row.Name, Y: sgld.err})...)
	all = append(all, claim.Dominance("autocorrelation time", "", every, s.eps, claim.Line{Name: psgld.row.Name, Y: psgld.act}, claim.Line{Name: sgld.row.Name, Y: sgld.act})...)
	if o.Reading == paper.Text {
		if e, g := psgld.err[0], sgld.err[0]; e.OK() && g.OK() {
			all = append(all, fmt.Sprintf("The paper says that both become alike at small ε. At ε = %s pSGLD's error is %s and SGLD's %s: without Γ and with α = 0.99 G follows the present gradient, "+
				"and as ε → 0 a Gaussian's variance tends to twice the true one, an error of 1.16.", claim.Exactly(s.eps[0]), e.Text(3), g.Text(3)))
		}
		if gamma := lines[2]; gamma.err[0].OK() && psgld.err[0].OK() {
			last := len(s.eps) - 1
			all = append(all, fmt.Sprintf("Γ does not mend it: it takes pSGLD's error from %s to %s at ε = %s and from %s to %s at ε = %s.",
				psgld.err[0].Text(3), gamma.err[0].Text(3), claim.Exactly(s.eps[0]), psgld.err[last].Text(3), gamma.err[last].Text(3), claim.Exactly(s.eps[last])))
		}
		mode := fig1aAtMode(o)
		if e := r.Over(mode.repeated(o), mode.drawnError); e.OK() {
			all = append(all, fmt.Sprintf("Started at the mode, (0, 0), where V₀ = 0 makes G = 1/λ, pSGLD at ε = %s has an error of %s over %d draws, for its first step alone (another program's one run: above 27).",
				claim.Exactly(mode.eps), e.Short(2), s.draws))
		}
	}
	if f := atEqualACT(o, s, psgld); f != "" {
		all = append(all, f)
	}
	if f := agreement(o, s, lines); f != "" {
		all = append(all, f)
	}
	if f := withTheory(s, sgld, theories); f != "" {
		all = append(all, f)
	}
	return all
}

// atEqualACT compares pSGLD with SGLD at the ε where SGLD's mean τ, which is
// (v₁ + v₂)/ε - ½ exactly, is the same: G gives pSGLD another scale of ε.
func atEqualACT(o paper.Options, s planeSetting, psgld planeLine) string {
	p, err := o.Targets.Open(planeChain{a: 1}.spec(s), "")
	if err != nil {
		return ""
	}
	truth, ok := p.Impl().(targets.Truth)
	if !ok {
		return ""
	}
	cov := truth.Truth().Cov
	var lower, alike, higher []string
	for i, eps := range s.eps {
		if !psgld.err[i].OK() || !psgld.act[i].OK() {
			continue
		}
		t, ok := theoryOf(p, (cov[0]+cov[3])/(psgld.act[i].Mean+0.5), s.draws)
		if !ok {
			continue
		}
		d := psgld.err[i].Mean - t.Error/s.entries
		switch name := fmt.Sprintf("%s (τ %s: %s, %s)", claim.Exactly(eps), claim.Significant(psgld.act[i].Mean, 2), claim.Decimal(psgld.err[i].Mean, 3), claim.Decimal(t.Error/s.entries, 3)); {
		case math.Abs(d) <= 2*psgld.err[i].SE:
			alike = append(alike, name)
		case d < 0:
			lower = append(lower, name)
		default:
			higher = append(higher, name)
		}
	}
	text := claim.Parts([]string{"lower", "no different", "higher"}, lower, alike, higher)
	if text == "" {
		return ""
	}
	return "At equal τ, pSGLD's error against that expected of SGLD: " + text + "."
}

// agreement counts the references that our runs agree with. A reference is one
// run, so the error of a difference is s √(1 + 1/N) with s the standard deviation
// of our N runs; half a unit of its last digit is left out.
func agreement(o paper.Options, s planeSetting, lines []planeLine) string {
	n, within, far, chance := 0, 0, 0.0, 0.0
	where := ""
	for _, l := range lines {
		for i, eps := range s.eps {
			ref := reference(o.Reading, l.row.Name, eps)
			sd := l.err[i].SD()
			if math.IsNaN(ref) || !(sd > 0) {
				continue
			}
			z := (l.err[i].Mean - ref) / (sd * math.Sqrt(1+1/float64(l.err[i].N)))
			n++
			chance += 2 * distuv.StudentsT{Sigma: 1, Nu: float64(l.err[i].N - 1)}.CDF(-2)
			if math.Abs(z) <= 2 {
				within++
			}
			if math.Abs(z) >= far {
				far = math.Abs(z)
				where = fmt.Sprintf("%s at ε = %s (%s there, %s here, %.1f of them)", l.row.Name, claim.Exactly(eps), claim.Decimal(ref, 3), l.err[i].Text(3), math.Abs(z))
			}
		}
	}
	if n == 0 {
		return ""
	}
	whose := "independent reference figures"
	if o.Reading == paper.Authors {
		whose = "figures released by the authors"
	}
	return fmt.Sprintf("Of %d %s, one run each, %d are within 2 standard deviations of a run of ours; by chance about %s would not be. The farthest is %s.", n, whose, within, claim.Significant(chance, 2), where)
}

// withTheory says how far SGLD is from what is expected of it.
func withTheory(s planeSetting, sgld planeLine, theories []planeTheory) string {
	far, where, n := 0.0, "", 0
	for i, eps := range s.eps {
		want := theories[i].Error / s.entries
		if e := sgld.err[i]; e.OK() && !math.IsNaN(want) {
			n++
			if z := math.Abs(e.Mean-want) * s.entries / theories[i].SD * math.Sqrt(float64(e.N)); z >= far {
				far = z
				where = fmt.Sprintf("ε = %s (%s, expected %s)", claim.Exactly(eps), e.Text(3), claim.Decimal(want, 3))
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Of SGLD's %d errors, which its exact stationary variance, σ²/(1 - ε/(4σ²)) without gradient noise, and the length of the chain foretell, the farthest off is by %.1f standard errors, at %s.", n, far, where)
}
