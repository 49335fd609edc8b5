package f32

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// paths are those that this machine has.
func paths() []path {
	p := []path{exact}
	for _, q := range simd.Paths {
		p = append(p, generic+path(q))
	}
	return p
}

func (p path) String() string {
	return [...]string{"exact", "generic", "avx2", "avx512", "neon"}[p-exact]
}

// eachPath runs a test on every path that this machine has, in short tests on the best and the worst alone.
func eachPath(t *testing.T, test func(t *testing.T, p path)) {
	all := paths()
	for _, p := range all {
		if testing.Short() && p != generic && p != all[len(all)-1] {
			continue
		}
		t.Run(p.String(), func(t *testing.T) { test(t, p) })
	}
}

// canary is a NaN with bits that no computation makes.
var canary = math.Float32frombits(0x7fdeadbe)

// guard is how many canaries stand on each side, more than a vector.
const guard = 40

// A guarded slice has canaries before and after it.
type guarded struct{ all, data []float32 }

func newGuarded(n, odd int) guarded {
	g := guarded{all: make([]float32, guard+odd+n+guard)}
	for i := range g.all {
		g.all[i] = canary
	}
	g.data = g.all[guard+odd:][:n:n]
	return g
}

// intact fails where a canary outside the slice has changed.
func (g guarded) intact(t *testing.T) {
	t.Helper()
	from := len(g.all) - guard - len(g.data)
	for i, v := range g.all {
		if (i < from || i >= from+len(g.data)) && !same(v, canary) {
			t.Fatalf("number %d beside %d numbers is %x", i-from, len(g.data), math.Float32bits(v))
		}
	}
}

// same tells whether two numbers have the same bits.
func same(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// alike tells whether two numbers have the same bits or are both NaN.
func alike(a, b float32) bool { return same(a, b) || a != a && b != b }

func fill(r *rand.Rand, x []float32) []float32 {
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// guardedMatrix has numbers in its elements and canaries in its gaps and around.
func guardedMatrix(r *rand.Rand, rows, cols, gap int) (Matrix, guarded) {
	m := Matrix{Rows: rows, Cols: cols, Stride: cols + gap}
	g := newGuarded(max(0, (rows-1)*m.Stride+cols), r.IntN(5))
	m.Data = g.data
	for i := range rows {
		fill(r, m.Row(i))
	}
	return m, g
}

// gapsIntact fails where a canary between the rows of a matrix has changed.
func gapsIntact(t *testing.T, m Matrix) {
	t.Helper()
	for i := range m.Rows - 1 {
		for j := m.Cols; j < m.Stride; j++ {
			if v := m.Data[i*m.Stride+j]; !same(v, canary) {
				t.Fatalf("gap %d of row %d is %x", j-m.Cols, i, math.Float32bits(v))
			}
		}
	}
}

// asDefined fails where a path has other bits than the exact one, given what it computed
// and the same to compute by the exact one into a copy of what was there before.
func asDefined(t *testing.T, p path, what string, got, before []float32, define func(dst []float32)) {
	t.Helper()
	if p <= generic {
		return
	}
	define(before)
	for i, want := range before {
		if !alike(got[i], want) {
			t.Fatalf("%s: number %d is %g (%x), by definition %g (%x)", what, i,
				got[i], math.Float32bits(got[i]), want, math.Float32bits(want))
		}
	}
}

// once is define, which computes what a name stands for at its first call alone and keeps it in done:
// each path is given the same numbers.
func once(done map[string][]float32, what string, define func(dst []float32)) func(dst []float32) {
	return func(dst []float32) {
		if was, ok := done[what]; ok {
			copy(dst, was)
			return
		}
		define(dst)
		done[what] = slices.Clone(dst)
	}
}

// measure runs f, of so many floating-point operations, and reports how many it
// does in a second: in the median and in the fastest run, which other work on the
// machine disturbs less than the mean.
func measure(b *testing.B, operations int, f func()) {
	b.ReportAllocs()
	times := make([]time.Duration, 0, 1<<16)
	for b.Loop() {
		start := time.Now()
		f()
		if len(times) < cap(times) {
			times = append(times, time.Since(start))
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(operations)/float64(times[len(times)/2].Nanoseconds()), "GFLOPS")
	b.ReportMetric(float64(operations)/float64(times[0].Nanoseconds()), "best-GFLOPS")
}
