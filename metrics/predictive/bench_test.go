package predictive

import "testing"

// BenchmarkAdd is one draw's test predictions on a9a, 16,281 rows of two classes, and BenchmarkScores their scores too.
func BenchmarkAdd(b *testing.B)    { bench(b, func(*Average) {}) }
func BenchmarkScores(b *testing.B) { bench(b, func(p *Average) { p.Scores() }) }

func bench(b *testing.B, then func(*Average)) {
	p, probs := New(make([]int32, 16281), 2), make([]float64, 2*16281)
	for i := range probs {
		probs[i] = 0.5
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Add(0.1, probs)
		then(p)
	}
}
