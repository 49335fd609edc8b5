package metrics

import "fmt"

// Block is a batch of kept draws, one column a coordinate, with the weight of each draw.
//
// Coordinate i of draw t is X[i*Cap+t] and its weight (the step size ε_t of the step that made it) is W[t], for t < N.
type Block struct {
	Dim, Cap, N int
	X           []float64 // Dim columns of Cap
	W           []float64 // Cap
	// Last is the step of the newest draw, and Every how many steps the draws lie apart. A Chain and a Keeper do not ask.
	Last, Every uint64
}

// NewBlock returns an empty block for up to cap draws of dim coordinates.
func NewBlock(dim, cap int) *Block {
	if dim < 0 || cap < 1 {
		panic(fmt.Sprintf("metrics: a block of %d coordinates by %d draws", dim, cap))
	}
	return &Block{Dim: dim, Cap: cap, X: make([]float64, dim*cap), W: make([]float64, cap)}
}

// Push adds a draw of weight 1. It reports whether the block is full.
func (b *Block) Push(theta []float64) bool {
	for i, x := range theta {
		b.X[i*b.Cap+b.N] = x
	}
	b.W[b.N] = 1
	b.N++
	return b.N == b.Cap
}

// Reset forgets the draws and keeps the memory.
func (b *Block) Reset() { b.N = 0 }

// Col returns the N values of coordinate i. It shares memory with the block.
func (b *Block) Col(i int) []float64 { return b.X[i*b.Cap : i*b.Cap+b.N : i*b.Cap+b.N] }
