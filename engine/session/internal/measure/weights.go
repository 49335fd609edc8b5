package measure

import (
	"math"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

const (
	weightBins = 64
	// weightsEvery bounds how often the weights are looked through: a network has millions.
	weightsEvery = 500 * time.Millisecond
)

// weights reads the layers' histograms of a network's parameters, or of θ.
type weights[F sampler.Float] struct {
	kept   *kept[F]
	shown  bool
	newest []engine.LayerView
	at     uint64 // odometer
	made   time.Time
}

func (w *weights[F]) forget() { w.newest = nil }

// view returns the histograms: while the lane runs, those of at most weightsEvery ago.
func (w *weights[F]) view() []engine.LayerView {
	if !w.shown {
		return nil
	}
	if w.newest != nil && (w.at == w.kept.Odometer || w.kept.now.Moving && time.Since(w.made) < weightsEvery) {
		return w.newest
	}
	c := w.kept.First
	layers := []targets.Layer{{Name: "θ", To: len(c.State.Theta)}}
	if t, ok := w.kept.Problem.Impl().(targets.Layered); ok {
		layers = t.Layers()
	}
	// By the newest step, if there is one.
	preconditioned := c.Info.GMax > 0 && !(c.Info.GMin == 1 && c.Info.GMax == 1)
	views := make([]engine.LayerView, len(layers))
	for i, y := range layers {
		v := engine.LayerView{Name: y.Name, N: y.To - y.From}
		theta := w.kept.Shown(c.State.Theta)[y.From:y.To]
		v.Theta = binsOf(theta, func(x float64) float64 { return x })
		sum, sq := 0.0, 0.0
		for _, x := range theta {
			sum += float64(x)
			sq += float64(float64(x) * float64(x))
		}
		n := float64(len(theta))
		v.SD = math.Sqrt(max(0, sq/n-sum/n*sum/n))
		if preconditioned {
			gain := make([]F, len(theta))
			for k := range gain {
				gain[k] = c.Kernel.GainAt(y.From + k)
			}
			v.Gain = binsOf(gain, math.Log10)
		}
		views[i] = v
	}
	w.newest, w.at, w.made = views, w.kept.Odometer, time.Now()
	return views
}

// binsOf counts the finite values of f(x).
func binsOf[F sampler.Float](xs []F, f func(float64) float64) engine.Bins {
	b := engine.Bins{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, x := range xs {
		if v := f(float64(x)); !math.IsNaN(v) && !math.IsInf(v, 0) {
			b.Lo, b.Hi = min(b.Lo, v), max(b.Hi, v)
		}
	}
	if !(b.Lo <= b.Hi) {
		return engine.Bins{}
	}
	if b.Hi-b.Lo < 0x1p-1000 { // which nothing can be divided by
		b.Lo, b.Hi = b.Lo-0.5, b.Hi+0.5
	}
	b.Counts = make([]uint32, weightBins)
	scale := weightBins / (b.Hi - b.Lo)
	for _, x := range xs {
		if v := f(float64(x)); !math.IsNaN(v) && !math.IsInf(v, 0) {
			b.Counts[min(int((v-b.Lo)*scale), weightBins-1)]++
		}
	}
	return b
}
