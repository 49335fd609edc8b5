//go:build !noasm

package f32

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A vector register above 15 would need more than AVX2, and the assembler does
// not say so.
func TestAVX2UsesNoMore(t *testing.T) {
	more := regexp.MustCompile(`\b([XY](1[6-9]|[23]\d)|Z\d+|K[0-7])\b`)
	functions := 0
	for _, name := range []string{"tiles256_amd64.s", "sparse_amd64.s", "pack_amd64.s", "elements_amd64.s",
		"winograd_amd64.s"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range strings.Split(string(source), "TEXT ·")[1:] {
			if function, _, _ := strings.Cut(code, "("); strings.HasSuffix(function, "AVX2") {
				functions++
				if r := more.FindString(code); r != "" {
					t.Errorf("%s uses %s", function, r)
				}
			}
		}
	}
	if functions != 6+10+2+7+5 {
		t.Errorf("found %d functions for AVX2", functions)
	}
}
