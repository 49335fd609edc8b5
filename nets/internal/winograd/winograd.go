// Package winograd has the transforms of Winograd's convolution F(4×4, 5×5), as steps that
// kernels in Go and generated assembly do in one order.
//
// A 5×5 convolution of an 8×8 part of an image has 4×4 results. Along a line, with the
// Toom–Cook points 0, ±1, ±2, ±½ and ∞,
//
//	y = Aᵀ[(G w) ⊙ (Bᵀ x)],   ∂w = Gᵀ[(Bᵀ x) ⊙ (A ∂y)],
//
// where A and G have the powers of a point p in a row, those of G over Π(p - q) for the other finite points q, and Bᵀ
// has the coefficients of Π(X - q); in two dimensions lines are transformed, and then columns. A tile has 64 products
// for each pair of channels in place of 400 (Lavin and Gray 2016).
package winograd

// A Step makes a value from two before it: A + Factor·B, rounded once. If A is None it is Factor·B.
type Step struct {
	A, B   int
	Factor float32
}

// None stands for no value.
const None = -1

// A Transform is a linear map along a line. The first values are its inputs, and each step makes one more.
type Transform struct {
	Name    string
	Inputs  int
	Steps   []Step
	Outputs []int // values
}

// Lengths of a line of weights, of results and of what is multiplied.
const (
	Kernel = 5
	Tile   = 4
	Points = Kernel + Tile - 1
)

// All is the transforms: Bᵀ of images, Aᵀ to results, A of results' gradients, G of weights
// and Gᵀ to weights' gradients.
var (
	Image       = build("image", Points, image)
	Result      = build("result", Points, result)
	ResultBack  = build("resultBack", Tile, resultBack)
	Weights     = build("weights", Kernel, weights)
	WeightsBack = build("weightsBack", Points, weightsBack)
	All         = []*Transform{Image, Result, ResultBack, Weights, WeightsBack}
)

// One over the products of distances of the points ±1, ±2 and ±½ to the others.
const at1, at2, atHalf = -2. / 9, 1. / 90, 32. / 45

// plus appends the value a + factor·b.
func (t *Transform) plus(a int, factor float32, b int) int {
	t.Steps = append(t.Steps, Step{a, b, factor})
	return t.Inputs + len(t.Steps) - 1
}

// pair appends even + factor·odd and even - factor·odd: a point's value and its negative's.
func (t *Transform) pair(even int, factor float32, odd int) (plus, minus int) {
	return t.plus(even, factor, odd), t.plus(even, -factor, odd)
}

func build(name string, inputs int, steps func(t *Transform) []int) *Transform {
	t := &Transform{Name: name, Inputs: inputs}
	t.Outputs = steps(t)
	return t
}

// Inputs are numbered by their place. Points are in the order 0, 1, -1, 2, -2, ½, -½, ∞.

func image(t *Transform) []int {
	even1 := t.plus(t.plus(2, 1, 6), -17./4, 4)
	odd1 := t.plus(t.plus(1, 1, 5), -17./4, 3)
	p1, m1 := t.pair(even1, 1, odd1)
	even2 := t.plus(t.plus(6, 1./4, 2), -5./4, 4)
	odd2 := t.plus(t.plus(1, 4, 5), -5, 3) // twice
	p2, m2 := t.pair(even2, 1./2, odd2)
	evenHalf := t.plus(t.plus(6, 4, 2), -5, 4)
	oddHalf := t.plus(t.plus(5, 4, 1), -5, 3) // twice
	pHalf, mHalf := t.pair(evenHalf, 1./2, oddHalf)
	zero := t.plus(t.plus(0, -1, 6), 21./4, t.plus(4, -1, 2))
	infinity := t.plus(t.plus(7, -1, 1), 21./4, t.plus(3, -1, 5))
	return []int{zero, p1, m1, p2, m2, pHalf, mHalf, infinity}
}

func result(t *Transform) []int {
	even1, odd1 := t.pair(1, 1, 2)
	even2, odd2 := t.pair(3, 1, 4)
	evenHalf, oddHalf := t.pair(5, 1, 6)
	return []int{
		t.plus(t.plus(t.plus(0, 1, even1), 1, even2), 1, evenHalf),
		t.plus(t.plus(odd1, 2, odd2), 1./2, oddHalf),
		t.plus(t.plus(even1, 4, even2), 1./4, evenHalf),
		t.plus(t.plus(t.plus(7, 1, odd1), 8, odd2), 1./8, oddHalf),
	}
}

func resultBack(t *Transform) []int {
	p1, m1 := t.pair(t.plus(0, 1, 2), 1, t.plus(1, 1, 3))
	p2, m2 := t.pair(t.plus(0, 4, 2), 2, t.plus(1, 4, 3))
	pHalf, mHalf := t.pair(t.plus(0, 1./4, 2), 1./2, t.plus(1, 1./4, 3))
	return []int{0, p1, m1, p2, m2, pHalf, mHalf, 3}
}

func weights(t *Transform) []int {
	p1, m1 := t.pair(t.plus(t.plus(0, 1, 2), 1, 4), 1, t.plus(1, 1, 3))
	p2, m2 := t.pair(t.plus(t.plus(0, 4, 2), 16, 4), 2, t.plus(1, 4, 3))
	pHalf, mHalf := t.pair(t.plus(t.plus(0, 1./4, 2), 1./16, 4), 1./2, t.plus(1, 1./4, 3))
	by := func(factor float32, v int) int { return t.plus(None, factor, v) }
	return []int{0, by(at1, p1), by(at1, m1), by(at2, p2), by(at2, m2), by(atHalf, pHalf), by(atHalf, mHalf), 4}
}

func weightsBack(t *Transform) []int {
	by := func(factor float32, plus, minus int) (even, odd int) {
		even, odd = t.pair(plus, 1, minus)
		return t.plus(None, factor, even), t.plus(None, factor, odd)
	}
	even1, odd1 := by(at1, 1, 2)
	even2, odd2 := by(at2, 3, 4)
	evenHalf, oddHalf := by(atHalf, 5, 6)
	return []int{
		t.plus(t.plus(t.plus(0, 1, even1), 1, even2), 1, evenHalf),
		t.plus(t.plus(odd1, 2, odd2), 1./2, oddHalf),
		t.plus(t.plus(even1, 4, even2), 1./4, evenHalf),
		t.plus(t.plus(odd1, 8, odd2), 1./8, oddHalf),
		t.plus(t.plus(t.plus(7, 1, even1), 16, even2), 1./16, evenHalf),
	}
}
