package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

var strokes = sync.OnceValue(func() Images { return Strokes(1, nil) })

// Golden hash of the images and labels of seed 1; a change changes every
// recorded session on them. It is the same with GOAMD64=v3, which lets the
// compiler fuse multiplications and additions as it may on arm64.
func TestStrokesGolden(t *testing.T) {
	const want = "32f6dbb467d2503d909140f2e9cdf251141ffc79c357d76d1f014d78a658ea02"
	m := strokes()
	h := sha256.New()
	for _, b := range [][]uint8{m.TrainX, m.TrainY, m.TestX, m.TestY} {
		h.Write(b)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	if testing.Short() {
		return
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one := Strokes(1, nil); !slices.Equal(one.TrainX, m.TrainX) || !slices.Equal(one.TestX, m.TestX) ||
		!slices.Equal(one.TrainY, m.TrainY) {
		t.Error("one core draws other images")
	}
	if other := Strokes(2, nil); slices.Equal(other.TrainX, m.TrainX) {
		t.Error("another seed draws the same images")
	}
}

func TestStrokesShape(t *testing.T) {
	m := strokes()
	if m.Rows != 28 || m.Cols != 28 || m.Channels != 1 || m.Classes != 10 || m.Name != "strokes" {
		t.Errorf("%d×%d×%d, %d classes, named %q", m.Rows, m.Cols, m.Channels, m.Classes, m.Name)
	}
	for _, part := range []struct {
		x, y []uint8
		n    int
	}{{m.TrainX, m.TrainY, 12_000}, {m.TestX, m.TestY, 2_000}} {
		if len(part.y) != part.n || len(part.x) != part.n*784 {
			t.Fatalf("%d labels and %d values, want %d and %d", len(part.y), len(part.x), part.n, part.n*784)
		}
		var count [10]int
		seen := map[[784]uint8]bool{}
		for i, y := range part.y {
			count[y]++
			x := [784]uint8(part.x[i*784:])
			if seen[x] {
				t.Errorf("image %d is drawn twice", i)
			}
			seen[x] = true
			// A digit is some hundred pixels of ink, mostly off the rim: the
			// thinnest 1 has about 12, the thickest 8 under 400.
			ink, rim := 0, 0
			for j, v := range x {
				ink += int(v)
				if j < 28 || j >= 27*28 || j%28 == 0 || j%28 == 27 {
					rim += int(v)
				}
			}
			if ink < 10*255 || ink > 400*255 || rim > ink/5 {
				t.Errorf("image %d, a %d, has %d of ink, %d on the rim", i, y, ink/255, rim/255)
			}
		}
		for c, n := range count {
			if n != part.n/10 {
				t.Errorf("%d images of %d, want %d", n, c, part.n/10)
			}
		}
	}
}

// A linear model must not do. Softmax regression, ten epochs of SGD with a
// step size that falls to 0, errs on 9.5% of the training images and 10.9% of
// the test images (7.6% and 9.6% after thirty); the bounds are five binomial
// standard errors of the test error, 0.7%, around it. A network of one hidden
// layer of 100 errs on 1.8% of the test images.
func TestStrokesAreNotLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for a second")
	}
	m := strokes()
	train, test := softmaxRegression(m, 10)
	t.Logf("softmax regression errs on %.4f of training and %.4f of test images", train, test)
	if train < 0.06 || test < 0.074 || test > 0.144 {
		t.Errorf("softmax regression errs on %.4f and %.4f, want 0.095 and 0.109", train, test)
	}
}

// softmaxRegression trains a linear model by SGD on minibatches of 50 and
// returns its errors.
func softmaxRegression(m Images, epochs int) (train, test float64) {
	const batch, rate = 50, 0.1
	d := m.Pixels() + 1 // the last is the intercept
	w, g, x := make([]float32, digits*d), make([]float32, digits*d), make([]float32, d)
	var p [digits]float32
	predict := func(from []uint8, i int) (class int) {
		for j, v := range from[i*(d-1):][:d-1] {
			x[j] = float32(v) / 255
		}
		x[d-1] = 1
		for c := range p {
			sum, row := float32(0), w[c*d:][:len(x)]
			for j, v := range x {
				sum += v * row[j]
			}
			if p[c] = sum; p[c] > p[class] {
				class = c
			}
		}
		most, total := p[class], float32(0)
		for c := range p {
			p[c] = float32(math.Exp(float64(p[c] - most)))
			total += p[c]
		}
		for c := range p {
			p[c] /= total
		}
		return class
	}
	r := rand.New(rand.NewPCG(1, 2))
	for e := range epochs {
		step := float32(rate) / batch * float32(epochs-e) / float32(epochs)
		order := r.Perm(len(m.TrainY))
		for minibatch := range slices.Chunk(order, batch) {
			clear(g)
			for _, i := range minibatch {
				predict(m.TrainX, i)
				p[m.TrainY[i]]--
				for c, e := range p {
					row := g[c*d:][:len(x)]
					for j, v := range x {
						row[j] += e * v
					}
				}
			}
			for k := range w {
				w[k] -= step * g[k]
			}
		}
	}
	err := func(x, y []uint8) float64 {
		wrong := 0
		for i, y := range y {
			if predict(x, i) != int(y) {
				wrong++
			}
		}
		return float64(wrong) / float64(len(y))
	}
	return err(m.TrainX, m.TrainY), err(m.TestX, m.TestY)
}

func BenchmarkStrokes(b *testing.B) {
	for b.Loop() {
		Strokes(1, nil)
	}
}
