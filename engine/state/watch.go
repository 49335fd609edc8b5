package state

import (
	"fmt"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// Watch chooses the two coordinates that are shown, or the draws' first two
// principal directions in their place, and what else is.
type Watch struct {
	X, Y        int
	Principal   bool
	Weights     bool // histograms of θ and G
	Predictions bool // of single test images
	Discrepancy bool // from the target, by its gradient
	Rows        bool // estimates of many coordinates
	NoFunction  bool // leaves out what the draws are as functions, on a target where they are some
}

func (Watch) Kind() string { return "" }

func (c Watch) apply(s *State) (Fact, error) {
	if p := s.Problem; c.Principal && p.Dim() > metrics.MaxCovDim {
		return nil, fmt.Errorf("principal directions need at most %d coordinates, %s has %d", metrics.MaxCovDim, p.Spec, p.Dim())
	}
	s.Mode.Watch, s.Mode.Seen = c, true
	return nil, nil
}

// first turns to the first two coordinates of a target. Of a network it turns to two of
// the last matrix of weights, since the first weights may belong to pixels that are always blank.
func (c *Watch) first(cfg Config, p *targets.Problem) {
	c.X, c.Y, c.Principal = 0, 1, false
	if t, ok := p.Impl().(targets.Layered); ok {
		for _, y := range t.Layers() {
			if y.Rows > 1 {
				d := p.Dim()
				n := cfg.Tracked(d)
				c.X = min((y.From*n+d-1)/d, n-2)
				c.Y = c.X + 1
			}
		}
	}
}
