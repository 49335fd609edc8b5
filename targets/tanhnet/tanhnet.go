// Package tanhnet has small tanh networks with one output in float64: regressions on a line and classifications in the
// plane, whose posterior can be seen as a function.
//
// With one or two hidden layers of h units a^l = tanh(W^l a^(l-1) + b^l), a⁰ = x, the output is z = vᵀa + c. Of a
// regression y ~ N(z, s²), and of a classification p(y = 1 | x) = σ(z). θ has the layers one after the other, of each
// the weights and then the biases. The weight from unit i to unit j is number i·h + j of them.
package tanhnet

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/logistic"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// MaxUnits and MaxLayers bound the hidden layers. With one layer more the Hessian's diagonal would no longer be cheap.
const (
	MaxUnits  = 64
	MaxLayers = 2
)

// LearntNoise is the median of the noise's prior where it is learnt: the last coordinate of θ is then
// log(s/LearntNoise).
const LearntNoise = 0.3

const halfLog2Pi = 0.91893853320467274178

// A Net is the likelihood of the data under a network. It holds no scratch memory: what a pass needs is on the stack.
type Net struct {
	inputs  int
	hidden  []int
	classes bool
	learn   bool              // s is the last coordinate's
	noise   float64           // s else
	data    [2]dataset.Points // by dataset.Split
	places  []float64
	labels  [2][]int32
}

// Regression is a network over a line. noise is s, or 0 to learn it. test may be empty, and places are where the
// function is looked at.
func Regression(hidden []int, noise float64, train, test dataset.Points, places []float64) *Net {
	return &Net{inputs: 1, hidden: hidden, learn: noise == 0, noise: noise, data: [2]dataset.Points{train, test},
		places: places}
}

// Classification is a network over the plane, of which places have two numbers each.
func Classification(hidden []int, train, test dataset.Points, places []float64) Classifier {
	return classifier(&Net{inputs: 2, hidden: hidden, classes: true, data: [2]dataset.Points{train, test}, places: places})
}

func classifier(of *Net) Classifier {
	n := Classifier{of}
	for s, d := range n.data {
		n.labels[s] = list.Map(d.Y, func(y float64) int32 { return int32(y) })
	}
	return n
}

// Plus is the network with more rows to learn from.
func (n *Net) Plus(more dataset.Points) *Net {
	q := *n
	own := &q.data[dataset.Train]
	own.X, own.Y = slices.Concat(own.X, more.X), slices.Concat(own.Y, more.Y)
	return &q
}

// Dim is the number of weights and biases, and one more where the noise is learnt.
func (n *Net) Dim() int {
	d, in := 0, n.inputs
	for _, h := range n.hidden {
		d, in = d+(in+1)*h, h
	}
	if d += in + 1; n.learn {
		d++
	}
	return d
}

// Names are those of θ: w1.2.3 is the weight in layer 1 from unit 2 to unit 3, b1.3 the bias there, and w.3 and b are
// the output's.
func (n *Net) Names() (names []string) {
	in := n.inputs
	for l, h := range n.hidden {
		for k := range in * h {
			names = append(names, fmt.Sprintf("w%d.%d.%d", l+1, k/h+1, k%h+1))
		}
		for j := range h {
			names = append(names, fmt.Sprintf("b%d.%d", l+1, j+1))
		}
		in = h
	}
	for i := range in {
		names = append(names, fmt.Sprintf("w.%d", i+1))
	}
	if names = append(names, "b"); n.learn {
		names = append(names, "lognoise")
	}
	return names
}

// N is the number of rows to learn from.
func (n *Net) N() int { return len(n.data[dataset.Train].Y) }

// Data are the rows of a split, without any where there is no such split. The caller does not change them.
func (n *Net) Data(s dataset.Split) dataset.Points { return n.data[s] }

// Inputs is 1 or 2.
func (n *Net) Inputs() int { return n.inputs }

// Noise is the standard deviation s of y about the function; NaN of a classification.
func (n *Net) Noise(theta []float64) float64 {
	switch {
	case n.classes:
		return math.NaN()
	case n.learn:
		return LearntNoise * libm.Exp(theta[len(theta)-1])
	}
	return n.noise
}

type units [MaxUnits]float64

// layer writes tanh(u) = 1 - 2/(1 + e²ᵘ) of u = Wa + b to dst, with an error of about 10⁻¹⁵, and returns θ behind the
// layer's parameters.
func layer(dst, a, theta []float64) []float64 {
	h := len(dst)
	copy(dst, theta[len(a)*h:][:h])
	for i, x := range a {
		w := theta[i*h:][:len(dst)]
		for j := range dst {
			dst[j] += float64(x * w[j])
		}
	}
	for j := range dst {
		dst[j] *= 2
	}
	logistic.ExpAll(dst)
	for j, e := range dst {
		dst[j] = 1 - 2/(1+e)
	}
	return theta[(len(a)+1)*h:]
}

