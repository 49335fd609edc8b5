package simd

import (
	"slices"
	"testing"
)

func TestUpTo(t *testing.T) {
	zen, old, arm := []Path{Generic, AVX2, AVX512}, []Path{Generic, AVX2}, []Path{Generic, NEON}
	for _, c := range []struct {
		have  []Path
		limit string
		want  Path
	}{
		{zen, "", AVX512}, {zen, "avx2", AVX2}, {zen, "generic", Generic}, {zen, "avx512", AVX512},
		{zen, "exact", Generic}, {zen, "neon", AVX512},
		{old, "avx512", AVX2}, {old, "sse9", AVX2}, {arm, "", NEON}, {arm, "avx2", NEON}, {arm, "generic", Generic},
		{arm, "exact", Generic},
	} {
		if got := upTo(c.have, c.limit); got[len(got)-1] != c.want || !slices.Equal(got, c.have[:len(got)]) {
			t.Errorf("upTo(%v, %q) = %v, want up to %v", c.have, c.limit, got, c.want)
		}
	}
}
