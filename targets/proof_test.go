package targets

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
	"github.com/psgld/psgld-tui/targets/landscape"
)

// proofs hold what a target offers against something else that it offers, by the interface that
// declares it. A proof does nothing and returns false where the target does not offer that.
var proofs = map[string]func(s *subject) bool{
	"Target": func(s *subject) bool { return either(s, target[float64], target[float32]) },
	"LikelihoodGradient": func(s *subject) bool {
		return either(s, likelihoodGradient[float64], likelihoodGradient[float32])
	},
	"LogDensity": func(s *subject) bool { return either(s, logDensity[float64], logDensity[float32]) },
	"Several":    func(s *subject) bool { return either(s, several[float64], several[float32]) },
	"Stochastic": func(s *subject) bool { return either(s, stochastic[float64], stochastic[float32]) },
	"Distiller":  func(s *subject) bool { return either(s, distiller[float64], distiller[float32]) },
	"Predictor":  func(s *subject) bool { return either(s, predictor[float64], predictor[float32]) },
	"PicturePredictor": func(s *subject) bool {
		return either(s, picturePredictor[float64], picturePredictor[float32])
	},
	"Forker":        func(s *subject) bool { return either(s, forker[float64], forker[float32]) },
	"Fork":          func(s *subject) bool { return either(s, forker[float64], forker[float32]) },
	"HessianDiag":   double(hessianDiag),
	"HessianVec":    double(hessianVec),
	"Fisher":        double(fisher),
	"Outside":       double(outside),
	"Scale":         scaled,
	"Truth":         truth,
	"Exact":         exact,
	"Stationary":    stationary,
	"NoisyGradient": noisyGradient,
	"Layered":       layered,
	"Pictures":      pictures,
	"Multiplier":    multiplier,
	"Written":       writtenOut,
	"Functional":    functional,
}

// A subject is a target that proves itself.
type subject struct {
	testing.TB
	p      *Problem
	points [][]float64 // where it does so
	batch  []int32     // some of its data, one of them twice; nil where it takes no minibatches
}

// prove has a problem and all that its target offers prove themselves, and returns the names of
// the interfaces that it offers.
func prove(t testing.TB, p *Problem) (offered []string) {
	s := &subject{TB: t, p: p}
	problem(s)
	r := rand.New(rand.NewPCG(1, 2))
	points := 4
	if p.Dim() > 100 {
		points = 2
	}
	for k := range points {
		z, theta := make([]float64, p.Dim()), make([]float64, p.Dim())
		for i := range z {
			z[i] = r.NormFloat64()
		}
		p.Init(theta, z)
		if k%2 == 1 { // as far out as a start, but anywhere
			for i := range theta {
				theta[i] *= 3*r.Float64() - 1.5
			}
		}
		s.points = append(s.points, theta)
	}
	if n := p.N(); n > 1 && !p.Whole {
		s.batch = []int32{int32(n - 1), 0, int32(n / 2), 0, int32(n / 3), int32(n / 5), 1}
	}
	for name, proof := range proofs {
		if proof(s) {
			offered = append(offered, name)
		}
	}
	return offered
}

// The problem opens again by its spec, its start depends on the normals alone, and its names and
// defaults are those of such a target.
func problem(s *subject) {
	p, d := s.p, s.p.Dim()
	_, layers := p.Impl().(Layered)
	if n := len(p.Names); n != d && !(n == 0 && layers) {
		s.Errorf("%s: %d names in %d dimensions", p.Spec, n, d)
	}
	for i, name := range p.Names {
		if name == "" || slices.Contains(p.Names[:i], name) {
			s.Errorf("%s: coordinate %d is called %q", p.Spec, i, name)
		}
	}
	f := p.Defaults
	if p.Title == "" || layers != (p.Dataset != "") || (f.Eps > 0) == (f.LR > 0) || f.Thin < 1 || f.Steps == 0 ||
		(p.HasData() && !p.OwnPrior) != (f.PriorVar > 0) || f.Batch < 0 || f.Batch > p.N() || p.Frame.X0 > p.Frame.X1 ||
		p.Frame.Y0 > p.Frame.Y1 {
		s.Errorf("%s: %+v", p.Spec, p)
	}
	for _, q := range p.Params {
		if q.Doc == "" || !strings.HasPrefix(q.Key, KeyPrefix) || q.Check(q.Default) != nil || q.Check(q.Lo) != nil ||
			q.Check(q.Hi) != nil {
			s.Errorf("%s: parameter %+v", p.Spec, q)
		}
	}
	z, a, b := targettest.Randoms(d, 1), blank[float64](d), blank[float64](d)
	p.Init(a, z)
	p.Init(b, z)
	bits(s, "a start", a, b)
	bits(s, "the normals of a start", z, targettest.Randoms(d, 1))
	if size := sized(a); math.IsNaN(size) || math.IsInf(size, 0) {
		s.Errorf("%s: the start %v", p.Spec, a)
	}
	if _, apart := p.F64.(Outside[float64]); p.N() == 1 && !apart {
		defaultsRun(s, 0)
		defaultsRun(s, 0.99)
	}
}

