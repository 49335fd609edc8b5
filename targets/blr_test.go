package targets

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/logistic"
)

// file writes a file for a test and returns its path.
func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// entries are the features of a split, row by row: with θ = 10⁻³eⱼ the log odds of row i are
// 10⁻³xᵢⱼ.
func entries(l *logistic.Regression, of dataset.Split) []float64 {
	n, d := len(l.Labels(of)), l.Dim()
	x, theta, probs := make([]float64, n*d), make([]float64, d), make([]float64, 2*n)
	for j := range d {
		clear(theta)
		theta[j] = 1e-3
		l.Predict(probs, theta, of)
		for i := range n {
			x[i*d+j] = 1e3 * (math.Log(probs[2*i+1]) - math.Log(probs[2*i]))
		}
	}
	return x
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < entryError })
}

// entryError is what rounding makes of an entry: the log odds err by some 10⁻¹⁵.
const entryError = 1e-11

func TestRegressionFromFile(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "d.csv", "age,dose,flat,y\n1,10,7,no\n2,20,7,yes\n3,60,7,yes\n4,30,7,no\n")
	file(t, dir, "d.csv.t", "5,10,7,yes\n")
	p := open(t, "blr:"+path, Options{})
	if !slices.Equal(p.Names, []string{"intercept", "age", "dose", "flat"}) || p.Spec != "blr:"+path ||
		p.Title != "BLR, d.csv, N = 4, D = 4" {
		t.Errorf("names %q, spec %q, title %q", p.Names, p.Spec, p.Title)
	}
	if want := `y = 1 is label "yes", y = 0 is "no"; ` +
		`constant features were centred only (1, the first is flat)`; p.Note != want {
		t.Errorf("note %q", p.Note)
	}
	if d := p.Defaults; d.Batch != 4 || d.LR != 0.05 || d.PriorVar != 100 || d.Thin != 10 {
		t.Errorf("defaults %+v", d)
	}
	// Means 2.5 and 30; variances (divided by N) 1.25 and 350.
	l := p.F64.(*logistic.Regression)
	a, b := math.Sqrt(1.25), math.Sqrt(350)
	want := []float64{
		1, -1.5 / a, -20 / b, 0,
		1, -0.5 / a, -10 / b, 0,
		1, 0.5 / a, 30 / b, 0,
		1, 1.5 / a, 0, 0,
	}
	x := entries(l, dataset.Train)
	for i := range want {
		if math.Abs(x[i]-want[i]) > entryError {
			t.Errorf("entry %d is %v, want %v", i, x[i], want[i])
		}
	}
	// The test set is scaled by the training set's figures.
	if x = entries(l, dataset.Test); math.Abs(x[1]-2.5/a) > entryError || math.Abs(x[2]+20/b) > entryError ||
		!slices.Equal(l.Labels(dataset.Test), []int32{1}) {
		t.Errorf("test row %v, labels %v", x, l.Labels(dataset.Test))
	}

	_, err := Open("blr:"+path+";label=age", Options{})
	if want := `d.csv:2: column 4 (y) has value "no", want a number; skip=4 leaves it out`; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestRegressionSettings(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "d.csv", "y,age\n1,10\n0,20\n1,60\n")
	other := file(t, dir, "held.csv", "y,age\n0,1\n0,2\n")
	p := open(t, "blr:"+path+";test="+other+";label=y", Options{Standardize: Off, Intercept: Off})
	l := p.F64.(*logistic.Regression)
	if !slices.Equal(p.Names, []string{"age"}) || !near(entries(l, dataset.Train), []float64{10, 20, 60}) ||
		!slices.Equal(l.Labels(dataset.Train), []int32{1, 0, 1}) ||
		!slices.Equal(l.Labels(dataset.Test), []int32{0, 0}) || l.Classes() != 2 {
		t.Errorf("names %q, rows %v, labels %v and %v",
			p.Names, entries(l, dataset.Train), l.Labels(dataset.Train), l.Labels(dataset.Test))
	}
	if want := "blr:" + path + ";label=y;test=" + other; p.Spec != want {
		t.Errorf("spec %q, want %q", p.Spec, want)
	}
	if p = open(t, p.Spec, Options{}); p.Dim() != 2 {
		t.Errorf("%d coordinates with the intercept", p.Dim())
	}
	none := filepath.Join(dir, "none.csv")
	_, err := Open("blr:"+path+";label=y;test="+none, Options{})
	if want := "cannot read " + none + ": no such file"; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// LIBSVM files are neither standardised nor given an intercept unless asked.
