// Package theory measures what the paper proves in sections 4.1 and 4.2 and supplement D.
//
// All targets are Gaussians: their truth is known, and so is the process that SGLD is on them (exact.go).
package theory

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Experiments lists them in the order of the sections.
func Experiments() []paper.Experiment {
	return []paper.Experiment{
		experiment("theory-risk", "Bias and variance of an estimate against the step size",
			"section 4.2 and supplement D: risk = bias² + variance",
			"Does a smaller step trade bias for variance, and does preconditioning lower the least risk?", riskPlanOf),
		experiment("theory-rate", "Mean squared error against the number of steps, as steps decrease",
			"section 4.1, theorem 1",
			"As the steps decrease, does the mean squared error fall with their number as theorem 1 bounds it?",
			ratePlanOf),
		experiment("theory-gamma", "What leaving Γ out costs, against α", "section 4.2, corollary 2",
			"How large is the bias of leaving Γ out, and does it vanish as α → 1, whatever the step size?",
			gammaPlanOf),
		experiment("theory-thinning", "What thinning costs", "section 4.2, corollary 3",
			"Does a thinned chain keep its effective sample size and its rate?", thinPlanOf),
	}
}

// A plan is what an experiment runs with some options.
type plan interface {
	protocol() string
	sessions() []paper.Runs
	report(*paper.Results) paper.Report
}

// experiment is an experiment by its plan. The authors' code has none of them.
func experiment[P plan](id, title, source, question string, planOf func(paper.Options) P) paper.Experiment {
	return paper.Experiment{
		ID: id, Title: title, Source: source, Question: question, Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string { return planOf(o).protocol() },
		Jobs:     paper.JobsOf(func(o paper.Options) []paper.Runs { return planOf(o).sessions() }),
		Report:   func(o paper.Options, r *paper.Results) paper.Report { return planOf(o).report(r) },
	}
}

// A gaussian is a target with independent coordinates.
type gaussian struct {
	spec      string
	variances []float64
}

var (
	// plane is that of section 5.1.
	plane = gaussian{"gaussian", []float64{0.16, 1}}
	// unit has two coordinates of the same kind, which are independent if G is diagonal.
	unit = gaussian{"gaussian:cov=1,0,0,1", []float64{1, 1}}
)

// coordinates are the names of those of a target.
var coordinates = [...]string{"θ₁", "θ₂"}

// runs are n sessions of so many steps. Their lanes have the same noise, so that differences between lanes are measured
// far better than the lanes' values. They start at θ_i = √v_i, where θ_i² is already v_i; a nil v is the target's own
// variances. Each group has its own seeds.
func (g gaussian) runs(o paper.Options, lanes []paper.Entry, v []float64, steps uint64, group, n int) paper.Runs {
	if v == nil {
		v = g.variances
	}
	start := list.Map(v, func(x float64) string { return claim.Exactly(math.Sqrt(x)) })
	r := paper.Runs{Target: g.spec, Lanes: lanes, SameNoise: true, Init: strings.Join(start, ","), Steps: steps,
		Seed: o.Seed + uint64(group*n), N: n}
	r.Name = fmt.Sprintf("%s %s start=%s steps=%d same noise %s", g.spec, strings.Join(list.Map(lanes, label), ","),
		r.Init, steps, o.Scale)
	return r
}

// label names a lane by its values.
func label(l paper.Entry) string {
	var v []string
	for k, x := range l.Values {
		v = append(v, k+"="+claim.Exactly(x))
	}
	slices.Sort(v)
	if !l.Schedule.Constant() {
		v = append(v, "schedule="+l.Schedule.String(l.Values[sampler.KeyEps]))
	}
	return l.Sampler + ":" + strings.Join(v, ";")
}

// The keys of pSGLD's own parameters.
const (
	keyAlpha  = "alpha"
	keyGamma  = "gamma"
	keyV0     = "v0"
	keyFreeze = "freeze"
)

// usualAlpha is the paper's α.
const usualAlpha = 0.99

// psgldOf is pSGLD with a memory α. V starts at the square of the first gradient. At the sessions' start θ_i = σ_i that
// is 1/σ_i², its mean under the target. So no transient of V is taken for bias, and the first step is not enormous, as
// it would be from the mode with V_0 = 0 (PAPER §4).
func psgldOf(title string, alpha float64) paper.Entry {
	return paper.Entry{Title: title, Sampler: "psgld", Values: paper.Values{keyAlpha: alpha, keyV0: 1}}
}

// moments are the runs' estimates of E θ_i² with the k-th lane.
func moments(r *paper.Results, runs paper.Runs, k, i int) []float64 {
	return r.Each(runs, k, func(l engine.LaneResult) float64 { return secondMoment(l, i) })
}

// secondMoment is a lane's step-weighted estimate Σ ε_t θ_i² / Σ ε_t, from its weighted
// mean and covariance; NaN without these.
func secondMoment(l engine.LaneResult, i int) float64 {
	if l.Diverged != nil || i >= len(l.Cov) || i >= len(l.Coords) {
		return math.NaN()
	}
	m := l.Coords[i][quantity.Mean].Trusted()
	return float64(l.Cov[i][i]) + m*m
}

// A risk is an estimator's, with its two parts, measured over R independent runs (section 4.2 and supplement D):
//
//	E (φ̂ - φ̄)² = B² + V.
//
// With the runs' mean m and variance s² = Σ (φ̂ - m)²/(R-1), V is s² and B² is (m - φ̄)² - s²/R, since (m - φ̄)² alone
// is too large by the variance of m. B² can be below zero if the bias is small against its standard error. Both are
// unbiased, and their sum is the mean of (φ̂ - φ̄)².
type risk struct {
	Bias2, Var, MSE number
	N, Lost         int // runs, and those without an estimate
}

