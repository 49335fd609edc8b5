package export

import (
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/targets"
)

// TestNPY checks files byte by byte against NumPy's description of the form.
func TestNPY(t *testing.T) {
	for _, c := range []struct {
		a    array
		dict string
		data string
	}{
		{array{shape: []int{2}, values: []float64{1, -2}}, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
			"\x00\x00\x00\x00\x00\x00\xf0\x3f" + "\x00\x00\x00\x00\x00\x00\x00\xc0"},
		{array{shape: []int{1}, values: []float32{0.5}}, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }",
			"\x00\x00\x00\x3f"},
		// θ has (1, 2), (3, 4), (5, 6): three inputs of two units.
		{parts([]targets.Layer{{Name: "a", To: 6, Rows: 3, Cols: 2}}, []float32{1, 2, 3, 4, 5, 6})[0],
			"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
			"\x00\x00\x80\x3f\x00\x00\x40\x40\x00\x00\xa0\x40" + "\x00\x00\x00\x40\x00\x00\x80\x40\x00\x00\xc0\x40"},
	} {
		// The header ends with a newline at a multiple of 64 bytes: 128 for each of these.
		want := "\x93NUMPY\x01\x00" + "\x76\x00" + c.dict + strings.Repeat(" ", 117-len(c.dict)) + "\n" + c.data
		if got := string(numpy.NPY(c.a.shape, c.a.values)); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// TestWeightNames checks that every network's arrays have names of their own and
// hold all of θ once.
func TestWeightNames(t *testing.T) {
	for _, spec := range []string{"mlp:9", "cnn:20", "cnn:nin", "cnn:maxout"} {
		p, err := targets.Open(spec, targets.Options{Dataset: "strokes"})
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float32, p.Dim())
		all := arrays(engine.NewestTheta{F32: theta, Layers: p.Impl().(targets.Layered).Layers()})
		size, names := 0, []string{}
		for _, a := range all {
			n := 1
			for _, k := range a.shape {
				n *= k
			}
			if n != len(a.values.([]float32)) {
				t.Errorf("%s: %s has %d numbers in the shape %v", spec, a.name, len(a.values.([]float32)), a.shape)
			}
			if (len(a.shape) == 1) != strings.HasSuffix(a.name, ".bias.npy") || slices.Contains(names, a.name) {
				t.Errorf("%s: an array %s of shape %v beside %v", spec, a.name, a.shape, names)
			}
			size += n
			names = append(names, a.name)
		}
		if size != len(theta) || !slices.Equal(names, arrayNames(p)) {
			t.Errorf("%s: %d of %d numbers, in %v, want %v", spec, size, len(theta), names, arrayNames(p))
		}
	}
}
