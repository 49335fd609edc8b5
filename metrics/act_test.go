package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
)

// directACF returns ρ_0..ρ_{lags-1} by the definition.
func directACF(x []float64, lags int) []float64 {
	rho, at := make([]float64, min(lags, len(x))), directLags(x)
	for k := range rho {
		rho[k] = at(k)
	}
	return rho
}

// directLags returns ρ as a function of the lag.
func directLags(x []float64) func(lag int) float64 {
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	d := make([]float64, len(x))
	for t, v := range x {
		d[t] = v - mean
	}
	sum := func(k int) (s float64) {
		for t, v := range d[k:] {
			s += v * d[t]
		}
		return s
	}
	variance := sum(0)
	return func(lag int) float64 { return sum(lag) / variance }
}

// directTau is half of emcee's integrated_time with c = 5, by the definition.
func directTau(x []float64) (tau float64, window int) {
	te, at := -1.0, directLags(x)
	for m := range x {
		te += 2 * at(m)
		if float64(m) >= 5*te {
			return te / 2, m
		}
	}
	return math.NaN(), 0
}

// windowed is τ by the sum within the window alone, without autoregressions.
func windowed(x []float64) float64 {
	c := chainOf(ones(len(x)), x)
	c.status(0)
	return c.cors[0].window().time / 2
}

func TestACFExactAtShortLags(t *testing.T) {
	for _, n := range []int{2, 3, 7, 15, 16, 17, 31, 100, 511, 512, 513, 527, 1030, 5000} {
		x := ar1(0.7, n, uint64(n))
		for i := range x {
			x[i] += 30
		}
		got := make([]float64, lagCount)
		k := chainOf(ones(n), x).ACF(0, 1, got)
		want := directACF(x, lagCount)
		if k != len(want) {
			t.Errorf("n %d: %d lags, want %d", n, k, len(want))
		}
		for i, v := range want[:k] {
			if !scalar.EqualWithinAbsOrRel(got[i], v, 1e-12, 1e-12) {
				t.Errorf("n %d: ρ_%d = %v, want %v", n, i, got[i], v)
			}
		}
	}
}

// The coarse lags must hold what averaging says: with y the means of 2^l draws, the autocovariance of y.
func TestAutocovOfLevels(t *testing.T) {
	x := ar1(0.95, 10_007, 2)
	c := chainOf(ones(len(x)), x)
	cor := &c.cors[0]
	cor.settle()
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v - x[0]
	}
	for l := range 9 {
		n, mean := len(y), 0.0
		for _, v := range y {
			mean += v / float64(n)
		}
		var cov [lagCount]float64
		from, to := cor.autocov(l, &cov)
		for k := from; k < to; k++ {
			want := 0.0
			for i := k; i < n; i++ {
				want += (y[i] - mean) * (y[i-k] - mean) / float64(n)
			}
			if !scalar.EqualWithinAbsOrRel(cov[k], want, 1e-12, 1e-10) {
				t.Errorf("level %d lag %d: %v, want %v", l, k, cov[k], want)
			}
		}
		for i := range n / 2 {
			y[i] = (y[2*i] + y[2*i+1]) / 2
		}
		y = y[:n/2]
	}
}

