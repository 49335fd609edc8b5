package simd

import "testing"

func TestChoosePath(t *testing.T) {
	for _, c := range []struct {
		have  Path
		limit string
		want  Path
	}{
		{AVX512, "", AVX512}, {AVX512, "avx2", AVX2}, {AVX512, "generic", Generic}, {AVX512, "avx512", AVX512},
		{AVX2, "avx512", AVX2}, {Generic, "avx512", Generic}, {Generic, "avx2", Generic}, {AVX2, "sse9", AVX2}, {AVX512, "exact", Generic},
	} {
		if got := choose(c.have, c.limit); got != c.want {
			t.Errorf("choose(%v, %q) = %v, want %v", c.have, c.limit, got, c.want)
		}
	}
}
