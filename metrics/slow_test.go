//go:build slow

package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// calibrationRuns is how many chains of each kind the calibration looks at.
const calibrationRuns = 200

// The τ of kinds that are simulated, from chains a thousand times as long as those that are judged by
// it at their longest.
func TestTauOfKinds(t *testing.T) {
	for _, k := range kinds() {
		if !strings.HasPrefix(k.name, "banana") && !strings.HasPrefix(k.name, "pSGLD") {
			continue
		}
		x := make([]float64, 4_000_000)
		k.fill(rand.New(rand.NewPCG(1, 18)), x)
		e := chainOf(ones(len(x)), x).ACT(0)
		// Three standard errors at τ = 20, and the lean of a maximum at n/τ = 200,000.
		if tol := 3*tauError(k.tau, len(x)) + 0.02; !e.OK() || math.Abs(e.Value/k.tau-1) > tol {
			t.Errorf("%s: τ %+v, want %v within %.2g", k.name, e, k.tau, tol)
		}
	}
}

// scales is a sum of two chains of first order, of which the slow one has the share w of the variance.
type scales struct{ fast, slow, w float64 }

func (s scales) tau() float64 { return (1-s.w)*s.fast + s.w*s.slow }

// likelihood is the logarithm of the density of x up to its mean and scale, which no rule can go by:
// that of the innovations of Kalman's filter with the mean integrated out, and with the scale.
func (s scales) likelihood(x []float64) float64 {
	a, b := (2*s.fast-1)/(2*s.fast+1), (2*s.slow-1)/(2*s.slow+1)
	va, vb := 1-s.w, s.w
	p, c, q := va, 0.0, vb // covariance of the two chains, given the past
	var xa, xb, ia, ib, logs, xx, xi, ii float64
	for _, v := range x {
		total := p + 2*c + q
		e, i := v-xa-xb, 1-ia-ib // innovations of the draws, and of their mean's column
		logs += math.Log(total)
		xx, xi, ii = xx+e*e/total, xi+e*i/total, ii+i*i/total
		ka, kb := (p+c)/total, (c+q)/total
		xa, xb, ia, ib = a*(xa+ka*e), b*(xb+kb*e), a*(ia+ka*i), b*(ib+kb*i)
		p, c, q = a*a*(p-ka*ka*total)+va*(1-a*a), a*b*(c-ka*kb*total), b*b*(q-kb*kb*total)+vb*(1-b*b)
	}
	return -(logs+math.Log(ii))/2 - float64(len(x)-1)/2*math.Log(xx-xi*xi/ii)
}

// A rule that shows two thirds of the chains of a kind at 200 τ shows them with a τ of at most 200/150
// of the true one. Where this is below 1/1.7 of the τ of another kind, it shows as many of the latter
// wrongly as the most powerful test between the two, that by the ratio of their likelihoods, takes for
// the former (Neyman and Pearson 1933).
func TestLeastShownWrongly(t *testing.T) {
	const runs = 2000
	worst := scales{0.8, 22.5, 0.13}
	for _, c := range []struct {
		other scales
		least float64
	}{
		{scales{0.84, 0.84, 0}, 0.19}, // of first order
		{scales{0.8, 9, 0.0973}, 0.31},
	} {
		if c.other.tau()*200/TrustedTimes*1.7 > worst.tau()*1.001 {
			t.Fatalf("%+v: τ %v is no other", c.other, c.other.tau())
		}
		var ratios [2][]float64
		x := make([]float64, int(200*c.other.tau()))
		for h, k := range []scales{c.other, worst} {
			for s := range uint64(runs) {
				r := rand.New(rand.NewPCG(s, uint64(h)))
				clear(x)
				addAR1(r, x, k.fast, 1-k.w)
				addAR1(r, x, k.slow, k.w)
				ratios[h] = append(ratios[h], worst.likelihood(x)-c.other.likelihood(x))
			}
			slices.Sort(ratios[h])
		}
		shown, _ := slices.BinarySearch(ratios[1], ratios[0][2*runs/3])
		got := float64(shown) / runs
		t.Logf("%d draws, beside %+v: %.3f", len(x), c.other, got)
		if math.Abs(got-c.least) > 0.03 { // three binomial standard errors
			t.Errorf("beside %+v: %.3f are shown wrongly, want %.2f", c.other, got, c.least)
		}
	}
}

