package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

const (
	// told is of how many coordinates facts are told one by one.
	told = 30
	// paired is of how many coordinates each pair has a fact.
	paired = 16
	// lags is how many autocorrelations of the noise there are.
	lags = 5
	// blocks is the least number of blocks of steps with a variance and a mean of their own; there are less than twice
	// as many.
	blocks = 20
)

// A row is the noise of a step as the claim has it, which is N(0, I) given all draws before, and what it must not hang
// on.
type row struct {
	noise []float64
	raw   []float64 // with that of minibatches, in units of the noise that is added
	log   []float64 // of the density of the noise, by what it was divided
	own   []float64 // squares of raw without what minibatches are expected to add
	// along are the step's drift, velocity and place in units of the noise's standard deviation.
	along [aspects][]float64
	// gain are log G, and how much it is above that of the V before the newest gradient; nil without a preconditioner.
	gain [2][]float64
}

// The aspects of a step.
const (
	onDrift = iota
	onPrior
	onVelocity
	onGamma
	onPlace
	onChange
	onRecent
	aspects
)

var aspectNames = [aspects]string{"drift", "drift of the prior", "velocity kept", "drift correction Γ",
	"noise on the place", "noise on the drift's newest change", "noise on the drift's change in about ten steps"}

// share reports whether a fact is told as the share b of what the claim has, 1, and not as a slope.
func share(aspect int) bool { return aspect <= onGamma }

// ledger adds up the rows of a chain. Nothing that it keeps grows with their number.
type ledger struct {
	which []int // coordinates that it adds up: where a V is as good as unknown, nothing is told
	dim   int   // how many they are
	delay int   // how many steps an aspect is older than the noise
	bell  bool  // the noise is normal, and no minibatch's
	// wide is by how much the hidden V of minibatches spreads what is told of variances, and slack the share by which
	// it may be off.
	wide, slack float64
	names       func(i int) string

	n, surprise   float64 // surprise is -log of the draws' density
	mean, square  []float64
	raw           []float64 // Σ of the noise with that of minibatches
	own           float64
	fourth        []float64 // Σ (r² - 1)² of each coordinate, and Σ (Σ r² - D)²/D
	kurt          float64
	cross, cross2 []float64 // r_i r_j and its square, of i < j
	lag           [lags]float64
	xy, xx        [aspects]float64
	pull, pull2   []float64     // xy and xx on the drift, of each coordinate
	hot           [2][4]float64 // Σ l, Σ l², Σ w l, Σ w of l = each of gain and w = r²
	block         []block
	per           int // rows of a block

	recent []row // of the chain, the newest last
}

// block is neighbouring steps.
type block struct {
	chain, from, to int // draws
	n, sum, square  float64
}

func newLedger(which []int, names func(int) string) *ledger {
	dim := len(which)
	return &ledger{
		which: which, dim: dim, names: func(i int) string { return names(which[i]) }, wide: 1, per: 1,
		mean:   make([]float64, dim),
		fourth: make([]float64, dim+1),
		raw:    make([]float64, dim),
		pull:   make([]float64, dim),
		pull2:  make([]float64, dim),
		square: make([]float64, dim),
		cross:  make([]float64, dim*dim),
		cross2: make([]float64, dim*dim),
	}
}

func (l *ledger) begin() { l.recent = l.recent[:0] }

// The mean, the standard deviation and the skewness of min(r², 16)² for a normal r: kurtosis clipped at 4. They are
// integrals over r, by the trapezoidal rule in steps of 1e-5.
const (
	clippedMean = 2.995683454
	clippedSD   = 9.651659284
	clippedSkew = 8.90220829
)

// add adds the step after draw t of a chain, whose row is no longer valid then. What is not judged is remembered alone,
// as what came before the next steps.
func (l *ledger) add(chain, t int, r row, judged bool) {
	pick := func(of ...*[]float64) {
		for _, v := range of {
			if *v != nil {
				for i, from := range l.which {
					(*v)[i] = (*v)[from]
				}
				*v = (*v)[:l.dim]
			}
		}
	}
	pick(&r.noise, &r.raw, &r.own, &r.log, &r.gain[0], &r.gain[1])
	for a := range r.along {
		pick(&r.along[a])
	}
	if judged {
		l.judge(chain, t, r)
	}
	keep := row{noise: slices.Clone(r.noise)}
	if l.delay > 0 {
		for a, along := range r.along {
			keep.along[a] = slices.Clone(along)
		}
	}
	if len(l.recent) > 2*(lags+l.delay) {
		l.recent = append(l.recent[:0], l.recent[len(l.recent)-lags-l.delay:]...)
	}
	l.recent = append(l.recent, keep)
}

