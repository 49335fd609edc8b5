package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/metrics"
)

// A law makes draws of three coordinates from standard normal ones.
type law func(z *[3]float64, u float64)

func normal(*[3]float64, float64) {}

// made are draws of four chains with an autoregression, τ = (1+φ)/(1-φ), of which n are effective.
func made(seed uint64, effective int, phi float64, l law) *drawsfile.Draws {
	rng := rand.New(rand.NewPCG(seed, 7))
	tau := (1 + phi) / (1 - phi)
	d := &drawsfile.Draws{Dim: 3, Names: []string{"mu", "theta[1]", "theta[2]"}}
	for range 4 {
		var z [3]float64
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		u := rng.NormFloat64()
		chain := make([]float64, 0, 3*int(float64(effective)*tau)/4)
		for range int(float64(effective)*tau) / 4 {
			for i := range z {
				z[i] = phi*z[i] + math.Sqrt(1-phi*phi)*rng.NormFloat64()
			}
			u = phi*u + math.Sqrt(1-phi*phi)*rng.NormFloat64()
			x := z
			l(&x, 0.5*math.Erfc(-u/math.Sqrt2))
			chain = append(chain, x[:]...)
		}
		d.Chains = append(d.Chains, chain)
	}
	return d
}

// skewed are laws that are right and not normal: a log normal, a t of three degrees and one of two modes.
func skewed(z *[3]float64, u float64) {
	z[0] = math.Exp(z[0])
	z[1] += math.Copysign(2, u-0.5)
	z[2] *= 1 / math.Sqrt(0.2+u)
}

