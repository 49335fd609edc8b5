package check

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
)

const (
	// tracked is of how many coordinates facts are told one by one.
	tracked = 6
	// clip bounds a coordinate's distance from the median, in units of a normal distribution's standard deviation. It
	// leaves normal draws alone, and lets those of heavy tails have a standard error.
	clip = 6
	// perStep is how many steps a batch needs for the facts of steps, which need not wait for the chain to mix.
	perStep = 30
)

// fact is a number that is taken of draws, as a function of sums over them.
type fact struct {
	name string
	// of is on the scale on which the number is about normal, and show turns that into the number.
	of   func(s []float64) float64
	show func(float64) float64
	// at is the series whose autocorrelation time says how many draws are effective: a tracked coordinate's, or one
	// below.
	at int
	// slope says that the number is about 1, and tells nothing where its standard error is larger than that.
	slope bool
}

// error is the standard error of the shown number, from that of a value.
func (f *fact) error(value, se float64) float64 {
	return math.Abs(f.show(value+se)-f.show(value-se)) / 2
}

// The series behind those of the tracked coordinates.
const (
	moves   = tracked + iota // square moves
	virials                  // of the draws with a gradient
	series                   // how many there are
	step    = -1             // steps, whose noise is independent
)

// The facts that others ask for.
const squareMove, oneStepNoise, oneStepDrift = "mean square move", "one-step noise", "one-step drift"

func same(x float64) float64 { return x }

// meter takes the facts of chains. Draws and simulations pass through one meter, so that what it leaves out is left out
// of both.
type meter struct {
	setup  *setup
	coords int
	centre []float64 // of all coordinates: the medians of the tracked ones, the means of the rest
	spread []float64 // of the tracked ones
	stride int       // one draw in that many has a gradient

	facts []fact
	means []int // which facts those of the tracked coordinates are; before each one's variance
	width int   // of the sums
	parts []part

	target targets.Target[float64]
	follow *follower // nil where steps tell nothing
	mean   []float64 // ḡ over all data at the draw in work
	hess   []float64 // the Hessian's diagonal there
	row    []float64
}

// gradients bounds the numbers that the gradients of a chain's facts read.
const gradients = 2e8

// newMeter makes the meter of a method, with the scale of coordinates from draws of it, and the mean of ḡ² that V saw.
func newMeter(s *setup, of Draws, second []float64) *meter {
	d := s.problem.Dim()
	m := &meter{setup: s, coords: min(d, tracked), target: s.problem.F64, mean: make([]float64, d), stride: 1}
	m.scale(of)
	if s.noisy() {
		m.stride = max(1, int(float64(of.Count())*float64(s.problem.N()*d)/gradients))
	}
	var at []int // where in a row each of a group's sums is
	group := func(n int) []int {
		at = nil
		for range n {
			at = append(at, m.width)
			m.width++
		}
		return at
	}
	count := group(1)[0]
	for i := range m.coords {
		name := s.problem.Name(i)
		k := group(3)
		x, xx, lag := k[0], k[1], k[2]
		centre, spread := m.centre[i], m.spread[i]
		variance := func(s []float64) float64 {
			mean := s[x] / s[count]
			return s[xx]/s[count] - float64(mean*mean)
		}
		m.means = append(m.means, len(m.facts))
		m.facts = append(m.facts,
			fact{"mean of " + name, func(s []float64) float64 { return s[x] / s[count] }, func(z float64) float64 { return centre + float64(spread*z) }, i, false},
			fact{"variance of " + name, func(s []float64) float64 { return libm.Log(variance(s)) }, func(z float64) float64 { return spread * spread * libm.Exp(z) }, i, false},
			fact{"lag-1 autocorrelation of " + name, func(s []float64) float64 {
				mean := s[x] / s[count]
				r := (s[lag]/s[count] - float64(mean*mean)) / variance(s)
				return libm.Log((1+r)/(1-r)) / 2
			}, tanh, i, false},
		)
	}
	k := group(1)[0]
	m.facts = append(m.facts, fact{squareMove, func(s []float64) float64 { return libm.Log(s[k] / s[count]) }, libm.Exp, moves, false})
	if s.method.Metropolis {
		k := group(1)[0]
		m.facts = append(m.facts, fact{"share of repeated draws", func(s []float64) float64 { return s[k] / s[count] }, same, step, false})
	}
	e := group(2)
	m.facts = append(m.facts, fact{"configurational temperature", func(s []float64) float64 { return s[e[1]] / s[e[0]] }, same, virials, false})
	if s.thin == 1 && !s.method.Metropolis {
		m.follow = newFollower(s, second)
		m.steps(group)
	}
	m.row = make([]float64, m.width)
	return m
}

