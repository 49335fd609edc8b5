// Package samplertest serves the tests of the samplers with targets and gradients.
package samplertest

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// OfDim is a target that is nothing but a dimension.
type OfDim[F sampler.Float] int

func (d OfDim[F]) Dim() int               { return int(d) }
func (OfDim[F]) N() int                   { return 1 }
func (OfDim[F]) Grad(_, _ []F, _ []int32) { panic("a target without a gradient") }

// Only is the part of a Gradient that most kernels do without.
type Only[F sampler.Float] struct{}

func (Only[F]) Dropout([]F, targets.Keep) *sampler.Eval[F] { panic("no dropout here") }
func (Only[F]) Target() targets.Target[F]                  { panic("no target here") }
func (Only[F]) Batch() []int32                             { return nil }

// Given is a Gradient that does not depend on θ.
type Given[F sampler.Float] struct {
	Only[F]
	E sampler.Eval[F]
}

func (g *Given[F]) Eval([]F, sampler.Ask) *sampler.Eval[F] { return &g.E }

// NewGiven returns the Gradient that is mean everywhere.
func NewGiven[F sampler.Float](mean []F) *Given[F] {
	return &Given[F]{E: sampler.Eval[F]{Mean: mean, Second: mean}}
}

// Normal is N(0, diag(V)) as a Gradient and a targets.Stationary.
type Normal struct {
	Only[float64]
	V, g, h []float64
	e       sampler.Eval[float64]
}

// NewNormal returns the normal distribution of these variances.
func NewNormal(v ...float64) *Normal {
	return &Normal{V: v, g: make([]float64, len(v)), h: make([]float64, len(v))}
}

func (n *Normal) Eval(theta []float64, ask sampler.Ask) *sampler.Eval[float64] {
	for i, x := range theta {
		n.g[i], n.h[i] = -x/n.V[i], -1/n.V[i]
	}
	n.e = sampler.Eval[float64]{Mean: n.g, Second: n.g}
	if ask&sampler.AskHess != 0 {
		n.e.Hess = n.h
	}
	return &n.e
}

func (n *Normal) SGLDCov([]float64, float64, float64) bool { return false }
func (n *Normal) MaxStep() float64                         { return 4 * slices.Min(n.V) }

var _ targets.Stationary = (*Normal)(nil)

// Normal32 is N(0, diag(0.16, 1)) in float32.
type Normal32 struct{ Only[float32] }

func (*Normal32) Eval(theta []float32, _ sampler.Ask) *sampler.Eval[float32] {
	g := []float32{-theta[0] / 0.16, -theta[1]}
	return &sampler.Eval[float32]{Mean: g, Second: g}
}

// Network32 is a Gradient like a network's: of uneven size, in part zero, and rough enough that V moves.
type Network32 struct {
	Only[float32]
	Scale []float32
	noisy bool
	e     sampler.Eval[float32]
}

// NewNetwork32 makes one; where it is noisy, V sees another gradient.
func NewNetwork32(dim int, noisy bool) *Network32 {
	r := rand.New(rand.NewPCG(7, uint64(dim)))
	n := &Network32{Scale: make([]float32, dim), noisy: noisy}
	for i := range n.Scale {
		if i%5 != 0 {
			n.Scale[i] = float32(math.Exp(r.NormFloat64() * 3))
		}
	}
	n.e = sampler.Eval[float32]{Mean: make([]float32, dim)}
	n.e.Second = n.e.Mean
	if noisy {
		n.e.Second = make([]float32, dim)
	}
	return n
}

func (n *Network32) Eval(theta []float32, _ sampler.Ask) *sampler.Eval[float32] {
	for i, x := range theta {
		n.e.Mean[i] = -n.Scale[i] * x
		if n.noisy {
			n.e.Second[i] = n.e.Mean[i] * 0.7
		}
	}
	return &n.e
}

// Start32 is a start point on a Network32.
func Start32(dim int) []float32 {
	r := rand.New(rand.NewPCG(8, uint64(dim)))
	theta := make([]float32, dim)
	for i := range theta {
		theta[i] = float32(r.NormFloat64() * 0.1)
	}
	return theta
}

// Params are a method's parameters, the first of its own as given and the rest by default, with N = 1 and no prior.
func Params(m sampler.Method, eps, temp float64, own ...float64) *sampler.Params {
	p := &sampler.Params{Eps: eps, Temp: temp, N: 1}
	for _, q := range m.Params {
		p.Own = append(p.Own, q.Default)
	}
	copy(p.Own, own)
	return p
}

// Begun returns a method's kernel and a state at a start.
func Begun[F sampler.Float](m sampler.Method, theta []F, p *sampler.Params) (sampler.Kernel[F], sampler.State[F]) {
	var k sampler.Kernel[F]
	switch t := any(OfDim[F](len(theta))).(type) {
	case targets.Target[float32]:
		k = any(m.New32(t)).(sampler.Kernel[F])
	case targets.Target[float64]:
		k = any(m.New64(t)).(sampler.Kernel[F])
	}
	s := sampler.NewState(theta)
	if b, ok := k.(sampler.Beginner[F]); ok {
		b.Begin(&s, p)
	}
	return k, s
}

// OnPath has a kernel step by a path.
func OnPath(k sampler.Kernel[float32], path simd.Path) {
	k.(interface{ SetPath(path simd.Path) }).SetPath(path)
}

// Workers returns a Parallel.Spread for some goroutines that each go through their share backwards.
func Workers(workers int) func(n int, task func(worker, i int)) {
	return func(n int, task func(worker, i int)) {
		var all sync.WaitGroup
		for w := range workers {
			all.Go(func() {
				for i := n - 1 - w; i >= 0; i -= workers {
					task(w, i)
				}
			})
		}
		all.Wait()
	}
}
