package claim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/predict"
)

// The p-values of known tables: 2·C-sums over 2ⁿ by hand, and of a large one by the normal
// approximation with continuity correction.
func TestMcNemar(t *testing.T) {
	for _, c := range []struct {
		b, c int
		want float64
	}{
		{0, 0, 1}, {5, 5, 1}, {1, 0, 1}, {0, 5, 2. / 32}, {1, 8, 2 * 10. / 512}, {10, 2, 2 * 79. / 4096},
		{2, 10, 2 * 79. / 4096}, {6, 16, 2 * 110056. / 4194304},
	} {
		if got := McNemar(c.b, c.c); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d and %d: %v, want %v", c.b, c.c, got, c.want)
		}
	}
	// z = (|b-c| - 1)/√(b+c) = 99/√5000: erfc(z/√2) = 0.16147.
	if got, want := McNemar(2450, 2550), math.Erfc(99/math.Sqrt(5000)/math.Sqrt2); math.Abs(got-want) > 1e-4 {
		t.Errorf("of a large table %v, want %v", got, want)
	}
	if got := McNemar(0, 5000); got < 0 || got > 1e-300 {
		t.Errorf("%v", got)
	}
}

// Under the null hypothesis an exact test at 5% rejects no more often, and a paired t-test with
// a pooled spread just as often; with the number of seeds of SeedsFor it finds the
// difference four times in five.
func TestPairedOver(t *testing.T) {
	got := PairedOver([][]float64{{1, 3}, {-1, math.NaN(), 1, 0}, {7}}, 0)
	// Squares 2 and 2, one and two degrees of freedom.
	s := math.Sqrt(4. / 3)
	if p := got[0]; p.Mean != 2 || p.Freedom != 3 || math.Abs(p.Spread-s) > 1e-12 ||
		math.Abs(p.SE-s/math.Sqrt2) > 1e-12 || p.Sign() != 0 {
		t.Errorf("%+v", p) // t = 2/0.816 = 2.45, below 3.18
	}
	if p := got[1]; p.N != 3 || p.Lost != 1 || p.Mean != 0 {
		t.Errorf("%+v", p)
	}
	if got[2].Sign() != 0 {
		t.Error("one seed decides")
	}
	if p := (Paired{Spread: 1, Freedom: 2}); p.SeedsFor(1) != 10 || p.SeedsFor(-0.5) != 34 || p.SeedsFor(100) != 2 ||
		p.SeedsFor(0) != 0 || p.SeedsFor(1e-3) != 0 || (Paired{}).SeedsFor(1) != 0 {
		t.Errorf("%d, %d, %d seeds", p.SeedsFor(1), p.SeedsFor(-0.5), p.SeedsFor(100)) // 7.85 + 1.92, 31.4 + 1.92
	}
	r := rand.New(rand.NewPCG(3, 4))
	const rounds = 4000
	rate := func(mean float64, seeds, groups int) float64 {
		found := 0
		for range rounds {
			all := make([][]float64, groups)
			for g := range all {
				for range seeds {
					all[g] = append(all[g], mean+r.NormFloat64())
				}
			}
			if PairedOver(all, 0)[0].Sign() != 0 {
				found++
			}
		}
		return float64(found) / rounds
	}
	// A rate of 5% of 4,000 has a standard error of 0.34%, one of 80% of 0.63%.
	for _, c := range [][2]int{{2, 1}, {3, 1}, {3, 3}} {
		if got := rate(0, c[0], c[1]); math.Abs(got-0.05) > 4*0.0034 {
			t.Errorf("%v seeds and groups: %v of no differences are found, want 0.05", c, got)
		}
	}
	for _, d := range []float64{0.5, 1} {
		if got := rate(d, Paired{Spread: 1, Freedom: 2}.SeedsFor(d), 1); got < 0.8-4*0.0063 || got > 0.84 {
			t.Errorf("%v of differences of %v are found, want 0.8", got, d)
		}
	}
}

// Of two classifiers without parts the standard error is the exact √(b + c - (b-c)²/N)/N, for
// several seeds of the same predictions as well.
func TestBootstrapOverCases(t *testing.T) {
	const n, b, c = 1000, 40, 25
	labels := make([]int32, n)
	first, second := make([]float64, 2*n), make([]float64, 2*n)
	for i := range n {
		first[2*i], second[2*i] = 1, 1
		switch {
		case i < b:
			first[2*i], first[2*i+1] = 0, 1
		case i < b+c:
			second[2*i], second[2*i+1] = 0, 1
		}
	}
	va, vb := NewVotes(labels, 2, first, nil, nil), NewVotes(labels, 2, second, nil, nil)
	if x, y, ok := Apart(va, vb); x != b || y != c || !ok {
		t.Errorf("%d and %d, %v", x, y, ok)
	}
	if _, _, ok := Apart(va, NewVotes(labels[:n-1], 2, second[:2*n-2], nil, nil)); ok {
		t.Error("other cases are compared")
	}
	want := 100 * math.Sqrt(b+c-float64((b-c)*(b-c))/n) / n
	for _, pairs := range [][][2]*Votes{{{va, vb}}, {{va, vb}, {va, vb}}} {
		// 4% each, see replicates.
		if got := Bootstrap(pairs); math.Abs(got/want-1) > 4*0.04 {
			t.Errorf("%d seeds: %v, want %v", len(pairs), got, want)
		}
	}
}

// Of a chain whose parts shift all probabilities together the variance is known: cases with
// a probability uniform on [0, 1] and a mean shift m are wrong with probability ½ - m, so that the
// difference from a classifier that is always right has the variance 1/(4N) + Var m.
func TestBootstrapOverParts(t *testing.T) {
	innerlooptest.Skip(t, "many resamples")
	const n, parts, sd, chains = 500, 20, 0.1, 60
	r := rand.New(rand.NewPCG(5, 6))
	labels := make([]int32, n) // class 0
	right := make([]float64, 2*n)
	base := make([]float64, n)
	var squares float64
	for range chains {
		for i := range n {
			right[2*i], base[i] = 1, r.Float64()
		}
		averaged := make([]float64, 2*n)
		var all [][]float32
		var weights []float64
		for range parts {
			shift := sd * r.NormFloat64()
			p := make([]float32, 2*n)
			for i, x := range base {
				p[2*i], p[2*i+1] = float32(x+shift), float32(1-x-shift)
				averaged[2*i] += (x + shift) / parts
				averaged[2*i+1] += (1 - x - shift) / parts
			}
			all, weights = append(all, p), append(weights, 1)
		}
		best := NewVotes(labels, 2, right, nil, nil)
		percent := Bootstrap([][2]*Votes{{NewVotes(labels, 2, averaged, all, weights), best}})
		k := (&predict.Kept{Labels: labels, Classes: 2, Averaged: averaged, Newest: averaged, Parts: all,
			Weights: weights}).Settled()
		settled := Bootstrap([][2]*Votes{{NewVotes(k.Labels, 2, k.Averaged, k.Parts, k.Weights), best}})
		if settled != percent {
			t.Fatalf("%v of settled predictions, want %v", settled, percent)
		}
		se := percent / 100
		squares += se * se / chains
	}
	// The variance of parts drawn with replacement is (K-1)/K of the mean's. The estimate of it
	// from 20 parts has a relative standard deviation of √(2/19) = 32%, of half of the whole, and
	// that of the bootstrap one of 7%: 2.3% for 60 chains.
	want := 0.25/n + sd*sd/parts*(parts-1)/parts
	if math.Abs(squares/want-1) > 4*0.023 {
		t.Errorf("a variance of %v, want %v", squares, want)
	}
}
