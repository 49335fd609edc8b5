package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

const (
	// RHatBound is the rank-normalised R-hat from which chains count as disagreeing (Vehtari et al. 2021).
	RHatBound = 1.01
	// leastESS is the number of effective draws a chain from which Vehtari et al. trust the errors: 400 of four chains.
	leastESS = 100
	// leastShown is the number of effective draws of all chains from which their number is told. Below it those of one
	// chain that are just enough are so by chance: of 150 τ, 7% of the chains had 100, and were said to have 1.4 times
	// as many as they had.
	leastShown = 200
	// leastCompared is the least number of draws a chain that are compared at all.
	leastCompared = 16
	// halvesBound is the number of standard errors between the halves of one chain from which they
	// count as differing. R-hat must be above its bound as well, and cannot tell alone. Of 200 sound
	// chains of each kind of TestHalvesOfSoundChains, 20% to 70% have an R-hat above 1.01 when an ESS
	// is first shown, at 150 τ. At 1,000 τ it is up to 10%, and 35% of chains that swing. None of them
	// has halves five standard errors apart too, but for 1% of the chains that swing.
	halvesBound = 5
	// leastSteady and partedBound are the bounds of Parted: half the effective draws that errors take, and 20² for F.
	// With leastESS and no F the shortest of 12 chains, which keep to a corner of four each, was too short in 8 of 50
	// sessions, and TestParted's chains of one distribution with a slow part were said to stay apart in 3 of 100.
	leastSteady, partedBound = 50, 400
)

// Comparison compares one coordinate of several chains of one distribution, or of the two halves of one chain, as R's
// package posterior does (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, Bayesian Analysis 16:667).
//
// Every entry but RHat is withheld where the chains cannot be trusted:
//   - Disagree if RHat of several chains is 1.01 or more. Of one chain it is Drifting, and its halves must be five
//     standard errors apart as well.
//   - TooShort if BulkESS or TailESS is below 100 a chain. They are withheld themselves below 200 together, which are
//     more than that of one chain alone.
//
// All entries are TooShort below 16 draws a chain, Constant if no draw differs from another, and NotFinite if a draw is
// not finite.
type Comparison struct {
	RHat    Estimate // rank-normalised, folded, split R-hat
	BulkESS Estimate // effective draws for the middle of the distribution
	TailESS Estimate // effective draws for its quantiles of 5% and 95%, the lesser of the two
	Mean    Estimate // of all draws; the Error of this one and of those below is the MCSE
	SD      Estimate
	Q5, Q95 Estimate // the quantiles
	// Needed is how many draws it takes in all until none is too short, if effective draws grow as draws do; 0 where
	// none is or that is not known. Of few draws it is too small, since their ESS is too high.
	Needed uint64
}

// Comparer compares chains. The zero value is ready. It keeps the memory that it needed, about 70 bytes
// a draw, and is for one goroutine.
type Comparer struct {
	sorted, folded []place
	split          []float64   // values of the split chains, one after the other
	cols           [][]float64 // its parts
	score          []float64   // normal score of each rank
	lags           autocovariances
	rho            []float64
	chain          *Chain // of split, a chain at a time
	ones           []float64
}

