//go:build !amd64 || noasm

package step32

import "github.com/psgld/psgld-tui/engine/noise"

// Step advances c; z is nil at T = 0.
func (r *Langevin) Step(_ string, c Segment, s *Sums, z *noise.Schedule) { r.generic(c, s, z) }

// Step advances neighbouring coordinates. The first of them is number from of its
// vector, a multiple of noise.Group; z is nil without noise.
func (r *Momentum) Step(_ string, theta, v, mean []float32, from int, s *MomentumSums, z *noise.Schedule) {
	r.generic(theta, v, mean, from, s, z)
}

// Displace leaves all coordinates to the caller.
func Displace(string, Displacer, *Block[float32], *Numbers, *Sums) (done int) { return 0 }

// DrawMeanField writes a draw of q, μ + σ∘z, to theta.
func DrawMeanField(_ string, theta, z, mu, rho []float32) { drawGeneric(theta, z, mu, rho) }

// Step advances c.
func (r *MeanField) Step(_ string, c MeanFieldSegment, s *MeanFieldSums) { r.generic(c, s) }