// judge adds up the row of a step.
func (l *ledger) judge(chain, t int, r row) {
	l.n++
	square, sum := 0.0, 0.0
	for i, x := range r.noise {
		s := float64(x * x)
		l.mean[i] += x
		l.raw[i] += r.raw[i]
		l.own += r.own[i]
		l.surprise += r.log[i]
		l.square[i] += s
		sum += x
		square += s
		c := min(s, 16)
		l.kurt += float64(c * c)
		l.fourth[i] += float64((s - 1) * (s - 1))
		if i < paired {
			for j, y := range r.noise[:i] {
				c := float64(x * y)
				l.cross[i*l.dim+j] += c
				l.cross2[i*l.dim+j] += float64(c * c)
			}
		}
		for k, gain := range r.gain {
			if gain != nil {
				g, w := gain[i], min(s, 25)
				h := &l.hot[k]
				h[0] += g
				h[1] += float64(g * g)
				h[2] += float64(w * g)
				h[3] += w
			}
		}
	}
	d := float64(l.dim)
	l.fourth[l.dim] += float64((square-d)*(square-d)) / d
	l.surprise += float64(square / 2)
	for k := range lags {
		if at := len(l.recent) - 1 - k - l.delay; at >= 0 {
			for i, x := range l.recent[at].noise {
				l.lag[k] += float64(x * r.noise[i])
			}
		}
	}
	aspect := r.along
	if l.delay > 0 {
		aspect = [aspects][]float64{}
		if at := len(l.recent) - l.delay; at >= 0 {
			aspect = l.recent[at].along
		}
	}
	for a, along := range aspect {
		for i, x := range along {
			l.xy[a] += float64(x * r.noise[i])
			l.xx[a] += float64(x * x)
			if a == onDrift {
				l.pull[i] += float64(x * r.noise[i])
				l.pull2[i] += float64(x * x)
			}
		}
	}
	if len(l.block) == 0 || l.block[len(l.block)-1].chain != chain || l.block[len(l.block)-1].n >= float64(l.per) {
		if len(l.block) >= 2*blocks {
			l.merge()
		}
		l.block = append(l.block, block{chain: chain, from: t})
	}
	b := &l.block[len(l.block)-1]
	b.n++
	b.to = t
	b.sum += sum
	b.square += square
}

// join adds what another ledger has of another chain.
func (l *ledger) join(o *ledger) {
	l.n += o.n
	l.own += o.own
	l.surprise += o.surprise
	l.kurt += o.kurt
	for _, v := range [][2][]float64{{l.mean, o.mean}, {l.square, o.square}, {l.raw, o.raw},
		{l.pull, o.pull}, {l.pull2, o.pull2}, {l.cross, o.cross},
		{l.fourth, o.fourth}, {l.cross2, o.cross2}, {l.lag[:], o.lag[:]}, {l.xy[:], o.xy[:]}, {l.xx[:], o.xx[:]},
		{l.hot[0][:], o.hot[0][:]}, {l.hot[1][:], o.hot[1][:]}} {
		for i, x := range v[1] {
			v[0][i] += x
		}
	}
	l.block = append(l.block, o.block...)
}

// merge makes one of two blocks.
func (l *ledger) merge() {
	l.per *= 2
	var half []block
	for _, b := range l.block {
		if last := len(half) - 1; last >= 0 && half[last].chain == b.chain && half[last].n+b.n <= float64(l.per) {
			h := &half[last]
			h.to, h.n, h.sum, h.square = b.to, h.n+b.n, h.sum+b.sum, h.square+b.square
		} else {
			half = append(half, b)
		}
	}
	l.block = half
}