// Compare compares the chains of one coordinate, a slice each, all of one length. It does not change or keep them.
//
// Each chain is split into halves; of an odd number of draws the middle one is left out there. With S draws
// in M half chains of n each, and z = Φ⁻¹((r - 3/8)/(S + 1/4)) of their ranks r, ties being averaged,
//
//	R̂ = √((n-1)/n + B/W),   B the variance of the M means of z, W the mean of their M variances,
//
// and RHat is the greater of R̂ of the draws and R̂ of |x - median|, which sees differences in spread.
// With the mean C_t of the half chains' autocovariances at lag t,
//
//	ESS = S/τ,   τ = 1 + 2 Σ_t ρ_t,   ρ_t = 1 - (W - C_t)/var⁺,   var⁺ = W (n-1)/n + B,
//
// the sum ending by Geyer's initial monotone sequence (1992, Statistical Science 7:473), with S/τ <= S log₁₀ S. BulkESS
// is that of z, TailESS the lesser of that of 1{x <= q} for the quantiles q of 5% and 95%. The standard errors are
//
//	mean      sd/√ESS of x
//	sd        ½ √(var (x - x̄)² / ESS of (x - x̄)² / var x)
//	quantile  half the distance of the draws at the ranks S a and S b, a and b being the quantiles of 16% and 84%
//	          of the beta distribution of the quantile's level, with the ESS of 1{x <= q} for a sample size
//
// The ESS of the last two is at most the sum over the chains of that of [Chain.ACTLoose], and of that by batches.
// Geyer's sum alone, which R takes, ends in mid-swing where a chain swings, as SGHMC's does: its errors were up to
// three times too small.
//
// Quantiles are those of R's type 7. Four chains of 1,000 draws take 0.25 ms, of 10,000 3 ms, of 2¹⁸ 0.12
// s. What the halves agree on and all are wrong about, such as a mode that no chain has found, goes unseen.
func (c *Comparer) Compare(chains [][]float64) Comparison {
	n, status := comparable(chains)
	draws := uint64(n * len(chains))
	if status != OK {
		return WithheldComparison(status, draws)
	}
	r := c.compute(chains)
	var out Comparison
	differing := Disagree
	if len(chains) == 1 {
		differing = Drifting
	}
	switch enough := leastESS * float64(len(chains)); {
	case math.IsInf(r.rhat, 1):
		return WithheldComparison(differing, draws) // and none of the halves moves
	case r.rhat >= RHatBound && (len(chains) > 1 || r.apart >= halvesBound):
		out = WithheldComparison(differing, draws)
	case !(r.bulk >= enough) || r.tail() < enough:
		out = WithheldComparison(TooShort, draws)
		if least := min(r.bulk, r.tail()); least > 0 {
			out.Needed = uint64(math.Ceil(float64(draws) * enough / least))
		}
	default:
		out = Comparison{
			BulkESS: shown(r.bulk, draws), TailESS: shown(r.tail(), draws),
			Mean: Known(r.mean, r.meanError, draws), SD: Known(r.sd, r.sdError, draws),
			Q5: Known(r.q[0], r.qError[0], draws), Q95: Known(r.q[1], r.qError[1], draws),
		}
		if !finite(r.tail()) {
			out.TailESS = Withheld(Constant, draws) // a quantile is the least or greatest draw of many equal ones
		}
	}
	out.RHat = known(r.rhat, draws)
	return out
}

// shown is a number of effective draws, withheld below leastShown.
func shown(ess float64, draws uint64) Estimate {
	if ess < leastShown {
		return Withheld(TooShort, draws)
	}
	return known(ess, draws)
}

// WithheldComparison is a Comparison of so many draws of which every entry is withheld.
func WithheldComparison(s Status, draws uint64) Comparison {
	e := Withheld(s, draws)
	return Comparison{e, e, e, e, e, e, e, 0}
}

// TellingRHat is RHat where it tells something, and TooShort elsewhere. It tells that the chains differ
// as soon as they do. It tells that they agree once they have the effective draws of a BulkESS that is shown.
func (c *Comparison) TellingRHat() Estimate {
	if c.BulkESS.Status == TooShort {
		return Withheld(TooShort, c.RHat.Draws)
	}
	return c.RHat
}

// Parted reports whether chains whose R-hat is too large stay apart, whatever their number of draws. No chain alone is
// Drifting, each has 50 effective draws by bulk and tails, and the means x̄_k of the chains differ 20 times as much as
// the means x̄_k1 and x̄_k2 of a chain's halves:
//
//	F = [Σ (x̄_k - x̄)²/(M-1)] / [Σ (x̄_k1 - x̄_k2)²/4M] >= 400
//
// F is Fisher's with M-1 and M degrees of freedom where all halves are independent and of one normal distribution.
// Chains that wander over one distribution go √t far in t draws, and take some F times as many to meet.
func (c *Comparer) Parted(chains [][]float64) bool {
	for i := range chains {
		alone := c.Compare(chains[i : i+1])
		few := alone.Needed == 0 || alone.Needed*leastSteady > uint64(len(chains[i])*leastESS)
		if !alone.SD.OK() && (alone.SD.Status != TooShort || few) {
			return false
		}
	}
	return partedF(chains) >= partedBound
}

// partedF is the F of Parted.
func partedF(chains [][]float64) float64 {
	halves := make([][]float64, len(chains))
	for k, x := range chains {
		h := len(x) / 2
		halves[k] = []float64{sum(x[:h]) / float64(h), sum(x[len(x)-h:]) / float64(h)}
	}
	between, within := betweenAndWithin(halves)
	return 2 * between / within
}

