// Package targets holds what is sampled.
//
// That is densities, Bayesian logistic regression by way of package logistic, and networks by way of package nets. A
// target is a pure function of its parameters and of the minibatch that it is handed. It holds no randomness and keeps
// no state between calls, so that lanes share one or, where it is a Forker, its data.
package targets

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Float is the arithmetic of a target: float64 for densities and logistic regression, float32 for networks.
type Float interface{ ~float32 | ~float64 }

// A Target is a likelihood over a flat parameter vector θ ∈ ℝᴰ. The Gaussian prior N(0, σ²I) of a target with data is
// not part of it: the sampler adds -θ/σ², so that σ² can be turned while it runs.
type Target[F Float] interface {
	// Dim is D, the number of parameters.
	Dim() int
	// N is the number of data; 1 for a density without data, whose log
	// density then plays the part of the log-likelihood.
	N() int
	// Grad writes ḡ = (1/n) Σ_{i∈batch} ∇ log p(d_i | θ) to dst. A nil batch
	// means all N data. It keeps neither slice and does not allocate.
	Grad(dst, theta []F, batch []int32)
}

// HessianDiag is a Target that also knows the diagonal of its log-likelihood's
// Hessian, which the drift correction Γ of pSGLD needs.
type HessianDiag[F Float] interface {
	Target[F]
	// GradHessian writes ḡ to dst, as Grad does, and
	// h_i = (1/n) Σ_{j∈batch} ∂² log p(d_j | θ)/∂θ_i² to hess.
	GradHessian(dst, hess, theta []F, batch []int32)
}

// LikelihoodGradient is a Target that evaluates the log-likelihood on its way to the gradient.
type LikelihoodGradient[F Float] interface {
	Target[F]
	// GradLogLik writes ḡ to dst, with the same bits as Grad, and returns (1/n) Σ_{i∈batch} log p(d_i | θ), without the
	// prior; up to a constant for a density without data.
	GradLogLik(dst, theta []F, batch []int32) float64
}

// A Scale is how parameters are stepped that have bounds.
type Scale interface {
	// Show writes the parameters at θ to dst, which may be θ.
	Show(dst, theta []float64)
	// Step writes where the parameters x are stepped to dst, which is not x. The error says why that is nowhere.
	Step(dst, x []float64) error
}

// HessianVec is a Target whose Hessian can be multiplied by a vector.
type HessianVec[F Float] interface {
	Target[F]
	// HessianVec writes (1/n) Σ_{i∈batch} ∇²log p(d_i | θ) v to dst.
	HessianVec(dst, theta, v []F, batch []int32)
}

// Fisher is a Target whose expected Fisher information is known,
//
//	F(θ) = (1/n) Σ_{i∈batch} E_{y~p(·|x_i,θ)} [∇ log p(y | x_i, θ) ∇ log p(y | x_i, θ)ᵀ].
//
// For a density without data, a Gaussian, it is the precision matrix.
type Fisher[F Float] interface {
	Target[F]
	// Fisher writes F(θ) (row-major D×D, all of it) to dst.
	Fisher(dst, theta []F, batch []int32)
	// FisherSlope writes c_a = Σ_{b,j} ∂F_ab/∂θ_j A_bj (D numbers) to dst for a symmetric matrix A (row-major D×D).
	// With A = G = M⁻¹ and M = N F + I/σ², the drift correction is Γ_i = Σ_j ∂G_ij/∂θ_j = -N (G c)_i.
	FisherSlope(dst, theta, a []F, batch []int32)
}

// Keep is nets.Keep, the probabilities with which dropout keeps a unit.
type Keep = nets.Keep

// KeepAll is no dropout.
var KeepAll = Keep{Input: 1, Hidden: 1}

// Stochastic is a network whose gradient can draw random numbers, which depend on r alone.
type Stochastic[F Float] interface {
	Target[F]
	// GradRandom is GradLogLik with dropout, and with those layers drawing that always do in
	// training, as stochastic pooling does. Without anything to draw it has the same bits.
	GradRandom(dst, theta []F, batch []int32, r nets.Random, keep Keep) float64
}

