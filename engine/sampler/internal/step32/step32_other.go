//go:build !(amd64 || arm64) || noasm

package step32

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/simd"
)

// Step advances c; z is nil at T = 0.
func (r *Langevin) Step(_ simd.Path, c Segment, s *Sums, z *noise.Schedule) { r.generic(c, s, z) }

// Step advances neighbouring coordinates. The first of them is number from of its
// vector, a multiple of noise.Group; z is nil without noise.
func (r *Momentum) Step(_ simd.Path, theta, v, mean []float32, from int, s *MomentumSums, z *noise.Schedule) {
	r.generic(theta, v, mean, from, s, z)
}

// Displace leaves all coordinates to the caller.
func Displace(simd.Path, Displacer, *Block[float32], *Numbers, *Sums) (done int) { return 0 }

// DrawMeanField writes a draw of q, μ + σ∘z, to theta.
func DrawMeanField(_ simd.Path, theta, z, mu, rho []float32) { drawGeneric(theta, z, mu, rho) }

// Step advances c.
func (r *MeanField) Step(_ simd.Path, c MeanFieldSegment, s *MeanFieldSums) { r.generic(c, s) }
