package targets

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Gaussian is the bivariate normal N(0, Σ) of PAPER §1, with N = 1 and no prior: ḡ = ∇ log p(θ) = -Σ⁻¹θ.
type Gaussian struct {
	planar
	// The Hessian -Σ⁻¹ of the log density.
	h00, h01, h11 float64
	noise         float64
	cov           [3]float64 // Σ₁₁, Σ₁₂, Σ₂₂
}

var (
	_ Fisher[float64] = (*Gaussian)(nil)
	_ Stationary      = (*Gaussian)(nil)
	_ NoisyGradient   = (*Gaussian)(nil)
)

// NewGaussian returns N(0, Σ) with Σ = (c11 c12; c12 c22) and gradient noise of standard deviation noise per
// coordinate. Σ must be positive definite and its inverse finite.
func NewGaussian(c11, c12, c22, noise float64) (*Gaussian, error) {
	for _, x := range []float64{c11, c12, c22, noise} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, errors.New("the covariance must be finite")
		}
	}
	if noise < 0 {
		return nil, fmt.Errorf("noise must not be negative, got %v", noise)
	}
	// With the correlation instead of the determinant nothing over- or underflows before the entries themselves would.
	rho := c12 / math.Sqrt(c11) / math.Sqrt(c22)
	rest := (1 - rho) * (1 + rho)
	if !(c11 > 0 && c22 > 0 && rest > 1e-14) {
		return nil, fmt.Errorf("covariance (%v, %v; %v, %v) is not positive definite", c11, c12, c12, c22)
	}
	g := &Gaussian{
		h00:   -1 / c11 / rest,
		h01:   rho / math.Sqrt(c11) / math.Sqrt(c22) / rest,
		h11:   -1 / c22 / rest,
		noise: noise,
		cov:   [3]float64{c11, c12, c22},
	}
	if math.IsInf(g.h00, 0) || math.IsInf(g.h11, 0) {
		return nil, errors.New("the covariance is too small to be inverted")
	}
	return g, nil
}

// slope is -Σ⁻¹θ.
func (g *Gaussian) slope(x, y float64) (dx, dy float64) {
	return float64(g.h00*x) + float64(g.h01*y), float64(g.h01*x) + float64(g.h11*y)
}

// Grad writes -Σ⁻¹θ to dst.
func (g *Gaussian) Grad(dst, theta []float64, _ []int32) {
	y, x := theta[1], theta[0]
	_ = dst[1]
	dst[0], dst[1] = g.slope(x, y)
}

// GradEach implements Several.
func (g *Gaussian) GradEach(dst, theta []float64) {
	dst = dst[:len(theta)]
	for k := 1; k < len(theta); k += 2 {
		dst[k-1], dst[k] = g.slope(theta[k-1], theta[k])
	}
}

// GradHessian writes -Σ⁻¹θ to dst and -diag Σ⁻¹ to hess.
func (g *Gaussian) GradHessian(dst, hess, theta []float64, batch []int32) {
	g.Grad(dst, theta, batch)
	hess[0], hess[1] = g.h00, g.h11
}

// GradLogLik writes -Σ⁻¹θ to dst, and returns -½ θᵀΣ⁻¹θ.
func (g *Gaussian) GradLogLik(dst, theta []float64, batch []int32) float64 {
	x, y := theta[0], theta[1]
	g.Grad(dst, theta, batch)
	return 0.5 * (float64(x*dst[0]) + float64(y*dst[1]))
}

// HessianVec writes -Σ⁻¹v to dst, which is what Grad makes of v.
func (g *Gaussian) HessianVec(dst, _, v []float64, batch []int32) { g.Grad(dst, v, batch) }

// Fisher writes the precision matrix Σ⁻¹ to dst.
func (g *Gaussian) Fisher(dst, _ []float64, _ []int32) {
	_ = dst[3]
	dst[0], dst[1], dst[2], dst[3] = -g.h00, -g.h01, -g.h01, -g.h11
}

// FisherSlope writes 0 to dst, since the precision does not depend on θ.
func (g *Gaussian) FisherSlope(dst, _, _ []float64, _ []int32) { clear(dst[:2]) }