func TestRegressionSparse(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "d", "2 9:1\n1 1:1\n2 2:1 3:1\n")
	file(t, dir, "d.t", "1 1:1 20:5\n2\n")
	p := open(t, "blr:"+path, Options{})
	if p.Dim() != 9 || p.Names[0] != "x1" {
		t.Errorf("%d coordinates, the first is %s", p.Dim(), p.Names[0])
	}
	if want := `values of the test set beyond the training set's 9 features were ignored (1); ` +
		`y = 1 is label "2", y = 0 is "1"`; p.Note != want {
		t.Errorf("note %q", p.Note)
	}
	if with, scaled := open(t, "blr:"+path, Options{Intercept: On}),
		open(t, "blr:"+path, Options{Standardize: On}); with.Dim() != 10 || scaled.Dim() != 9 {
		t.Errorf("%d coordinates with an intercept, %d standardised", with.Dim(), scaled.Dim())
	}
	huge := file(t, dir, "huge", "1 1000000:1\n"+strings.Repeat("0 1:1\n1 2:1\n", 30))
	_, err := Open("blr:"+huge, Options{Standardize: On})
	if want := "standardize on would make 61 × 1,000,000 sparse values dense, want at most 50,000,000; " +
		"turn it off"; err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
}

// Data as repositories have it: how each opens, or the one line that says why not.
func TestRegressionFilesAsFound(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text, settings string
		dim            int
		want           string
	}{
		"heart.dat":        {"70.0 1.0 4.0 2\n67.0 0.0 3.0 1\n57.0 1.0 2.0 2\n", "", 4, ""},
		"german.numeric":   {"   1   6   4  1 \n   2  48   2  2 \n", "", 4, ""},
		"pima.csv":         {"6,148,72,1\r\n1,85,66,0\r\n", "", 4, ""},
		"sonar.data":       {"0.02,0.03,R\n0.04,0.05,M\n", "", 3, ""},
		"wdbc.data":        {"842302,M,17.99\n842517,B,20.57\n", ";label=2", 3, ""},
		"synth.tr":         {"xs ys yc\n0.05 0.16 0\n-0.5 0.2 1\n", "", 3, ""},
		"transfusion.data": {"Recency (months),Frequency (times),\"gave, in March\"\n2,50,1\n0,13,0\n", "", 3, ""},
		"wine.csv":         {"\"fixed acidity\";\"pH\";\"good\"\n7.4;3.5;0\n7.8;3.2;1\n", "", 3, ""},
		"heart_scale":      {"+1 1:0.7 2:1 3:-0.3 \n-1 1:0.5 2:-1 \n", "", 3, ""},
		"iris.data": {"5.1,Iris-setosa\n7.0,Iris-versicolor\n6.3,Iris-virginica\n", "", 0,
			`iris.data:3: label "Iris-virginica" is a third class beside "Iris-setosa" and "Iris-versicolor", ` +
				`want two classes`},
		"crx.data": {"b,30.83,0,+\na,58.67,4.46,-\n", "", 0,
			`crx.data:1: column 1 has value "b", want a number; skip=1 leaves it out`},
		"wisconsin.data": {"1,5,2\n2,?,4\n", "", 0,
			`wisconsin.data:2: column 2 has value "?", want a number (missing values are not supported)`},
	} {
		p, err := Open("blr:"+file(t, dir, name, c.text)+c.settings, Options{})
		if c.want != "" {
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: error %v\nwant %s", name, err, c.want)
			}
			continue
		}
		// LIBSVM has no intercept by default, but three features here.
		if err != nil || p.Dim() != c.dim || !p.HasData() {
			t.Errorf("%s: %+v, error %v", name, p, err)
		}
	}
}