// The sum over the correlator's lags against the sum over every lag, for ρ_t = a^t without noise: triangle means in,
// Σ_{t=1}^M a^t out.
func TestLagSumBias(t *testing.T) {
	if testing.Short() {
		t.Skip("sums over every lag")
	}
	for _, tau := range []float64{0.6, 1.5, 2, 3, 5, 8, 13, 30, 100, 333, 1000} {
		a := (2*tau - 1) / (2*tau + 1)
		power := make([]float64, lagCount<<14) // a^t
		for t := range power {
			power[t] = 1
			if t > 0 {
				power[t] = a * power[t-1]
			}
		}
		var s lagSum
		for k := 1; k < lagCount; k++ {
			s.add(1, power[k])
		}
		for l := 1; l < 15; l++ {
			m := 1 << l
			for k := minLag; k < lagCount; k++ {
				r := 0.0
				for j := 1 - m; j < m; j++ {
					r += power[k*m+j] * (1 - math.Abs(float64(j))/float64(m)) / float64(m)
				}
				lag := float64(k * m)
				got := s.upTo(lag, r).time
				want := 1 + 2*a*(1-math.Pow(a, lag))/(1-a)
				// 0.1% is what the correlator's comment promises; the end of the sum adds to it only where the window
				// is far from closing.
				if tol := 1e-3 * 2 * tau; lag >= 6*tau && math.Abs(got-want) > tol {
					t.Errorf("τ %v: τ_e(%v) = %v, want %v", tau, lag, got, want)
				}
				s.add(lagWeight(l, k), r)
			}
		}
	}
}

// tauError is the relative standard error of τ with window M = 10τ, √(2(2M+1)/n) (Sokal 1997, §3).
func tauError(tau float64, n int) float64 {
	return math.Sqrt(2 * (2*max(10*tau, lagCount) + 1) / float64(n))
}

func TestACTOfAR1(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 200_000
	}
	for i, rho := range []float64{0.9, 0.99, 0, 0.5, -0.2, -0.5, -0.7} {
		x := ar1(rho, n, uint64(i))
		e := chainOf(ones(n), x).ACT(0)
		want := (1 + rho) / (2 * (1 - rho))
		// Three standard errors, and the bias that the flat-top weights leave at ρ = -0.7 (1.9%, from the exact sum).
		tol := 3 * tauError(want, n)
		if rho == -0.7 {
			tol += 0.019
		}
		if !e.OK() || math.Abs(e.Value/want-1) > tol {
			t.Errorf("ρ %v: τ %+v, want %v ± %.2g%%", rho, e, want, 100*tol)
		}
	}
}

// The streaming sum against the definition on the same draws: what differs is the averaging over coarse lags, and the
// place of the window between two of them.
func TestACTAgainstDefinition(t *testing.T) {
	n := 20_000
	slow, fast := ar1(0.995, n, 1), ar1(0.6, n, 2)
	two := make([]float64, n)
	for t := range two {
		two[t] = 0.5*slow[t] + fast[t]
	}
	ar2 := make([]float64, n) // a damped oscillation
	r := rand.New(rand.NewPCG(3, 3))
	for t := 2; t < n; t++ {
		ar2[t] = 1.5*ar2[t-1] - 0.6*ar2[t-2] + r.NormFloat64()
	}
	for _, chain := range []struct {
		name string
		x    []float64
	}{
		{"independent", ar1(0, n, 3)}, {"ρ=0.3", ar1(0.3, n, 4)}, {"ρ=0.8", ar1(0.8, n, 5)},
		{"ρ=0.95", ar1(0.95, n, 6)},
		{"ρ=0.995", slow}, {"ρ=0.999", ar1(0.999, n, 7)}, {"two time scales", two}, {"AR(2)", ar2},
	} {
		name, x := chain.name, chain.x
		want, m := directTau(x)
		got := windowed(x)
		// Below lag 16 the same sum. Beyond, the window's end may lie a sixteenth apart, where ρ is mostly noise of
		// size √(2τ/n).
		tol := 1e-10
		if m >= lagCount {
			tol = 1e-3 + float64(m)/16*math.Sqrt(2*want/float64(n))/want
		}
		t.Logf("%-16s τ %.5g, by definition %.5g (window %d), off by %.3f%% of %.3f%% allowed", name, got, want, m,
			100*math.Abs(got/want-1), 100*tol)
		if !(math.Abs(got/want-1) <= tol) {
			t.Errorf("%s: τ %v, want %v", name, got, want)
		}
	}
}

