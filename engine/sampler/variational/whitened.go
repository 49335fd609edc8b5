package variational

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
)

// whitened are coordinates of normalFamily around one member ψ = (μ, C),
//
//	μ' = μ + C m,  C' = C (diag(eᵇ) + A),  A strictly lower triangular,
//
// or without A where C is diagonal. There q is N(0, I) with the Fisher information diag(1, 2, 1) for (m, b, A). A
// vector holds m, β and A/s_A with b = s_b β. The scales make a gradient step move C by a share of what it moves μ by:
// s_b = √(κ/2) and s_A = √(κ/D), since the noise of up to D entries adds up in a row of A. At κ = 1 the metric of m and
// β is q's Fisher information. Before that scaling, products are those of
//
//	L(m, b, A) = log p(μ + C [m + (diag(eᵇ) + A) z]) + T Σ b_i + const,
//	r = Cᵀg:  ∂L/∂m = r,  ∂L/∂b_i = r_i z_i eᵇ_i + T,  ∂L/∂A = strict(r zᵀ),
//
// and B is minus its Hessian at a draw y and minibatch, those of the gradient or others
// (see curveAt). With u = m + A y + y∘b,
//
//	w = -Cᵀ (N ∇²l - I/σ²) C u,  Bv = (w, w∘y + e∘b, strict(w yᵀ)).
//
// e_i = -r_i y_i makes B the exact one. Where the bound is stationary in b, e = T is the mean of that over y, and makes
// B the generalised Gauss–Newton matrix, which is positive definite for a log-concave p.
//
// Row i of every A that gradient and products lead to, from A = 0, lies in the span of z and y up to place i-1. A row
// is therefore held as two numbers, its coordinates in an orthonormal basis of that span, whose first vector is along
// z. A vector has 2D numbers, or 4D for a full C, and the Euclidean product of two vectors is that of the matrices.
// Everything costs O(D²) for a full C.
type whitened struct {
	*normalFamily
	psi    []float64
	p      *sampler.Params
	sb, sa float64

	r       []float64 // Cᵀg
	along   []float64 // ‖z‖ of the places before i
	y       []float64 // B's draw,
	at      []float64 // its θ
	rows    []int32   // and its minibatch
	e       []float64
	py, qy  []float64 // y of the places before i in row i's basis
	u, w, h []float64
	target  targets.HessianVec[float64]
}

func newWhitened(f *normalFamily) whitened {
	v := func() []float64 { return sampler.Vector[float64](f.dim) }
	return whitened{normalFamily: f, r: v(), along: v(), y: v(), at: v(), e: v(), py: v(), qy: v(), u: v(),
		w: v(), h: v()}
}

// size is how many numbers a vector has.
func (k *whitened) size(psi []float64) int {
	if k.isFull(psi) {
		return 4 * k.dim
	}
	return 2 * k.dim
}

// center puts the coordinates around ψ, at which z and g are the newest evaluation. It writes ∇L at the origin to dst.
func (k *whitened) center(dst, psi []float64, p *sampler.Params) {
	k.psi, k.p = psi, p
	k.sb, k.sa = math.Sqrt(p.Own[normalRatio]/2), math.Sqrt(p.Own[normalRatio]/float64(k.dim))
	for i := range k.sd {
		k.sd[i] = k.scale(psi, i)
	}
	k.timesCT(k.r, k.g)
	d, sum := k.dim, 0.0
	for i, r := range k.r {
		dst[i], dst[d+i] = r, k.sb*(float64(r*k.z[i])+p.Temp)
		k.along[i] = math.Sqrt(sum)
		sum += float64(k.z[i] * k.z[i])
		if k.isFull(psi) {
			dst[2*d+i], dst[3*d+i] = k.sa*r*k.along[i], 0
		}
	}
}