// normalScore is how many standard deviations a χ² over its ν degrees of freedom is from 1 (Wilson and Hilferty 1931).
func normalScore(ratio, nu float64) float64 {
	return (libm.Pow(max(ratio, 0), 1./3) - (1 - 2/(9*nu))) / math.Sqrt(2/(9*nu))
}

// within is a ratio as near to 1 as a share by which it may be off lets it be.
func within(ratio, slack float64) float64 {
	if ratio > 1 {
		return max(1, ratio/(1+slack))
	}
	return min(1, ratio*(1+slack))
}

// inflated is the standard deviation of n terms by the sum of their squares, without the part that a mean or a slope
// explains, but at least the claim's, 1. A mean, a slope or a correlation is not significant by a variance too large.
func inflated(squares, explained, n float64) float64 { return math.Sqrt(max(1, (squares-explained)/n)) }

// facts are those of the rows so far.
func (l *ledger) facts() []Fact {
	if l.n < 2 || l.dim == 0 {
		return nil
	}
	var all []Fact
	add := func(name string, expected, found, se, z float64) {
		if z != z { // what is no number is no draw of the method's
			z = math.Inf(1)
		}
		if se > 0 {
			all = append(all, Fact{Name: name, Expected: expected, Found: found, SE: se, Z: z})
		}
	}
	d, root := float64(l.dim), math.Sqrt(l.n)
	variance := func(name string, i int, sum, n float64) {
		nu := n / l.heavy(i)
		add(name, 1, sum/n, math.Sqrt(2/nu), normalScore(within(sum/n, l.slack), nu))
	}
	total, sum := 0.0, 0.0
	for i := range l.dim {
		total += l.square[i]
		sum += l.mean[i]
		if i < told {
			sd := inflated(l.square[i], l.mean[i]*l.mean[i]/l.n, l.n)
			add("mean of the noise in "+l.names(i), 0, l.mean[i]/l.n, sd/root, l.mean[i]/root/sd)
			variance("variance of the noise in "+l.names(i), i, l.square[i], l.n)
		}
	}
	sd := inflated(total, sum*sum/(l.n*d), l.n*d)
	if l.dim > 1 {
		add("mean of the noise", 0, sum/(l.n*d), sd/(root*math.Sqrt(d)), sum/(root*math.Sqrt(d))/sd)
		variance("variance of the noise", l.dim, total, l.n*d)
		worst, all2, n := Fact{}, 0.0, 0.0
		for i := range min(l.dim, paired) {
			for j := range i {
				c := l.cross[i*l.dim+j]
				by := math.Sqrt(l.square[i]) * math.Sqrt(l.square[j])
				v := max(l.n, by*by/l.n) // of noise with its own variance where that is too large
				if !l.bell {
					v = max(v, l.cross2[i*l.dim+j])
				}
				v *= l.wide
				z := math.Copysign(max(0, math.Abs(c)-float64(l.slack*l.n)), c) / math.Sqrt(v)
				all2 += float64(z * z)
				n++
				if math.Abs(z) >= math.Abs(worst.Z) {
					by = cmp.Or(by, l.n) // n where there is none
					worst = Fact{Name: fmt.Sprintf("correlation of the noise in %s and %s", l.names(j), l.names(i)),
						Found: c / by, SE: math.Sqrt(v) / by, Z: z}
				}
			}
		}
		worst.Z = asOne(worst.Z, n)
		add(worst.Name, 0, worst.Found, worst.SE, worst.Z)
		if n > 1 && l.slack == 0 { // small errors of all add up
			add("correlations of the noise, mean square over chance's", 1, all2/n, math.Sqrt(2/n),
				normalScore(all2/n, n))
		}
	}
	if l.bell && l.wide == 1 {
		z := (l.kurt - float64(l.n*d*clippedMean)) / (math.Sqrt(l.n*d) * clippedSD)
		nu := 8 * l.n * d / (clippedSkew * clippedSkew) // a χ² that is as skewed
		add("fourth moment of the noise", clippedMean, l.kurt/(l.n*d), clippedSD/math.Sqrt(l.n*d),
			normalScore(1+float64(z*math.Sqrt(2/nu)), nu))
	}
	for k, x := range l.lag {
		by := cmp.Or(total, l.n*d)
		se := max(math.Sqrt(l.n*d), total/math.Sqrt(l.n*d))
		add(fmt.Sprintf("autocorrelation of the noise at lag %d", k+1+l.delay), 0, x/by, se/by, x/se)
	}
	for a := range aspects {
		if !(l.xx[a] > 0) {
			continue
		}
		expected := 0.0
		se := inflated(total, l.xy[a]*l.xy[a]/l.xx[a], l.n*d) / math.Sqrt(l.xx[a])
		slope := l.xy[a] / l.xx[a]
		z := slope / se
		if share(a) {
			expected = 1
			z = math.Copysign(max(0, math.Abs(slope)-l.slack), slope) / se
		}
		name := aspectNames[a]
		if l.delay > 0 {
			name += fmt.Sprintf(" %d steps before", l.delay)
		}
		add(name, expected, expected+slope, se, z)
	}
	for k, h := range l.hot {
		if v := l.spread(k); l.slack == 0 && v > 1e-9*h[1] {
			// The mean of w is 1, and so is that of its difference from the mean of all.
			slope := (h[2] - h[0]*h[3]/(l.n*d)) / v
			add([2]string{"log variance of the noise on log G",
				"log variance of the noise on the newest change of log G"}[k], 0, slope, math.Sqrt(2/v),
				slope/math.Sqrt(2/v))
		}
	}
	l.blockFacts(sd, add)
	return all
}

