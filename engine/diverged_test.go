package engine

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// A divergence has the bound that was crossed, and a rewind tells of it with the
// step sizes before and after.
func TestDivergenceInParts(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, map[string]float64{"eps": 1.6}, "sgld"), Runtime{})
	lost := func(s *Snapshot) bool { return s.Lanes[0].Diverged != nil }
	d := l.do(lost).Lanes[0].Diverged
	if d.Coordinate != "theta[1]" || !(math.Abs(d.Value) >= sampler.Limit) || d.Eps != 1.6 || d.Bound.Kind != sampler.VarianceBound || math.Abs(d.Bound.Eps-0.64) > 1e-12 {
		t.Errorf("diverged: %+v", d)
	}
	for _, eps := range []float64{0.8, 0.4} {
		s := l.do(nil, Pause{}, Rewind{Lane: AllLanes, Steps: 200, EpsFactor: 0.5})
		back := RewindChange{s.Lanes[0].Step, 2 * eps, eps}
		if want := (Rewound{RewindChange: back, Diverged: d}); s.Notice.Fact != want {
			t.Errorf("the notice is %+v, want %+v", s.Notice.Fact, want)
		}
		if eps > d.Bound.Eps {
			d = l.do(lost, Resume{}).Lanes[0].Diverged
		}
	}
	// Below the bound nothing is known of why: no bound.
	l.do(nil, SetParam{AllLanes, sampler.KeyEps, 0.7}, SetParam{AllLanes, sampler.KeyTemp, 1e20})
	if d := l.do(lost, SetParam{AllLanes, sampler.KeyEps, 0.5}, Resume{}).Lanes[0].Diverged; d.Bound != (sampler.Bound{}) || d.Eps != 0.5 {
		t.Errorf("diverged at ε = 0.5 and T = 1e20: %+v", d)
	}
}

// A document has a divergence's step and its reason in words, and no more.
func TestDivergenceInADocument(t *testing.T) {
	d := &Divergence{Step: 7, Coordinate: "theta[1]", Value: math.NaN(), Eps: 1.6, Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}}
	b, err := json.Marshal(d)
	if want := `{"step":7,"reason":"theta[1] is not a number; ε = 1.6 is not below 4σ² = 0.64"}`; err != nil || string(b) != want {
		t.Fatalf("%s, %v, want %s", b, err, want)
	}
	var back Divergence
	if err := json.Unmarshal(b, &back); err != nil || back.Step != 7 || back.Reason() != d.Reason() {
		t.Errorf("read back: %+v, %v", back, err)
	}
}
