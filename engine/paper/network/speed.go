package network

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/study"
)

// faster says whether the first row of each pair falls sooner than the second to a level:
// one standard error of the test set above the higher of both ends. Epochs that differ by
// no more than the distance of two points decide nothing.
func (n *report) faster(what string, pairs ...rowPair) string {
	var t claim.Tally
	gaps := n.each(pairs, func(a, b *line, size string) bool {
		level := max(lastTestError(a.curve), lastTestError(b.curve))
		level += claim.BinomialSE(level, a.cases)
		ea, oka := reaches(a.curve, level)
		eb, okb := reaches(b.curve, level)
		if !oka || !okb {
			return false
		}
		holds := 0
		switch gap := max(pointSpacing(a.curve), pointSpacing(b.curve)) * (1 + 1e-9); {
		case ea < eb-gap:
			holds = 1
		case ea > eb+gap:
			holds = -1
		}
		t.Add(fmt.Sprintf("at %s %s comes to %s%% in %.3g epochs and %s in %.3g", size, a.label, claim.Decimal(level, 2), ea, b.label, eb), holds, ea < eb)
		return true
	})
	said := t.Claim(what, gaps)
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

// reaches is the first epoch at which a curve's test error is at a level or below it.
func reaches(c study.Curve, level float64) (epoch float64, ok bool) {
	for i, y := range c.TestError {
		if 100*float64(y) <= level && i < len(c.Epoch) {
			return float64(c.Epoch[i]), true
		}
	}
	return 0, false
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
		for i := range n.table.rows {
			r := &n.table.rows[i]
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
	if each == nil {
		return ""
	}
	return "Claim: samplers' results are more stable than their optimisers'. The standard deviation of the test error over the last fifth of the run is, in points, " +
		strings.Join(each, "; ") + ". A sampler's is of the average over all its draws, which late draws hardly move."
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
