package targets

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The formulas are those of the targets: gradients agree to a few roundings.
func TestWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, spec := range []string{
		"gaussian", "gaussian:a=2", "gaussian:cov=1,0.9,0.9,2", "gaussian:cov=1,0,0,3;noise=0.1", "banana", "banana:b=-2;s1=0.4;s2=3",
		"mixture", "mixture:gap=1;w=0.1;s1=0.3;s2=2", "funnel", "funnel:s=2", "density:-(1-x)^2 - b*(y-x^2)^2;b=5", "density:-t1^4 - t3^2;d=5",
	} {
		p, err := Open(spec, Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, values := p.F64.(Written).Written()
		tape := f.Compile(p.Dim(), values)
		theta, want, got := make([]float64, p.Dim()), make([]float64, p.Dim()), make([]float64, p.Dim())
		for range 100 {
			for i := range theta {
				theta[i] = rng.NormFloat64()
			}
			p.F64.Grad(want, theta, nil)
			tape.Grad(got, theta)
			size := 1.0
			for _, x := range want {
				size = max(size, math.Abs(x))
			}
			for i, x := range want {
				if !(math.Abs(got[i]-x) <= 1e-11*size) {
					t.Fatalf("%s at %v: %v, want %v", spec, theta, got, want)
				}
			}
		}
	}
}
