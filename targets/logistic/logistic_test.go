package logistic

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
)

// number is one of a file.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// forms returns one regression as dense rows, as sparse rows with values, and
// one of ones as sparse rows without values; each with and without intercept.
func forms(t *testing.T) map[string]*Regression {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 1))
	var valued, ones strings.Builder
	for i := range 203 { // no multiple of the block or of four
		label := "-1"
		if i%3 == 0 {
			label = "+1"
		}
		valued.WriteString(label)
		ones.WriteString(label)
		for j := 1; j <= 13; j++ {
			if r.IntN(4) == 0 || (i == 0 && j == 13) {
				valued.WriteString(" " + number(float64(j)) + ":" + number(math.Round(1000*r.NormFloat64())/1000+1e-4))
				ones.WriteString(" " + number(float64(j)) + ":1")
			}
		}
		valued.WriteByte('\n')
		ones.WriteByte('\n')
	}
	out := map[string]*Regression{}
	for name, text := range map[string]string{"valued": valued.String(), "ones": ones.String()} {
		table, err := dataset.Read(name, strings.NewReader(text), 0, dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !table.Sparse() || (table.Value == nil) != (name == "ones") {
			t.Fatalf("%s: not stored as meant", name)
		}
		filled := *table
		filled.X, filled.Start, filled.Index, filled.Value = densified(table, table.Cols), nil, nil, nil
		for _, intercept := range []bool{false, true} {
			suffix := ""
			if intercept {
				suffix = "+intercept"
			}
			for form, tab := range map[string]*dataset.Table{"/sparse": table, "/dense": &filled} {
				d := newDesign(tab, table.Cols, nil, intercept)
				if (d.sparse != nil) != (form == "/sparse") {
					t.Fatalf("%s%s: wrong form", name, form)
				}
				out[name+form+suffix] = &Regression{train: d, y: table.Y}
			}
		}
	}
	return out
}

// With 203 terms of order 1 rounding is below 1e-13 and its share in a
// difference with step 1e-5 below 1e-8.
func TestLogisticDerivatives(t *testing.T) {
	for name, l := range forms(t) {
		t.Run(name, func(t *testing.T) {
			targettest.Derivatives(t, l, targettest.Randoms(l.Dim(), 1), 1e-7)
			targettest.Derivatives(t, l, make([]float64, l.Dim()), 1e-7)
		})
	}
}

// The definition, row by row with math.Exp, is what all forms must compute.
func TestLogisticByDefinition(t *testing.T) {
	for name, l := range forms(t) {
		d := l.Dim()
		theta := targettest.Randoms(d, 2)
		batch := []int32{5, 5, 202, 0, 17, 100, 33}
		grad, hess := make([]float64, d), make([]float64, d)
		l.GradHessian(grad, hess, theta, batch)
		x := rowsOf(l)
		wantG, wantH := make([]float64, d), make([]float64, d)
		for _, i := range batch {
			z := 0.0
			for j := range d {
				z += x[i][j] * theta[j]
			}
			p := 1 / (1 + math.Exp(-z))
			for j := range d {
				wantG[j] += (float64(l.y[i]) - p) * x[i][j] / float64(len(batch))
				wantH[j] -= p * (1 - p) * x[i][j] * x[i][j] / float64(len(batch))
			}
		}
		for j := range d {
			if math.Abs(grad[j]-wantG[j]) > 1e-13 || math.Abs(hess[j]-wantH[j]) > 1e-13 {
				t.Errorf("%s: coordinate %d: %v, %v, want %v, %v", name, j, grad[j], hess[j], wantG[j], wantH[j])
			}
		}
		sum := 0.0
		for i := range x {
			z := 0.0
			for j := range d {
				z += x[i][j] * theta[j]
			}
			if l.y[i] == 0 {
				z = -z
			}
			sum -= math.Log1p(math.Exp(-z))
		}
		if got := l.LogLik(theta); math.Abs(got-sum) > 1e-11 {
			t.Errorf("%s: log-likelihood %v, want %v", name, got, sum)
		}
	}
}

// rowsOf reads the rows of a training set off unit vectors.
func rowsOf(l *Regression) [][]float64 {
	rows := make([][]float64, l.N())
	for i := range rows {
		rows[i] = make([]float64, l.Dim())
	}
	z, unit := make([]float64, 1), make([]float64, l.Dim())
	for j := range unit {
		unit[j] = 1
		for i := range rows {
			l.train.margins(z, unit, nil, i)
			rows[i][j] = z[0]
		}
		unit[j] = 0
	}
	return rows
}

