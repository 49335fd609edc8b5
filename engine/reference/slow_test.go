//go:build slow

package reference

import (
	"testing"
)

// Of 1,000 right pairs at most 3 are accused, and each difference is seen in 95 of 100, also where τ is 20.
func TestPairsOverSeeds(t *testing.T) {
	n := accused(t, 1000)
	t.Logf("%d of 1,000 right pairs are accused", n)
	if n > 3 {
		t.Errorf("%d of 1,000 right pairs are accused", n)
	}
	for _, phi := range []float64{0, 19.0 / 21} {
		for name, l := range wrong {
			n := found(t, 100, phi, l, normal)
			t.Logf("φ = %g: %s is seen in %d of 100", phi, name, n)
			if n < 95 {
				t.Errorf("%s is seen in %d of 100", name, n)
			}
		}
		n := found(t, 100, phi, normal, bimodal)
		t.Logf("φ = %g: a lost mode is seen in %d of 100", phi, n)
		if n < 95 {
			t.Errorf("a lost mode is seen in %d of 100", n)
		}
	}
}