// defaultsRun has SGLD, or pSGLD of an α, go over a density with its default step from a start. It
// does not leave the density and, where the density has its standard settings, its moments are near
// the true ones. The bounds are loose: pSGLD without Γ is biased (PAPER §4), on the banana by a
// factor of 2 in the variances, and without bound where a valley is more bent.
func defaultsRun(s *subject, alpha float64) {
	d := s.p.Dim()
	steps := 200_000 / d
	sum, square := make([]float64, d), make([]float64, d)
	w := walk{target: s.p.F64, eps: s.p.Defaults.Eps, alpha: alpha, steps: steps, bound: 1e3}
	if at := w.run(point(s.p, 5), 5, func(x []float64) {
		for i := range x {
			sum[i] += x[i]
			square[i] += x[i] * x[i]
		}
	}); at >= 0 {
		s.Errorf("%s, α %v: diverged at step %d", s.p.Spec, alpha, at)
		return
	}
	x, ok := s.p.F64.(Truth)
	if !ok || strings.Contains(s.p.Spec, ":") {
		return
	}
	for i, m := 0, x.Truth(); i < d; i++ {
		mean := sum[i] / float64(steps)
		v, want := square[i]/float64(steps)-mean*mean, m.Cov[i*d+i]
		if !(v > want/2 && v < 4*want) || math.Abs(mean-m.Mean[i]) > 1.2*math.Sqrt(want) {
			s.Errorf("%s, α %v: coordinate %d has mean %v and variance %v, in truth %v and %v",
				s.p.Spec, alpha, i, mean, v, m.Mean[i], want)
		}
	}
}

// either calls the proof in the arithmetic of the target.
func either(s *subject, double func(*subject, Target[float64]) bool, single func(*subject, Target[float32]) bool) bool {
	if s.p.F32 != nil {
		return single(s, s.p.F32)
	}
	return double(s, s.p.F64)
}

// double is a proof for targets in float64. No other offers what it is about.
func double(proof func(*subject, Target[float64]) bool) func(*subject) bool {
	return func(s *subject) bool { return s.p.F64 != nil && proof(s, s.p.F64) }
}

// near reports numbers that differ by more than a part of the size, which is 1 at least.
func (s *subject) near(what string, got, want, size, tol float64) {
	s.Helper()
	if !(math.Abs(got-want) <= tol*max(1, size)) {
		s.Errorf("%s: %s is %v, want %v", s.p.Spec, what, got, want)
	}
}

// all reports the first of numbers that differ by more than a part of the largest, which is 1 at least.
func all[F Float](s *subject, what string, got []F, want []float64, tol float64) {
	s.Helper()
	size := max(1, sized(want))
	for i, w := range want {
		if !(math.Abs(float64(got[i])-w) <= tol*size) {
			s.Errorf("%s: %s: component %d is %v, want %v", s.p.Spec, what, i, got[i], w)
			return
		}
	}
}

// bits reports numbers that differ in a bit.
func bits[F Float](s *subject, what string, got, want []F) {
	s.Helper()
	for i, w := range want {
		if math.Float64bits(float64(got[i])) != math.Float64bits(float64(w)) {
			s.Errorf("%s: %s: component %d is %v, want %v", s.p.Spec, what, i, got[i], w)
			return
		}
	}
}

// spare reports allocations of f, but for those of pools that are filled again now and then.
func (s *subject) spare(what string, f func()) {
	s.Helper()
	if _, apart := s.p.F64.(Outside[float64]); apart {
		return
	}
	if n := alloctest.PerRun(10, f); n != 0 {
		s.Errorf("%s: %s allocates %v times", s.p.Spec, what, n)
	}
}

// at is a point in the arithmetic of a target.
func at[F Float](point []float64) []F {
	theta := make([]F, len(point))
	for i, x := range point {
		theta[i] = F(x)
	}
	return theta
}

// blank is n numbers that a target has to overwrite.
func blank[F Float](n int) []F {
	x := make([]F, n)
	for i := range x {
		x[i] = F(math.NaN())
	}
	return x
}

func sized[F Float](x []F) (most float64) {
	for _, v := range x {
		most = max(most, math.Abs(float64(v)))
	}
	return most
}

// slopes compares a gradient at θ with central differences of its function: in float64 along the
// axes, in float32 along its own part in each layer, since a coordinate alone changes too little.
//
// In float64 the step h = 10⁻⁵ leaves h²/6 of the third derivative and 10⁻¹⁶/h of the values. In
// float32 it leaves 10⁻⁶ of the values, and some percent where kinks of the network lie within h.
func slopes[F Float](s *subject, what string, theta, grad []F, f func(theta []F) float64) {
	s.Helper()
	up, down := slices.Clone(theta), slices.Clone(theta)
	if layers, ok := s.p.Impl().(Layered); ok {
		for _, l := range layers.Layers() {
			size := 0.0
			for _, g := range grad[l.From:l.To] {
				size += float64(g) * float64(g)
			}
			if size = math.Sqrt(size); size == 0 {
				continue
			}
			along, h := 0.0, 5e-4
			for i := l.From; i < l.To; i++ {
				step := F(h * float64(grad[i]) / size)
				up[i], down[i] = theta[i]+step, theta[i]-step
				along += float64(grad[i]) * (float64(up[i]) - float64(down[i]))
			}
			if diff := f(up) - f(down); !(math.Abs(diff-along) <= 0.05*along+4e-6*(1+math.Abs(f(theta)))) {
				s.Errorf("%s: %s of %s changes its function by %v, differences say %v",
					s.p.Spec, what, l.Name, along, diff)
			}
			copy(up[l.From:l.To], theta[l.From:l.To])
			copy(down[l.From:l.To], theta[l.From:l.To])
		}
		return
	}
	diff := make([]float64, len(theta))
	most := 0.0
	for i := range theta {
		h := F(1e-5 * max(1, math.Abs(float64(theta[i]))))
		up[i], down[i] = theta[i]+h, theta[i]-h
		a, b := f(up), f(down)
		most, diff[i] = max(most, math.Abs(a)), (a-b)/float64(up[i]-down[i])
		up[i], down[i] = theta[i], theta[i]
	}
	all(s, fmt.Sprintf("%s at %.3v", what, theta), grad, diff, 1e-6+1e-11*most) // the latter for the rounding of values
}

