package f32

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAddNormalsIsBoxMuller(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	worst := 0.0
	for i := range 200_000 {
		w := []uint32{r.Uint32(), r.Uint32()}
		if i%4 == 0 { // the ends
			w[0] = []uint32{0, 1, math.MaxUint32, math.MaxUint32 - 1, 1 << 31, 1<<31 - 1}[r.IntN(6)]
			w[1] = uint32(r.IntN(8))<<29 + uint32(r.IntN(3)) - 1
		}
		x := []float32{3, -2}
		AddNormals(x, 0, w)
		if x[0] != 3 || x[1] != -2 {
			t.Fatal("changed by a standard deviation of 0")
		}
		x[0], x[1] = 0, 0
		AddNormals(x, 1, w)
		radius := math.Sqrt(-2 * math.Log((float64(w[0])+0.5)/(1<<32)))
		sin, cos := math.Sincos(2 * math.Pi * (float64(w[1]) + 0.5) / (1 << 32))
		off := math.Hypot(float64(x[0])-radius*cos, float64(x[1])-radius*sin)
		worst = max(worst, off/radius)
		odd := []float32{5}
		AddNormals(odd, 2, w)
		if want := 5 + 2*x[0]; odd[0] != want {
			t.Fatalf("an odd one is %v, want %v", odd[0], want)
		}
	}
	t.Logf("off by %.2g of 2⁻²¹ of the radius", worst*0x1p21)
	if worst > 0x1p-21 {
		t.Errorf("off by %g of the radius", worst)
	}
}

func BenchmarkAddNormals(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, words := make([]float32, 256), make([]uint32, 256)
	for i := range words {
		words[i] = r.Uint32()
	}
	for b.Loop() {
		AddNormals(x, 1, words)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(256*b.N), "ns/number")
}
