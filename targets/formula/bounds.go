package formula

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Bounds are what was said of parameters' ranges, such as s > 0, 0 < p < 1 or m1 < m2.
type Bounds struct{ pairs []pairOf }

// pairOf says that low is below high, each a number or a name.
type pairOf struct{ low, high, text string }

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

// IsBound reports whether a text is to be read by Bounds.Add.
func IsBound(text string) bool { return strings.ContainsAny(text, "<>") }

// Add reads a bound. Its error says what is allowed.
func (b *Bounds) Add(text string) error {
	text = strings.Join(strings.Fields(text), " ")
	wrong := func() error {
		return fmt.Errorf("bound %s: want numbers and names with < or > between them, such as s > 0, 0 < p < 1 or m1 < m2",
			shown(text))
	}
	by := "<"
	if strings.Contains(text, ">") {
		by = ">"
	}
	sides := strings.Split(text, by)
	for i, s := range sides {
		s = strings.TrimSpace(s)
		x, err := strconv.ParseFloat(s, 64)
		if number := err == nil && x-x == 0; !number && !identifier.MatchString(s) {
			return wrong()
		}
		sides[i] = s
	}
	for i := range sides[1:] {
		p := pairOf{sides[i], sides[i+1], text}
		if by == ">" {
			p.low, p.high = p.high, p.low
		}
		if !identifier.MatchString(p.low) && !identifier.MatchString(p.high) {
			return wrong()
		}
		b.pairs = append(b.pairs, p)
	}
	return nil
}

// Texts are the bounds as they were given, each once.
func (b *Bounds) Texts() []string {
	return slices.Compact(list.Map(b.pairs, func(p pairOf) string { return p.text }))
}

// Names reports whether a name stands in a bound.
func (b *Bounds) Names(name string) bool {
	return slices.ContainsFunc(b.pairs, func(p pairOf) bool { return p.low == name || p.high == name })
}

// A Scale is how parameters are stepped that have bounds. With lo and hi those of a parameter x,
//
//	x = lo + e^u,   x = hi - e^u   or   x = lo + (hi - lo)/(1 + e^-u)
//
// and u is stepped. A lower bound may be another parameter. It is safe for use by several goroutines.
type Scale struct {
	limits []limit
	order  []int // in which each comes after its bound
	names  []string
}

// A limit is the range of a parameter, infinite where it has none.
type limit struct {
	lo, hi float64
	above  int // the parameter that is its lower bound; -1 for none
}

// Resolve makes the scale of parameters, whose bounds may name values too. It is nil where there are no bounds.
func (b *Bounds) Resolve(names []string, values map[string]float64) (*Scale, error) {
	if len(b.pairs) == 0 {
		return nil, nil
	}
	s := &Scale{names: names, limits: make([]limit, len(names))}
	at := map[string]int{}
	for i, name := range names {
		s.limits[i], at[name] = limit{math.Inf(-1), math.Inf(1), -1}, i
	}
	for _, p := range b.pairs {
		faulty := func(what string) error { return fmt.Errorf("bound %s: %s", shown(p.text), what) }
		number := func(text string) (float64, bool) {
			if x, ok := values[text]; ok {
				return x, true
			}
			x, err := strconv.ParseFloat(text, 64)
			return x, err == nil && !identifier.MatchString(text)
		}
		lo, low := number(p.low)
		hi, high := number(p.high)
		i, isLow := at[p.low]
		j, isHigh := at[p.high]
		switch {
		case !low && !isLow || !high && !isHigh:
			name := p.low
			if low || isLow {
				name = p.high
			}
			return nil, faulty(shown(name) + " is neither a parameter nor a setting, want one of " +
				list.Some(names, 8))
		case low && high:
			return nil, faulty("want a parameter in it")
		case high:
			s.limits[i].hi = min(s.limits[i].hi, hi)
		case low && s.limits[j].above < 0:
			s.limits[j].lo = max(s.limits[j].lo, lo)
		case isLow && s.limits[j].above < 0 && math.IsInf(s.limits[j].lo, 0):
			s.limits[j].above = i
		default:
			return nil, faulty(p.high + " has another lower bound")
		}
	}
	for len(s.order) < len(names) {
		was := len(s.order)
		for i, l := range s.limits {
			if !slices.Contains(s.order, i) && (l.above < 0 || slices.Contains(s.order, l.above)) {
				s.order = append(s.order, i)
			}
		}
		if len(s.order) == was {
			return nil, fmt.Errorf("bounds: %s are each below another in a circle", strings.Join(names, ", "))
		}
	}
	for _, i := range slices.Backward(s.order) { // what is below a parameter is below its bound
		if l := s.limits[i]; l.above >= 0 {
			s.limits[l.above].hi = min(s.limits[l.above].hi, l.hi)
		}
	}
	for i, l := range s.limits {
		if !(l.lo < l.hi) || l.above >= 0 && !(s.limits[l.above].lo < l.hi) {
			return nil, fmt.Errorf("bounds: %s lies above %v and below %v, want room between them", names[i], l.lo, l.hi)
		}
	}
	return s, nil
}

