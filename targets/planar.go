package targets

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// planar is what densities in the plane have in common.
type planar struct{}

// Dim is 2.
func (planar) Dim() int { return 2 }

// N is 1.
func (planar) N() int { return 1 }

// A density is what every density in the plane offers.
type density interface {
	HessianDiag[float64]
	LikelihoodGradient[float64]
	HessianVec[float64]
	LogDensity[float64]
	Several[float64]
	Truth
	Exact
	Written
	// start writes a start point to dst, given two standard normals.
	start(dst, z []float64)
}

// planarProblem is a density with a step size for SGLD and the part of the plane that shows it.
func planarProblem(t density, spec, title string, eps float64, frame Frame) *Problem {
	return &Problem{
		Spec: spec, Title: title, F64: t, Names: []string{"theta[1]", "theta[2]"}, Frame: frame,
		Defaults: Defaults{Eps: eps, Thin: 1, Steps: 200_000}, Init: t.start, Disperse: 2,
	}
}

// niceBelow returns the largest 1, 2, 3 or 5 times a power of ten that is at most x.
func niceBelow(x float64) float64 {
	p := libm.Pow(10, math.Floor(libm.Log10(x)))
	for _, m := range []float64{5, 3, 2} {
		if m*p <= x {
			return m * p
		}
	}
	return p
}
