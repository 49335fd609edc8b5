// Package tune searches the step size at which the error of a run is least, without a known truth.
//
// The error that a run of B steps is to be expected to have is √(bias² + D/(εB)) in posterior standard deviations, a
// mean over means and variances of the coordinates ([quantity.Expected]). The bias is that of the step, by companions
// at smaller ones, and D/(εB) is the Monte Carlo error, since an autocorrelation time is in inverse proportion to ε. A
// [Search] decides from the pilots that have run which one is next. It goes down from steps at which nothing is
// stationary or the bias follows no law, makes pilots longer until one is resolved (the bias stands out by two
// standard errors), and then goes to the ε at which the sum is least if bias² is in proportion to ε². [Run] runs it.
package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

const (
	firstSteps = 4000
	// near is how far, in logarithms, a resolved pilot may be from the best ε.
	near = 0.3
	// leap is the most by which a resolved pilot is followed by another ε.
	leap = 4
	// told is how many standard errors the bias must be for a pilot to be resolved.
	told = 2
	// gradientsPerStep are those of a pilot's step, with companions at half and a quarter of it.
	gradientsPerStep = 7
	// mostHalvings is how often a step may be too large before the search gives up.
	mostHalvings = 40
)

// A Pilot is what a short run at one ε came to.
type Pilot struct {
	Eps        float64
	Steps      uint64 // after the burn-in
	Gradients  uint64
	Draws      uint64
	Companions bool // without them its noise alone is told
	quantity.Expected
	Score metrics.Estimate // of a network in the place of an error
}

// d is D of the pilot: its Monte Carlo error as it would be of one step at ε = 1.
func (p *Pilot) d() float64 { return p.Noise2 * float64(p.Steps) * p.Eps }

// told reports whether the bias stands out of its error.
func (p *Pilot) told() bool {
	return p.Companions && p.Bias == metrics.OK && p.Bias2 >= float64(told*p.BiasSE)
}

// Resolved reports whether the bias stands out of its error, and the noise is known.
func (p *Pilot) Resolved() bool { return p.told() && p.Noise == metrics.OK }

// BiasOf is the bias, 0 where it does not stand out at all, NaN where it is not told.
func (p *Pilot) BiasOf() float64 {
	if p.Expected.Bias != metrics.OK || !p.Companions {
		return math.NaN()
	}
	return math.Sqrt(max(p.Bias2, 0))
}

// NoiseOf is the Monte Carlo error of a run of so many steps, NaN where it is not known.
func (p *Pilot) NoiseOf(steps uint64) float64 {
	if p.Expected.Noise != metrics.OK {
		return math.NaN()
	}
	return math.Sqrt(p.d() / (p.Eps * float64(steps)))
}

// ErrorOf is the error that a run of so many steps is to be expected to have, withheld where the pilot does not tell
// it.
func (p *Pilot) ErrorOf(steps uint64) metrics.Estimate {
	if p.Score.Applies() {
		return p.Score
	}
	x := p.Expected
	x.Noise2 = p.d() / (p.Eps * float64(steps))
	if !p.Companions && x.Noise == metrics.OK {
		x.Bias = metrics.Unknown
	}
	return x.Error(p.Draws)
}

// withNoise is the pilot with the noise of a longer one at the same ε.
func (p Pilot) withNoise(q *Pilot) Pilot {
	p.Noise, p.Noise2 = q.Noise, q.Noise2*float64(q.Steps)/float64(p.Steps)
	return p
}

// A Search is that of one method's ε for runs of Budget steps.
type Search struct {
	Budget uint64
	Cap    uint64 // gradients
	Spent  uint64 // gradients
	Pilots []Pilot
	Lost   float64 // the least ε at which a run left all bounds or whose bias had no law; +Inf for none
	Rises  bool    // the bias has a part in proportion to 1/ε, too, as that of an average over a fixed number of steps

	eps    float64
	steps  uint64
	alone  bool // the next pilot has no companions
	ended  bool
	halved int
}

