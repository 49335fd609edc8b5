package winograd

import (
	"math"
	"testing"
)

// column is a transform's matrix in float64, applied to one unit.
func (t *Transform) column(input int) []float64 {
	v := make([]float64, t.Inputs+len(t.Steps))
	v[input] = 1
	for i, s := range t.Steps {
		v[t.Inputs+i] = float64(s.Factor) * v[s.B]
		if s.A != None {
			v[t.Inputs+i] += v[s.A]
		}
	}
	out := make([]float64, len(t.Outputs))
	for i, o := range t.Outputs {
		out[i] = v[o]
	}
	return out
}

// The transforms make correlations of a line: y[i] = Σ w[j] x[i+j], and the gradient of
// that by the weights.
func TestTransformsAreAConvolution(t *testing.T) {
	for j := range Kernel {
		w := Weights.column(j)
		for k := range Points {
			x := Image.column(k)
			for i := range Tile {
				dy := ResultBack.column(i)
				var forward, weights float64
				for p := range Points {
					forward += Result.column(p)[i] * w[p] * x[p]
					weights += WeightsBack.column(p)[j] * x[p] * dy[p]
				}
				want := 0.
				if k == i+j {
					want = 1
				}
				if math.Abs(forward-want) > 1e-6 || math.Abs(weights-want) > 1e-6 {
					t.Errorf("y[%d] by w[%d] x[%d] is %g, and backwards %g, want %g", i, j, k, forward, weights, want)
				}
			}
		}
	}
}

// Of the two forms of a map one is the transpose of the other, rounded.
func TestTransposes(t *testing.T) {
	for _, c := range []struct{ a, b *Transform }{{Result, ResultBack}, {Weights, WeightsBack}} {
		for i := range c.a.Inputs {
			for j, v := range c.a.column(i) {
				if v != c.b.column(j)[i] {
					t.Errorf("%s has %g at %d, %d, and %s %g", c.a.Name, v, j, i, c.b.Name, c.b.column(j)[i])
				}
			}
		}
	}
}
