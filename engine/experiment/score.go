package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
)

// The verdicts of a Score. A number for which lower is better is meant.
const (
	tie    = "tie"
	better = "better"
	worse  = "worse"
)

// noNumber is what a table shows where there is no number or none to be trusted.
const noNumber = "–"

// An overSeeds is what a quantity comes to over repeats on other seeds.
type overSeeds struct {
	Mean float64 // of the N finite values; NaN where there is none
	SE   float64 // of the mean, s/√N with s² = Σ(x - mean)²/(N-1); 0 with fewer than two values, where nothing is known of it
	N    int     // finite values
	Lost int     // values that are not finite: of lanes that diverged, or that cannot be trusted
}

// over puts the repeats of a quantity together.
func over(values []float64) overSeeds {
	s := overSeeds{Mean: math.NaN()}
	sum := 0.0
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			s.Lost++
			continue
		}
		s.N++
		sum += x
	}
	if s.N == 0 {
		return s
	}
	s.Mean = sum / float64(s.N)
	if s.N == 1 {
		return s
	}
	squares := 0.0
	for _, x := range values {
		if d := x - s.Mean; !math.IsNaN(d) && !math.IsInf(d, 0) {
			squares += d * d
		}
	}
	s.SE = math.Sqrt(squares / float64(s.N-1) / float64(s.N))
	return s
}

// OK reports whether there is a number at all.
func (s overSeeds) OK() bool { return s.N > 0 }

// sd is the standard deviation of a single repeat; 0 with fewer than two.
func (s overSeeds) sd() float64 { return s.SE * math.Sqrt(float64(s.N)) }

// times is s in another unit.
func (s overSeeds) times(f float64) overSeeds {
	s.Mean *= f
	s.SE *= math.Abs(f)
	return s
}

// text is the mean with so many decimals, its standard error after it where there
// is one, and how many repeats it leaves out.
func (s overSeeds) text(decimals int) string {
	t := decimal(s.Mean, decimals)
	if s.N > 1 {
		t += " ± " + decimal(s.SE, decimals)
	}
	return t + s.lostText()
}

// short is text with significant digits for numbers of unlike sizes.
func (s overSeeds) short(digits int) string {
	t := significant(s.Mean, digits)
	if s.N > 1 {
		t += " ± " + significant(s.SE, 2)
	}
	return t + s.lostText()
}

// lostText says how many repeats have no number.
func (s overSeeds) lostText() string {
	switch {
	case s.Lost == 0:
		return ""
	case s.N == 0:
		return fmt.Sprintf(" (all %d lost)", s.Lost)
	}
	return fmt.Sprintf(" (%d of %d lost)", s.Lost, s.N+s.Lost)
}

