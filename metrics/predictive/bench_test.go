package predictive

import "testing"

// BenchmarkAdd is one draw's test predictions on a9a: 16,281 rows of two classes.
func BenchmarkAdd(b *testing.B) {
	p, probs := New(make([]int32, 16281), 2), make([]float64, 2*16281)
	for i := range probs {
		probs[i] = 0.5
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Add(0.1, probs)
	}
}

func BenchmarkScores(b *testing.B) {
	p, probs := New(make([]int32, 16281), 2), make([]float64, 2*16281)
	for i := range probs {
		probs[i] = 0.5
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Add(0.1, probs)
		p.Scores()
	}
}
