package metrics

import "fmt"

// Curve keeps a series y(x) of any length in a fixed number of points: every 2^k-th of the points offered, the first among
// them. When it is full it drops every other point and doubles its stride.
type Curve struct {
	xs, ys  []float64
	stride  uint64
	offered uint64
	x, y    float64 // the newest point
}

// NewCurve returns an empty curve of at most cap points, cap >= 2.
func NewCurve(cap int) *Curve {
	if cap < 2 {
		panic(fmt.Sprintf("metrics: a curve of %d points", cap))
	}
	return &Curve{xs: make([]float64, 0, cap), ys: make([]float64, 0, cap), stride: 1}
}

// Add offers the next point.
func (c *Curve) Add(x, y float64) {
	at := c.offered
	c.offered++
	c.x, c.y = x, y
	if at%c.stride != 0 {
		return
	}
	if len(c.xs) == cap(c.xs) {
		c.thin()
		if at%c.stride != 0 {
			return
		}
	}
	c.xs, c.ys = append(c.xs, x), append(c.ys, y)
}

func (c *Curve) thin() {
	n := 0
	for i := 0; i < len(c.xs); i += 2 {
		c.xs[n], c.ys[n] = c.xs[i], c.ys[i]
		n++
	}
	c.xs, c.ys = c.xs[:n], c.ys[:n]
	c.stride *= 2
}

// Reset forgets every point and keeps the memory.
func (c *Curve) Reset() {
	c.xs, c.ys = c.xs[:0], c.ys[:0]
	c.stride, c.offered = 1, 0
}

// Len returns the number of points kept.
func (c *Curve) Len() int { return len(c.xs) }

// At returns kept point i, 0 <= i < Len().
func (c *Curve) At(i int) (x, y float64) { return c.xs[i], c.ys[i] }

// AppendTo appends the kept points to xs and ys.
func (c *Curve) AppendTo(xs, ys []float64) ([]float64, []float64) {
	return append(xs, c.xs...), append(ys, c.ys...)
}

// Last returns the newest point offered, kept or not; ok is false if there is none.
func (c *Curve) Last() (x, y float64, ok bool) {
	if c.offered == 0 {
		return 0, 0, false
	}
	return c.x, c.y, true
}
