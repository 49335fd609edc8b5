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