// heavy is the variance of a coordinate's square, or of the sum of all, over that of a normal one's. A minibatch may
// make all squares large together.
func (l *ledger) heavy(i int) float64 {
	if l.bell {
		return l.wide * l.wide
	}
	return max(1, l.fourth[i]/(2*l.n)) * l.wide * l.wide
}

// spread is Σ (l - l̄)² of log G, or of its newest change.
func (l *ledger) spread(k int) float64 {
	h := l.hot[k]
	return h[1] - h[0]*h[0]/max(l.n*float64(l.dim), 1)
}

// blockFacts are those of blocks: the one that is farthest off, and all together. sd is of all the noise.
func (l *ledger) blockFacts(sd float64, add func(name string, expected, found, se, z float64)) {
	if len(l.block) < blocks {
		return
	}
	var squares, means [2]float64 // farthest, Σ z²
	n := 0.0
	for _, b := range l.block {
		if b.n < 3 {
			continue
		}
		n++
		nu := b.n * float64(l.dim)
		z, m := normalScore(within(b.square/nu, 2*l.slack), nu/l.heavy(l.dim)), b.sum/math.Sqrt(nu)/sd
		squares[1] += float64(z * z)
		means[1] += float64(m * m)
		if math.Abs(z) > math.Abs(squares[0]) {
			squares[0] = z
		}
		if math.Abs(m) > math.Abs(means[0]) {
			means[0] = m
		}
	}
	if n == 0 {
		return // every stretch is too short
	}
	for k, x := range [2][2]float64{squares, means} {
		what := [2]string{"variance", "mean"}[k]
		add("farthest "+what+" of the noise of a stretch, in standard errors", 0, x[0], 1, asOne(x[0], n))
		z := normalScore(x[1]/n, n)
		if k == 0 && (!l.bell || l.slack > 0) || k == 1 && l.delay > 0 {
			z = max(z, 0) // noise of another shape spreads less, and shuffled minibatches' cancels over an epoch
		}
		add(what+"s of the noise of stretches, mean square over chance's", 1, x[1]/n, math.Sqrt(2/n), z)
	}
}

// asOne is the z of one fact that is as improbable as the farthest of n.
func asOne(z, n float64) float64 {
	p := n * math.Erfc(math.Abs(z)/math.Sqrt2) / 2
	switch {
	case p >= 0.5:
		return 0
	case p < 1e-300:
		return z
	}
	return math.Copysign(-mathext.NormalQuantile(p), z)
}

// judge marks the facts that fail at the level in all, and returns the farthest.
func judge(facts []Fact) (worst float64) {
	bound := mathext.NormalQuantile(1 - level/(2*float64(max(len(facts), 1))))
	for i := range facts {
		f := &facts[i]
		f.Fails = math.Abs(f.Z) > bound
		worst = max(worst, math.Abs(f.Z)/bound)
	}
	return worst
}
