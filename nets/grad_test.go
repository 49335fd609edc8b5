package nets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// small are networks in which every kind of layer is in every place it can
// have: first, after another of its kind, before and after pooling, on odd
// sides and with kernels larger than the image.
func small() map[string]*Network {
	in := func(h, w, c int) Input { return Input{Shape{h, w, c}, PixelDivisor} }
	return map[string]*Network{
		"softmax regression": must(MLP(in(3, 4, 2), nil, 5)),
		"one layer":          must(MLP(in(5, 5, 1), []int{7}, 3)),
		"MLP":                must(MLP(in(6, 6, 1), []int{33, 17, 20}, 10)),
		"dense without bias": must(New(in(2, 3, 1), Dense{6}, Dense{4})),
		"bias first":         must(New(in(2, 3, 2), BiasReLU{}, Dense{3}, Bias{})),
		"pool first":         must(New(in(5, 6, 2), MaxPool{}, Dense{4}, Bias{})),
		"conv":               must(New(in(5, 4, 2), Conv{3, 3}, BiasReLU{}, Dense{4}, Bias{})),
		"conv 1×1 and 5×5 on 4×3": must(New(in(4, 3, 3), Conv{1, 4}, BiasReLU{}, Conv{5, 5}, Bias{},
			Dense{4}, Bias{})),
		"conv, pooled, odd sides": must(New(in(7, 9, 1), Conv{3, 4}, MaxPool{}, BiasReLU{}, Conv{3, 17}, MaxPool{},
			BiasReLU{}, Dense{6}, Bias{})),
		"bias before pooling":       must(New(in(6, 6, 1), Conv{3, 4}, BiasReLU{}, MaxPool{}, Dense{6}, Bias{})),
		"CNN as in the paper":       must(CNN(in(12, 12, 1), []int{4, 6}, []int{9, 8}, 10)),
		"three convolutions, RGB":   must(CNN(in(8, 8, 3), []int{4, 4, 6}, []int{5}, 10)),
		"convolution to the logits": must(New(in(1, 1, 4), Conv{1, 3}, Bias{})),
		"1×1 first": must(New(in(3, 5, 2), Conv{1, 4}, BiasReLU{}, Conv{1, 3}, BiasReLU{},
			GlobalPool{}, Dense{3})),
		"stochastic pooling":    must(StochasticCNN(in(7, 9, 1), []int{4, 6}, []int{9}, 10)),
		"stochastic pool first": must(New(in(5, 6, 2), StochasticPool{}, Dense{4}, Bias{})),
		"network in network":    must(NIN(in(9, 8, 1), [3][3]int{{5, 4, 3}, {6, 3, 4}, {5, 4}}, 5)),
		"maxout": must(New(in(4, 5, 1), Dense{21}, Bias{}, Maxout{3}, Dropout{}, Dense{10},
			Maxout{2}, Dense{4}, Bias{})),
		"maxout and convolutions":  must(MaxoutCNN(in(9, 8, 2), []int{5, 4}, []int{2, 3}, 6)),
		"maxout and dropout first": must(New(in(3, 3, 4), Dropout{}, Maxout{2}, Dropout{}, Dense{3}, Bias{})),
	}
}

// Central differences of the reference in float64. With h = 1e-6 they err by
// some 1e-10 for these functions of order 1. The gradient is in float32: what
// remains is its rounding, measured at most 4e-7 of the largest component on
// every path; some eight times that is allowed.
func TestGradIsTheDerivative(t *testing.T) {
	components := 400
	if testing.Short() {
		components = 60
	}
	for name, n := range small() {
		p := newProblem(n, 6)
		batch := []int32{4, 0, 5, 5}
		ws := n.NewWorkspace(1)
		got := make([]float32, n.Dim())
		loss := n.Grad(ws, got, p.t32, p.data, batch)
		if want := -reference(n, p.theta, p.data, batch); math.Abs(loss-want) > 3e-6*(1+want) {
			t.Errorf("%s: cross entropy %v, want %v", name, loss, want)
		}
		worst, largest := 0.0, 0.0
		for i := 0; i < n.Dim(); i += 1 + n.Dim()/components {
			want := derivative(p, i, batch)
			worst, largest = max(worst, math.Abs(float64(got[i])-want)), max(largest, math.Abs(want))
		}
		if !(worst <= 3e-6*largest) {
			t.Errorf("%s: gradient off by %.2g, largest component %.2g", name, worst, largest)
		}
		t.Logf("%s: %d parameters, off by %.2g of the largest component", name, n.Dim(), worst/largest)
	}
}