// The halves of a sound chain that is long enough are rarely said to differ, though their R-hat is
// often above 1.01; those of one that has become twice as wide are, where it has 500 effective draws;
// draws that swing have fewer for a spread.
func TestHalvesOfSoundChains(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	var by Comparer
	for _, k := range kinds() {
		if k.tau > 15 || calibrationRuns < 200 && k.tau > 8 {
			continue
		}
		for _, m := range []float64{150, 300, 1000} {
			n := int(m * max(k.tau, 0.5))
			x, w := make([]float64, n), ones(n)
			trusted, above, differ, widened := 0.0, 0.0, 0.0, 0.0
			for s := range uint64(calibrationRuns) {
				clear(x)
				k.fill(rand.New(rand.NewPCG(s, 20)), x)
				c := NewChain(1)
				c.Add(&Block{Dim: 1, Cap: n, N: n, X: x, W: w})
				if !c.ACT(0).OK() {
					continue
				}
				trusted++
				r := by.Compare([][]float64{x})
				if r.RHat.Value >= RHatBound {
					above++
				}
				if r.BulkESS.Status == Drifting {
					differ++
				}
				if e := r.TellingRHat(); (r.BulkESS.Status == TooShort) == e.OK() {
					t.Errorf("%s: R-hat %+v where bulk ESS is %+v", k.name, e, r.BulkESS)
				}
				mean := c.Mean(0)
				for i := range x[n/2:] {
					x[n/2+i] = mean + 2*(x[n/2+i]-mean)
				}
				if r := by.Compare([][]float64{x}); r.BulkESS.Status == Drifting {
					widened++
				}
			}
			t.Logf("%-26s at %4g τ: of %3.0f R-hat of %3.0f%% is above 1.01, halves of %.1f%% differ; "+
				"twice as wide %3.0f%%", k.name, m, trusted,
				100*above/trusted, 100*differ/trusted, 100*widened/trusted)
			// Of a share of 1% three binomial standard errors.
			if differ > 0.01*trusted+3*math.Sqrt(0.01*trusted)+1 {
				t.Errorf("%s at %g τ: of %v chains %v are said to differ", k.name, m, trusted, differ)
			}
			if m == 1000 && widened < 0.45*trusted {
				t.Errorf("%s at %g τ: of %v chains that widened %v are said to differ", k.name, m, trusted, widened)
			}
		}
	}
}

// The errors of sd, quantiles and τ of chains that swing cover what they are errors of: ranks of such a chain, and R's
// sum over lags, take it for one that does not. The τ is held to the mean of all runs'.
func TestErrorsOfChainsThatSwing(t *testing.T) {
	const runs, n = 100, 20_000
	var c Comparer
	for _, w := range []struct{ friction, eps, v float64 }{{0.03, 0.1, 1}, {0.03, 0.1, 0.16}, {0.1, 0.1, 1},
		{0.1, 0.1, 0.16}, {0.03, 0.3, 0.16}, {0.03, 0.03, 0.16}} {
		x, names := make([]float64, n), []string{"sd", "5%", "95%", "τ"}
		shown, right := 0.0, make([]float64, len(names))
		var taus []Estimate
		mean := 0.0
		for s := range uint64(runs) {
			v := sghmcLine(rand.New(rand.NewPCG(s, 77)), x, w.friction, w.eps, w.v)
			sd := math.Sqrt(v)
			r := c.Compare([][]float64{x})
			if !r.SD.OK() {
				continue
			}
			shown++
			for i, e := range []Estimate{r.SD, r.Q5, r.Q95} {
				if math.Abs(e.Value-[]float64{sd, -1.6448536 * sd, 1.6448536 * sd}[i]) <= 1.959964*e.Error {
					right[i]++
				}
			}
			chain := NewChain(1)
			chain.Add(&Block{Dim: 1, Cap: n, N: n, X: x, W: slices.Repeat([]float64{1}, n)})
			taus = append(taus, chain.ACTLoose(0))
			mean += taus[len(taus)-1].Value
		}
		for _, e := range taus {
			if math.Abs(e.Value-mean/shown) <= 1.959964*e.Error {
				right[3]++
			}
		}
		for i, name := range names {
			t.Logf("%v, %s: %.2f of %v intervals are right", w, name, right[i]/shown, shown)
			// Four binomial standard errors below 95%.
			if right[i] < 0.86*shown || shown < runs/2 {
				t.Errorf("%+v, %s: %v of %v intervals are right", w, name, right[i], shown)
			}
		}
	}
}