// comparable returns the length of chains, and whether they can be compared.
func comparable(chains [][]float64) (n int, s Status) {
	if len(chains) == 0 {
		panic("metrics: a comparison of no chains")
	}
	n = len(chains[0])
	least, most := math.Inf(1), math.Inf(-1)
	ok := true
	for _, x := range chains {
		if len(x) != n {
			panic(fmt.Sprintf("metrics: chains of %d and %d draws compared", n, len(x)))
		}
		for _, v := range x {
			ok = ok && finite(v)
			least, most = min(least, v), max(most, v)
		}
	}
	switch {
	case !ok:
		return n, NotFinite
	case n < leastCompared:
		return n, TooShort
	case most-least <= max(math.Abs(least), math.Abs(most))*0x1p-50:
		return n, Constant
	}
	return n, OK
}

// compared is a comparison in bare numbers.
type compared struct {
	rhat, apart, bulk   float64
	mean, meanError     float64
	sd, sdError         float64
	q, qESS, qError     [2]float64 // of 5% and 95%
	essMean, essSquares float64
	kurtosis            float64 // m₄/m₂²
}

func (r *compared) tail() float64 { return min(r.qESS[0], r.qESS[1]) }

// spreadError is the standard error of a standard deviation of so many effective draws.
func (r *compared) spreadError(ess, sd float64) float64 {
	return sd * math.Sqrt((r.kurtosis-1)/ess) / 2
}

// levels are those of Q5 and Q95.
var levels = [2]float64{0.05, 0.95}

func (c *Comparer) compute(chains [][]float64) (r compared) {
	c.halve(chains)
	c.fill(chains, func(v float64) float64 { return v })
	c.sort(chains)

	// The errors of mean and sd, in the order that reads split as it stands.
	r.essMean = c.ess()
	total := float64(len(c.sorted))
	for _, x := range chains {
		r.mean += sum(x)
	}
	r.mean /= total
	var m2, m4 float64
	for _, x := range chains {
		for _, v := range x {
			d := float64((v - r.mean) * (v - r.mean))
			m2 += d
			m4 += float64(d * d)
		}
	}
	r.sd = math.Sqrt(m2 / (total - 1))
	r.meanError = r.sd / math.Sqrt(r.essMean)
	c.fill(chains, func(v float64) float64 { return (v - r.mean) * (v - r.mean) })
	r.essSquares = c.ess()
	m2, m4 = m2/total, m4/total
	r.kurtosis = m4 / m2 / m2
	r.sdError = r.spreadError(c.swinging(r.essSquares), math.Sqrt(m2))

	for k, p := range levels {
		r.q[k], r.qESS[k], r.qError[k] = c.quantile(chains, p)
	}

	c.normalise(c.sorted)
	r.bulk = c.ess()
	r.rhat, r.apart = c.rankedRHat()
	return r
}

// quantile is that of a level, with its effective draws and its error.
func (c *Comparer) quantile(chains [][]float64, p float64) (q, ess, se float64) {
	q = quantile(len(c.sorted), p, func(i int) float64 { return c.sorted[i].v })
	c.fill(chains, func(v float64) float64 {
		if v <= q {
			return 1
		}
		return 0
	})
	ess = c.ess()
	return q, ess, c.quantileError(p, c.swinging(ess))
}

// Median is that of the chains that were compared last, with its error. It is withheld where SD is, for its reason.
func (c *Comparer) Median(chains [][]float64, of Comparison) Estimate {
	if !of.SD.OK() {
		return Withheld(of.SD.Status, of.SD.Draws)
	}
	q, _, se := c.quantile(chains, 0.5)
	return Known(q, se, of.SD.Draws)
}

// rankedRHat is the greater R-hat of the normal scores, which split has, and of those of |x - median|.
// Of one chain z is how far its halves are apart: the greater z of the two, see apart.
func (c *Comparer) rankedRHat() (r, z float64) {
	r, z = rhat(c.cols), c.apart()
	c.fold()
	c.normalise(c.folded)
	if folded := rhat(c.cols); folded > r { // not so if a draw takes two values and their distance is constant
		r = folded
	}
	return r, max(z, c.apart())
}