// Over many short chains the sums must be as good on average, and as scattered, as by the definition.
func TestACTScatter(t *testing.T) {
	if testing.Short() {
		t.Skip("many chains")
	}
	const rho, n, runs = 0.9, 5000, 150
	want := (1 + rho) / (2 * (1 - rho))
	var mean, sq, meanDirect, sqDirect float64
	for i := range uint64(runs) {
		x := ar1(rho, n, 1000+i)
		d := windowed(x)/want - 1
		mean += d / runs
		sq += d * d / runs
		tau, _ := directTau(x)
		d = tau/want - 1
		meanDirect += d / runs
		sqDirect += d * d / runs
	}
	t.Logf("relative bias %.4f, by definition %.4f; rms %.4f, by definition %.4f, Sokal %.4f", mean, meanDirect,
		math.Sqrt(sq), math.Sqrt(sqDirect), tauError(want, n))
	// The two see the same draws, so their biases agree far better than either is known (0.24/√150 = 2%).
	if math.Abs(mean-meanDirect) > 0.005 {
		t.Errorf("relative bias %v, by definition %v", mean, meanDirect)
	}
	if r := sq / sqDirect; r < 0.9 || r > 1.1 {
		t.Errorf("mean square %v of the definition's", r)
	}
}

// The Error of τ against its root mean square error.
func TestErrorOfTime(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	for _, n := range []int{4000, 20_000} {
		const rho, want = 0.9, 9.5
		runs := 5 * calibrationRuns
		sq, se := 0.0, 0.0
		for s := range uint64(runs) {
			e := chainOf(ones(n), ar1(rho, n, 2000+s)).ACTLoose(0)
			sq += (e.Value - want) * (e.Value - want) / float64(runs)
			se += e.Error / float64(runs)
		}
		got := se / math.Sqrt(sq)
		t.Logf("n %d: Error %.2f of the root mean square error", n, got)
		if got < 0.75 || got > 1.5 {
			t.Errorf("n %d: Error %v of the root mean square error %v", n, got, math.Sqrt(sq))
		}
	}
}

func TestLongChainKeepsItsDigits(t *testing.T) {
	if testing.Short() {
		t.Skip("3·10⁶ draws")
	}
	const n, rho = 3_000_000, 0.5
	c, b := NewChain(1), NewBlock(1, 1000)
	b.N = b.Cap
	for i := range b.W {
		b.W[i] = 0.1
	}
	r := rand.New(rand.NewPCG(5, 5))
	v := 0.0
	for range n / b.N {
		x := b.Col(0)
		for t := range x {
			v = rho*v + math.Sqrt(1-rho*rho)*r.NormFloat64()
			x[t] = v + 1000
		}
		c.Add(b)
	}
	e := c.ACT(0)
	if tol := 3 * tauError(1.5, n); !e.OK() || math.Abs(e.Value/1.5-1) > tol {
		t.Errorf("τ %+v, want 1.5 within %v", e, tol)
	}
	se := math.Sqrt(3.0 / n)
	if got := c.MCSE(0); !got.OK() || math.Abs(got.Value/se-1) > 0.02 {
		t.Errorf("MCSE %+v, want %v", got, se)
	}
	if got := c.Mean(0) - 1000; math.Abs(got) > 4*se {
		t.Errorf("mean %v, want 0 ± %v", got, se)
	}
	var acf [100]float64
	c.ACF(0, 1, acf[:])
	for k, got := range acf {
		// Bartlett: var(ρ̂_k) ≤ (1/n) Σ ρ² = (1+ρ²)/(1-ρ²)/n = 1.67/n. Linear interpolation and triangles are exact to
		// 1e-4 at lag 16 and above, where ρ < 2e-5.
		if want := math.Pow(rho, float64(k)); math.Abs(got-want) > 4.5*math.Sqrt(1.67/n) {
			t.Errorf("ρ_%d = %v, want %v", k, got, want)
		}
	}
}

