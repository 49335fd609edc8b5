//go:build !noasm

package metrics

import "testing"

func TestLagPath(t *testing.T) {
	if chooseLagPath("generic") != lagsGeneric || chooseLagPath("avx2") < lagsAVX2 || chooseLagPath("x") != chooseLagPath("") {
		t.Error("PSGLD_SIMD does not choose the path")
	}
}
