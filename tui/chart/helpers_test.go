package chart

import (
	"math"
	"math/rand/v2"

	"github.com/psgld/psgld-tui/tui/theme"
)

// laneAt is lane i modulo the number of lanes.
func laneAt(th theme.Theme, i int) *theme.LaneLook { return &th.Lane[i%theme.NumLanes] }

// laneSeries is a series in the colours and marks of a lane.
func laneSeries(th theme.Theme, i int, name string, xs, ys []float64) Series {
	l := laneAt(th, i)
	return Series{Name: name, X: xs, Y: ys, Style: l.Style, Glyph: l.Glyph, Line: l.Line}
}

// curves are smooth curves with a little noise, the same at every call.
func curves(n int) (xs, fast, slow []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		t := float64(i) * 12000 / float64(n)
		xs = append(xs, t)
		fast = append(fast, 0.15+2/math.Sqrt(t+5)*math.Exp(0.1*r.NormFloat64()))
		slow = append(slow, 0.22+5/math.Sqrt(t+5)*math.Exp(0.1*r.NormFloat64()))
	}
	return xs, fast, slow
}

// cloud is n draws of N(0, diag(0.16, 1)).
func cloud(n int) (xs, ys []float64) {
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		xs = append(xs, 0.4*r.NormFloat64())
		ys = append(ys, r.NormFloat64())
	}
	return xs, ys
}

func logDensity(x, y float64) float64 { return -x*x/0.32 - y*y/2 }
