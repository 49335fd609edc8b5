package pane

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Chains are the chains of a lane as they are drawn, with at most so many of their newest
// draws altogether. A lane of one chain is its own.
func Chains(v *engine.LaneView, most int) []engine.ChainView {
	all := slices.Clone(v.Chains)
	if len(all) == 0 {
		all = []engine.ChainView{{Now: v.Now, TrailX: v.TrailX, TrailY: v.TrailY}}
	}
	for i := range all {
		c := &all[i]
		n := min(len(c.TrailX), len(c.TrailY), max(most/len(all), 1))
		c.TrailX, c.TrailY = c.TrailX[len(c.TrailX)-n:], c.TrailY[len(c.TrailY)-n:]
	}
	return all
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
