package targets

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets/dataset"
)

// mixer is a Random of a hash of the place.
type mixer uint64

func (m mixer) Words(dst []uint32, place uint64) {
	for i := range dst {
		x := (place+uint64(i))*0x9e3779b97f4a7c15 + uint64(m)
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		dst[i] = uint32(x >> 32)
	}
}

// GradLogLik returns the mean log-likelihood: that of a zero network is -ln 10, and
// its gradient has the bits of Grad.
func TestGradLogLikOfNetworks(t *testing.T) {
	p := open(t, "mlp:30-20", Options{Dataset: writeIDX(t, 6, 50)})
	c := p.F32.(*Classifier)
	theta, g, want := make([]float32, c.Dim()), make([]float32, c.Dim()), make([]float32, c.Dim())
	if ll := c.GradLogLik(g, theta, nil); math.Abs(ll+math.Log(10)) > 1e-6 {
		t.Errorf("mean log-likelihood %v, want %v", ll, -math.Log(10))
	}
	for i, x := range point(p, 2) {
		theta[i] = float32(x)
	}
	batch := []int32{3, 1, 4, 1, 5}
	ll := c.GradLogLik(g, theta, batch)
	c.Grad(want, theta, batch)
	probs, sum := make([]float64, 500), 0.0
	c.Predict(probs, theta, dataset.Train)
	for _, i := range batch {
		sum += math.Log(probs[10*int(i)+int(c.images.TrainY[i])])
	}
	// Logits of order 10 in float32.
	if math.Abs(ll-sum/5) > 1e-5 {
		t.Errorf("mean log-likelihood %v, want %v", ll, sum/5)
	}
	same(t, "GradLogLik", g, want)
	if other := c.GradRandom(g, theta, batch, nil, KeepAll); other != ll {
		t.Errorf("%v with all units, want %v", other, ll)
	}
	same(t, "GradRandom", g, want)
	if other := c.GradRandom(g, theta, batch, mixer(1), Keep{Input: 0.8, Hidden: 0.5}); other == ll {
		t.Error("nothing is dropped")
	}
	// A teacher of equal probabilities: Σ log q/10 ≤ -ln 10, with equality at itself.
	if mean := c.GradDistill(g, theta, make([]float32, c.Dim()), batch, nil, 0); !(mean < -math.Log(10)) {
		t.Errorf("Σ p log q is %v", mean)
	}
	if c.GradDistill(g, theta, theta, batch, nil, 0); g[0] != 0 {
		t.Errorf("a student like its teacher has a gradient of %v", g[0])
	}
}

func same(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i, w := range want {
		if math.Float32bits(got[i]) != math.Float32bits(w) {
			t.Fatalf("%s: component %d is %v, want %v", what, i, got[i], w)
		}
	}
}

// The networks of table 3 learn to tell the class's pixel, with dropout where they
// are meant for it.
func TestCNNKindsLearn(t *testing.T) {
	if !slow {
		t.Skip("the networks' own tests check their gradients; the tag slow has it")
	}
	dir := writeIDX(t, 8, 100)
	for spec, c := range map[string]struct {
		lr   float32
		keep Keep
	}{
		"cnn:stochpool": {0.03, KeepAll}, "cnn:nin": {0.03, Keep{Input: 1, Hidden: 0.8}},
		"cnn:maxout": {0.03, Keep{Input: 1, Hidden: 0.8}},
	} {
		p := open(t, spec, Options{Dataset: dir})
		fork := p.F32.(Forker[float32]).Fork(2)
		e := trainWith(fork, p, c.lr, 20, 300, func(g, theta []float32, rows []int32, step int) {
			fork.(Stochastic[float32]).GradRandom(g, theta, rows, mixer(step), c.keep)
		})
		fork.Close()
		if e != 0 {
			t.Errorf("%s: test error %v", spec, e)
		}
	}
}

func TestCNNKindSpecs(t *testing.T) {
	dir := writeIDX(t, 12, 20)
	for spec, want := range map[string]string{
		"cnn:stochpool": "cnn:stochpool", "cnn: nin ;init=he": "cnn:nin",
		"cnn:maxout; divisor=255;init=authors": "cnn:maxout;init=authors;divisor=255",
	} {
		p := open(t, spec, Options{Dataset: dir})
		if p.Spec != want {
			t.Errorf("%q became %q, want %q", spec, p.Spec, want)
		}
		if again := open(t, p.Spec, Options{Dataset: p.Dataset}); again.Spec != want || again.Title != p.Title ||
			!strings.HasPrefix(p.Title, "CNN ") {
			t.Errorf("%q became %q, %q", p.Spec, again.Spec, again.Title)
		}
	}
	for spec, want := range map[string]string{
		"cnn:nim": `target cnn: unknown network "nim" (did you mean "nin"?); ` +
			`want one of SIZE-SIZE-…, stochpool, nin, maxout`,
		"cnn:maxout;init=x": `target cnn:maxout: init must be he or authors, got "x"`,
		"cnn:nin;5":         `target cnn:nin: unknown setting "5"; want one of init, divisor`,
		"cnn:5x": `target cnn: sizes must be up to 16 numbers from 1 to 1,000,000,000, ` +
			`joined by -, got "5x"`,
	} {
		if _, err := Open(spec, Options{Dataset: dir}); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", spec, err, want)
		}
	}
}

// Numbers of parameters on images of MNIST's size.
func TestCNNKindSizes(t *testing.T) {
	dir := writeIDX(t, 28, 20)
	conv := func(kernel, in, out int) int { return kernel*kernel*in*out + out }
	for spec, want := range map[string]int{
		"cnn:stochpool": conv(5, 1, 32) + conv(5, 32, 64) + conv(1, 3136, 200) + conv(1, 200, 200) + conv(1, 200, 10),
		"cnn:nin": conv(5, 1, 64) + conv(1, 64, 48) + conv(1, 48, 32) + conv(5, 32, 64) + conv(1, 64,
			64) + conv(1, 64, 64) +
			conv(3, 64, 64) + conv(1, 64, 64) + conv(1, 64, 10),
		"cnn:maxout": conv(5, 1, 64) + conv(5, 32, 64) + conv(5, 32, 64) + conv(1, 9*16, 10),
	} {
		p := open(t, spec, Options{Dataset: dir})
		if p.Dim() != want {
			t.Errorf("%s: %d parameters, want %d", spec, p.Dim(), want)
		}
	}
}
