package nets

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// Every bit is 1 with the coin's probability, whatever its place: of 400 flips of
// 300 bits, 120,000, within 4.5 standard errors; and each of the 300 within 5.5 of
// its own, of which the chance to see one is 1e-5.
func TestCoin(t *testing.T) {
	const units, flips = 300, 400
	for _, p := range []float64{0.5, 0.8, 0.25, 0.1, 1.0 / 3, 0.999, 1e-3} {
		c, total := newCoin(p), 0
		if math.Abs(c.probability()-p) > 0x1p-33 {
			t.Errorf("%v became %v", p, c.probability())
		}
		each := make([]int, units)
		marks := make([]uint64, (units+63)/64)
		var space coinSpace
		for k := range flips {
			markAll(marks, units)
			c.flip(marks, philox{3}, uint64(k*coinWords(units)), &space)
			for i := range each {
				each[i] += int(marks[i/64] >> (i % 64) & 1)
			}
			for _, m := range marks {
				total += bits.OnesCount64(m)
			}
		}
		off := func(count, n int) float64 { return (float64(count) - p*float64(n)) / math.Sqrt(float64(n)*p*(1-p)) }
		if z := off(total, units*flips); math.Abs(z) > 4.5 {
			t.Errorf("p = %v: %d of %d, off by %.1f standard errors", p, total, units*flips, z)
		}
		for i, n := range each {
			// A binomial with so small a mean is far from a normal.
			if z := off(n, flips); math.Abs(z) > 5.5 && p >= 0.1 && p <= 0.9 {
				t.Errorf("p = %v: bit %d is 1 in %d of %d", p, i, n, flips)
			}
		}
	}
}

// Bits that need no coin do not change what others show.
func TestCoinLeavesBitsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, p := range []float64{0.5, 0.8} {
		all, some, asked := make([]uint64, 13), make([]uint64, 13), make([]uint64, 13)
		var space coinSpace
		for i := range asked {
			all[i] = math.MaxUint64
			asked[i] = r.Uint64() & r.Uint64()
		}
		asked[3], asked[6], asked[7] = 0, 0, 0
		copy(some, asked)
		newCoin(p).flip(all, philox{1}, 40, &space)
		newCoin(p).flip(some, philox{1}, 40, &space)
		for i := range some {
			if some[i] != all[i]&asked[i] {
				t.Errorf("p = %v: word %d is %x, want %x", p, i, some[i], all[i]&asked[i])
			}
		}
	}
}

func TestCoinPanics(t *testing.T) {
	for _, p := range []float64{0, -1, 1.1, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a probability of %v is taken", p)
				}
			}()
			newCoin(p)
		}()
	}
}

// keeps are ways to drop; the third takes all 32 digits for some units.
var keeps = []Keep{{1, 0.5}, {0.8, 1}, {0.7, 0.6}}

// drawnObjective is the mean log-likelihood with the draws of each example, by the
// reference.
func (p problem) drawnObjective(batch []int32, d []*draws) float64 {
	sum := 0.0
	for i, row := range batch {
		image := p.data.X[int(row)*p.net.input.Len():][:p.net.input.Len()]
		sum += math.Log(referenceDraw(p.net, p.theta, image, d[i])[p.data.Y[row]])
	}
	return sum / float64(len(batch))
}

// The gradient with draws is the derivative of the reference with the same draws,
// within the rounding of TestGradIsTheDerivative; dropping divides by the
// probabilities, so that logits and their rounding are larger.
func TestGradRandomIsTheDerivative(t *testing.T) {
	for name, n := range small() {
		for k, keep := range keeps {
			p := newProblem(n, 6)
			for i := range p.data.X {
				if i%3 == k {
					p.data.X[i] = 0
				}
			}
			batch := []int32{4, 0, 5, 5}
			ws := n.NewWorkspace(1)
			got := make([]float32, n.Dim())
			r := philox{uint64(7 + k)}
			loss := n.GradRandom(ws, got, p.t32, p.data, batch, r, keep)
			var d []*draws
			for i := range batch {
				d = append(d, newDraws(n, r, i, keep, 0))
			}
			if want := -p.drawnObjective(batch, d); math.Abs(loss-want) > 1e-5*(1+want) {
				t.Errorf("%s, %v: cross entropy %v, want %v", name, keep, loss, want)
			}
			worst, largest := 0.0, 0.0
			for i := 0; i < n.Dim(); i += 1 + n.Dim()/30 {
				want := central(&p.theta[i], func() float64 { return p.drawnObjective(batch, d) })
				worst, largest = max(worst, math.Abs(float64(got[i])-want)), max(largest, math.Abs(want))
			}
			if !(worst <= 1e-5*largest) {
				t.Errorf("%s, %v: gradient off by %.2g, largest component %.2g", name, keep, worst, largest)
			}
		}
	}
}