// tanh is the hyperbolic tangent.
func tanh(x float64) float64 {
	e := libm.Exp(-2 * math.Abs(x))
	return math.Copysign((1-e)/(1+e), x)
}

// scale takes medians and quartiles of draws.
func (m *meter) scale(of Draws) {
	m.centre, m.spread = make([]float64, of.Dim), make([]float64, m.coords)
	n := of.Count()
	for i := range of.Dim {
		x := make([]float64, 0, n)
		sum := 0.0
		for _, c := range of.Chains {
			for t := i; t < len(c); t += of.Dim {
				x = append(x, c[t])
				sum += c[t]
			}
		}
		m.centre[i] = sum / float64(n)
		if i < m.coords {
			slices.Sort(x)
			m.centre[i] = metrics.Quantile(x, 0.5)
			m.spread[i] = (metrics.Quantile(x, 0.75) - metrics.Quantile(x, 0.25)) / 1.349
			if !(m.spread[i] > 0) {
				m.spread[i] = max(math.Abs(m.centre[i]), 1)
			}
		}
	}
}

// exact puts the stationary means and variances of the method in the place of those of a simulation, where they are
// known.
func (m *meter) exact(of *sums) {
	s, d := m.setup, m.setup.problem.Dim()
	cov := make([]float64, d*d)
	if s.method.StationaryCov == nil || !s.method.StationaryCov(cov, s.problem.F64, &s.params) {
		return
	}
	// A method that has one is linear in the gradient of a normal distribution, whose mean it keeps.
	truth := s.problem.F64.(targets.Truth).Truth()
	of.known = map[int]float64{}
	for i, f := range m.means {
		of.value[f], of.se[f], of.ok[f], of.known[f] = (truth.Mean[i]-m.centre[i])/m.spread[i], 0, true, truth.Mean[i]
		of.value[f+1], of.se[f+1], of.ok[f+1] = libm.Log(cov[i*d+i]/(m.spread[i]*m.spread[i])), 0, true
	}
}

// sums are the facts of draws.
type sums struct {
	value, se []float64
	ok        []bool
	known     map[int]float64 // numbers that their values would round
	short     []bool          // not ok, as batches have too few effective draws
	tau       [series]float64 // means over chains
	middle    [series]float64 // medians
	batches   int
}

// measure takes the facts of draws, in about so many batches.
func (m *meter) measure(d Draws, count int) *sums {
	each := max(1, count/len(d.Chains))
	var (
		parts  [][]float64
		out    sums
		middle [series][]float64
	)
	for k, c := range d.Chains {
		slow := newTimes(series)
		if m.follow != nil {
			m.lead(d, k)
		}
		parts = append(parts, m.chain(c, d.Dim, each, slow)...)
		for i := range series {
			tau := slow.of(i)
			out.tau[i] += float64(d.share(c) * tau)
			middle[i] = append(middle[i], tau)
		}
	}
	for i, tau := range middle {
		slices.Sort(tau)
		out.middle[i] = tau[len(tau)/2]
	}
	out.batches = len(parts)
	total := make([]float64, m.width)
	for _, p := range parts {
		for i, x := range p {
			total[i] += x
		}
	}
	per := float64(d.Count()) / float64(len(parts))
	rest, b := make([]float64, m.width), float64(len(parts))
	for _, f := range m.facts {
		value := f.of(total)
		mean, squares := 0.0, 0.0
		without := make([]float64, 0, len(parts))
		for _, p := range parts {
			for i := range rest {
				rest[i] = total[i] - p[i]
			}
			w := f.of(rest)
			without = append(without, w)
			mean += w / b
		}
		for _, w := range without {
			squares += float64((w - mean) * (w - mean))
		}
		se := math.Sqrt(squares * (b - 1) / b)
		ok := value-value == 0 && se-se == 0 && len(parts) > 1 && !(f.slope && !(se < 0.5))
		short := false
		switch f.at {
		case step:
			short = per < float64(perStep*m.stride)
		case virials:
			short = !(per >= 2*perBatch*out.tau[virials]*float64(m.stride))
		default:
			short = !(per >= 2*perBatch*out.tau[f.at])
		}
		out.value, out.se = append(out.value, value), append(out.se, se)
		out.ok, out.short = append(out.ok, ok && !short), append(out.short, ok && short)
	}
	return &out
}

