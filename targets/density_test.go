package targets

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets/alloctest"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
)

// densities are specs of targets in the plane, defaults and others.
var densities = []string{
	"gaussian", "gaussian:a=2", "gaussian:cov=2,-0.9,-0.9,0.7", "gaussian:noise=0.1",
	"banana", "banana:b=-1;s1=0.8", "mixture", "mixture:w=0.2;gap=3;s1=0.5;s2=1.1", "funnel", "funnel:s=1.4",
}

// A central difference with step 1e-5 errs by h²/6 of the third derivative,
// about 1e-10 here at most 1e-8, and by rounding of 1e-16·|log p|/h, 1e-10.
func TestDensityDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, spec := range densities {
		t.Run(spec, func(t *testing.T) {
			p := open(t, spec, Options{})
			for range 50 {
				targettest.Derivatives(t, p.F64.(targettest.Twice), []float64{2 * r.NormFloat64(), 2 * r.NormFloat64()}, 1e-7)
			}
		})
	}
}

// Gradients at several points are those at each.
func TestSeveralGradients(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, spec := range densities {
		p := open(t, spec, Options{})
		for n := range 10 {
			theta, got := make([]float64, 2*n), make([]float64, 2*n)
			for i := range theta {
				theta[i] = 2 * r.NormFloat64()
			}
			p.F64.(Several[float64]).GradEach(got, theta)
			for k := range n {
				var want [2]float64
				p.F64.Grad(want[:], theta[2*k:][:2], nil)
				if got := got[2*k:][:2]; !slices.Equal(got, want[:]) {
					t.Errorf("%s: gradient %d of %d is %g, want %g", spec, k, n, got, want)
				}
			}
		}
	}
}

// The moments are compared with the density's own, integrated over a grid.
// The trapezoidal rule converges faster than any power for smooth functions
// that vanish at the ends, so 1e-7 leaves room for the cut tails (9 standard
// deviations) alone. The grid follows the density: warp maps it to θ and
// returns the map's Jacobian.
func TestDensityMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("integrals over planes")
	}
	for _, spec := range densities {
		t.Run(spec, func(t *testing.T) {
			p := open(t, spec, Options{})
			warp := func(a, b float64) (x, y, jacobian float64) { return a, b, 1 }
			half := [2]float64{13, 13}
			switch d := p.F64.(type) {
			case *Banana:
				warp = func(a, b float64) (x, y, jacobian float64) { return a, d.b*a*a + b, 1 }
				half = [2]float64{9 * d.s1, 9 * d.s2}
			case *Funnel:
				warp = func(a, b float64) (x, y, jacobian float64) { return a * math.Exp(b/2), b, math.Exp(b / 2) }
				half = [2]float64{9, 12 * d.s}
			}
			const cells = 500
			loglik := p.F64.(LogDensity[float64]).LogLik
			var mass, mx, my, xx, xy, yy float64
			for i := -cells; i <= cells; i++ {
				for j := -cells; j <= cells; j++ {
					x, y, jac := warp(half[0]*float64(i)/cells, half[1]*float64(j)/cells)
					w := jac * math.Exp(loglik([]float64{x, y}))
					mass += w
					mx += w * x
					my += w * y
					xx += w * x * x
					xy += w * x * y
					yy += w * y * y
				}
			}
			mx, my = mx/mass, my/mass
			got := []float64{mx, my, xx/mass - mx*mx, xy/mass - mx*my, xy/mass - mx*my, yy/mass - my*my}
			truth := p.F64.(Truth).Truth()
			want := append(append([]float64(nil), truth.Mean...), truth.Cov...)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-7 {
					t.Errorf("moment %d: integrated %v, Truth has %v", i, got[i], want[i])
				}
			}
		})
	}
}