// Without anything to draw the bits are those of Grad, and r is not asked.
func TestGradRandomKeepsAll(t *testing.T) {
	for name, n := range small() {
		if n.draws() {
			continue
		}
		p := newProblem(n, 9)
		ws := n.NewWorkspace(1)
		want, got := make([]float32, n.Dim()), make([]float32, n.Dim())
		loss := n.Grad(ws, want, p.t32, p.data, nil)
		n.GradRandom(ws, got, p.t32, p.data, nil, philox{1}, Keep{0.5, 0.5})
		if other := n.GradRandom(ws, got, p.t32, p.data, nil, nil, Keep{1, 1}); other != loss {
			t.Errorf("%s: loss %v, want %v", name, other, loss)
		}
		sameBits(t, name, got, want)
		// And Grad is as it was after random gradients.
		n.GradRandom(ws, got, p.t32, p.data, nil, philox{1}, Keep{0.5, 0.5})
		n.Grad(ws, got, p.t32, p.data, nil)
		sameBits(t, name, got, want)
	}
}

func sameBits(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for i, w := range want {
		if math.Float32bits(got[i]) != math.Float32bits(w) {
			t.Fatalf("%s: component %d is %v, want %v", name, i, got[i], w)
		}
	}
}

// The bits do not depend on the number of workers; split over parts, where sums
// have other orders, draws are the same.
func TestGradRandomWorkers(t *testing.T) {
	all := small()
	all["larger MLP"] = must(MLP(Input{Shape{28, 28, 1}, PixelDivisor}, []int{201, 70}, 10))
	for name, n := range all {
		p := newProblem(n, 37)
		keep := Keep{0.8, 0.5}
		var want []float32
		for workers := 1; workers <= 3; workers++ {
			ws := n.NewWorkspace(workers)
			got := make([]float32, n.Dim())
			n.GradRandom(ws, got, p.t32, p.data, nil, philox{9}, keep)
			if workers == 1 {
				want = got
			}
			sameBits(t, fmt.Sprintf("%s, %d workers", name, workers), got, want)
			ws.rows = 10
			got = make([]float32, n.Dim())
			n.GradRandom(ws, got, p.t32, p.data, nil, philox{9}, keep)
			largest := 0.0
			for _, w := range want {
				largest = max(largest, math.Abs(float64(w)))
			}
			for i, w := range want {
				if math.Abs(float64(got[i]-w)) > 1e-5*largest {
					t.Fatalf("%s in parts: component %d is %v, want %v", name, i, got[i], w)
				}
			}
			ws.Close()
		}
	}
}

// Examples read as lists lose the same inputs as when all numbers are gone through.
func TestGradRandomOfSparseExamples(t *testing.T) {
	n := must(MLP(Input{Shape{28, 28, 1}, PixelDivisor}, []int{101, 70}, 10))
	p := newProblem(n, 37)
	r := rand.New(rand.NewPCG(4, 4))
	for i := range p.data.X {
		if r.IntN(5) > 0 || i%784 < 150 {
			p.data.X[i] = 0
		}
	}
	lists, dense := n.NewWorkspace(2), n.NewWorkspace(1)
	defer lists.Close()
	dense.sparse = nil
	want, got := make([]float32, n.Dim()), make([]float32, n.Dim())
	n.GradRandom(dense, want, p.t32, p.data, nil, philox{2}, Keep{0.8, 0.5})
	n.GradRandom(lists, got, p.t32, p.data, nil, philox{2}, Keep{0.8, 0.5})
	if !lists.listed {
		t.Error("not read as lists")
	}
	sameBits(t, "lists", got, want)
}