// LogLik is -½ θᵀΣ⁻¹θ, the log density without its constant.
func (g *Gaussian) LogLik(theta []float64) float64 {
	x, y := theta[0], theta[1]
	return 0.5 * (float64(x*(float64(g.h00*x)+float64(2*g.h01*y))) + float64(g.h11*y*y))
}

// Truth is mean 0 and covariance Σ.
func (g *Gaussian) Truth() Moments {
	return Moments{
		Mean: []float64{0, 0},
		Cov:  []float64{g.cov[0], g.cov[1], g.cov[1], g.cov[2]},
	}
}

// GradNoise is the standard deviation of the gradient noise.
func (g *Gaussian) GradNoise() float64 { return g.noise }

// eigen returns the eigenvalues v1 ≥ v2 of Σ and the unit eigenvector (c, s) of v1; that of v2 is (-s, c).
func (g *Gaussian) eigen() (v1, v2, c, s float64) {
	if g.cov[1] == 0 { // exact
		if g.cov[0] >= g.cov[2] {
			return g.cov[0], g.cov[2], 1, 0
		}
		return g.cov[2], g.cov[0], 0, 1
	}
	mean := float64(g.cov[0]/2) + float64(g.cov[2]/2)
	r := libm.Hypot(float64(g.cov[0]/2)-float64(g.cov[2]/2), g.cov[1])
	s, c = libm.Sincos(0.5 * math.Atan2(2*g.cov[1], g.cov[0]-g.cov[2]))
	v1 = mean + r
	// v1·v2 = det Σ, without the cancellation of mean - r. det Σ = -Σ₁₁/h11.
	return v1, -g.cov[0] / g.h11 / v1, c, s
}

// SGLDCov writes the stationary covariance of SGLD at a constant step.
//
// Along an eigenvector of Σ with variance σ² = 1/p a step is
//
//	θ' = (1 - εp/2) θ + (ε/2) s z₁ + √(Tε) z₂,
//
// an AR(1) process, where s is the gradient noise and z₁, z₂ are independent standard normals. So the variance is
//
//	(Tε + ε²s²/4) / (1 - (1 - εp/2)²),
//
// which for T = 1, s = 0 is σ²/(1 - ε/(4σ²)) (PAPER §4). It exists for 0 < ε < 4σ². No term is dropped.
func (g *Gaussian) SGLDCov(dst []float64, eps, temp float64) bool {
	_ = dst[3]
	if !(eps > 0 && eps < g.MaxStep() && temp >= 0) {
		return false
	}
	v1, v2, c, s := g.eigen()
	w1, w2 := sgldVariance(v1, eps, temp, g.noise), sgldVariance(v2, eps, temp, g.noise)
	dst[0] = float64(w1*c*c) + float64(w2*s*s)
	dst[1] = (w1 - w2) * c * s
	dst[2] = dst[1]
	dst[3] = float64(w1*s*s) + float64(w2*c*c)
	return true
}

// sgldVariance is the stationary variance along an eigenvector with variance v.
func sgldVariance(v, eps, temp, noise float64) float64 {
	// 1 - (1-a)² = a(2-a) with a = εp/2 does not cancel at small ε.
	a := eps / (2 * v)
	return (float64(temp*eps) + float64(eps*eps*noise*noise/4)) / (a * (2 - a))
}

// MaxStep is 4σ²_min, with σ²_min the smallest eigenvalue of Σ.
func (g *Gaussian) MaxStep() float64 {
	_, v2, _, _ := g.eigen()
	return 4 * v2
}

// start writes a start point to dst, given two standard normals: coordinate i is σᵢzᵢ, moved out to σᵢ/2 if it is
// nearer to the mean. With V₀ = 0, pSGLD's first step is of the order of √(ε/|ḡ|), which is enormous where a coordinate
// of ḡ is near zero (PAPER §4). With correlated coordinates ḡ can vanish away from the mean too; the second coordinate
// then changes its sign, which makes both coordinates of ḡ large.
func (g *Gaussian) start(dst, z []float64) {
	s0, s1 := math.Sqrt(g.cov[0]), math.Sqrt(g.cov[2])
	x := s0 * math.Copysign(max(math.Abs(z[0]), 0.5), z[0])
	y := s1 * math.Copysign(max(math.Abs(z[1]), 0.5), z[1])
	if s0*math.Abs(float64(g.h00*x)+float64(g.h01*y)) < 0.25 || s1*math.Abs(float64(g.h01*x)+float64(g.h11*y)) < 0.25 {
		y = -y
	}
	dst[0], dst[1] = x, y
}

