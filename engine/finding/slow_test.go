//go:build slow

package finding_test

import (
	"flag"
	"testing"
)

var (
	right = flag.Int("right", 50, "seeds for what is true of a planted session")
	wrong = flag.Int("wrong", 300, "seeds for what is not")
)

func TestPlantedSlow(t *testing.T) {
	audit(t, false, *right, *wrong)
	audit(t, true, *right, *wrong)
}