// decimal writes x with so many decimals.
func decimal(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return noNumber
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// significant writes x with so many significant digits, and all digits before the
// point.
func significant(x float64, digits int) string {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return noNumber
	case a == 0:
		return "0"
	case a < 1e-4 || a >= 1e7:
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	// Rounding may carry into another digit, as 9.99 does to 10.
	e := strconv.FormatFloat(x, 'e', digits-1, 64)
	exp, err := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	if err != nil {
		panic(err) // FormatFloat writes one
	}
	return strconv.FormatFloat(x, 'f', max(0, digits-1-exp), 64)
}

// exactly writes x in the fewest digits that read back as x.
func exactly(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// binomialSE is the standard error √(p(1-p)/n) of an error of p percent on n test
// cases, in percent. It is 0 where there is no test set.
func binomialSE(percent float64, n int) float64 {
	if n == 0 {
		return 0
	}
	p := percent / 100
	return 100 * math.Sqrt(p*(1-p)/float64(n))
}

// verdict compares a number for which lower is better with the paper's. It is a
// tie within 2 √(se² + test²), with se the standard error of ours over the seeds
// and test that of the test set at our error (binomial); with one seed se is 0,
// and what one seed differs from another by is not in it. Without a number of
// ours there is no verdict.
func verdict(paper, ours, se, test float64) string {
	d := ours - paper
	switch {
	case math.IsNaN(d) || math.IsInf(d, 0):
		return ""
	case math.Abs(d) <= 2*math.Hypot(se, test):
		return tie
	case d < 0:
		return better
	}
	return worse
}

// scoreOf is a row of a table beside the paper's number, in the same unit. It is
// false where there is none of ours, which a results file has no form for.
func scoreOf(name, unit string, paper float64, ours overSeeds, test float64) (Score, bool) {
	if !ours.OK() {
		return Score{}, false
	}
	return Score{
		Name: name, Unit: unit, Paper: paper, Ours: ours.Mean, SE: ours.SE, Seeds: ours.N, Test: test,
		Verdict: verdict(paper, ours.Mean, ours.SE, test),
	}, true
}

// value is a number of a result, NaN where the result does not have it.
func value(x *engine.Num) float64 {
	if x == nil {
		return math.NaN()
	}
	return float64(*x)
}

// testErrorOf and the like are what is often read off a lane's result.
func testErrorOf(l engine.LaneResult) float64 { return value(l.TestError) }

func covErrorOf(l engine.LaneResult) float64 { return value(l.CovError) }

func minESSOf(l engine.LaneResult) float64 { return float64(l.MinESS) }

// results reads numbers off outcomes and remembers the sessions that have none
// to read: those not run, skipped or diverged.
type results struct {
	outcomes map[string]Outcome
	gaps     []string            // reasons, in the order in which they came up
	of       map[string][]string // the jobs, by reason
}

func resultsOf(outcomes map[string]Outcome) *results {
	return &results{outcomes: outcomes, of: map[string][]string{}}
}

func (r *results) miss(why, id string) {
	if _, ok := r.of[why]; !ok {
		r.gaps = append(r.gaps, why)
	}
	if !slices.Contains(r.of[why], id) {
		r.of[why] = append(r.of[why], id)
	}
}

// lane returns the result of a job's k-th lane. It is false for a job that was
// not run or skipped, and for a lane that diverged, whose numbers estimate
// nothing.
func (r *results) lane(id string, k int) (engine.LaneResult, bool) {
	o, ok := r.outcomes[id]
	switch {
	case !ok:
		r.miss("not run", id)
		return engine.LaneResult{}, false
	case o.Skipped != "":
		r.miss("skipped ("+o.Skipped+")", id)
		return engine.LaneResult{}, false
	case k >= len(o.Lanes):
		r.miss("without a result", id)
		return engine.LaneResult{}, false
	}
	if l := o.Lanes[k]; l.Diverged != nil {
		r.miss("diverged", id)
		return l, false
	}
	return o.Lanes[k], true
}

// curve returns the curve of a job's k-th lane, also of one that diverged.
func (r *results) curve(id string, k int) (Curve, bool) {
	if o, ok := r.outcomes[id]; ok && o.Skipped == "" && k < len(o.Curves) {
		return o.Curves[k], true
	}
	r.lane(id, k) // to name the gap
	return Curve{}, false
}

// trail returns the draws of a job's k-th lane, also of one that diverged.
func (r *results) trail(id string, k int) (Trail, bool) {
	if o, ok := r.outcomes[id]; ok && o.Skipped == "" && k < len(o.Draws) {
		return o.Draws[k], true
	}
	r.lane(id, k)
	return Trail{}, false
}

// over reads a quantity off the first lanes of repeats. Repeats that are not
// there at all count for nothing; a lane that diverged is lost.
func (r *results) over(ids []string, of func(engine.LaneResult) float64) overSeeds {
	var values []float64
	for _, id := range ids {
		l, ok := r.lane(id, 0)
		switch {
		case ok:
			values = append(values, of(l))
		case l.Diverged != nil:
			values = append(values, math.NaN())
		}
	}
	return over(values)
}

// seriesOver is a run of points with their standard errors. Places without a
// number are left out.
func seriesOver(name string, style Style, x []float64, y []overSeeds) Series {
	s := Series{Name: name, Style: style}
	for i, v := range y {
		if v.OK() {
			s.X, s.Y, s.Err = append(s.X, x[i]), append(s.Y, v.Mean), append(s.Err, v.SE)
		}
	}
	return s
}

// findings are sentences on what is missing, one a reason, each with the first few
// of its sessions.
func (r *results) findings() []string {
	const few = 3
	var all []string
	for _, why := range r.gaps {
		ids := r.of[why]
		more := ""
		if len(ids) > few {
			more = fmt.Sprintf(" and %d more", len(ids)-few)
		}
		are := "sessions are"
		if len(ids) == 1 {
			are = "session is"
		}
		switch {
		case why == "diverged" && len(ids) == 1:
			are, why = "session", "diverged"
		case why == "diverged":
			are = "sessions"
		}
		all = append(all, fmt.Sprintf("%d %s %s: %s%s.", len(ids), are, why, strings.Join(ids[:min(few, len(ids))], "; "), more))
	}
	return all
}