func TestRegressionRealData(t *testing.T) {
	if testing.Short() {
		t.Skip("long chains on real data")
	}
	o := Options{DataDir: dataDir(t)}
	for _, c := range []struct {
		spec                    string
		n, d, positive, testPos int
	}{{"blr:australian", 690, 15, 307, -1}, {"blr:a9a", 32561, 123, 7841, 3846}} {
		p := open(t, c.spec, o)
		l := p.F64.(*logistic.Regression)
		count := func(s dataset.Split) int {
			if l.Labels(s) == nil {
				return -1
			}
			n := 0
			for _, y := range l.Labels(s) {
				n += int(y)
			}
			return n
		}
		if p.N() != c.n || p.Dim() != c.d || count(dataset.Train) != c.positive || count(dataset.Test) != c.testPos ||
			p.Spec != c.spec || p.Note != "" {
			t.Errorf("%+v: %d positive, %d in the test set", p, count(dataset.Train), count(dataset.Test))
		}
	}
	// Standardised columns have mean 0 and variance 1, to rounding.
	entry := entries(open(t, "blr:australian", o).F64.(*logistic.Regression), dataset.Train)
	for j := 1; j < 15; j++ {
		sum, square := 0.0, 0.0
		for i := range 690 {
			x := entry[15*i+j]
			sum += x / 690
			square += x * x / 690
		}
		if math.Abs(sum) > entryError || math.Abs(square-1) > entryError {
			t.Errorf("column %d: mean %v, variance %v", j, sum, square)
		}
	}
	// a9a standardised is dense and must still open.
	if d := open(t, "blr:a9a", Options{DataDir: o.DataDir, Standardize: On, Intercept: On}); d.Dim() != 124 {
		t.Errorf("%+v", d)
	}
}

// With the default step and minibatch both samplers stay finite, and what
// they find classifies far better than the majority.
func TestRegressionDefaultsRun(t *testing.T) {
	for spec, most := range map[string]float64{"blr:synthetic": 0.33, "blr:australian": 0.17, "blr:a9a": 0.19} {
		t.Run(spec, func(t *testing.T) {
			o := Options{}
			if spec != "blr:synthetic" {
				o.DataDir = dataDir(t)
			}
			p := open(t, spec, o)
			l := p.F64.(*logistic.Regression)
			split := dataset.Train
			if l.Labels(dataset.Test) != nil {
				split = dataset.Test
			}
			d := p.Defaults
			eps := d.Eps
			if d.LR > 0 {
				eps = 2 * d.LR / float64(p.N())
			}
			for _, alpha := range []float64{0, 0.99} {
				theta := point(p, 2)
				w := walk{target: l, eps: eps, prior: d.PriorVar, alpha: alpha, batch: d.Batch, steps: int(d.Steps),
					bound: 1e3}
				if at := w.run(theta, 2, nil); at >= 0 {
					t.Errorf("α %v: diverged at step %d", alpha, at)
				}
				probs := make([]float64, 2*len(l.Labels(split)))
				l.Predict(probs, theta, split)
				wrong := 0
				for i, y := range l.Labels(split) {
					if (probs[2*i+1] > 0.5) != (y == 1) {
						wrong++
					}
				}
				if rate := float64(wrong) / float64(len(l.Labels(split))); rate > most {
					t.Errorf("α %v: error %v of the last draw, want at most %v", alpha, rate, most)
				}
			}
		})
	}
}

// The reference means are PAPER §5's HMC figures, good to 0.03. The walk of
// 10⁵ full-batch steps at ε = 5e-3 has a standard error of sd·√(2τ/10⁵), with
// τ measured at 10 to 40 steps, 140 for the intercept and 400 for the widest
// weight: below 0.055 sd, and 0.09 sd for the widest. So 0.2 sd is more than
// two standard errors of each. It also covers the bias of the step, which does
// not show in the means: 4·10⁵ steps agreed with the reference to 0.04.
func TestAustralianPosterior(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	p := open(t, "blr:australian", Options{DataDir: dataDir(t)})
	const steps = 100_000
	mean := make([]float64, 15)
	w := walk{target: p.F64, eps: 5e-3, prior: 100, steps: steps, bound: 100}
	if at := w.run(point(p, 1), 1, func(theta []float64) {
		for i, x := range theta {
			mean[i] += x / steps
		}
	}); at >= 0 {
		t.Fatalf("diverged at step %d", at)
	}
	want := []float64{-0.196, 0, 0.006, -0.187, 0.384, 0.757, 0.083, 0.267, 1.747, 0.163, 0.682, -0.150, 0.153,
		-0.350, 2.664}
	sd := []float64{0.183, 0.131, 0.141, 0.136, 0.134, 0.155, 0.150, 0.166, 0.156, 0.173, 0.287, 0.132, 0.128,
		0.148, 0.857}
	for i := range want {
		if math.Abs(mean[i]-want[i]) > 0.03+0.2*sd[i] {
			t.Errorf("%s: mean %v, want %v", p.Names[i], mean[i], want[i])
		}
	}
}