// meanLogits are the mean and its standard error of the logits of an example over so many
// draws.
func meanLogits(p problem, draws int, keep Keep) (mean, se []float64) {
	n, ws := p.net, p.net.NewWorkspace(1)
	classes := n.Classes()
	mean, se = make([]float64, classes), make([]float64, classes)
	ws.job.x = p.data.X
	for k := range draws {
		ws.job.chance = chance{Random: philox{uint64(k)}, each: uint64(n.words), keep: keep}
		if c := newCoin(keep.Input); c != alwaysOne {
			ws.dropInputs(c)
		}
		ws.gather(0, 1)
		ws.begin(0)
		for c, v := range ws.forward(p.t32, 1).Row(0) {
			mean[c] += float64(v)
			se[c] += float64(v) * float64(v)
		}
	}
	for c := range mean {
		mean[c] /= float64(draws)
		se[c] = math.Sqrt((se[c]/float64(draws) - mean[c]*mean[c]) / float64(draws))
	}
	return mean, se
}

// In a network without rectifiers the expected logits are those of the whole
// network: dropped inputs and units are independent of each other, and each is
// itself in the mean. 4.5 of the standard errors that the draws themselves show
// are allowed.
func TestDropoutIsUnbiased(t *testing.T) {
	n := must(New(Input{Shape{5, 5, 1}, PixelDivisor}, Dense{30}, Dropout{}, Dense{20}, Bias{}, Dropout{},
		Dense{7}, Bias{}))
	p := newProblem(n, 1)
	want := make([]float64, 7)
	mean, _ := meanLogits(p, 1, Keep{1, 1})
	copy(want, mean)
	for _, keep := range append(keeps, Keep{0.1, 0.2}) {
		mean, se := meanLogits(p, 4000, keep)
		for c, w := range want {
			if !(math.Abs(mean[c]-w) <= 4.5*se[c]) || se[c] == 0 {
				t.Errorf("%v: logit %d is %v ± %v in the mean, want %v", keep, c, mean[c], se[c], w)
			}
		}
	}
}

// Stochastic pooling gives a number of a square as often as it is large, and its
// mean is what predictions use: the logits are those of pixels 0, 50, 100 and 250,
// through weights that are 1.
func TestStochasticPoolIsUnbiased(t *testing.T) {
	n := must(New(Input{Shape{2, 2, 1}, 1}, StochasticPool{}, Dense{1}))
	p := newProblem(n, 1)
	p.t32[0] = 1
	p.data.X = []uint8{50, 0, 100, 250}
	counts := map[float32]int{}
	const draws = 20_000
	ws := n.NewWorkspace(1)
	ws.job.x = p.data.X
	for k := range draws {
		ws.job.chance = chance{Random: philox{uint64(k)}, each: uint64(n.words)}
		ws.gather(0, 1)
		ws.begin(0)
		counts[ws.forward(p.t32, 1).Row(0)[0]]++
	}
	for _, x := range p.data.X {
		// 4.5 standard errors of a binomial.
		q := float64(x) / 400
		if got := float64(counts[float32(x)]) / draws; math.Abs(got-q) > 4.5*math.Sqrt(q*(1-q)/draws) {
			t.Errorf("%d is taken %.4f times, want %.4f", x, got, q)
		}
	}
	ws.end()
	ws.gather(0, 1)
	if got, want := ws.forward(p.t32, 1).Row(0)[0], float32(75_000.0/400); got != want {
		t.Errorf("%v in the mean, want %v", got, want)
	}
}

func TestDraws(t *testing.T) {
	for name, n := range small() {
		if want := name == "stochastic pooling" || name == "stochastic pool first"; n.draws() != want {
			t.Errorf("%s: %v, want %v", name, n.draws(), want)
		}
	}
}

func TestRandomGradientsDoNotAllocate(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for name, n := range small() {
			p := newProblem(n, 9)
			ws := n.NewWorkspace(workers)
			ws.rows = 5
			dst := make([]float32, n.Dim())
			var r Random = philox{1}
			if a := alloctest.PerRun(5, func() {
				n.GradRandom(ws, dst, p.t32, p.data, nil, r, Keep{0.8, 0.5})
				n.GradDistill(ws, dst, p.t32, p.t32, p.data, nil, r, 0.1)
			}); a != 0 {
				t.Errorf("%s with %d workers: %v allocations a step", name, workers, a)
			}
			ws.Close()
		}
	}
}