func TestTrustRule(t *testing.T) {
	x := ar1(0.99, 100_000, 8) // τ = 99.5
	c := NewChain(1)
	var seen [2]int
	addSplit(c, [][]float64{x}, ones(len(x)), func() int {
		loose, e := c.ACTLoose(0), c.ACT(0)
		if loose.OK() != (e.OK() || loose.OK() && !LongEnough(e.Draws, loose.Value)) {
			t.Errorf("%d draws: τ %+v, loosely %+v", c.Draws(), e, loose)
		}
		switch {
		case e.OK():
			seen[0]++
		case e.Status == TooShort:
			seen[1]++
			if c.ESS(0).Status != TooShort || c.MCSE(0).Status != TooShort || !math.IsNaN(c.ESS(0).Value) {
				t.Errorf("%d draws: ESS %+v", c.Draws(), c.ESS(0))
			}
		}
		return 100
	})
	if seen[0] < 500 || seen[1] < 20 {
		t.Errorf("trusted %d times, too short %d times", seen[0], seen[1])
	}
	if ess, tau := c.ESS(0), c.ACT(0); ess.Value != float64(len(x))/(2*tau.Value) {
		t.Errorf("ESS %v, τ %v", ess.Value, tau.Value)
	}
}

// Independent draws of an exponential density are skewed up to 800 τ, 400 draws, a chain of several as
// well as one; normal ones are not.
func TestSkewedDraws(t *testing.T) {
	for _, c := range []struct {
		name      string
		draw      func(*rand.Rand) float64
		n, chains int
		skewed    bool
	}{
		{"normal", (*rand.Rand).NormFloat64, 150, 1, false},
		{"exponential", (*rand.Rand).ExpFloat64, 150, 1, true},
		{"exponential", (*rand.Rand).ExpFloat64, 1000, 1, false},
		{"normal", (*rand.Rand).NormFloat64, 150, 4, false},
		{"exponential", (*rand.Rand).ExpFloat64, 150, 4, true},
	} {
		var all Chains
		for k := range c.chains {
			r := rand.New(rand.NewPCG(uint64(k), 29))
			x := make([]float64, c.n)
			for i := range x {
				x[i] = c.draw(r)
			}
			all = append(all, chainOf(ones(c.n), x))
		}
		act := all.ACT(0)
		if ess := ESSOf(act); !ess.OK() || all.Skewed(0, 1, ess.Value) != c.skewed {
			t.Errorf("%d chains of %d %s draws: skewed is not %v, ESS %v", c.chains, c.n, c.name, c.skewed, ess)
		}
	}
	constant := Chains{chainOf(ones(100), make([]float64, 100))}
	if constant.Skewed(0, 1, 1) {
		t.Error("draws that do not vary are skewed")
	}
}

// The τ of draws that alternate is right where it is shown, and so is its error: τ = ½ (1+ρ)/(1-ρ). Of few draws that
// cannot tell, few show one.
func TestStrongAnticorrelation(t *testing.T) {
	for _, rho := range []float64{-0.4, -0.6, -0.8, -0.9, -0.95, -0.99} {
		tau := (1 + rho) / (1 - rho) / 2
		for _, n := range []int{80, 3000, 30_000} {
			const runs = 60
			var all []float64
			within := 0
			for seed := range uint64(runs) {
				e := chainOf(ones(n), ar1(rho, n, seed)).ACT(0)
				if !e.OK() {
					continue
				}
				all = append(all, e.Value/tau)
				if math.Abs(e.Value-tau) < 2*e.Error {
					within++
				}
			}
			slices.Sort(all)
			if n < 100 || float64(n) < 12/tau {
				t.Logf("ρ %v, %d draws: %d of %d have a τ", rho, n, len(all), runs)
				if float64(n) < 2/tau && len(all) > runs/5 {
					t.Errorf("ρ %v, %d draws: %d of %d have a τ", rho, n, len(all), runs)
				}
				continue
			}
			if len(all) < runs/2 {
				t.Fatalf("ρ %v, %d draws: %d of %d have a τ", rho, n, len(all), runs)
			}
			median, most := all[len(all)/2], all[len(all)*19/20]
			t.Logf("ρ %v, %d draws: %d have a τ, median %.2f, 95%% %.2f of it, %d within two errors", rho, n, len(all), median,
				most, within)
			if math.Abs(median-1) > 0.1 || most > 1.6 || within < len(all)*5/6 {
				t.Errorf("ρ %v, %d draws: τ is %v times what it is, 95%% at most %v times, of %d shown %d within two errors",
					rho, n, median, most, len(all), within)
			}
		}
	}
	if s := chainOf(ones(60), ar1(-0.5, 60, 3)).ACT(0).Status; s != TooShort {
		t.Errorf("60 anticorrelated draws: status %q", s)
	}
}

