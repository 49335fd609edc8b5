package quantity

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
)

// Expected is the error that the estimates of a run are to be expected to have, without a known truth. All are squares
// in posterior standard deviations, means over the coordinates of those of the mean and half of those of the relative
// variance.
type Expected struct {
	Bias2  float64 // of the step, without what its standard error alone contributes, so that it may be below 0
	BiasSE float64 // the standard error of Bias2
	// OK, or why the bias is not told: of a step that is too large rather than of a run that is too short
	Bias   metrics.Status
	Noise2 float64        // the Monte Carlo error of this run
	Noise  metrics.Status // OK, or why that is not told
}

// TooLarge reports whether a status says that a step is too large for the bias of its discretisation to be told, or for
// a stationary distribution. A longer run does not help.
func TooLarge(s metrics.Status) bool {
	switch s {
	case metrics.Irregular, metrics.NotStationary, metrics.Diverged, metrics.NotFinite, metrics.Bias, metrics.Tails:
		return true
	}
	return false
}

// silentShare is the share of coordinates that may be without a number. Of four or fewer all must have one.
const silentShare = 0.2

// ExpectedOf is that of a run whose bias was asked for. With b and β the bias of a coordinate's mean and the relative
// one of its variance, s² the unbiased variance, and e and f the standard errors of b and β,
//
//	Bias2 = mean (b² - e²)/s² + (β² - f²)/2,   Noise2 = mean (MCSE² + 2 MCSE(sd)²)/sd².
//
// Coordinates that have no companions do not count. Where more than a fifth of the others have no number there is none
// at all: those that are too slow or too skewed to tell are the ones whose error is large.
func ExpectedOf(coords []CoordValues) (x Expected) {
	var squares float64
	var bias, noise told
	for i := range coords {
		c := &coords[i]
		b, v, sd := c[StepBias], c[StepBiasVar], c[SD].Value
		if b.Status != metrics.Unknown && bias.tell(b, v) {
			unbiased := sd * sd / (1 + v.Value)
			x.Bias2 += float64((square(b.Value)-square(b.Error))/unbiased) +
				float64((square(v.Value)-square(v.Error))/2)
			squares += squareError(b.Value, b.Error)/square(unbiased) + float64(squareError(v.Value, v.Error)/4)
		}
		if m, s := c[MCSE], c[SDError]; noise.tell(m, s) {
			x.Noise2 += (square(m.Value) + float64(2*square(s.Value))) / (sd * sd)
		}
	}
	x.Bias, x.Noise = bias.status(), noise.status()
	x.Bias2, x.BiasSE, x.Noise2 = x.Bias2/bias.of[0], math.Sqrt(squares)/bias.of[0], x.Noise2/noise.of[0]
	return x
}

// told counts coordinates that have a number, those of a step that is too large, and others without.
type told struct {
	of  [3]float64
	why [3]metrics.Status
}

// tell counts a coordinate that has two numbers, and reports whether it has both.
func (t *told) tell(a, b metrics.Estimate) bool {
	if a.OK() {
		a = b
	}
	k := 2
	switch {
	case a.OK():
		k = 0
	case TooLarge(a.Status):
		k = 1
	}
	t.of[k]++
	t.why[k] = a.Status
	return k == 0
}

func (t *told) status() metrics.Status {
	few := math.Floor(silentShare * (t.of[0] + t.of[1] + t.of[2]))
	switch {
	case t.of[1] > few || t.of[1]+t.of[2] > few && t.of[2] == 0:
		return t.why[1]
	case t.of[1]+t.of[2] > few:
		return t.why[2]
	}
	return t.why[0]
}

// squareError is the variance of x² for a normal x.
func squareError(x, se float64) float64 {
	return float64(4*square(x)*square(se)) + float64(2*square(square(se)))
}

// square is x², never fused with a sum.
func square(x float64) float64 { return float64(x * x) }

// Status is OK, or why the error is not known.
func (x Expected) Status() metrics.Status {
	if x.Bias != metrics.OK {
		return x.Bias
	}
	return x.Noise
}

// Error is the root of the sum of both squares, withheld where one is not known.
func (x Expected) Error(draws uint64) metrics.Estimate {
	if why := x.Status(); why != metrics.OK {
		return metrics.Withheld(why, draws)
	}
	e := math.Sqrt(max(x.Bias2, 0) + x.Noise2)
	return metrics.Known(e, x.BiasSE/(2*e), draws)
}

// OverSeeds is what a quantity comes to over repeats of a run on other seeds.
type OverSeeds struct {
	Mean float64        // of the N repeats with a number that can be trusted; without meaning where there is none
	SE   float64        // its standard error s/√N, s² = Σ(x - mean)²/(N - 1); NaN for fewer than two
	N    int            // repeats that are in the mean
	Why  metrics.Status // why the first repeat that is not in it has no number
	// Untrusted is how many repeats have a number that cannot be trusted: their chains are too short,
	// drift, disagree, are skewed, have divergences, or are off the truth, and so on.
	Untrusted int

	squares float64
}

// Add takes a repeat.
func (o *OverSeeds) Add(e metrics.Estimate) {
	if !e.OK() {
		if o.Why == metrics.Absent {
			o.Why = e.Status
		}
		switch e.Status {
		case metrics.TooShort, metrics.Drifting, metrics.Disagree, metrics.Divergent, metrics.Skewed,
			metrics.Mode, metrics.Bias, metrics.Tails, metrics.Frozen, metrics.Irregular:
			o.Untrusted++
		}
		return
	}
	// Welford (1962).
	o.N++
	n, d := float64(o.N), e.Value-o.Mean
	o.Mean += d / n
	o.squares += float64(d * (e.Value - o.Mean))
	if o.SE = nan; o.N > 1 {
		o.SE = math.Sqrt(o.squares / (n - 1) / n)
	}
}