// NewSearch begins at an ε. It takes at most as many gradients as 7 budgets or most, whichever is more.
func NewSearch(eps float64, budget, most uint64) *Search {
	return &Search{Budget: budget, Cap: max(gradientsPerStep*budget, most), eps: eps, steps: firstSteps,
		Lost: math.Inf(1)}
}

// Next is the pilot that is to run next, whether it has companions, and whether there is one.
func (s *Search) Next() (eps float64, steps uint64, companions, ok bool) {
	return s.eps, s.steps, !s.alone, !s.ended
}

// Add takes the pilot that Next asked for.
func (s *Search) Add(p Pilot) {
	s.Spent += p.Gradients
	s.Pilots = append(s.Pilots, p)
	if s.alone && !quantity.TooLarge(p.Status()) {
		n := len(s.Pilots) - 1
		for !s.Pilots[n].Companions {
			n--
		}
		p = s.Pilots[n].withNoise(&p)
		s.Pilots[n] = p
	}
	was := s.alone
	s.alone = false
	m, known := s.model()
	steps := float64(s.steps)
	switch noise := p.d() / (p.Eps * float64(s.Budget)); {
	case quantity.TooLarge(p.Status()):
		s.tooLarge(p.Eps)
	case p.Resolved():
		best := m.best()
		s.ended = math.Abs(libm.Log(best/p.Eps)) < near
		s.eps = s.below(min(max(best, p.Eps/leap), p.Eps*leap), p.Eps)
		s.ended = s.ended || math.Abs(libm.Log(s.eps/p.Eps)) < near
		steps = max(float64(p.Steps), float64(p.Steps)*p.Eps/s.eps) // as long a time
	case p.told() && was: // just below its bound a step is stationary for its companions alone
		s.eps = 0.7 * p.Eps
	case p.told():
		s.alone = true // its companions are told
		steps *= 4
	case !known && s.Lost > 2*p.Eps && (p.Status() != metrics.OK || p.Bias2+float64(2*p.BiasSE) < noise/2):
		// Twice the ε is worth as many steps again, and one that is too large shows soon. It is better in any case
		// where the bias is this small: the error is least where bias² is half of the variance.
		s.eps = 2 * p.Eps
		steps *= 1.25
	case known:
		steps *= 4
	default:
		steps *= 3
	}
	s.fit(steps, known)
}

// tooLarge goes down, halfway to the largest ε of a complete pilot where there is one.
func (s *Search) tooLarge(eps float64) {
	s.Lost = min(s.Lost, eps)
	lo := 0.0
	for i := range s.Pilots {
		if p := &s.Pilots[i]; p.Status() == metrics.OK && p.Eps < s.Lost {
			lo = max(lo, p.Eps)
		}
	}
	if s.eps = s.Lost / 2; lo > 0 {
		s.eps = math.Sqrt(lo * s.Lost)
		s.ended = libm.Log(s.eps/lo) < near/2
	}
	s.halved++
	s.ended = s.ended || s.halved > mostHalvings
}

// below is an ε that is not yet known to be too large: x, or halfway from one that is not.
func (s *Search) below(x, from float64) float64 {
	if x >= s.Lost {
		return math.Sqrt(from * s.Lost)
	}
	return x
}

// fit gives the next pilot so many steps. It ends the search where they are more than what is left beside the last run,
// if something is known, and else gives the pilot what is left where two more would not fit.
func (s *Search) fit(steps float64, known bool) {
	left := max(float64(s.Cap)-float64(s.Spent)-leastLast*float64(s.Budget), 0) / gradientsPerStep
	if s.alone {
		left *= gradientsPerStep
	}
	if !known && 4*steps > left {
		steps = left
		s.ended = s.ended || steps < 1.5*float64(s.steps)
	}
	s.ended = s.ended || steps > left
	s.steps = uint64(steps)
}

// A model is what resolved pilots say of the error of a run of so many steps at any ε.
type model struct {
	pilots []*Pilot // by ε, the longest of each
	budget float64
	d      float64 // that of all pilots together
	lost   float64
	rises  bool
}

