package claim

import (
	"fmt"
	"math"
)

// An OverSeeds is the mean of a quantity over repeats on other seeds.
type OverSeeds struct {
	Mean float64 // of the N finite values; NaN where there is none
	SE   float64 // of the mean, s/√N with s² = Σ(x - mean)²/(N-1); 0 with fewer than two values, where nothing is known of it
	N    int     // finite values
	Lost int     // values that are not finite: the lane diverged, or they cannot be trusted
}

// Over is the mean of values.
func Over(values []float64) OverSeeds {
	s := OverSeeds{Mean: math.NaN()}
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

// OK reports whether there is a finite value.
func (s OverSeeds) OK() bool { return s.N > 0 }

// SD is the standard deviation of a single repeat; 0 with fewer than two.
func (s OverSeeds) SD() float64 { return s.SE * math.Sqrt(float64(s.N)) }

// Times is s times a factor.
func (s OverSeeds) Times(f float64) OverSeeds {
	s.Mean *= f
	s.SE *= math.Abs(f)
	return s
}

// Text writes the mean with so many decimals, then its standard error if there is one,
// then how many repeats are lost.
func (s OverSeeds) Text(decimals int) string {
	t := Decimal(s.Mean, decimals)
	if s.N > 1 {
		t += " ± " + Decimal(s.SE, decimals)
	}
	return t + s.lostText()
}

// Short is Text with so many significant digits.
func (s OverSeeds) Short(digits int) string {
	t := Significant(s.Mean, digits)
	if s.N > 1 {
		t += " ± " + Significant(s.SE, 2)
	}
	return t + s.lostText()
}

// lostText says how many repeats have no number.
func (s OverSeeds) lostText() string {
	switch {
	case s.Lost == 0:
		return ""
	case s.N == 0:
		return fmt.Sprintf(" (all %d lost)", s.Lost)
	}
	return fmt.Sprintf(" (%d of %d lost)", s.Lost, s.N+s.Lost)
}
