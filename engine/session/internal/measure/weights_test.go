package measure

import "testing"

// Values that are the same, or differ by next to nothing, are counted all the same.
func TestBinsOfLittleWidth(t *testing.T) {
	for _, apart := range []float64{0, 5e-324, 1e-310, 1e-290} {
		b := binsOf([]float64{0, apart, apart}, func(x float64) float64 { return x })
		sum := uint32(0)
		for _, n := range b.Counts {
			sum += n
		}
		if sum != 3 || !(b.Lo < b.Hi) {
			t.Errorf("values %g apart: %d of 3 are counted, from %g to %g", apart, sum, b.Lo, b.Hi)
		}
	}
}