// lead takes V to where it is at the start of chain k.
func (m *meter) lead(d Draws, k int) {
	var v, before []float64
	if d.second != nil {
		v = d.second[k]
	}
	if d.before != nil && m.follow.root == nil && m.setup.forgets() > 0 {
		before = d.before[k]
	}
	m.follow.begin(v)
	for t := 0; t < len(before); t += d.Dim {
		m.gradient(before[t:][:d.Dim])
		m.follow.to(before[t:][:d.Dim], m.mean)
	}
	if c := d.Chains[k]; len(c) > 0 {
		m.gradient(c[:d.Dim])
		m.follow.to(c[:d.Dim], m.mean)
	}
}

// chain sums a chain's rows over batches.
func (m *meter) chain(c []float64, dim, count int, slow *times) [][]float64 {
	out := make([][]float64, count)
	for i := range out {
		out[i] = make([]float64, m.width)
	}
	n := len(c) / dim
	at := place{velocity: make([]float64, dim), mean: m.mean, hess: m.hess}
	before := make([]float64, dim)
	if m.follow != nil {
		at.gain = m.follow.kernel.GainAt
	}
	for t := 1; t < n-1; t++ {
		prev, x, next := c[(t-1)*dim:][:dim], c[t*dim:][:dim], c[(t+1)*dim:][:dim]
		row := m.row
		clear(row)
		k := m.levels(row, prev, x)
		for i := range m.coords {
			slow.x[i] = row[1+3*i]
		}
		slow.x[moves] = row[1+3*m.coords]
		if t%m.stride == 0 {
			m.gradient(x)
			row[k], row[k+1] = 1, m.virial(x)
			slow.x[virials] = row[k+1]
			if m.follow != nil {
				for i := range before {
					before[i] = at.gain(i)
				}
				m.follow.to(x, m.mean)
				for i := range at.velocity {
					at.velocity[i] = x[i] - prev[i]
				}
				at.theta = x
				m.step(row[k+2:], &at, next, before)
			}
		}
		slow.add()
		sum := out[t*count/n]
		for i, y := range row {
			sum[i] += y
		}
	}
	return out
}

// square is the square distance of two draws, a coordinate and in its spread.
func (m *meter) square(a, b []float64) float64 {
	sum := 0.0
	for i := range m.coords {
		d := m.z(a, i) - m.z(b, i)
		sum += float64(d * d)
	}
	return sum / float64(m.coords)
}

// z is a coordinate in its spread from its centre, within bounds.
func (m *meter) z(x []float64, i int) float64 {
	return min(max((x[i]-m.centre[i])/m.spread[i], -clip), clip)
}

// moves is the mean square distance of draws that are so many apart.
func (m *meter) moves(d Draws, apart int) float64 {
	sum, n := 0.0, 0
	for _, c := range d.Chains {
		for t := apart * d.Dim; t < len(c); t += d.Dim {
			sum += m.square(c[t:], c[t-apart*d.Dim:])
			n++
		}
	}
	return sum / float64(n)
}

// levels writes a draw's own numbers, and returns how many they are.
func (m *meter) levels(row, prev, x []float64) int {
	row[0] = 1
	for i := range m.coords {
		z := m.z(x, i)
		row[1+3*i], row[2+3*i], row[3+3*i] = z, z*z, z*m.z(prev, i)
	}
	k := 1 + 3*m.coords
	row[k] = m.square(x, prev)
	k++
	if m.setup.method.Metropolis {
		if slices.Equal(prev, x) {
			row[k] = 1
		}
		k++
	}
	return k
}

// gradient evaluates the target on all data at a draw.
func (m *meter) gradient(x []float64) {
	if m.hess != nil {
		m.target.(targets.HessianDiag[float64]).GradHessian(m.mean, m.hess, x, nil)
		return
	}
	m.target.Grad(m.mean, x, nil)
}

// virial is the mean over coordinates of -(θ - centre) ∂log p/∂θ, whose mean is T, within bounds.
func (m *meter) virial(x []float64) float64 {
	p, sum := &m.setup.params, 0.0
	for i, y := range x {
		u := float64(p.N*m.mean[i]) - float64(p.PriorPrec*y)
		sum -= float64((y - m.centre[i]) * u)
	}
	most := 50 * max(p.Temp, 1)
	return min(max(sum/float64(len(x)), -most), most)
}
