//go:build (amd64 || arm64) && !noasm

package f32

import (
	"reflect"
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
