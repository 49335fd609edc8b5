package metrics

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// minimal is the generator of testdata/posterior.R.
type minimal float64

func (s *minimal) uniform() float64 {
	*s = minimal(math.Mod(16807*float64(*s), 2147483647))
	return float64(*s) / 2147483647
}

func (s *minimal) normal() float64 {
	sum := 0.0
	for range 12 {
		sum += s.uniform()
	}
	return sum - 6
}

func (s *minimal) chain(kind string, n, k int) []float64 {
	x := make([]float64, n)
	v := s.normal()
	for t := range x {
		switch kind {
		case "slow", "trend":
			v = float64(0.9*v) + s.normal()
		case "slower":
			v = float64(0.995*v) + s.normal()
		case "antithetic":
			v = float64(-0.7*v) + s.normal()
		case "heavy":
			v = s.normal()
			v /= s.uniform() + 0.001
		default:
			v = s.normal()
		}
		x[t] = v
	}
	for t := range x {
		switch {
		case kind == "shifted" && k == 1:
			x[t] += 0.5
		case kind == "wider" && k == 1:
			x[t] *= 3
		case kind == "ties":
			x[t] = math.Floor(2 * x[t])
		case kind == "trend":
			x[t] += float64(t+1) / 100
		case kind == "stuck" && k == 1:
			x[t] = 1
		}
	}
	return x
}

