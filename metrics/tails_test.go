package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// pareto is a draw of the generalised Pareto distribution of k with scale 1.
func pareto(r *rand.Rand, k float64) float64 {
	if k == 0 {
		return r.ExpFloat64()
	}
	return math.Expm1(k*r.ExpFloat64()) / k
}

// Of exact draws with a known k the estimate is within its error, on either side. The prior draws it towards ½.
func TestParetoKOfExactDraws(t *testing.T) {
	for _, n := range []int{400, 4000, 16000} {
		for _, k := range []float64{-0.3, 0, 0.2, 0.5, 0.7, 1, 1.5} {
			const runs = 60
			mean, square, se := 0.0, 0.0, 0.0
			for s := range uint64(runs) {
				r := rand.New(rand.NewPCG(s, 3))
				x := make([]float64, n)
				for i := range x {
					if x[i] = pareto(r, k); s%2 == 1 {
						x[i] = -x[i]
					}
				}
				e := ParetoK(x)
				mean, square, se = mean+e.Value/runs, square+e.Value*e.Value/runs, se+e.Error/runs
			}
			sd := math.Sqrt(square - mean*mean)
			t.Logf("n %d, k %.1f: %.3f ± %.3f, said to be %.3f", n, k, mean, sd, se)
			m := min(float64(n)/5, 3*math.Sqrt(float64(n)))
			if want := (m*k + 5) / (m + 10); k > 0 && (math.Abs(mean-want) > 0.5*se || sd < 0.6*se || sd > 1.3*se) {
				t.Errorf("n %d: k is %.3f ± %.3f of %g, said to be off by %.3f", n, mean, sd, k, se)
			}
		}
	}
}

// Normal draws and those of t with five degrees of freedom have a mean and a variance, those of t with 1.5 no variance,
// and Cauchy's nothing.
func TestParetoKTells(t *testing.T) {
	for _, c := range []struct {
		degrees      float64
		n            int
		sd, mean     float64 // shares of chains that are told to have none, at most
		leastSD, low float64 // and at least
	}{
		{math.Inf(1), 125, 0.02, 0, 0, 0}, {math.Inf(1), 1000, 0, 0, 0, 0}, {math.Inf(1), 10000, 0, 0, 0, 0},
		{5, 125, 0.2, 0.01, 0, 0}, {5, 1000, 0.1, 0, 0, 0}, {5, 10000, 0.01, 0, 0, 0},
		{1.5, 1000, 1, 1, 0.8, 0}, {1.5, 10000, 1, 1, 0.9, 0},
		{1, 1000, 1, 1, 0.9, 0.9}, {1, 10000, 1, 1, 1, 0.95},
	} {
		const runs = 200
		noSD, noMean := 0.0, 0.0
		x := make([]float64, c.n)
		for s := range uint64(runs) {
			r := rand.New(rand.NewPCG(s, 4))
			for i := range x {
				x[i] = r.NormFloat64()
				switch c.degrees {
				case 5:
					v := 0.0
					for range 5 {
						z := r.NormFloat64()
						v += z * z
					}
					x[i] /= math.Sqrt(v / 5)
				case 1.5: // by a tail of the right index on both sides
					x[i] = math.Copysign(pareto(r, 1/1.5), x[i])
				case 1:
					x[i] /= r.NormFloat64()
				}
			}
			k := ParetoK(x).Value
			if k > NoSD {
				noSD += 1. / runs
			}
			if k > NoMean {
				noMean += 1. / runs
			}
		}
		t.Logf("t(%g), %d draws: %.3f without sd, %.3f without mean", c.degrees, c.n, noSD, noMean)
		if noSD > c.sd+1e-9 || noMean > c.mean+1e-9 || noSD < c.leastSD || noMean < c.low {
			t.Errorf("t(%g), %d draws: %.3f are told to have no sd, %.3f no mean", c.degrees, c.n, noSD, noMean)
		}
	}
}

// A start 20 standard deviations out is found, also of a chain that swings over its mean, and hardly any stationary
// chain is told to have one.
func TestTransient(t *testing.T) {
	alarms, all := 0, 0
	for _, k := range kinds() {
		for _, m := range []float64{150, 400, 1000} {
			if k.tau > 20 && m > 150 {
				continue
			}
			bad := 0
			x := make([]float64, int(m*max(k.tau, 0.5)))
			for s := range uint64(40) {
				clear(x)
				k.fill(rand.New(rand.NewPCG(s, 23)), x)
				if Transient(x, m/2) {
					bad++
				}
			}
			if all, alarms = all+40, alarms+bad; bad > 1 {
				t.Errorf("%s at %v τ: %d of 40 stationary chains have a transient", k.name, m, bad)
			}
		}
	}
	if t.Logf("%d of %d", alarms, all); alarms*500 > all {
		t.Errorf("%d of %d stationary chains have a transient", alarms, all)
	}
	for s := range uint64(20) {
		r := rand.New(rand.NewPCG(s, 5))
		x := make([]float64, 5000)
		v, at := 0.0, 20.0
		for i := range x { // an oscillator with friction 0.1
			v += -0.1*v - 0.1*at + 0.14*r.NormFloat64()
			at += v
			x[i] = at
		}
		if !Transient(x, 250) {
			t.Errorf("seed %d: a start 20 standard deviations out is not seen", s)
		}
	}
}

// An interval of an sd whose fourth moments do not exist is hardly shown. Of exponential draws, whose tails are a
// normal law's squared, it is: 1,000 runs each have 9% and 99.5%.
func TestNoErrorOfAnSD(t *testing.T) {
	const runs, draws = 200, 2000
	for _, c := range []struct {
		name        string
		draw        func(r *rand.Rand) float64
		least, most int // of the runs
	}{
		{"t(3)", func(r *rand.Rand) float64 {
			a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
			return r.NormFloat64() / math.Sqrt((a*a+b*b+c*c)/3)
		}, 0, 34}, // 18 ± 4
		{"exponential", (*rand.Rand).ExpFloat64, 195, runs},
	} {
		shown, x := 0, make([]float64, draws)
		for s := range uint64(runs) {
			r := rand.New(rand.NewPCG(s, 7))
			for i := range x {
				x[i] = c.draw(r)
			}
			if ParetoK(x).Value <= NoSDError {
				shown++
			}
		}
		if shown < c.least || shown > c.most {
			t.Errorf("%s: %d of %d are shown, want %d to %d", c.name, shown, runs, c.least, c.most)
		}
	}
}