// apart is the size of the z-score of the difference of the means of two columns, x̄_a and x̄_b,
//
//	z² = (x̄_a - x̄_b)² / (2 W τ/n) = B n / (W τ),
//
// where W is the mean of their variances, B the variance of the two means, and τ that of geyer. The autocovariances are
// those within the columns. With those of all draws, halves that differ would excuse themselves. It is 0 for more than
// two columns, or where they do not vary.
func (c *Comparer) apart() float64 {
	between, within := betweenAndWithin(c.cols)
	if len(c.cols) > 2 || !(within > 0) {
		return 0
	}
	n := len(c.cols[0])
	c.lags.start(c.cols)
	c0 := c.lags.at(0)
	tau := c.geyer(func(t int) float64 { return c.lags.at(t) / c0 })
	return math.Sqrt(between / within * float64(n) / max(tau, 1/libm.Log10(float64(2*n))))
}

// halve makes split and its columns: the first and the last half of each chain.
func (c *Comparer) halve(chains [][]float64) {
	half := len(chains[0]) / 2
	c.split = slices.Grow(c.split[:0], 2*half*len(chains))[:2*half*len(chains)]
	c.cols = c.cols[:0]
	for at := 0; at < len(c.split); at += half {
		c.cols = append(c.cols, c.split[at:at+half])
	}
}

// fill sets split to f of the draws.
func (c *Comparer) fill(chains [][]float64, f func(float64) float64) {
	for i, x := range chains {
		a, b := c.cols[2*i], c.cols[2*i+1]
		tail := x[len(x)-len(b):]
		for t := range a {
			a[t], b[t] = f(x[t]), f(tail[t])
		}
	}
}

// sort sorts all draws.
func (c *Comparer) sort(chains [][]float64) {
	c.sorted = c.sorted[:0]
	half := len(chains[0]) / 2
	at := 0
	for _, x := range chains {
		for t, v := range x {
			if t == half && len(x)%2 == 1 {
				c.sorted = append(c.sorted, place{v, -1})
				continue
			}
			c.sorted = append(c.sorted, place{v, at})
			at++
		}
	}
	sortPlaces(c.sorted, &c.folded)
}

// fold sets folded to |x - median|, sorted: from the median the sorted draws rise to both sides.
func (c *Comparer) fold() {
	x := c.sorted
	n := len(x)
	median := x[n/2].v
	if n%2 == 0 {
		median = (x[n/2-1].v + x[n/2].v) / 2
	}
	c.folded = c.folded[:0]
	high, _ := slices.BinarySearchFunc(x, median, func(p place, v float64) int { return cmp.Compare(p.v, v) })
	for low := high - 1; low >= 0 || high < n; {
		if high == n || low >= 0 && math.Abs(x[low].v-median) <= math.Abs(x[high].v-median) {
			c.folded = append(c.folded, place{math.Abs(x[low].v - median), x[low].at})
			low--
		} else {
			c.folded = append(c.folded, place{math.Abs(x[high].v - median), x[high].at})
			high++
		}
	}
}

// normalise sets split to the normal scores of the ranks of sorted values, those that are not in split aside.
func (c *Comparer) normalise(sorted []place) {
	c.scores(len(c.split))
	rank := 0 // of the values before
	for from := 0; from < len(sorted); {
		to, first := from, rank
		for to < len(sorted) && sorted[to].v == sorted[from].v {
			if sorted[to].at >= 0 {
				rank++
			}
			to++
		}
		if rank > first {
			z := c.score[first]
			if rank > first+1 {
				z = normalScore(float64(float64(first+1+rank)/2), len(c.split))
			}
			for _, p := range sorted[from:to] {
				if p.at >= 0 {
					c.split[p.at] = z
				}
			}
		}
		from = to
	}
}

// scores makes score that of the ranks 1, ..., n.
func (c *Comparer) scores(n int) {
	if len(c.score) == n {
		return
	}
	c.score = slices.Grow(c.score[:0], n)[:n]
	for i := range c.score[:(n+1)/2] {
		z := normalScore(float64(i+1), n)
		c.score[i], c.score[n-1-i] = z, -z
	}
}

// normalScore is Φ⁻¹((r - 3/8)/(n + 1/4)) (Blom 1958).
func normalScore(rank float64, n int) float64 {
	return mathext.NormalQuantile((rank - 0.375) / (float64(n) + 0.25))
}

// Quantile is the quantile of level p of sorted values, of R's type 7.
func Quantile(sorted []float64, p float64) float64 {
	return quantile(len(sorted), p, func(i int) float64 { return sorted[i] })
}

// quantile is between the values at 1 + (n-1) p.
func quantile(n int, p float64, at func(i int) float64) float64 {
	h := float64(float64(n-1) * p)
	low := int(h)
	v := at(low)
	if h == float64(low) {
		return v
	}
	next := at(low + 1)
	if next == v {
		return v
	}
	h -= float64(low)
	return float64((1-h)*v) + float64(h*next)
}

