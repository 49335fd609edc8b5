package record

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Records are all that is kept of a run.
type Records[F sampler.Float] struct {
	*Run[F]
	Temperature *Temperature[F]
	Companions  *Companions[F]  // nil where the bias of the step is not asked for
	Minibatches *Minibatches[F] // nil but of a network
	Functions   *Functions[F]   // nil of a target that is no function

	curve       Curve[F]
	sinks       *sinks[F]       // nil without
	predictions *predictions[F] // nil on a target that does not predict
	recent      *recent[F]      // nil unless somebody may ask
	witnesses   []Witness[F]    // all of these, in the order in which they take a draw
	patient     []Patient       // they again; nil for those that are not
	waits       []wait          // for each chain's draws: that of whichever is first, and then theirs
	draws       Draws[F]        // those at hand
	stream      int             // of the lane's noise
	even        []float64       // weights of a block of draws that count alike
}

// wait is until when a witness does nothing with the draws of a chain.
type wait struct{ gradients, kept uint64 }

func (w *wait) ends(gradients, kept uint64) bool { return gradients >= w.gradients || kept >= w.kept }

// Asked is what of a run is kept only where it is asked for.
type Asked struct {
	Sinks  []engine.Sink // of the chains; nil for none
	Recent bool          // the newest draws
	Parts  bool          // the predictions of consecutive parts of the chain
	States bool          // its states alone: of its draws neither curves nor functions nor predictions are made
	Poke   func()        // is called where what runs beside the lane has done something
}

// New makes the records of a run whose chains have no recorders yet. stream is that of the lane's noise.
func New[F sampler.Float](run *Run[F], stream int, asked Asked, curve Curve[F]) *Records[F] {
	dim := run.Target.Dim()
	run.Tracked = trace.Tracked(dim, run.Config.Tracked(dim))
	for _, c := range run.Chains {
		c.record(len(run.Chains), len(run.Tracked), run.Config.RankedDraws(), run.Converges() || run.Config.CompareWeights)
	}
	probes := 0
	if !run.Converges() {
		probes = len(run.Chains)
	}
	by := &proxies[F]{run: run, noise: noise.NewNormals[F](noise.New(run.Config.Seed, stream, noise.Predict), dim)}
	r := &Records[F]{Run: run, Temperature: newTemperature(run), curve: curve, stream: stream}
	r.witnesses = append(r.witnesses, r.Temperature)
	if slices.ContainsFunc(asked.Sinks, func(s engine.Sink) bool { return s != nil }) {
		r.sinks = &sinks[F]{run: run, to: asked.Sinks, theta: make([]float64, dim)}
		r.witnesses = append(r.witnesses, r.sinks)
	}
	if !asked.States {
		r.witnesses = append(r.witnesses, curve)
	}
	if run.First.Grad.IsNetwork() {
		r.Minibatches = new(Minibatches[F])
		r.witnesses = append(r.witnesses, r.Minibatches)
	}
	if !asked.States {
		if r.Functions = newFunctions(run, by); r.Functions != nil {
			r.witnesses = append(r.witnesses, r.Functions)
		}
		if e := predict.NewEvaluator(run.Target, probes, asked.Poke); e != nil {
			r.predictions = &predictions[F]{run: run, proxies: by, Evaluator: e, curve: curve}
			r.witnesses = append(r.witnesses, r.predictions)
		}
	}
	if asked.Recent {
		r.recent = &recent[F]{proxies: by, Recent: predict.NewRecent[F](dim)}
		r.witnesses = append(r.witnesses, r.recent)
	}
	r.Accompany()
	if asked.Parts {
		r.Evaluator().KeepParts()
	}
	return r
}

// Accompany makes the companions that the Config asks for, whose kernels have not begun, or drops those that it does
// not. They take a draw after the temperature.
func (r *Records[F]) Accompany() {
	if had := r.Companions; had != nil {
		r.witnesses = slices.DeleteFunc(r.witnesses, func(w Witness[F]) bool { return w == Witness[F](had) })
	}
	if r.Companions = newCompanions(r.Run, r.stream); r.Companions != nil {
		r.witnesses = slices.Insert(r.witnesses, 1, Witness[F](r.Companions))
		if r.Method.Name != "" { // else its setting is not in force yet
			r.Companions.InForce(true)
		}
	}
	r.patient = list.Map(r.witnesses, func(w Witness[F]) Patient { p, _ := w.(Patient); return p })
	r.waits = make([]wait, len(r.Chains)*(1+len(r.witnesses)))
}

// Turned tells that the run has another target of the same dimensions.
func (r *Records[F]) Turned() {
	if r.Functions != nil {
		r.Functions.Target = any(r.Target).(targets.Functional)
	}
	if r.predictions != nil {
		r.predictions.Turn(r.Target)
	}
}

