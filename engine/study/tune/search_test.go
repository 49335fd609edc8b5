package tune

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// A law is a method whose bias² is a·(ε/(1 - ε/lost))², as that of SGLD's variance on a Gaussian that it leaves from
// lost on, and whose noise is d/(εn). Both are known to about as much as a run of n steps tells, from enough steps on.
type law struct{ a, d, enough, lost float64 }

func (l law) bias2(eps float64) float64 {
	return l.a * eps * eps / ((1 - eps/l.lost) * (1 - eps/l.lost))
}

// best is the ε of least error of a budget, where the derivative of the sum is 0, by bisection.
func (l law) best(budget float64) float64 {
	lo, hi := 0.0, min(l.lost, 1e3)
	for range 100 {
		if eps := (lo + hi) / 2; 2*budget*eps*l.bias2(eps) < l.d*(1-eps/l.lost) {
			lo = eps
		} else {
			hi = eps
		}
	}
	return lo
}

// run is a pilot without chance in it.
func (l law) run(eps float64, steps uint64, companions bool) Pilot {
	p := Pilot{Eps: eps, Steps: steps, Gradients: steps, Draws: steps, Companions: companions}
	if companions {
		p.Gradients *= gradientsPerStep
	}
	noise := l.d / (eps * float64(steps))
	switch {
	case eps >= l.lost:
		p.Expected = quantity.Expected{Bias: metrics.Irregular, Noise: metrics.OK, Noise2: noise}
	case float64(steps)*eps < l.enough:
		p.Expected = quantity.Expected{Bias: metrics.TooShort, Noise: metrics.TooShort}
	default:
		bias := l.bias2(eps)
		p.Expected = quantity.Expected{Bias: metrics.OK, Noise: metrics.OK, Bias2: bias, Noise2: noise,
			BiasSE: bias * math.Sqrt(l.enough/(eps*float64(steps))) / 4}
	}
	return p
}

// A search of a known law ends near the ε that is best by it, within its gradients, from wherever it begins.
func TestSearchOfALaw(t *testing.T) {
	const budget = 20_000
	for _, l := range []law{{8, 4, 100, 0.3}, {1, 40, 500, 0.6}, {1e4, 0.5, 2, 0.01}, {8, 4, 100, math.Inf(1)}} {
		best := l.best(budget)
		for _, from := range []float64{best / 30, best / 3, best, 3 * best, 30 * best} {
			s := NewSearch(from, budget, gradients)
			for {
				eps, steps, companions, ok := s.Next()
				if !ok {
					break
				}
				s.Add(l.run(eps, steps, companions))
			}
			m, known := s.model()
			if !known {
				t.Errorf("%+v from %g: nothing found in %d pilots", l, from, len(s.Pilots))
				continue
			}
			if got := m.best(); math.Abs(math.Log(got/best)) > 0.15 || s.Spent > s.Cap {
				t.Errorf("%+v from %g: ε %g after %d gradients, want %g after %d at most", l, from, got, s.Spent, best, s.Cap)
			}
		}
	}
}

// A search ends without an ε where nothing is stationary, and where every pilot is too short.
func TestSearchWithoutAnEnd(t *testing.T) {
	for _, l := range []law{{1, 1, 1, 0}, {1, 1, 1e12, math.Inf(1)}} {
		s := NewSearch(0.1, 20_000, gradients)
		for n := 0; ; n++ {
			eps, steps, companions, ok := s.Next()
			if !ok {
				break
			}
			if s.Add(l.run(eps, steps, companions)); n > 100 {
				t.Fatalf("%+v: %d pilots", l, n)
			}
		}
		if _, known := s.model(); known || s.Spent > s.Cap {
			t.Errorf("%+v: something is known, or %d gradients are more than %d", l, s.Spent, s.Cap)
		}
	}
}

