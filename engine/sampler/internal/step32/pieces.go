// Package step32 holds the samplers' passes over long float32 vectors: the code
// that defines them to the bit beside assembly of the same results.
package step32

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// PieceSize is the number of coordinates in a piece, which one core steps and which has sums of its own.
const PieceSize = 256 * noise.Group

// Tiny is the least float32 that is not denormal. A second moment that decays where the gradient is zero, as a dead
// unit's does, would end below it and stay there, and many processors are slow on such numbers: below it is zero. Its
// root is far below any λ.
const Tiny = 0x1p-126

// TinyOf is Tiny in float32, and 0 in float64, which no second moment leaves.
func TinyOf[F ~float32 | ~float64]() F {
	if x := F(1); x+0x1p-30 == x {
		return Tiny
	}
	return 0
}

// Pieces are those of a vector that several cores can step. A kernel that embeds them implements sampler.Parallel.
type Pieces struct {
	path simd.Path
	dim  int
	each func(n int, task func(worker, i int))
}

// NewPieces returns the pieces of a vector of length dim.
func NewPieces(dim int) Pieces { return Pieces{path: simd.Active, dim: dim} }

// Path names the way that a piece is stepped, one of package simd's.
func (p *Pieces) Path() simd.Path { return p.path }

// SetPath changes the path to another that the machine has, for tests.
func (p *Pieces) SetPath(path simd.Path) { p.path = path }

// Spread implements sampler.Parallel.
func (p *Pieces) Spread(each func(n int, task func(worker, i int))) { p.each = each }

// Count is the number of pieces.
func (p *Pieces) Count() int { return PieceCount(p.dim) }

// PieceCount is the number of pieces of a vector of length dim.
func PieceCount(dim int) int { return (dim + PieceSize - 1) / PieceSize }

// Do calls task for every piece.
func (p *Pieces) Do(task func(worker, i int)) { p.DoSome(p.Count(), task) }

// DoSome calls task for every i < n.
func (p *Pieces) DoSome(n int, task func(worker, i int)) {
	if p.each != nil && n > 1 {
		p.each(n, task)
		return
	}
	for i := range n {
		task(0, i)
	}
}

// Bounds is where piece i begins and ends.
func (p *Pieces) Bounds(i int) (from, to int) { return i * PieceSize, min((i+1)*PieceSize, p.dim) }

// Eight is a number as assembly reads it.
func Eight(x float32) [8]float32 { return [8]float32{x, x, x, x, x, x, x, x} }

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// magnitude is the bits of |x|. They grow as |x| does; those of NaN are above all numbers'.
func magnitude(x float32) uint32 { return math.Float32bits(x) & (1<<31 - 1) }
