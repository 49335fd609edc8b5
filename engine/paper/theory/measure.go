package theory

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// secondMoment is a lane's step-weighted estimate Σ ε_t θ_i² / Σ ε_t, from its
// weighted mean and covariance; NaN where it has none.
func secondMoment(l engine.LaneResult, i int) float64 {
	if l.Diverged != nil || i >= len(l.Cov) || i >= len(l.Coords) {
		return math.NaN()
	}
	m := l.Coords[i][quantity.Mean].Trusted()
	return float64(l.Cov[i][i]) + m*m
}

// An estimatorRisk is the risk of an estimator with its two parts, measured over R
// independent runs (section 4.2 and supplement D):
//
//	E (φ̂ - φ̄)² = B² + V.
//
// With the runs' mean m and variance s² = Σ (φ̂ - m)²/(R-1), V is s², and B² is
// (m - φ̄)² - s²/R: the square of m - φ̄ alone is too large by the variance of m. It
// can come out below zero where the bias is small against its error. Both are
// without bias, and their sum is the mean of (φ̂ - φ̄)².
type estimatorRisk struct {
	Bias                 float64 // m - φ̄
	Bias2, Var, MSE      float64
	BiasSE               float64 // s/√R
	Bias2SE, VarSE, MSSE float64
	N, Lost              int // runs, and those without an estimate
}

// riskOf measures the risk of estimates of a truth. Its numbers are NaN with less
// than two of them, and where one is lost: of a sampler that can diverge there is
// no risk to speak of.
//
// The standard errors are those of means of squares, that of B² for a Gaussian m,
// √(4 B² s²/R + 2 (s²/R)²).
func riskOf(estimates []float64, truth float64) estimatorRisk {
	s := claim.Over(estimates)
	nan := math.NaN()
	r := estimatorRisk{nan, nan, nan, nan, nan, nan, nan, nan, s.N, s.Lost}
	if s.N < 2 || s.Lost > 0 {
		return r
	}
	n := float64(s.N)
	var errs, devs []float64
	for _, x := range estimates {
		errs = append(errs, (x-truth)*(x-truth))
		devs = append(devs, (x-s.Mean)*(x-s.Mean)*n/(n-1))
	}
	e, v := claim.Over(errs), claim.Over(devs)
	of := v.Mean / n // the variance of the mean
	r.Bias, r.BiasSE = s.Mean-truth, s.SE
	r.Bias2, r.Bias2SE = r.Bias*r.Bias-of, math.Sqrt(4*max(r.Bias*r.Bias-of, 0)*of+2*of*of)
	r.Var, r.VarSE = v.Mean, v.SE
	r.MSE, r.MSSE = e.Mean, e.SE
	return r
}

// plus is the risk of two independent estimates together, the sum of theirs.
func (r estimatorRisk) plus(o estimatorRisk) estimatorRisk {
	return estimatorRisk{
		Bias: r.Bias + o.Bias, Bias2: r.Bias2 + o.Bias2, Var: r.Var + o.Var, MSE: r.MSE + o.MSE,
		BiasSE: math.Hypot(r.BiasSE, o.BiasSE), Bias2SE: math.Hypot(r.Bias2SE, o.Bias2SE), VarSE: math.Hypot(r.VarSE, o.VarSE), MSSE: math.Hypot(r.MSSE, o.MSSE),
		N: min(r.N, o.N), Lost: max(r.Lost, o.Lost),
	}
}

// text is one of a risk's numbers with its error.
func (r estimatorRisk) text(x, se float64) string {
	if r.Lost > 0 {
		return fmt.Sprintf("%d of %d lost", r.Lost, r.N+r.Lost)
	}
	return theoryText(x, se)
}

func theoryText(x, se float64) string {
	if math.IsNaN(x) {
		return claim.NoNumber
	}
	return claim.Significant(x, 3) + " ± " + claim.Significant(se, 2)
}

// A powerLaw is the exponent of a power law y ∝ x^b.
type powerLaw struct{ B, SE float64 }

// slopeOf fits ln y = c + b ln x by ordinary least squares. With d the distances of
// ln x from their mean,
//
//	b = Σ d ln y / Σ d²,  SE² = Σ d² (se/y)² / (Σ d²)²,
//
// where se/y is the standard error of ln y: that of b is what the points' own come
// to, and does not grow where they do not lie on a line. The points are not weighted
// by these, since the smaller of two measured errors often belongs to the y that
// happened to come out small. Where a point is not positive b is NaN.
func slopeOf(x, y, se []float64) powerLaw {
	nan := powerLaw{math.NaN(), math.NaN()}
	mean := 0.0
	for i := range x {
		if !(y[i] > 0) || math.IsInf(y[i], 0) {
			return nan
		}
		mean += math.Log(x[i]) / float64(len(x))
	}
	if len(x) < 2 {
		return nan
	}
	var xx, xy, of float64
	for i := range x {
		d := math.Log(x[i]) - mean
		xx += d * d
		xy += d * math.Log(y[i])
		if se != nil {
			of += d * d * se[i] * se[i] / (y[i] * y[i])
		}
	}
	return powerLaw{xy / xx, math.Sqrt(of) / xx}
}