// A number is X with its standard error.
type number struct{ X, SE float64 }

func numberOf(m claim.OverSeeds) number { return number{m.Mean, m.SE} }

func (n number) plus(m number) number { return number{n.X + m.X, libm.Hypot(n.SE, m.SE)} }
func (n number) half() number         { return number{n.X / 2, n.SE / 2} }
func (n number) squared() number      { return number{n.X * n.X, 2 * math.Abs(n.X) * n.SE} }

func (n number) String() string {
	if math.IsNaN(n.X) {
		return claim.NoNumber
	}
	return claim.Significant(n.X, 3) + " ± " + claim.Significant(n.SE, 2)
}

// riskOf measures the risk of estimates of a truth. Its numbers are NaN for fewer than two
// estimates, and if one is not finite: a sampler that diverges has no risk.
//
// The standard errors are those of means of squares. That of B² is for a Gaussian m, √(4 B² s²/R + 2 (s²/R)²).
func riskOf(estimates []float64, truth float64) risk {
	s := claim.Over(estimates)
	none := number{math.NaN(), math.NaN()}
	r := risk{none, none, none, s.N, s.Lost}
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
	bias := s.Mean - truth
	r.Bias2 = number{bias*bias - of, math.Sqrt(4*max(bias*bias-of, 0)*of + 2*of*of)}
	r.Var, r.MSE = numberOf(v), numberOf(e)
	return r
}

// risk is that of the k-th lane's estimates of E θ_i², summed over the coordinates.
func (g gaussian) risk(r *paper.Results, runs paper.Runs, k int) risk {
	sum := riskOf(moments(r, runs, k, 0), g.variances[0])
	for i := 1; i < len(g.variances); i++ {
		sum = sum.plus(riskOf(moments(r, runs, k, i), g.variances[i]))
	}
	return sum
}

// plus is the sum of the risks of two independent estimates.
func (r risk) plus(o risk) risk {
	return risk{r.Bias2.plus(o.Bias2), r.Var.plus(o.Var), r.MSE.plus(o.MSE), min(r.N, o.N), max(r.Lost, o.Lost)}
}

// text is one of a risk's numbers.
func (r risk) text(n number) string {
	if r.Lost > 0 {
		return fmt.Sprintf("%d of %d lost", r.Lost, r.N+r.Lost)
	}
	return n.String()
}

// slopeOf fits the exponent b of a power law y ∝ x^b by ordinary least squares,
// ln y = c + b ln x. With d the distances of ln x from their mean,
//
//	b = Σ d ln y / Σ d²,  SE² = Σ d² (se/y)² / (Σ d²)²,
//
// where se/y is the standard error of ln y. SE is what the points' own standard errors come to, and does not grow if
// they do not lie on a line. The points are not weighted by them, since of two points the one that happens to be low
// often has the smaller standard error. If a point is not positive b is NaN.
func slopeOf(points []point) number {
	mean := 0.0
	for _, p := range points {
		if len(points) < 2 || !(p.y.X > 0) || math.IsInf(p.y.X, 0) {
			return number{math.NaN(), math.NaN()}
		}
		mean += libm.Log(p.x) / float64(len(points))
	}
	var xx, xy, of float64
	for _, p := range points {
		d := libm.Log(p.x) - mean
		xx += d * d
		xy += d * libm.Log(p.y.X)
		of += d * d * p.y.SE * p.y.SE / (p.y.X * p.y.X)
	}
	return number{xy / xx, math.Sqrt(of) / xx}
}

// exponent writes an exponent that slopeOf found.
func exponent(b number) string {
	if math.IsNaN(b.X) {
		return claim.NoNumber
	}
	return claim.Decimal(b.X, 3) + " ± " + claim.Decimal(b.SE, 3)
}

// agree is the verb for measured and exact numbers that differ by at most so many standard
// errors. Among twenty normal numbers one is beyond 3.5 with a probability of 0.01.
func agree(worst float64) string {
	if worst < 3.5 {
		return "agree with"
	}
	return "do not agree with"
}

func logAxis(label string) figure.Axis { return figure.Axis{Label: label, Log: true} }

// A point is a number at a place, of some sessions; none of an exact number.
type point struct {
	x        float64
	y        number
	sessions []string // their IDs
}

// along are the exact values of a function.
func along(x []float64, f func(x float64) float64) []point {
	return list.Map(x, func(v float64) point { return point{x: v, y: number{X: f(v)}} })
}

// measured is a series of the points with a positive y. sampler may be "".
func measured(name, sampler string, style figure.Style, points []point) figure.Series {
	s := figure.Series{Name: name, Of: sampler, Style: style}
	for _, p := range points {
		if p.y.X > 0 && !math.IsInf(p.y.X, 0) {
			s.X, s.Y, s.Err, s.Sessions = append(s.X, p.x), append(s.Y, p.y.X), append(s.Err, p.y.SE),
				append(s.Sessions, p.sessions)
		}
	}
	return s
}

// expected is a theoretical line through the points with a positive y. It has the look of
// the measured series that like names, if there is one.
func expected(name, like string, points []point) figure.Series {
	s := measured(name, "", figure.Line, points)
	s.Err, s.Sessions, s.Paper, s.Like = nil, nil, true, like
	return s
}

// ratios lists n points from lo to hi at equal ratios.
func ratios(lo, hi float64, n int) []float64 {
	return list.Map(list.Upto(n), func(i int) float64 { return lo * libm.Pow(hi/lo, float64(i)/float64(n-1)) })
}

func square(x float64) float64 { return x * x }