var gaussianFamily = Family{
	Name:  "gaussian",
	Usage: "gaussian[:a=VARIANCE|cov=C11,C12,C21,C22|d=DIMENSIONS[;cond=RATIO]][;noise=SD]",
	Doc: "a normal density in the plane, N(0, diag(0.16, a)) or of any covariance, or of d dimensions " +
		"with variances from 1/cond to 1",
	Examples: []string{"gaussian", "gaussian:a=2", "gaussian:a=0.5", "gaussian:cov=1,0.9,0.9,1", "gaussian:noise=0.1",
		"gaussian:d=50;cond=100"},
	open: openGaussian,
}

func openGaussian(args string, _ Options) (*Problem, error) {
	for part := range strings.SplitSeq(args, ";") {
		if key, _, _ := strings.Cut(part, "="); strings.TrimSpace(key) == "d" {
			return openDiagonal(args)
		}
	}
	const first = 0.16 // variance of the first coordinate in the paper's §5.1
	var a, noise float64
	settings := []number{{"a", &a, 1, 1e-12, 1e12}, {"noise", &noise, 0, 0, 1e12}}
	second := settings[0].setting()
	var cov []float64
	given := false
	err := parseSettings("gaussian", args, []setting{
		{"a", func(v string) error {
			given = true
			return second.set(v)
		}},
		{"cov", func(v string) (err error) {
			cov, err = parseCov(v)
			return err
		}},
		settings[1].setting(),
		{"d", nil}, // openDiagonal's
		{"cond", func(string) error { return errors.New("is the ratio of variances in d dimensions; add d=DIMENSIONS") }},
	})
	if err != nil {
		return nil, err
	}
	if cov != nil && given {
		return nil, misuse("gaussian: a and cov exclude each other")
	}
	if cov == nil {
		cov = []float64{first, 0, 0, a}
	}
	a = cov[3]
	g, err := NewGaussian(cov[0], cov[1], a, noise)
	if err != nil {
		return nil, misuse("gaussian: %w", err)
	}
	c11, c12, c22 := format(cov[0]), format(cov[1]), format(a)
	spec, title := canonical("gaussian", settings), fmt.Sprintf("N(0, diag(%s, %s))", c11, c22)
	if cov[1] != 0 || cov[0] != first {
		spec = "gaussian:cov=" + strings.Join([]string{c11, c12, c12, c22}, ",")
		if noise != 0 {
			spec += ";noise=" + format(noise)
		}
	}
	if cov[1] != 0 {
		title = fmt.Sprintf("N(0, (%s %s; %s %s))", c11, c12, c12, c22)
	}
	if noise != 0 {
		title += ", noisy gradient"
	}
	const sds = 3.5
	x, y := sds*math.Sqrt(cov[0]), sds*math.Sqrt(a)
	// ε = 0.3 is the paper's figure 1(b). A narrower Gaussian, on which that would be
	// unstable for SGLD, gets the same fraction of its own bound.
	p := planarProblem(g, spec, title, min(0.3, niceBelow(g.MaxStep()*0.47)), Frame{-x, x, -y, y})
	docs := []string{"the variance of θ₂", "the standard deviation of the gradient noise"}
	if strings.Contains(spec, "cov=") {
		settings, docs = settings[1:], docs[1:]
	}
	p.Params = parameters(settings, docs...)
	return p, nil
}

func parseCov(value string) ([]float64, error) {
	parts := strings.Split(value, ",")
	c := make([]float64, len(parts))
	ok := len(parts) == 4
	for i, p := range parts {
		x, fine := finite(p)
		c[i], ok = x, ok && fine
	}
	if !ok {
		return nil, fmt.Errorf("must be four numbers c11,c12,c21,c22, got %q", value)
	}
	if c[1] != c[2] {
		return nil, fmt.Errorf("must be symmetric (c12 = c21), got %q", value)
	}
	return c, nil
}