func verdict(t *testing.T, draws, ref *drawsfile.Draws) *Report {
	t.Helper()
	r, err := Compare(t.Context(), draws, ref)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// accused is how many of so many pairs of right draws are accused, of few or many effective draws, independent or not.
func accused(t *testing.T, pairs int) (n int) {
	for s := range uint64(pairs) {
		l := []law{normal, skewed}[s%2]
		effective := []int{500, 1000, 3000}[s/2%3]
		phi := []float64{0, 19.0 / 21}[s/6%2] // τ of 1 and 20
		other := []float64{0, 19.0 / 21}[s/12%2]
		if r := verdict(t, made(2*s+1, effective, phi, l), made(2*s+2, effective, other, l)); r.Verdict == Inconsistent {
			n++
			t.Logf("pair %d, %d effective draws, φ = %g and %g: %+v", s, effective, phi, other, r.Worst())
		}
	}
	return n
}

// At most 3 of 1,000 right pairs are accused; of 24, none.
func TestRightPairs(t *testing.T) {
	if n := accused(t, 24); n > 0 {
		t.Errorf("%d of 24 right pairs are accused", n)
	}
}

// swung are n draws of a chain that swings: SGHMC with friction 0.03 at ε = 0.3 on N(0, diag(0.16, 1)), whose places
// are soon forgotten and whose amplitudes stay for 33 draws.
func swung(seed uint64, n int) *drawsfile.Draws {
	const eps, friction = 0.3, 0.03
	rng := rand.New(rand.NewPCG(seed, 9))
	var x, u [2]float64
	chain := make([]float64, 0, 2*n)
	for t := range 1000 + n {
		for i, v := range [2]float64{0.16, 1} {
			u[i] += math.Sqrt(friction*eps)*rng.NormFloat64() - eps/2/v*x[i] - friction*u[i]
			x[i] += u[i]
		}
		if t >= 1000 {
			chain = append(chain, x[:]...)
		}
	}
	return &drawsfile.Draws{Dim: 2, Names: []string{"x", "y"}, Chains: [][]float64{chain}}
}

// Of right pairs of chains that swing none are accused, where blocks of 16 draws accused an eighth of them.
func TestPairsThatSwing(t *testing.T) {
	for s := range uint64(30) {
		if r := verdict(t, swung(2*s+1, 2000), swung(2*s+2, 2000)); r.Verdict == Inconsistent {
			t.Errorf("pair %d: %+v", s, r.Worst())
		}
	}
}

// Pairs whose spread is told and whose ranks are too few to be are too few, or compared.
func TestFewRanks(t *testing.T) {
	for s := range uint64(12) {
		draws, ref := one(made(2*s+1, 500, 0.95, normal)), one(made(2*s+2, 400, 0.9, normal))
		if r := verdict(t, draws, ref); r.Verdict == Inconsistent {
			t.Errorf("pair %d: %+v", s, r.Worst())
		}
	}
}

// one is the first of the chains.
func one(d *drawsfile.Draws) *drawsfile.Draws {
	d.Chains = d.Chains[:1]
	return d
}

// wrong are laws that differ from the normal one, and what tells.
var wrong = map[string]law{
	"a shift of a tenth of an sd": func(z *[3]float64, _ float64) { z[1] += 0.1 },
	"a width off by 10%":          func(z *[3]float64, _ float64) { z[2] *= 1.1 },
	"a correlation":               func(z *[3]float64, _ float64) { z[2] = 0.6*z[1] + 0.8*z[2] },
}

// found is in how many of so many seeds a difference is seen, of draws with 10,000 effective ones.
func found(t *testing.T, seeds int, phi float64, wrong, right law) (n int) {
	for s := range uint64(seeds) {
		if r := verdict(t, made(2*s+1, 10_000, phi, wrong), made(2*s+2, 10_000, 0, right)); r.Verdict == Inconsistent {
			n++
		}
	}
	return n
}

// bimodal has a second mode with a weight of 10%.
func bimodal(z *[3]float64, u float64) {
	if u < 0.1 {
		z[0] += 5
	}
}

func TestWrongPairs(t *testing.T) {
	for name, l := range wrong {
		if n := found(t, 2, 0, l, normal); n < 2 {
			t.Errorf("%s is seen in %d of 2", name, n)
		}
	}
	if n := found(t, 2, 0, normal, bimodal); n < 2 {
		t.Errorf("a lost mode is seen in %d of 2", n)
	}
}

// Of one coordinate too the whole distribution is compared: two modes have here the mean and the sd of one.
func TestOneCoordinate(t *testing.T) {
	one := func(seed uint64, mode float64) *drawsfile.Draws {
		rng := rand.New(rand.NewPCG(seed, 3))
		chain := make([]float64, 20_000)
		for i := range chain {
			chain[i] = math.Sqrt(1-mode*mode)*rng.NormFloat64() + mode*float64(2*rng.IntN(2)-1)
		}
		return &drawsfile.Draws{Dim: 1, Names: []string{"x"}, Chains: [][]float64{chain}}
	}
	ref := one(1, 0)
	if r := verdict(t, one(2, 0), ref); r.Verdict != Consistent {
		t.Errorf("right draws: %+v", r.Worst())
	}
	if all := verdict(t, one(2, 0.9), ref).Tests; !all[len(all)-1].Fails {
		t.Errorf("two modes: %+v", all)
	}
}

// What differs is told with its coordinate, and by how much in the reference's sd.
func TestWorst(t *testing.T) {
	twice := func(z *[3]float64, _ float64) { z[1] = 2*z[1] + 1 }
	shifted := func(z *[3]float64, _ float64) { z[1] = 2*z[1] + 2 }
	w := verdict(t, made(1, 4000, 0, shifted), made(2, 4000, 0, twice)).Worst()
	if w.Coordinate != "theta[1]" || w.Of == "sd" || !w.Fails || math.Abs(w.Off()-0.5) > 0.1 {
		t.Errorf("%+v, off by %v", w, w.Off())
	}
	still := func(x float64) law { return func(z *[3]float64, _ float64) { z[1] = x } } // that has no sd
	w = verdict(t, made(1, 4000, 0, still(2)), made(2, 4000, 0, still(1))).Worst()
	if w.Coordinate != "theta[1]" || w.Of != "mean" || !w.Fails || !math.IsNaN(w.Off()) {
		t.Errorf("%+v, off by %v", w, w.Off())
	}
}

// Few draws, and chains that disagree, are not compared; what is needed is said where it can be.
func TestTooFew(t *testing.T) {
	r := verdict(t, made(1, 100, 0, normal), made(2, 4000, 0, normal))
	if r.Verdict != TooFew || r.Status != metrics.TooShort || r.OfReference || r.Needed < 200 || r.Tests != nil {
		t.Errorf("%+v", r)
	}
	if r := verdict(t, made(1, 12, 0, normal), made(2, 4000, 0, normal)); r.Needed < 400 {
		t.Errorf("of 12 draws: %+v", r)
	}
	far := made(2, 4000, 0, normal)
	for i := range far.Chains[0] {
		far.Chains[0][i] += 3
	}
	if r := verdict(t, made(1, 4000, 0, normal), far); r.Verdict != TooFew || r.Status != metrics.Disagree ||
		!r.OfReference || r.Needed != 0 {
		t.Errorf("%+v", r)
	}
}

// A Cauchy law has no mean and no sd to compare, and its quantiles are.
func TestHeavyTails(t *testing.T) {
	cauchy := func(z *[3]float64, u float64) { z[0] = math.Tan(math.Pi * (u - 0.5)) }
	r := verdict(t, made(1, 4000, 0, cauchy), made(2, 4000, 0, cauchy))
	of := ""
	for _, s := range r.Tests {
		if s.Coordinate == "mu" {
			of += s.Of + " "
		}
	}
	if r.Verdict != Consistent || fmt.Sprint(r.Tailed) != "[mu]" || of != "q5 median q95 " {
		t.Errorf("%v %v %q", r.Verdict, r.Tailed, of)
	}
}

// Names are matched however they are written, and what has no partner is told.
func TestNames(t *testing.T) {
	a, b := made(1, 4000, 0, normal), made(2, 4000, 0, normal)
	a.Names, b.Names = []string{"lp", "theta.0", "theta.1"}, []string{"mu", "theta[1]", "theta[2]"}
	r := verdict(t, a, b)
	if fmt.Sprint(r.Unpaired, r.Unmatched, len(r.Tests)) != "[lp] [mu] 11" {
		t.Errorf("%v %v %d", r.Unpaired, r.Unmatched, len(r.Tests))
	}
}