// output is the network's z at x, varied where by is not nil. It leaves the units of the layers in first and second,
// and returns θ of the output.
func (n *Net) output(first, second *units, theta, x []float64, by *varied) (z float64, last, out []float64) {
	last = first[:n.hidden[0]]
	out = layer(last, x, theta)
	by.units(0, last)
	if len(n.hidden) == 2 {
		a := last
		last = second[:n.hidden[1]]
		out = layer(last, a, out)
		by.units(1, last)
	}
	z = out[len(last)]
	for j, a := range last {
		z += float64(a * out[j])
	}
	return z, last, out
}

// sigmoid returns log σ(m) and σ(-m).
func sigmoid(m float64) (logp, rest float64) {
	e := libm.Exp(-math.Abs(m))
	logp, rest = -libm.Log1p(e), e/(1+e)
	if m < 0 {
		return m + logp, 1 - rest
	}
	return logp, rest
}

// Grad writes ḡ = (1/n) Σ ∇log p(yᵢ | xᵢ, θ) to dst.
func (n *Net) Grad(dst, theta []float64, batch []int32) { n.pass(dst, nil, theta, batch, nil) }

// GradLogLik is Grad, and returns (1/n) Σ log p(yᵢ | xᵢ, θ).
func (n *Net) GradLogLik(dst, theta []float64, batch []int32) float64 {
	return n.pass(dst, nil, theta, batch, nil)
}

// GradHessian also writes the diagonal of the Hessian's mean to hess. With r = ∂log p/∂z and k = ∂²log p/∂z² it is
// k (∂z/∂w)² + r ∂²z/∂w², where ∂²z/∂u² of a unit's u = Wa + b has no mixed terms, since z is linear in the last layer.
func (n *Net) GradHessian(dst, hess, theta []float64, batch []int32) {
	n.pass(dst, hess, theta, batch, nil)
}

// LogLik is Σ log p(yᵢ | xᵢ, θ).
func (n *Net) LogLik(theta []float64) (sum float64) {
	var first, second units
	d := n.data[dataset.Train]
	scale := n.Noise(theta)
	for i, y := range d.Y {
		z, _, _ := n.output(&first, &second, theta, d.X[i*n.inputs:][:n.inputs], nil)
		logp, _, _ := n.datum(z, y, scale)
		sum += logp
	}
	if !n.classes {
		sum -= float64(float64(len(d.Y)) * (halfLog2Pi + libm.Log(scale)))
	}
	return sum
}

// datum returns log p(y | z), of a regression without -log s - ½ log 2π, and its first two derivatives by z. A y
// between 0 and 1 of a classification is the probability of class 1, over which the mean is taken.
func (n *Net) datum(z, y, scale float64) (logp, r, k float64) {
	if !n.classes {
		e, prec := y-z, 1/float64(scale*scale)
		r = e * prec
		return -0.5 * e * r, r, -prec
	}
	if y != 0 && y != 1 {
		logp, rest := sigmoid(z)
		return logp - float64((1-y)*z), rest - (1 - y), -rest * (1 - rest)
	}
	sign := 2*y - 1
	logp, rest := sigmoid(sign * z)
	return logp, sign * rest, -rest * (1 - rest)
}

// pass goes once forth and back over a batch, for the mean log-likelihood, its gradient and, unless hess is nil, the
// diagonal of its Hessian. Where by is not nil, each datum and its network are varied by it.
func (n *Net) pass(dst, hess, theta []float64, batch []int32, by *varied) float64 {
	var first, second, s1, s2, q2 units
	d := n.Dim()
	dst, theta = dst[:d], theta[:d]
	clear(dst)
	if hess != nil {
		hess = hess[:d]
		clear(hess)
	}
	rows, sum, scale := len(batch), 0.0, n.Noise(theta)
	if batch == nil {
		rows = n.N()
	}
	share := 1 / float64(rows)
	for row := range rows {
		at := row
		if batch != nil {
			at = int(batch[row])
		}
		x, y := n.data[0].X[at*n.inputs:][:n.inputs], n.data[0].Y[at]
		if by != nil {
			x, y = by.draw(n, row, x, y)
		}
		z, last, out := n.output(&first, &second, theta, x, by)
		logp, r, k := n.datum(z, y, scale)
		if by != nil && by.teacher != nil && !n.classes { // E (Y - z)² has the teacher's variance too
			s := n.Noise(by.teacher) / scale
			logp -= float64(0.5 * s * s)
		}
		sum += logp
		if n.learn { // of log p by log s, with e²/s² = -2 log p
			dst[d-1] -= float64((float64(2*logp) + 1) * share)
			if hess != nil {
				hess[d-1] += float64(4 * logp * share)
			}
		}
		r, k = float64(r*share), float64(k*share)
		from := d - len(out) // where the output's parameters begin
		g := dst[from:]
		s := s1[:len(last)] // ∂z/∂u of the last hidden layer
		if len(n.hidden) == 2 {
			s = s2[:len(last)]
		}
		for j, a := range last {
			g[j] += float64(r * a)
			s[j] = out[j] * by.slope(len(n.hidden)-1, j, a)
		}
		g[len(last)] += r
		if hess != nil {
			q := q2[:len(last)] // ∂²z/∂u²
			for j, a := range last {
				hess[from+j] += float64(k * a * a)
				q[j] = -2 * a * s[j]
			}
			hess[from+len(last)] += k
		}
		if len(n.hidden) == 1 {
			spread(dst, s, x, r)
			if hess != nil {
				spreadHess(hess, s, q2[:len(s)], x, r, k)
			}
			continue
		}
		a := first[:n.hidden[0]]
		h, at := len(last), (n.inputs+1)*n.hidden[0]
		spread(dst[at:], s, a, r)
		if hess != nil {
			spreadHess(hess[at:], s, q2[:len(s)], a, r, k)
		}
		for i, x := range a {
			w, slope := theta[at+i*h:][:len(s)], 0.0
			for j, v := range s {
				slope += float64(v * w[j])
			}
			t := by.slope(0, i, x)
			s1[i] = slope * t
			if hess != nil {
				bend := 0.0 // ∂²z/∂a²
				for j, v := range w {
					bend += float64(q2[j] * v * v)
				}
				first[i] = float64(bend*t*t) - float64(2*x*s1[i]) // which now is ∂²z/∂u²
			}
		}
		spread(dst, s1[:len(a)], x, r)
		if hess != nil {
			spreadHess(hess, s1[:len(a)], a, x, r, k)
		}
	}
	if !n.classes {
		sum -= float64(float64(rows) * (halfLog2Pi + libm.Log(scale)))
	}
	return sum * share
}

