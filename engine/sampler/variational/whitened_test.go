package variational

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/targets"
)

// The Gauss–Newton B differs from the exact one, which TestWhitenedDerivatives
// knows, in the curvature of eᵇ alone, T in place of -r_i y_i with r = Cᵀg at B's
// own draw: by s_b² (T + r_i y_i) v_i of β_i, and by nothing of the rest.
func TestGaussNewtonCurvatureOfTheScales(t *testing.T) {
	for _, g := range []*onTarget{onProblem(t, "banana"), onProblem(t, "gaussian:cov=1,0.6,0.6,0.7"),
		onProblem(t, "blr:synthetic", 3, 14, 15, 92, 65, 35)} {
		for _, full := range []bool{false, true} {
			const ratio = 0.6
			p := ownParams(t, HFSGVI, 1, map[string]float64{"ratio": ratio})
			p.Temp, p.PriorPrec, p.N = 0.8, 0.2, 5
			product := func(exact bool) (*whitened, []float64, []float64) {
				k, grad := around(g, p, full, false, exact)
				v, bv := normals(len(grad), 61), make([]float64, len(grad))
				k.multiply(bv, v)
				return k, v, bv
			}
			k, v, gn := product(false)
			_, _, exact := product(true)
			f := newNormalFamily(k.dim, true)
			copy(f.z, k.y)
			f.evaluate(k.psi, g, p)
			c, r := f.scaleMatrix(k.psi), make([]float64, k.dim)
			for i, row := range c {
				for j, x := range row {
					r[j] += x * f.g[i]
				}
			}
			for i := range v {
				want := 0.0
				if j := i - k.dim; 0 <= j && j < k.dim {
					want = ratio / 2 * (p.Temp + r[j]*k.y[j]) * v[i]
				}
				// Roundings of the two products.
				if got := gn[i] - exact[i]; math.Abs(got-want) > 1e-13*(1+math.Abs(gn[i])+math.Abs(exact[i])) {
					t.Errorf("full %v: entry %d of the difference is %.15g, want %.15g", full, i, got, want)
				}
			}
		}
	}
}

// On N(0, Λ⁻¹) at q = N(0, C²), C diagonal, the Gauss–Newton B is in closed form:
// with w = CΛC u, u = m + y∘b, Bv = (w, w∘y + T b). Averaged over y, at the points
// ±√2 e_j with the moments of N(0, I), it is (CΛC m, (C²Λ_ii + T) b), of which the
// last is 2 at the optimum: q's Fisher information.
func TestGaussNewtonIsTheFisherInformation(t *testing.T) {
	g := onProblem(t, "gaussian:cov=1,0.6,0.6,0.7")
	const det = 1*0.7 - 0.6*0.6
	precision := [2]float64{0.7 / det, 1 / det}
	p := ownParams(t, HFSGVI, 1, map[string]float64{"ratio": 2}) // s_b = 1
	f := newNormalFamily(2, true)
	psi := []float64{0, 0, -math.Log(precision[0]) / 2, -math.Log(precision[1]) / 2}
	copy(f.z, []float64{0.3, -0.7})
	f.evaluate(psi, g, p)
	k := newWhitened(&f)
	k.center(make([]float64, 4), psi, p)
	for i := range 2 {
		mean, one, v := make([]float64, 4), make([]float64, 4), make([]float64, 4)
		v[2+i] = 1
		for j := range 2 {
			for _, sign := range []float64{-1, 1} {
				y := []float64{0, 0}
				y[j] = sign * math.Sqrt2
				k.curveAt(g.t.(targets.HessianVec[float64]), y, nil, false)
				k.multiply(one, v)
				for l, x := range one {
					mean[l] += x / 4
				}
			}
		}
		for l, x := range mean {
			want := 0.0
			if l == 2+i {
				want = 2
			}
			if math.Abs(x-want) > 1e-14 {
				t.Errorf("entry %d of B's column %d is %.15g, want %g", l, 2+i, x, want)
			}
		}
	}
}
