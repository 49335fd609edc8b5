package sampler

// A Bound is the step size Eps at and above which a method is unstable, and why.
// Its zero value is no bound.
type Bound struct {
	Kind BoundKind
	Eps  float64
}

// BoundKind is where a bound on the step size comes from. σ² is the smallest
// stationary variance of a coordinate.
type BoundKind uint8

// The kinds of bounds.
const (
	NoBound       BoundKind = iota
	VarianceBound           // 4σ², of plain steps
	DampedBound             // 4σ²λ, where there is no gradient and G is 1/λ
	MetricBound             // 4σ²/G, of a metric that knows the curvature
	FrictionBound           // 4(2-a)σ², of momentum with friction a
)

// Formula is how the bound is written; empty for none.
func (k BoundKind) Formula() string {
	switch k {
	case VarianceBound:
		return "4σ²"
	case DampedBound:
		return "4σ²λ"
	case MetricBound:
		return "4σ²/G"
	case FrictionBound:
		return "4(2-a)σ²"
	}
	return ""
}