// The mean over a partition into minibatches is the full gradient, up to
// rounding of a few hundred additions.
func TestMinibatchesPartition(t *testing.T) {
	check := func(t *testing.T, l *Regression) {
		d, n := l.Dim(), l.N()
		theta := targettest.Randoms(d, 3)
		full, fullH, part, partH := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
		sum, sumH := make([]float64, d), make([]float64, d)
		l.GradHessian(full, fullH, theta, nil)
		order := rand.New(rand.NewPCG(4, 4)).Perm(n)
		for size := 1; len(order) > 0; size = size*2 + 1 {
			var batch []int32
			for _, i := range order[:min(size, len(order))] {
				batch = append(batch, int32(i))
			}
			order = order[len(batch):]
			l.GradHessian(part, partH, theta, batch)
			for j := range sum {
				sum[j] += part[j] * float64(len(batch)) / float64(n)
				sumH[j] += partH[j] * float64(len(batch)) / float64(n)
			}
		}
		for j := range sum {
			if math.Abs(sum[j]-full[j]) > 1e-12 || math.Abs(sumH[j]-fullH[j]) > 1e-12 {
				t.Errorf("coordinate %d: %v, %v over the batches, %v, %v in full",
					j, sum[j], sumH[j], full[j], fullH[j])
			}
		}
	}
	for name, l := range forms(t) {
		t.Run(name, func(t *testing.T) { check(t, l) })
	}
	t.Run("synthetic", func(t *testing.T) {
		train, test := dataset.Synthetic()
		check(t, New(train, test, nil, true, nil))
	})
	t.Run("a9a", func(t *testing.T) {
		dir := os.Getenv("PSGLD_DATA")
		if dir == "" {
			t.Skip("PSGLD_DATA not set")
		}
		train, err := dataset.Load(filepath.Join(dir, "a9a", "a9a"), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		check(t, New(train, nil, nil, false, nil))
	})
}

func TestLogisticAllocatesNothing(t *testing.T) {
	for name, l := range forms(t) {
		d := l.Dim()
		dst, hess, theta := make([]float64, d), make([]float64, d), targettest.Randoms(d, 5)
		probs := make([]float64, 2*l.N())
		batch := []int32{1, 2, 3, 4, 5}
		if n := alloctest.PerRun(20, func() {
			l.Grad(dst, theta, nil)
			l.Grad(dst, theta, batch)
			l.GradHessian(dst, hess, theta, batch)
			l.LogLik(theta)
			l.Predict(probs, theta, dataset.Train)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Both columns of Predict are exact to the last digits, also where a
// probability is tiny, and the log-likelihood follows a margin of any size.
func TestLogisticTails(t *testing.T) {
	l := &Regression{
		train: design{rows: 2, cols: 1, dense: []float64{1, -1}},
		y:     []int32{1, 0},
	}
	probs := make([]float64, 4)
	for _, x := range []float64{-700, -40, -1, 0, 1e-9, 3, 40, 700} {
		l.Predict(probs, []float64{x}, dataset.Train)
		p, q := 1/(1+math.Exp(-x)), 1/(1+math.Exp(x))
		for i, want := range []float64{q, p, p, q} {
			if math.Abs(probs[i]-want) > 1e-13*want {
				t.Errorf("θ = %v: probability %d is %v, want %v", x, i, probs[i], want)
			}
		}
		// Both rows have the signed margin x.
		want := 2 * (min(x, 0) - math.Log1p(math.Exp(-math.Abs(x))))
		if got := l.LogLik([]float64{x}); math.Abs(got-want) > 1e-13*math.Abs(want) {
			t.Errorf("θ = %v: log-likelihood %v, want %v", x, got, want)
		}
	}
	if got := l.LogLik([]float64{-1e5}); got != -2e5 {
		t.Errorf("log-likelihood %v far out, want -2e5", got)
	}
	l.Predict(probs, []float64{math.NaN()}, dataset.Train)
	if got := l.LogLik([]float64{math.NaN()}); !math.IsNaN(got) || !math.IsNaN(probs[0]) || !math.IsNaN(probs[3]) {
		t.Errorf("NaN became %v and %v", got, probs)
	}
}

// Sparse rows stay sparse, with an intercept too, unless they are standardised.
func TestFormOfADesign(t *testing.T) {
	table, err := dataset.Read("d", strings.NewReader("2 9:1\n1 1:1\n2 2:1 3:1\n"), 0, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, intercept := range []bool{false, true} {
		if l := New(table, nil, nil, intercept, nil); l.train.sparse == nil || l.train.sparse.value != nil ||
			l.train.sparse.intercept != intercept {
			t.Errorf("intercept %v: sparse %+v", intercept, l.train.sparse)
		}
	}
	s, err := Measure(table)
	if err != nil {
		t.Fatal(err)
	}
	if l := New(table, table, s, false, nil); l.train.dense == nil || l.test.dense == nil {
		t.Error("standardised but not dense")
	}
}
