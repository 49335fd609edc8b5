package noise

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// eachPath runs a test on every path that this machine has.
func eachPath(t *testing.T, test func(t *testing.T, p simd.Path)) {
	for _, p := range simd.Paths {
		t.Run(p.String(), func(t *testing.T) { test(t, p) })
	}
}

// comparePairs checks that a path gives the bits of pairsGeneric and writes
// nothing between and around them in dst, which starts at an odd place in its array.
func comparePairs(t *testing.T, p simd.Path, blocks, stride, odd int, a [8]uint32) {
	t.Helper()
	const guard = 24 // more than any vector
	canary := math.Float64frombits(0x7ff8dead7ff8beef)
	size := 2*guard + odd + (blocks-1)*stride + 2
	want, got := make([]float64, size), make([]float64, size)
	for i := range got {
		want[i], got[i] = canary, canary
	}
	from := guard + odd
	pairsGeneric(want[from:], blocks, stride, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7])
	pairs(p, got[from:size-guard], blocks, stride, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7])
	for i, x := range got {
		if w := want[i]; math.Float64bits(x) != math.Float64bits(w) {
			t.Fatalf("%d blocks, %d apart, %x: number %d is %x, want %x", blocks, stride, a, i-from,
				math.Float64bits(x), math.Float64bits(w))
		}
	}
}

func TestPathsAgree(t *testing.T) {
	eachPath(t, func(t *testing.T, p simd.Path) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			for blocks := 1; blocks <= batch; blocks++ {
				var a [8]uint32
				for i := range a {
					switch r.IntN(8) {
					case 0:
						a[i] = 0
					case 1:
						a[i] = 1
					case 2:
						a[i] = math.MaxUint32
					case 3:
						a[i] = math.MaxUint32 - uint32(r.IntN(8)) // wraps within the call
					default:
						a[i] = r.Uint32()
					}
				}
				comparePairs(t, p, blocks, 1+r.IntN(9), r.IntN(9), a)
			}
		}
	})
}

// The cipher is a permutation of the counters, so any words can be had from it.
func TestPathsAgreeAtEdges(t *testing.T) {
	const all = math.MaxUint64
	radii := []uint64{0, 1, 1<<11 - 1, 1 << 11, 1 << 12, all, all - 1<<11, all - 1<<12, 1 << 63, 1<<63 - 1, 1 << 62}
	// Both sides of where the exponent changes, at √½ times powers of two.
	for e := range 53 { // u to its least bit
		edge := uint64(0xb504f333f9de6484) >> e
		radii = append(radii, edge, edge-1<<11, edge+1<<11, edge-2<<11, edge+2<<11, 1<<63>>e)
	}
	angles := []uint64{0, 1, 2, all, all - 1, 1<<53 + 1, 1<<55 + 2, 1<<54 - 1, 1<<55 - 1}
	for q := range uint64(4) {
		angles = append(angles, q<<62, q<<62|1, q<<62-1, q<<62|1<<61, q<<62|1<<61-1, q<<62|1<<61+1)
		// Ties of the conversion to a float and what is beside them: above 2⁵³ the
		// angle m, of 62 bits with its sign, has more bits than fit.
		for e := range 8 {
			ulp := uint64(1) << (8 - e)
			low, high := uint64(1)<<(60-e), uint64(1)<<(61-e)
			for _, tie := range []uint64{low + ulp/2, low + ulp + ulp/2, high - ulp/2} {
				for m := tie - 1; m <= tie+1; m++ {
					angles = append(angles, q<<62|m, q<<62|-m&(1<<62-1))
				}
			}
		}
	}
	for _, k := range []uint64{0, all, 0x0123456789abcdef} {
		k0, k1 := uint32(k), uint32(k>>32)
		for i := range max(len(radii), len(angles)) {
			u, v := radii[i%len(radii)], angles[i%len(angles)]
			c := counter([4]uint32{uint32(u), uint32(u >> 32), uint32(v), uint32(v >> 32)}, k0, k1)
			var w [4]uint32
			w[0], w[1], w[2], w[3] = philox(c[0], c[1], c[2], c[3], k0, k1)
			if uint64(w[1])<<32|uint64(w[0]) != u || uint64(w[3])<<32|uint64(w[2]) != v {
				t.Fatalf("counter %x gives %x, want %x, %x", c, w, u, v)
			}
			for _, p := range simd.Paths {
				// In every lane, among neighbours and alone.
				for lane := range uint32(16) {
					comparePairs(t, p, 16, 2, 0, [8]uint32{c[0] - lane, 1, c[1], 0, c[2], c[3], k0, k1})
				}
				comparePairs(t, p, 1, 2, 0, [8]uint32{c[0], 0, c[1], 0, c[2], c[3], k0, k1})
			}
		}
	}
}

// counter is the inverse of philox.
func counter(w [4]uint32, k0, k1 uint32) [4]uint32 {
	// Newton's iteration doubles the number of right bits.
	inverse := func(m uint32) uint32 {
		x := m
		for range 5 {
			x *= 2 - m*x
		}
		return x
	}
	for r := uint32(9); r < 10; r-- {
		c0, c2 := w[3]*inverse(mul0), w[1]*inverse(mul1)
		h0, h1 := uint32(uint64(c0)*mul0>>32), uint32(uint64(c2)*mul1>>32)
		w = [4]uint32{c0, w[0] ^ h1 ^ (k0 + r*(weyl0&math.MaxUint32)), c2, w[2] ^ h0 ^ (k1 + r*(weyl1&math.MaxUint32))}
	}
	return w
}

// A trajectory must not change with the version or the machine. The numbers are
// pairsGeneric's; its parts are tested against the standard library.
func TestKnownNormals(t *testing.T) {
	eachPath(t, func(t *testing.T, p simd.Path) {
		h := fnv.New64a()
		var z [128]float64
		for i := range uint32(100) {
			pairs(p, z[:], len(z)/2, 2, i, 1, 7, i, 8, 9, 10, 11)
			for _, x := range z {
				binary.Write(h, binary.LittleEndian, math.Float64bits(x))
			}
		}
		const want = 0x7da6e971f973391f
		if got := h.Sum64(); got != want {
			t.Errorf("the digest is %#x, want %#x", got, uint64(want))
		}
	})
}

// A vector register above 15 would need more than AVX2, and the assembler does
// not say so.
func TestAVX2UsesNoMore(t *testing.T) {
	for _, f := range []string{"pairs", "groups"} {
		source, err := os.ReadFile(f + "_amd64.s")
		if err != nil {
			t.Fatal(err)
		}
		_, code, found := strings.Cut(string(source), "TEXT ·"+f+"AVX2(")
		if !found {
			t.Fatalf("no %sAVX2", f)
		}
		code, _, _ = strings.Cut(code, "TEXT ")
		if more := regexp.MustCompile(`\b([XY](1[6-9]|[23]\d)|Z\d+|K[0-7]|VFN?M\w+)\b`).FindString(code); more != "" {
			t.Errorf("%sAVX2 uses %s", f, more)
		}
	}
}

// A batch of blocks, two normals each.
func BenchmarkPairs(b *testing.B) {
	for _, p := range simd.Paths {
		for _, blocks := range []int{1, 8, batch} {
			b.Run(fmt.Sprintf("%s/%d", p.String(), blocks), func(b *testing.B) {
				b.ReportAllocs()
				var dst [2 * batch]float64
				for i := range b.N {
					pairs(p, dst[:], blocks, 2, 0, 0, uint32(i), 1, 0, 0, 1, 2)
				}
			})
		}
	}
}
