package variational

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// By as many iterations as there are dimensions conjugate gradients give the
// solution, and what the model promises there is ½ dᵀ(B+λ)d + ½ λdᵀd.
func TestConjugateSolves(t *testing.T) {
	const dim, lambda = 7, 0.4
	root := mat.NewDense(dim, dim, normals(dim*dim, 1))
	var b, damped mat.Dense
	b.Mul(root, root.T())
	damped.CloneFrom(&b)
	for i := range dim {
		damped.Set(i, i, b.At(i, i)+lambda)
	}
	multiply := func(dst, v []float64) {
		mat.NewVecDense(dim, dst).MulVec(&b, mat.NewVecDense(dim, v))
	}
	g, d := normals(dim, 2), make([]float64, dim)
	var want mat.VecDense
	if err := want.SolveVec(&damped, mat.NewVecDense(dim, g)); err != nil {
		t.Fatal(err)
	}
	c := newConjugate(dim)
	promised := c.solve(d, g, lambda, 2*dim, 1e-12, multiply)
	for i, x := range d {
		if math.Abs(x-want.AtVec(i)) > 1e-9*mat.Norm(&want, 2) {
			t.Errorf("d_%d = %.12g, want %.12g", i, x, want.AtVec(i))
		}
	}
	model := func(d []float64) float64 {
		bd := make([]float64, dim)
		multiply(bd, d)
		return dot(g, d) - dot(d, bd)/2
	}
	if m := model(d); math.Abs(promised-m) > 1e-9*math.Abs(m) {
		t.Errorf("promised %g, want %g", promised, m)
	}
	// One iteration is the steepest ascent's best step.
	promised = c.solve(d, g, lambda, 1, 0, multiply)
	bg := make([]float64, dim)
	multiply(bg, g)
	step := dot(g, g) / (dot(g, bg) + lambda*dot(g, g))
	for i, x := range d {
		if math.Abs(x-step*g[i]) > 1e-12 {
			t.Errorf("first iterate %g, want %g", x, step*g[i])
		}
	}
	if m := model(d); math.Abs(promised-m) > 1e-12*math.Abs(m) {
		t.Errorf("promised %g after one iteration, want %g", promised, m)
	}
	// Of a negative B the first direction ends it, at g/λ.
	promised = c.solve(d, g, lambda, 5, 0, func(dst, v []float64) {
		for i, x := range v {
			dst[i] = -x
		}
	})
	if !math.IsNaN(promised) || math.Abs(d[3]-g[3]/lambda) > 1e-15 {
		t.Errorf("of a negative B: %v, promised %g", d, promised)
	}
}

// around returns coordinates around a member, with B of a draw and rows.
func around(g *onTarget, p *sampler.Params, full, shared, exact bool) (*whitened, []float64) {
	f := newNormalFamily(g.t.Dim(), true)
	copy(f.z, normals(f.dim, 31))
	psi := f.member(full, 32)
	for i := range psi {
		psi[i] *= 0.3
	}
	f.evaluate(psi, g, p)
	k := newWhitened(&f)
	grad := make([]float64, k.size(psi))
	k.center(grad, psi, p)
	y := f.z
	if !shared {
		y = normals(f.dim, 33)
	}
	k.curveAt(g.t.(targets.HessianVec[float64]), y, g.rows, exact)
	return &k, grad
}

// boundAt is L at a vector's member, at the draw y.
func (k *whitened) boundAt(g *onTarget, v, y []float64, h float64) float64 {
	f := newNormalFamily(k.dim, true)
	copy(f.z, y)
	to := make([]float64, len(k.psi))
	k.move(to, v, h)
	return f.bound(to, f.evaluate(to, g, k.p), k.p)
}

