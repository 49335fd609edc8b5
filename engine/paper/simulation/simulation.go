// Package simulation has the experiments of section 5.1 and of the supplement's part E:
// Gaussians in the plane, whose truth is known.
package simulation

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A protocol is what a reading fixes of the simulations (PAPER §3).
type protocol struct {
	start     string       // of every chain
	noise     float64      // of the gradient
	draws     uint64       // of a long chain
	perEps    float64      // the ε of the update for 1 of the reading's
	psgld     paper.Values // of pSGLD, that are not the text's
	eps       []float64
	lanes     []paper.Entry
	published published
	// entries is what the sum of the covariance's absolute errors is divided by.
	entries float64
}

// published are numbers of another program, of one run each: for the text's reading those of
// PAPER §4, for the authors' their released results (PAPER §5).
type published struct {
	by, whose string // in heads, and before a noun
	note      string
	error     string // of which the numbers are
	axis      string // the same on an axis
	eps       []float64
	errors    map[string][]float64 // of a method at each ε
}

// protocolOf returns a reading's protocol. The text says neither which ε it has nor where it starts. From (0.5, 1) V
// starts well above zero; a start at the mode would throw pSGLD off (PAPER §4).
//
// The authors' code has drift η and noise √(2η), so that η is half an ε. It draws the gradient noise for V and for the
// drift separately, as a gaussian target with noise does. Its random numbers cannot be had, nor what it calls ACT.
func protocolOf(r paper.Reading) protocol {
	if r == paper.Authors {
		s := protocol{
			start:  "0,0",
			noise:  0.1,
			draws:  20_000,
			perEps: 2,
			psgld:  paper.Values{"alpha": 0.9999, "lambda": 1e-4, "v0": 1},
			lanes:  []paper.Entry{paper.SGLD, paper.PSGLD}, entries: 4,
			eps: list.Map(list.Upto(5), func(i int) float64 {
				return param.Round(2*0.3*libm.Pow(0.8, float64(i)), 4)
			}),
		}
		s.published = published{
			by:    "authors",
			whose: "The authors'",
			note: "The authors' numbers are those of their released result file, of one run each. Figure 1(b) has " +
				"the sum of the entries and not their mean.",
			error: "mean of the 4 absolute entries, as in the released code", axis: "mean error of an entry",
			eps: s.eps, errors: map[string][]float64{
				"SGLD":  {0.628, 0.151, 0.083, 0.055, 0.045},
				"pSGLD": {0.112, 0.084, 0.059, 0.038, 0.039},
			},
		}
		return s
	}
	gamma := paper.PSGLD.With(paper.Values{"gamma": 1})
	gamma.Title = "pSGLD + Γ"
	return protocol{
		start: "0.5,1", draws: 200_000, perEps: 1, entries: 1, lanes: []paper.Entry{paper.SGLD, paper.PSGLD, gamma},
		eps: []float64{0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6},
		published: published{
			by:    "another program",
			whose: "The other program's",
			note:  "The other program's numbers are of one run each.",
			error: "sum of the 4 absolute entries", axis: "error of the covariance",
			eps: []float64{0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, errors: map[string][]float64{
				"SGLD":      {0.085, 0.041, 0.054, 0.127, 0.224, 0.380, 0.717, 2.598},
				"pSGLD":     {0.539, 0.274, 0.136, 0.130, 0.153, 0.184, 0.220, 0.259},
				"pSGLD + Γ": {0.524, 0.260, 0.124, 0.119, 0.142, 0.174, 0.211, 0.251},
			},
		},
	}
}

// target is N(0, diag(0.16, a)) with the protocol's gradient noise.
func (s protocol) target(a float64) string {
	var args []string
	if a != 1 {
		args = append(args, "a="+claim.Exactly(a))
	}
	if s.noise != 0 {
		args = append(args, "noise="+claim.Exactly(s.noise))
	}
	if args == nil {
		return "gaussian"
	}
	return "gaussian:" + strings.Join(args, ";")
}

// A chain is a session of the simulations.
type chain struct {
	a     float64 // the second variance
	lane  paper.Entry
	eps   float64
	draws uint64
	start string // "" for the protocol's
}

// runs are the chain on each seed. Their name has what the reading does not fix.
func (c chain) runs(o paper.Options) paper.Runs {
	s := protocolOf(o.Reading)
	c.start = cmp.Or(c.start, s.start)
	name, l := c.lane.Sampler, c.lane
	if l.Values["gamma"] != 0 {
		name += " gamma=on"
	}
	if l.Sampler == paper.PSGLD.Sampler {
		l = l.With(s.psgld)
	}
	target := s.target(c.a)
	return paper.Runs{
		Name: fmt.Sprintf("%s %s eps=%s draws=%d from=%s %s", target, name, claim.Exactly(c.eps), c.draws, c.start,
			o.Reading),
		Target: target, Lanes: []paper.Entry{l.With(paper.Values{sampler.KeyEps: c.eps})},
		Init: c.start, Steps: c.draws, Seed: o.Seed, N: o.RepeatsOr(5, 20),
	}
}

// covError is the covariance error of a lane's draws, however few they are. Figures show its
// mean over seeds, so that no single chain has to be long enough.
func covError(a float64) func(engine.LaneResult) float64 {
	return func(l engine.LaneResult) float64 {
		if len(l.Cov) != 2 {
			return math.NaN()
		}
		cov := []float64{float64(l.Cov[0][0]), float64(l.Cov[0][1]), float64(l.Cov[1][0]), float64(l.Cov[1][1])}
		return metrics.CovError(cov, []float64{0.16, 0, 0, a})
	}
}

// A theory is what is known of SGLD on N(0, diag(v₁, v₂)).
type theory struct {
	Bias  float64 // Σ |stationary variance - v|
	Error float64 // expected covariance error of so many draws
	SD    float64 // standard deviation of that error
	ACT   float64 // τ, mean of both coordinates
}

// theoryOf is exact except for Error and SD, which take the estimates to be normal and independent, as they are in long
// chains. Along a coordinate of variance v SGLD is an AR(1) process with ρ = 1 - ε/(2v) and stationary variance w,
// which without gradient noise is v/(1 - ε/(4v)) (PAPER §4). So τ = ½ + Σ ρᵗ = 2v/ε - ½, and of n draws
//
//	the variance's estimate has mean w (1 - (1+ρ)/((1-ρ) n)), standard deviation w √(2/n · (1+ρ²)/(1-ρ²)),
//	that of the covariance mean 0, standard deviation √(w₁w₂/n · (1+ρ₁ρ₂)/(1-ρ₁ρ₂)),
//
// and the error is the sum of E|·| over the four entries. The start is neglected. All are NaN
// if SGLD has no stationary distribution.
func theoryOf(p *targets.Problem, eps float64, draws uint64) theory {
	var t theory
	var cov [4]float64
	if !p.Impl().(targets.Stationary).SGLDCov(cov[:], eps, 1) {
		return theory{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	truth := p.Impl().(targets.Truth).Truth().Cov
	n := float64(draws)
	var rho, act [2]float64
	for i := range 2 {
		v, w := truth[3*i], cov[3*i]
		r := 1 - eps/(2*v)
		rho[i], act[i] = r, 2*v/eps-0.5
		t.Bias += math.Abs(w - v)
		m, sd := w*(1-(1+r)/((1-r)*n))-v, w*math.Sqrt(2/n*(1+r*r)/(1-r*r))
		e := meanAbs(m, sd)
		t.Error += e
		t.SD += m*m + sd*sd - e*e
	}
	t.ACT = (act[0] + act[1]) / 2
	r := rho[0] * rho[1]
	sd := math.Sqrt(cov[0] * cov[3] / n * (1 + r) / (1 - r))
	e := meanAbs(0, sd)
	t.Error += 2 * e // both entries off the diagonal are the same number
	t.SD = math.Sqrt(t.SD + 4*(sd*sd-e*e))
	return t
}

// meanAbs is E|X| of X ~ N(m, s²).
func meanAbs(m, s float64) float64 {
	return s*math.Sqrt(2/math.Pi)*libm.Exp(-m*m/(2*s*s)) + m*math.Erf(m/(s*math.Sqrt2))
}

// Experiments lists them in the paper's order.
func Experiments() []paper.Experiment { return []paper.Experiment{fig1a, fig1b(), suppFig1()} }