// model is nothing known without a resolved pilot.
func (s *Search) model() (m model, known bool) {
	m.budget, m.lost, m.rises = float64(s.Budget), s.Lost, s.Rises
	time := 0.0
	for i := range s.Pilots {
		p := &s.Pilots[i]
		if !p.Resolved() || p.Eps >= s.Lost {
			continue
		}
		weight := float64(p.Steps) * p.Eps
		m.d += float64(weight * p.d())
		time += weight
		at, same := slices.BinarySearchFunc(m.pilots, p.Eps,
			func(p *Pilot, eps float64) int { return cmp.Compare(p.Eps, eps) })
		if same {
			m.pilots[at] = p // a later one is longer
		} else {
			m.pilots = slices.Insert(m.pilots, at, p)
		}
	}
	m.d /= time
	return m, len(m.pilots) > 0
}

// nearest is the pilot that is nearest to an ε.
func (m *model) nearest(eps float64) *Pilot {
	return slices.MinFunc(m.pilots, func(a, b *Pilot) int {
		return cmp.Compare(math.Abs(libm.Log(a.Eps/eps)), math.Abs(libm.Log(b.Eps/eps)))
	})
}

// bias2 is the square of the bias: between pilots a power of ε, and beyond them (ε/(1 - ε/lost))², which is that of the
// variance of a Gaussian of one curvature where runs leave all bounds from lost on. Below the least ε it is less steep
// where the two least are. A bias that rises is (aε)² + (c/ε)² there, by these two.
func (m *model) bias2(eps float64) float64 {
	if m.rises && len(m.pilots) > 1 && eps < m.pilots[0].Eps {
		p, q := m.pilots[0], m.pilots[1]
		x, y := p.Eps*p.Eps, q.Eps*q.Eps
		a2 := max((float64(q.Bias2*y)-float64(p.Bias2*x))/(float64(y*y)-float64(x*x)), 0)
		if c2 := (p.Bias2 - float64(a2*x)) * x; c2 > 0 {
			return float64(a2*eps*eps) + c2/(eps*eps)
		}
	}
	p, slope, limit := m.nearest(eps), 2.0, m.lost
	for i := range len(m.pilots) - 1 {
		a, b := m.pilots[i], m.pilots[i+1]
		pair := libm.Log(b.Bias2/a.Bias2) / libm.Log(b.Eps/a.Eps)
		switch {
		case eps >= a.Eps && eps <= b.Eps:
			slope, limit = pair, math.Inf(1)
		case eps < a.Eps && i == 0:
			slope, limit = min(max(pair, 0), 2), math.Inf(1)
		}
	}
	return p.Bias2 * libm.Pow(eps/p.Eps*(1-p.Eps/limit)/(1-eps/limit), slope)
}

// noise2 is the square of the Monte Carlo error.
func (m *model) noise2(eps float64) float64 { return m.d / (eps * m.budget) }

// error is the error of a run, NaN at an ε that is known to be too large.
func (m *model) error(eps float64) float64 {
	if eps >= m.lost {
		return math.NaN()
	}
	return math.Sqrt(m.bias2(eps) + m.noise2(eps))
}

// best is the ε of least error. Near the least of several pilots, and below it, it is that pilot's: there the law is
// not certain.
func (m *model) best() (best float64) {
	const turn = 1.02
	lo, hi := m.pilots[0].Eps, m.pilots[len(m.pilots)-1].Eps*leap
	least := math.Inf(1)
	for eps := lo / (10 * leap); eps < hi; eps *= turn {
		if e := m.error(eps); e < least {
			best, least = eps, e
		}
	}
	if len(m.pilots) > 1 && best < lo && libm.Log(lo/best) < near {
		return lo
	}
	return best
}

// answer is the best ε, and whether pilots tell it. Where a bias rises it is none below the least of them, at which its
// other part is not told, and it is not told if it would be much less.
func (m *model) answer() (eps float64, known bool) {
	eps = m.best()
	if lo := m.pilots[0].Eps; m.rises && eps < lo {
		return lo, eps*leap >= lo
	}
	return eps, true
}
