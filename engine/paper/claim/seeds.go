package claim

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An OverSeeds is the mean of a quantity over repeats on other seeds.
type OverSeeds struct {
	Mean float64 // of the N finite values; NaN where there is none
	// of the mean, s/√N with s² = Σ(x - mean)²/(N-1); 0 with fewer than two values, where nothing is known of it
	SE   float64
	N    int // finite values
	Lost int // values that are not finite: the lane diverged, or they cannot be trusted
}

// Over is the mean of values.
func Over(values []float64) OverSeeds {
	finite := slices.DeleteFunc(slices.Clone(values), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	n := float64(len(finite))
	sum := list.Sum(finite, func(x float64) float64 { return x })
	s := OverSeeds{Mean: sum / n, N: len(finite), Lost: len(values) - len(finite)}
	squares := list.Sum(finite, func(x float64) float64 { return (x - s.Mean) * (x - s.Mean) })
	if s.N > 1 {
		s.SE = math.Sqrt(squares / (n - 1) / n)
	}
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

// Text writes the mean with so many decimals, then its standard error if there is one, then how many repeats are lost.
func (s OverSeeds) Text(decimals int) string {
	return s.text(Decimal(s.Mean, decimals), Decimal(s.SE, decimals))
}

// Short is Text with so many significant digits.
func (s OverSeeds) Short(digits int) string {
	return s.text(Significant(s.Mean, digits), Significant(s.SE, 2))
}

func (s OverSeeds) text(mean, se string) string {
	if s.N > 1 {
		mean += " ± " + se
	}
	switch {
	case s.Lost == 0:
		return mean
	case s.N == 0:
		return fmt.Sprintf("%s (all %d lost)", mean, s.Lost)
	}
	return fmt.Sprintf("%s (%d of %d lost)", mean, s.Lost, s.N+s.Lost)
}