// The gradient is that of one datum on the mean over the data and over a minibatch.
func target[F Float](s *subject, x Target[F]) bool {
	d, n := x.Dim(), x.N()
	if d < 1 || n < 1 {
		s.Errorf("%s: %d dimensions, %d data", s.p.Spec, d, n)
	}
	for k, point := range s.points {
		theta := at[F](point)
		got := blank[F](d)
		x.Grad(got, theta, nil)
		if size := sized(got); math.IsNaN(size) || math.IsInf(size, 0) {
			s.Errorf("%s: the gradient at %v is %v", s.p.Spec, theta, got)
		}
		bits(s, "θ after a gradient", theta, at[F](point))
		if s.batch != nil && k == 0 {
			everything := make([]int32, n)
			for i := range everything {
				everything[i] = int32(i)
			}
			for _, c := range []struct {
				what        string
				batch, rows []int32
			}{{"the gradient of all data", nil, everything}, {"the gradient of a minibatch", s.batch, s.batch}} {
				sum, one := make([]float64, d), blank[F](d)
				for _, i := range c.rows {
					x.Grad(one, theta, []int32{i})
					for j, g := range one {
						sum[j] += float64(g) / float64(len(c.rows))
					}
				}
				x.Grad(got, theta, c.batch)
				all(s, c.what, got, sum, rounding[F]())
			}
		}
	}
	dst, theta := make([]F, d), at[F](s.points[0])
	s.spare("Grad", func() { x.Grad(dst, theta, nil); x.Grad(dst, theta, s.batch) })
	return true
}

// rounding is the part of the largest component by which sums of many terms differ.
func rounding[F Float]() float64 {
	if F(1e-10)+1 == 1 {
		return 1e-5
	}
	return 1e-12
}

// logLik is the log-likelihood of all data, where a target has it.
func logLik[F Float](x Target[F]) func(theta []F) float64 {
	switch x := x.(type) {
	case LogDensity[F]:
		return x.LogLik
	case LikelihoodGradient[F]:
		unread := make([]F, x.Dim())
		return func(theta []F) float64 { return float64(x.N()) * x.GradLogLik(unread, theta, nil) }
	}
	return nil
}

// The log-likelihood's gradient is Grad.
func logDensity[F Float](s *subject, x Target[F]) bool {
	if _, ok := x.(LogDensity[F]); !ok {
		return false
	}
	f := logLik(x)
	for _, point := range s.points {
		theta, grad := at[F](point), make([]F, x.Dim())
		x.Grad(grad, theta, nil)
		slopes(s, "the gradient", theta, grad, func(theta []F) float64 { return f(theta) / float64(x.N()) })
	}
	theta := at[F](s.points[0])
	s.spare("LogLik", func() { f(theta) })
	return true
}

// The gradient is Grad's, and the value that of which it is the gradient, of data by the mean.
func likelihoodGradient[F Float](s *subject, target Target[F]) bool {
	x, ok := target.(LikelihoodGradient[F])
	if !ok {
		return false
	}
	got, want := make([]F, x.Dim()), make([]F, x.Dim())
	for _, point := range s.points {
		theta := at[F](point)
		copy(got, blank[F](len(got)))
		value := x.GradLogLik(got, theta, s.batch)
		x.Grad(want, theta, s.batch)
		bits(s, "GradLogLik's gradient", got, want)
		slopes(s, "GradLogLik's gradient", theta, got,
			func(theta []F) float64 { return x.GradLogLik(want, theta, s.batch) })
		mean := 0.0
		for _, i := range s.batch {
			mean += x.GradLogLik(got, theta, []int32{i}) / float64(len(s.batch))
		}
		if s.batch != nil {
			s.near("the mean log-likelihood of a minibatch", value, mean, math.Abs(mean), rounding[F]())
		}
		if all, ok := target.(LogDensity[F]); ok {
			sum := all.LogLik(theta)
			s.near("the log-likelihood of GradLogLik", x.GradLogLik(got, theta, nil)*float64(x.N()), sum,
				math.Abs(sum), rounding[F]())
		}
	}
	theta := at[F](s.points[0])
	s.spare("GradLogLik", func() { x.GradLogLik(got, theta, s.batch) })
	return true
}

