package targets

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/psgld/psgld-tui/targets/logistic"
)

// jags is what .ci/jags prints: the posterior's moments by another program.
type jags struct {
	Target       string    `json:"target"`
	PriorVar     float64   `json:"prior_var"`
	Standardized bool      `json:"standardized"`
	Names        []string  `json:"names"`
	Mean         []float64 `json:"mean"`
	SD           []float64 `json:"sd"`
	MeanError    []float64 `json:"mean_error"` // Monte Carlo standard errors
	SDError      []float64 `json:"sd_error"`
}

// The posterior of JAGS's runs is that of the target with its defaults: the
// same data, scaling, order of weights, prior and likelihood. The moments are
// compared with importance sampling from a t distribution about the mode, with
// the inverse of Fisher information and prior precision as its scale.
//
// A difference may be 4.5 standard errors, those of both programs together, which
// one of 48 numbers exceeds by chance once in 3000 seeds. These are checked to be
// small, since otherwise the test would show nothing.
func TestPosteriorOfJAGS(t *testing.T) {
	if testing.Short() {
		t.Skip("a check of the densities against another program")
	}
	for _, file := range []string{"jags-synthetic.json", "jags-australian.json"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + file)
			if err != nil {
				t.Fatal(err)
			}
			var want jags
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			o := Options{}
			if want.Target == "blr:australian" {
				o.DataDir = dataDir(t)
			}
			p := open(t, want.Target, o)
			if p.Defaults.PriorVar != want.PriorVar {
				t.Errorf("prior variance %v, JAGS had %v", p.Defaults.PriorVar, want.PriorVar)
			}
			if len(want.Names) != p.Dim() {
				t.Fatalf("%d weights, JAGS had %d", p.Dim(), len(want.Names))
			}
			got := importance(t, p.F64.(*logistic.Regression), want.PriorVar, 40_000)
			for i, name := range p.Names {
				if name != want.Names[i] {
					t.Errorf("weight %d is %s, %s for JAGS", i, name, want.Names[i])
				}
				if !(want.MeanError[i] < 0.003) || !(want.SDError[i] < 0.01*want.SD[i]) {
					t.Errorf("%s: JAGS's errors %v and %v are too large", name, want.MeanError[i], want.SDError[i])
				}
				meanError := math.Hypot(got.MeanError[i], want.MeanError[i])
				sdError := math.Hypot(got.SDError[i], want.SDError[i])
				if off := math.Abs(got.Mean[i] - want.Mean[i]); off > 4.5*meanError || meanError > 0.03*want.SD[i] {
					t.Errorf("%s: mean %v, JAGS has %v; standard error %v", name, got.Mean[i], want.Mean[i], meanError)
				}
				if off := math.Abs(got.SD[i] - want.SD[i]); off > 4.5*sdError || sdError > 0.03*want.SD[i] {
					t.Errorf("%s: standard deviation %v, JAGS has %v; standard error %v",
						name, got.SD[i], want.SD[i], sdError)
				}
			}
		})
	}
}

// importance returns the posterior's moments with their standard errors.
func importance(t *testing.T, l *logistic.Regression, priorVar float64, draws int) jags {
	t.Helper()
	const freedom = 6
	d, n := l.Dim(), float64(l.N())
	theta, grad, f := make([]float64, d), make([]float64, d), make([]float64, d*d)
	var chol mat.Cholesky
	for range 50 { // Newton's steps to the mode
		l.Grad(grad, theta, nil)
		l.Fisher(f, theta, nil)
		m := mat.NewSymDense(d, nil)
		for i := range d {
			grad[i] = n*grad[i] - theta[i]/priorVar
			for j := range d {
				m.SetSym(i, j, n*f[i*d+j])
			}
			m.SetSym(i, i, n*f[i*d+i]+1/priorVar)
		}
		if !chol.Factorize(m) {
			t.Fatal("Fisher information is not positive definite")
		}
		step := mat.NewVecDense(d, nil)
		if err := chol.SolveVecTo(step, mat.NewVecDense(d, grad)); err != nil {
			t.Fatal(err)
		}
		for i := range d {
			theta[i] += step.AtVec(i)
		}
	}
	var upper mat.TriDense // M = UᵀU, so that U⁻¹z has the covariance M⁻¹
	chol.UTo(&upper)
	logPosterior := func(x []float64) float64 {
		sum := l.LogLik(x)
		for _, v := range x {
			sum -= v * v / (2 * priorVar)
		}
		return sum
	}
	top := logPosterior(theta)
	r := rand.New(rand.NewPCG(12, 1))
	xs, ws := make([][]float64, draws), make([]float64, draws)
	total := 0.0
	for k := range xs {
		z := make([]float64, d)
		square := 0.0
		for i := range z {
			z[i] = r.NormFloat64()
			square += z[i] * z[i]
		}
		chi := 0.0
		for range freedom {
			v := r.NormFloat64()
			chi += v * v
		}
		shrink := math.Sqrt(freedom / chi)
		x := mat.NewVecDense(d, nil)
		if err := x.SolveVec(&upper, mat.NewVecDense(d, z)); err != nil {
			t.Fatal(err)
		}
		xs[k] = make([]float64, d)
		for i := range d {
			xs[k][i] = theta[i] + shrink*x.AtVec(i)
		}
		logT := -0.5 * float64(freedom+d) * math.Log1p(square*shrink*shrink/freedom)
		ws[k] = math.Exp(logPosterior(xs[k]) - top - logT)
		total += ws[k]
	}
	out := jags{Mean: make([]float64, d), SD: make([]float64, d), MeanError: make([]float64, d),
		SDError: make([]float64, d)}
	for i := range d {
		mean, variance := 0.0, 0.0
		for k, x := range xs {
			mean += ws[k] / total * x[i]
		}
		for k, x := range xs {
			variance += ws[k] / total * (x[i] - mean) * (x[i] - mean)
		}
		meanVar, varVar := 0.0, 0.0
		for k, x := range xs {
			w, c := ws[k]/total, (x[i]-mean)*(x[i]-mean)
			meanVar += w * w * c
			varVar += w * w * (c - variance) * (c - variance)
		}
		out.Mean[i], out.SD[i] = mean, math.Sqrt(variance)
		out.MeanError[i], out.SDError[i] = math.Sqrt(meanVar), math.Sqrt(varVar)/(2*out.SD[i])
	}
	return out
}
