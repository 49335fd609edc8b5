package lane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// chain is one of a lane's chains: its state with what steps it. The chains of a lane
// have the same method and setting. They differ in their starts, noise and minibatches.
type chain[F sampler.Float] struct {
	chainState[F]

	kernel     sampler.Kernel[F]
	z          *noise.Normals[F]
	grad       gradient.Gradient[F]
	block      *metrics.Block // of draws that wait for the statistics
	probe      probe[F]
	sink       engine.Sink    // of its draws; may be nil
	companions *companions[F] // of a lane's first chain, where the bias of the step is asked for; else nil
}

// chainState is where a chain is and what its draws come to.
type chainState[F sampler.Float] struct {
	state     sampler.State[F]
	info      sampler.Info
	gradEvals uint64 // gradients evaluated
	past      trace.Checkpoints[F]
	observed  trace.Observed
	stats     *metrics.Chain // of the draws of the tracked coordinates
	probed    uint64         // gradEvals at the newest probe
	drawn     uint64         // step of the newest draw
	ring      trace.Ring
	envelope  trace.Envelope
	keeper    *metrics.Keeper // of the window's draws; nil for most networks
}

// newChain makes the chain of a number at its start.
func newChain[F sampler.Float](cfg engine.Config, p *targets.Problem, t targets.Target[F], stream, number int, start []F) *chain[F] {
	c := &chain[F]{}
	c.state = sampler.NewState(start)
	c.z = noise.NewNormals[F](noise.New(cfg.Seed, stream, noise.Langevin).Chain(number), len(start))
	c.grad = gradient.New(cfg, p, t, &c.state, &c.gradEvals, stream, number)
	c.observed.Reset()
	c.past = trace.NewCheckpoints(c.state)
	return c
}

// begin makes what the method keeps besides θ and V.
func (c *chain[F]) begin(p *sampler.Params) {
	c.state.Own = nil
	if k, ok := c.kernel.(sampler.Beginner[F]); ok {
		k.Begin(&c.state, p)
	}
}

func (s *chainState[F]) copyTo(to *chainState[F]) {
	own := *to
	*to = *s
	to.state = own.state
	to.state.Copy(&s.state)
	to.past = s.past.Share()
	to.stats = copied(own.stats, s.stats)
	to.ring = own.ring
	to.ring.Set(&s.ring)
	to.envelope = own.envelope
	to.envelope.Set(&s.envelope)
	to.keeper = copied(own.keeper, s.keeper)
}

// bytes is what a copy takes of its own.
func (s *chainState[F]) bytes() int {
	n := s.state.Bytes() + s.ring.Bytes() + s.envelope.Bytes() + s.stats.Bytes()
	if s.keeper != nil {
		n += s.keeper.Bytes()
	}
	return n
}

// bytesBeyond is what a copy may share with others, as far as another one, or nil, does not have it.
func (s *chainState[F]) bytesBeyond(o *chainState[F]) int {
	var past *trace.Checkpoints[F]
	var keeper *metrics.Keeper
	if o != nil {
		past, keeper = &o.past, o.keeper
	}
	n := s.past.BytesBeyond(past)
	if s.keeper != nil {
		n += s.keeper.BytesBeyond(keeper)
	}
	return n
}

// flush adds the draws that wait to the statistics. These do not depend on how the
// draws are cut into blocks. One state in thin is a draw.
func (c *chain[F]) flush(thin uint64) {
	if c.block.N == 0 {
		return
	}
	c.stats.Add(c.block)
	c.ring.Add(c.block, c.drawn, thin)
	c.envelope.Add(c.block, c.drawn, thin)
	if c.keeper != nil {
		c.keeper.Add(c.block)
	}
	c.block.Reset()
}