// The same for networks large enough that every kernel has whole tiles and
// edges, at the ends and in the middle of each block of parameters.
func TestGradOfLargeNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("large networks, whose kernels have tests of their own")
	}
	in := Input{Shape{28, 28, 1}, PixelDivisor}
	for name, n := range map[string]*Network{
		"MLP": must(MLP(in, []int{101, 70}, 10)),
		"CNN": must(CNN(in, []int{32, 20}, []int{50}, 10)),
		"the paper's on CIFAR-10": must(CNN(Input{Shape{32, 32, 3}, PixelDivisor}, []int{32, 32, 64},
			[]int{200, 200}, 10)),
	} {
		p := newProblem(n, 2)
		ws := n.NewWorkspace(2)
		got := make([]float32, n.Dim())
		n.Grad(ws, got, p.t32, p.data, nil)
		ws.Close()
		largest := 0.0
		for _, g := range got {
			largest = max(largest, math.Abs(float64(g)))
		}
		for _, b := range n.Blocks() {
			for _, i := range []int{b.From, (b.From + b.To) / 2, b.To - 1} {
				want := derivative(p, i, []int32{0, 1})
				if off := math.Abs(float64(got[i]) - want); !(off <= 3e-6*largest) {
					t.Errorf("%s: %s, component %d is %v, want %v; the largest is %v",
						name, b.Name, i-b.From, got[i], want, largest)
				}
			}
		}
	}
}

// derivative is the central difference of the reference by a component.
func derivative(p problem, i int, batch []int32) float64 {
	return central(&p.theta[i], func() float64 { return reference(p.net, p.theta, p.data, batch) })
}

// central is the central difference of f by x.
func central(x *float64, f func() float64) float64 {
	const h = 1e-6
	at := *x
	*x = at + h
	up := f()
	*x = at - h
	down := f()
	*x = at
	return (up - down) / (2 * h)
}

// A parameter that is no number makes the gradient and the probabilities none,
// and nothing else happens.
func TestNotANumber(t *testing.T) {
	for name, n := range small() {
		p := newProblem(n, 5)
		for i := range p.t32 {
			p.t32[i] = float32(math.NaN())
		}
		ws := n.NewWorkspace(1)
		g, probs := make([]float32, n.Dim()), make([]float64, 5*n.Classes())
		loss := n.Grad(ws, g, p.t32, p.data, nil)
		n.Predict(ws, probs, p.t32, p.data.X)
		if !math.IsNaN(loss) || !math.IsNaN(probs[0]) || g[n.Dim()-1] == g[n.Dim()-1] {
			t.Errorf("%s: loss %v, probability %v, gradient %v", name, loss, probs[0], g[n.Dim()-1])
		}
	}
}

func TestPredict(t *testing.T) {
	for name, n := range small() {
		// More rows than a part takes.
		ws := n.NewWorkspace(2)
		ws.rows = 4
		p := newProblem(n, 11)
		got := make([]float64, 11*n.Classes())
		n.Predict(ws, got, p.t32, p.data.X)
		for r := range 11 {
			for c, want := range referenceForward(n, p.theta, p.data.X[r*n.input.Len():][:n.input.Len()]) {
				// Logits of order 1 to 10 in float32.
				if g := got[r*n.Classes()+c]; math.Abs(g-want) > 1e-5 {
					t.Errorf("%s: row %d, class %d: %v, want %v", name, r, c, g, want)
				}
			}
		}
		ws.Close()
	}
}

// The mean over all rows is the mean of the means over the parts of a
// partition, and the same when the workspace splits the batch.
func TestGradOfParts(t *testing.T) {
	for name, n := range small() {
		const rows = 12
		p := newProblem(n, rows)
		ws := n.NewWorkspace(1)
		whole, part, split := make([]float32, n.Dim()), make([]float32, n.Dim()), make([]float32, n.Dim())
		loss := n.Grad(ws, whole, p.t32, p.data, nil)
		mean, partLoss := make([]float64, n.Dim()), 0.0
		order := rand.New(rand.NewPCG(2, 2)).Perm(rows)
		for from := 0; from < rows; from += 4 {
			var batch []int32
			for _, i := range order[from : from+4] {
				batch = append(batch, int32(i))
			}
			partLoss += n.Grad(ws, part, p.t32, p.data, batch) / 3
			for i, g := range part {
				mean[i] += float64(g) / 3
			}
		}
		ws.rows = 5
		splitLoss := n.Grad(ws, split, p.t32, p.data, nil)
		largest := 0.0
		for _, g := range mean {
			largest = max(largest, math.Abs(g))
		}
		for i, g := range mean {
			// Rounding as in TestGradIsTheDerivative.
			if tol := 3e-6 * largest; math.Abs(float64(whole[i])-g) > tol || math.Abs(float64(split[i])-g) > tol {
				t.Fatalf("%s: component %d: %v whole, %v split, %v from parts", name, i, whole[i], split[i], g)
			}
		}
		if math.Abs(loss-partLoss) > 1e-6*(1+loss) || math.Abs(loss-splitLoss) > 1e-6*(1+loss) {
			t.Errorf("%s: loss %v whole, %v split, %v from parts", name, loss, splitLoss, partLoss)
		}
	}
}

