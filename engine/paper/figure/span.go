package figure

import (
	"cmp"
	"math"
)

// The range of numbers that figures show. Beyond it a number counts as not finite, so that
// differences are finite, and on a log axis ratios.
const (
	largest     = 1e300
	largestLog  = 1e150
	smallestLog = 1e-150
)

// A Span is what an axis shows, from Lo to Hi.
type Span struct {
	Lo, Hi float64
	Log    bool
	Empty  bool // no data: Lo and Hi mean nothing
}

// Frac is the place of v: 0 at Lo, 1 at Hi. It is NaN for a number that is not finite or, on a log axis, not positive.
func (s Span) Frac(v float64) float64 {
	switch {
	case s.Empty || !s.has(v):
		return math.NaN()
	case s.Log:
		return math.Log(v/s.Lo) / math.Log(s.Hi/s.Lo)
	}
	return (v - s.Lo) / (s.Hi - s.Lo)
}

func (s Span) has(v float64) bool {
	if s.Log {
		return v >= smallestLog && v <= largestLog
	}
	return math.Abs(v) <= largest
}

// Spans are what the panel's axes show: the range that was asked for, or else the points, error bars and contours with
// a margin. A point that one axis does not show does not widen the other.
func (p Panel) Spans() (x, y Span) {
	x, fixedX := p.X.span()
	y, fixedY := p.Y.span()
	x.Empty, y.Empty = !fixedX, !fixedY
	fx, fy := fit{x, fixedX}, fit{y, fixedY}
	for _, s := range p.Series {
		px, py := s.Path()
		for i := range px {
			if !fx.in(px[i]) || !fy.in(py[i]) {
				continue
			}
			fx.add(px[i])
			fy.add(py[i])
			switch {
			case s.Style == Steps && !y.Log: // bars stand on zero
				fy.add(0)
			case s.Style != Steps && i < len(s.Err):
				fy.add(py[i]-s.Err[i], py[i]+s.Err[i])
			}
		}
	}
	for _, e := range p.Contours {
		if e.ok() {
			fx.add(-e.A, e.A)
			fy.add(-e.B, e.B)
		}
	}
	return fx.done(), fy.done()
}

// span is the range that was asked for; false if none was.
func (a Axis) span() (Span, bool) {
	s := Span{Log: a.Log}
	if s.has(a.Min) && s.has(a.Max) && a.Max-a.Min > 1e-9*math.Max(math.Abs(a.Min), math.Abs(a.Max)) {
		s.Lo, s.Hi = a.Min, a.Max
		return s, true
	}
	return s, false
}

// A fit is a span that widens to what is added.
type fit struct {
	Span
	fixed bool
}

// in reports whether the axis can show v.
func (f *fit) in(v float64) bool {
	return f.has(v) && (!f.fixed || v >= f.Lo && v <= f.Hi)
}

func (f *fit) add(all ...float64) {
	for _, v := range all {
		switch {
		case f.fixed || !f.has(v):
		case f.Empty:
			f.Lo, f.Hi, f.Empty = v, v, false
		default:
			f.Lo, f.Hi = min(f.Lo, v), max(f.Hi, v)
		}
	}
}

// done adds the margins. It widens a span of a single value.
func (f *fit) done() Span {
	const margin = 0.04
	s := f.Span
	if f.fixed {
		return s
	}
	switch {
	case s.Empty:
	case s.Log && s.Hi/s.Lo < 1+1e-6:
		s.Lo, s.Hi = s.Lo/2, s.Hi*2
	case s.Log:
		k := math.Pow(s.Hi/s.Lo, margin)
		s.Lo, s.Hi = s.Lo/k, s.Hi*k
	case s.Hi-s.Lo < 1e-9*max(math.Abs(s.Lo), math.Abs(s.Hi)) || s.Hi == s.Lo:
		d := cmp.Or(max(math.Abs(s.Lo), math.Abs(s.Hi))/10, 1)
		s.Lo, s.Hi = s.Lo-d, s.Hi+d
	default:
		d := margin * (s.Hi - s.Lo)
		if s.Lo != 0 { // bars stand on the axis
			s.Lo -= d
		}
		s.Hi += d
	}
	return s
}

// Path is the line through the series. For Steps it goes along the tops of the bins.
func (s Series) Path() (x, y []float64) {
	n := min(len(s.X), len(s.Y))
	if s.Style != Steps {
		return s.X[:n], s.Y[:n]
	}
	for i := range min(len(s.X)-1, len(s.Y)) {
		x = append(x, s.X[i], s.X[i+1])
		y = append(y, s.Y[i], s.Y[i])
	}
	return x, y
}

func (e Ellipse) ok() bool { return e.A > 0 && e.B > 0 && e.A <= largest && e.B <= largest }

// Path is the ellipse as a closed line of n pieces; nil if it has no size.
func (e Ellipse) Path(n int) (x, y []float64) {
	if !e.ok() {
		return nil, nil
	}
	for i := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%n) / float64(n))
		x, y = append(x, e.A*cos), append(y, e.B*sin)
	}
	return x, y
}
