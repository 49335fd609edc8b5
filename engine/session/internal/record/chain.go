package record

import (
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// BlockCap is how many draws go to the recorders at once. It is an odd number of cache lines, so that a draw's
// coordinates do not all fall on the same few sets of the cache.
const BlockCap = 504

// A Chain is one of a lane's chains, or a silent companion of one: its state with what steps it and what is kept of
// it. The chains of a lane differ in their starts, noise and minibatches.
type Chain[F sampler.Float] struct {
	ChainState[F]
	Kernel sampler.Kernel[F]
	Noise  *noise.Normals[F]
	Grad   gradient.Gradient[F]
	Block  *metrics.Block // of draws that wait for the recorders

	// The recorders by what they keep.
	Stats    *metrics.Chain
	Ring     *trace.Ring
	Envelope *trace.Envelope
	Keeper   *metrics.Keeper // nil for most networks
}

// ChainState is what a keyframe holds of a chain.
type ChainState[F sampler.Float] struct {
	State     sampler.State[F]
	Info      sampler.Info // of the newest step
	Gradients uint64       // evaluated
	Past      trace.Checkpoints[F]
	Observed  trace.Observed
	recorders []metrics.Recorder // of the tracked coordinates
}

// NewChain makes the chain of a number at its start, without recorders.
func NewChain[F sampler.Float](cfg state.Config, p *targets.Problem, t targets.Target[F], stream, number int,
	start []F) *Chain[F] {
	c := &Chain[F]{}
	c.State = sampler.NewState(start)
	c.Noise = noise.NewNormals[F](noise.New(cfg.Seed, stream, noise.Langevin).Chain(number), len(start))
	c.Grad = gradient.New(cfg, p, t, &c.State, &c.Gradients, stream, number)
	c.Observed.Reset()
	c.Past = trace.NewCheckpoints(c.State)
	return c
}

// record gives the chain, one of so many, recorders of d coordinates, with or without a keeper.
func (c *Chain[F]) record(chains, d, ranked int, keep bool) {
	c.Block = metrics.NewBlock(d, BlockCap)
	c.Stats = metrics.NewChain(d)
	c.Ring = trace.NewRing(d, min(4096, max(256, 1<<17/(d*chains))))
	c.Envelope = trace.NewEnvelope(d, min(512, max(64, 1<<15/(d*chains))&^1))
	c.recorders = []metrics.Recorder{c.Stats, c.Ring, c.Envelope}
	if keep {
		c.Keeper = agreement.NewKeeper(chains, d, ranked)
		c.recorders = append(c.recorders, c.Keeper)
	}
}

// flush gives the draws that wait to the recorders.
func (c *Chain[F]) flush() {
	if c.Block.N == 0 {
		return
	}
	for _, r := range c.recorders {
		r.Add(c.Block)
	}
	c.Block.Reset()
}

// SetKernel gives the chain a kernel of a method.
func (c *Chain[F]) SetKernel(m sampler.Method, t targets.Target[F]) {
	c.Kernel, c.Info = NewKernel[F](m, t), sampler.Info{}
	c.Observed.On = m.Metropolis || m.Kind == sampler.Variational
}

// NewKernel makes a kernel of a method in the arithmetic of a target.
func NewKernel[F sampler.Float](m sampler.Method, t targets.Target[F]) sampler.Kernel[F] {
	switch t := any(t).(type) {
	case targets.Target[float32]:
		return any(m.New32(t)).(sampler.Kernel[F])
	case targets.Target[float64]:
		return any(m.New64(t)).(sampler.Kernel[F])
	}
	panic("record: an arithmetic that no method has")
}

// Begin makes what the method keeps besides θ and V.
func (c *Chain[F]) Begin(p *sampler.Params) {
	c.State.Own = nil
	if k, ok := c.Kernel.(sampler.Beginner[F]); ok {
		k.Begin(&c.State, p)
	}
}

// copyTo makes a copy of s. It uses the memory that to has, if that is a state of the same chain.
func (s *ChainState[F]) copyTo(to *ChainState[F]) {
	own := *to
	*to = *s
	to.State = own.State
	to.State.Copy(&s.State)
	to.Past = s.Past.Share()
	if to.recorders = own.recorders; to.recorders == nil {
		to.recorders = list.Map(s.recorders, metrics.Recorder.Clone)
		return
	}
	for i, r := range s.recorders {
		to.recorders[i].Set(r)
	}
}

// bytes is what a copy takes of its own.
func (s *ChainState[F]) bytes() int {
	return s.State.Bytes() + list.Sum(s.recorders, metrics.Recorder.Bytes)
}

// bytesBeyond is what a copy may share with others, as far as another one, or nil, does not have it.
func (s *ChainState[F]) bytesBeyond(o *ChainState[F]) int {
	var past *trace.Checkpoints[F]
	recorders := make([]metrics.Recorder, len(s.recorders))
	if o != nil {
		past, recorders = &o.Past, o.recorders
	}
	n := s.Past.BytesBeyond(past)
	for i, r := range s.recorders {
		n += r.BytesBeyond(recorders[i])
	}
	return n
}