// The bits do not depend on the number of workers, nor on what the workspace
// did before.
func TestGradWorkers(t *testing.T) {
	nets := small()
	nets["larger MLP"] = must(MLP(Input{Shape{28, 28, 1}, PixelDivisor}, []int{101, 70}, 10))
	nets["larger CNN"] = must(CNN(Input{Shape{28, 28, 1}, PixelDivisor}, []int{32, 20}, []int{50}, 10))
	for name, n := range nets {
		p := newProblem(n, 37)
		var want []float32
		wantLoss := 0.0
		for workers := 1; workers <= 3; workers++ {
			ws := n.NewWorkspace(workers)
			got := make([]float32, n.Dim())
			n.Predict(ws, make([]float64, 37*n.Classes()), p.t32, p.data.X)
			loss := n.Grad(ws, got, p.t32, p.data, nil)
			if workers == 1 {
				want, wantLoss = got, loss
			}
			if loss != wantLoss {
				t.Errorf("%s: %d workers: loss %v, want %v", name, workers, loss, wantLoss)
			}
			for i, g := range got {
				if math.Float32bits(g) != math.Float32bits(want[i]) {
					t.Fatalf("%s: %d workers: component %d is %v, want %v", name, workers, i, g, want[i])
				}
			}
			ws.Close()
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for name, n := range small() {
			p := newProblem(n, 9)
			ws := n.NewWorkspace(workers)
			ws.rows = 5
			dst, probs := make([]float32, n.Dim()), make([]float64, 9*n.Classes())
			batch := []int32{1, 8, 3}
			if a := alloctest.PerRun(5, func() {
				n.Grad(ws, dst, p.t32, p.data, batch)
				n.Grad(ws, dst, p.t32, p.data, nil)
				n.Predict(ws, probs, p.t32, p.data.X)
			}); a != 0 {
				t.Errorf("%s with %d workers: %v allocations a step", name, workers, a)
			}
			ws.Close()
		}
	}
}

// A batch that is mostly zeros is read as lists, with the same gradient as when
// all its numbers are gone through, and the derivative. The bits are equal on every
// path: parts of a batch apart, sums have the same order.
func TestGradOfSparseExamples(t *testing.T) {
	n := must(MLP(Input{Shape{28, 28, 1}, PixelDivisor}, []int{101, 70}, 10))
	p := newProblem(n, 37)
	r := rand.New(rand.NewPCG(4, 4))
	for i := range p.data.X {
		if r.IntN(5) > 0 || i%28 < 4 {
			p.data.X[i] = 0
		}
	}
	full := newProblem(n, 37)
	probs := [2][]float64{}
	var want []float32
	for workers := 1; workers <= 3; workers++ {
		ws := n.NewWorkspace(workers)
		got := make([]float32, n.Dim())
		n.Grad(ws, got, p.t32, p.data, nil)
		if !ws.listed {
			t.Fatal("not read as lists")
		}
		probs[0] = make([]float64, 37*10)
		n.Predict(ws, probs[0], p.t32, p.data.X)
		if workers == 1 {
			dense := n.NewWorkspace(1)
			dense.sparse = nil
			want, probs[1] = make([]float32, n.Dim()), make([]float64, 37*10)
			n.Grad(dense, want, p.t32, p.data, nil)
			n.Predict(dense, probs[1], p.t32, p.data.X)
		}
		for i, g := range got {
			if math.Float32bits(g) != math.Float32bits(want[i]) {
				t.Fatalf("%d workers: component %d is %v, want %v", workers, i, g, want[i])
			}
		}
		if !slices.Equal(probs[0], probs[1]) {
			t.Errorf("%d workers: other probabilities", workers)
		}
		// Dense and sparse batches in turn, and one in parts.
		n.Grad(ws, got, p.t32, full.data, nil)
		if ws.listed {
			t.Error("full examples read as lists")
		}
		ws.rows = 10
		n.Grad(ws, got, p.t32, p.data, nil)
		for i, g := range got {
			if math.Abs(float64(g)-float64(want[i])) > 3e-6 {
				t.Fatalf("%d workers, in parts: component %d is %v, want %v", workers, i, g, want[i])
			}
		}
		ws.Close()
	}
	largest := 0.0
	for _, g := range want {
		largest = max(largest, math.Abs(float64(g)))
	}
	batch := make([]int32, 37)
	for i := range batch {
		batch[i] = int32(i)
	}
	for i := 0; i < n.Dim(); i += 1 + n.Dim()/30 {
		if d := derivative(p, i, batch); math.Abs(float64(want[i])-d) > 3e-6*largest {
			t.Errorf("component %d is %v, want %v", i, want[i], d)
		}
	}
}

// Workspaces of one network are used at the same time.
func TestConcurrentWorkspaces(t *testing.T) {
	n := small()["CNN as in the paper"]
	p := newProblem(n, 20)
	want := make([]float32, n.Dim())
	n.Grad(n.NewWorkspace(1), want, p.t32, p.data, nil)
	done := make(chan error)
	for range 3 {
		go func() {
			ws := n.NewWorkspace(2)
			defer ws.Close()
			got := make([]float32, n.Dim())
			for range 5 {
				n.Grad(ws, got, p.t32, p.data, nil)
				for i := range got {
					if got[i] != want[i] {
						done <- fmt.Errorf("component %d is %v, want %v", i, got[i], want[i])
						return
					}
				}
			}
			done <- nil
		}()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
