package network

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// blanks is how many training images withBlanks has: a minibatch of the largest.
const blanks = 1000

// withBlanks opens networks on a folder of small blank images, which is quick.
func withBlanks(t *testing.T) *study.Targets {
	t.Helper()
	dir := t.TempDir()
	for name, n := range map[string]int{"train": blanks, "t10k": 10} {
		const side = 8
		labels := make([]byte, n)
		for i := range labels {
			labels[i] = byte(i % 10)
		}
		count := []byte{0, 0, byte(n >> 8), byte(n)}
		for file, b := range map[string][]byte{
			name + "-images-idx3-ubyte": slices.Concat([]byte{0, 0, 8, 3}, count, []byte{0, 0, 0, side, 0, 0, 0, side},
				make([]byte, n*side*side)),
			name + "-labels-idx1-ubyte": slices.Concat([]byte{0, 0, 8, 1}, count, labels),
		} {
			if err := os.WriteFile(filepath.Join(dir, file), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &study.Targets{Options: targets.Options{Dataset: dir}}
}

// Networks on the same data have them once.
func TestTargetsShareImages(t *testing.T) {
	open := withBlanks(t)
	pixel := func(spec string) *byte {
		p, err := open.Open(spec, "")
		if err != nil {
			t.Fatal(err)
		}
		return &p.Impl().(targets.Pictures).Picture(dataset.Train, 0)[0]
	}
	if pixel("mlp:5") != pixel("mlp:6") {
		t.Error("two networks have read the images twice")
	}
}
