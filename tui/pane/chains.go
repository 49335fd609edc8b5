package pane

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Thin is s with trails that reach as far back as the autocorrelation of each chain asks for, so that scatter,
// histogram and trace show the chain and not its newest moment. Lanes that have diverged keep their newest draws.
func Thin(s *engine.Snapshot) *engine.Snapshot {
	out := *s
	out.Lanes = slices.Clone(s.Lanes)
	for i := range out.Lanes {
		v := &out.Lanes[i]
		if v.Diverged != nil {
			continue
		}
		v.Every = 1
		t := &v.Trace
		if v.Thinned == nil || t.Even < len(v.TrailX) { // without even steps there is no axis for them
			continue
		}
		first := &v.Thinned[0]
		v.Every, v.TrailX, v.TrailY = first.Every, first.X, first.Y
		v.Chains = slices.Clone(v.Chains)
		for j := range v.Chains {
			v.Chains[j].TrailX, v.Chains[j].TrailY = v.Thinned[j].X, v.Thinned[j].Y
		}
		t.Last -= chainDraws(v) % v.Every * t.Every
		t.Every, t.Even = t.Every*v.Every, len(v.TrailX)
	}
	return &out
}

// Slow reports whether steps are slow enough to follow by eye.
func Slow(s *engine.Snapshot) bool { return s.Speed > 0 && s.Speed <= 100 }

// chainDraws is how many draws each chain of a lane has in its window.
func chainDraws(v *engine.LaneView) uint64 { return v.Draws / uint64(max(len(v.Chains), 1)) }

// Chains are the chains of a lane as they are drawn, with at most so many of their draws altogether: of trails that are
// thinned they are spread over all, else the newest. A lane of one chain is its own.
func Chains(v *engine.LaneView, most int) []engine.ChainView {
	all := slices.Clone(v.Chains)
	if len(all) == 0 {
		all = []engine.ChainView{{Now: v.Now, TrailX: v.TrailX, TrailY: v.TrailY}}
	}
	step := steps(v, most)
	// Draws are chosen by their number, so that those on the screen stay there as new ones come.
	odd := int(chainDraws(v) / max(v.Every, 1) % uint64(step))
	most = max(most/len(all), 1)
	for i := range all {
		c := &all[i]
		if step > 1 {
			c.TrailX, c.TrailY = spread(c.TrailX, step, odd), spread(c.TrailY, step, odd)
		}
		n := min(len(c.TrailX), len(c.TrailY), most)
		c.TrailX, c.TrailY = c.TrailX[len(c.TrailX)-n:], c.TrailY[len(c.TrailY)-n:]
	}
	return all
}

// Apart is how many draws of a chain there are from one to the next of those that Chains gives.
func Apart(v *engine.LaneView, most int) uint64 { return max(v.Every, 1) * uint64(steps(v, most)) }

// steps is how many draws of a trail there are from one to the next of those that Chains gives.
func steps(v *engine.LaneView, most int) int {
	most = max(most/max(len(v.Chains), 1), 1)
	longest := max(len(v.TrailX), list.Max(v.Chains, func(c engine.ChainView) int { return len(c.TrailX) }))
	step := 1
	for v.Every > 0 && longest > most*step {
		step *= 2
	}
	return step
}

// spread is every step-th of a trail, where the newest is so many after one of them.
func spread(t []float64, step, odd int) (out []float64) {
	for i := (len(t) - 1 - odd + step) % step; i < len(t); i += step {
		out = append(out, t[i])
	}
	return out
}

// LastText says which draws are shown: the last so many, or some of these, that lie so many draws apart.
func LastText(span, every uint64) string {
	if every > 1 {
		return "every " + wording.Ordinal(every) + " of the last " + plane.Count(span)
	}
	return "last " + DrawsText(span)
}

// ChainStyle is the shade of a lane's colour that one of its chains has.
func (f *Frame) ChainStyle(v *engine.LaneView, chain int) plane.Style {
	return f.LaneStyle(v).Chain(chain, len(v.Chains))
}

// ChainsClause is the number of a lane's chains, as a clause of a title that gives way first.
func ChainsClause(v *engine.LaneView) string {
	if len(v.Chains) < 2 {
		return ""
	}
	return fmt.Sprintf(", %d chains", len(v.Chains))
}
