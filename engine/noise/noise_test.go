package noise

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// The known answers are those of Random123's kat_vectors for philox4x32-10.
func TestPhiloxKnownAnswers(t *testing.T) {
	const ff = 0xffffffff
	for _, c := range []struct {
		ctr    [4]uint32
		k0, k1 uint32
		want   [4]uint32
	}{
		{[4]uint32{}, 0, 0, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{ff, ff, ff, ff}, ff, ff, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0,
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		if got[0], got[1], got[2], got[3] = philox(c.ctr[0], c.ctr[1], c.ctr[2], c.ctr[3], c.k0, c.k1); got != c.want {
			t.Errorf("philox(%x) = %x, want %x", c.ctr, got, c.want)
		}
	}
}

func TestLog(t *testing.T) {
	for i := range 1 << 16 {
		u, _ := New(3, 0, Start).Block(uint32(i))
		x := float64(u>>11+1) * 0x1p-53
		if i%2 == 1 {
			x = math.Max(0x1p-53, x*math.Ldexp(1, -i%53))
		}
		k, f := exponent(x)
		got, want := logAt(k, f), math.Log(x)
		// Both are good to one unit in the last place.
		if math.Abs(got-want) > 4e-16*math.Abs(want)+1e-300 {
			t.Fatalf("ln %g = %g, want %g", x, got, want)
		}
	}
	if k, f := exponent(1); logAt(k, f) != 0 {
		t.Errorf("ln 1 = %g", logAt(k, f))
	}
}

func TestSineAndCosine(t *testing.T) {
	for i := range 1 << 16 {
		v, _ := New(4, 0, Start).Block(uint32(i))
		t0 := angle(v)
		sin, cos := turn(v, libm.Sine(t0, t0*t0), libm.Cosine(t0*t0))
		// The code's angle lies on the quadrant's middle axis: v/4 turns by the
		// high bits, plus the signed rest of up to an eighth.
		a := float64(v>>62)*math.Pi/2 + float64(int64(v<<2))*(math.Pi/4*0x1p-63)
		// a itself is rounded to 4e-16.
		if math.Abs(sin-math.Sin(a)) > 1e-15 || math.Abs(cos-math.Cos(a)) > 1e-15 {
			t.Fatalf("sine and cosine of %x are %g, %g, want %g, %g", v, sin, cos, math.Sin(a), math.Cos(a))
		}
	}
}

// Moments up to the fourth, lag-1 correlations within a vector and from step to
// step, and the Kolmogorov–Smirnov distance; each bound is 4.5 standard errors
// (KS: its 0.1% point), the seed fixed.
func TestNormals(t *testing.T) {
	const steps, dim = 1 << 17, 3
	n := NewNormals[float64](New(1, 0, Langevin), dim)
	var all []float64
	for s := range uint64(steps) {
		all = append(all, n.At(s)...)
	}
	var m [5]float64
	var within, across float64
	for i, z := range all {
		p := 1.0
		for k := range m {
			m[k] += p
			p *= z
		}
		if i%dim > 0 {
			within += z * all[i-1]
		}
		if i >= dim {
			across += z * all[i-dim]
		}
	}
	N := float64(len(all))
	check := func(name string, got, want, se float64) {
		t.Helper()
		if math.Abs(got-want) > 4.5*se {
			t.Errorf("%s = %g, want %g ± %g", name, got, want, se)
		}
	}
	check("mean", m[1]/N, 0, 1/math.Sqrt(N))
	check("variance", m[2]/N, 1, math.Sqrt(2/N))
	check("third moment", m[3]/N, 0, math.Sqrt(15/N))
	check("fourth moment", m[4]/N, 3, math.Sqrt(96/N))
	check("correlation within a vector", within/N, 0, 1/math.Sqrt(N))
	check("correlation from step to step", across/N, 0, 1/math.Sqrt(N))
	slices.Sort(all)
	d := 0.0
	for i, z := range all {
		f := distuv.UnitNormal.CDF(z)
		d = max(d, math.Abs(f-float64(i)/N), math.Abs(f-float64(i+1)/N))
	}
	if d*math.Sqrt(N) > 1.95 {
		t.Errorf("Kolmogorov–Smirnov √n D = %g, want below 1.95", d*math.Sqrt(N))
	}
}

func TestNormalsDependOnPlaceAlone(t *testing.T) {
	for _, dim := range []int{1, 2, 3, 8, 14, 15, 300} {
		s := New(9, 2, Langevin)
		n := NewNormals[float64](s, dim)
		for _, step := range []uint64{0, 1, 500, 3, 1 << 40, 7, 6, 1<<32 - 3, 1 << 32, 1<<32 + 1} {
			want := make([]float64, dim)
			Fill(s.At(step), want)
			if !slices.Equal(n.At(step), want) {
				t.Fatalf("dim %d step %d differs from Fill", dim, step)
			}
		}
	}
	a, b := make([]float64, 4), make([]float64, 4)
	base := New(9, 2, Langevin)
	Fill(base, a)
	for name, other := range map[string]Stream{
		"seed": New(10, 2, Langevin), "lane": New(9, 3, Langevin), "purpose": New(9, 2, Start),
		"step": base.At(1), "high step": base.At(1 << 32), "high seed": New(9+1<<32, 2, Langevin),
	} {
		if Fill(other, b); slices.Equal(a, b) {
			t.Errorf("the stream does not depend on the %s", name)
		}
	}
}

// Joined normals are those of each vector, however they are asked for in turn.
func TestJoinedNormals(t *testing.T) {
	for _, dim := range []int{1, 2, 3, 15, 300} {
		var own []*Normals[float64]
		for k := range 3 {
			own = append(own, NewNormals[float64](New(9, 2, Langevin).Chain(k), dim))
		}
		joined := Join(own)
		for _, step := range []uint64{0, 1, 500, 3, 1 << 40, 7, 6, 1<<32 - 3, 1 << 32} {
			own[1].At(step + 2) // which moves its memory on
			z := joined.At(step)
			for k, n := range own {
				for i, want := range n.At(step) {
					if got := z[k*dim+i]; got != want {
						t.Fatalf("dim %d, step %d: number %d of vector %d is %g, want %g", dim, step, i, k, got, want)
					}
				}
			}
		}
	}
}

// An odd length has the normals of an even one.
func TestFloat64Lengths(t *testing.T) {
	s := New(9, 2, Langevin)
	all := make([]float64, 700)
	Fill(s, all)
	for n := range len(all) {
		got := make([]float64, n+1)
		if Fill(s, got[:n]); got[n] != 0 {
			t.Fatalf("Fill writes beyond %d", n)
		}
		if !slices.Equal(got[:n], all[:n]) {
			t.Fatalf("%d normals differ from the first of more", n)
		}
	}
}

func TestShuffleVisitsEachDatumOnceAnEpoch(t *testing.T) {
	const total, n = 103, 10
	b := NewBatches(New(5, 0, Minibatch), total, Shuffle)
	seen := make([]int, total)
	var pos int
	for step := range uint64(500) {
		for _, i := range b.At(step, n) {
			seen[i]++
			if pos++; pos%total == 0 {
				for j, c := range seen {
					if c != pos/total {
						t.Fatalf("datum %d seen %d times after %d epochs", j, c, pos/total)
					}
				}
			}
		}
	}
	want := slices.Clone(b.At(77, n))
	b.At(3, n)
	if got := b.At(77, n); !slices.Equal(got, want) {
		t.Errorf("step 77 is %v, then %v", want, got)
	}
	if b.At(0, total) != nil || b.At(0, 0) != nil {
		t.Error("a full batch should be nil")
	}
}

func TestSubsetAndReplaceAreUniform(t *testing.T) {
	const total, n, steps = 40, 7, 40000
	for _, d := range []Draw{Subset, Replace} {
		b := NewBatches(New(6, 0, Minibatch), total, d)
		count := make([]float64, total)
		for step := range uint64(steps) {
			batch := b.At(step, n)
			for k, i := range batch {
				count[i]++
				if d == Subset && slices.Contains(batch[:k], i) {
					t.Fatalf("step %d holds %d twice", step, i)
				}
			}
		}
		chi2 := 0.0
		want := float64(steps*n) / total
		for _, c := range count {
			chi2 += (c - want) * (c - want) / want
		}
		// χ² with 39 degrees of freedom; a subset's counts vary less still.
		if limit := (distuv.ChiSquared{K: total - 1}).Quantile(0.9999); chi2 > limit {
			t.Errorf("%v: χ² = %.1f, want below %.1f", d, chi2, limit)
		}
	}
}

func TestDrawText(t *testing.T) {
	for _, d := range []Draw{Shuffle, Subset, Replace} {
		b, _ := d.MarshalText()
		var e Draw
		if err := e.UnmarshalText(b); err != nil || e != d {
			t.Errorf("%v: %v, %v", d, e, err)
		}
	}
	var d Draw
	if d.UnmarshalText([]byte("x")) == nil {
		t.Error("no error for an unknown draw")
	}
}

func TestNoAllocation(t *testing.T) {
	n, few, many := NewNormals[float64](New(1, 0, Langevin), 2), NewNormals[float32](New(1, 0, Langevin), 3),
		NewNormals[float32](New(1, 0, Langevin), 99)
	b := NewBatches(New(1, 0, Minibatch), 1000, Shuffle)
	b.At(0, 50)
	step := uint64(0)
	if a := alloctest.PerRun(1000, func() { n.At(step); few.At(step); many.At(step); b.At(step, 50); step++ }); a != 0 {
		t.Errorf("%g allocations a step", a)
	}
}

func BenchmarkNormals2(b *testing.B) { benchmarkNormals[float64](b, 2) }

func BenchmarkNormals(b *testing.B) {
	for _, dim := range []int{3, 8, 15, 1000} {
		b.Run(fmt.Sprintf("float64/%d", dim), func(b *testing.B) { benchmarkNormals[float64](b, dim) })
		b.Run(fmt.Sprintf("float32/%d", dim), func(b *testing.B) { benchmarkNormals[float32](b, dim) })
	}
}

func benchmarkNormals[F Float](b *testing.B, dim int) {
	n := NewNormals[F](New(1, 0, Langevin), dim)
	b.ReportAllocs()
	for i := range uint64(b.N) {
		n.At(i)
	}
}

func BenchmarkBatch50Of32561(b *testing.B) {
	for _, d := range []Draw{Shuffle, Subset, Replace} {
		b.Run(d.String(), func(b *testing.B) {
			s := NewBatches(New(1, 0, Minibatch), 32561, d)
			b.ReportAllocs()
			for i := range uint64(b.N) {
				s.At(i, 50)
			}
		})
	}
}
