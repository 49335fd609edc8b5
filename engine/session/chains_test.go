package session

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// The first chain of a lane is the lane's only one, to the bit, whatever stands beside it, and
// the others have starts, noise and minibatches of their own.
func TestFirstChainIsTheOnlyOne(t *testing.T) {
	innerlooptest.Numbers(t, "every method")
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		if m.Misfit(p) != "" || p.F32 != nil && (testing.Short() || m.Name != "psgld" && m.Name != "hmc") {
			return
		}
		c := brief(p, m.Name)
		states := func(chains int) (first string, each []engine.ChainView) {
			c.Chains = chains
			r := oneLane(t, c, c.Lanes[0], p)
			defer r.Close()
			r.Share(1)
			r.Advance(70)
			return fmt.Sprint(r.Measures().NewestTheta()), r.Measures().View(false, nil).Chains
		}
		one, _ := states(1)
		first, three := states(3)
		if one != first || three[0].Now == three[1].Now || three[1].Now == three[2].Now {
			t.Errorf("%s on %s: the first chain is another, or those beside it are at %v, %v and %v", m.Name, p.Spec,
				three[0].Now, three[1].Now, three[2].Now)
		}
	})
}

// The digests of chains do not depend on how their steps are cut into chunks, nor does where
// a chain diverges first.
func TestChainsInAnyChunks(t *testing.T) {
	p := open(t, "gaussian")
	for _, eps := range []float64{0.3, 3.99} {
		var ends []string
		for _, chunk := range []uint64{1, 7, 1000} {
			c := config(p, 0, nil, "sgld")
			c.Chains = 4
			c.Lanes[0] = c.Lanes[0].With(sampler.KeyEps, eps).With(sampler.KeyThin, 5)
			r := oneLane(t, c, c.Lanes[0], p)
			for n := uint64(0); n < 5000; n += chunk {
				r.Advance(min(chunk, 5000-n))
			}
			v := r.Measures().View(false, nil)
			ends = append(ends,
				fmt.Sprint(r.Measures().Digest(), r.Standing().Digests, v.Step, v.Draws, v.Diverged,
					v.Values[quantity.MinESS], v.Coords[0].Values))
		}
		if ends[0] != ends[1] || ends[0] != ends[2] {
			t.Errorf("eps %g: %q", eps, ends)
		}
	}
}

// Draws of all chains count: the variance is that of SGLD's stationary law, and their
// standard error that of as many chains.
func TestMomentsOfChains(t *testing.T) {
	innerlooptest.Numbers(t, "long chains")
	p := open(t, "gaussian")
	c := config(p, 40000, nil, "sgld")
	c.Chains = 4
	c.Lanes[0] = c.Lanes[0].With(sampler.KeyEps, 0.5).With(sampler.KeyBurnIn, 200)
	_, r := run(t, c, p, Runtime{})
	l := r.Lanes[0]
	v := l.Coords[1]
	// σ²/(1 - ε/(4σ²)) with σ = 1. 4·39,800 draws at τ = 4 are 20,000 effective ones: the
	// variance has a standard error of about √(2/20,000) = 1%, and 4 of them are allowed.
	if want := 1 / (1 - 0.5/4); math.Abs(math.Pow(v[quantity.SD].Value, 2)/want-1) > 0.04 {
		t.Errorf("variance %g, want %g", math.Pow(v[quantity.SD].Value, 2), want)
	}
	c.Chains = 1
	_, r = run(t, c, p, Runtime{})
	one := r.Lanes[0]
	if l.Draws != 4*one.Draws {
		t.Errorf("%d draws, one chain has %d", l.Draws, one.Draws)
	}
	// τ is known to some 10%.
	if ratio := v[quantity.MCSE].Value / one.Coords[1][quantity.MCSE].Value; math.Abs(ratio-0.5) > 0.1 {
		t.Errorf("the standard error of four chains is %g of one's", ratio)
	}
}

// Numbers for a start hold for all chains, and of many chains four begin at one place.
func TestStartsOfChains(t *testing.T) {
	p := open(t, "gaussian")
	for _, c := range []struct {
		init string
		same bool
	}{{"1,2", true}, {"zero", true}, {"random", false}} {
		cfg := state.Config{Init: c.init, Seed: 3}
		a, _ := cfg.Start(p, 0)
		b, err := cfg.Start(p, 1)
		if err != nil || slices.Equal(a, b) != c.same {
			t.Errorf("%s: %v and %v, %v", c.init, a, b, err)
		}
	}
	var starts [5]string
	for k := range starts {
		theta, _ := state.Config{Seed: 3, Chains: 16}.Start(p, k)
		starts[k] = fmt.Sprint(theta)
	}
	if starts[0] != starts[3] || starts[3] == starts[4] {
		t.Errorf("16 chains begin at %q", starts)
	}
}

// Chains in the modes of a mixture that none of them leaves do not agree, and one chain misses a mode of the truth:
// nothing is trusted. Chains that mix agree.
func TestChainsThatDisagree(t *testing.T) {
	innerlooptest.Numbers(t, "long chains")
	for _, c := range []struct {
		target string
		eps    float64
		chains int
		want   metrics.Status
	}{
		{"mixture:gap=12", 0.3, 1, metrics.Mode},
		{"mixture:gap=12", 0.3, 4, metrics.Disagree},
		{"gaussian", 0.3, 4, metrics.OK},
	} {
		p := open(t, c.target)
		cfg := config(p, 20000, nil, "sgld")
		cfg.Chains = c.chains
		cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyEps, c.eps)
		_, r := run(t, cfg, p, Runtime{})
		l := r.Lanes[0]
		for _, id := range []quantity.ID{quantity.MinESS, quantity.CovError, quantity.Temperature} {
			if got := l.Values[id].Status; got != c.want {
				t.Errorf("%d chains on %s: %s is %v, want %v", c.chains, c.target, quantity.All[id].Key, got, c.want)
			}
		}
		rhat := l.Coords[0][quantity.RHat]
		if rhat.OK() != (c.want != metrics.Mode) || (c.want == metrics.Disagree) != (rhat.Value > 1.5) {
			t.Errorf("%d chains on %s: R-hat %+v", c.chains, c.target, rhat)
		}
	}
}