// spread adds r ∂z/∂w to the weights and biases of a layer with inputs a, of whose units s is ∂z/∂u.
func spread(dst, s, a []float64, r float64) {
	for _, x := range a {
		w := dst[:len(s)]
		x *= r
		for j, v := range s {
			w[j] += float64(x * v)
		}
		dst = dst[len(s):]
	}
	w := dst[:len(s)]
	for j, v := range s {
		w[j] += float64(r * v)
	}
}

// spreadHess does so with k (∂z/∂w)² + r ∂²z/∂w², where q is ∂²z/∂u².
func spreadHess(dst, s, q, a []float64, r, k float64) {
	for i := range len(a) + 1 {
		x := 1.0
		if i < len(a) {
			x = a[i] * a[i]
		}
		for j, v := range s {
			dst[i*len(s)+j] += float64(x * (float64(k*v*v) + float64(r*q[j])))
		}
	}
}

// Places are where the function is looked at, row by row of as many numbers as there are inputs. The caller does not
// change them.
func (n *Net) Places() []float64 { return n.places }

// Function writes f(x; θ) at each of Places to dst: z of a regression, and σ(z) of a classification.
func (n *Net) Function(dst, theta []float64) {
	var first, second units
	for i := range len(n.places) / n.inputs {
		z, _, _ := n.output(&first, &second, theta, n.places[i*n.inputs:][:n.inputs], nil)
		if n.classes {
			_, z = sigmoid(-z)
		}
		dst[i] = z
	}
}

// HeldOut writes p(yᵢ | xᵢ, θ) of the test set to density, and of a regression P(Y < yᵢ | xᵢ, θ) to below.
func (n *Net) HeldOut(density, below, theta []float64) {
	var first, second units
	d, scale := n.data[dataset.Test], n.Noise(theta)
	for i, y := range d.Y {
		z, _, _ := n.output(&first, &second, theta, d.X[i*n.inputs:][:n.inputs], nil)
		if n.classes {
			logp, _, _ := n.datum(z, y, scale)
			density[i] = libm.Exp(logp)
			continue
		}
		e := (y - z) / scale
		density[i] = libm.Exp(-float64(0.5*e*e)-halfLog2Pi) / scale
		below[i] = 0.5 * math.Erfc(-e/math.Sqrt2)
	}
}

// A Classifier is a classification, which predicts the probabilities of its two classes.
type Classifier struct{ *Net }

// Plus is the classification with more rows to learn from.
func (c Classifier) Plus(more dataset.Points) Classifier { return classifier(c.Net.Plus(more)) }

// Classes is 2.
func (Classifier) Classes() int { return 2 }

// Labels are the classes of the rows of a split, nil where there is no such split. The caller does not change them.
func (c Classifier) Labels(s dataset.Split) []int32 { return c.labels[s] }

// Predict writes 1 - σ(z) and σ(z) of each row of a split to dst, each to full relative precision.
func (c Classifier) Predict(dst, theta []float64, s dataset.Split) {
	var first, second units
	d := c.data[s]
	for i := range d.Y {
		z, _, _ := c.output(&first, &second, theta, d.X[2*i:][:2], nil)
		_, dst[2*i] = sigmoid(z)
		_, dst[2*i+1] = sigmoid(-z)
	}
}

// Grid is so many places from -half to half, of inputs 1 or 2, the second of which is the slower.
func Grid(inputs, points int, half float64) (places []float64) {
	at := func(i int) float64 { return half * (2*float64(i)/float64(points-1) - 1) }
	for i := range points {
		if inputs == 1 {
			places = append(places, at(i))
			continue
		}
		for k := range points {
			places = append(places, at(k), at(i))
		}
	}
	return places
}