// Chains of momentum methods swing: of x_t = φ₁x_{t-1} + φ₂x_{t-2} + e_t with φ₁ = 2r cos ω, φ₂ = -r² the
// autocorrelation does with frequency ω below r^t, and 2τ = γ₀⁻¹/(1-φ₁-φ₂)² where
// γ₀ = (1-φ₂)/((1+φ₂)((1-φ₂)²-φ₁²)).
func TestACTOfSwingingChains(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	const n = 400_000
	for _, r := range []float64{0.8, 0.949} {
		for _, omega := range []float64{0.2, 0.3, 0.567, 0.8, 1, 1.557, 2.2} {
			phi1, phi2 := 2*r*math.Cos(omega), -r*r
			gamma0 := (1 - phi2) / ((1 + phi2) * ((1-phi2)*(1-phi2) - phi1*phi1))
			want := 1 / (2 * gamma0 * (1 - phi1 - phi2) * (1 - phi1 - phi2))
			src := rand.New(rand.NewPCG(8, uint64(1000*omega)))
			x := make([]float64, n)
			a, b := 0.0, 0.0
			for i := range 1000 + n {
				a, b = phi1*a+phi2*b+src.NormFloat64(), a
				if i >= 1000 {
					x[i-1000] = a
				}
			}
			e := chainOf(ones(n), x).ACT(0)
			// Within 2.3% over these seeds.
			const tol = 0.03
			if !e.OK() || math.Abs(e.Value/want-1) > tol {
				t.Errorf("r %v, ω %v: τ %+v, want %v within %v", r, omega, e, want, tol)
			}
		}
	}
}

// An anticorrelated fast part must not hide a slow one.
func TestAnticorrelatedAndSlow(t *testing.T) {
	n := 400_000
	fast, slow := ar1(-0.8, n, 1), ar1(0.98, n, 2)
	x := make([]float64, n)
	for t := range x {
		x[t] = fast[t] + 0.5*slow[t]
	}
	// τ is the mean of the parts' τ weighted by variance: (1·0.0556 + 0.25·49.5)/1.25.
	want := (1*0.2/3.6 + 0.25*1.98/0.04) / 1.25
	e := chainOf(ones(n), x).ACT(0)
	if tol := 3 * tauError(49.5, n); !e.OK() || math.Abs(e.Value/want-1) > tol {
		t.Errorf("τ %+v, want %v within %v", e, want, tol)
	}
}

func ExampleChain() {
	c, b := NewChain(1), NewBlock(1, 1)
	b.N = 1
	for t := range 1000 {
		b.X[0], b.W[0] = math.Sin(float64(t*t)), 0.1
		c.Add(b)
		if t == 9 {
			e := c.ESS(0)
			fmt.Println(e.Draws, e.Status)
		}
	}
	fmt.Println(c.Draws(), c.ESS(0).OK())
	// Output:
	// 10 too short
	// 1000 true
}