// A network's chains are compared in its loss and in the probabilities of ten images, one
// chain's halves too, and a keyframe holds them.
func TestProbes(t *testing.T) {
	innerlooptest.Numbers(t, "long runs")
	p := fewDigits()
	for _, chains := range []int{1, 3} {
		c := brief(p, "psgld")
		c.Chains = chains
		c.Steps = 600
		_, r := run(t, c, p, Runtime{})
		l := r.Lanes[0]
		if l.Probes == nil || len(l.Probes.Names) != 11 || len(l.Probes.RHat) != 11 {
			t.Fatalf("%d chains: %+v", chains, l.Probes)
		}
		for i, rhat := range l.Probes.RHat {
			// That of one chain's halves tells something only if they differ or are long enough.
			short := math.IsNaN(float64(rhat)) && chains == 1 && l.Probes.Withheld[i] == metrics.TooShort.String()
			if !(rhat > 0.9) && !short {
				t.Errorf("%d chains: R-hat of %s is %v", chains, l.Probes.Names[i], rhat)
			}
		}
		e := l.Values[quantity.MaxRHat]
		if e.OK() != (chains > 1) || e.OK() && e.Value != float64(slices.Max(l.Probes.RHat)) {
			t.Errorf("%d chains: max R-hat %+v of %v", chains, e, l.Probes.RHat)
		}
		if got := l.Coords[0][quantity.RHat].Status; got != metrics.Absent {
			t.Errorf("%d chains: R-hat of a weight is %v", chains, got)
		}
	}
}

// R-hat and effective sizes of a network's weights are there where they are asked for, beside
// those of its probes.
func TestComparedWeights(t *testing.T) {
	innerlooptest.Numbers(t, "a run of a network")
	p := fewDigits()
	for _, chains := range []int{1, 3} {
		c := brief(p, "psgld")
		c.Chains, c.Steps, c.CompareWeights = chains, 600, true
		_, r := run(t, c, p, Runtime{})
		l := r.Lanes[0]
		if l.Probes == nil || len(l.Probes.RHat) != 11 {
			t.Fatalf("%d chains: %+v", chains, l.Probes)
		}
		for i, v := range l.Coords {
			for _, id := range []quantity.CoordID{quantity.RHat, quantity.BulkESS, quantity.TailESS} {
				e := v[id]
				if e.Status != metrics.OK && e.Status != metrics.TooShort && e.Status != metrics.Disagree &&
					e.Status != metrics.Drifting {
					t.Errorf("%d chains: %s of weight %d is %+v", chains, quantity.Coordinates[id].Key, i, e)
				}
			}
		}
		if l.RanksEvery != 1 {
			t.Errorf("%d chains: one draw in %d is compared", chains, l.RanksEvery)
		}
	}
}

// A restart tells the number of chains where it is another one.
func TestRestartWithChains(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "sgld"), Runtime{})
	for _, c := range []struct{ ask, told, have int }{{4, 4, 4}, {4, 0, 4}, {0, 0, 4}, {1, 1, 0}, {1, 0, 0}} {
		s := l.do(nil, state.Restart{Seed: 7, Chains: c.ask})
		want := (state.Restarted{Seed: 7, Chains: c.told})
		if s.Notice.Fact != want || len(s.Lanes[0].Chains) != c.have {
			t.Errorf("asked for %d: the notice is %+v, want %+v; %d chains", c.ask, s.Notice.Fact, want,
				len(s.Lanes[0].Chains))
		}
	}
}

// A divergence says which chain ran away.
func TestChainThatDiverges(t *testing.T) {
	p := open(t, "gaussian")
	c := config(p, 5000, map[string]float64{"eps": 0.7}, "sgld")
	c.Chains = 4
	s, _ := run(t, c, p, Runtime{})
	s.publish()
	v := &s.pub.snap.Load().Lanes[0]
	d := v.Diverged
	if d == nil {
		t.Fatal("nothing diverged")
	}
	for k := range v.Chains {
		if a, most := math.Abs(v.Chains[k].Now[0]), math.Abs(v.Chains[d.Chain].Now[0]); a > most {
			t.Errorf("chain %d is at %g, chain %d that diverged at %g", k, a, d.Chain, most)
		}
	}
}

// A network's lanes show two neighbours of the coordinates that they track, which are fewer
// where there are many chains.
func TestCoordinatesOfChains(t *testing.T) {
	innerlooptest.Skip(t, "a network of many chains")
	p := open(t, "mlp:4")
	l := start(t, config(p, 0, nil, "sgld"), Runtime{})
	for _, chains := range []int{1, 4, 64, 1} {
		v := l.do(nil, state.Pause{}, state.Restart{Seed: 7, Chains: chains}).Lanes[0]
		if v.Watch[1] != v.Watch[0]+1 || v.Names[0] == v.Names[1] {
			t.Errorf("%d chains show %v, %v", chains, v.Watch, v.Names)
		}
	}
}
