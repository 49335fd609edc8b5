package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A trial is a product with canaries around and between its rows.
type trial struct {
	product
	guards [3]guarded
}

func newTrial(r *rand.Rand, f form, m, n, k, gap int, add bool) *trial {
	t := &trial{}
	shapes := map[form][2][2]int{plain: {{m, k}, {k, n}}, rightT: {{m, k}, {n, k}}, leftT: {{k, m}, {k, n}}}[f]
	a, ga := guardedMatrix(r, shapes[0][0], shapes[0][1], gap)
	b, gb := guardedMatrix(r, shapes[1][0], shapes[1][1], gap)
	dst, gd := guardedMatrix(r, m, n, gap)
	t.guards = [3]guarded{ga, gb, gd}
	t.product = newProduct(f, dst, a, b, add)
	return t
}

// left and right are where the factors of term k are, of row i and of column j.
func (t *trial) left(i, k int) *float32 {
	if t.form == leftT {
		i, k = k, i
	}
	return &t.a.Data[i*t.a.Stride+k]
}

func (t *trial) right(j, k int) *float32 {
	if t.form == rightT {
		j, k = k, j
	}
	return &t.b.Data[k*t.b.Stride+j]
}

// check runs the product and compares it with its definition, or with sums in float64 where it has that of the path
// exact, which stands for the others, or none.
func (t *trial) check(tt *testing.T, p path, ws *Workspace) {
	tt.Helper()
	old := t.compute(tt, p, ws)
	if p > generic {
		return
	}
	for i := range t.m {
		for j := range t.n {
			var sum, size float64
			if t.add {
				sum = float64(old[i*t.dst.Stride+j])
				size = math.Abs(sum)
			}
			for k := range t.k {
				x := float64(*t.left(i, k)) * float64(*t.right(j, k))
				sum += x
				size += math.Abs(x)
			}
			got := float64(t.dst.Data[i*t.dst.Stride+j])
			if !(math.Abs(got-sum) <= float64(t.k+1)*0x1p-23*size) {
				tt.Fatalf("form %d, %d×%d of %d terms, add %v: element %d, %d is %g, want %g",
					t.form, t.m, t.n, t.k, t.add, i, j, got, sum)
			}
		}
	}
}

// compute runs the product and fails where that has other bits than by definition. It
// returns what dst was before.
func (t *trial) compute(tt *testing.T, p path, ws *Workspace) (old []float32) {
	tt.Helper()
	old = slices.Clone(t.dst.Data)
	p.product(t.product, ws)
	for _, g := range t.guards {
		g.intact(tt)
	}
	gapsIntact(tt, t.dst)
	what := fmt.Sprintf("form %d, %d×%d of %d terms, add %v", t.form, t.m, t.n, t.k, t.add)
	asDefined(tt, p, what, t.dst.Data, slices.Clone(old), func(dst []float32) {
		want := t.product
		want.dst.Data = dst
		exact.product(want, ws)
	})
	return old
}

// Every size of each dimension, up to several tiles of every path.
func TestProductsOfAllSizes(t *testing.T) {
	repeats := 2
	if testing.Short() {
		repeats = 1
	}
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(1, 2))
		ws := NewWorkspace()
		for f := plain; f <= leftT; f++ {
			for size := range 71 {
				for range repeats {
					m, n, k := 1+r.IntN(70), 1+r.IntN(70), r.IntN(71)
					gap := r.IntN(3)
					newTrial(r, f, size, n, k, gap, size%2 == 0).check(t, p, ws)
					newTrial(r, f, m, size, k, gap, size%2 == 1).check(t, p, ws)
					newTrial(r, f, m, n, size, gap, size%2 == 0).check(t, p, ws)
				}
			}
		}
	})
}

// Sizes that take more than one block in each dimension.
func TestProductsInBlocks(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(3, 4))
		ws := NewWorkspace()
		for f := plain; f <= leftT; f++ {
			for _, s := range [][3]int{{100, 10, 1201}, {3, 5, 4001}, {700, 17, 301}, {5, 1203, 100}, {1024, 40, 33}} {
				newTrial(r, f, s[0], s[1], s[2], 1, false).check(t, p, ws)
				newTrial(r, f, s[0], s[1], s[2], 0, true).check(t, p, ws)
			}
		}
	})
}

// NaN, infinities and denormal numbers go where they go by definition.
func TestProductsOfOddNumbers(t *testing.T) {
	odd := []float32{canary, float32(math.Inf(1)), float32(math.Inf(-1)), 1e-42, -3e-45, 0}
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(5, 6))
		ws := NewWorkspace()
		for f := plain; f <= leftT; f++ {
			for i := range 80 {
				tr := newTrial(r, f, 1+r.IntN(40), 1+r.IntN(70), 1+r.IntN(40), 0, i%2 == 0)
				for range 3 {
					tr.a.Data[r.IntN(len(tr.a.Data))] = odd[r.IntN(len(odd))]
					tr.b.Data[r.IntN(len(tr.b.Data))] = odd[r.IntN(len(odd))]
				}
				if i%4 == 0 { // all sums are denormal or nearly
					Scale(tr.a.Data, 0x1p-70)
					Scale(tr.b.Data, 0x1p-70)
					Scale(tr.dst.Data, 0x1p-140)
				}
				tr.compute(t, p, ws)
			}
		}
		// Products that are denormal are not flushed to zero.
		a, b, dst := []float32{1e-30}, []float32{1e-12}, []float32{0}
		p.product(newProduct(plain, Mat(1, 1, dst), Mat(1, 1, a), Mat(1, 1, b), false), ws)
		if dst[0] != float32(1e-30)*float32(1e-12) || dst[0] == 0 {
			t.Errorf("a denormal product is %g", dst[0])
		}
	})
}

