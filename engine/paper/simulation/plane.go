package simulation

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// A planeSetting is what a reading fixes of the simulations (PAPER §3).
type planeSetting struct {
	start  string       // of every chain
	noise  float64      // of the gradient
	draws  uint64       // of a long chain
	perEps float64      // the ε of the update for 1 of the reading's
	psgld  paper.Values // values of pSGLD that are not the text's
	eps    []float64
	rows   []paper.Method
	// entries divides the sum of the covariance's absolute errors.
	entries float64
}

// planeSettingOf returns a reading's setting. The text's own leaves out which ε
// it has and where it starts; from (0.5, 1) V starts well above zero, whereas a
// start at the mode throws pSGLD off (PAPER §4).
//
// The authors' code has drift η and noise √(2η), so that its step is half an ε.
// Its gradient noise for V and for the drift are separate draws, as those of a
// gaussian target with noise are. Of that code the random numbers alone cannot be
// had, and what it calls ACT.
func planeSettingOf(r paper.Reading) planeSetting {
	if r == paper.Authors {
		s := planeSetting{
			start: "0,0", noise: 0.1, draws: 20_000, perEps: 2, psgld: paper.Values{"alpha": 0.9999, "lambda": 1e-4, "v0": 1},
			rows: []paper.Method{paper.SGLD, paper.PSGLD}, entries: 4,
		}
		for i := range 5 {
			s.eps = append(s.eps, claim.Round4(2*0.3*math.Pow(0.8, float64(i))))
		}
		return s
	}
	return planeSetting{
		start: "0.5,1", draws: 200_000, perEps: 1, entries: 1, rows: []paper.Method{paper.SGLD, paper.PSGLD, paper.PSGLDGamma},
		eps: []float64{0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6},
	}
}

// planeRepeats is the number of seeds of each chain.
func planeRepeats(o paper.Options) int {
	if o.Scale == paper.Quick {
		return o.RepeatsOr(5)
	}
	return o.RepeatsOr(20)
}

// A planeChain is a session of the simulations.
type planeChain struct {
	a     float64 // the second variance
	row   paper.Method
	eps   float64
	draws uint64
	start string // "" for the reading's
	seed  uint64
	trail bool // its draws are kept
}

// spec is the chain's target.
func (c planeChain) spec(s planeSetting) string {
	var args []string
	if c.a != 1 {
		args = append(args, "a="+claim.Exactly(c.a))
	}
	if s.noise != 0 {
		args = append(args, "noise="+claim.Exactly(s.noise))
	}
	if args == nil {
		return "gaussian"
	}
	return "gaussian:" + strings.Join(args, ";")
}

// from is where the chain starts.
func (c planeChain) from(s planeSetting) string {
	if c.start != "" {
		return c.start
	}
	return s.start
}

// id names the session. What else a reading fixes goes by its name.
func (c planeChain) id(r paper.Reading) string {
	s := planeSettingOf(r)
	name := c.row.Sampler
	if c.row.Values["gamma"] != 0 {
		name += " gamma=on"
	}
	return fmt.Sprintf("%s %s eps=%s draws=%d from=%s %s seed=%d", c.spec(s), name, claim.Exactly(c.eps), c.draws, c.from(s), r, c.seed)
}

// drawnError is the error of the covariance of a chain's draws, however few they are:
// the figures average it over seeds, and need no chain that can be trusted by itself.
func (c planeChain) drawnError(l engine.LaneResult) float64 {
	if len(l.Cov) != 2 {
		return math.NaN()
	}
	cov := []float64{float64(l.Cov[0][0]), float64(l.Cov[0][1]), float64(l.Cov[1][0]), float64(l.Cov[1][1])}
	return metrics.CovError(cov, []float64{0.16, 0, 0, c.a})
}

