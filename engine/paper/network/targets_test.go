package network

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/targets"
)

// Networks on the same data have them once.
func TestTargetsShareImages(t *testing.T) {
	open := papertest.WithBlanks(t)
	pixel := func(spec string) *byte {
		p, err := open.Open(spec, "")
		if err != nil {
			t.Fatal(err)
		}
		return &p.Impl().(targets.Pictures).Picture(targets.Train, 0)[0]
	}
	if pixel("mlp:5") != pixel("mlp:6") {
		t.Error("two networks have read the images twice")
	}
}
