package predictive

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// The parts are the averages over their draws, their weighted average is that of all, and a
// new window begins anew.
func TestParts(t *testing.T) {
	labels := []int32{0, 1, 2}
	const classes, most = 3, 4
	p := New(labels, classes)
	parts := NewParts(p, most)
	for round := range 2 {
		var draws [][]float64
		var weights []float64
		for n := 1; n <= 50; n++ {
			x := make([]float64, len(labels)*classes)
			for i := range x {
				x[i] = math.Mod(math.Abs(math.Sin(float64(n*31+i*7+round))), 1)
			}
			w := 1 / float64(n)
			draws, weights = append(draws, x), append(weights, w)
			p.Add(w, x)
			parts.Added()
			got, gotW := parts.All()
			if n <= most && len(got) != n || n > most && (len(got) < most/2 || len(got) > most+1) ||
				len(got) != len(gotW) {
				t.Fatalf("%d parts of %d draws", len(got), n)
			}
			size := 1
			for n/size > most {
				size *= 2
			}
			for k := range got {
				var sum, all float64
				for d := k * size; d < min((k+1)*size, n); d++ {
					sum += weights[d] * draws[d][4]
					all += weights[d]
				}
				if math.Abs(float64(got[k][4])-sum/all) > 1e-6 || math.Abs(gotW[k]-all) > 1e-12 {
					t.Fatalf("part %d of %d draws: %v with weight %v, want %v with %v",
						k, n, got[k][4], gotW[k], sum/all, all)
				}
			}
		}
		p.Reset()
	}
	x := make([]float64, len(labels)*classes)
	if n := alloctest.PerRun(100, func() { p.Add(1, x); parts.Added() }); n != 0 {
		t.Errorf("a draw allocates %v times", n)
	}
}