// The diagonal of the Hessian is that of differences of the gradient.
func hessianDiag(s *subject, target Target[float64]) bool {
	x, ok := target.(HessianDiag[float64])
	if !ok {
		return false
	}
	d := x.Dim()
	grad, hess, want := blank[float64](d), blank[float64](d), blank[float64](d)
	for _, theta := range s.points {
		for _, batch := range batches(s) {
			x.GradHessian(grad, hess, theta, batch)
			x.Grad(want, theta, batch)
			all(s, "GradHessian's gradient", grad, want, 1e-12)
			moved, up, down := slices.Clone(theta), make([]float64, d), make([]float64, d)
			for i := range theta {
				h := 1e-5 * max(1, math.Abs(theta[i]))
				moved[i] = theta[i] + h
				x.Grad(up, moved, batch)
				moved[i] = theta[i] - h
				x.Grad(down, moved, batch)
				moved[i] = theta[i]
				want[i] = (up[i] - down[i]) / (2 * h)
			}
			all(s, fmt.Sprintf("the Hessian's diagonal at %.3v", theta), hess, want, 1e-6)
		}
	}
	s.spare("GradHessian", func() { x.GradHessian(grad, hess, s.points[0], s.batch) })
	return true
}

// batches are all data and, where there are minibatches, one.
func batches(s *subject) [][]int32 {
	if s.batch == nil {
		return [][]int32{nil}
	}
	return [][]int32{nil, s.batch}
}

// The Hessian's product with a vector is that of differences of the gradient, is symmetric, and
// has the diagonal of GradHessian. The differences err by h²/6 of the third derivative along v,
// which grows with |v|³.
func hessianVec(s *subject, target Target[float64]) bool {
	x, ok := target.(HessianVec[float64])
	if !ok {
		return false
	}
	d := x.Dim()
	for k, theta := range s.points {
		u, v := targettest.Randoms(d, uint64(2*k)), targettest.Randoms(d, uint64(2*k+1))
		scale(u)
		scale(v)
		for _, batch := range batches(s) {
			targettest.HessianVec(s, x, theta, u, v, batch, 1e-5)
			diag, ok := target.(HessianDiag[float64])
			if !ok {
				continue
			}
			grad, hess, unit, column := make([]float64, d), make([]float64, d), make([]float64, d), blank[float64](d)
			diag.GradHessian(grad, hess, theta, batch)
			for i := range min(d, 5) {
				unit[i] = 1
				x.HessianVec(column, theta, unit, batch)
				unit[i] = 0
				s.near(fmt.Sprintf("entry %d of the Hessian's column", i), column[i], hess[i], sized(column), 1e-12)
			}
		}
	}
	dst := make([]float64, d)
	s.spare("HessianVec", func() { x.HessianVec(dst, s.points[0], s.points[1], s.batch) })
	return true
}

// scale makes v a unit vector.
func scale(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(sum)
	}
}

// The Fisher information is symmetric and not negative, the mean of its data's, and has the
// slope of differences. Without data it is minus the Hessian.
func fisher(s *subject, target Target[float64]) bool {
	x, ok := target.(Fisher[float64])
	if !ok {
		return false
	}
	d := x.Dim()
	theta := s.points[0]
	f, one, sum := blank[float64](d*d), make([]float64, d*d), make([]float64, d*d)
	x.Fisher(f, theta, s.batch)
	for _, i := range s.batch {
		x.Fisher(one, theta, []int32{i})
		for j, v := range one {
			sum[j] += v / float64(len(s.batch))
		}
	}
	if s.batch != nil {
		all(s, "the Fisher information of a minibatch", f, sum, 1e-12)
	}
	v, fv, hv := targettest.Randoms(d, 3), make([]float64, d), make([]float64, d)
	square := 0.0
	for i := range d {
		for j := range d {
			if f[i*d+j] != f[j*d+i] {
				s.Errorf("%s: the Fisher information is not symmetric", s.p.Spec)
			}
			fv[i] += f[i*d+j] * v[j]
		}
		square += v[i] * fv[i]
	}
	if !(square >= 0) {
		s.Errorf("%s: vᵀFv is %v", s.p.Spec, square)
	}
	if h, ok := target.(HessianVec[float64]); ok && x.N() == 1 {
		h.HessianVec(hv, theta, v, nil)
		for i := range hv {
			hv[i] = -hv[i]
		}
		all(s, "Fv, minus the Hessian's product", fv, hv, 1e-12)
	}
	a := targettest.Randoms(d*d, 4)
	for i := range d {
		for j := range i {
			a[i*d+j] = a[j*d+i]
		}
	}
	targettest.FisherSlope(s, x, theta, a, s.batch, 1e-6)
	s.spare("Fisher", func() { x.Fisher(f, theta, s.batch); x.FisherSlope(hv, theta, a, s.batch) })
	return true
}

// Gradients at several points are those at each.
func several[F Float](s *subject, target Target[F]) bool {
	x, ok := target.(Several[F])
	if !ok {
		return false
	}
	d := x.Dim()
	for n := range len(s.points) + 1 {
		theta, want := []F{}, []F{}
		for _, point := range s.points[:n] {
			theta = append(theta, at[F](point)...)
			want = append(want, make([]F, d)...)
			x.Grad(want[len(want)-d:], at[F](point), nil)
		}
		got := blank[F](n * d)
		x.GradEach(got, theta)
		bits(s, "GradEach", got, want)
	}
	return true
}