func TestAgainstPosterior(t *testing.T) {
	f, err := os.Open("testdata/posterior.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var c Comparer
	for _, row := range rows[1:] {
		number := func(i int) float64 {
			if row[i] == "NA" {
				return math.NaN()
			}
			v, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		chains := make([][]float64, int(number(1)))
		state := minimal(number(3))
		for k := range chains {
			chains[k] = state.chain(row[0], int(number(2)), k)
		}
		c.halve(chains)
		c.fill(chains, func(v float64) float64 { return v })
		plain := rhat(c.cols) // without ranks and folding
		r := c.compute(chains)
		total := float64(len(c.sorted))
		got := []float64{r.rhat, plain, r.bulk, r.tail(), r.essMean, r.meanError,
			r.spreadError(r.essSquares, r.sd*math.Sqrt((total-1)/total)), // R's, by Geyer's sum alone
			c.quantileError(levels[0], r.qESS[0]), c.quantileError(levels[1], r.qESS[1]), r.mean, r.sd, r.q[0], r.q[1]}
		for i, v := range got {
			// The same algorithms: what differs is the order of sums, and qnorm and qbeta by their last digits.
			if want := number(4 + i); !scalar.EqualWithinAbsOrRel(v, want, 1e-12, 1e-10) {
				t.Errorf("%s, %s chains of %s: %s %v, want %v", row[0], row[1], row[2], rows[0][4+i], v, want)
			}
		}
	}
}

// What is said of chains: trusted if they agree and are long enough.
func TestCompareStatus(t *testing.T) {
	make4 := func(n int, f func(k int, x []float64)) [][]float64 {
		chains := make([][]float64, 4)
		for k := range chains {
			chains[k] = ar1(0.5, n, uint64(90+k))
			f(k, chains[k])
		}
		return chains
	}
	none := func(int, []float64) {}
	second := func(g func(v float64) float64) func(k int, x []float64) {
		return func(k int, x []float64) {
			for t, v := range x {
				if k == 1 {
					x[t] = g(v)
				}
			}
		}
	}
	var c Comparer
	for _, w := range []struct {
		name       string
		chains     [][]float64
		rhat, rest Status
	}{
		{"agree", make4(1000, none), OK, OK},
		{"short", make4(150, none), OK, TooShort},
		{"shorter", make4(15, none), TooShort, TooShort},
		{"shifted", make4(1000, second(func(v float64) float64 { return v + 0.5 })), OK, Disagree},
		{"wider", make4(1000, second(func(v float64) float64 { return 2 * v })), OK, Disagree},
		{"constant", make4(1000, func(_ int, x []float64) {
			for t := range x {
				x[t] = 3
			}
		}), Constant, Constant},
		{"each constant", make4(1000, func(k int, x []float64) {
			for t := range x {
				x[t] = float64(k)
			}
		}), OK, Disagree},
		{"two values", make4(1000, func(k int, x []float64) {
			for t, v := range x {
				x[t] = math.Copysign(1, v)
			}
		}), OK, OK},
		{"NaN", make4(1000, func(k int, x []float64) { x[10*k] = math.NaN() }), NotFinite, NotFinite},
		{"infinite", make4(1000, func(k int, x []float64) { x[10*k] = math.Inf(-1) }), NotFinite, NotFinite},
	} {
		r := c.Compare(w.chains)
		if r.RHat.Status != w.rhat {
			t.Errorf("%s: R-hat %+v, want status %q", w.name, r.RHat, w.rhat)
		}
		if w.name == "two values" {
			if r.TailESS.Status != Constant {
				t.Errorf("%s: tail ESS %+v", w.name, r.TailESS)
			}
			r.TailESS = r.BulkESS
		}
		for _, e := range []Estimate{r.BulkESS, r.TailESS, r.Mean, r.SD, r.Q5, r.Q95} {
			if e.Status != w.rest || e.OK() != finite(e.Value) || e.Draws != uint64(4*len(w.chains[0])) {
				t.Errorf("%s: %+v, want status %q", w.name, e, w.rest)
			}
		}
	}
}

// Over many sets of chains, the errors must be the spread of what they are errors of.
func TestComparedErrors(t *testing.T) {
	const n = 1000
	runs := 2 * calibrationRuns
	var c Comparer
	var sum, square, errors [4]float64
	shown := 0.0
	chains := make([][]float64, 4)
	for run := range runs {
		for k := range chains {
			chains[k] = ar1(0.5, n, uint64(10_000+4*run+k))
		}
		r := c.compute(chains)
		shown++
		for i, v := range [][2]float64{{r.mean, r.meanError}, {r.sd, r.sdError}, {r.q[0], r.qError[0]},
			{r.q[1], r.qError[1]}} {
			sum[i] += v[0]
			square[i] += v[0] * v[0]
			errors[i] += v[1] * v[1]
		}
	}
	for i, name := range []string{"mean", "sd", "q5", "q95"} {
		mean := sum[i] / shown
		spread := math.Sqrt(square[i]/shown - mean*mean)
		got := math.Sqrt(errors[i]/shown) / spread
		t.Logf("%s: MCSE %.3f of the spread", name, got)
		// The spread is known to 1/√(2 runs).
		if tol := 3 / math.Sqrt(2*float64(runs)); math.Abs(got-1) > tol {
			t.Errorf("%s: MCSE %v of the spread, want 1 within %.2g", name, got, tol)
		}
	}
}

// Autocovariances by kernels, by transforms and by the definition.
func TestAutocovariances(t *testing.T) {
	for _, n := range []int{3, 8, 16, 31, 40, 600, 1000, 1024, 2000, 9000} {
		chains := [][]float64{ar1(0.9, n, 1), ar1(0.2, n, 2)}
		var a autocovariances
		a.start(chains)
		for _, lag := range []int{0, 1, 2, 7, 15, 16, 17, 100, fewLags - 1, fewLags, fewLags + 1, n/8 + 1, n - 1} {
			if lag >= n {
				continue
			}
			want := 0.0
			for _, x := range chains {
				mean, _ := meanVar(x)
				for s := lag; s < n; s++ {
					want += (x[s] - mean) * (x[s-lag] - mean) / float64(2*n)
				}
			}
			if got := a.at(lag); !scalar.EqualWithinAbsOrRel(got, want, 1e-13, 1e-10) {
				t.Errorf("%d draws, lag %d: %v, want %v", n, lag, got, want)
			}
		}
	}
}

func TestCompareDoesNotAllocate(t *testing.T) {
	chains := [][]float64{ar1(0.995, 3000, 1), ar1(0.995, 3000, 2)}
	var c Comparer
	c.Compare(chains)
	if n := alloctest.PerRun(10, func() { c.Compare(chains) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Draws are sorted by their values, few and many, with ties, zeros of both signs and the least and
// greatest numbers. R-hat alone is that of the comparison.
func TestSortedDraws(t *testing.T) {
	for _, n := range []int{0, 1, fewPlaces - 1, fewPlaces, 20_000} {
		var all, spare []place
		for i, v := range ar1(0.5, n, 3) {
			all = append(all, place{math.Round(100*v) / 100, i})
		}
		if n > 10 {
			for i, v := range []float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324} {
				all[i].v = v
			}
		}
		values := make([]float64, n)
		for _, p := range all {
			values[p.at] = p.v
		}
		sortPlaces(all, &spare)
		seen := make([]bool, n)
		for i, p := range all {
			if i > 0 && all[i-1].v > p.v || seen[p.at] || values[p.at] != p.v {
				t.Fatalf("%d draws: %v after %v", n, p, all[max(i-1, 0)])
			}
			seen[p.at] = true
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	for _, n := range []int{1000, 10_000, 1 << 18} {
		chains := make([][]float64, 4)
		for k := range chains {
			chains[k] = ar1(0.9, n, uint64(k))
		}
		b.Run("4×"+strconv.Itoa(n), func(b *testing.B) {
			var c Comparer
			b.ReportAllocs()
			for b.Loop() {
				c.Compare(chains)
			}
		})
	}
}
