package tanhnet

import (
	"math"
	"sync"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// varied is what a pass has in the place of each datum and the whole network: units dropped, or another answer. A nil
// one has nothing.
type varied struct {
	random nets.Random
	words  [2 + MaxLayers*MaxUnits + 2]uint32
	x      [2]float64

	keep nets.Keep                    // of dropout; none where there is a teacher
	by   [MaxLayers][MaxUnits]float64 // what the units of each hidden layer are multiplied by

	teacher       []float64 // θ whose answers are learnt; nil for none
	jitter        float64
	first, second units
}

// variations have what such a pass needs, which would be allocated for the words.
var variations = sync.Pool{New: func() any { return new(varied) }}

// GradRandom is GradLogLik where each datum has a network of its own, of which inputs and units are dropped at random
// (Srivastava et al. 2014, section 4): one is kept with a probability and then divided by it, or else it is 0.
func (n *Net) GradRandom(dst, theta []float64, batch []int32, r nets.Random, keep nets.Keep) float64 {
	if keep == (nets.Keep{Input: 1, Hidden: 1}) {
		return n.pass(dst, nil, theta, batch, nil)
	}
	v := variations.Get().(*varied)
	defer variations.Put(v)
	v.random, v.keep, v.teacher = r, keep, nil
	return n.pass(dst, nil, theta, batch, v)
}

// GradDistill writes the gradient by the student's parameters of (1/n) Σ_{i∈batch} E log p(Y | x_i', student) to dst,
// with Y ~ p(· | x_i', teacher) and x' = x + jitter·N(0, I), and returns that mean.
func (n *Net) GradDistill(dst, student, teacher []float64, batch []int32, r nets.Random, jitter float64) float64 {
	v := variations.Get().(*varied)
	defer variations.Put(v)
	v.random, v.teacher, v.jitter = r, teacher, jitter
	return n.pass(dst, nil, student, batch, v)
}

// draw draws the inputs of the datum in a row of the batch, and what is kept of the network, and returns the inputs and
// the answer, which of a teacher's classes is a probability.
func (v *varied) draw(n *Net, row int, x []float64, y float64) ([]float64, float64) {
	in := v.x[:copy(v.x[:], x)]
	if v.teacher == nil {
		v.drop(n, row, in)
		return in, y
	}
	if v.jitter > 0 { // a normal each, of Box and Muller's pair
		w := v.words[:4]
		v.random.Words(w, uint64(4*row))
		radius := v.jitter * math.Sqrt(-2*libm.Log((float64(w[0])+0.5)/(1<<32)))
		sin, cos := libm.Sincos(2 * math.Pi * (float64(w[1]) / (1 << 32)))
		for i, z := range [2]float64{cos, sin} {
			if i < len(in) {
				in[i] += float64(radius * z)
			}
		}
	}
	z, _, _ := n.output(&v.first, &v.second, v.teacher, in, nil)
	if n.classes {
		_, z = sigmoid(-z)
	}
	return in, z
}

func (v *varied) drop(n *Net, row int, in []float64) {
	words := n.inputs
	for _, h := range n.hidden {
		words += h
	}
	words = (words + 3) &^ 3
	w := v.words[:words]
	v.random.Words(w, uint64(row*words))
	for i := range in {
		in[i] *= flip(w[i], v.keep.Input)
	}
	w = w[len(in):]
	for l, h := range n.hidden {
		for j := range h {
			v.by[l][j] = flip(w[j], v.keep.Hidden)
		}
		w = w[h:]
	}
}

func flip(word uint32, keep float64) float64 {
	if float64(word) < keep*(1<<32) {
		return 1 / keep
	}
	return 0
}

// units drops units a of a hidden layer.
func (v *varied) units(l int, a []float64) {
	if v == nil || v.teacher != nil {
		return
	}
	for j, by := range v.by[l][:len(a)] {
		a[j] *= by
	}
}

// slope is da/du of unit j of a hidden layer, which is a = by·tanh u.
func (v *varied) slope(l, j int, a float64) float64 {
	if v == nil || v.teacher != nil {
		return 1 - float64(a*a)
	}
	if by := v.by[l][j]; by > 0 {
		return by - float64(a*a)/by
	}
	return 0
}
