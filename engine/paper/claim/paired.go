package claim

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/metrics/predictive"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// McNemar is the two-sided p-value of McNemar's exact test (1947): that two classifiers are wrong
// equally often, when on b test cases the first alone is wrong and on c the second alone,
//
//	p = min(1, 2 P(X ≤ min(b, c))), X binomial with b+c trials of probability ½.
//
// It is 1 where b+c is 0. It takes the two as they are: what other seeds would have given is not in it.
func McNemar(b, c int) float64 {
	n := float64(b + c)
	if n == 0 {
		return 1
	}
	return min(1, 2*distuv.Binomial{N: n, P: 0.5}.CDF(float64(min(b, c))))
}

// A Paired is a difference between two methods, of which each seed gives one: the same seed has the same minibatches.
type Paired struct {
	OverSeeds
	Spread  float64 // standard deviation of a single seed's difference
	Freedom int     // degrees of freedom of Spread; 0 if nothing is known of it
}

// PairedOver are groups of differences between two methods, such as one at each size, a
// difference a seed. A difference that is not finite is left out. The groups share one Spread,
//
//	s² = Σ_groups Σ_seeds (d - mean of the group)² / Σ_groups (N - 1) + resolution²/6,
//
// since the few seeds of a group by themselves now and then differ by nothing. resolution is the least difference
// between two values of a method, such as one test case: seeds that agree to it do not agree exactly.
func PairedOver(groups [][]float64, resolution float64) []Paired {
	var squares float64
	freedom := 0
	all := make([]Paired, len(groups))
	for i, g := range groups {
		s := Over(g)
		all[i].OverSeeds = s
		if s.N > 1 {
			freedom += s.N - 1
			squares += s.SD() * s.SD() * float64(s.N-1)
		}
	}
	for i := range all {
		p := &all[i]
		if p.SE = math.NaN(); freedom > 0 && p.N > 0 {
			p.Spread, p.Freedom = math.Sqrt(squares/float64(freedom)+resolution*resolution/6), freedom
			p.SE = p.Spread / math.Sqrt(float64(p.N))
		}
	}
	return all
}

// Sign is that of the difference by Student's t at 95%, two-sided: 0 where |mean| is at most
// t(0.975; Freedom) SE. With one seed it is 0, since what another seed would give is not known.
func (p Paired) Sign() int {
	switch {
	case p.Freedom == 0 || p.N < 2 || !(math.Abs(p.Mean) > student(p.Freedom)*p.SE):
		return 0
	case p.Mean < 0:
		return -1
	}
	return 1
}

// student is the 97.5% quantile of Student's t.
func student(freedom int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
}

// MostSeeds is the most seeds that SeedsFor tells.
const MostSeeds = 1000

// SeedsFor is the number of seeds with which a paired t-test at 95% shows a true difference with a
// probability of 80%, where a single seed's difference has the standard deviation Spread:
//
//	n = ⌈(z(0.975) + z(0.8))² Spread²/difference² + z(0.975)²/2⌉
//
// (Guenther 1981), at least 2. It is 0 for more than MostSeeds, and where Spread is not known.
func (p Paired) SeedsFor(difference float64) int {
	const alpha, power = 1.959963984540054, 0.8416212335729143
	r := p.Spread / difference
	n := math.Ceil((alpha+power)*(alpha+power)*r*r + alpha*alpha/2)
	if p.Freedom == 0 || !(n <= MostSeeds) {
		return 0
	}
	return max(2, int(n))
}

// Votes are what a chain's draws predict on test cases.
type Votes struct {
	labels  []int32
	classes int
	wrong   []bool // of the average, by case
	// Of the cases on which the parts of the chain do not all predict the same class, in order: the
	// average over any choice of parts predicts that class on the others.
	unsure  []int
	parts   [][]float32 // their probabilities in each part, case after case
	weights []float64   // of the parts
}

// NewVotes reads predictions of cases with labels: the averaged probabilities, case after case,
// and those of consecutive parts of the chain with their weights in the average.
func NewVotes(labels []int32, classes int, averaged []float64, parts [][]float32, weights []float64) *Votes {
	v := &Votes{labels: labels, classes: classes, weights: weights, parts: make([][]float32, len(parts))}
	for i, y := range labels {
		at := i * classes
		v.wrong = append(v.wrong, predictive.Argmax(averaged[at:][:classes]) != int(y))
		differs := func(p []float32) bool {
			return predictive.Argmax(p[at:][:classes]) != predictive.Argmax(parts[0][at:][:classes])
		}
		if slices.ContainsFunc(parts, differs) {
			v.unsure = append(v.unsure, i)
			for k, p := range parts {
				v.parts[k] = append(v.parts[k], p[at:][:classes]...)
			}
		}
	}
	return v
}

// Same reports whether both are of the same cases.
func (v *Votes) Same(other *Votes) bool { return slices.Equal(v.labels, other.labels) }

// Apart are the numbers of cases on which the first alone is wrong, and the second alone. It is
// false if they are not of the same cases.
func Apart(a, b *Votes) (first, second int, ok bool) {
	if !a.Same(b) {
		return 0, 0, false
	}
	for i, w := range a.wrong {
		switch {
		case w && !b.wrong[i]:
			first++
		case !w && b.wrong[i]:
			second++
		}
	}
	return first, second, true
}

// resample sets wrong to what the average over parts drawn with replacement has wrong.
func (v *Votes) resample(r *rand.Rand, wrong []bool, sum []float64) {
	copy(wrong, v.wrong)
	if len(v.parts) < 2 {
		return
	}
	sum = sum[:len(v.unsure)*v.classes]
	clear(sum)
	for range v.parts {
		k := r.IntN(len(v.parts))
		w := v.weights[k]
		for i, p := range v.parts[k] {
			sum[i] += float64(w * float64(p))
		}
	}
	for j, i := range v.unsure {
		wrong[i] = predictive.Argmax(sum[j*v.classes:][:v.classes]) != int(v.labels[i])
	}
}

// replicates is the number of Bootstrap's samples: its standard errors are good to 1/√(2·400) = 4%.
const replicates = 400

// Bootstrap is the standard error of the difference between two methods' errors, in percent, averaged over seeds: a
// pair of Votes each, all on the same cases. Each sample draws cases, the same for all, and for each chain parts, with
// replacement. So it says by how much the difference would vary on other test cases and with longer or other stretches
// of the same chains. It takes the seeds as they are. It is NaN for no pair.
func Bootstrap(pairs [][2]*Votes) float64 {
	if len(pairs) == 0 {
		return math.NaN()
	}
	n := len(pairs[0][0].labels)
	most := list.Max(pairs, func(p [2]*Votes) int {
		return max(len(p[0].unsure)*p[0].classes, len(p[1].unsure)*p[1].classes)
	})
	r := rand.New(rand.NewPCG(1, 2))
	times, a, b, sum := make([]int32, n), make([]bool, n), make([]bool, n), make([]float64, most)
	var each []float64
	for range replicates {
		clear(times)
		for range n {
			times[r.IntN(n)]++
		}
		d := 0
		for _, p := range pairs {
			p[0].resample(r, a, sum)
			p[1].resample(r, b, sum)
			for i, t := range times {
				if a[i] != b[i] {
					if a[i] {
						d += int(t)
					} else {
						d -= int(t)
					}
				}
			}
		}
		each = append(each, 100*float64(d)/float64(n*len(pairs)))
	}
	return Over(each).SD()
}
