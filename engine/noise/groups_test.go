package noise

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// The words that a schedule leaves to be made for a block are the cipher's.
func TestScheduleMakesTheStreamsBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 1000 {
		s := New(r.Uint64(), int(r.Uint32()>>16), Purpose(r.Uint32())).At(r.Uint64())
		var k Schedule
		s.Schedule(&k)
		i := r.Uint32()
		a, b := s.Block(i)
		w0, w1, w2, w3 := k.block(i)
		if uint64(w1)<<32|uint64(w0) != a || uint64(w3)<<32|uint64(w2) != b {
			t.Fatalf("block %d of %v is %x %x %x %x, want %x %x", i, s, w0, w1, w2, w3, a, b)
		}
	}
}

// pair64 is pair32's u and angle, with the transform in float64.
func pair64(w, v uint32) (a, b float64) {
	u := float64(float32(int32(w>>1))+0.5) * 0x1p-31
	r := math.Sqrt(-2 * math.Log(u))
	sin, cos := math.Sincos(float64(int32(v<<2)) * (math.Pi / 4 * 0x1p-31))
	if v>>31 == 1 {
		cos = -cos
	}
	if v>>30&1 == 1 {
		sin, cos = cos, sin
	}
	return r * cos, r * sin
}

// radii and angles are words at and beside everything that pair32 distinguishes.
func edges32() (radii, angles []uint32) {
	const all = math.MaxUint32
	radii = []uint32{0, 1, 2, 3, all, all - 1, all - 2, all - 1<<8, all - 1<<9, 1 << 31, 1<<31 - 1}
	for e := range 31 { // where the exponent changes, √½ times powers of two
		edge := uint32(0xb504f333) >> e
		radii = append(radii, edge, edge-2, edge+2, edge-1<<8>>e, edge+1<<8>>e, 1<<31>>e, 1<<31>>e-1)
	}
	for q := range uint32(4) {
		for _, m := range []uint32{0, 1, 2, 1 << 29, 1<<29 - 1, 1<<29 + 1, 1<<30 - 1, 1 << 24, 1<<25 + 1, 1<<25 + 2,
			1<<25 + 3, 1<<28 + 16, 1<<28 + 15} {
			angles = append(angles, q<<30|m, q<<30|-m&(1<<30-1))
		}
	}
	return radii, angles
}

func TestPair32(t *testing.T) {
	worst, largest := 0.0, 0.0
	check := func(w, v uint32) {
		a, b := pair32(w, v)
		x, y := pair64(w, v)
		worst = max(worst, math.Abs(float64(a)-x), math.Abs(float64(b)-y))
		largest = max(largest, math.Abs(float64(a)), math.Abs(float64(b)))
		if !(worst < 1.5e-6) || !(largest <= 6.67) {
			t.Fatalf("the pair of %x, %x is %g, %g, want %g, %g", w, v, a, b, x, y)
		}
	}
	radii, angles := edges32()
	r := rand.New(rand.NewPCG(1, 4))
	for _, w := range radii {
		for _, v := range angles {
			check(w, v)
		}
		for range 1000 {
			check(w, r.Uint32())
			check(r.Uint32()>>r.UintN(32), angles[r.IntN(len(angles))])
		}
	}
	t.Logf("errs by up to %.3g; |z| up to %.4f", worst, largest)
}

// compareGroups checks that a path gives the bits of groupsGeneric and writes
// nothing around dst, which starts at an odd place in its array.
func compareGroups(t *testing.T, p simd.Path, count, odd int, block uint32, k *Schedule) {
	t.Helper()
	const guard = 48 // more than any vector
	canary := math.Float32frombits(0x7fc0dead)
	want := make([]float32, count*Group)
	groupsGeneric(want, block, k)
	got := slices.Repeat([]float32{canary}, guard+odd+len(want)+guard)
	groups(p, got[guard+odd:][:len(want)], block, k)
	for i, x := range got {
		w := canary
		if j := i - guard - odd; j >= 0 && j < len(want) {
			w = want[j]
		}
		if math.Float32bits(x) != math.Float32bits(w) {
			t.Fatalf("%d groups from block %d: number %d is %g, want %g", count, block, i-guard-odd, x, w)
		}
	}
}

func TestGroupPathsAgree(t *testing.T) {
	eachPath(t, func(t *testing.T, p simd.Path) {
		r := rand.New(rand.NewPCG(1, 5))
		for groups := range 70 {
			var k Schedule
			for i := range k { // any numbers will do
				w := r.Uint32()
				for j := range k[i] {
					k[i][j] = w
				}
			}
			compareGroups(t, p, groups, r.IntN(17), r.Uint32(), &k)
			compareGroups(t, p, groups, r.IntN(17), -uint32(r.IntN(100)), &k) // wraps
		}
	})
}