// Where companions are told and the chain itself never is, as at the very bound of a step, the search goes below it.
func TestSearchLeavesABound(t *testing.T) {
	l := law{8, 4, 300, 0.0801}
	s := NewSearch(0.02, 20_000, gradients)
	for {
		eps, steps, companions, ok := s.Next()
		if !ok {
			break
		}
		p := l.run(eps, steps, companions)
		if eps > 0.075 && eps < l.lost {
			p.Expected = quantity.Expected{Bias: metrics.OK, Noise: metrics.TooShort, Bias2: 0.02, BiasSE: 0.001}
		}
		s.Add(p)
	}
	if m, known := s.model(); !known || math.Abs(math.Log(m.best()/l.best(20_000))) > 0.2 {
		t.Errorf("known: %v, of %+v", known, s.Pilots)
	}
}

// Where less noise is left than a bias that does not go away, the model follows the pilots and not the law.
func TestModelBetweenPilots(t *testing.T) {
	s := NewSearch(0.3, 20_000, gradients)
	for _, p := range []struct{ eps, bias2 float64 }{{0.3, 0.016}, {0.08, 0.006}, {0.05, 0.0075}} {
		s.Pilots = append(s.Pilots, Pilot{Eps: p.eps, Steps: 50_000, Companions: true, Expected: quantity.Expected{
			Bias: metrics.OK, Noise: metrics.OK, Bias2: p.bias2, BiasSE: p.bias2 / 10, Noise2: 5 / (p.eps * 50_000)}})
	}
	m, _ := s.model()
	for _, c := range [][2]float64{{0.3, 0.016}, {0.08, 0.006}, {0.05, 0.0075}, {0.025, 0.0075}, {0.6, 0.064}} {
		if got := m.bias2(c[0]); math.Abs(got/c[1]-1) > 1e-9 {
			t.Errorf("bias² at %g is %g, want %g", c[0], got, c[1])
		}
	}
	if best := m.best(); best < 0.07 || best > 0.12 {
		t.Errorf("best ε %g, want about 0.09", best)
	}
}

// Where the bias rises as ε falls, a small ε whose pilot is too short to tell it is not chosen by the law of a large
// one.
func TestSearchOfABiasThatRises(t *testing.T) {
	const budget, d = 200_000, 0.4
	bias2 := func(eps float64) float64 { return 0.18*eps*eps + 4e-5/(eps*eps) } // least at 0.12
	for _, from := range []float64{0.3, 0.1} {
		s := NewSearch(from, budget, gradients)
		s.Rises = true
		for {
			eps, steps, _, ok := s.Next()
			if !ok {
				break
			}
			p := Pilot{Eps: eps, Steps: steps, Gradients: gradientsPerStep * steps, Draws: steps, Companions: true}
			if p.Expected.Bias = metrics.TooShort; eps > 0.05 {
				p.Expected = quantity.Expected{Bias: metrics.OK, Noise: metrics.OK, Bias2: bias2(eps),
					BiasSE: bias2(eps) / 3, Noise2: d / (eps * float64(steps))}
			}
			s.Add(p)
		}
		m, known := s.model()
		if !known {
			t.Fatalf("from %g: nothing is known of %+v", from, s.Pilots)
		}
		a := Answer{Setting: state.Setting{Sampler: "psgld", Values: map[string]float64{}}}
		a.tell(&m)
		if eps := a.Setting.Eps(); bias2(eps) > 2*bias2(0.12) || bias2(eps) > a.High*a.High {
			t.Errorf("from %g: ε %g with an error of at most %g, and its bias is %g", from, eps, a.High,
				math.Sqrt(bias2(eps)))
		}
	}
}

// One pilot of a bias that rises, whose law goes far below it, tells no ε: it is too short, whatever its minibatch.
func TestNoAnswerFarBelowAPilot(t *testing.T) {
	s := NewSearch(0.3, 1_000_000, gradients)
	s.Rises = true
	s.Pilots = []Pilot{{Eps: 0.3, Steps: 4000, Companions: true, Expected: quantity.Expected{
		Bias: metrics.OK, Noise: metrics.OK, Bias2: 4, BiasSE: 1, Noise2: 0.01}}}
	m, known := s.model()
	if _, answers := m.answer(); !known || answers {
		t.Errorf("known %v, answers %v", known, answers)
	}
	a := Answer{Setting: state.Setting{Sampler: "psgld", Values: map[string]float64{"batch": 10}}}
	if a.missing(s); a.Missing != TooShort || a.Needed != 16_000 {
		t.Errorf("%q, %d steps", a.Missing, a.Needed)
	}
}
