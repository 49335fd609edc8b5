// Package reference says whether draws are of the distribution that other draws, known to be right, are of. It asks for
// no method and no step size.
package reference

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// The chance that right draws are accused: by one of all numbers of single coordinates, and by their joint
// distribution.
const (
	levelOfNumbers = 7e-4
	levelOfAll     = 3e-4
)

// Of the joint distribution
const (
	mostPlaces   = 64   // coordinates are compared, the first
	mostPoints   = 2048 // draws of each side are taken, evenly,
	mostBlocks   = 128  // in so many blocks, or fewer, of ten autocorrelation times each,
	fewestBlocks = 8    // of which so many can be permuted 12,870 times
	permutations = 9999
)

// fewestShown is the least number of effective draws with which a comparison is trusted.
const fewestShown = 200

// Verdict is what is found.
type Verdict int

const (
	Consistent Verdict = iota
	Inconsistent
	TooFew // or not converged
)

// A Test compares one number of both sides.
type Test struct {
	Coordinate string // empty for the joint distribution
	Of         string // "mean", "sd", "q5", "median", "q95" or "energy distance"
	Expected   float64
	Found      float64
	SE         float64 // of the difference, from the effective draws of both sides
	Z          float64
	SD         float64 // the reference's sd of the coordinate; NaN of one that is constant
	Fails      bool
}

// Off is how far what was found is from what is expected, in the reference's sd.
func (t Test) Off() float64 { return (t.Found - t.Expected) / t.SD }

// A Report is what a comparison finds.
type Report struct {
	Verdict          Verdict
	Draws, Reference int
	Needed           int // draws, where they are too few; 0 where nobody can tell how many are
	// Coordinate and Status say what keeps draws from being compared, and OfReference on which side.
	Coordinate  string
	Status      metrics.Status
	OfReference bool
	Tests       []Test
	// Unpaired names of the draws and of the reference were not compared.
	Unpaired, Unmatched []string
	// Tailed coordinates have tails so heavy that a mean, or an sd, may not exist: they have no such test.
	Tailed []string
}

// Worst is the test that is furthest beyond what chance explains, one of a coordinate where one of these fails.
func (r *Report) Worst() Test {
	return slices.MaxFunc(r.Tests, func(a, b Test) int {
		rank := func(t Test) float64 {
			if !t.Fails {
				return 0
			}
			return map[bool]float64{false: 1, true: 2}[t.Coordinate != ""]
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(math.Abs(a.Z), math.Abs(b.Z)))
	})
}

// Furthest is, of each coordinate and of all together, the test of the greatest |z|.
func (r *Report) Furthest() (tests []Test) {
	for _, t := range r.Tests {
		switch n := len(tests) - 1; {
		case n < 0 || tests[n].Coordinate != t.Coordinate:
			tests = append(tests, t)
		case math.Abs(t.Z) > math.Abs(tests[n].Z):
			tests[n] = t
		}
	}
	return tests
}

// side is one coordinate of one side.
type side struct {
	chains [][]float64
	metrics.Comparison
	median metrics.Estimate
	k      metrics.Estimate
}

