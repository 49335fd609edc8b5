//go:build !(amd64 || arm64) || noasm

package simd

func have() []Path { return []Path{Generic} }
