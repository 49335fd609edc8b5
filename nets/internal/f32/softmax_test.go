package f32

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The largest error seen here is 0.64 units of 2⁻²³.
func TestExp(t *testing.T) {
	worst := 0.0
	const last = 0x42ad3333 // -86.6 but for its sign
	for bits := uint32(0); bits <= last; bits += 997 {
		x := -math.Float32frombits(bits)
		want := math.Exp(float64(x))
		worst = max(worst, math.Abs(float64(exp(x))-want)/want)
	}
	if worst > 0x1p-23 {
		t.Errorf("the error is %g of 2⁻²³", worst*0x1p23)
	}
	t.Logf("largest error %.3f of 2⁻²³", worst*0x1p23)
	for _, c := range [][2]float32{{0, 1}, {-87, 0}, {float32(math.Inf(-1)), 0}, {canary, canary}} {
		if got := exp(c[0]); !alike(got, c[1]) {
			t.Errorf("exp(%g) = %g, want %g", c[0], got, c[1])
		}
	}
}

func TestSoftmaxLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, cols := range []int{1, 2, 10, 67} {
		x, guardX := guardedMatrix(r, 30, cols, 3)
		d, guardD := guardedMatrix(r, 30, cols, 1)
		p, _ := guardedMatrix(r, 30, cols, 0)
		loss, labels := make([]float64, 30), make([]uint8, 30)
		for i := range labels {
			labels[i] = uint8(r.IntN(cols))
			Scale(x.Row(i), float32(i)) // also far apart
		}
		const scale = -1.0 / 30
		SoftmaxLoss(d, loss, x, labels, scale)
		Softmax(p, x)
		for _, g := range []guarded{guardX, guardD} {
			g.intact(t)
		}
		gapsIntact(t, d)
		rounding := float64(cols+4) * 0x1p-23
		for i := range 30 {
			row := x.Row(i)
			top := math.Inf(-1)
			for _, v := range row {
				top = math.Max(top, float64(v))
			}
			sum := 0.0
			for _, v := range row {
				sum += math.Exp(float64(v) - top)
			}
			for j, v := range row {
				// The difference from the top is rounded, by 2⁻²⁴ of itself.
				want := math.Exp(float64(v)-top) / sum
				tolerance := (rounding+0x1p-24*math.Abs(float64(v)-top))*want + 1e-37
				if got := float64(p.Row(i)[j]); math.Abs(got-want) > tolerance {
					t.Fatalf("%d classes: p[%d,%d] is %g, want %g", cols, i, j, got, want)
				}
				want *= scale
				if j == int(labels[i]) {
					others := 0.0
					for k, u := range row {
						if k != j {
							others += math.Exp(float64(u)-top) / sum
						}
					}
					want = -scale * others
				}
				if got := float64(d.Row(i)[j]); math.Abs(got-want) > (2*rounding+1e-5)*math.Abs(want)+1e-37 {
					t.Fatalf("%d classes: d[%d,%d] is %g, want %g", cols, i, j, got, want)
				}
			}
			want := math.Log(sum) + top - float64(row[labels[i]])
			if math.Abs(loss[i]-want) > rounding {
				t.Fatalf("%d classes: loss %d is %g, want %g", cols, i, loss[i], want)
			}
		}
	}
}

func TestSoftmaxOfOddNumbers(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct{ x, want [3]float32 }{
		{[3]float32{0, -inf, 0}, [3]float32{0.5, 0, 0.5}},
		{[3]float32{1, nan, 0}, [3]float32{nan, nan, nan}},
		{[3]float32{1, inf, 0}, [3]float32{nan, nan, nan}},
		{[3]float32{1e30, -1e30, 1e30}, [3]float32{0.5, 0, 0.5}},
	} {
		p := make([]float32, 3)
		Softmax(Mat(1, 3, p), Mat(1, 3, c.x[:]))
		for j, w := range c.want {
			if !alike(p[j], w) {
				t.Errorf("softmax(%v) = %v, want %v", c.x, p, c.want)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a label beyond the classes does not panic")
		}
	}()
	SoftmaxLoss(Mat(1, 3, make([]float32, 3)), make([]float64, 1), Mat(1, 3, make([]float32, 3)), []uint8{3}, 1)
}

func BenchmarkSoftmaxLoss(b *testing.B) {
	b.ReportAllocs()
	x, d := Mat(100, 10, fill(rand.New(rand.NewPCG(1, 2)), make([]float32, 1000))), Mat(100, 10, make([]float32, 1000))
	loss, labels := make([]float64, 100), make([]uint8, 100)
	for b.Loop() {
		SoftmaxLoss(d, loss, x, labels, 0.01)
	}
}