// Sums that are a hair beside a tie, which rounding twice gets wrong: the product of
// 2²⁴-2j and 2²³+j is 2⁴⁷-2j², and the sums are whole numbers of half units in the last
// place.
func TestProductsRoundTermsOnce(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(9, 10))
		ws := NewWorkspace()
		twice := 0
		for f := plain; f <= leftT; f++ {
			for range 40 {
				tr := newTrial(r, f, 1+r.IntN(20), 1+r.IntN(40), 2+r.IntN(20), 0, false)
				for k := range tr.k {
					j := r.IntN(30)
					set := func(x *float32, n int) {
						*x = float32(math.Ldexp(float64(n*(1-2*r.IntN(2))), -23-[]int{0, 0, 11, 12}[r.IntN(4)]))
					}
					for i := range tr.m {
						set(tr.left(i, k), 1<<24-2*j)
					}
					for i := range tr.n {
						set(tr.right(i, k), 1<<23+j)
					}
				}
				tr.compute(t, p, ws)
				for i := range tr.m * tr.n {
					sum := float32(0)
					for k := range tr.k {
						sum = float32(float64(*tr.left(i/tr.n, k))*float64(*tr.right(i%tr.n, k)) + float64(sum))
					}
					if sum != tr.dst.Row(i / tr.n)[i%tr.n] {
						twice++
					}
				}
			}
		}
		if p != generic && twice < 1000 {
			t.Errorf("%d sums tell rounding once from rounding twice, want some thousand", twice)
		}
	})
}

// The parts of a product have the bits of the whole.
func TestProductsDoNotDependOnTheSplit(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		r := rand.New(rand.NewPCG(7, 8))
		ws := NewWorkspace()
		for f := plain; f <= leftT; f++ {
			for _, s := range [][3]int{{100, 203, 301}, {201, 40, 1500}, {400, 70, 33}} {
				whole := newTrial(r, f, s[0], s[1], s[2], 0, false)
				p.product(whole.product, ws)
				want := append([]float32(nil), whole.dst.Data...)
				for _, workers := range []int{2, 3, 7} {
					clear(whole.dst.Data)
					job := shared{product: whole.product, pieces: workers}
					for i := range workers {
						p.product(job.piece(i), ws)
					}
					for i, v := range whole.dst.Data {
						if !same(v, want[i]) {
							t.Fatalf("form %d, %v, %d workers: number %d is %g, want %g", f, s, workers, i, v, want[i])
						}
					}
				}
			}
		}
	})
}

func TestProductShapes(t *testing.T) {
	data := make([]float32, 100)
	for name, call := range map[string]func(){
		"inner":  func() { newProduct(plain, Mat(2, 2, data), Mat(2, 3, data), Mat(4, 2, data), false) },
		"rows":   func() { newProduct(rightT, Mat(3, 2, data), Mat(2, 3, data), Mat(2, 3, data), false) },
		"cols":   func() { newProduct(leftT, Mat(3, 3, data), Mat(2, 3, data), Mat(2, 4, data), false) },
		"data":   func() { Mat(11, 10, data) },
		"stride": func() { newProduct(plain, Mat(2, 2, data), Matrix{2, 3, 2, data}, Mat(3, 2, data), false) },
		"column": func() { Mat(2, 3, data).Columns(1, 4) },
		"row":    func() { Mat(2, 3, data).Between(-1, 2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

// The products of training steps, as the number of floating-point operations a
// second.
// A layerProduct is the form and size of a product in a layer of a network.
type layerProduct struct {
	form    form
	m, n, k int
}

func (s layerProduct) String() string {
	return fmt.Sprintf("%s/%dx%dx%d", [...]string{"forward", "data", "weights"}[s.form], s.m, s.n, s.k)
}

// layerProducts are those of the networks 784-1200-1200-10 and 784-400-400-10.
var layerProducts = []layerProduct{
	{plain, 100, 1200, 784},
	{plain, 100, 1200, 1200},
	{plain, 100, 10, 1200},
	{plain, 100, 400, 784},
	{plain, 100, 400, 400},
	{rightT, 100, 1200, 1200},
	{rightT, 100, 1200, 10},
	{rightT, 100, 400, 400},
	{leftT, 784, 1200, 100},
	{leftT, 1200, 1200, 100},
	{leftT, 1200, 10, 100},
	{leftT, 784, 400, 100},
	{leftT, 400, 400, 100},
}

func BenchmarkProduct(b *testing.B) {
	for _, p := range paths() {
		for _, s := range layerProducts {
			b.Run(p.String()+"/"+s.String(), func(b *testing.B) {
				if p <= generic && testing.Short() {
					b.Skip("slow")
				}
				t := newTrial(rand.New(rand.NewPCG(1, 2)), s.form, s.m, s.n, s.k, 0, false)
				ws := NewWorkspace()
				measure(b, 2*s.m*s.n*s.k, func() { p.product(t.product, ws) })
			})
		}
	}
}
