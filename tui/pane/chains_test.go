package pane

import (
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
)

// What is shown of a slow chain reaches back by 200 τ, also where a pane has room for few draws; what
// is exported stays the newest.
func TestShownDrawsReachBack(t *testing.T) {
	for _, chains := range []int{1, 4} {
		s := scenetest.Chains(chains, "banana", "sgld", uint64(240_000/chains))
		for i, v := range Thin(s).Lanes {
			tau := max(v.Coords[0].Rough.Value, v.Coords[1].Rough.Value)
			if tau < 50 {
				t.Fatalf("%d chains, lane %d: τ is %v: the chain is no test", chains, i, tau)
			}
			own := s.Lanes[i].TrailX
			for _, most := range []int{1 << 20, 600, 40} {
				apart := Apart(&v, most)
				all := Chains(&v, most)
				if len(all) != chains {
					t.Fatalf("%d chains, want %d", len(all), chains)
				}
				drawn := 0
				for _, c := range all {
					drawn += len(c.TrailX)
					if len(c.TrailX) != len(c.TrailY) {
						t.Errorf("%d and %d draws", len(c.TrailX), len(c.TrailY))
					}
				}
				span := float64(uint64(len(all[0].TrailX)) * apart)
				if want := min(200*tau, float64(v.Draws)/float64(chains)); span < 0.9*want || drawn > most {
					t.Errorf("%d chains, lane %d: %d draws of at most %d, every %d, span %v, want %v",
						chains, i, drawn, most, apart, span, want)
				}
			}
			if n := len(s.Lanes[i].TrailX); s.Lanes[i].Every != 0 || n == 0 || &own[0] != &s.Lanes[i].TrailX[0] {
				t.Errorf("the snapshot itself is thinned")
			}
		}
	}
}

// Of a chain whose τ nobody knows, since it keeps to one of two modes, the whole window is shown.
func TestShownDrawsOfABiasedChain(t *testing.T) {
	s := scenetest.Chains(1, "mixture:gap=9", "sgld", 60_000)
	v := Thin(s).Lanes[0]
	if why := v.Coords[0].Rough.Status; why != metrics.Mode && why != metrics.Bias {
		t.Fatalf("the chain is %v: it is no test", why)
	}
	if span := uint64(len(v.TrailX)) * v.Every; span < v.Draws*9/10 {
		t.Errorf("%d draws, every %d, of %d", len(v.TrailX), v.Every, v.Draws)
	}
}

// A draw that is shown is shown until it is too old, however many come after it.
func TestShownDrawsStay(t *testing.T) {
	trail := func(n int) *engine.LaneView {
		v := &engine.LaneView{Every: 1}
		v.Draws = uint64(n)
		for i := range n {
			v.TrailX = append(v.TrailX, float64(i))
		}
		v.TrailY = v.TrailX
		return v
	}
	before := Chains(trail(1000), 100)[0].TrailX
	for n := 1001; n < 1020; n++ {
		now := Chains(trail(n), 100)[0].TrailX
		if len(now) < 50 || !slices.Contains(now, before[len(before)-1]) || !slices.Contains(now, before[20]) {
			t.Errorf("after %d draws more: %v, before %v", n-1000, now, before)
		}
	}
}
