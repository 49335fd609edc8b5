package exact

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// adaptation is what hmc and mala learn in their warm-up, over the vectors of State.Own.
//
// The step size is that of Hoffman and Gelman (2014), The No-U-Turn sampler, algorithm 5: with a the target and α_m the
// probability of acceptance of step m = 1, 2, …, for the leapfrog step δ = √ε,
//
//	H̄ ← (1 - 1/(m+t₀)) H̄ + (a - α_m)/(m+t₀),  log δ = μ - (√m/γ) H̄,
//	log δ̄ ← m^-κ log δ + (1 - m^-κ) log δ̄,
//
// from μ = log(10 δ₀). After the warm-up δ is δ̄. δ₀ is the user's: algorithm 4, which
// finds one, is left out, since the first steps find the scale as fast.
//
// The mass is learnt in windows as Stan's is (Stan reference manual, "Automatic parameter tuning"): 75 steps for the
// step size alone, then windows of 25, 50, 100, … steps, the last of which takes what is left, then steps for the step
// size again. These are 0.3 of all. Stan has 50, after which δ̄ is still so rough that the acceptance is often 0.9 in
// place of 0.8. At the end of a window of n draws with variances v_i (Welford 1962),
//
//	G_i = (v_i/v̄)^(n/(n+5)),  v̄ the geometric mean of the v_i,
//
// and the step size starts anew from its average. Stan instead adds 5/(n+5)·10⁻³ to the variances, which assumes their
// scale. The geometric mean of G is 1, so that ε stays a squared length.
type adaptation struct {
	num                []float64 // State.Own[metroScalars]
	g, centre, squares []float64
	theta              []float64
	target             float64
	warmup             float64
	on, diag           bool
}

const (
	averagingGamma = 0.05 // γ
	averagingT0    = 10   // t₀
	averagingKappa = 0.75 // κ
)

func newAdaptation(s *sampler.State[float64], p *sampler.Params) adaptation {
	own := p.Own[len(p.Own)-metroShared:]
	return adaptation{
		num:     s.Own[metroScalars],
		g:       s.Own[metroG],
		centre:  s.Own[metroCentre],
		squares: s.Own[metroSquares],
		theta:   s.Theta,
		target:  own[metroAccept], warmup: own[metroWarmup], diag: own[metroMass] != 0, on: own[metroAdapt] != 0,
	}
}

// eps is the ε of the step, given the user's. If the user has turned it, adaptation
// starts anew from there in the warm-up, and afterwards it is used as it is.
func (a *adaptation) eps(given float64) float64 {
	if given != a.num[adaptBase] {
		a.num[adaptBase] = given
		a.restart(given)
	}
	if !a.on {
		return given
	}
	if a.num[adaptAge] >= a.warmup && a.num[adaptCount] > 0 { // the warm-up is over
		a.num[adaptEps], a.num[adaptCount] = libm.Exp(2*a.num[adaptMean]), 0
	}
	return a.num[adaptEps]
}

// restart starts the dual averaging from an ε.
func (a *adaptation) restart(eps float64) {
	a.num[adaptEps] = eps
	a.num[adaptCount], a.num[adaptError], a.num[adaptMean] = 0, 0, 0
	a.num[adaptMu] = libm.Log(10) + float64(libm.Log(eps)/2)
}

// learn adapts to a step, whose state is in theta, and reports whether the step was one of the warm-up.
func (a *adaptation) learn(accept float64) bool {
	a.num[adaptAge]++
	age := a.num[adaptAge]
	if !a.on || age > a.warmup {
		return false
	}
	a.average(accept)
	if a.diag {
		switch inside, last := massWindow(age, a.warmup); {
		case last:
			a.observe()
			if a.adaptMass() {
				a.restart(libm.Exp(2 * a.num[adaptMean]))
			}
		case inside:
			a.observe()
		}
	}
	return true
}

// average is a step of the dual averaging.
func (a *adaptation) average(accept float64) {
	a.num[adaptCount]++
	m := a.num[adaptCount]
	share := 1 / (m + averagingT0)
	a.num[adaptError] = float64((1-share)*a.num[adaptError]) + float64(share*(a.target-accept))
	// Far beyond any step size, and within what can be squared.
	log := min(max(a.num[adaptMu]-float64(math.Sqrt(m)/averagingGamma*a.num[adaptError]), -300), 300)
	eta := libm.Pow(m, -averagingKappa)
	a.num[adaptMean] = float64(eta*log) + float64((1-eta)*a.num[adaptMean])
	a.num[adaptEps] = libm.Exp(2 * log)
}

// massWindow reports whether the age-th step of a warm-up, from 1, lies in a
// window of the mass, and whether it is the last one there.
func massWindow(age, warmup float64) (inside, last bool) {
	const first, base = 75, 25
	final := math.Max(50, math.Floor(0.3*warmup))
	from, to, size := float64(first), warmup-final, float64(base)
	if first+base+final > warmup { // Stan's shares where the warm-up is short
		from = math.Floor(0.15 * warmup)
		to = warmup - math.Floor(0.1*warmup)
		size = to - from
	}
	if age <= from || age > to {
		return false, false
	}
	for size > 0 && from < to {
		end := from + size
		size *= 2
		if end+size > to {
			end = to
		}
		if age <= end {
			return true, age == end
		}
		from = end
	}
	return false, false
}

// observe adds theta to the window's variances.
func (a *adaptation) observe() {
	a.num[adaptSeen]++
	n := a.num[adaptSeen]
	for i, x := range a.theta {
		d := x - a.centre[i]
		a.centre[i] += d / n
		a.squares[i] += float64(d * (x - a.centre[i]))
	}
}

// adaptMass makes G from the window's variances and opens a new window. Where the
// chain has not moved in a coordinate, it leaves G alone and returns false.
func (a *adaptation) adaptMass() bool {
	n := a.num[adaptSeen]
	a.num[adaptSeen] = 0
	moved, sum := true, 0.0
	for i, x := range a.squares {
		if !(x > 0) || math.IsInf(x, 0) {
			moved = false
		}
		a.squares[i] = libm.Log(x)
		sum += a.squares[i]
	}
	if moved {
		mean, share := sum/float64(len(a.g)), n/(n+5)
		for i, x := range a.squares {
			a.g[i] = libm.Exp(share * (x - mean))
		}
	}
	clear(a.centre)
	clear(a.squares)
	return moved
}