// With nothing to draw the gradient is GradLogLik's. With something it depends on the random
// numbers alone and, unless layers draw by θ too, is that of its value: stochastic pooling takes
// another cell where θ moves, and the tests of package nets hold its gradient.
func stochastic[F Float](s *subject, target Target[F]) bool {
	x, ok := target.(Stochastic[F])
	if !ok {
		return false
	}
	theta := at[F](s.points[0])
	got, want := make([]F, x.Dim()), make([]F, x.Dim())
	a, b := x.GradRandom(got, theta, s.batch, mixer(1), KeepAll), x.GradRandom(got, theta, s.batch, mixer(2), KeepAll)
	if a == b {
		target.(LikelihoodGradient[F]).GradLogLik(want, theta, s.batch)
		bits(s, "GradRandom without dropout", got, want)
	}
	var r nets.Random = mixer(4)
	keep := Keep{Input: 0.8, Hidden: 0.5}
	value := x.GradRandom(got, theta, s.batch, r, keep)
	if again := x.GradRandom(want, theta, s.batch, r, keep); again != value {
		s.Errorf("%s: GradRandom returns %v and %v", s.p.Spec, value, again)
	}
	bits(s, "GradRandom", got, want)
	if x.GradRandom(want, theta, s.batch, mixer(5), keep) == value {
		s.Errorf("%s: GradRandom draws nothing", s.p.Spec)
	}
	if a == b {
		slopes(s, "GradRandom's gradient", theta, got,
			func(theta []F) float64 { return x.GradRandom(want, theta, s.batch, r, keep) })
	}
	s.spare("GradRandom", func() { x.GradRandom(want, theta, s.batch, r, keep) })
	return true
}

// The gradient is that of its value, which is largest for a student like the teacher.
func distiller[F Float](s *subject, target Target[F]) bool {
	x, ok := target.(Distiller[F])
	if !ok {
		return false
	}
	student, teacher := at[F](s.points[0]), at[F](s.points[1])
	got, other := make([]F, x.Dim()), make([]F, x.Dim())
	best := x.GradDistill(got, teacher, teacher, s.batch, nil, 0)
	if size := sized(got); size > 1e-6 {
		s.Errorf("%s: a student like its teacher has a gradient of %v", s.p.Spec, size)
	}
	for _, jitter := range []float64{0, 0.1} {
		var r nets.Random = mixer(3)
		value := x.GradDistill(got, student, teacher, s.batch, r, jitter)
		if jitter == 0 && !(value < best) {
			s.Errorf("%s: Σ p log q is %v, and %v at p itself", s.p.Spec, value, best)
		}
		slopes(s, "GradDistill's gradient", student, got,
			func(theta []F) float64 { return x.GradDistill(other, theta, teacher, s.batch, r, jitter) })
	}
	return true
}

// The probabilities of the classes are positive and add up to 1. Where the training set has
// labels, their logarithms add up to the log-likelihood.
func predictor[F Float](s *subject, target Target[F]) bool {
	x, ok := target.(Predictor[F])
	if !ok {
		return false
	}
	c := x.Classes()
	for _, split := range []dataset.Split{dataset.Train, dataset.Test} {
		labels := x.Labels(split)
		if labels == nil {
			continue
		}
		theta, probs, sum := at[F](s.points[0]), blank[float64](len(labels)*c), 0.0
		x.Predict(probs, theta, split)
		for r, y := range labels {
			if y < 0 || int(y) >= c {
				s.Errorf("%s: row %d has label %d of %d classes", s.p.Spec, r, y, c)
				return true
			}
			total := 0.0
			for _, q := range probs[r*c:][:c] {
				if !(q >= 0) {
					s.Errorf("%s: row %d has a probability of %v", s.p.Spec, r, q)
				}
				total += q
			}
			s.near("the sum of a row's probabilities", total, 1, 1, 1e-6)
			sum += math.Log(probs[r*c+int(y)])
		}
		if split == dataset.Train {
			want := logLik(target)(theta)
			s.near("the labels' log probability", sum, want, math.Abs(want), 1e-10)
		}
		s.spare("Predict", func() { x.Predict(probs, theta, split) })
	}
	return true
}

// Images have the probabilities that Predict gives their rows, whichever others are beside them.
func picturePredictor[F Float](s *subject, target Target[F]) bool {
	x, ok := target.(PicturePredictor[F])
	if !ok {
		return false
	}
	c, theta := x.Classes(), at[F](s.points[0])
	all, got := make([]float64, len(x.Labels(dataset.Test))*c), make([]float64, 3*c)
	x.Predict(all, theta, dataset.Test)
	var pixels []uint8
	var want []float64
	for _, row := range []int{len(all)/c - 1, 0, 4} {
		pixels = append(pixels, x.Picture(dataset.Test, row)...)
		want = append(want, all[row*c:][:c]...)
	}
	x.PredictPictures(got, theta, pixels)
	bits(s, "PredictPictures", got, want)
	s.spare("PredictPictures", func() { x.PredictPictures(got, theta, pixels) })
	if n := x.Multiplications(); n < 1 {
		s.Errorf("%s: %d multiplications", s.p.Spec, n)
	}
	return true
}