// The gradient and the exact B are the derivatives of the bound in whitened
// coordinates: against differences with step 1e-4, which err by 1e-8 of the fourth
// derivatives and, on bounds of some hundreds, by 1e-13/1e-8 from rounding.
func TestWhitenedDerivatives(t *testing.T) {
	for _, g := range []*onTarget{onProblem(t, "banana"), onProblem(t, "funnel"),
		onProblem(t, "blr:synthetic", 3, 14, 15, 92, 65, 35)} {
		for _, full := range []bool{false, true} {
			for _, shared := range []bool{false, true} {
				p := ownParams(t, HFSGVI, 1, map[string]float64{"ratio": 0.6})
				p.Temp, p.PriorPrec = 0.8, 0.2
				p.N = 5
				k, grad := around(g, p, full, shared, true)
				u, v := normals(len(grad), 41), normals(len(grad), 42)
				sum, diff := make([]float64, len(u)), make([]float64, len(u))
				for i := range u {
					sum[i], diff[i] = u[i]+v[i], u[i]-v[i]
				}
				y := slices.Clone(k.y)
				bv := make([]float64, len(u))
				k.multiply(bv, v)
				got := -dot(u, bv)
				const h = 1e-4
				at := func(v []float64, h float64) float64 { return k.boundAt(g, v, y, h) }
				want := (at(sum, h) - at(diff, h) - at(diff, -h) + at(sum, -h)) / (4 * h * h)
				if math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
					t.Errorf("full %v, shared %v: uᵀHv = %.9g, want %.9g", full, shared, got, want)
				}
				z := slices.Clone(k.z)
				slope := (k.boundAt(g, v, z, h) - k.boundAt(g, v, z, -h)) / (2 * h)
				if got := dot(grad, v); math.Abs(got-slope) > 1e-5*(1+math.Abs(slope)) {
					t.Errorf("full %v: ∇L·v = %.9g, want %.9g", full, got, slope)
				}
			}
		}
	}
}

// B is symmetric, and the Gauss–Newton one of a log-concave density positive
// definite. length2 is the divergence to second order, by definition of the
// metric: here against its value for the member moved to.
func TestWhitenedMetric(t *testing.T) {
	g := onProblem(t, "blr:synthetic", 3, 14, 15, 92, 65, 35)
	for _, full := range []bool{false, true} {
		p := ownParams(t, HFSGVI, 1, map[string]float64{"ratio": 0.6})
		p.N, p.PriorPrec = 100, 0.2
		k, grad := around(g, p, full, false, false)
		u, v := normals(len(grad), 51), normals(len(grad), 52)
		bu, bv := make([]float64, len(u)), make([]float64, len(u))
		k.multiply(bu, u)
		k.multiply(bv, v)
		if a, b := dot(u, bv), dot(v, bu); math.Abs(a-b) > 1e-10*math.Abs(a) {
			t.Errorf("full %v: uᵀBv = %g, vᵀBu = %g", full, a, b)
		}
		if dot(u, bu) <= 0 || dot(v, bv) <= 0 {
			t.Errorf("full %v: not positive: %g, %g", full, dot(u, bu), dot(v, bv))
		}
		// KL(q', q) = ½ [‖C⁻¹(μ'-μ)‖² + ‖C⁻¹C'‖² - D - 2 Σ log(C'_ii/C_ii)].
		const h = 1e-4
		to := make([]float64, len(k.psi))
		// Rows 0 and 1 of A have no second direction: in those places products, unlike
		// u, are zero.
		for i, x := range bu {
			u[i] = x / math.Sqrt(dot(bu, bu))
		}
		k.move(to, u, h)
		d := k.dim
		c, next := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
		for i := range d {
			c.SetRow(i, k.scaleMatrix(k.psi)[i])
			next.SetRow(i, k.scaleMatrix(to)[i])
		}
		var e mat.Dense
		var m, delta mat.VecDense
		delta.SubVec(mat.NewVecDense(d, to[:d]), mat.NewVecDense(d, k.psi[:d]))
		if err := e.Solve(c, next); err != nil {
			t.Fatal(err)
		}
		if err := m.SolveVec(c, &delta); err != nil {
			t.Fatal(err)
		}
		kl := mat.Dot(&m, &m) - float64(d)
		for i := range d {
			for j := range d {
				kl += e.At(i, j) * e.At(i, j)
			}
			kl -= 2 * math.Log(e.At(i, i))
		}
		// The third order is h of the second, and rounding 1e-16 of D over h².
		if want := k.length2(u); math.Abs(kl/h/h-want) > 3e-3*want {
			t.Errorf("full %v: 2 KL/h² = %g, want %g", full, kl/h/h, want)
		}
	}
}