// job is the session.
func (c planeChain) job(o paper.Options) (study.Job, error) {
	s := planeSettingOf(o.Reading)
	p, err := o.Targets.Open(c.spec(s), "")
	if err != nil {
		return study.Job{}, err
	}
	values := paper.Values{sampler.KeyEps: c.eps}
	if c.row.Sampler == paper.PSGLD.Sampler {
		for k, v := range s.psgld {
			values[k] = v
		}
	}
	for k, v := range c.row.Values {
		values[k] = v
	}
	cfg := paper.Session(p, c.seed, paper.Lane(p, c.row.Sampler, sampler.Schedule{}, values))
	cfg.Init, cfg.Steps = c.from(s), c.draws
	return study.Job{ID: c.id(o.Reading), Config: cfg, Keep: study.Keep{Draws: c.trail}}, nil
}

// planeJobs are the sessions of chains.
func planeJobs(o paper.Options, chains []planeChain) ([]study.Job, error) {
	var jobs []study.Job
	for _, c := range chains {
		j, err := c.job(o)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// repeated are the IDs of a chain on each seed.
func (c planeChain) repeated(o paper.Options) []string {
	var ids []string
	for k := range planeRepeats(o) {
		c.seed = o.Seed + uint64(k)
		ids = append(ids, c.id(o.Reading))
	}
	return ids
}

// every is the chain on each seed.
func (c planeChain) every(o paper.Options) []planeChain {
	var all []planeChain
	for k := range planeRepeats(o) {
		c.seed = o.Seed + uint64(k)
		all = append(all, c)
	}
	return all
}

// A planeTheory is what is known of SGLD on N(0, diag(v₁, v₂)).
type planeTheory struct {
	Bias  float64    // Σ |stationary variance - v|
	Error float64    // expected covariance error of so many draws
	SD    float64    // standard deviation of that error
	ACT   [2]float64 // τ of each coordinate
	Cov   [2]float64 // the stationary variances
}

// theoryOf is exact but for Error and SD, which take the estimates to be normal
// and independent, as they are in long chains. Along a coordinate of variance v SGLD is an AR(1)
// process with ρ = 1 - ε/(2v) and stationary variance w, v/(1 - ε/(4v)) without
// gradient noise (PAPER §4). So τ = ½ + Σ ρᵗ = 2v/ε - ½, and of n draws
//
//	the variance's estimate has mean w (1 - (1+ρ)/((1-ρ) n)), standard deviation w √(2/n · (1+ρ²)/(1-ρ²)),
//	that of the covariance mean 0, standard deviation √(w₁w₂/n · (1+ρ₁ρ₂)/(1-ρ₁ρ₂)),
//
// and the error sums E|·| over the four entries. The start is left out. It reports
// false where SGLD has no stationary law.
func theoryOf(p *targets.Problem, eps float64, draws uint64) (planeTheory, bool) {
	var t planeTheory
	var cov [4]float64
	stationary, ok := p.Impl().(targets.Stationary)
	truth, known := p.Impl().(targets.Truth)
	if !ok || !known || !stationary.SGLDCov(cov[:], eps, 1) {
		return t, false
	}
	n := float64(draws)
	var rho [2]float64
	for i := range 2 {
		v, w := truth.Truth().Cov[3*i], cov[3*i]
		r := 1 - eps/(2*v)
		rho[i], t.Cov[i], t.ACT[i] = r, w, 2*v/eps-0.5
		t.Bias += math.Abs(w - v)
		m, sd := w*(1-(1+r)/((1-r)*n))-v, w*math.Sqrt(2/n*(1+r*r)/(1-r*r))
		e := meanAbs(m, sd)
		t.Error += e
		t.SD += m*m + sd*sd - e*e
	}
	r := rho[0] * rho[1]
	sd := math.Sqrt(cov[0] * cov[3] / n * (1 + r) / (1 - r))
	e := meanAbs(0, sd)
	t.Error += 2 * e // both entries off the diagonal are the same number
	t.SD = math.Sqrt(t.SD + 4*(sd*sd-e*e))
	return t, true
}

// meanAbs is E|X| of X ~ N(m, s²).
func meanAbs(m, s float64) float64 {
	return s*math.Sqrt(2/math.Pi)*math.Exp(-m*m/(2*s*s)) + m*math.Erf(m/(s*math.Sqrt2))
}