// Distiller is a network that can be fitted to the predictions of another of the same shape, the teacher.
type Distiller[F Float] interface {
	Target[F]
	// GradDistill writes to dst the gradient by the student's parameters of
	//
	//	(1/n) Σ_{i∈batch} Σ_c p(c | x_i', teacher) log p(c | x_i', student),
	//
	// of a regression ∫ p(y | x_i', teacher) log p(y | x_i', student) dy in the place of the sum over classes, and
	// returns that mean. x' is x + jitter·N(0, I), in the units of an input, of pixels after division, drawn from r; x
	// itself where jitter is 0.
	GradDistill(dst, student, teacher []F, batch []int32, r nets.Random, jitter float64) float64
}

// Several is a Target without data whose gradient is evaluated at several points at once.
type Several[F Float] interface {
	Target[F]
	// GradEach writes to dst the gradients at the points of theta, which lie there one after
	// the other, with the same bits as Grad.
	GradEach(dst, theta []F)
}

// LogDensity is a Target whose log-likelihood can be evaluated.
type LogDensity[F Float] interface {
	// LogLik returns Σ_{i=1..N} log p(d_i | θ), without the prior. For a
	// density without data it is log p(θ) up to a constant.
	LogLik(theta []F) float64
}

// Moments are the mean (length D) and covariance (row-major D×D) of a distribution.
type Moments struct {
	Mean, Cov []float64
}

// Truth is a Target whose mean and covariance are known exactly.
type Truth interface {
	Truth() Moments
}

// Stationary is a Target for which the stationary distribution of the Euler discretisation of Langevin dynamics (SGLD
// at a constant step) is known, and with it the bias of the step size.
type Stationary interface {
	// SGLDCov writes to dst the stationary covariance (row-major D×D) of SGLD with step
	// ε at temperature T. It returns false where the step is too large to have one.
	SGLDCov(dst []float64, eps, temp float64) bool
	// MaxStep returns the step size 4σ²_min at and above which SGLD diverges.
	MaxStep() float64
}

// NoisyGradient is a Target whose gradient is to be observed with added
// N(0, sd²) noise per coordinate, which the engine draws.
type NoisyGradient interface {
	GradNoise() float64
}

// Predictor is a Target that classifies.
type Predictor[F Float] interface {
	// Classes is the number of classes C.
	Classes() int
	// Labels returns the class of each row of a split, 0..C-1; nil where there
	// is no such split. The caller does not change it.
	Labels(s dataset.Split) []int32
	// Predict writes p(y = c | x_r, θ) to dst[r*C+c] for each row of a split. It does not allocate.
	Predict(dst []float64, theta []F, s dataset.Split)
}

// Forker is a Target that needs scratch memory. Every lane gets a fork, so that lanes
// run at the same time without waiting for each other.
type Forker[F Float] interface {
	// Fork returns a target that shares all data with this one and uses a number of workers, the caller included.
	// Results have the same bits for every number. Close ends the workers; the fork is not used after it.
	Fork(workers int) Fork[F]
}

// A Fork is what a Forker returns.
type Fork[F Float] interface {
	Target[F]
	// Each has the fork's workers call task once for every i < n, and returns when all
	// calls have. The fork does nothing else meanwhile.
	Each(n int, task func(worker, i int))
	Close()
}

// A Layer is the range of a network's θ with the parameters of one layer.
type Layer = nets.Block

// Layered is a Target whose parameters belong to layers.
type Layered interface {
	// Layers returns them in the order of θ. The caller does not change them.
	Layers() []Layer
}

// Pictures is a Predictor that classifies images.
type Pictures interface {
	// PictureSize is the size of every image.
	PictureSize() (rows, cols, channels int)
	// Picture returns row r of a split: rows × cols × channels bytes, row by
	// row, a pixel's channels side by side. The caller does not change it.
	Picture(s dataset.Split, r int) []uint8
	// ClassNames are what the classes are called, in order. The caller does not change them.
	ClassNames() []string
}

