//go:build !noasm

package simd

func have() []Path { return []Path{Generic} }