// InForce tells that a setting is in force; fresh says that it is of another method.
func (r *Records[F]) InForce(fresh bool) {
	clear(r.waits)
	for _, w := range r.witnesses {
		w.InForce(fresh)
	}
}

// Digest is that of the present states.
func (r *Records[F]) Digest() engine.Digest {
	states := list.Map(r.Chains, func(c *Chain[F]) *sampler.State[F] { return &c.State })
	return engine.Digest{Lane: r.ID, At: r.Odometer, Digest: trace.Digest(states...)}
}

// Err is what a sink or the evaluation of the draws has failed with.
func (r *Records[F]) Err() error {
	if err := r.SinkErr(); err != nil || r.predictions == nil {
		return err
	}
	return r.predictions.Err()
}

// SinkErr is what a sink has failed with.
func (r *Records[F]) SinkErr() error {
	if r.sinks == nil {
		return nil
	}
	return r.sinks.err
}

// Hold takes the present state of the first chain into the passage to the first draw.
func (r *Records[F]) Hold() {
	trace.Hold(&r.Passage, r.Shown(r.First.State.Theta), r.Step(), r.Tracked, -r.First.Grad.Newest.LogLik)
}

// Keep takes the present states of the chains as draws, chain by chain, but for those that their method skips.
func (r *Records[F]) Keep() {
	w := r.Weight()
	for k, c := range r.Chains {
		if c.Info.Skip {
			if k == 0 {
				r.Hold()
			}
			continue
		}
		r.Passage.End()
		b := c.Block
		at := b.N
		theta := r.Shown(c.State.Theta)
		for _, i := range r.Tracked {
			b.X[at] = float64(theta[i])
			at += BlockCap
		}
		b.W[b.N] = w
		b.N++
		b.Last, b.Every = c.State.Step, r.Thin
		if b.N == b.Cap {
			c.flush()
		}
		r.Window.Draws++
		r.Kept++
		if first := &r.waits[k*(1+len(r.witnesses))]; first.ends(c.Gradients, r.Kept) {
			r.show(k, w)
		}
	}
}

// show gives the newest draw of chain k, with weight w, to the witnesses that wait no longer.
func (r *Records[F]) show(k int, w float64) {
	c, waits := r.Chains[k], r.waits[k*(1+len(r.witnesses)):]
	r.draws = Draws[F]{Chains: r.Chains[k : k+1], First: k, N: 1, Step: c.State.Step, Every: r.Thin, Weight: w}
	first := wait{math.MaxUint64, math.MaxUint64}
	for i, witness := range r.witnesses {
		at := &waits[1+i]
		if at.ends(c.Gradients, r.Kept) {
			witness.Take(&r.draws)
			if p := r.patient[i]; p != nil {
				at.gradients, at.kept = p.Waits(k)
			}
		}
		first.gradients, first.kept = min(first.gradients, at.gradients), min(first.kept, at.kept)
	}
	waits[0] = first
}

// Strides reports whether draws can be taken that the chains have gone beyond.
func (r *Records[F]) Strides() bool {
	return !slices.ContainsFunc(r.patient, func(p Patient) bool { return p == nil })
}

// Room is how many draws of every chain there are at most before the next point of the curves or a full block.
func (r *Records[F]) Room() uint64 {
	room := uint64(BlockCap - r.First.Block.N)
	if slices.Contains(r.witnesses, Witness[F](r.curve)) {
		room = min(room, r.curve.Room())
	}
	return room
}

// KeepStride takes n draws of every chain that the chains have gone beyond, of which there is Room. path has θ of one
// chain after another at the first draw, then after the step that follows it, and so on to the newest step.
func (r *Records[F]) KeepStride(path []F, n uint64) {
	chains, row := r.Chains, len(r.Chains)*r.Target.Dim()
	ahead := uint64(len(path)/row - 1)
	d := Draws[F]{Chains: chains, N: n, Step: r.Step() - ahead, Every: r.Thin, Ahead: ahead, Weight: r.Weight(), Path: path}
	if r.even == nil || r.even[0] != d.Weight {
		r.even = slices.Repeat([]float64{d.Weight}, BlockCap)
	}
	for k, c := range chains {
		b := c.Block
		for i, at := range r.Tracked {
			column(b.X[i*b.Cap+b.N:][:n], path[k*row/len(chains)+at:], int(r.Thin)*row)
		}
		copy(b.W[b.N:][:n], r.even)
		b.N += int(n)
		b.Last, b.Every = d.Step+(n-1)*r.Thin, r.Thin
	}
	r.Passage.End()
	r.Window.Draws += n * uint64(len(chains))
	r.Kept += n * uint64(len(chains))
	r.draws = d
	for _, w := range r.witnesses {
		w.Take(&r.draws)
	}
	clear(r.waits)
}

