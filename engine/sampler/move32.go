package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
)

// lanes is how many coordinates side by side have sums of their own.
const lanes = noise.Group / 2

// A rule is a float32 Langevin step's numbers, each eight times, as assembly
// reads them.
type rule struct {
	alpha, beta, lambda [8]float32 // V = αV + βḡ², G = 1/(λ+√V)
	n, prior            [8]float32 // N and 1/σ²
	half                [8]float32 // ε/2
	spread              [8]float32 // Tε, or its root without a preconditioner
}

func eight(x float32) [8]float32 { return [8]float32{x, x, x, x, x, x, x, x} }

// sums is what a step leaves to know of a piece, in lanes. The terms of
// coordinates k and lanes + k of a group are added and go to lane k.
type sums struct {
	drift, inject, virial [lanes]float32 // Σ of squares, of squares and of θ·(-∇U)
	// In which lane a coordinate counts makes no difference to the rest.
	least, greatest [lanes / 2]float32 // G
	farthest        [lanes / 2]uint32  // the bits of the largest |θ|; NaN's are above all numbers'
}

// clear sets s to that of no coordinates.
func (s *sums) clear() {
	*s = sums{}
	for i := range s.least {
		s.least[i] = float32(math.Inf(1))
	}
}

// total is the sums of a piece added up.
type total struct {
	drift, inject, virial float64
	least, greatest       float32
	ok                    bool
}

// total adds up the lanes.
func (s *sums) total() total {
	t := total{least: s.least[0]}
	for i := range s.drift {
		t.drift += float64(s.drift[i])
		t.inject += float64(s.inject[i])
		t.virial += float64(s.virial[i])
	}
	far := uint32(0)
	for i := range s.least {
		t.least = min(t.least, s.least[i])
		t.greatest = max(t.greatest, s.greatest[i])
		far = max(far, s.farthest[i])
	}
	t.ok = far < math.Float32bits(Limit)
	return t
}

// A stretch is neighbouring coordinates and what their step reads. The first is
// number from of its vector, a multiple of noise.Group. v and second are nil
// without a preconditioner; second may be v.
type stretch struct {
	theta, v, mean, second []float32
	from                   int
}

// split cuts a stretch in two after n coordinates.
func (s stretch) split(n int) (head, tail stretch) {
	head = stretch{theta: s.theta[:n], mean: s.mean[:n], from: s.from}
	tail = stretch{theta: s.theta[n:], mean: s.mean[n:], from: s.from + n}
	if s.v != nil {
		head.v, head.second = s.v[:n], s.second[:n]
		tail.v, tail.second = s.v[n:], s.second[n:]
	}
	return head, tail
}

// moveGeneric does the step of langevin on a stretch and adds what it did to s; z
// is nil at T = 0. It defines the float32 step to the bit, also of s, on every
// machine and in assembly; every product is converted before anything is added to
// it, as the compiler may otherwise fuse the two. θ and V are those of the step in
// parts, rms and then langevin's move, in float32.
func moveGeneric(c stretch, r *rule, s *sums, z *noise.Schedule) {
	var normals [noise.Group]float32
	for from := 0; from < len(c.theta); from += noise.Group {
		theta := c.theta[from:min(from+noise.Group, len(c.theta))]
		mean := c.mean[from:][:len(theta)]
		if z != nil {
			z.Float32(normals[:len(theta)], c.from+from)
		}
		var drift, inject, virial [noise.Group]float32
		for i, x := range theta {
			u := float32(r.n[0]*mean[i]) - float32(r.prior[0]*x)
			virial[i] = float32(x * u)
			spread := r.spread[0]
			if c.v != nil {
				v, g := r.gain(c.v[from+i], c.second[from+i])
				c.v[from+i] = v
				s.gain(g)
				u *= g
				spread = sqrt(spread * g)
			}
			d := float32(u * r.half[0])
			drift[i] = float32(d * d)
			if z != nil {
				w := float32(spread * normals[i])
				inject[i] = float32(w * w)
				d += w
			}
			x += d
			theta[i] = x
			s.farthest[0] = max(s.farthest[0], math.Float32bits(x)&(1<<31-1))
		}
		for k := range lanes {
			s.drift[k] += drift[k] + drift[lanes+k]
			s.inject[k] += inject[k] + inject[lanes+k]
			s.virial[k] += virial[k] + virial[lanes+k]
		}
	}
}

// gain returns the next V and its G.
func (r *rule) gain(v, g float32) (V, G float32) {
	v = float32(r.alpha[0]*v) + float32(float32(r.beta[0]*g)*g)
	if v < tiny32 {
		v = 0
	}
	return v, 1 / (r.lambda[0] + sqrt(v))
}

// gain counts a G.
func (s *sums) gain(g float32) {
	if g < s.least[0] {
		s.least[0] = g
	}
	if g > s.greatest[0] {
		s.greatest[0] = g
	}
}