// within reports whether parameter i of a scale, which may be nil, is known to lie between lo and hi.
func (s *Scale) within(i int, lo, hi float64) bool {
	if s == nil {
		return math.IsInf(lo, 0) && math.IsInf(hi, 0)
	}
	low := s.limits[i].lo
	for k := s.limits[i].above; k >= 0; k = s.limits[k].above {
		low = max(low, s.limits[k].lo)
	}
	return low >= lo && s.limits[i].hi <= hi
}

// write writes the parameters by their coordinates, and the logarithm of |dx/du|.
func (s *Scale) write(b *builder) (params []slot, jacobian slot) {
	jacobian = b.number(0)
	params = make([]slot, len(s.limits))
	for _, i := range s.order {
		l, u := s.limits[i], slot(i)
		lo := b.number(l.lo)
		if l.above >= 0 {
			lo = params[l.above]
		}
		x, more := u, b.number(0)
		switch low := l.above >= 0 || !math.IsInf(l.lo, 0); {
		case low && !math.IsInf(l.hi, 0):
			room := b.sub(b.number(l.hi), lo)
			x = b.add(lo, b.mul(room, b.one(sigmoid, u)))
			more = b.sub(b.one(log, room), b.add(b.one(softplus, u), b.one(softplus, b.one(neg, u))))
		case low:
			x, more = b.add(lo, b.one(exp, u)), u
		case !math.IsInf(l.hi, 0):
			x, more = b.sub(b.number(l.hi), b.one(exp, u)), u
		}
		params[i], jacobian = x, b.add(jacobian, more)
	}
	return params, jacobian
}

// Show writes the parameters at theta to dst, which may be theta.
func (s *Scale) Show(dst, theta []float64) {
	for _, i := range s.order {
		l, u := s.limits[i], theta[i]
		if l.above >= 0 {
			l.lo = dst[l.above]
		}
		switch low := !math.IsInf(l.lo, 0); {
		case low && !math.IsInf(l.hi, 0):
			dst[i] = l.lo + float64((l.hi-l.lo)*expit(u))
		case low:
			dst[i] = l.lo + libm.Exp(u)
		case !math.IsInf(l.hi, 0):
			dst[i] = l.hi - libm.Exp(u)
		default:
			dst[i] = u
		}
	}
}

// Step writes where the parameters x are stepped to dst, which is not x. The error says which is beyond its bounds.
func (s *Scale) Step(dst, x []float64) error {
	for i, l := range s.limits {
		if l.above >= 0 {
			l.lo = x[l.above]
		}
		if !(x[i] > l.lo && x[i] < l.hi) {
			return fmt.Errorf("%s = %v is beyond its bounds, want a number above %v and below %v", s.names[i], x[i], l.lo, l.hi)
		}
		switch low := !math.IsInf(l.lo, 0); {
		case low && !math.IsInf(l.hi, 0):
			dst[i] = libm.Log(x[i]-l.lo) - libm.Log(l.hi-x[i])
		case low:
			dst[i] = libm.Log(x[i] - l.lo)
		case !math.IsInf(l.hi, 0):
			dst[i] = libm.Log(l.hi - x[i])
		default:
			dst[i] = x[i]
		}
	}
	return nil
}

// Stepped says in words how the parameters that have bounds are stepped.
func (s *Scale) Stepped() string {
	var all []string
	for i, l := range s.limits {
		name, lo := s.names[i], strconv.FormatFloat(l.lo, 'g', -1, 64)
		if l.above >= 0 {
			lo = s.names[l.above]
		}
		below, part := name, name
		if lo != "0" {
			below = name + " - " + lo
			part = "(" + below + ")"
		}
		hi := "-" + name
		if l.hi != 0 {
			hi = strconv.FormatFloat(l.hi, 'g', -1, 64) + " - " + name
		}
		switch low := l.above >= 0 || !math.IsInf(l.lo, 0); {
		case low && !math.IsInf(l.hi, 0):
			all = append(all, fmt.Sprintf("log(%s/(%s)) for %s", part, hi, name))
		case low:
			all = append(all, fmt.Sprintf("log(%s) for %s", below, name))
		case !math.IsInf(l.hi, 0):
			all = append(all, fmt.Sprintf("log(%s) for %s", hi, name))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "stepped: " + strings.Join(all, ", ")
}
