package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
)

// A thrust is the numbers of a float32 momentum step with one friction, each eight
// times, as assembly reads them: those of rate.
type thrust struct {
	n, prior, half, keep, spread [8]float32
}

// travel is what a float32 momentum step leaves to know of a piece, in lanes, as
// sums does of a Langevin step.
type travel struct {
	drift, inject, virial, kinetic [lanes]float32
	farthest                       [lanes / 2]uint32 // the bits of the largest |θ|
}

// motion adds up the lanes.
func (t *travel) motion() (m motion) {
	for i := range t.drift {
		m.drift += float64(t.drift[i])
		m.inject += float64(t.inject[i])
		m.virial += float64(t.virial[i])
		m.kinetic += float64(t.kinetic[i])
	}
	far := uint32(0)
	for _, x := range t.farthest {
		far = max(far, x)
	}
	m.bad = !(far < math.Float32bits(Limit))
	return m
}

// glideGeneric does the step of momentum on neighbouring coordinates, of which the
// first is number from of its vector, a multiple of noise.Group, and adds what it
// did to t; z is nil for no noise. It defines that step to the bit on every machine
// and in assembly, and θ and v are those of glide.
func glideGeneric(theta, v, mean []float32, from int, r *thrust, t *travel, z *noise.Schedule) {
	var normals [noise.Group]float32
	for at := 0; at < len(theta); at += noise.Group {
		x := theta[at:min(at+noise.Group, len(theta))]
		y, g := v[at:][:len(x)], mean[at:][:len(x)]
		if z != nil {
			z.Float32(normals[:len(x)], from+at)
		}
		var drift, inject, virial, kinetic [noise.Group]float32
		for i, xi := range x {
			u := float32(r.n[0]*g[i]) - float32(r.prior[0]*xi)
			virial[i] = float32(xi * u)
			d := float32(r.keep[0]*y[i]) + float32(u*r.half[0])
			drift[i] = float32(d * d)
			if z != nil {
				w := float32(r.spread[0] * normals[i])
				inject[i] = float32(w * w)
				d += w
			}
			kinetic[i] = float32(d * d)
			y[i] = d
			xi += d
			x[i] = xi
			t.farthest[0] = max(t.farthest[0], math.Float32bits(xi)&(1<<31-1))
		}
		for k := range lanes {
			t.drift[k] += drift[k] + drift[lanes+k]
			t.inject[k] += inject[k] + inject[lanes+k]
			t.virial[k] += virial[k] + virial[lanes+k]
			t.kinetic[k] += kinetic[k] + kinetic[lanes+k]
		}
	}
}
