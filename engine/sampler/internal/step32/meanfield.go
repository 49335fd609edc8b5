package step32

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// meanFieldLanes is how many coordinates side by side have sums of their own.
const meanFieldLanes = 32

// A MeanField is the numbers of a step of mean-field variational inference, each
// eight times, as assembly reads them. Gradients are mean ones, of L/N.
type MeanField struct {
	Alpha, Beta, Lambda [8]float32 // V = αV + βu², G = 1/(λ+√(cV))
	Unbias              [8]float32 // c
	LR, LRRho           [8]float32 // h of μ and κh of ρ
	Temp                [8]float32 // T/N
	Prior               [8]float32 // 1/(Nσ₁²)
	// Of a mixture: 1/(Nσ₂²) - 1/(Nσ₁²), the logarithm of the second component's odds, odds + slope·w², and 1/(2σ₁²).
	More, Odds, Slope, Half [8]float32
	Mixture                 bool
}

// MeanFieldSums report the step of a piece, in lanes.
type MeanFieldSums struct {
	// Σ of squared steps of μ, of (σz)², of ln σ, and for the log prior of
	// μ² + σ², or for a mixture of ln(1 + odds) - w²/(2σ₁²).
	Drift, Noise, Entropy, Prior [meanFieldLanes]float32
	// The order of extremes does not matter, and so a coordinate may go to any lane.
	Least, Greatest [meanFieldLanes / 2]float32 // G of μ
	farthest        [meanFieldLanes / 2]uint32  // the bits of the largest of |w|, |μ| and |ρ|
}

// Clear sets s to the sums of no coordinates.
func (s *MeanFieldSums) Clear() {
	*s = MeanFieldSums{}
	for i := range s.Least {
		s.Least[i] = float32(math.Inf(1))
	}
}

// Farthest is the largest of |w|, |μ| and |ρ|, or NaN.
func (s *MeanFieldSums) Farthest() float32 { return farthest(s.farthest[:]) }

// A MeanFieldSegment is a range of coordinates with the vectors of their step.
type MeanFieldSegment struct {
	Theta, Z, Mean     []float32
	Mu, Rho, MuV, RhoV []float32
	MuMean, RhoMean    []float32 // averages of μ and ρ, which the step leaves alone
}

// Between is the coordinates from ≤ i < to.
func (c MeanFieldSegment) Between(from, to int) MeanFieldSegment {
	return MeanFieldSegment{
		Theta: c.Theta[from:to], Z: c.Z[from:to], Mean: c.Mean[from:to],
		Mu: c.Mu[from:to], Rho: c.Rho[from:to], MuV: c.MuV[from:to], RhoV: c.RhoV[from:to],
		MuMean: c.MuMean[from:to], RhoMean: c.RhoMean[from:to],
	}
}

// drawGeneric writes a draw of q, μ + σ∘z, to dst. It defines the bits, as Langevin.generic does.
func drawGeneric(dst, z, mu, rho []float32) {
	for i, x := range z {
		sd, _ := softplus32(rho[i])
		dst[i] = mu[i] + float32(sd*x)
	}
}

// generic does the part of the step that follows the gradient on a segment and adds
// what it did to s. It defines the float32 step to the bit, as Langevin.generic does.
func (r *MeanField) generic(c MeanFieldSegment, s *MeanFieldSums) {
	for i, w := range c.Theta {
		k := i % meanFieldLanes
		mu, rho, like, z := c.Mu[i], c.Rho[i], c.Mean[i], c.Z[i]
		sd, slope := softplus32(rho)
		s.Entropy[k] += log32(sd)
		n := float32(sd * z)
		s.Noise[k] += float32(n * n)
		var byMu, bySD float32
		if r.Mixture {
			w2 := float32(w * w)
			more, second := softplus32(float32(w2*r.Slope[0]) + r.Odds[0])
			s.Prior[k] += more - float32(w2*r.Half[0])
			byMu = like - float32((float32(second*r.More[0])+r.Prior[0])*w)
			bySD = float32(byMu * z)
		} else {
			s.Prior[k] += float32(mu*mu) + float32(sd*sd)
			byMu = like - float32(mu*r.Prior[0])
			bySD = float32(like*z) - float32(sd*r.Prior[0])
		}
		byRho := float32((bySD + r.Temp[0]/sd) * slope)

		v, g := r.gain(c.MuV[i], byMu)
		d := float32(float32(byMu*g) * r.LR[0])
		s.Drift[k] += float32(d * d)
		s.count(k%len(s.Least), g)
		c.MuV[i], c.Mu[i] = v, mu+d
		v, g = r.gain(c.RhoV[i], byRho)
		c.RhoV[i], c.Rho[i] = v, rho+float32(float32(byRho*g)*r.LRRho[0])
		for _, x := range [...]float32{w, c.Mu[i], c.Rho[i]} {
			far := &s.farthest[k%len(s.farthest)]
			*far = max(*far, magnitude(x))
		}
	}
}

// gain returns the next V and its G.
func (r *MeanField) gain(v, u float32) (V, G float32) {
	v = float32(v*r.Alpha[0]) + float32(float32(u*r.Beta[0])*u)
	if v < Tiny {
		v = 0
	}
	return v, 1 / (r.Lambda[0] + sqrt(float32(v*r.Unbias[0])))
}

// count counts a G.
func (s *MeanFieldSums) count(k int, g float32) {
	if g < s.Least[k] {
		s.Least[k] = g
	}
	if g > s.Greatest[k] {
		s.Greatest[k] = g
	}
}

// softplus32 is softplus to within 4·10⁻⁷ of the numbers themselves. It defines the bits on every machine and in
// assembly, as Langevin.generic does. Below x = -80 it is as there, above 10⁻³⁵.
func softplus32(x float32) (value, slope float32) {
	y := libm.Exp32(max(-float32(math.Abs(float64(x))), -80))
	r := 1 / (1 + y)
	slope = r
	if math.Signbit(float64(x)) {
		slope = float32(r * y)
	}
	return max(x, 0) + float32(y*log1p32(y)), slope
}

// log1p32 is ln(1+y)/y for 0 ≤ y ≤ 1, within 10⁻⁷ of itself: a polynomial through its values at Chebyshev's points.
func log1p32(y float32) float32 {
	p := float32(0.00525345793)
	p = float32(p*y) - 0.0295885075
	p = float32(p*y) + 0.0783616677
	p = float32(p*y) - 0.136747703
	p = float32(p*y) + 0.191114306
	p = float32(p*y) - 0.248443693
	p = float32(p*y) + 0.333192706
	p = float32(p*y) - 0.499995023
	return float32(p*y) + 1
}

// log32 is ln x for positive x that are not denormal, within 2·10⁻⁷ of 1 or of itself: x = 2ᵉ (1+m) with 1+m ∈ [√½,
// √2), and package noise's polynomial of -2 ln(1+m)/m.
func log32(x float32) float32 {
	const sqrtHalf = 0x3f3504f3
	b := math.Float32bits(x) - sqrtHalf
	e, m := float32(int32(b)>>23), math.Float32frombits(b&(1<<23-1)+sqrtHalf)-1
	return float32(e*math.Ln2) - float32(float32(noise.Logarithm32(m)*m)*0.5)
}
