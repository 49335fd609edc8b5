package f32

import "testing"

func TestChoosePath(t *testing.T) {
	for _, c := range []struct {
		have  path
		limit string
		want  path
	}{
		{avx512, "", avx512}, {avx512, "avx2", avx2}, {avx512, "generic", generic}, {avx512, "avx512", avx512},
		{avx2, "avx512", avx2}, {generic, "avx512", generic}, {generic, "avx2", generic}, {avx2, "sse9", avx2},
	} {
		if got := choose(c.have, c.limit); got != c.want {
			t.Errorf("choose(%v, %q) = %v, want %v", pathNames[c.have], c.limit, pathNames[got], pathNames[c.want])
		}
	}
}
