package numpy

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"
)

// One more digit than fits in 64 bytes less the rest makes the header longer.
func TestHeaderIsAligned(t *testing.T) {
	for n := 1; n < 1e9; n *= 10 {
		for _, shape := range [][]int{{n}, {n, n}} {
			b := header("<f4", shape)
			if len(b)%64 != 0 || b[len(b)-1] != '\n' || int(binary.LittleEndian.Uint16(b[8:])) != len(b)-10 {
				t.Errorf("the header of shape %v has %d bytes: %q", shape, len(b), b)
			}
		}
	}
}

// What was written is read, and nothing else is.
func TestReadBack(t *testing.T) {
	b := NPY([]int{2, 3}, []uint16{1, 2, 3, 4, 5, 65535})
	got, shape, err := Read[uint16](b, 2)
	if err != nil || !reflect.DeepEqual(got, []uint16{1, 2, 3, 4, 5, 65535}) || !reflect.DeepEqual(shape, []int{2, 3}) {
		t.Errorf("%v of shape %v, %v", got, shape, err)
	}
	if none, shape, err := Read[float64](NPY([]int{0, 4}, []float64{}), 2); err != nil || len(none) != 0 ||
		shape[1] != 4 {
		t.Errorf("%v of shape %v, %v", none, shape, err)
	}
	for n := range b {
		if _, _, err := Read[uint16](b[:n], 2); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(b))
		}
	}
	if _, _, err := Read[uint16](b, 1); err == nil {
		t.Error("two dimensions are read as one")
	}
	if _, _, err := Read[float32](b, 2); err == nil {
		t.Error("whole numbers are read as others")
	}
	if _, _, err := Read[uint8](header("|u1", []int{1 << 30, 1 << 30, 1 << 30}), 3); err == nil {
		t.Error("a shape beyond memory is read")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(Pack(File{"a.npy", NPY([]int{2}, []float64{1, 2})}))
	f.Fuzz(func(_ *testing.T, b []byte) {
		files, _ := Unpack(b)
		for _, x := range files {
			_, _, _ = Read[float64](x, 1)
		}
	})
}

// Floating-point numbers are read whatever has written them, and what is cut off is not.
func TestReadFloats(t *testing.T) {
	b := NPY([]int{2, 3}, []float32{1, 2, 3, 4, 5, 6})
	if got, shape, err := ReadFloats(bytes.NewReader(b), 6); err != nil ||
		!reflect.DeepEqual(got, []float64{1, 2, 3, 4, 5, 6}) || !reflect.DeepEqual(shape, []int{2, 3}) {
		t.Errorf("%v of shape %v, %v", got, shape, err)
	}
	turned := bytes.Replace(b, []byte("'fortran_order': False"), []byte("'fortran_order': True "), 1)
	if got, _, err := ReadFloats(bytes.NewReader(turned), 6); err != nil ||
		!reflect.DeepEqual(got, []float64{1, 3, 5, 2, 4, 6}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, _, err := ReadFloats(bytes.NewReader(b), 5); err == nil {
		t.Error("more numbers are read than are allowed")
	}
	for n := range b {
		if _, _, err := ReadFloats(bytes.NewReader(b[:n]), 6); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(b))
		}
	}
}

func FuzzReadFloats(f *testing.F) {
	f.Add(NPY([]int{2}, []float64{1, 2}))
	f.Add(NPY([]int{1, 2}, []float32{1, 2}))
	f.Fuzz(func(t *testing.T, b []byte) {
		values, shape, err := ReadFloats(bytes.NewReader(b), 1000)
		n := 1
		for _, d := range shape {
			n *= d
		}
		if err == nil && n != len(values) {
			t.Errorf("%d numbers of shape %v", len(values), shape)
		}
	})
}