// The cipher is a permutation of the counters, so any words can be had from it.
func TestGroupPathsAgreeAtEdges(t *testing.T) {
	radii, angles := edges32()
	for i := range max(len(radii), len(angles)) {
		a, b := i%len(radii), i%len(angles)
		w := [4]uint32{radii[a], radii[(a+7)%len(radii)], angles[b], angles[(b+5)%len(angles)]}
		const k0, k1 = 0x89abcdef, 0x01234567
		c := counter(w, k0, k1)
		s := Stream{k0: k0, k1: k1, place: c[3], step: uint64(c[2])<<32 | uint64(c[1])}
		var k Schedule
		s.Schedule(&k)
		for _, p := range simd.Paths {
			for lane := range uint32(groupBlocks) { // in every lane
				compareGroups(t, p, 1, 0, c[0]-lane, &k)
			}
		}
	}
}

// A trajectory must not change with the version or the machine. The numbers are
// groupsGeneric's; its parts are tested against float64.
func TestKnownNormals32(t *testing.T) {
	eachPath(t, func(t *testing.T, p simd.Path) {
		h := fnv.New64a()
		var k Schedule
		var z [10 * Group]float32
		for i := range uint64(20) {
			New(10+i<<40, int(i), Langevin).At(i * 0x300000001).Schedule(&k)
			groups(p, z[:], uint32(i)*77, &k)
			binary.Write(h, binary.LittleEndian, z[:])
		}
		const want = 0x5971ee8c9f205609
		if got := h.Sum64(); got != want {
			t.Errorf("the digest is %#x, want %#x", got, uint64(want))
		}
	})
}

// Moments up to the fourth, the correlations of neighbours, of partners in a pair
// and of a place from step to step, also of squares, and the Kolmogorov–Smirnov
// distance; each bound is 4.5 standard errors (KS: its 0.1% point), the seed fixed.
func TestNormals32(t *testing.T) {
	const steps, dim = 64, 64 * Group
	n := NewNormals[float32](New(1, 0, Langevin), dim)
	last := make([]float32, dim)
	var all []float64
	var m [5]float64
	pairs := map[string]*struct{ z, z2 float64 }{"neighbours": {}, "partners": {}, "groups": {}, "steps": {}}
	for s := range uint64(steps) {
		now := n.At(s)
		for i, z := range now {
			p := 1.0
			for k := range m {
				m[k] += p
				p *= float64(z)
			}
			all = append(all, float64(z))
			for name, o := range map[string]float32{
				"neighbours": now[i^1], "partners": now[i^Group/2], "groups": now[(i+Group)%dim], "steps": last[i],
			} {
				if s > 0 {
					a, b := float64(z), float64(o)
					pairs[name].z += a * b
					pairs[name].z2 += (a*a - 1) * (b*b - 1)
				}
			}
		}
		copy(last, now)
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
	for name, p := range pairs {
		M := N * (steps - 1) / steps
		if name == "neighbours" || name == "partners" {
			M /= 2 // each pair comes twice
			p.z /= 2
			p.z2 /= 2
		}
		check("correlation of "+name, p.z/M, 0, 1/math.Sqrt(M))
		check("correlation of squares of "+name, p.z2/M, 0, 2/math.Sqrt(M))
	}
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

// A normal does not depend on how many others are made with it.
func TestNormals32DependOnPlaceAlone(t *testing.T) {
	s := New(9, 2, Langevin).At(1<<40 + 7)
	all := make([]float32, 2*groupCall+300)
	Fill(s, all)
	var k Schedule
	s.Schedule(&k)
	for _, n := range []int{0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 129, 700, groupCall - 1, groupCall, groupCall + 1,
		2*groupCall + 65} {
		for _, from := range []int{0, Group, 3 * Group} {
			got := make([]float32, n+1)
			if k.Float32(got[:n], from); got[n] != 0 {
				t.Fatalf("Float32 writes beyond %d", n)
			}
			if !slices.Equal(got[:n], all[from:][:n]) {
				t.Fatalf("%d normals from number %d on differ", n, from)
			}
		}
	}
	for _, dim := range []int{1, 2, 7, 64, 99} {
		n := NewNormals[float32](s, dim)
		for _, step := range []uint64{0, 1, 500, 3, 1<<40 + 7, 7, 1<<32 - 1, 1 << 32} {
			want := make([]float32, dim)
			Fill(s.At(step), want)
			if got := n.At(step); !slices.Equal(got, want) {
				t.Fatalf("dim %d step %d is %v, want %v", dim, step, got, want)
			}
		}
	}
	a, b := make([]float32, 4), make([]float32, 4)
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
	for name, f := range map[string]func(){
		"a start within a group": func() { k.Float32(a, 1) },
		"another type":           func() { type own float32; Fill(s, []own{0}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

// 4096 normals in the first cache.
func BenchmarkGroups(b *testing.B) {
	var k Schedule
	New(1, 0, Langevin).Schedule(&k)
	dst := make([]float32, groupCall)
	for _, p := range simd.Paths {
		b.Run(p.String(), func(b *testing.B) {
			b.ReportAllocs()
			best := time.Hour // as the machine may do other things
			for range b.N {
				start := time.Now()
				groups(p, dst, 0, &k)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best)/groupCall, "best-ns/normal")
		})
	}
}
