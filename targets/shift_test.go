package targets

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// shiftedBy applies a shift to a random image.
func shiftedBy(s Shift, rows, cols, channels int) (dst, src []uint8) {
	r := rand.New(rand.NewPCG(3, 4))
	n := rows * cols * channels
	src, dst = make([]uint8, n), make([]uint8, n)
	z, foreign := make([]float64, n), make([]uint8, n)
	for i := range src {
		src[i], foreign[i], z[i] = uint8(r.UintN(256)), uint8(r.UintN(256)), r.NormFloat64()
	}
	s.Apply(dst, src, rows, cols, channels, z, foreign)
	return dst, src
}

// Amount 0 leaves every byte as it is, and a whole turn does.
func TestShiftByNothing(t *testing.T) {
	for k := NoShift; k < shiftKinds; k++ {
		if dst, src := shiftedBy(Shift{Kind: k}, 7, 9, 3); !bytes.Equal(dst, src) {
			t.Errorf("%s by 0 changes the image", k.Scale().Name)
		}
	}
	for _, size := range [][3]int{{28, 28, 1}, {32, 32, 3}, {7, 9, 2}} {
		if dst, src := shiftedBy(Shift{ShiftRotate, 360}, size[0], size[1], size[2]); !bytes.Equal(dst, src) {
			t.Errorf("a whole turn changes an image of %v", size)
		}
	}
}

// Quarter turns of a square image move its pixels: anticlockwise, the upper right
// corner goes to the upper left.
func TestQuarterTurns(t *testing.T) {
	for _, n := range []int{5, 28} {
		for quarter := 1; quarter <= 3; quarter++ {
			dst, src := shiftedBy(Shift{ShiftRotate, 90 * float64(quarter)}, n, n, 2)
			want := slices.Clone(src)
			for range quarter {
				turned := make([]uint8, len(src))
				for y := range n {
					for x := range n {
						copy(turned[((n-1-x)*n+y)*2:][:2], want[(y*n+x)*2:][:2])
					}
				}
				want = turned
			}
			if !bytes.Equal(dst, want) {
				t.Errorf("%d quarter turns of %d×%d are not exact", quarter, n, n)
			}
		}
	}
}

// What stays inside keeps its ink: a blob in the middle, turned.
func TestShiftsKeepInk(t *testing.T) {
	const n = 28
	src, dst := make([]uint8, n*n), make([]uint8, n*n)
	for y := 10; y < 18; y++ {
		for x := 11; x < 17; x++ {
			src[y*n+x] = 200
		}
	}
	ink := func(p []uint8) (sum float64) {
		for _, x := range p {
			sum += float64(x)
		}
		return sum
	}
	for _, s := range []Shift{{ShiftRotate, 30}, {ShiftRotate, 137}} {
		s.Apply(dst, src, n, n, 1, nil, nil)
		// Rounding to bytes, half a level for each of some hundred pixels.
		if math.Abs(ink(dst)/ink(src)-1) > 0.03 {
			t.Errorf("%s by %g: ink %g of %g", s.Kind.Scale().Name, s.Amount, ink(dst), ink(src))
		}
	}
}

// Noise has the standard deviation that it is asked for, by mean and standard deviation over
// the bytes of one image.
func TestNoiseShift(t *testing.T) {
	const n, asked = 200 * 200, 20.0
	r := rand.New(rand.NewPCG(8, 1))
	z, src, dst := make([]float64, n), make([]uint8, n), make([]uint8, n)
	for i := range z {
		z[i], src[i] = r.NormFloat64(), 128
	}
	Shift{ShiftNoise, asked}.Apply(dst, src, 200, 200, 1, z, nil)
	sum, square := 0.0, 0.0
	for _, x := range dst {
		sum += float64(x)
		square += float64(x) * float64(x)
	}
	mean := sum / n
	sd := math.Sqrt(square/n - mean*mean)
	// Five standard errors of the mean, sd/√n, and as much for the standard
	// deviation, whose own is less.
	if tol := 5 * asked / math.Sqrt(n); math.Abs(mean-128) > tol || math.Abs(sd-asked) > tol {
		t.Errorf("mean %.2f and standard deviation %.2f, want 128 and %g", mean, sd, asked)
	}
}