// With the default step both samplers must stay near the density for 2·10⁵
// steps from random starts. The bounds are loose: pSGLD without Γ is biased
// (PAPER §4), on the banana by a factor of 2 in the variances.
func TestDensityDefaultsRun(t *testing.T) {
	for _, spec := range append([]string{"gaussian:cov=1,0.9,0.9,1", "mixture:gap=6", "funnel:s=0.5"}, densities...) {
		for _, alpha := range []float64{0, 0.99} {
			p := open(t, spec, Options{})
			truth := p.F64.(Truth).Truth()
			theta := point(p, 5)
			var sum, square [2]float64
			const steps = 200_000
			w := walk{target: p.F64, eps: p.Defaults.Eps, alpha: alpha, steps: steps, bound: 1e3}
			if at := w.run(theta, 5, func(x []float64) {
				for i := range x {
					sum[i] += x[i]
					square[i] += x[i] * x[i]
				}
			}); at >= 0 {
				t.Errorf("%s, α %v: diverged at step %d", spec, alpha, at)
				continue
			}
			for i := range sum {
				mean := sum[i] / steps
				v, want := square[i]/steps-mean*mean, truth.Cov[3*i]
				if !(v > want/2 && v < 4*want) {
					t.Errorf("%s, α %v: coordinate %d has variance %v, truth %v", spec, alpha, i, v, want)
				}
				if off := math.Abs(mean - truth.Mean[i]); off > 1.2*math.Sqrt(want) {
					t.Errorf("%s, α %v: coordinate %d has mean %v, truth %v", spec, alpha, i, mean, truth.Mean[i])
				}
			}
		}
	}
}

// pSGLD's first step with V₀ = 0 has noise √(10ε/|ḡ|); with gradients of at
// least a tenth of a standard unit it stays within a few widths of the density.
func TestDensityStart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, spec := range append([]string{"gaussian:cov=1,0.99,0.99,1", "mixture:gap=0"}, densities...) {
		p := open(t, spec, Options{})
		truth := p.F64.(Truth).Truth()
		theta, grad := make([]float64, 2), make([]float64, 2)
		for k := range 10_000 {
			z := []float64{r.NormFloat64(), r.NormFloat64()}
			if k == 0 {
				z = []float64{0, 0}
			}
			p.Init(theta, z)
			p.F64.Grad(grad, theta, nil)
			for i := range grad {
				if sd := math.Sqrt(truth.Cov[3*i]); !(math.Abs(grad[i])*sd > 0.1) {
					t.Fatalf("%s: start %v from %v has gradient %v", spec, theta, z, grad)
				}
			}
		}
	}
}

func TestDensityProblem(t *testing.T) {
	for _, spec := range densities {
		p := open(t, spec, Options{})
		if len(p.Names) != 2 || p.Dim() != 2 || p.N() != 1 || p.HasData() || p.Impl() != any(p.F64) {
			t.Errorf("%s: not a density in the plane: %+v", spec, p)
		}
		truth := p.F64.(Truth).Truth()
		f := p.Frame
		for i, span := range [][2]float64{{f.X0, f.X1}, {f.Y0, f.Y1}} {
			sd, m := math.Sqrt(truth.Cov[3*i]), truth.Mean[i]
			if !(span[0] < m-sd && span[1] > m+sd) || span[1]-span[0] > 12*sd {
				t.Errorf("%s: frame %v of coordinate %d, mean %v, sd %v", spec, span, i, m, sd)
			}
		}
		dst, hess, theta := make([]float64, 2), make([]float64, 2), []float64{0.3, -0.2}
		if n := alloctest.PerRun(100, func() {
			p.F64.Grad(dst, theta, nil)
			p.F64.(HessianDiag[float64]).GradHessian(dst, hess, theta, nil)
			p.F64.(LogDensity[float64]).LogLik(theta)
		}); n != 0 {
			t.Errorf("%s: %v allocations", spec, n)
		}
	}
}

// That the truth is not known is said only for as long as it is not.
func TestDensityWithoutTruth(t *testing.T) {
	p, err := Open("density:normal(t1,0,1)+normal(t2,t1,1)+normal(t3,t2,1)", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if note := p.Remark(); !strings.HasSuffix(note, "are not known; --truth hmc estimates them") {
		t.Errorf("without a truth: %q", note)
	}
	p.Reference = &Reference{}
	if note := p.Remark(); note != "" {
		t.Errorf("with a truth: %q", note)
	}
}

// Far out and at the edge of float64 the mixture's gradient stays that of the
// nearer component, without NaN.
func TestMixtureFarOut(t *testing.T) {
	p := open(t, "mixture", Options{})
	m := p.F64.(*Mixture)
	grad := make([]float64, 2)
	m.Grad(grad, []float64{-1e6, 3}, nil)
	if want := -m.p1 * (-1e6 + m.gap/2); math.Abs(grad[0]-want) > 1e-6 {
		t.Errorf("gradient %v, want %v", grad[0], want)
	}
}
