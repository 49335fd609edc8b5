package sampler

// A SecondMoment makes the diagonal G of a Langevin step from a running average of squared gradients,
//
//	V_t = α V_{t-1} + β ḡ ∘ ḡ,  G_t = c ⊘ (cλ + √V_t)  (that is 1 ⊘ (λ + √V_t/c)).
//
// It sets q to the numbers of the step that follows t steps. In float32 a V below 2⁻¹²⁶ is zero.
type SecondMoment func(t uint64, p *Params, q *Moments)

// Moments are the numbers of a SecondMoment at a step.
type Moments struct {
	Alpha, Beta, Lambda, Scale float64 // α, β, λ and c

	Frozen bool // V stays as it is
	First  bool // V is ḡ² before the step

	// Gamma asks for Γ, at c = 1, with h the diagonal of the mean log-likelihood's Hessian:
	//
	//	Γ_i = ∂G_ii/∂θ_i = -β ḡ_i h_i / [√V_i (λ + √V_i)²].
	//
	// It is taken as zero where V_i = 0, that is at a gradient of zero, where G has a cusp.
	Gamma bool
}
