package sampler

import "github.com/psgld/psgld-tui/targets"

// A Bound is the step size Eps at and above which a method is unstable, and why. Its zero value is no bound.
type Bound struct {
	Kind BoundKind
	Eps  float64
}

// BoundKind is where a bound on the step size comes from. σ² is the smallest stationary variance of a coordinate.
type BoundKind uint8

// The kinds of bounds.
const (
	NoBound       BoundKind = iota
	VarianceBound           // 4σ², of plain steps
	DampedBound             // 4σ²λ, where there is no gradient and G is 1/λ
	MetricBound             // 4σ²/G, of a metric that knows the curvature
	FrictionBound           // 4(2-a)σ², of momentum with friction a
)

// Formula is how the bound is written; empty for none and for an unknown one.
func (k BoundKind) Formula() string {
	all := [...]string{VarianceBound: "4σ²", DampedBound: "4σ²λ", MetricBound: "4σ²/G", FrictionBound: "4(2-a)σ²"}
	if int(k) >= len(all) {
		return ""
	}
	return all[k]
}

// BoundOf is so many times 4σ², where a target knows that, or else no bound.
func BoundOf(target any, kind BoundKind, times float64) Bound {
	if t, ok := target.(targets.Stationary); ok {
		return Bound{Kind: kind, Eps: times * t.MaxStep()}
	}
	return Bound{}
}
