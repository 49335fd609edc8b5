//go:build !amd64 || noasm

package simd

func best() Path { return Generic }
