//go:build !noasm

package f32

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// The assembly counts on fields of eight bytes, one after the other.
func TestTileFields(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[tile](), reflect.TypeFor[strip]()} {
		for i := range typ.NumField() {
			if f := typ.Field(i); f.Offset != uintptr(8*i) || f.Type.Size() != 8 {
				t.Errorf("field %s has %d bytes at %d", f.Name, f.Type.Size(), f.Offset)
			}
		}
	}
	if typ := reflect.TypeFor[entry](); typ.Size() != 8 || typ.Field(1).Offset != 4 {
		t.Errorf("entries of %d bytes", typ.Size())
	}
}

// A vector register above 15 would need more than AVX2, and the assembler does
// not say so.
func TestAVX2UsesNoMore(t *testing.T) {
	more := regexp.MustCompile(`\b([XY](1[6-9]|[23]\d)|Z\d+|K[0-7])\b`)
	functions := 0
	for _, name := range []string{"tiles256_amd64.s", "sparse_amd64.s", "pack_amd64.s", "elements_amd64.s"} {
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
	if functions != 6+8+2+7 {
		t.Errorf("found %d functions for AVX2", functions)
	}
}
