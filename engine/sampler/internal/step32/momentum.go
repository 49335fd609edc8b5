package step32

import "github.com/psgld/psgld-tui/engine/noise"

// A Momentum is the numbers of a momentum step with one friction, each eight times, as assembly reads them.
type Momentum struct {
	N, Prior [8]float32 // N and 1/σ²
	Half     [8]float32 // ε/2
	Keep     [8]float32 // 1 - a
	Spread   [8]float32 // the noise's standard deviation
}

// MomentumSums report a momentum step of a piece, in lanes, as Sums do a Langevin step.
type MomentumSums struct {
	Drift, Noise, Kinetic [Lanes]float32
	farthest              [Lanes / 2]uint32 // the bits of the largest |θ|
}

// A MomentumTotal is what a momentum step did.
type MomentumTotal struct {
	Drift, Noise float64 // squared norms of v' without its noise, and of the noise
	Kinetic      float64 // ‖v'‖²
	Farthest     float64 // the largest |θ|, or NaN
}

// Total adds up the lanes.
func (s *MomentumSums) Total() (t MomentumTotal) {
	for i := range s.Drift {
		t.Drift += float64(s.Drift[i])
		t.Noise += float64(s.Noise[i])
		t.Kinetic += float64(s.Kinetic[i])
	}
	t.Farthest = float64(farthest(s.farthest[:]))
	return t
}

// generic does the momentum step on neighbouring coordinates, of which the first is number from of its vector, a
// multiple of noise.Group, and adds what it did to s; z is nil for no noise. It defines that step to the bit on every
// machine and in assembly.
func (r *Momentum) generic(theta, v, mean []float32, from int, s *MomentumSums, z *noise.Schedule) {
	var normals [noise.Group]float32
	for at := 0; at < len(theta); at += noise.Group {
		x := theta[at:min(at+noise.Group, len(theta))]
		y, g := v[at:][:len(x)], mean[at:][:len(x)]
		if z != nil {
			z.Float32(normals[:len(x)], from+at)
		}
		var drift, inject, kinetic [noise.Group]float32
		for i, xi := range x {
			u := float32(r.N[0]*g[i]) - float32(r.Prior[0]*xi)
			d := float32(r.Keep[0]*y[i]) + float32(u*r.Half[0])
			drift[i] = float32(d * d)
			if z != nil {
				w := float32(r.Spread[0] * normals[i])
				inject[i] = float32(w * w)
				d += w
			}
			kinetic[i] = float32(d * d)
			y[i] = d
			xi += d
			x[i] = xi
			s.farthest[0] = max(s.farthest[0], magnitude(xi))
		}
		for k := range Lanes {
			s.Drift[k] += drift[k] + drift[Lanes+k]
			s.Noise[k] += inject[k] + inject[Lanes+k]
			s.Kinetic[k] += kinetic[k] + kinetic[Lanes+k]
		}
	}
}