// A fork of any number of workers has the bits of the target.
func forker[F Float](s *subject, target Target[F]) bool {
	x, ok := target.(Forker[F])
	if !ok {
		return false
	}
	theta, want, got := at[F](s.points[0]), make([]F, target.Dim()), make([]F, target.Dim())
	for workers := 1; workers <= 3; workers++ {
		fork := x.Fork(workers)
		target.Grad(want, theta, s.batch)
		fork.Grad(got, theta, s.batch)
		bits(s, fmt.Sprintf("the gradient of %d workers", workers), got, want)
		if a, ok := target.(Stochastic[F]); ok {
			a.GradRandom(want, theta, s.batch, mixer(4), Keep{Input: 0.8, Hidden: 0.5})
			fork.(Stochastic[F]).GradRandom(got, theta, s.batch, mixer(4), Keep{Input: 0.8, Hidden: 0.5})
			bits(s, fmt.Sprintf("GradRandom of %d workers", workers), got, want)
		}
		var calls [50]int
		fork.Each(len(calls), func(_, i int) { calls[i]++ })
		if slices.Max(calls[:]) != 1 || slices.Min(calls[:]) != 1 {
			s.Errorf("%s: Each of %d workers calls %v times", s.p.Spec, workers, calls)
		}
		s.spare("a fork's gradient", func() { fork.Grad(got, theta, s.batch) })
		fork.Close()
	}
	return true
}

// The moments of a plane are those that quadrature has, to twice its error or 10⁻⁹. Where that
// gives up, exact draws must show them, see exact, or a constant Fisher information, whose
// inverse the covariance is.
func truth(s *subject) bool {
	x, ok := s.p.Impl().(Truth)
	if !ok {
		return false
	}
	m, d := x.Truth(), s.p.Dim()
	if len(m.Mean) != d || len(m.Cov) != d*d {
		s.Errorf("%s: a mean of %d and a covariance of %d numbers in %d dimensions",
			s.p.Spec, len(m.Mean), len(m.Cov), d)
		return true
	}
	_, shown := s.p.Impl().(Exact)
	if f, ok := s.p.F64.(Fisher[float64]); ok && s.p.N() == 1 {
		shown = true
		info := make([]float64, d*d)
		f.Fisher(info, s.points[0], nil)
		for i := range d {
			for j := range d {
				sum, want := 0.0, 0.0
				for k := range d {
					sum += info[i*d+k] * m.Cov[k*d+j]
				}
				if i == j {
					want = 1
				}
				s.near("an entry of FΣ", sum, want, 1, 1e-10)
			}
		}
	}
	if of, ok := s.p.F64.(asked); ok && d <= 2 {
		if q := landscape.Explore(inquiry{of}, nil).Quadrature(); q != nil {
			shown = true
			tol := max(2*q.Error, 1e-9)
			for i := range d {
				sd := math.Sqrt(q.Cov[i*d+i])
				s.near(fmt.Sprintf("mean %d in standard deviations", i), m.Mean[i]/sd, q.Mean[i]/sd, 1, tol)
				for j := range d {
					s.near(fmt.Sprintf("covariance %d, %d relative to the variances", i, j),
						m.Cov[i*d+j]/sd/math.Sqrt(q.Cov[j*d+j]), q.Cov[i*d+j]/sd/math.Sqrt(q.Cov[j*d+j]), 1, tol)
				}
			}
		}
	}
	if !shown {
		s.Errorf("%s: nothing shows that its mean and covariance are true", s.p.Spec)
	}
	for i, side := range [][2]float64{{s.p.Frame.X0, s.p.Frame.X1}, {s.p.Frame.Y0, s.p.Frame.Y1}}[:min(d, 2)] {
		if sd := math.Sqrt(m.Cov[i*d+i]); d <= 2 &&
			(!(side[0] < m.Mean[i]-sd && side[1] > m.Mean[i]+sd) || side[1]-side[0] > 12*sd) {
			s.Errorf("%s: frame %v of coordinate %d, mean %v, sd %v", s.p.Spec, side, i, m.Mean[i], sd)
		}
	}
	for k := range 1000 { // no start has a gradient near zero, which pSGLD's first step divides by
		theta, grad := make([]float64, d), make([]float64, d)
		s.p.Init(theta, targettest.Randoms(d, uint64(k)))
		s.p.F64.Grad(grad, theta, nil)
		for i := range grad {
			if sd := math.Sqrt(m.Cov[i*d+i]); !(math.Abs(grad[i])*sd > 0.1) {
				s.Errorf("%s: the start %v has gradient %v", s.p.Spec, theta, grad)
				return true
			}
		}
	}
	return true
}

// asked is what package landscape asks of a density.
type asked interface {
	LikelihoodGradient[float64]
	HessianDiag[float64]
	HessianVec[float64]
	LogDensity[float64]
}

// inquiry is a landscape.Density.
type inquiry struct{ of asked }

func (q inquiry) Dim() int                            { return q.of.Dim() }
func (q inquiry) Len() int                            { return 20 } // so that quadrature may take 10⁶ cells
func (q inquiry) Value(theta []float64) float64       { return q.of.LogLik(theta) }
func (q inquiry) Grad(dst, theta []float64) float64   { return q.of.GradLogLik(dst, theta, nil) }
func (q inquiry) GradHessian(dst, h, theta []float64) { q.of.GradHessian(dst, h, theta, nil) }
func (q inquiry) HessianVec(dst, theta, v []float64)  { q.of.HessianVec(dst, theta, v, nil) }

