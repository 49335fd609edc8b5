package tanhnet

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
)

// byHand is the network's output from the definition.
func byHand(hidden []int, theta, x []float64) float64 {
	a := x
	for _, h := range hidden {
		next := make([]float64, h)
		for j := range next {
			u := theta[len(a)*h+j]
			for i, v := range a {
				u += v * theta[i*h+j]
			}
			next[j] = math.Tanh(u)
		}
		theta, a = theta[(len(a)+1)*h:], next
	}
	z := theta[len(a)]
	for i, v := range a {
		z += v * theta[i]
	}
	return z
}

// Sums of some ten terms of order 1, whose tanh errs by 10⁻¹⁵.
func TestFunctionIsTheDefinition(t *testing.T) {
	for _, hidden := range [][]int{{1}, {5}, {16}, {3, 7}, {64, 64}} {
		places := Grid(1, 51, 3)
		r := Regression(hidden, 0, dataset.Points{}, dataset.Points{}, places)
		theta, got := targettest.Randoms(r.Dim(), 3), make([]float64, len(places))
		r.Function(got, theta)
		for i, x := range places {
			if want := byHand(hidden, theta, []float64{x}); math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("%v: f(%v) = %v, want %v", hidden, x, got[i], want)
			}
		}
		if got, want := r.Noise(theta), 0.3*math.Exp(theta[len(theta)-1]); math.Abs(got/want-1) > 1e-14 {
			t.Errorf("noise %v, want %v", got, want)
		}
		places = Grid(2, 11, 2.5)
		c := Classification(hidden, dataset.Points{}, dataset.Points{}, places)
		theta, got = targettest.Randoms(c.Dim(), 3), make([]float64, len(places)/2)
		c.Function(got, theta)
		for i := range got {
			want := 1 / (1 + math.Exp(-byHand(hidden, theta, places[2*i:][:2])))
			if math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("%v: f(%v) = %v, want %v", hidden, places[2*i:][:2], got[i], want)
			}
		}
	}
}

// The likelihood is of y, normalised, and P(Y < y) its integral.
func TestHeldOut(t *testing.T) {
	y := []float64{-0.5, 0, 0.7}
	d := dataset.Points{X: []float64{-1, 0, 1}, Y: y}
	r := Regression([]int{4}, 0.2, d, d, nil)
	theta := targettest.Randoms(r.Dim(), 5)
	density, below := make([]float64, 3), make([]float64, 3)
	r.HeldOut(density, below, theta)
	sum := 0.0
	for i, x := range d.X {
		e := (y[i] - byHand([]int{4}, theta, []float64{x})) / 0.2
		p := math.Exp(-e*e/2) / 0.2 / math.Sqrt(2*math.Pi)
		if math.Abs(density[i]/p-1) > 1e-12 || math.Abs(below[i]-(1+math.Erf(e/math.Sqrt2))/2) > 1e-12 {
			t.Errorf("density %v, want %v; below %v", density[i], p, below[i])
		}
		sum += math.Log(p)
	}
	if got := r.LogLik(theta); math.Abs(got-sum) > 1e-10 {
		t.Errorf("log-likelihood %v, want %v", got, sum)
	}
}
