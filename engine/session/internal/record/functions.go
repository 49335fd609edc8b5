package record

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// keptFunctions is how many draws' functions are kept of a chain at most. Beyond it every second one is, and so on.
const keptFunctions = 2048

// Functions is the witness of the functions that draws are, on a target that has one. It takes each draw alike,
// whatever its weight. Where the lane has a point and no draws ([Run.Points]), it takes the newest state alone, by all
// that this predicts by.
type Functions[F sampler.Float] struct {
	Plain
	Target targets.Functional
	by     *proxies[F]
	functions
	value, density, below []float64 // scratch
	block                 *metrics.Block
}

// functions is what a keyframe holds of Functions.
type functions struct {
	Keepers []*metrics.Keeper // of the chains, a coordinate for each place
	// Density and Below are the sums over draws of p(y | x, θ) and P(Y < y | x, θ) of each datum held out.
	Density, Below []float64
	Draws          uint64
}

// newFunctions is nil on a target that is no function.
func newFunctions[F sampler.Float](r *Run[F], by *proxies[F]) *Functions[F] {
	f, ok := any(r.Target).(targets.Functional)
	if !ok {
		return nil
	}
	places, held := len(f.Places())/f.Inputs(), len(f.Data(dataset.Test).Y)
	w := &Functions[F]{Target: f, by: by, value: make([]float64, places), density: make([]float64, held),
		below: make([]float64, held), block: metrics.NewBlock(places, 1)}
	w.Density, w.Below = make([]float64, held), make([]float64, held)
	w.Keepers = list.Map(r.Chains, func(*Chain[F]) *metrics.Keeper { return metrics.NewKeeper(places, keptFunctions) })
	return w
}

// Take implements [Witness].
func (w *Functions[F]) Take(d *Draws[F]) {
	if w.by.run.Points() {
		if d.First == 0 && !w.by.run.Untrained() {
			w.NewWindow()
			for k := range w.by.vectors() {
				w.take(0, w.by.vector(k))
			}
		}
		return
	}
	for t := range d.N {
		for k := range d.Chains {
			w.take(d.First+k, d.Theta(k, t*d.Every))
		}
	}
}

// take takes a draw of chain k.
func (w *Functions[F]) take(k int, draw []F) {
	theta, ok := any(draw).([]float64)
	if !ok {
		return
	}
	w.Target.Function(w.value, theta)
	w.block.Push(w.value)
	w.Keepers[k].Add(w.block)
	w.block.Reset()
	w.Target.HeldOut(w.density, w.below, theta)
	for i, p := range w.density {
		w.Density[i] += p
		w.Below[i] += w.below[i]
	}
	w.Draws++
}

// NewWindow implements [Witness].
func (w *Functions[F]) NewWindow() {
	for _, k := range w.Keepers {
		k.NewWindow()
	}
	clear(w.Density)
	clear(w.Below)
	w.Draws = 0
}

// clone is a copy that shares nothing that is written to.
func (f *functions) clone() *functions {
	keepers := list.Map(f.Keepers, func(k *metrics.Keeper) *metrics.Keeper { return k.Clone().(*metrics.Keeper) })
	return &functions{keepers, slices.Clone(f.Density), slices.Clone(f.Below), f.Draws}
}

// Copy implements [Witness].
func (w *Functions[F]) Copy() any { return w.clone() }

// Set implements [Witness].
func (w *Functions[F]) Set(from any) { w.functions = *from.(*functions).clone() }

// Bytes is what a keyframe takes with it.
func (f *functions) Bytes() int {
	return 16*len(f.Density) +
		list.Sum(f.Keepers, func(k *metrics.Keeper) int { return k.Bytes() + k.BytesBeyond(nil) })
}
