package sampler

import "math"

// fieldLanes is how many coordinates side by side have sums of their own.
const fieldLanes = 32

// A fieldRule is a float32 step's numbers, each eight times, as assembly reads
// them. Gradients are mean ones, of L/N.
type fieldRule struct {
	alpha, beta, lambda [8]float32 // V = αV + βu², G = 1/(λ+√(cV))
	unbias              [8]float32 // c
	lr, lrRho           [8]float32 // h of μ and κh of ρ
	temp                [8]float32 // T/N
	prior               [8]float32 // 1/(Nσ₁²)
	// Of a mixture: 1/(Nσ₂²) - 1/(Nσ₁²), the logarithm of the second component's odds,
	// odds + slope·w², and 1/(2σ₁²).
	more, odds, slope, half [8]float32
	mixture                 bool
}

// fieldSums is what a step leaves to know of a piece, in lanes.
type fieldSums struct {
	// Σ of squared steps of μ, of (σz)², of w·(-∇U)/N, of ln σ, and of what the
	// prior's logarithm is made of: μ² + σ², or of a mixture ln(1 + odds) - w²/(2σ₁²).
	drift, inject, virial, entropy, prior [fieldLanes]float32
	// In which lane a coordinate counts makes no difference to the rest.
	least, greatest [fieldLanes / 2]float32 // G of μ
	farthest        [fieldLanes / 2]uint32  // the bits of the largest of |w|, |μ| and |ρ|; NaN's are above all numbers'
}

// clear sets s to that of no coordinates.
func (s *fieldSums) clear() {
	*s = fieldSums{}
	for i := range s.least {
		s.least[i] = float32(math.Inf(1))
	}
}

// A fieldStretch is neighbouring coordinates and what their step reads.
type fieldStretch struct {
	theta, z, mean, mu, rho, muV, rhoV []float32
	muMean, rhoMean                    []float32
}

func (s fieldStretch) between(from, to int) fieldStretch {
	return fieldStretch{
		theta: s.theta[from:to], z: s.z[from:to], mean: s.mean[from:to],
		mu: s.mu[from:to], rho: s.rho[from:to], muV: s.muV[from:to], rhoV: s.rhoV[from:to],
		muMean: s.muMean[from:to], rhoMean: s.rhoMean[from:to],
	}
}

// drawGeneric writes a draw of q, μ + σ∘z, to dst. It defines the bits, as
// moveGeneric does.
func drawGeneric(dst, z, mu, rho []float32) {
	for i, x := range z {
		sd, _ := softplus32(rho[i])
		dst[i] = mu[i] + float32(sd*x)
	}
}

// fieldGeneric does the step of meanField that follows the gradient on a stretch
// and adds what it did to s. It defines the float32 step to the bit, as moveGeneric
// does.
func fieldGeneric(c fieldStretch, r *fieldRule, s *fieldSums) {
	for i, w := range c.theta {
		k := i % fieldLanes
		mu, rho, like, z := c.mu[i], c.rho[i], c.mean[i], c.z[i]
		sd, slope := softplus32(rho)
		s.entropy[k] += log32(sd)
		n := float32(sd * z)
		s.inject[k] += float32(n * n)
		var byMu, bySD float32
		if r.mixture {
			w2 := float32(w * w)
			more, second := softplus32(float32(w2*r.slope[0]) + r.odds[0])
			s.prior[k] += more - float32(w2*r.half[0])
			byMu = like - float32((float32(second*r.more[0])+r.prior[0])*w)
			s.virial[k] += float32(byMu * w)
			bySD = float32(byMu * z)
		} else {
			s.prior[k] += float32(mu*mu) + float32(sd*sd)
			s.virial[k] += float32((like - float32(w*r.prior[0])) * w)
			byMu = like - float32(mu*r.prior[0])
			bySD = float32(like*z) - float32(sd*r.prior[0])
		}
		byRho := float32((bySD + r.temp[0]/sd) * slope)

		v, g := r.gain(c.muV[i], byMu)
		d := float32(float32(byMu*g) * r.lr[0])
		s.drift[k] += float32(d * d)
		s.count(k%len(s.least), g)
		c.muV[i], c.mu[i] = v, mu+d
		v, g = r.gain(c.rhoV[i], byRho)
		c.rhoV[i], c.rho[i] = v, rho+float32(float32(byRho*g)*r.lrRho[0])
		for _, x := range [...]float32{w, c.mu[i], c.rho[i]} {
			s.farthest[k%len(s.farthest)] = max(s.farthest[k%len(s.farthest)], math.Float32bits(x)&(1<<31-1))
		}
	}
}

// gain returns the next V and its G.
func (r *fieldRule) gain(v, u float32) (V, G float32) {
	v = float32(v*r.alpha[0]) + float32(float32(u*r.beta[0])*u)
	if v < tiny32 {
		v = 0
	}
	return v, 1 / (r.lambda[0] + sqrt(float32(v*r.unbias[0])))
}

// count counts a G.
func (s *fieldSums) count(k int, g float32) {
	if g < s.least[k] {
		s.least[k] = g
	}
	if g > s.greatest[k] {
		s.greatest[k] = g
	}
}