// curveAt sets B to that of the draw y and minibatch rows of a target, exact or
// Gauss–Newton. It does not keep y and rows beyond the step.
func (k *whitened) curveAt(t targets.HessianVec[float64], y []float64, rows []int32, exact bool) {
	k.target, k.rows = t, rows
	copy(k.y, y)
	k.draw(k.at, k.psi, y)
	cross, sum := 0.0, 0.0 // of z and y, and of y and y, before place i
	for i, x := range k.y {
		k.py[i], k.qy[i] = 0, 0
		if k.along[i] > 0 {
			k.py[i] = cross / k.along[i]
			// What is left by rounding, where y is along z, spans nothing.
			if rest := sum - float64(k.py[i]*k.py[i]); rest > 1e-12*sum {
				k.qy[i] = math.Sqrt(rest)
			}
		}
		cross += float64(k.z[i] * x)
		sum += float64(x * x)
		k.e[i] = k.p.Temp
	}
	if exact {
		t.Grad(k.h, k.at, rows)
		for i, x := range k.h {
			k.h[i] = float64(k.p.N*x) - float64(k.p.PriorPrec*k.at[i])
		}
		k.timesCT(k.w, k.h)
		for i, r := range k.w {
			k.e[i] = -r * k.y[i]
		}
	}
}

// multiply writes Bv to dst.
func (k *whitened) multiply(dst, v []float64) {
	d, full := k.dim, k.isFull(k.psi)
	for i, y := range k.y {
		k.u[i] = v[i] + float64(k.sb*y*v[d+i])
		if full {
			k.u[i] += float64(k.sa * (float64(k.py[i]*v[2*d+i]) + float64(k.qy[i]*v[3*d+i])))
		}
	}
	k.timesC(k.w, k.u)
	k.target.HessianVec(k.h, k.at, k.w, k.rows)
	for i, x := range k.h {
		k.h[i] = float64(k.p.PriorPrec*k.w[i]) - float64(k.p.N*x)
	}
	k.timesCT(k.w, k.h)
	for i, w := range k.w {
		dst[i], dst[d+i] = w, k.sb*(float64(w*k.y[i])+float64(k.e[i]*k.sb*v[d+i]))
		if full {
			dst[2*d+i], dst[3*d+i] = k.sa*w*k.py[i], k.sa*w*k.qy[i]
		}
	}
}

// length2 is ‖m‖² + 2‖b‖² + ‖A‖² of a vector: to second order, twice the divergence
// between q and the member at the vector.
func (k *whitened) length2(v []float64) float64 {
	d := k.dim
	m, b, a := v[:d], v[d:2*d], v[2*d:]
	return dot(m, m) + float64(2*k.sb*k.sb*dot(b, b)) + float64(k.sa*k.sa*dot(a, a))
}

// move writes the member at hv to dst.
func (k *whitened) move(dst, v []float64, h float64) {
	d, full := k.dim, k.isFull(k.psi)
	k.timesC(k.w, v[:d])
	for i, x := range k.w {
		dst[i] = k.psi[i] + float64(h*x)
		at := k.diagonal(dst, i)
		dst[at] = k.psi[at] + float64(h*k.sb*v[d+i])
	}
	if !full {
		return
	}
	// Row i of A is a_i z + c_i y, and that of CA the sums of C_ik times them over the rows k from j+1 to i.
	a, c, grow := k.u, k.w, k.h
	for i := range d {
		a[i], c[i], grow[i] = 0, 0, libm.Exp(h*k.sb*v[d+i])
		if k.qy[i] > 0 {
			c[i] = h * k.sa * v[3*d+i] / k.qy[i]
		}
		if k.along[i] > 0 {
			a[i] = (float64(h*k.sa*v[2*d+i]) - float64(c[i]*k.py[i])) / k.along[i]
		}
	}
	for i := range d {
		from, to := k.below(k.psi, i), k.below(dst, i)
		sa, sc := k.sd[i]*a[i], k.sd[i]*c[i]
		for j := i - 1; j >= 0; j-- {
			x := from[j]
			to[j] = float64(x*grow[j]) + float64(sa*k.z[j]) + float64(sc*k.y[j])
			sa += float64(x * a[j])
			sc += float64(x * c[j])
		}
	}
}

// timesC writes Cx to dst.
func (k *whitened) timesC(dst, x []float64) {
	for i, v := range x {
		dst[i] = float64(k.sd[i]*v) + dot(k.below(k.psi, i), x)
	}
}

// timesCT writes Cᵀx to dst.
func (k *whitened) timesCT(dst, x []float64) {
	for i, v := range x {
		dst[i] = k.sd[i] * v
		for j, c := range k.below(k.psi, i) {
			dst[j] += float64(c * v)
		}
	}
}
