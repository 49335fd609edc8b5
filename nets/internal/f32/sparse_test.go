package f32

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// bytesTable has the values of bytes in these tests.
func bytesTable() *[256]float32 {
	var t [256]float32
	for i := range t {
		t[i] = float32(float64(i) / 126)
	}
	return &t
}

// A sparseTrial is a matrix of bytes, of which about so many in 100 are not 0, as
// lists and as numbers, and the factors and results of both products with it,
// between canaries.
type sparseTrial struct {
	s          *Sparse
	x, w, d    Matrix
	y, dw      Matrix
	guards     []guarded
	bytes      []uint8
	rows, cols int
}

func newSparseTrial(r *rand.Rand, rows, cols, units, percent, gap int) *sparseTrial {
	t := &sparseTrial{s: NewSparse(rows+3, cols, units+gap), x: Mat(rows, cols, make([]float32, rows*cols)),
		rows: rows, cols: cols}
	matrix := func(rows, cols int) Matrix {
		m, g := guardedMatrix(r, rows, cols, gap)
		t.guards = append(t.guards, g)
		return m
	}
	t.w, t.d, t.y, t.dw = matrix(cols, units), matrix(rows, units), matrix(rows, units), matrix(cols, units)
	t.bytes = make([]uint8, rows*cols)
	table := bytesTable()
	for i := range t.bytes {
		if r.IntN(100) < percent {
			t.bytes[i] = uint8(1 + r.IntN(255))
		}
		t.x.Data[i] = table[t.bytes[i]]
	}
	return t
}

func (t *sparseTrial) list() {
	t.s.Begin(t.rows)
	for i := range t.rows {
		t.s.SetRow(i, t.bytes[i*t.cols:][:t.cols], bytesTable())
	}
	for b := range t.s.Blocks() {
		t.s.ListColumns(b)
	}
}

// all computes a product in so many parts of the rows.
func (pt path) all(p sparseProduct, parts int, ws *Workspace) {
	for q := range pt.strips(p.dst.Cols) {
		for i := range parts {
			from, to := Span(p.dst.Rows, 1, i, parts)
			pt.sparse(p, q, from, to, ws)
		}
	}
}

// Both products have the bits of the dense ones in one block of terms, whatever
// the split. Of those that add the dense ones add the sum, and these the terms, so that
// both err by their bound.
func TestSparseProducts(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(61, 62))
		ws := NewWorkspace()
		for i := range 300 {
			rows, cols, units := r.IntN(40), 1+r.IntN(200), 1+r.IntN(70)
			switch i % 50 {
			case 0:
				rows, units = 300, 17
			case 1:
				units = 500 + r.IntN(100)
			case 2:
				cols = 1 + maxTerms - r.IntN(20)
			}
			tr := newSparseTrial(r, rows, cols, units, []int{0, 3, 20, 60, 100}[i%5], r.IntN(3))
			tr.list()
			for _, f := range []form{plain, leftT} {
				b, got := tr.w, tr.y
				if f == leftT {
					b, got = tr.d, tr.dw
				}
				want := Mat(got.Rows, got.Cols, make([]float32, got.Rows*got.Cols))
				p.product(newProduct(f, want, tr.x, b, false), ws)
				sp := tr.s.newProduct(got, b, f == leftT, false)
				p.all(sp, 1+r.IntN(3), ws)
				equalMatrices(t, fmt.Sprintf("form %d, %d×%d to %d", f, rows, cols, units), got, want, 0)

				sp.add = true
				before := slices.Clone(got.Data)
				p.all(sp, 1+r.IntN(3), ws)
				asDefined(t, p, "adding", got.Data, before, func(dst []float32) {
					sp.dst.Data = dst
					exact.all(sp, 1, ws)
				})
				p.product(newProduct(f, want, tr.x, b, true), ws)
				// Sums of up to 1300 terms of order 1.
				equalMatrices(t, "adding", got, want, 1e-3)
				for _, g := range tr.guards {
					g.intact(t)
				}
				gapsIntact(t, got)
			}
		}
	})
}

