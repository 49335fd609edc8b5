package targets

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/child/childtest"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/logistic"
)

// slow says that the tests have the tag slow.
var slow bool

func TestMain(m *testing.M) {
	childtest.Serve()
	os.Exit(m.Run())
}

// examples are a family's, and of a family that has none a command that this test serves.
func examples(t *testing.T, f Family) []string {
	switch f.Name {
	case dataFamily.Name:
		return []string{DataPrefix + table(t) + ";y ~ normal(a + b*x, s);s > 0;s ~ cauchy(0, c);c=2.5",
			DataPrefix + table(t) + ";k ~ bernoulli_logit(a + b*x);m ~ poisson(exp(c + d*lag(x, 2)));a < c"}
	case stanFamilyName:
		w := childtest.Normal(2)
		w.Scale = true
		t.Setenv("PATH", w.Rscript(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
		path := filepath.Join(t.TempDir(), "normal.stan")
		if err := os.WriteFile(path, []byte("parameters { vector<lower=0>[2] x; }"), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{StanPrefix + path}
	case densityFamilyName:
		return append(slices.Clone(f.Examples), "density:gamma(x, k, 1);x > 0;k=0.5")
	case execFamily.Name:
	default:
		return f.Examples
	}
	data := childtest.Normal(3)
	data.Data, data.Minibatches = 20, true
	return []string{ModelPrefix + childtest.Normal(2).Command(), ModelPrefix + data.Command()}
}

// table is a file of data, with the columns x, y, k and m.
func table(t *testing.T) string {
	text := "x,y,k,m,note\n"
	for i := range 60 {
		x := math.Sin(float64(i))
		text += fmt.Sprintf("%.3f,%.3f,%d,%d,a word\n", x, 1+2*x+math.Cos(7*float64(i)), i%3%2, i%4)
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every family describes itself, its examples open as they are, and what they offer proves itself:
// as they are, and with their parameters turned up and down. Each interface is offered by a target.
func TestFamilies(t *testing.T) {
	o := Options{
		DataDir: os.Getenv("PSGLD_DATA"), Dataset: writeIDX(t, 12, 20),
		Commands: &child.Commands{Any: true, Limit: time.Minute, Kept: t.TempDir()},
	}
	seen, offered := map[string]bool{}, map[string]bool{}
	for _, f := range Families() {
		if seen[f.Name] || f.Usage == "" || f.Doc == "" || len(examples(t, f)) == 0 ||
			strings.ContainsAny(f.Usage+f.Doc, "\n\t") {
			t.Errorf("family %+v", f)
		}
		seen[f.Name] = true
		for i, spec := range examples(t, f) {
			if !slow && f.Images && i > 0 {
				break // they differ in layers, which package nets tests
			}
			t.Run(f.Name, func(t *testing.T) {
				if o.DataDir == "" && Absent(spec, o) != "" {
					t.Skip(spec + " needs PSGLD_DATA")
				}
				p := open(t, spec, o)
				if x, ok := p.F64.(Outside[float64]); ok {
					defer x.Close()
				}
				if p.Spec != spec {
					t.Errorf("%s became %s", spec, p.Spec)
				}
				for _, notches := range []float64{0, 1, -1} {
					to := p
					for _, q := range p.Params {
						var err error
						if to, err = to.With(q.Key, q.Turn(q.Default, notches)); err != nil {
							t.Fatal(err)
						}
					}
					if notches != 0 && to == p {
						break
					}
					for _, name := range prove(t, to) {
						offered[name] = true
					}
				}
			})
		}
	}
	for name := range proofs {
		if !offered[name] {
			t.Errorf("no target offers %s", name)
		}
	}
}

// What a target can offer has a proof: each exported interface of the package. A Source stands in the place of steps,
// and engine/source tests it.
func TestEveryInterfaceHasAProof(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && s.Name.IsExported() && !strings.HasSuffix(name, "_test.go") {
				other := s.Name.Name == "Float" || s.Name.Name == "Source"
				if _, ok := s.Type.(*ast.InterfaceType); ok && !other && proofs[s.Name.Name] == nil {
					t.Errorf("%s: no proof for %s", name, s.Name)
				}
			}
			return true
		})
	}
}

// ring is the density exp(-(|θ|² - r²)²/4c), of which |θ|² is normal above 0.
type ring struct {
	planar
	square, c float64 // r² and c
}

func (t *ring) Grad(dst, theta []float64, _ []int32) {
	u := -(theta[0]*theta[0] + theta[1]*theta[1] - t.square) / t.c
	dst[0], dst[1] = u*theta[0], u*theta[1]
}

func (t *ring) GradEach(dst, theta []float64) {
	for ; len(theta) > 0; dst, theta = dst[2:], theta[2:] {
		t.Grad(dst, theta, nil)
	}
}

func (t *ring) GradHessian(dst, hess, theta []float64, _ []int32) {
	t.Grad(dst, theta, nil)
	for i, x := range theta {
		hess[i] = -(theta[0]*theta[0] + theta[1]*theta[1] - t.square + 2*x*x) / t.c
	}
}

func (t *ring) HessianVec(dst, theta, v []float64, _ []int32) {
	x, y := theta[0], theta[1]
	u, along := x*x+y*y-t.square, 2*(x*v[0]+y*v[1])
	dst[0], dst[1] = -(u*v[0]+along*x)/t.c, -(u*v[1]+along*y)/t.c
}

func (t *ring) LogLik(theta []float64) float64 {
	u := theta[0]*theta[0] + theta[1]*theta[1] - t.square
	return -u * u / (4 * t.c)
}

func (t *ring) GradLogLik(dst, theta []float64, _ []int32) float64 {
	t.Grad(dst, theta, nil)
	return t.LogLik(theta)
}

// Truth is half of E|θ|² in each coordinate, where |θ|² has mean r² and variance 2c but for its cut at 0.
func (t *ring) Truth() Moments {
	sd := math.Sqrt(2 * t.c)
	a := t.square / sd
	v := t.square + sd*math.Exp(-a*a/2)/math.Sqrt(2*math.Pi)/(0.5*math.Erfc(-a/math.Sqrt2))
	return Moments{Mean: []float64{0, 0}, Cov: []float64{v / 2, 0, 0, v / 2}}
}

// Rings that are wrong in one thing each.
type (
	wideRing   struct{ *ring }
	movedRing  struct{ *ring }
	steepRing  struct{ *ring }
	slackRing  struct{ *ring }
	flatRing   struct{ *ring }
	crossRing  struct{ *ring }
	nextRing   struct{ *ring }
	otherRing  struct{ *ring }
	wastedRing struct{ *ring }
	thinRing   struct{ *ring }
	fisherRing struct{ *ring }
	steadyRing struct{ *ring }
	bentRing   struct{ *ring }
)

func (t wideRing) Truth() Moments {
	m := t.ring.Truth()
	m.Cov[0], m.Cov[3] = 2*m.Cov[0], 2*m.Cov[3]
	return m
}

func (t movedRing) Truth() Moments {
	m := t.ring.Truth()
	m.Mean[1] = 1e-3
	return m
}

func (t steepRing) Grad(dst, theta []float64, _ []int32) {
	t.ring.Grad(dst, theta, nil)
	dst[1] *= 1.001
}

func (t slackRing) GradHessian(dst, hess, theta []float64, _ []int32) {
	t.ring.GradHessian(dst, hess, theta, nil)
	hess[0] += 0.01
}

func (t flatRing) GradLogLik(dst, theta []float64, _ []int32) float64 {
	return t.ring.GradLogLik(dst, theta, nil) + 1
}

func (t crossRing) HessianVec(dst, theta, v []float64, _ []int32) {
	t.ring.HessianVec(dst, theta, v, nil)
	dst[0] += 0.01 * v[1]
}

func (t nextRing) GradEach(dst, theta []float64) {
	t.ring.GradEach(dst, theta)
	if len(dst) > 2 {
		dst[0] = dst[2]
	}
}

func (t otherRing) LogLik(theta []float64) float64 { return 1.001 * t.ring.LogLik(theta) }

func (t wastedRing) Grad(dst, theta []float64, _ []int32) {
	t.ring.Grad(dst, slices.Concat(theta, make([]float64, len(theta))), nil)
}

func (t thinRing) Exact(dst, z []float64) {
	r := math.Sqrt(t.square) / math.Hypot(z[0], z[1])
	dst[0], dst[1] = r*z[0], r*z[1]
}

func (fisherRing) Fisher(dst, _ []float64, _ []int32)         { copy(dst, []float64{2, 0, 0, 1}) }
func (fisherRing) FisherSlope(dst, _, _ []float64, _ []int32) { clear(dst[:2]) }

func (t steadyRing) MaxStep() float64 { return 1 }
func (t steadyRing) SGLDCov(dst []float64, eps, _ float64) bool {
	copy(dst, t.Truth().Cov)
	return eps > 0 && eps < 1
}

func (bentRing) Written() (*formula.Formula, map[string]float64) {
	return written("-(x^2 + y^2 - 3)^2/2", nil)
}

// Regressions and networks that are wrong in one thing each.
type (
	summed    struct{ *logistic.Regression }
	sloped    struct{ *logistic.Regression }
	doubtful  struct{ *logistic.Regression }
	deaf      struct{ *Classifier }
	mistaught struct{ *Classifier }
	forked    struct{ *Classifier }
	loud      struct{ Fork[float32] }
)

func (t summed) Grad(dst, theta []float64, batch []int32) {
	t.Regression.Grad(dst, theta, batch)
	for i := range dst {
		dst[i] *= float64(max(len(batch), 1))
	}
}

func (t sloped) FisherSlope(dst, theta, a []float64, batch []int32) {
	t.Regression.FisherSlope(dst, theta, a, batch)
	dst[0] *= 1.01
}

func (t doubtful) Predict(dst []float64, theta []float64, s dataset.Split) {
	t.Regression.Predict(dst, theta, s)
	dst[0] /= 2
}

func (t deaf) GradRandom(dst, theta []float32, batch []int32, _ nets.Random, _ Keep) float64 {
	return t.GradLogLik(dst, theta, batch)
}

func (t mistaught) GradDistill(dst, student, teacher []float32, batch []int32, r nets.Random, jitter float64) float64 {
	return t.Classifier.GradDistill(dst, teacher, student, batch, r, jitter)
}

func (t forked) Fork(workers int) Fork[float32] { return loud{t.Classifier.Fork(workers)} }

func (t loud) Grad(dst, theta []float32, batch []int32) {
	t.Fork.Grad(dst, theta, batch)
	dst[0] += 1
}

func (t loud) GradRandom(dst, theta []float32, batch []int32, r nets.Random, keep Keep) float64 {
	return t.Fork.(Stochastic[float32]).GradRandom(dst, theta, batch, r, keep)
}

// faults takes what a test would report.
type faults struct {
	testing.TB
	all []string
}

func (f *faults) Helper() {}
func (f *faults) Errorf(format string, args ...any) {
	f.all = append(f.all, fmt.Sprintf(format, args...))
}

// A ring proves itself, and none that is wrong in one thing does. Nor does another target, or its
// problem.
func TestWrongTargets(t *testing.T) {
	good := &ring{square: 4, c: 1}
	start := func(dst, z []float64) {
		for i := range dst {
			dst[i] = math.Copysign(1.8+math.Abs(z[i])/4, z[i])
		}
	}
	plane := func(x Target[float64]) *Problem {
		return &Problem{
			Spec: "ring", Title: "a ring", F64: x, Names: []string{"x", "y"}, Frame: Frame{-4, 4, -4, 4},
			Defaults: Defaults{Eps: 0.01, Thin: 1, Steps: 1000}, Init: start,
		}
	}
	named := plane(good)
	named.Names = []string{"x"}
	narrow := plane(good)
	narrow.Frame.X1 = 0.5
	still := plane(good)
	still.Init = func(dst, _ []float64) { clear(dst) }
	data := open(t, "blr:synthetic", Options{})
	reg := data.F64.(*logistic.Regression)
	regression := func(x Target[float64]) *Problem {
		p := *data
		p.F64 = x
		return &p
	}
	images := open(t, "mlp:5", Options{Dataset: writeIDX(t, 12, 20)})
	net := images.F32.(*Classifier)
	network := func(x Target[float32]) *Problem {
		p := *images
		p.F32 = x
		return &p
	}
	for _, c := range []struct {
		what string
		p    *Problem
		want string // in a fault; empty where there is none
	}{
		{"a ring", plane(good), ""},
		{"a ring with a doubled covariance", plane(wideRing{good}), "covariance 0, 0"},
		{"a ring with another mean", plane(movedRing{good}), "mean 1"},
		{"a ring with another gradient", plane(steepRing{good}), "the gradient at"},
		{"a ring with a broken Hessian", plane(slackRing{good}), "the Hessian's diagonal"},
		{"a ring with another value", plane(flatRing{good}), "the log-likelihood of GradLogLik"},
		{"a ring with a product that is not symmetric", plane(crossRing{good}), "vᵀHu"},
		{"a ring with a point's gradient at another", plane(nextRing{good}), "GradEach"},
		{"a ring with another log density", plane(otherRing{good}), "the gradient at"},
		{"a ring that allocates", plane(wastedRing{good}), "allocates"},
		{"a ring with draws of another", plane(thinRing{good}), "of exact draws θ∇log p"},
		{"a ring with the Fisher information of another", plane(fisherRing{good}), "minus the Hessian"},
		{"a ring with the stationary covariance of another", plane(steadyRing{good}), "the covariance after a step"},
		{"a ring with the formula of another", plane(bentRing{good}), "the formula's gradient"},
		{"a ring with a name too few", named, "1 name"},
		{"a ring half outside of its frame", narrow, "frame"},
		{"a ring that starts where it is flat", still, "the start"},
		{"a regression", regression(reg), ""},
		{"a regression with a sum for a mean", regression(summed{reg}), "the gradient of a minibatch"},
		{"a regression with another slope", regression(sloped{reg}), "slope"},
		{"a regression with half a probability", regression(doubtful{reg}), "the sum of a row's probabilities"},
		{"a network", network(net), ""},
		{"a network without dropout", network(deaf{net}), "GradRandom draws nothing"},
		{"a network whose teacher learns", network(mistaught{net}), "GradDistill's gradient"},
		{"a network with forks of another", network(forked{net}), "the gradient of 1 workers"},
	} {
		f := &faults{TB: t}
		prove(f, c.p)
		if found := strings.Join(f.all, "\n"); (found != "") != (c.want != "") || !strings.Contains(found, c.want) {
			t.Errorf("%s: %q in the faults %.2000s", c.what, c.want, found)
		}
	}
}
