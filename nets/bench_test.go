package nets

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// BenchmarkGrad measures a gradient of 100 of 2,000 images of MNIST's size or CIFAR-10's,
// of which four pixels in five are 0, in random order.
func BenchmarkGrad(b *testing.B) {
	in := Input{Shape{28, 28, 1}, PixelDivisor}
	for _, c := range []struct {
		name string
		net  *Network
		// products is how many multiplications and additions one image takes in
		// all products of both directions.
		products float64
	}{
		{"mlp400", must(MLP(in, []int{400, 400}, 10)), 4*784*400 + 6*(400*400+4000)},
		{"mlp1200", must(MLP(in, []int{1200, 1200}, 10)), 4*784*1200 + 6*(1200*1200+12_000)},
		{"cnn", must(CNN(in, []int{32, 64}, []int{200, 200}, 10)), 4*784*25*32 + 6*(196*800*64+3136*200+40_000+2000)},
		{
			"cnn-colour", must(CNN(Input{Shape{32, 32, 3}, PixelDivisor}, []int{32, 32, 64}, []int{200, 200}, 10)),
			4*1024*75*32 + 6*(256*800*32+64*800*64+1024*200+40_000+2000),
		},
	} {
		p, batch := benchmarkProblem(c.net)
		dst := make([]float32, c.net.Dim())
		for workers := 1; workers <= 2; workers++ {
			b.Run(fmt.Sprintf("%s/workers=%d/%s", c.name, workers, simd.Active), func(b *testing.B) {
				ws := c.net.NewWorkspace(workers)
				defer ws.Close()
				b.ReportAllocs()
				for b.Loop() {
					c.net.Grad(ws, dst, p.t32, p.data, batch)
				}
				b.ReportMetric(100*c.products*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}

// benchmarkProblem is 2,000 images, of which four pixels in five are 0, and a
// minibatch of 100.
func benchmarkProblem(n *Network) (problem, []int32) {
	p := newProblem(n, 2000)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range p.data.X {
		if r.IntN(5) > 0 {
			p.data.X[i] = 0
		}
	}
	batch := make([]int32, 100)
	for i := range batch {
		batch[i] = int32(r.IntN(2000))
	}
	return p, batch
}

// BenchmarkGradRandom measures what drawing adds to a gradient, and distillation.
func BenchmarkGradRandom(b *testing.B) {
	in := Input{Shape{28, 28, 1}, PixelDivisor}
	for _, c := range []struct {
		name string
		net  *Network
	}{
		{"mlp400", must(MLP(in, []int{400, 400}, 10))},
		{"cnn", must(CNN(in, []int{32, 64}, []int{200, 200}, 10))},
	} {
		p, batch := benchmarkProblem(c.net)
		dst, teacher := make([]float32, c.net.Dim()), make([]float32, c.net.Dim())
		for i, t := range p.t32 {
			teacher[i] = 0.9 * t
		}
		for workers := 1; workers <= 2; workers++ {
			ws := c.net.NewWorkspace(workers)
			for _, f := range []struct {
				name string
				run  func(r Random)
			}{
				{"plain", func(Random) { c.net.Grad(ws, dst, p.t32, p.data, batch) }},
				{"hidden", func(r Random) { c.net.GradRandom(ws, dst, p.t32, p.data, batch, r, Keep{1, 0.5}) }},
				{"dropout", func(r Random) { c.net.GradRandom(ws, dst, p.t32, p.data, batch, r, Keep{0.8, 0.5}) }},
				{"distill", func(r Random) { c.net.GradDistill(ws, dst, p.t32, teacher, p.data, batch, r, 0) }},
				{"jitter", func(r Random) { c.net.GradDistill(ws, dst, p.t32, teacher, p.data, batch, r, 0.1) }},
			} {
				b.Run(fmt.Sprintf("%s/%s/workers=%d/%s", c.name, f.name, workers, simd.Active), func(b *testing.B) {
					b.ReportAllocs()
					var r Random = philox{1}
					for b.Loop() {
						f.run(r)
					}
				})
			}
			ws.Close()
		}
	}
}