// column copies one of every so many numbers to dst, from the first on.
func column[F sampler.Float](dst []float64, from []F, every int) {
	t, at := 0, 0
	for ; t+4 <= len(dst); t += 4 {
		to := (*[4]float64)(dst[t:])
		to[0], to[1] = float64(from[at]), float64(from[at+every])
		to[2], to[3] = float64(from[at+2*every]), float64(from[at+3*every])
		at += 4 * every
	}
	for ; t < len(dst); t++ {
		dst[t] = float64(from[at])
		at += every
	}
}

// Flush gives the draws of all chains that wait to the recorders.
func (r *Records[F]) Flush() {
	for _, c := range r.Chains {
		c.flush()
	}
}

// Lost counts a state that could not be used in the window, as NaN: no estimate of a chain that runs away is one of
// its target.
func (r *Records[F]) Lost(c *Chain[F]) {
	b := c.Block
	b.N, b.W[0] = 1, r.Params.Eps
	for i := range b.Dim {
		b.Col(i)[0] = math.NaN()
	}
	c.Stats.Add(b)
	b.Reset()
}

// OpenWindow starts a new window of statistics.
func (r *Records[F]) OpenWindow() {
	r.Flush()
	r.Window = Window{Start: r.Step(), Gradients: r.GradientCount(), Before: r.Window.Before}
	for _, c := range r.Chains {
		for _, k := range c.recorders {
			k.NewWindow()
		}
		c.Observed.Reset()
	}
	clear(r.waits)
	for _, w := range r.witnesses {
		w.NewWindow()
	}
}

// Rewound tells that the chains have gone back, within a new window.
func (r *Records[F]) Rewound() {
	r.Window.Start = r.Step()
	for _, c := range r.Chains {
		c.Past.Forget(r.Step())
		for _, k := range c.recorders {
			k.Cut(r.Step())
		}
	}
	clear(r.waits)
	for _, w := range r.witnesses {
		w.Rewound()
	}
}

// A Copy is what a keyframe holds of a run and its records.
type Copy[F sampler.Float] struct {
	State
	Chains []ChainState[F]
	held   []any
}

// Copy copies the run and its records. It waits for the evaluation of the draws.
func (r *Records[F]) Copy() *Copy[F] {
	r.Flush()
	r.Settle()
	k := &Copy[F]{State: r.Run.State.copy(), Chains: make([]ChainState[F], len(r.Chains))}
	k.held = list.Map(r.witnesses, Witness[F].Copy)
	for i, c := range r.Chains {
		c.copyTo(&k.Chains[i])
	}
	return k
}

// copy is a copy of s to which nobody writes.
func (s State) copy() State {
	s.Passage, s.Periods, s.Digests = s.Passage.Clone(), slices.Clip(s.Periods), slices.Clip(s.Digests)
	return s
}

// Restore makes the run and its records what a copy holds. apply puts the copy's setting in force.
func (r *Records[F]) Restore(k *Copy[F], apply func()) {
	r.Settle()
	r.Run.State = k.State.copy()
	for i, c := range r.Chains {
		c.Block.Reset()
		k.Chains[i].copyTo(&c.ChainState)
	}
	apply()
	for i, w := range r.witnesses {
		w.Set(k.held[i])
	}
}

// Bytes is what the copy takes without what copies share: checkpoints and kept draws.
func (k *Copy[F]) Bytes() int {
	n := k.Passage.Bytes()
	for i := range k.Chains {
		n += k.Chains[i].bytes()
	}
	for _, h := range k.held {
		if h, ok := h.(interface{ Bytes() int }); ok {
			n += h.Bytes()
		}
	}
	return n
}

// BytesBeyond is what these take that another copy, or nil, has not.
func (k *Copy[F]) BytesBeyond(other *Copy[F]) int {
	n := 0
	for i := range k.Chains {
		var o *ChainState[F]
		if other != nil && i < len(other.Chains) {
			o = &other.Chains[i]
		}
		n += k.Chains[i].bytesBeyond(o)
	}
	return n
}

// Fits reports whether the run can be made what a copy holds: one on another seed draws other noise.
func (r *Records[F]) Fits(k *Copy[F]) bool {
	a, b := &r.Config, &k.Config
	return len(k.Chains) == len(r.Chains) && len(k.held) == len(r.witnesses) &&
		a.Seed == b.Seed && a.Draw == b.Draw && a.SameNoise == b.SameNoise && a.Stream == b.Stream
}
