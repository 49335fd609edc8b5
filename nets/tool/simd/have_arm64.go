//go:build !noasm

package simd

// Every processor of the architecture that Go supports has NEON.
func have() []Path { return []Path{Generic, NEON} }
