package variational

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// The two loops against BFGS's inverse Hessian as a matrix, for no pair, a part of
// the ring, all of it, and after the oldest pairs have been overwritten.
func TestTwoLoopsAreBFGS(t *testing.T) {
	const dim, memory = 6, 4
	h0 := make([]float64, dim)
	for i, x := range normals(dim, 1) {
		h0[i] = math.Exp(x)
	}
	// y = As with A positive definite, so that sᵀy > 0.
	root := mat.NewDense(dim, dim, normals(dim*dim, 2))
	var a mat.Dense
	a.Mul(root, root.T())
	l := lbfgs{s: make([]float64, memory*dim), y: make([]float64, memory*dim), first: 0.3,
		alpha: make([]float64, memory)}
	var pairs [][2]*mat.VecDense
	for n := range 7 {
		h := mat.NewDense(dim, dim, nil)
		gamma := 0.3
		if n > 0 {
			s, y := pairs[n-1][0], pairs[n-1][1]
			yhy := 0.0
			for i, x := range h0 {
				yhy += x * y.AtVec(i) * y.AtVec(i)
			}
			gamma = mat.Dot(s, y) / yhy
		}
		for i, x := range h0 {
			h.Set(i, i, gamma*x)
		}
		for _, pair := range pairs[max(0, n-memory):] {
			s, y := pair[0], pair[1]
			rho := 1 / mat.Dot(s, y)
			left := mat.NewDense(dim, dim, nil)
			left.Outer(-rho, s, y)
			for i := range dim {
				left.Set(i, i, left.At(i, i)+1)
			}
			var m, next, ss mat.Dense
			m.Mul(left, h)
			next.Mul(&m, left.T())
			ss.Outer(rho, s, s)
			next.Add(&next, &ss)
			h = &next
		}
		v := normals(dim, uint64(10+n))
		var want mat.VecDense
		want.MulVec(h, mat.NewVecDense(dim, slices.Clone(v)))
		l.apply(v, h0)
		for i, x := range v {
			if math.Abs(x-want.AtVec(i)) > 1e-9*mat.Norm(&want, 2) {
				t.Errorf("%d pairs: Hv = %v, want %v", n, v, want.RawVector().Data)
				break
			}
		}
		s := mat.NewVecDense(dim, normals(dim, uint64(20+n)))
		y := mat.NewVecDense(dim, nil)
		y.MulVec(&a, s)
		pairs = append(pairs, [2]*mat.VecDense{s, y})
		l.count++
		ds, dy := l.pair(0, dim)
		copy(ds, s.RawVector().Data)
		copy(dy, y.RawVector().Data)
	}
}

// The first steps of lbfgs-sgvi: without a pair by H₀ = F⁻¹/(1+λ), and the pair
// that comes of the means of the first two blocks.
func TestLBFGSFirstPair(t *testing.T) {
	g := onProblem(t, "gaussian:cov=1,0.6,0.6,0.7")
	p := ownParams(t, LBFGSSGVI, 0.02,
		map[string]float64{"cov": 1, "sd0": 0.3, "every": 2, "damping": 3, "trust": 1e9, "ratio": 0.5, "memory": 5})
	s := sampler.NewState([]float64{0.4, -0.2})
	k := LBFGSSGVI.New64(g.t).(*quasiNewton)
	k.Begin(&s, p)
	zs := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 2)
	f := newNormalFamily(2, true)
	var info sampler.Info
	psi := slices.Clone(s.Own[normalPsi])
	grad := make([]float64, len(psi))
	blocks := [2][]float64{make([]float64, len(psi)), make([]float64, len(psi))}
	// 1/F of (μ, log C_11, C_21, log C_22).
	inverse := func(psi []float64) []float64 {
		c := f.scaleMatrix(psi)
		a, b, d := c[0][0]*c[0][0], c[1][0]*c[1][0], c[1][1]*c[1][1]
		return []float64{a, b + d, 0.5, b/2 + d, 0.5}
	}
	for step := range 4 {
		copy(f.z, zs.At(s.Step))
		k.Step(&s, g, p, zs, &info)
		f.evaluate(psi, g, p)
		f.gradient(grad, psi, p)
		for i, x := range inverse(psi) {
			// κ = ½ on the diagonal of C and ¼ below it.
			grad[i] *= 0.01 * x / 4 * []float64{1, 1, 0.5, 0.25, 0.5}[i]
		}
		for i, x := range grad {
			psi[i] += x
			blocks[step/2][i] += psi[i] / 2
		}
		for i, want := range psi {
			if got := s.Own[normalPsi][i]; math.Abs(got-want) > 1e-13 {
				t.Fatalf("step %d: ψ_%d = %.17g, want %.17g", step, i, got, want)
			}
		}
	}
	if counts := s.Own[lbfgsOwnCounts]; !slices.Equal(counts, []float64{0, 2, 1}) {
		t.Fatalf("counts %v", counts)
	}
	// The metric of the pair is that at the last step's start, and its z the last.
	last := slices.Clone(psi)
	for i, x := range grad {
		last[i] -= x
	}
	inv := inverse(last)
	from, to := make([]float64, len(psi)), make([]float64, len(psi))
	f.evaluate(blocks[0], g, p)
	f.gradient(from, blocks[0], p)
	f.evaluate(blocks[1], g, p)
	f.gradient(to, blocks[1], p)
	for i := range psi {
		ds := blocks[1][i] - blocks[0][i]
		dy := from[i] - to[i] + 3*ds/inv[i]
		if got := s.Own[lbfgsOwnS][i]; math.Abs(got-ds) > 1e-13 {
			t.Errorf("s_%d = %g, want %g", i, got, ds)
		}
		if got := s.Own[lbfgsOwnY][i]; math.Abs(got-dy) > 1e-12*(1+math.Abs(dy)) {
			t.Errorf("y_%d = %g, want %g", i, got, dy)
		}
	}
}

// Where the bound is not concave, damping keeps every pair's curvature positive;
// and no step is longer than allowed.
func TestLBFGSIsBounded(t *testing.T) {
	for _, spec := range []string{"funnel", "banana", "mixture"} {
		g := onProblem(t, spec)
		p := ownParams(t, LBFGSSGVI, 0.3, map[string]float64{"cov": 1, "every": 3, "damping": 0, "trust": 0.2})
		s := sampler.NewState([]float64{1, 1})
		k := LBFGSSGVI.New64(g.t).(*quasiNewton)
		k.Begin(&s, p)
		zs := noise.NewNormals[float64](noise.New(3, 0, noise.Langevin), 2)
		var info sampler.Info
		for range 2000 {
			was := slices.Clone(s.Own[normalPsi])
			k.room(&s, p)
			k.metric(was)
			inv := slices.Clone(k.inverse)
			k.Step(&s, g, p, zs, &info)
			size := 0.0
			for i, x := range s.Own[normalPsi] {
				size += (x - was[i]) * (x - was[i]) / inv[i]
			}
			if size = math.Sqrt(size / 2); size > 0.2*(1+1e-9) || !info.OK {
				t.Fatalf("%s: step %d of size %g, info %+v", spec, s.Step, size, info)
			}
			for n := range min(k.h.count, len(k.h.alpha)) {
				ds, dy := k.h.pair(n, len(was))
				if !(dot(ds, dy) > 0) {
					t.Fatalf("%s: step %d: a pair of curvature %g", spec, s.Step, dot(ds, dy))
				}
			}
		}
	}
}