// Draws have the target's moments, and its gradient: E θᵢ ∂ⱼ log p = -δᵢⱼ. Random draws err by
// √(var/n), and even ones by less. A difference may be 4.5 standard errors, which one of some 300
// numbers exceeds by chance once in 500 seeds.
func exact(s *subject) bool {
	x, ok := s.p.Impl().(Exact)
	if !ok {
		return false
	}
	const n = 40_000
	d, r := s.p.Dim(), rand.New(rand.NewPCG(1, 3))
	random := make([][]float64, d)
	z, to := make([]float64, d+1), make([]float64, d)
	for range n {
		for i := range z {
			z[i] = r.NormFloat64()
		}
		x.Exact(to, z)
		for i, v := range to {
			random[i] = append(random[i], v)
		}
	}
	m := Moments{Mean: make([]float64, d), Cov: make([]float64, d*d)}
	if of, ok := s.p.Impl().(Truth); ok {
		m = of.Truth()
	}
	check := func(draws [][]float64, most float64) {
		mean := func(what string, want float64, f func(k int) float64) {
			sum, squares := 0.0, 0.0
			for k := range n {
				v := f(k)
				sum += v
				squares += v * v
			}
			mean := sum / n
			se := math.Sqrt((squares/n - mean*mean) / n)
			if !(math.Abs(mean-want) < most*se+1e-12) {
				s.Errorf("%s: of exact draws %s is %v, want %v: %.1f standard errors",
					s.p.Spec, what, mean, want, (mean-want)/se)
			}
		}
		grads, theta := make([]float64, n*d), make([]float64, d)
		for k := range n {
			for i := range theta {
				theta[i] = draws[i][k]
			}
			s.p.F64.Grad(grads[k*d:][:d], theta, nil)
		}
		for i, a := range draws {
			mean("a mean", m.Mean[i], func(k int) float64 { return a[k] })
			for j, b := range draws {
				mean("a covariance", m.Cov[i*d+j],
					func(k int) float64 { return (a[k] - m.Mean[i]) * (b[k] - m.Mean[j]) })
				want := 0.0
				if i == j {
					want = -1
				}
				mean("θ∇log p", want, func(k int) float64 { return a[k] * grads[k*d+j] })
			}
		}
	}
	check(random, 4.5)
	check(Sample(x, d, n), 1.5)
	return true
}

// A step leaves the stationary covariance C alone: ACAᵀ + (Tε + ε²s²/4) I = C with A = I + (ε/2)H,
// where s is the standard deviation of the gradient noise.
func stationary(s *subject) bool {
	x, ok := s.p.Impl().(Stationary)
	if !ok {
		return false
	}
	d, most := s.p.Dim(), x.MaxStep()
	noise := 0.0
	if n, ok := s.p.Impl().(NoisyGradient); ok {
		noise = n.GradNoise()
	}
	c, by := blank[float64](d*d), s.p.F64.(HessianVec[float64])
	step := func(dst, v []float64, eps float64) {
		by.HessianVec(dst, s.points[0], v, nil)
		for i := range dst {
			dst[i] = v[i] + eps/2*dst[i]
		}
	}
	for _, temp := range []float64{0, 0.01, 1} {
		for _, part := range []float64{1e-3, 0.4, 0.999} {
			eps := part * most
			if !x.SGLDCov(c, eps, temp) {
				s.Errorf("%s: no stationary covariance at ε = %v", s.p.Spec, eps)
				return true
			}
			half, next := make([]float64, d*d), make([]float64, d*d)
			// Matrices are symmetric, so that rows are columns: first CA, then ACA.
			for _, to := range [][2][]float64{{half, c}, {next, half}} {
				for i := range d {
					step(to[0][i*d:][:d], to[1][i*d:][:d], eps)
				}
				for i := range d {
					for j := range i {
						to[0][i*d+j], to[0][j*d+i] = to[0][j*d+i], to[0][i*d+j]
					}
				}
			}
			for i := range d {
				next[i*d+i] += temp*eps + eps*eps*noise*noise/4
			}
			all(s, fmt.Sprintf("the covariance after a step of %v", eps), next, c, 1e-12)
		}
	}
	for _, eps := range []float64{0, -1, most * 1.0001, math.NaN(), math.Inf(1)} {
		if x.SGLDCov(c, eps, 1) {
			s.Errorf("%s: a stationary covariance at ε = %v of %v", s.p.Spec, eps, most)
		}
	}
	return true
}

func noisyGradient(s *subject) bool {
	x, ok := s.p.Impl().(NoisyGradient)
	if ok && !(x.GradNoise() >= 0) {
		s.Errorf("%s: gradient noise of %v", s.p.Spec, x.GradNoise())
	}
	return ok
}

// Layers cover θ, one after another.
func layered(s *subject) bool {
	x, ok := s.p.Impl().(Layered)
	if !ok {
		return false
	}
	end := 0
	for _, l := range x.Layers() {
		if l.From != end || l.To-l.From != l.Rows*l.Cols || l.Name == "" {
			s.Errorf("%s: layer %+v after %d", s.p.Spec, l, end)
		}
		end = l.To
	}
	if end != s.p.Dim() {
		s.Errorf("%s: layers end at %d of %d", s.p.Spec, end, s.p.Dim())
	}
	return true
}

func pictures(s *subject) bool {
	x, ok := s.p.Impl().(Pictures)
	if !ok {
		return false
	}
	rows, cols, channels := x.PictureSize()
	if got := len(x.Picture(dataset.Train, s.p.N()-1)); got != rows*cols*channels || got == 0 {
		s.Errorf("%s: a picture of %d×%d×%d has %d bytes", s.p.Spec, rows, cols, channels, got)
	}
	if p, ok := s.p.Impl().(interface{ Classes() int }); ok && len(x.ClassNames()) != p.Classes() {
		s.Errorf("%s: %d classes with the names %q", s.p.Spec, p.Classes(), x.ClassNames())
	}
	return true
}

