package step32

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/noise"
)

// Lanes is how many coordinates side by side have sums of their own.
const Lanes = noise.Group / 2

// A Langevin is a Langevin step's numbers, each eight times, as assembly reads them.
type Langevin struct {
	Alpha, Beta, Lambda [8]float32 // V = αV + βḡ², G = 1/(λ+√V)
	N, Prior            [8]float32 // N and 1/σ²
	Half                [8]float32 // ε/2
	Spread              [8]float32 // Tε, or its root without a preconditioner
}

// Sums report the step of a piece, in lanes. The terms of coordinates k and Lanes + k
// of a group are added and go to lane k.
type Sums struct {
	Drift, Noise [Lanes]float32 // Σ of squares
	// The order of extremes does not matter, and so a coordinate may go to any lane.
	Least, Greatest [Lanes / 2]float32 // G
	farthest        [Lanes / 2]uint32  // the bits of the largest |θ|
}

// Clear sets s to the sums of no coordinates.
func (s *Sums) Clear() {
	*s = Sums{}
	for i := range s.Least {
		s.Least[i] = float32(math.Inf(1))
	}
}

// A Total is the sums of a piece added up.
type Total struct {
	Drift, Noise    float64
	Least, Greatest float32 // G
	Farthest        float32 // the largest |θ|, or NaN
}

// Total adds up the lanes.
func (s *Sums) Total() Total {
	t := Total{Least: s.Least[0]}
	for i := range s.Drift {
		t.Drift += float64(s.Drift[i])
		t.Noise += float64(s.Noise[i])
	}
	for i := range s.Least {
		t.Least = min(t.Least, s.Least[i])
		t.Greatest = max(t.Greatest, s.Greatest[i])
	}
	t.Farthest = farthest(s.farthest[:])
	return t
}

// farthest is the number with the greatest bits, of some that are not negative.
func farthest(bits []uint32) float32 { return math.Float32frombits(slices.Max(bits)) }

// A Segment is a range of coordinates with the vectors of their step. The first coordinate is number From, a multiple
// of noise.Group. V and Second are nil without a preconditioner; Second may be V.
type Segment struct {
	Theta, V, Mean, Second []float32
	From                   int
}

// Between is the coordinates from ≤ i < to.
func (c Segment) Between(from, to int) Segment {
	d := Segment{Theta: c.Theta[from:to], Mean: c.Mean[from:to], From: c.From + from}
	if c.V != nil {
		d.V, d.Second = c.V[from:to], c.Second[from:to]
	}
	return d
}

// generic does the Langevin step on a segment and adds what it did to s; z is nil at T = 0. It defines the float32 step
// and its sums to the bit, on every machine and in assembly. Every product is converted before anything is added to it:
// the compiler may otherwise fuse the two. θ and V are those of sampler.NewLangevin64's step in float32.
func (r *Langevin) generic(c Segment, s *Sums, z *noise.Schedule) {
	var normals [noise.Group]float32
	for from := 0; from < len(c.Theta); from += noise.Group {
		theta := c.Theta[from:min(from+noise.Group, len(c.Theta))]
		mean := c.Mean[from:][:len(theta)]
		if z != nil {
			z.Float32(normals[:len(theta)], c.From+from)
		}
		var drift, inject [noise.Group]float32
		for i, x := range theta {
			u := float32(r.N[0]*mean[i]) - float32(r.Prior[0]*x)
			spread := r.Spread[0]
			if c.V != nil {
				v, g := r.gain(c.V[from+i], c.Second[from+i])
				c.V[from+i] = v
				s.gain(g)
				u *= g
				spread = sqrt(spread * g)
			}
			d := float32(u * r.Half[0])
			drift[i] = float32(d * d)
			if z != nil {
				w := float32(spread * normals[i])
				inject[i] = float32(w * w)
				d += w
			}
			x += d
			theta[i] = x
			s.farthest[0] = max(s.farthest[0], magnitude(x))
		}
		for k := range Lanes {
			s.Drift[k] += drift[k] + drift[Lanes+k]
			s.Noise[k] += inject[k] + inject[Lanes+k]
		}
	}
}

// gain returns the next V and its G.
func (r *Langevin) gain(v, g float32) (V, G float32) {
	v = float32(r.Alpha[0]*v) + float32(float32(r.Beta[0]*g)*g)
	if v < Tiny {
		v = 0
	}
	return v, 1 / (r.Lambda[0] + sqrt(v))
}

// gain counts a G.
func (s *Sums) gain(g float32) {
	if g < s.Least[0] {
		s.Least[0] = g
	}
	if g > s.Greatest[0] {
		s.Greatest[0] = g
	}
}
