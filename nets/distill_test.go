package nets

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// other is a teacher for a problem.
func (p problem) other() (teacher []float64, t32 []float32) {
	teacher, t32 = make([]float64, len(p.theta)), make([]float32, len(p.theta))
	for i, x := range p.t32 {
		t32[i] = 0.8*x - 0.05*p.t32[len(p.t32)-1-i]
		teacher[i] = float64(t32[i])
	}
	return teacher, t32
}

// distilled is the objective by the reference.
func (p problem) distilled(teacher []float64, batch []int32, r Random, jitter float64) float64 {
	sum := 0.0
	for i, row := range batch {
		image := p.data.X[int(row)*p.net.input.Len():][:p.net.input.Len()]
		// Layers work as in predictions: only inputs draw, by their words.
		x := make([]float64, len(image))
		for j, b := range image {
			x[j] = float64(b) / p.net.input.Divisor
		}
		newDraws(p.net, r, i, Keep{1, 1}, jitter).jitter(x)
		want, q := referenceFrom(p.net, teacher, slices.Clone(x), nil), referenceFrom(p.net, p.theta, x, nil)
		for c := range want {
			sum += want[c] * math.Log(q[c])
		}
	}
	return sum / float64(len(batch))
}

// As TestGradIsTheDerivative, with and without jitter.
func TestGradDistillIsTheDerivative(t *testing.T) {
	for name, n := range small() {
		for _, jitter := range []float64{0, 0.2} {
			p := newProblem(n, 6)
			teacher, t32 := p.other()
			batch := []int32{4, 0, 5, 5}
			ws := n.NewWorkspace(1)
			got := make([]float32, n.Dim())
			r := philox{11}
			mean := n.GradDistill(ws, got, p.t32, t32, p.data, batch, r, jitter)
			if want := p.distilled(teacher, batch, r, jitter); math.Abs(mean-want) > 1e-5*(1-want) {
				t.Errorf("%s, jitter %v: mean %v, want %v", name, jitter, mean, want)
			}
			worst, largest := 0.0, 0.0
			for i := 0; i < n.Dim(); i += 1 + n.Dim()/30 {
				want := central(&p.theta[i], func() float64 { return p.distilled(teacher, batch, r, jitter) })
				worst, largest = max(worst, math.Abs(float64(got[i])-want)), max(largest, math.Abs(want))
			}
			if !(worst <= 1e-5*max(largest, 0.1)) {
				t.Errorf("%s, jitter %v: gradient off by %.2g, largest component %.2g", name, jitter, worst, largest)
			}
		}
	}
}

// A student that is its teacher has nothing to learn.
func TestGradDistillOfTheTeacher(t *testing.T) {
	for name, n := range small() {
		p := newProblem(n, 9)
		ws := n.NewWorkspace(2)
		got := make([]float32, n.Dim())
		mean := n.GradDistill(ws, got, p.t32, p.t32, p.data, nil, philox{1}, 0.1)
		for i, g := range got {
			if g != 0 {
				t.Fatalf("%s: component %d is %v", name, i, g)
			}
		}
		if !(mean <= 0) {
			t.Errorf("%s: minus the entropy is %v", name, mean)
		}
		ws.Close()
	}
}

func TestGradDistillWorkers(t *testing.T) {
	for name, n := range small() {
		p := newProblem(n, 37)
		_, teacher := p.other()
		var want []float32
		for workers := 1; workers <= 3; workers++ {
			ws := n.NewWorkspace(workers)
			got := make([]float32, n.Dim())
			n.GradDistill(ws, got, p.t32, teacher, p.data, nil, philox{9}, 0.1)
			if workers == 1 {
				want = got
			}
			sameBits(t, fmt.Sprintf("%s, %d workers", name, workers), got, want)
			ws.Close()
		}
	}
}