// A Reference is the mean, standard deviations and, unless D is large, covariance of a posterior as another method
// found them. Samplers are compared with it where no Truth is known.
type Reference struct {
	Mean     []float64 `json:"mean"`
	SD       []float64 `json:"sd"`
	Cov      []float64 `json:"cov,omitempty"` // nil or row-major D×D
	PriorVar float64   `json:"-"`             // σ² of the prior
	By       string    `json:"-"`             // the method that found it, or "exact"
	Draws    uint64    `json:"draws"`         // behind it; 0 for an exact one
	MinESS   float64   `json:"min_ess"`       // the least effective size of a coordinate
	RHat     float64   `json:"rhat"`          // the largest split R-hat of a coordinate
	Cached   bool      `json:"-"`             // found by an earlier run
	Error    float64   `json:"-"`             // of a numerical one, in standard deviations; 0 for none
	// Shares has for each coordinate the Shares - 1 quantiles that part the mass equally; nil where they are not known.
	Shares [][]float64 `json:"-"`
	// Quantiles are those at 5, 50 and 95% of a function at each of its places, of which then are Mean and SD too.
	Quantiles [][3]float64 `json:"quantiles,omitempty"`
	Tails     float64      `json:"tails,omitempty"` // Pareto's k of the heaviest tail of the draws; 0 if unknown
}

// StandardError is that of a mean, in standard deviations; 0 of none.
func (r *Reference) StandardError() float64 {
	if r.Draws == 0 {
		return r.Error
	}
	return 1 / math.Sqrt(r.MinESS)
}

// Shares is in how many a truth's mass is parted.
const Shares = 100

// Frame is the part of the plane, or of a line, that shows a target of so many dimensions.
type Frame struct{ X0, X1, Y0, Y1 float64 }

// Defaults are the settings that a target opens with. Zero means "the program's default".
type Defaults struct {
	Eps      float64 // ε; 0 where LR is given
	LR       float64 // h = εN/2
	PlainLR  float64 // h for samplers without a preconditioner; 0 for LR
	Batch    int     // n; 0 for the full data
	Thin     int
	BurnIn   uint64
	PriorVar float64 // σ²; 0 for no prior
	Temp     float64 // T; 0 for 1
	Steps    uint64  // of a run without a screen
}

// A Problem is an opened target with everything known about it. Either F64 or F32 is set.
type Problem struct {
	// Spec is the canonical form of the --target value that opens it again.
	Spec string
	// Title is what the screen's header shows, such as "N(0, diag(0.16, 1))".
	Title string
	// Taken is what was taken of a user's table as label, features and rows; empty for other targets.
	Taken string
	// Note is a remark for the user about what was opened, such as a fallback; often empty.
	Note string
	// NoTruth is why mean and covariance could not be worked out in opening; often empty.
	NoTruth string
	F64     Target[float64]
	F32     Target[float32]
	// Dataset is the value of Options.Dataset that opens the same data again; empty for targets that ignore it.
	Dataset string
	// Names are the coordinates' names, D of them; nil for networks, whose coordinates are theta[1] to theta[D].
	Names []string
	// Frame bounds a target in the plane for drawing, or with its X side one on a line; zero otherwise.
	Frame    Frame
	Defaults Defaults
	// Own are default values of methods that are others on this target, by the method's name and the parameter's key.
	Own map[string]map[string]float64
	// Curvature is about the largest second derivative of the negative log posterior along a coordinate, near its mode at
	// the default prior, by which methods take their step; 0 where Defaults have the step.
	Curvature float64
	// Reference is nil unless one was asked for and found, or worked out in opening.
	Reference *Reference
	// Function is the truth of a Functional target's function, one number of each for each of its places, by which such
	// a target is judged in the place of Reference; nil where it is not known. The Monte Carlo errors are at most
	// SD/√MinESS of a mean, and SD/√(2 MinESS) of a standard deviation.
	Function *Reference
	// Unproved says that nothing shows whether the density can be normalised.
	Unproved bool
	// Params declares the target's own parameters, with the values that it was opened with as
	// defaults. Their keys begin with KeyPrefix. See Problem.With.
	Params []param.Param

	// Added are data that were added to those of a Functional target, in their order. See Problem.Plus.
	Added []Datum
	bare  Target[float64] // without Added; nil where there never were any

	// OwnPrior says that the target has its prior, and that samplers add none.
	OwnPrior bool
	// Scale is how parameters with bounds are stepped, nil where θ is the parameters. Draws, their names and whatever is
	// measured of them are the parameters. What samplers see is θ.
	Scale Scale

	// reopen is the problem with other values of Params, nil where its Spec has all that it is made of.
	reopen func(values []float64) (*Problem, error)

	own    *Reference // worked out in opening
	opened *Problem   // of which With made it; nil for one that was opened
	values []float64  // of Params, if With made it
	// Init writes the default random start to dst, given D standard normals.
	Init func(dst, z []float64)
	// Elsewhere are starts at other modes than Init's, if some were found: see InitOf.
	Elsewhere []func(dst, z []float64)
	// Whole says that the target evaluates all of its data at a time, and takes no minibatches.
	Whole bool
	// Table is the file of a data target; nil of others.
	Table *Table
	// Source gives the draws of the lanes that another program samples for; nil without any.
	Source Source
	// Disperse multiplies z for the starts of a lane's second chain and those after it, so
	// that they lie further out than the target's draws; 0 stands for 1.
	Disperse float64
}