// quantileError is the standard error of the quantile of level p, of so many effective draws.
func (c *Comparer) quantileError(p, ess float64) float64 {
	if !finite(ess) {
		return math.NaN()
	}
	n := float64(len(c.sorted))
	low := mathext.InvRegIncBeta(float64(ess*p)+1, float64(ess*(1-p))+1, 0.1586553)
	high := mathext.InvRegIncBeta(float64(ess*p)+1, float64(ess*(1-p))+1, 0.8413447)
	from, to := max(math.Floor(low*n), 1), min(math.Ceil(high*n), n)
	return (c.sorted[int(to)-1].v - c.sorted[int(from)-1].v) / 2
}

// rhat is R-hat of chains as they stand.
func rhat(cols [][]float64) float64 {
	n := float64(len(cols[0]))
	between, within := betweenAndWithin(cols)
	return math.Sqrt((n-1)/n + between/within)
}

// betweenAndWithin returns the variance of the chains' means and the mean of their variances.
func betweenAndWithin(cols [][]float64) (between, within float64) {
	m := float64(len(cols))
	centre := 0.0
	for _, x := range cols {
		centre += sum(x)
	}
	centre /= m * float64(len(cols[0]))
	total := 0.0
	for _, x := range cols {
		mean, v := meanVar(x)
		total += float64((mean - centre) * (mean - centre))
		within += v
	}
	return total / (m - 1), within / m
}

// meanVar returns mean and variance, with n-1 for divisor.
func meanVar(x []float64) (mean, v float64) {
	mean = sum(x) / float64(len(x))
	for _, u := range x {
		v += float64((u - mean) * (u - mean))
	}
	return mean, v / float64(len(x)-1)
}

// ess is the effective sample size of the split chains, NaN if they do not vary.
func (c *Comparer) ess() float64 {
	n, total := float64(len(c.cols[0])), float64(len(c.split))
	between, within := betweenAndWithin(c.cols)
	plus := within*(n-1)/n + between
	if !(plus > 0) {
		return math.NaN()
	}
	c.lags.start(c.cols)
	tau := c.geyer(func(t int) float64 { return 1 - (within-c.lags.at(t))/plus })
	return total / max(tau, 1/libm.Log10(total))
}

// swinging is the least of ess and the effective sample sizes of the split chains by [Chain.ACTLoose] and by batches.
// Draws beyond a quantile come once in a period of a chain that swings, long after lag 15.
func (c *Comparer) swinging(ess float64) float64 {
	n, sum := 2*len(c.cols[0]), 0.0
	if c.chain == nil {
		c.chain = NewChain(1)
	}
	for len(c.ones) < n {
		c.ones = append(c.ones, 1)
	}
	for x := range slices.Chunk(c.split, n) {
		c.chain.NewWindow()
		c.chain.Add(&Block{Dim: 1, Cap: n, N: n, X: x, W: c.ones})
		e := c.chain.ACTLoose(0)
		if !e.OK() {
			return ess
		}
		var batches span
		c.chain.span(&batches, 0)
		v, _ := batches.variance(0, batches.n)
		sum += min(ESSOf(e).Value, c.chain.Var(0)/v)
	}
	return min(ess, sum)
}

// geyer is τ = 1 + 2 Σ ρ_t of the split chains by the initial monotone sequence, as posterior takes it.
// Pairs of lags are summed as long as their sum is positive, and no pair counts more than the one
// before. Of the pair that ends the sum, the even lag counts once if it is positive.
func (c *Comparer) geyer(rho func(int) float64) float64 {
	even, odd := 1.0, rho(1)
	r := append(c.rho[:0], even, odd)
	last := 0 // lag
	for last < len(c.cols[0])-5 && even+odd > 0 {
		last += 2
		even, odd = rho(last), rho(last+1)
		if even+odd >= 0 {
			r = append(r, even, odd)
		} else {
			r = append(r, 0, 0)
		}
	}
	if even > 0 {
		r[last] = even
	}
	for t := 2; t <= last-2; t += 2 {
		if before := r[t-2] + r[t-1]; r[t]+r[t+1] > before {
			r[t], r[t+1] = before/2, before/2
		}
	}
	c.rho = r
	if last == 0 {
		return 1 + r[0] // as R reads an empty range backwards
	}
	return -1 + 2*sum(r[:last]) + r[last]
}
