//go:build !noasm

package simd

import "golang.org/x/sys/cpu"

func have() []Path {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return []Path{Generic}
	case x.HasAVX512F && x.HasAVX512DQ && x.HasBMI2:
		return []Path{Generic, AVX2, AVX512}
	}
	return []Path{Generic, AVX2}
}