func TestShiftCheck(t *testing.T) {
	for _, s := range []Shift{{shiftKinds, 0}, {ShiftRotate, -1}, {ShiftRotate, 361}, {ShiftForeign, 1.1},
		{ShiftNoise, math.NaN()}, {NoShift, 1}} {
		if s.Check() == nil {
			t.Errorf("%+v is allowed", s)
		}
	}
	for k := NoShift; k < shiftKinds; k++ {
		c := k.Scale()
		if err := (Shift{k, c.Max}).Check(); err != nil || c.Name == "" || c.Doc == "" {
			t.Errorf("kind %d: %+v, %v", k, c, err)
		}
		if g := c.Grid(); k != NoShift && (g[0] != 0 || g[len(g)-1] != c.Max || len(g) > 13) {
			t.Errorf("%s has the grid %v", c.Name, g)
		}
	}
}

// An MLP uses each weight once for an image.
func TestMultiplications(t *testing.T) {
	// 25·7 + 7·10 weights and the biases, each used once.
	p := open(t, "mlp:7", Options{Dataset: writeIDX(t, 5, 12)})
	if n := p.F32.(*Classifier).Multiplications(); n != p.Dim() {
		t.Errorf("%d multiplications, want %d", n, p.Dim())
	}
}

func TestForeign(t *testing.T) {
	p := open(t, "mlp:7", Options{Dataset: "strokes"})
	if name := ForeignTo(p, t.TempDir()); name != "" {
		t.Errorf("%q is foreign to strokes without a data folder", name)
	}
	p.Dataset = "mnist"
	name := ForeignTo(p, "")
	if name != "strokes" {
		t.Fatalf("%q is foreign to mnist", name)
	}
	f, err := OpenForeign(name, "")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := f.Picture(3, 0), f.Picture(3, len(f.rows[3])); len(a) != 784 || !bytes.Equal(a, b) ||
		f.Picture(10, 0) != nil || f.Picture(-1, 0) != nil {
		t.Error("an image of class 3 is not what it should be")
	}
	if name := ForeignTo(open(t, "gaussian", Options{}), ""); name != "" {
		t.Errorf("%q is foreign to a density", name)
	}
	if name := ForeignTo(open(t, "mlp:7", Options{Dataset: writeIDX(t, 5, 12)}), ""); name != "" {
		t.Errorf("%q has the shape of 5×5 pixels", name)
	}
}

// A slider goes along the notches of its grid and stays on it.
func TestTurnedShifts(t *testing.T) {
	for _, c := range []struct {
		from    Shift
		notches int
		want    float64
	}{
		{Shift{ShiftRotate, 0}, 1, 15}, {Shift{ShiftRotate, 45}, 1, 60}, {Shift{ShiftRotate, 50}, 1, 60},
		{Shift{ShiftRotate, 50}, -1, 45},
		{Shift{ShiftRotate, 180}, 1, 180}, {Shift{ShiftForeign, 0.3}, -1 << 20, 0},
		{Shift{ShiftNoise, 60}, 1 << 20, 240}, {Shift{NoShift, 0}, 1, 0},
	} {
		if got := c.from.Turn(c.notches); got.Kind != c.from.Kind || got.Amount != c.want {
			t.Errorf("%+v by %d is %+v, want %g", c.from, c.notches, got, c.want)
		}
	}
	if s := (Shift{ShiftRotate, 0}).Slide(0.25); s.Amount != 45 {
		t.Errorf("a quarter of the slider is %+v", s)
	}
	if s := ShiftForeign.First(); s.Kind != ShiftForeign || s.Amount != 0.2 {
		t.Errorf("seen first is %+v", s)
	}
}
