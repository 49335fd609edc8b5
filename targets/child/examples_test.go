//go:build unix

package child_test

import (
	"math"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/targets/child/childtest"
)

// The examples' gradients are those of their log-likelihoods, and the batches' means that of all
// data. Debian has what they need as python3-numpy, python3-torch and r-base-core.
func TestExamples(t *testing.T) {
	for _, example := range []struct {
		file, needs string
		dim, data   int
	}{
		{"numpy_model.py", "numpy", 2, 1000},
		{"torch_model.py", "torch", 3, 1000},
		{"model.R", "r", 2, 500},
	} {
		t.Run(example.file, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("interpreters and their libraries take seconds to load")
			}
			p := start(t, childtest.Interpreter(t, example.needs)+" examples/"+example.file, time.Minute)
			h, err := p.Hello(t.Context())
			if err != nil || h.Dim != example.dim || h.Data != example.data || !h.Minibatches || !h.LogDensity ||
				!h.Repeats {
				t.Fatalf("%+v, %v", h, err)
			}
			ask := func(theta []float64, batch []int32) (float64, []float64) {
				t.Helper()
				dst := make([]float64, h.Dim)
				logLik, err := p.Gradient(t.Context(), dst, theta, batch)
				if err != nil {
					t.Fatal(err)
				}
				return logLik, dst
			}
			theta := []float64{0.3, -0.2, 0.1}[:h.Dim]
			all := make([]int32, h.Data)
			for i := range all {
				all[i] = int32(i)
			}
			value, gradient := ask(theta, nil)
			sum, sums := 0.0, make([]float64, h.Dim)
			for _, half := range [][]int32{all[:h.Data/2], all[h.Data/2:]} {
				v, g := ask(theta, half)
				sum += v / 2
				for i, x := range g {
					sums[i] += x / 2
				}
			}
			for i := range theta {
				const d = 1e-5
				at := append([]float64(nil), theta...)
				at[i] += d
				up, _ := ask(at, nil)
				at[i] -= 2 * d
				down, _ := ask(at, nil)
				if slope := (up - down) / (2 * d); math.Abs(gradient[i]-slope) > 1e-6*(1+math.Abs(slope)) ||
					math.Abs(gradient[i]-sums[i]) > 1e-9*(1+math.Abs(sums[i])) {
					t.Errorf("gradient %d: %v, by differences %v, by halves %v", i, gradient[i], slope, sums[i])
				}
			}
			if math.Abs(value-sum) > 1e-9*(1+math.Abs(sum)) {
				t.Errorf("log-likelihood %v, of the halves %v", value, sum)
			}
		})
	}
}