// Compare holds draws to reference draws, in the coordinates that have one name in both. Each side must have converged
// by [metrics.Comparer]. Of every coordinate mean, sd and the quantiles of 5, 50 and 95% are compared by
//
//	z = (found - expected) / √(SE² + SE*²)
//
// with the errors of both sides, each from its effective draws, against Student's t with a fifth of the lesser number
// of effective draws, at a level of 0.0007 over all of them (Bonferroni). A mean or an sd that may not exist, by
// Pareto's k, is left out. All coordinates together are compared by the energy distance (Székely and Rizzo 2013,
// Journal of Statistical Planning and Inference 143:1249)
//
//	2 E|X - Y| - E|X - X'| - E|Y - Y'|,   each coordinate in the reference's sd,
//
// of up to 2,048 draws of each side, in up to 128 blocks that are permuted, at a level of 0.0003. A block has ten
// autocorrelation times or more, of squares too: a chain that swings forgets its place soon and its amplitude late.
// Pairs within a block are left out, so that draws which follow each other do not look like a difference. The error is
// the context's.
func Compare(ctx context.Context, draws, ref *drawsfile.Draws) (*Report, error) {
	of, with, unpaired, unmatched := draws.Common(ref)
	r := &Report{Draws: draws.Count(), Reference: ref.Count(), Unpaired: unpaired, Unmatched: unmatched}
	var c metrics.Comparer
	levels, places := levelOfNumbers/float64(5*max(len(of), 1)), make([][2]side, 0, mostPlaces)
	for k, i := range of {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name := draws.Names[i]
		found, expected := read(&c, draws, i), read(&c, ref, with[k])
		for n, s := range []side{found, expected} {
			if s.SD.OK() || s.SD.Status == metrics.Constant {
				continue
			}
			if need := s.needed(); r.Verdict != TooFew || need > r.Needed {
				r.Coordinate, r.Status, r.OfReference, r.Needed = name, s.SD.Status, n == 1, need
			}
			r.Verdict = TooFew
		}
		if r.Verdict != TooFew {
			r.numbers(name, found, expected, levels)
		}
		if len(places) < mostPlaces {
			places = append(places, [2]side{found, expected})
		}
	}
	if r.Verdict == TooFew {
		r.Tests = nil
		return r, nil
	}
	if len(places) > 0 {
		t, err := together(ctx, places)
		if err != nil {
			return nil, err
		}
		r.Tests = append(r.Tests, t)
	}
	if slices.ContainsFunc(r.Tests, func(t Test) bool { return t.Fails }) {
		r.Verdict = Inconsistent
	}
	return r, nil
}

// read takes a coordinate of draws. Of chains of different lengths the newest draws are taken, as many of each.
func read(c *metrics.Comparer, d *drawsfile.Draws, i int) (s side) {
	n := slices.Min(list.Map(d.Chains, func(x []float64) int { return len(x) / d.Dim }))
	s.chains = list.Map(d.Chains, func(x []float64) []float64 {
		return list.Map(list.Upto(n), func(t int) float64 { return x[len(x)-(n-t)*d.Dim+i] })
	})
	s.Comparison = c.Compare(s.chains)
	s.median = c.Median(s.chains, s.Comparison)
	if s.SD.OK() {
		most := float64(fewestShown)
		if s.BulkESS.OK() {
			most = s.BulkESS.Value
		}
		s.k = metrics.ParetoK(slices.Collect(thinned(s.chains, min(most, float64(n*len(d.Chains))))))
	}
	return s
}

// thinned yields so many draws of chains, evenly.
func thinned(chains [][]float64, most float64) func(func(float64) bool) {
	n := len(chains[0])
	every := max(float64(n*len(chains))/max(most, 1), 1)
	return func(yield func(float64) bool) {
		for _, x := range chains {
			for t := 0.0; int(t) < n; t += every {
				if !yield(x[int(t)]) {
					return
				}
			}
		}
	}
}

// needed is about how many draws would do, by the effective draws that there are; 0 where chains disagree.
func (s side) needed() int {
	n := len(s.chains) * len(s.chains[0])
	if s.SD.Status != metrics.TooShort {
		return 0
	}
	if s.RHat.OK() && s.RHat.Value > 1 { // R-hat is about 1 + 1/m of chains with m effective draws each
		return int(float64(n) * max(2, math.Ceil((s.RHat.Value-1)*100)))
	}
	return max(10*n, 100*len(s.chains))
}

// least is the least number of effective draws, of squares as for a normal distribution too: ½ (sd/SE)².
func (s side) least() (ess float64) {
	ess = math.Inf(1)
	if s.SD.OK() && s.SD.Error > 0 {
		z := s.SD.Value / s.SD.Error
		ess = float64(z*z) / 2
	}
	for _, e := range []metrics.Estimate{s.BulkESS, s.TailESS} {
		if e.OK() {
			ess = min(ess, e.Value)
		}
	}
	return ess
}