// equalMatrices fails where numbers differ by more than tol, or in bits if that
// is 0.
func equalMatrices(t *testing.T, what string, got, want Matrix, tol float32) {
	t.Helper()
	for i := range want.Rows {
		for j, w := range want.Row(i) {
			if g := got.Row(i)[j]; tol == 0 && !same(g, w) || !(g-w <= tol && w-g <= tol) {
				t.Fatalf("%s: element %d, %d is %g, want %g", what, i, j, g, w)
			}
		}
	}
}

// Lists made again have nothing of those before, with fewer rows as well.
func TestSparseAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	tr := newSparseTrial(r, 30, 150, 1, 50, 0)
	tr.list()
	clear(tr.bytes)
	tr.bytes[151], tr.bytes[300] = 9, 255
	tr.rows = 4
	tr.list()
	if l := tr.s.byRow; l.marks[l.blocks] != 0 || l.marks[l.blocks+1] != 150+listSlack ||
		l.entries[l.marks[l.blocks+1]] != (entry{1, bytesTable()[9]}) {
		t.Errorf("row 1 begins with %v", l.entries[l.marks[l.blocks+1]])
	}
	for j := range 150 {
		want := 0
		if j < 2 {
			want = 1
		}
		if m := tr.s.byColumn.marks[2*j:]; int(m[1]-m[0]) != want {
			t.Errorf("column %d has %d entries, want %d", j, m[1]-m[0], want)
		}
	}
}

// Teams of all sizes give the same bits, and allocate nothing.
func TestTeamSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	tr := newSparseTrial(r, 50, 190, 300, 20, 0)
	var want [2][]float32
	for workers := 1; workers <= 3; workers++ {
		team := NewTeam(workers)
		columns := func(_, b int) { tr.s.ListColumns(b) }
		step := func() {
			tr.list()
			team.Each(tr.s.Blocks(), columns)
			team.SparseMatMul(tr.y, tr.s, tr.w)
			team.SparseMatTMul(tr.dw, tr.s, tr.d, false)
		}
		step()
		for i, m := range []Matrix{tr.y, tr.dw} {
			if workers == 1 {
				want[i] = append([]float32(nil), m.Data...)
			}
			for j, v := range m.Data {
				if !same(v, want[i][j]) {
					t.Fatalf("%d workers, product %d: number %d is %g, want %g", workers, i, j, v, want[i][j])
				}
			}
		}
		team.Close()
		team = NewTeam(workers)
		if n := alloctest.PerRun(10, func() {
			team.SparseMatMul(tr.y, tr.s, tr.w)
			team.SparseMatTMul(tr.dw, tr.s, tr.d, false)
		}); n != 0 {
			t.Errorf("%d workers: %v allocations", workers, n)
		}
		team.Close()
	}
}

// Every path lists the same, from every place on, and nothing far behind.
func TestListsOfAllLengths(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(69, 70))
		table := bytesTable()
		for n := range 200 {
			x := make([]uint8, n)
			var want []entry
			for i := range x {
				x[i] = uint8(r.IntN(256) * r.IntN(1+n%3))
				if x[i] != 0 {
					want = append(want, entry{int32(7 + 3*i), table[x[i]]})
				}
			}
			dst := make([]entry, n+listSlack+1)
			dst[n+listSlack].start = -1
			got := dst[:p.list(dst[:n+listSlack], x, 7, 3, table)]
			if !slices.Equal(got, want) || dst[n+listSlack].start != -1 {
				t.Fatalf("%v: listed %v, want %v", x, got, want)
			}
		}
	})
}

func TestNonZero(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for n := range 70 {
		x, want := make([]uint8, n), 0
		for i := range x {
			x[i] = []uint8{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
			if x[i] != 0 {
				want++
			}
		}
		if got := NonZero(x); got != want {
			t.Errorf("%d of %v", got, x)
		}
	}
}