// InitOf is Init of a chain, from 0. Chains begin at one mode after the other, the first at that of Init.
func (p *Problem) InitOf(chain int, dst, z []float64) {
	init := p.Init
	if at := chain % (len(p.Elsewhere) + 1); at > 0 {
		init = p.Elsewhere[at-1]
	}
	init(dst, z)
}

// Known is the truth that p holds, nil without one: that of its function where it is one, and else that of θ.
func (p *Problem) Known() *Reference {
	if _, ok := p.F64.(Functional); ok {
		return p.Function
	}
	return p.Reference
}

// Hold has p hold a truth that was found for it.
func (p *Problem) Hold(ref *Reference) {
	if _, ok := p.F64.(Functional); ok {
		p.Function = ref
	} else {
		p.Reference = ref
	}
}

// Remark is what is to be said of p once: what was taken of its file, and its caveat.
func (p *Problem) Remark() string { return join(p.Taken, p.Caveat()) }

// Caveat is p's note, and without a truth why there is none.
func (p *Problem) Caveat() string {
	if p.Reference != nil {
		return p.Note
	}
	return join(p.Note, p.NoTruth)
}

// join puts a semicolon between those texts that are not empty.
func join(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), "; ")
}

// Name is the name of coordinate i, from 0.
func (p *Problem) Name(i int) string {
	if i < len(p.Names) {
		return p.Names[i]
	}
	return "theta[" + strconv.Itoa(i+1) + "]"
}

// Dim is D.
func (p *Problem) Dim() int {
	if p.F32 != nil {
		return p.F32.Dim()
	}
	return p.F64.Dim()
}

// N is the number of data, 1 for a density without data.
func (p *Problem) N() int {
	if p.F32 != nil {
		return p.F32.N()
	}
	return p.F64.N()
}

// HasData reports whether the target has data, and so minibatches, epochs and a prior.
func (p *Problem) HasData() bool { return p.N() > 1 }

// Predicts reports whether the target classifies.
func (p *Problem) Predicts() bool {
	switch p.Impl().(type) {
	case Predictor[float64], Predictor[float32]:
		return true
	}
	return false
}

// Exact is the reference of a target whose truth is known, nil for another.
func (p *Problem) Exact() *Reference {
	t, ok := p.Impl().(Truth)
	if !ok {
		return nil
	}
	m := t.Truth()
	r := &Reference{Mean: m.Mean, Cov: m.Cov, By: "exact"}
	r.SD = list.Map(list.Upto(len(m.Mean)), func(i int) float64 { return math.Sqrt(m.Cov[i*len(m.Mean)+i]) })
	return r
}

// Outside reports whether another process evaluates the target.
func (p *Problem) Outside() bool { _, ok := p.F64.(Outside[float64]); return ok }

// Impl returns the target itself, for the optional interfaces of this package.
func (p *Problem) Impl() any {
	if p.F32 != nil {
		return p.F32
	}
	return p.F64
}
