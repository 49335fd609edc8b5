package calibration

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A number is X with its standard error.
type number struct{ X, SE float64 }

// moments are the mean and variance of each coordinate.
type moments struct{ mean, variance []number }

// exactly are moments without an error.
func exactly(mean, cov []float64) (m moments) {
	for i, x := range mean {
		m.mean = append(m.mean, number{X: x})
		m.variance = append(m.variance, number{X: cov[i*len(mean)+i]})
	}
	return m
}

// student widens a standard error over the runs so that 1.96 of it hold 95%: t₇ has 2.365.
const student = 2.365 / 1.96

// momentsOf are those of all runs together, with standard errors over the runs. The variance is the mean of E (θ - m)²
// over the runs, with m the mean of all of them. It has no coordinates where a run is missing.
func momentsOf(r *paper.Results, runs paper.Runs) (m moments) {
	lanes := r.Lanes(runs)
	if len(lanes) < runs.N {
		return m
	}
	for i := range lanes[0].Coords {
		mean := claim.Over(list.Map(lanes, func(l engine.LaneResult) float64 {
			return l.Coords[i][quantity.Mean].Trusted()
		}))
		variance := claim.Over(list.Map(lanes, func(l engine.LaneResult) float64 {
			sd, d := l.Coords[i][quantity.SD].Trusted(), l.Coords[i][quantity.Mean].Trusted()-mean.Mean
			return sd*sd + d*d
		}))
		m.mean = append(m.mean, number{mean.Mean, student * mean.SE})
		m.variance = append(m.variance, number{variance.Mean, student * variance.SE})
	}
	return m
}

// What a bias is of.
const (
	ofMean = iota
	ofVariance
)

var kinds = [2]string{ofMean: "mean", ofVariance: "variance"}

// An interval is an estimate of a bias with what is known of it, of a mean in standard
// deviations of the target and of a variance relative to the target's.
type interval struct {
	told, truth number         // NaN where there is none
	why         metrics.Status // OK where it is told
}

// judged reports whether the estimate can be compared with a truth.
func (v interval) judged() bool { return !math.IsNaN(v.told.X) && !math.IsNaN(v.truth.X) }

// z is the error of the estimate in standard errors of estimate and truth together.
func (v interval) z() float64 { return (v.told.X - v.truth.X) / libm.Hypot(v.told.SE, v.truth.SE) }

// covers reports whether the nominal 95% interval covers the true bias.
func (v interval) covers() bool { return math.Abs(v.z()) <= 1.96 }

// sharp reports whether the truth's error hardly counts: whether it is below half of the estimate's.
func (v interval) sharp() bool { return v.truth.SE < v.told.SE/2 }

// An outcome is what came of a setting: an interval of each coordinate, of mean and variance.
type outcome struct {
	setting   setting
	of        [len(kinds)][]interval
	narrowest int // the coordinate of least variance
}

// outcome is that of a setting, with the moments of its posterior where they are not exact.
func (b bias) outcome(r *paper.Results, s setting, posterior moments) outcome {
	o := outcome{setting: s}
	target := posterior
	if s.target.exact != nil {
		target = exactly(s.target.exact.Mean, s.target.exact.Cov)
	}
	var chain moments
	if s.exactly() {
		cov := make([]float64, len(s.target.exact.Cov))
		if s.target.plane.SGLDCov(cov, s.eps(), 1) {
			chain = exactly(s.target.exact.Mean, cov)
		}
	} else {
		chain = momentsOf(r, b.long(s))
	}
	for i := range min(s.target.odd, len(chain.mean)) {
		chain.mean[i] = number{}
	}
	l, _ := r.Lane(b.estimate(s).IDs()[0], 0)
	for i, v := range target.variance {
		none := interval{number{math.NaN(), 0}, number{math.NaN(), 0}, metrics.Diverged}
		mean, variance := none, none
		sd := math.Sqrt(v.X)
		if i < len(chain.mean) {
			c := chain.variance[i]
			ratio := c.X / v.X
			mean.truth = number{(chain.mean[i].X - target.mean[i].X) / sd,
				libm.Hypot(chain.mean[i].SE, target.mean[i].SE) / sd}
			variance.truth = number{ratio - 1, ratio * libm.Hypot(c.SE/c.X, v.SE/v.X)}
		}
		if i < len(l.Coords) && l.Diverged == nil {
			mean.tell(l.Coords[i][quantity.StepBias], sd)
			variance.tell(l.Coords[i][quantity.StepBiasVar], 1)
		}
		o.of[ofMean], o.of[ofVariance] = append(o.of[ofMean], mean), append(o.of[ofVariance], variance)
		if v.X < target.variance[o.narrowest].X {
			o.narrowest = i
		}
	}
	return o
}

// tell takes an estimate, in some unit.
func (v *interval) tell(e metrics.Estimate, unit float64) {
	if v.why = e.Status; e.OK() {
		v.told = number{e.Value / unit, e.Error / unit}
	}
}

// count counts the intervals that are told, that can be compared with a truth, and that cover
// it. far is the error farthest from 0 in standard errors.
func (o outcome) count(kind int) (told, judged, covered int, far float64) {
	far = math.NaN()
	for _, v := range o.of[kind] {
		if !math.IsNaN(v.told.X) {
			told++
		}
		if !v.judged() {
			continue
		}
		judged++
		if v.covers() {
			covered++
		}
		if z := v.z(); !(math.Abs(z) <= math.Abs(far)) {
			far = z
		}
	}
	return told, judged, covered, far
}

// A summary is how well the estimate does in some settings.
type summary struct {
	told, covered          claim.OverSeeds // shares of a setting's intervals
	sharp, sharplyCovered  int             // intervals whose truth is sharp, and those that cover it
	bias, err, se, truthSE float64         // medians, of the intervals that are judged
}

func summaryOf(all []outcome, kind int) (s summary) {
	var told, covered, bias, errs, ses, truths []float64
	for _, o := range all {
		n, judged, covers, _ := o.count(kind)
		if len(o.of[kind]) > 0 {
			told = append(told, float64(n)/float64(len(o.of[kind])))
		}
		if judged > 0 {
			covered = append(covered, float64(covers)/float64(judged))
		}
		for _, v := range o.of[kind] {
			if !v.judged() {
				continue
			}
			bias, errs = append(bias, math.Abs(v.truth.X)), append(errs, math.Abs(v.told.X-v.truth.X))
			ses, truths = append(ses, v.told.SE), append(truths, v.truth.SE)
			if v.sharp() {
				s.sharp++
				if v.covers() {
					s.sharplyCovered++
				}
			}
		}
	}
	s.told, s.covered = claim.Over(told), claim.Over(covered)
	s.bias, s.err, s.se, s.truthSE = median(bias), median(errs), median(ses), median(truths)
	return s
}

// median is NaN of nothing.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	return metrics.Quantile(x, 0.5)
}

// untold says why intervals are not told, the commonest reason first.
func untold(all []outcome) string {
	n, none, reasons := 0, 0, map[string]int{}
	for _, o := range all {
		for _, of := range o.of {
			n += len(of)
			for _, v := range of {
				if v.why != metrics.OK {
					none++
					reasons[v.why.String()]++
				}
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(reasons[b]-reasons[a], cmp.Compare(a, b))
	})
	if len(names) == 0 {
		return ""
	}
	said := list.Map(names, func(w string) string { return fmt.Sprintf("%d (%s)", reasons[w], w) })
	return fmt.Sprintf("Intervals that are not given: %s of %s, by their reasons %s.", claim.Whole(none),
		claim.Whole(n), strings.Join(said, ", "))
}