// Products are those of the definition.
func multiplier(s *subject) bool {
	x, ok := s.p.Impl().(Multiplier)
	if !ok {
		return false
	}
	const m, k, n = 5, 7, 3
	a, b := at[float32](targettest.Randoms(m*k, 1)), at[float32](targettest.Randoms(k*n, 2))
	turned := make([]float32, m*k)
	for i := range m {
		for l := range k {
			turned[l*m+i] = a[i*k+l]
		}
	}
	got, other := blank[float32](m*n), blank[float32](m*n)
	x.MatMul(got, a, b, m, k, n)
	x.MatTMul(other, turned, b, m, k, n)
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range k {
				sum += float64(a[i*k+l]) * float64(b[l*n+j])
			}
			s.near("an entry of a product", float64(got[i*n+j]), sum, 1, 1e-5)
			s.near("an entry of a product from the left", float64(other[i*n+j]), sum, 1, 1e-5)
		}
	}
	return true
}

// The formula is the log density up to a constant: it has its gradient and Hessian, and rises from
// point to point as it does, to a few roundings.
func writtenOut(s *subject) bool {
	x, ok := s.p.Impl().(Written)
	if !ok {
		return false
	}
	f, values := x.Written()
	d, tape := s.p.Dim(), f.Stepped(s.p.Dim(), values, scaleOf(s.p))
	got, want, other := make([]float64, d), make([]float64, d), make([]float64, d)
	for k, theta := range s.points {
		s.p.F64.Grad(want, theta, nil)
		tape.Grad(got, theta)
		all(s, "the formula's gradient", got, want, 1e-11)
		of, ok := s.p.F64.(asked)
		if !ok {
			continue
		}
		from, v := s.points[0], targettest.Randoms(d, uint64(k))
		rise := of.LogLik(theta) - of.LogLik(from)
		s.near("the formula's rise between two points", tape.Value(theta)-tape.Value(from), rise, math.Abs(rise), 1e-11)
		of.HessianVec(want, theta, v, nil)
		tape.HessianVec(got, theta, v)
		all(s, "the formula's Hessian times a vector", got, want, 1e-11)
		of.GradHessian(other, want, theta, nil)
		tape.GradHessian(other, got, theta)
		all(s, "the Hessian's diagonal of the formula", got, want, 1e-11)
	}
	return true
}

// Parameters that are shown step back to where they came from, and the two are not one.
func scaled(s *subject) bool {
	if s.p.Scale == nil {
		return false
	}
	x, back := make([]float64, s.p.Dim()), make([]float64, s.p.Dim())
	for _, theta := range s.points {
		s.p.Scale.Show(x, theta)
		if err := s.p.Scale.Step(back, x); err != nil || slices.Equal(x, theta) {
			s.Errorf("%s: θ %v is shown as %v: %v", s.p.Spec, theta, x, err)
		}
		all(s, "θ of its parameters", back, theta, 1e-9)
	}
	return true
}

// scaleOf is a formula's scale, nil without one.
func scaleOf(p *Problem) *formula.Scale {
	scale, _ := p.Scale.(*formula.Scale)
	return scale
}

// A model in a process of its own answers as the first one does, and counts what it was asked.
func outside(s *subject, target Target[float64]) bool {
	x, ok := target.(Outside[float64])
	if !ok {
		return false
	}
	want, got := make([]float64, x.Dim()), make([]float64, x.Dim())
	x.Grad(want, s.points[0], nil)
	a := x.Apart()
	defer a.Close()
	a.Under(context.Background())
	a.Grad(got, s.points[0], nil)
	if n, _ := a.Asked(); n != 1 || a.Err() != nil || x.Err() != nil {
		s.Errorf("%s: asked %d times, errors %v and %v", s.p.Spec, n, a.Err(), x.Err())
	}
	if x.Repeats() {
		bits(s, "the gradient of another process", got, want)
	}
	return true
}

// A function is finite at each of its places, which lie about the data, and allocates nothing.
func functional(s *subject) bool {
	f, ok := s.p.F64.(Functional)
	if !ok {
		return false
	}
	places, d := f.Places(), f.Data(dataset.Train)
	if in := f.Inputs(); in < 1 || in > 2 || len(places)%in != 0 || len(d.X) != in*s.p.N() || len(d.Y) != s.p.N() {
		s.Errorf("%s: %d inputs, %d places, %d data", s.p.Spec, in, len(places), len(d.Y))
	}
	dst := blank[float64](len(places) / f.Inputs())
	for _, theta := range s.points {
		f.Function(dst, theta)
		if size := sized(dst); !(size < 1e6) {
			s.Errorf("%s: a function of %v", s.p.Spec, size)
		}
	}
	held := len(f.Data(dataset.Test).Y)
	density, below := make([]float64, held), make([]float64, held)
	s.spare("Function", func() { f.Function(dst, s.points[0]); f.HeldOut(density, below, s.points[0]) })
	for i, p := range density {
		if !(p >= 0 && p < 1e3 && below[i] >= 0 && below[i] <= 1) {
			s.Errorf("%s: held out, density %v and below %v", s.p.Spec, p, below[i])
		}
	}
	return true
}
