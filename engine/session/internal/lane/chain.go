package lane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// chain is one of a lane's chains: its state with what steps it. The chains of a lane
// have the same method and setting. They differ in their starts, noise and minibatches.
type chain[F sampler.Float] struct {
	chainState[F]

	kernel     sampler.Kernel[F]
	z          *noise.Normals[F]
	grad       gradient.Gradient[F]
	block      *metrics.Block // of draws that wait for the recorders
	stats      *metrics.Chain // of the draws of the tracked coordinates. It and the next three are recorders.
	ring       *trace.Ring
	envelope   *trace.Envelope
	keeper     *metrics.Keeper // of the window's draws; nil for most networks
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
	probed    uint64             // gradEvals at the newest probe
	recorders []metrics.Recorder // of the tracked coordinates
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
	if to.recorders = own.recorders; to.recorders == nil {
		to.recorders = list.Map(s.recorders, metrics.Recorder.Clone)
		return
	}
	for i, r := range s.recorders {
		to.recorders[i].Set(r)
	}
}

// bytes is what a copy takes of its own.
func (s *chainState[F]) bytes() int {
	n := s.state.Bytes()
	for _, r := range s.recorders {
		n += r.Bytes()
	}
	return n
}

// bytesBeyond is what a copy may share with others, as far as another one, or nil, does not have it.
func (s *chainState[F]) bytesBeyond(o *chainState[F]) int {
	var past *trace.Checkpoints[F]
	recorders := make([]metrics.Recorder, len(s.recorders))
	if o != nil {
		past, recorders = &o.past, o.recorders
	}
	n := s.past.BytesBeyond(past)
	for i, r := range s.recorders {
		n += r.BytesBeyond(recorders[i])
	}
	return n
}

// flush gives the draws that wait to the recorders.
func (c *chain[F]) flush() {
	if c.block.N == 0 {
		return
	}
	for _, r := range c.recorders {
		r.Add(c.block)
	}
	c.block.Reset()
}
