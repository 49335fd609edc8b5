package network

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/study"
)

// faster says whether the first row of each pair falls sooner than the second to a level:
// one standard error of the test set above the higher of both ends. Epochs that differ by
// no more than the distance of two points decide nothing.
func (n *report) faster(what string, pairs ...rowPair) string {
	var t claim.Tally
	for _, x := range n.contests(pairs) {
		level, ea, eb := math.NaN(), math.NaN(), math.NaN()
		if x.a != nil && x.b != nil {
			level = max(lastTestError(x.a.curve), lastTestError(x.b.curve))
			level += claim.BinomialSE(level, x.a.cases)
			ea, eb = x.a.reaches(level), x.b.reaches(level)
		}
		if math.IsNaN(ea) || math.IsNaN(eb) {
			t.Gap(x.of + " at " + x.at)
			continue
		}
		holds := 0
		switch gap := max(pointSpacing(x.a.curve), pointSpacing(x.b.curve)) * (1 + 1e-9); {
		case ea < eb-gap:
			holds = 1
		case ea > eb+gap:
			holds = -1
		}
		t.Add(fmt.Sprintf("at %s %s comes to %s%% in %.3g epochs and %s in %.3g", x.at, x.a.label, claim.Decimal(level, 2), ea, x.b.label, eb), holds, ea < eb)
	}
	said := t.Claim(what)
	if t.Cases != nil {
		said += " By the curves of one seed: what seeds differ by is not known. A sampler's curve is of its averaged prediction, an optimiser's of its newest weights, which move until the step is halved."
	}
	return said
}

// lastTestError is the last test error of a curve in percent.
func lastTestError(c study.Curve) float64 {
	last := math.NaN()
	for _, y := range c.TestError {
		if v := float64(y); v == v {
			last = 100 * v
		}
	}
	return last
}

// reaches is the first epoch at which a line's test error is at a level or below it; NaN if
// there is none.
func (l *line) reaches(level float64) float64 {
	for i, e := range l.curve.Epoch {
		if i < len(l.curve.TestError) && 100*float64(l.curve.TestError[i]) <= level {
			return float64(e)
		}
	}
	return math.NaN()
}

// pointSpacing is the distance of a curve's points in epochs.
func pointSpacing(c study.Curve) float64 {
	if n := len(c.Epoch); n > 1 {
		return float64(c.Epoch[n-1]-c.Epoch[0]) / float64(n-1)
	}
	return 0
}

// steadiness says how much each curve varies at its end, and of a sampler also the curve of
// its single draws.
func (n *report) steadiness() string {
	var each []string
	for _, size := range n.table.columns(n.o) {
		for _, r := range n.table.rows {
			l := n.best(r.name, size)
			if r.curve == "" || l == nil {
				continue
			}
			moves, single := tailSD(l.curve.TestError), tailSD(l.curve.Newest)
			switch {
			case moves != moves:
			case r.sampling():
				each = append(each, fmt.Sprintf("%s at %s %s (its single draws %s)", l.label, size, claim.Decimal(moves, 3), claim.Decimal(single, 3)))
			default:
				each = append(each, fmt.Sprintf("%s at %s %s", l.label, size, claim.Decimal(moves, 3)))
			}
		}
	}
	return claim.List("Claim: samplers' results are more stable than their optimisers'. The standard deviation of the test error over the last fifth of the run is, in points, ",
		each, ". A sampler's is of the average over all its draws, which late draws hardly move.")
}

// tailSD is the standard deviation of the last fifth of a curve, in percent; NaN for fewer
// than three points.
func tailSD(errors []engine.Num) float64 {
	tail := errors[len(errors)-len(errors)/5:]
	if len(tail) < 3 {
		return math.NaN()
	}
	var x []float64
	for _, y := range tail {
		x = append(x, 100*float64(y))
	}
	return claim.Over(x).SD()
}
