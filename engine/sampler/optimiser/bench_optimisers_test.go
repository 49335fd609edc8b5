package optimiser

import (
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
)

// benchmarkSteps measures steps at T = 0 from a start, and the best and the median
// as well as the mean, for the machine may do other things in between.
func benchmarkSteps(b *testing.B, m sampler.Method, k sampler.Kernel[float32], g sampler.Gradient[float32],
	start []float32) {
	s, p := sampler.NewState(start), samplertest.Params(m, 1e-9, 0)
	p.N, p.PriorPrec = 60000, 1
	if k, ok := k.(sampler.Beginner[float32]); ok {
		k.Begin(&s, p)
	}
	z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), len(start))
	var info sampler.Info
	k.Step(&s, g, p, z, &info)
	took := make([]time.Duration, b.N)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range took {
		from := time.Now()
		k.Step(&s, g, p, z, &info)
		took[i] = time.Since(from)
	}
	slices.Sort(took)
	b.ReportMetric(took[0].Seconds()*1e3, "best-ms")
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "median-ms")
	if !info.OK {
		b.Fatal("diverged")
	}
}

// What a step takes beside its gradient, on the weights of 784-400-400-10.
func BenchmarkOptimisers(b *testing.B) {
	const dim = 785*400 + 401*400 + 401*10
	for _, m := range []sampler.Method{langevin.PSGLDAdagrad, langevin.PSGLDAdam, SGD, RMSprop, Adagrad,
		Adadelta, Adam} {
		b.Run(m.Name, func(b *testing.B) {
			theta, grad := samplertest.Start32(dim), samplertest.Start32(dim)
			for i := range grad {
				grad[i] *= 0.01
			}
			benchmarkSteps(b, m, m.New32(samplertest.OfDim[float32](dim)), samplertest.NewGiven(grad), theta)
		})
	}
}

// still is a network's Gradient that stays what it was.
type still struct{ *samplertest.Trained }

func (s still) Eval([]float32, sampler.Ask) *sampler.Eval[float32] { return &s.E }

// The step of rmsspectral on 784-400-400-10 without its gradient, for comparison
// that of rmsprop with it, and that of SGD with dropout's.
func BenchmarkNetworkOptimisers(b *testing.B) {
	g, start := samplertest.NewTrained(b, "mlp:400-400", 1)
	g.Eval(start, 0)
	b.Run("rmsspectral", func(b *testing.B) {
		benchmarkSteps(b, RMSspectral, RMSspectral.New32(g.Net), still{g}, start)
	})
	b.Run("rmsprop,gradient", func(b *testing.B) { benchmarkSteps(b, RMSprop, RMSprop.New32(g.Net), g, start) })
	b.Run("sgd-dropout,gradient", func(b *testing.B) {
		benchmarkSteps(b, SGDDropout, SGDDropout.New32(g.Net), g, start)
	})
}