// A step is the damped Newton step as a dense solver finds it, and λ moves as the
// bound at the whole step says.
func TestHFSGVIStep(t *testing.T) {
	g := onProblem(t, "banana")
	for _, full := range []float64{0, 1} {
		p := ownParams(t, HFSGVI, 0.6,
			map[string]float64{"cov": full, "sd0": 0.4, "damping": 0.5, "trust": 1e9, "iterations": 100, "sample": 1})
		s := sampler.NewState([]float64{0.7, -0.3})
		hf := HFSGVI.New64(g.t).(*hessianFree)
		hf.Begin(&s, p)
		zs := noise.NewNormals[float64](noise.New(5, 0, noise.Langevin), 2)
		var info sampler.Info
		for range 5 {
			psi, lambda := slices.Clone(s.Own[normalPsi]), s.Own[hfOwnLambda][0]
			f := newNormalFamily(2, true)
			copy(f.z, zs.At(s.Step))
			hf.Step(&s, g, p, zs, &info)

			bound := f.bound(psi, f.evaluate(psi, g, p), p)
			k := newWhitened(&f)
			n := k.size(psi)
			grad := make([]float64, n)
			k.center(grad, psi, p)
			k.curveAt(g.t.(targets.HessianVec[float64]), f.z, nil, false)
			b := mat.NewDense(n, n, nil)
			for j := range n {
				unit, col := make([]float64, n), make([]float64, n)
				unit[j] = 1
				k.multiply(col, unit)
				col[j] += lambda
				b.SetCol(j, col)
			}
			var delta mat.VecDense
			if err := delta.SolveVec(b, mat.NewVecDense(n, grad)); err != nil {
				t.Fatal(err)
			}
			d := delta.RawVector().Data
			want := make([]float64, len(psi))
			k.move(want, d, 0.3)
			for i, x := range want {
				// hfTolerance is the residual that is left, as a share of ∇L.
				if got := s.Own[normalPsi][i]; math.Abs(got-x) > 2e-3*math.Sqrt(dot(grad, grad))/lambda {
					t.Errorf("full %g, step %d: ψ_%d = %.9g, want %.9g", full, s.Step, i, got, x)
				}
			}
			bd := make([]float64, n)
			k.multiply(bd, d)
			ratio := (k.boundAt(g, d, f.z, 1) - bound) / (dot(grad, d) - dot(d, bd)/2)
			next := lambda
			switch {
			case ratio > 0.75:
				next = max(0.5, lambda*hfAdapt)
			case ratio < 0.25:
				next = lambda / hfAdapt
			}
			if got := s.Own[hfOwnLambda][0]; math.Abs(got-next) > 1e-12 {
				t.Errorf("full %g, step %d: λ from %g to %g, want %g at a ratio of %g", full, s.Step, lambda, got,
					next, ratio)
			}
			if math.Abs(info.Objective-bound) > 1e-12 {
				t.Errorf("objective %g, want %g", info.Objective, bound)
			}
		}
	}
}

// B of the gradient's own draw and minibatch biases q: on a Gaussian to a variance
// of about 1.5 times the true one. That of another draw does not.
func TestSharedSampleIsBiased(t *testing.T) {
	g := onProblem(t, "gaussian:cov=1,0,0,1")
	p := fitParams(t, HFSGVI, 0)
	if _, cov := fit(t, HFSGVI, g, p, 40_000, 3); math.Abs(cov[0][0]-1) > 4*fitSD["hfsgvi"] {
		t.Errorf("own sample: variance %g", cov[0][0])
	}
	p.Own[hfSample] = 1
	if _, cov := fit(t, HFSGVI, g, p, 40_000, 3); cov[0][0] < 1.3 {
		t.Errorf("shared sample: variance %g, want a bias", cov[0][0])
	}
}