// numbers compares the numbers of a coordinate.
func (r *Report) numbers(name string, found, expected side, level float64) {
	if found.SD.Status == metrics.Constant || expected.SD.Status == metrics.Constant {
		if a, b := found.chains[0][0], expected.chains[0][0]; a != b || found.SD.Status != expected.SD.Status {
			r.Tests = append(r.Tests, Test{name, "mean", b, a, 0, math.Copysign(math.Inf(1), a-b),
				expected.SD.Trusted(), true})
		}
		return
	}
	ess, k := min(found.least(), expected.least()), 0.0
	for _, s := range []side{found, expected} {
		if s.k.OK() {
			k = max(k, s.k.Value)
		}
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: max(ess/5, 4)}
	for _, n := range []struct {
		of              string
		found, expected metrics.Estimate
		bound           float64 // on Pareto's k
	}{
		{"mean", found.Mean, expected.Mean, metrics.NoMean},
		{"sd", found.SD, expected.SD, metrics.NoSDError},
		{"q5", found.Q5, expected.Q5, math.Inf(1)},
		{"median", found.median, expected.median, math.Inf(1)},
		{"q95", found.Q95, expected.Q95, math.Inf(1)},
	} {
		if k >= n.bound {
			r.Tailed = list.Distinct(append(r.Tailed, name))
			continue
		}
		se := math.Sqrt(float64(n.found.Error*n.found.Error) + float64(n.expected.Error*n.expected.Error))
		if !n.found.OK() || !n.expected.OK() || !(se > 0) {
			continue
		}
		z := (n.found.Value - n.expected.Value) / se
		r.Tests = append(r.Tests, Test{name, n.of, n.expected.Value, n.found.Value, se, z, expected.SD.Value,
			2*t.CDF(-math.Abs(z)) < level})
	}
}

// together compares all coordinates by the energy distance. Its z is that of its p-value.
func together(ctx context.Context, places [][2]side) (Test, error) {
	per, inBlock := mostBlocks, mostPoints // blocks of a side, and draws in each
	for _, p := range places {
		for _, s := range p {
			per = int(min(float64(per), s.least()/5))
		}
	}
	per = max(per, fewestBlocks)
	for n := range 2 {
		inBlock = min(inBlock, mostPoints/per, len(places[0][n].chains)*len(places[0][n].chains[0])/per)
	}
	x := make([][]float64, 0, 2*per*inBlock)
	for n := range 2 {
		chains := places[0][n].chains
		for i := range per * inBlock {
			at := (2*i + 1) * len(chains) * len(chains[0]) / (2 * per * inBlock)
			p := make([]float64, 0, len(places))
			for _, s := range places {
				if s[1].SD.OK() {
					p = append(p, s[n].chains[at/len(chains[0])][at%len(chains[0])]/s[1].SD.Value)
				}
			}
			x = append(x, p)
		}
	}
	apart := make([][]float64, 2*per) // mean distance of the draws of two blocks
	for i := range apart {
		apart[i] = make([]float64, 2*per)
	}
	for a := range x {
		if err := ctx.Err(); err != nil {
			return Test{}, err
		}
		i := a / inBlock
		for b := range i * inBlock {
			sum := 0.0
			for k, v := range x[a] {
				sum += float64((v - x[b][k]) * (v - x[b][k]))
			}
			apart[i][b/inBlock] += math.Sqrt(sum) / float64(inBlock*inBlock)
		}
	}
	all := 0.0
	for i := range apart {
		for j := range i {
			apart[j][i] = apart[i][j]
			all += apart[i][j]
		}
	}
	// What is between two sides is what is left of all pairs within either.
	distance := func(order []int) float64 {
		within := 0.0
		for _, side := range [][]int{order[:per], order[per:]} {
			for i, a := range side {
				row := apart[a]
				for _, b := range side[:i] {
					within += row[b]
				}
			}
		}
		m := float64(per)
		return 2 * ((all-within)/(m*m) - within/(m*(m-1)))
	}
	order := list.Upto(2 * per)
	found := distance(order)
	rng := rand.New(rand.NewPCG(1, 1))
	var beyond, mean, squares float64
	for range permutations {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		d := distance(order)
		mean, squares = mean+d/permutations, squares+float64(d*d)/permutations
		if d >= found {
			beyond++
		}
	}
	p := (beyond + 1) / (permutations + 1)
	return Test{"", "energy distance", 0, found, math.Sqrt(max(squares-float64(mean*mean), 0)),
		mathext.NormalQuantile(1 - min(p, 1-1e-5)), 1, p < levelOfAll}, nil
}
