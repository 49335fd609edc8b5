// Package logistic is Bayesian logistic regression: its log-likelihood with the derivatives.
//
// How it works. The data are a design, the matrix of the features, dense or sparse (design.go, outer.go). A
// [Regression] goes through its rows a block at a time: the margins xᵀθ, then what the rows count for, then
// their weighted sum. Dense rows are worked through by kernels in assembly, which give the bits of the Go
// code beside them (kernels.go, residuals.go). A [Scaling] standardises the features.
package logistic

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// Regression is Bayesian logistic regression with labels y ∈ {0, 1}:
//
//	p(y = 1 | x, θ) = σ(xᵀθ),  σ(z) = 1/(1 + e⁻ᶻ).
//
// The prior N(0, σ²I) is the sampler's (see targets.Target). It covers all coordinates, the intercept's too.
type Regression struct {
	train, test design
	y           []int32
	testY       []int32 // nil without a test set
	source      *Source // nil without a file of separated fields
}

// Dim is the number of features, and one for the intercept if there is one.
func (l *Regression) Dim() int { return l.train.cols }

// N is the number of training rows.
func (l *Regression) N() int { return l.train.rows }

// New makes the regression of a training set and a test set, which may be nil. A Scaling, unless it is
// nil, is applied to both, and intercept puts a constant 1 before the features. source is the
// training set's file, as [Regression.Source] has it.
func New(train, test *dataset.Table, s *Scaling, intercept bool, source *Source) *Regression {
	l := &Regression{train: newDesign(train, train.Cols, s, intercept), y: train.Y, source: source}
	if test != nil {
		l.test, l.testY = newDesign(test, train.Cols, s, intercept), test.Y
	}
	return l
}

func (l *Regression) size(batch []int32) int {
	if batch == nil {
		return l.train.rows
	}
	return len(batch)
}

// Grad writes ḡ = (1/n) Σ (yᵢ - σ(xᵢᵀθ)) xᵢ to dst.
func (l *Regression) Grad(dst, theta []float64, batch []int32) {
	clear(dst[:l.train.cols])
	var buf [blockRows]float64
	n := l.size(batch)
	share := 1 / float64(n)
	for from := 0; from < n; from += blockRows {
		z := buf[:min(blockRows, n-from)]
		l.train.margins(z, theta, batch, from)
		l.residuals(z, batch, from, share)
		l.train.accumulate(dst, z, batch, from)
	}
}

// GradLogLik is Grad, and returns (1/n) Σ log p(yᵢ | xᵢ, θ). See tally for how exact it is.
func (l *Regression) GradLogLik(dst, theta []float64, batch []int32) float64 {
	clear(dst[:l.train.cols])
	var buf [blockRows]float64
	n := l.size(batch)
	share := 1 / float64(n)
	t := newTally()
	sum := foldedTally{factor: 1}
	for from := 0; from < n; from += blockRows {
		z := buf[:min(blockRows, n-from)]
		l.train.margins(z, theta, batch, from)
		l.talliedResiduals(z, batch, from, share, &t)
		sum.fold(&t)
		l.train.accumulate(dst, z, batch, from)
	}
	return sum.sum(&t) / float64(n)
}

// vectorRows is the least number of rows of a minibatch whose labels are worth gathering for the kernels.
const vectorRows = 16

// residuals replaces the margins z of a block by (y - σ(z))·share.
func (l *Regression) residuals(z []float64, batch []int32, from int, share float64) {
	if l.train.path != simd.Generic && (batch == nil || len(z) >= vectorRows) {
		t := newTally()
		l.talliedResiduals(z, batch, from, share, &t)
		return
	}
	SigmoidAll(z)
	for k, p := range z {
		z[k] = (float64(l.y[rowAt(batch, from+k)]) - p) * share
	}
}

// talliedResiduals is the function of that name, for the rows of a block.
func (l *Regression) talliedResiduals(z []float64, batch []int32, from int, share float64, t *tally) {
	if batch == nil {
		talliedResiduals(l.train.path, z, l.y[from:], share, t)
		return
	}
	var y [blockRows]int32
	for k, i := range batch[from:][:len(z)] {
		y[k] = l.y[i]
	}
	talliedResiduals(l.train.path, z, y[:len(z)], share, t)
}

// GradHessian writes ḡ to dst and -(1/n) Σ pᵢ(1-pᵢ) xᵢ∘xᵢ with pᵢ = σ(xᵢᵀθ) to hess.
func (l *Regression) GradHessian(dst, hess, theta []float64, batch []int32) {
	clear(dst[:l.train.cols])
	clear(hess[:l.train.cols])
	var buf, weight [blockRows]float64
	n := l.size(batch)
	share := 1 / float64(n)
	for from := 0; from < n; from += blockRows {
		z := buf[:min(blockRows, n-from)]
		w := weight[:len(z)]
		l.train.margins(z, theta, batch, from)
		SigmoidAll(z)
		for k, p := range z {
			w[k] = -p * (1 - p) * share
			z[k] = (float64(l.y[rowAt(batch, from+k)]) - p) * share
		}
		l.train.accumulate(dst, z, batch, from)
		l.train.accumulateSquares(hess, w, batch, from)
	}
}

// LogLik is Σᵢ log p(yᵢ | xᵢ, θ) = -Σ log(1 + e^(-mᵢ)) with the signed margin m = (2y - 1) xᵀθ. A negative margin is
// taken as m - log(1 + eᵐ), and the logarithms of a block as one: Π(1 + eₖ) = 1 + u with u from the rule u ← u + e +
// ue, whose terms are all positive, so that log1p(u) loses nothing where all eₖ are tiny.
func (l *Regression) LogLik(theta []float64) float64 {
	var buf [blockRows]float64
	n := l.train.rows
	sum := 0.0
	for from := 0; from < n; from += blockRows {
		z := buf[:min(blockRows, n-from)]
		l.train.margins(z, theta, nil, from)
		for k, m := range z {
			if l.y[from+k] == 0 {
				m = -m
			}
			if m < 0 {
				sum += m
				m = -m
			}
			z[k] = -m
		}
		ExpAll(z)
		u := 0.0
		for _, e := range z {
			u += e + float64(u*e)
		}
		sum -= libm.Log1p(u)
	}
	return sum
}

// Classes is 2.
func (l *Regression) Classes() int { return 2 }

// Labels returns the classes of a split; nil for Test without a test set.
func (l *Regression) Labels(s dataset.Split) []int32 {
	if s == dataset.Test {
		return l.testY
	}
	return l.y
}

// Predict writes 1 - σ(xᵀθ) and σ(xᵀθ) of each row of a split to dst, each to full relative precision.
func (l *Regression) Predict(dst, theta []float64, s dataset.Split) {
	d := &l.train
	if s == dataset.Test {
		d = &l.test
	}
	var buf [blockRows]float64
	for from := 0; from < d.rows; from += blockRows {
		z := buf[:min(blockRows, d.rows-from)]
		d.margins(z, theta, nil, from)
		for k, m := range z {
			z[k] = -math.Abs(m)
			// dst holds the sign until the exponential is there.
			dst[2*(from+k)] = m
		}
		ExpAll(z)
		for k, e := range z {
			i := 2 * (from + k)
			more, less := 1/(1+e), e/(1+e)
			if dst[i] >= 0 {
				dst[i], dst[i+1] = less, more
			} else {
				dst[i], dst[i+1] = more, less
			}
		}
	}
}