func (s powerLaw) text() string {
	if math.IsNaN(s.B) {
		return claim.NoNumber
	}
	return claim.Decimal(s.B, 3) + " ± " + claim.Decimal(s.SE, 3)
}

// agree is the verb for measured numbers of which the farthest from the exact ones is
// worst standard errors off. Of twenty normal numbers one is beyond 3.5 in a hundred
// cases.
func agree(worst float64) string {
	if worst < 3.5 {
		return "agree with"
	}
	return "do not agree with"
}

// A theoryLane is a lane of the theory's sessions.
type theoryLane struct {
	title    string // in figures
	sampler  string
	values   paper.Values
	schedule sampler.Schedule
}

// label is what a lane differs in from its sampler's defaults.
func (l theoryLane) label() string {
	var v []string
	for k, x := range l.values {
		v = append(v, k+"="+claim.Exactly(x))
	}
	sort.Strings(v)
	if !l.schedule.Constant() {
		v = append(v, "schedule="+l.schedule.String(l.values[sampler.KeyEps]))
	}
	return l.sampler + ":" + strings.Join(v, ";")
}

// with is the lane with more values.
func (l theoryLane) with(values paper.Values) theoryLane {
	all := paper.Values{}
	for _, m := range []paper.Values{l.values, values} {
		for k, v := range m {
			all[k] = v
		}
	}
	l.values = all
	return l
}

// The keys of what pSGLD has of its own.
const (
	theoryAlpha  = "alpha"
	theoryGamma  = "gamma"
	theoryV0     = "v0"
	theoryFreeze = "freeze"
)

// firstV starts V at the first gradient's square. From where the theory's sessions
// start, θ_i = σ_i, that is 1/σ_i², its mean under the target: no transient of V is
// measured as bias, and no first step is enormous, as one from the mode with V_0 = 0 is (PAPER §4).
const firstV = 1

func plainSGLD() theoryLane { return theoryLane{title: "SGLD", sampler: "sgld"} }

// psgldOf is pSGLD with a memory.
func psgldOf(title string, alpha float64) theoryLane {
	return theoryLane{title: title, sampler: "psgld", values: paper.Values{theoryAlpha: alpha, theoryV0: firstV}}
}

// A theorySession is sessions on one setting from several seeds.
type theorySession struct {
	lanes []theoryLane
	same  bool // all lanes have the same noise
	start string
	steps uint64
	seed  uint64 // the first
	runs  int
	scale paper.Scale
}

// jobs are its sessions, one a run.
func (s theorySession) jobs(p *targets.Problem) []study.Job {
	var labels []string
	var lanes []engine.Lane
	for _, l := range s.lanes {
		labels = append(labels, l.label())
		lanes = append(lanes, paper.Lane(p, l.sampler, l.schedule, l.values))
	}
	id := fmt.Sprintf("%s %s start=%s steps=%d", p.Spec, strings.Join(labels, ","), s.start, s.steps)
	if s.same {
		id += " same noise"
	}
	var jobs []study.Job
	for k := range s.runs {
		cfg := paper.Session(p, s.seed+uint64(k), lanes...)
		cfg.Steps, cfg.Init, cfg.SameNoise = s.steps, s.start, s.same
		jobs = append(jobs, study.Job{ID: fmt.Sprintf("%s %s seed=%d", id, s.scale, cfg.Seed), Config: cfg})
	}
	return jobs
}

// laneEstimates reads a number off the k-th lane of every run. A lane that diverged
// gives NaN, one that is not there nothing.
func laneEstimates(r *paper.Results, jobs []study.Job, k int, of func(engine.LaneResult) float64) []float64 {
	var x []float64
	for _, j := range jobs {
		l, ok := r.Lane(j.ID, k)
		switch {
		case ok:
			x = append(x, of(l))
		case l.Diverged != nil:
			x = append(x, math.NaN())
		}
	}
	return x
}

// theoryTruth is the variance of each coordinate of a Gaussian.
func theoryTruth(p *targets.Problem) []float64 {
	r := engine.Exactly(p)
	var v []float64
	for i := range r.Mean {
		v = append(v, r.Cov[i*len(r.Mean)+i])
	}
	return v
}

// startAt is the start θ_i = √v_i, where θ_i² is already v_i.
func startAt(v []float64) string {
	var s []string
	for _, x := range v {
		s = append(s, claim.Exactly(math.Sqrt(x)))
	}
	return strings.Join(s, ",")
}

// theoryTarget opens the Gaussian of section 5.1, N(0, diag(0.16, 1)).
func theoryTarget(o paper.Options) (*targets.Problem, error) { return o.Targets.Open("gaussian", "") }

// ratios lists n points from lo to hi at equal ratios.
func ratios(lo, hi float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo * math.Pow(hi/lo, float64(i)/float64(n-1))
	}
	return x
}
