//go:build !noasm

package simd

import "golang.org/x/sys/cpu"

func best() Path {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return Generic
	case x.HasAVX512F && x.HasAVX512DQ && x.HasBMI2:
		return AVX512
	}
	return AVX2
}