// The band must hold what exact draws have, and not what others have.
func TestKSDBand(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	runs, n := 2*calibrationRuns, 400
	for _, w := range []struct {
		name  string
		wide  float64
		shift float64
		low   float64
	}{{"exact", 1, 0, 0}, {"twice as wide", 2, 0, 0.9}, {"shifted by a half sd", 1, 0.2, 0.9}} {
		out, below := 0.0, 0.0
		for s := range uint64(runs) {
			k := steinOf(s, n, w.wide, 1, w.shift, 100)
			from, to := k.Band(0.025, 0.95)
			v := k.KSD().Value
			if v > to.Value {
				out += 1 / float64(runs)
			}
			if v < from.Value {
				below += 1 / float64(runs)
			}
		}
		t.Logf("%s: %.2f above the band, %.2f below", w.name, out, below)
		// Of 5%: three binomial standard errors.
		if slack := 3 * math.Sqrt(0.05*0.95/float64(runs)); out < w.low-slack || w.name == "exact" && out > 0.05+slack {
			t.Errorf("%s: %v above the band, want %v or more", w.name, out, w.low)
		}
	}
	k := NewStein([]float64{1}, 100, 0)
	for i := range 12 {
		if _, to := k.Band(0, 1); (i < 10) != (to.Status == TooShort) {
			t.Errorf("%d draws: band %+v", i, to)
		}
		if e := k.KSD(); (i < 2) != (e.Status == TooShort) {
			t.Errorf("%d draws: %+v", i, e)
		}
		k.Add([]float64{float64(i)}, []float64{1})
	}
	k.Add([]float64{math.NaN()}, []float64{1})
	if e := k.KSD(); e.Status != NotFinite {
		t.Errorf("with a NaN %+v", e)
	}
	if e, _ := NewStein([]float64{1}, 0, 0).Band(0, 1); e.Status != Absent {
		t.Errorf("without a bootstrap %+v", e)
	}
}

// Just past the length from which numbers are shown, no more than 3% of the chains show a bulk ESS that is 1.35 times
// too high, and past 400 τ they show one. AR(1) with ρ has τ = ½ (1+ρ)/(1-ρ).
func TestBulkESSWhenShown(t *testing.T) {
	var by Comparer
	for _, chains := range []int{1, 4} {
		for _, times := range []float64{150, 175, 200, 250, 300, 400, 600} {
			const runs = 60
			high, told := 0, 0
			for seed := range uint64(runs) {
				rho := []float64{0.8, 0.9, 0.95}[seed%3]
				tau := (1 + rho) / (1 - rho) / 2
				n, x := int(times*tau), make([][]float64, chains)
				for k := range x {
					x[k] = ar1(rho, n, 1000*seed+uint64(k))
				}
				if e := by.Compare(x).BulkESS; e.OK() {
					told++
					if e.Value > 1.35*times/2*float64(chains) {
						high++
					}
				}
			}
			t.Logf("%d chains of %g τ: %d of %d have a bulk ESS, %d too high", chains, times, told, runs, high)
			if high > 2 || times >= 600 && told < runs*9/10 {
				t.Errorf("%d chains of %g τ: %d of %d have a bulk ESS, %d of them 1.35 times too high", chains, times,
					told, runs, high)
			}
		}
	}
}

// sghmcLine is a chain of SGHMC with friction a at step size eps on N(0, v), from its stationary law, whose variance it
// returns.
func sghmcLine(r *rand.Rand, x []float64, a, eps, v float64) (stationary float64) {
	// (θ, u)' = A (θ, u) + b z with u' = (1-a) u - ε/2v θ + √(aε) z and θ' = θ + u'.
	h, s2 := eps/2/v, a*eps
	tt, tu, uu := v, 0.0, eps/2
	for range 200_000 {
		nuu := (1-a)*(1-a)*uu - 2*(1-a)*h*tu + h*h*tt + s2
		ntu := (1-a)*tu - h*tt + nuu
		tt, tu, uu = tt+2*((1-a)*tu-h*tt)+nuu, ntu, nuu
	}
	th := math.Sqrt(tt) * r.NormFloat64()
	u := tu/tt*th + math.Sqrt(uu-tu*tu/tt)*r.NormFloat64()
	s := math.Sqrt(s2)
	for t := range x {
		u = (1-a)*u - h*th + s*r.NormFloat64()
		th += u
		x[t] = th
	}
	return tt
}

// Chains that swing slowly have crossed 0 once by the lag where a sum over lags would end: their τ is that of the
// discrete process, which SGHMC on N(0, v) is, and was up to 12 times it.
func TestACTOfSlowSwings(t *testing.T) {
	const n, runs = 100_000, 8
	for _, w := range []struct{ friction, eps, v, tau float64 }{{0.01, 0.03, 1, 0.664}, {0.003, 0.03, 1, 0.199},
		{0.003, 0.003, 1, 2.00}, {0.003, 0.003, 0.16, 0.319}, {0.03, 0.01, 0.16, 0.952}} {
		x, mean, se := make([]float64, n), 0.0, 0.0
		for s := range uint64(runs) {
			sghmcLine(rand.New(rand.NewPCG(s, 5)), x, w.friction, w.eps, w.v)
			c := NewChain(1)
			c.Add(&Block{Dim: 1, Cap: n, N: n, X: x, W: slices.Repeat([]float64{1}, n)})
			e := c.ACTLoose(0)
			mean, se = mean+e.Value/runs, se+e.Error/runs
		}
		// Three standard errors, and the 3% by which the larger of several fits is too long.
		if math.Abs(mean-w.tau) > 3*se/math.Sqrt(runs)+0.03*w.tau {
			t.Errorf("%+v: τ is %.3g ± %.2g on average", w, mean, se)
		}
	}
}