// Few chains are trusted before the draws that were said to be needed at least, whenever that was said.
func TestDrawsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	if n := DrawsNeeded(Known(20, 10, 100)); n != TrustedTimes*10 {
		t.Errorf("of 20 ± 10: %d", n)
	}
	if n := DrawsNeeded(Withheld(TooShort, 9)); n != 0 {
		t.Errorf("of no τ: %d", n)
	}
	for _, k := range kinds() {
		if calibrationRuns < 200 && k.tau > 20 {
			continue
		}
		unit, early, told := max(k.tau, 0.5), 0.0, 0.0
		x := make([]float64, int(lengths[len(lengths)-1]*unit))
		w := ones(len(x))
		for s := range uint64(calibrationRuns) {
			clear(x)
			k.fill(rand.New(rand.NewPCG(s, 19)), x)
			c := NewChain(1)
			at, most := 0, uint64(0)
			for _, m := range lengths {
				n := int(m * unit)
				c.Add(&Block{Dim: 1, Cap: n - at, N: n - at, X: x[at:n], W: w[at:n]})
				at = n
				if c.ACT(0).OK() {
					if most > uint64(n) {
						early++
					}
					break
				}
				if n >= 50 {
					most = max(most, DrawsNeeded(c.ACTLoose(0)))
				}
			}
			if most > 0 {
				told++
			}
		}
		t.Logf("%-26s of %3.0f chains %4.1f%% were trusted before", k.name, told, 100*early/calibrationRuns)
		if early > 0.05*calibrationRuns+3*math.Sqrt(0.05*calibrationRuns) {
			t.Errorf("%s: %v of %d chains were trusted before", k.name, early, calibrationRuns)
		}
	}
}

// The greatest skewness of d sets of 64 normal values is taken for more than chance in 5% of cases, whatever d.
func TestNormalSkewness(t *testing.T) {
	const sets = 40_000
	r := rand.New(rand.NewPCG(3, 31))
	var z [sets]float64
	for k := range z {
		var s span
		for s.n < skewMeans {
			s.w[s.n], s.sum[s.n] = 1, r.NormFloat64()
			s.n++
		}
		z[k] = normalSkewness(math.Abs(s.skewness(skewMeans)))
	}
	for _, d := range []int{1, 2, 15, 100, 500} {
		alarms, tries := 0, sets/d
		for k := range tries {
			if sidak(slices.Max(z[k*d:(k+1)*d]), float64(d)) > skewedBeyond {
				alarms++
			}
		}
		// Three binomial standard errors, and half a percent for the approximation, which is best in the middle.
		if share := float64(alarms) / float64(tries); math.Abs(share-0.05) >
			0.005+3*math.Sqrt(0.05*0.95/float64(tries)) {
			t.Errorf("%d sets: %.3f of %d", d, share, tries)
		}
	}
}

// Lags that lie apart have what lags one by one have there.
func TestACFOfLagsApart(t *testing.T) {
	c := chainOf(ones(20_000), ar1(0.99, 20_000, 3))
	all := make([]float64, 3001)
	n := c.ACF(0, 1, all)
	for _, every := range []int{2, 5, 100} {
		got := make([]float64, 31)
		if k := c.ACF(0, every, got); k != min(len(got), (n-1)/every+1) {
			t.Errorf("every %d: %d lags", every, k)
		}
		for i, rho := range got {
			if !scalar.EqualWithinAbs(rho, all[i*every], 1e-12) {
				t.Errorf("lag %d: %v, want %v", i*every, rho, all[i*every])
			}
		}
	}
}

// Chains that take turns in one file, as emcee's flattened walkers do, are uncorrelated at all lags but a turn's.
func TestACTOfTurns(t *testing.T) {
	const turn, n = 20, 2000
	for seed := range uint64(5) {
		x := make([]float64, turn*n)
		for k := range turn {
			for i, v := range ar1(0.9, n, 100*seed+uint64(k)) {
				x[i*turn+k] = v
			}
		}
		// Without a look beyond the window it is 0.5, where that of each walker is 9.5.
		if e := chainOf(ones(len(x)), x).ACTLoose(0); !(e.Value > 5 && e.Value < 20) {
			t.Errorf("seed %d: τ %+v, want 9.5 by half or twice", seed, e)
		}
	}
}
