package landscape_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/landscape"
)

func explore(t *testing.T, text string) *landscape.Landscape {
	t.Helper()
	f, err := formula.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return landscape.Explore(f.Compile(f.Dim, nil), nil)
}

// Of a normal density all is known: the mode, the widths, the largest curvature and the moments.
func TestNormal(t *testing.T) {
	// The precision is 2.5, 1.5; 1.5, 2.5, with the eigenvalues 4 and 1, and the covariance
	// 0.625, -0.375; -0.375, 0.625.
	l := explore(t, "-0.5*(2.5*(x-3)^2 + 3*(x-3)*(y+1) + 2.5*(y+1)^2)")
	near := func(what string, got, want, tolerance float64) {
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("mode", l.Mode[0], 3, 1e-5)
	near("mode", l.Mode[1], -1, 1e-5)
	near("peak", l.Peak, 0, 1e-9)
	near("sd", l.SD[0], math.Sqrt(0.625), 1e-9)
	near("curvature", l.Steep, 4, 1e-9)
	m := l.Quadrature()
	if m == nil {
		t.Fatal("its moments cannot be told")
	}
	// The mass beyond a box of 7.7 standard deviations is 1e-14.
	for i, want := range []float64{0.625, -0.375, -0.375, 0.625} {
		near("covariance", m.Cov[i], want, 1e-9)
	}
	for side, mode := range l.Mode {
		if lo, hi := l.Frame.Lo[side], l.Frame.Hi[side]; lo > mode-2*l.SD[side] || hi < mode+2*l.SD[side] ||
			hi-lo > 14*l.SD[side] {
			t.Errorf("the frame's side is %v to %v", lo, hi)
		}
	}
}

// What has no mode, no point where it is finite, or mass everywhere is not taken for a density.
func TestNone(t *testing.T) {
	for _, text := range []string{"x", "0*x*y", "log(-1-x^2)", "-log(1+x^2)/4"} {
		if m := explore(t, text).Quadrature(); m != nil {
			t.Errorf("%s has the moments %+v", text, m)
		}
	}
}

// A ridge that crosses the box's side between two places where one looks is no end of the mass: y = b x² + N(0, s²), x
// normal, has the mean b and the variance 2b² + s², or it is not known.
func TestRidgeAcrossTheSide(t *testing.T) {
	for _, c := range []struct{ b, s float64 }{{1, 0.5}, {1, 0.05}, {1, 0.02}, {3, 0.5}, {3, 0.1}, {3, 0.05}} {
		m := explore(t, fmt.Sprintf("-x^2/2-((y-%v*x^2)/%v)^2/2", c.b, c.s)).Quadrature()
		if m == nil && c.s >= 0.05*c.b {
			t.Errorf("b = %v, s = %v: its moments cannot be told", c.b, c.s)
		}
		if v := float64(2*c.b*c.b) + float64(c.s*c.s); m != nil &&
			!(math.Abs(m.Mean[1]-c.b) < (2*m.Error+1e-4)*math.Sqrt(v) && math.Abs(m.Cov[3]-v) < (2*m.Error+1e-4)*v) {
			t.Errorf("b = %v, s = %v: %+v, want the mean %v and the variance %v", c.b, c.s, m, c.b, v)
		}
	}
}

// Of a bent valley, whose y falls steeply at its lower end, x is normal and y = x² + N(0, 1/40). 400,000 draws know
// the quantiles to 0.3% of an sd in the middle and to 1% at the ends.
func TestQuantilesOfAValley(t *testing.T) {
	at := explore(t, "-(1-x)^2 - 20*(y-x^2)^2").Quantiles(100)
	rng := rand.New(rand.NewPCG(1, 1))
	draws := [2][]float64{}
	for range 400_000 {
		x := 1 + rng.NormFloat64()/math.Sqrt2
		draws[0] = append(draws[0], x)
		draws[1] = append(draws[1], x*x+rng.NormFloat64()/math.Sqrt(40))
	}
	for i, of := range draws {
		slices.Sort(of)
		for k, q := range at[i] {
			share, _ := slices.BinarySearch(of, q)
			p, want := float64(share)/float64(len(of)), float64(k+1)/100
			if math.Abs(p-want) > 0.002 { // a standard error is at most 0.0008
				t.Errorf("coordinate %d: quantile %.2f is that at %.4f", i, want, p)
			}
		}
	}
}
