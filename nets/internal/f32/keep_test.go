package f32

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

func randomMarks(r *rand.Rand, n int) []uint64 {
	marks := make([]uint64, MarkWords(n))
	for i := range marks {
		marks[i] = r.Uint64()
	}
	return marks
}

func TestKeepMarked(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(51, 52))
		for n := range 300 {
			x := newGuarded(n, r.IntN(5))
			special(r, x.data)
			marks := randomMarks(r, n)
			const scale = 1.25
			want := make([]float32, n)
			for i, v := range x.data {
				if marks[i/64]&(1<<(i%64)) != 0 {
					want[i] = scale * v
				}
			}
			p.keepMarked(x.data, marks, scale)
			compare(t, "keepMarked", x.data, want)
			x.intact(t)
		}
		// More than one call of assembly.
		x := fill(r, make([]float32, 2*16<<10+77))
		marks := randomMarks(r, len(x))
		want := append([]float32(nil), x...)
		keepMarkedGeneric(want, marks, 0, 3)
		p.keepMarked(x, marks, 3)
		compare(t, "keepMarked", x, want)
	})
}

func TestMarkBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	for n := range 200 {
		x := make([]uint8, n)
		for i := range x {
			if r.IntN(2) == 0 {
				x[i] = []uint8{1, 127, 128, 255, uint8(r.IntN(256))}[r.IntN(5)]
			}
		}
		marks := randomMarks(r, n)
		MarkNonZero(marks, x)
		count := 0
		for _, m := range marks {
			count += bits.OnesCount64(m)
		}
		for i, v := range x {
			if set := marks[i/64]>>(i%64)&1 == 1; set != (v != 0) {
				t.Fatalf("of %d: byte %d is %d, marked %v", n, i, v, set)
			}
		}
		if count != NonZero(x) {
			t.Fatalf("%d marks, want %d", count, NonZero(x))
		}
		marks = randomMarks(r, n)
		got := make([]uint8, n)
		KeepMarkedBytes(got, x, marks)
		for i, v := range x {
			if marks[i/64]>>(i%64)&1 == 0 {
				v = 0
			}
			if got[i] != v {
				t.Fatalf("of %d: byte %d is %d, want %d", n, i, got[i], v)
			}
		}
	}
}

func BenchmarkKeepMarked(b *testing.B) {
	for _, p := range paths() {
		r := rand.New(rand.NewPCG(1, 2))
		x := fill(r, aligned(400))
		marks := randomMarks(r, 400)
		b.Run(p.String(), func(b *testing.B) {
			for b.Loop() {
				p.keepMarked(x, marks, 1)
			}
		})
	}
}
