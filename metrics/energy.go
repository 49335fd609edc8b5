package metrics

// EBFMIBound is the E-BFMI below which energies are explored too slowly; CmdStan's diagnose warns below it.
const EBFMIBound = 0.3

// leastEnergies is how many energies an E-BFMI takes.
const leastEnergies = 100

// EBFMI is the estimated Bayesian fraction of missing information of a Hamiltonian sampler (Betancourt 2016,
// arXiv:1604.00695),
//
//	E-BFMI = Σ_{n≥2} (E_n - E_{n-1})² / Σ_n (E_n - Ē)²,
//
// where E_n = U(θ_n) + K(p_n) is the energy at the start of the n-th trajectory, with its new momenta.
// It is 1 to 2 for a chain that mixes well. Where it is small, new momenta change the energy by little
// of what the distribution spans, and the energy goes by a random walk into the tails. It says nothing
// of samplers that keep their momenta. The zero value is ready.
type EBFMI struct {
	n        uint64
	last     float64
	mean, m2 float64 // Welford's (1962, Technometrics 4:419)
	steps    float64
}

// Add takes the energy of the next draw.
func (e *EBFMI) Add(energy float64) {
	if e.n > 0 {
		d := energy - e.last
		e.steps += float64(d * d)
	}
	e.n++
	e.last = energy
	d := energy - e.mean
	e.mean += d / float64(e.n)
	e.m2 += float64(d * (energy - e.mean))
}

// Result is TooShort below 100 energies, Constant if they are all the same, and NotFinite if one was not finite.
func (e *EBFMI) Result() Estimate {
	switch {
	case !finite(e.mean) || !finite(e.m2) || !finite(e.steps):
		return Withheld(NotFinite, e.n)
	case e.n < leastEnergies:
		return Withheld(TooShort, e.n)
	case !(e.m2 > 0):
		return Withheld(Constant, e.n)
	}
	return known(e.steps/e.m2, e.n)
}

// Reset forgets the energies.
func (e *EBFMI) Reset() { *e = EBFMI{} }
