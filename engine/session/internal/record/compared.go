package record

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/list"
)

// compared reads whether the chains agree.
type compared[F sampler.Float] struct {
	*Run[F]
	by agreement.Chains
}

// comparedOf compares the chains of a run in their draws, or those of a network in its probes.
func comparedOf[F sampler.Float](r *Run[F], pool metrics.Chains, probes agreement.Probes) *compared[F] {
	c := &compared[F]{Run: r, by: agreement.Chains{
		Dim: len(r.Tracked), Pool: pool, Keepers: list.Map(r.Chains, func(c *Chain[F]) *metrics.Keeper { return c.keeper }),
		Grouped: len(r.Chains) >= engine.ManyChains && r.Config.RandomStart(),
	}}
	if !r.Converges() {
		c.by.Probes = probes
	}
	return c
}

func (c *compared[F]) forget() { c.by.Forget() }

// Comparison compares the chains in a tracked coordinate, or the halves of the only chain. Of a network there is none unless it
// is asked for: see [quantity.Identified]. Where not all draws are compared, the error of the sd is that of all, as the sd is.
func (c *compared[F]) Comparison(i int) metrics.Comparison {
	of := c.by.Compare(i, c.moment())
	found := of.Comparison
	if of.Every > 1 && found.SD.OK() {
		if e := c.by.Pool.SDError(i); e.OK() {
			found.SD.Error = e.Value
		}
	}
	return found
}
