package targets

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
)

func TestSightSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		"regress:16":                 "regress",
		"regress: 16 - 16":           `target regress: units of a hidden layer must be a whole number from 1 to 64, got "16 "`,
		"regress:16-16-16":           `target regress: want at most 2 hidden layers, got "16-16-16"`,
		"regress:16;noise=0.30":      "regress",
		"regress:noise=learn":        "regress:noise=learn",
		"regress:8;noise=.1":         "regress:8;noise=0.1",
		"regress:noise=0":            `target regress: noise must be a number from 0.01 to 10, got "0", or learn`,
		"classify:10;set=moons":      "classify",
		"classify:16-16;set=spiral":  "classify:set=spiral",
		"classify:10;set=spiral":     "classify:10;set=spiral",
		"classify:set=rings":         `target classify: set must be one of moons, spiral, xor, blobs, got "rings"`,
		"classify:n=100;data=no.csv": "cannot read no.csv: no such file",
	} {
		p, err := Open(spec, Options{})
		switch {
		case err != nil && err.Error() != want:
			t.Errorf("%s: %v, want %s", spec, err, want)
		case err == nil && p.Spec != want:
			t.Errorf("%s became %s, want %s", spec, p.Spec, want)
		}
	}
}

// Tables of one's own are standardised, of a regression y too.
func TestSightFiles(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	line := write("line.csv", "x,y\n1,2.5\n2,4\n3,8.5\n")
	p := open(t, "regress:8;data="+line, Options{})
	d := p.F64.(Functional).Data(dataset.Train)
	const u = 1.224744871391589
	want := []float64{-u, 0, u}
	for i, x := range d.X {
		if x-want[i] > 1e-12 || want[i]-x > 1e-12 {
			t.Errorf("x is %v, want %v", d.X, want)
		}
	}
	if p.Taken != "label: `y` (last column), 1 feature, 3 rows, all standardised, y too" || p.Params != nil ||
		p.Spec != "regress:8;data="+line || p.Defaults.Batch != 3 {
		t.Errorf("%+v", p)
	}
	plane := write("plane.csv", "a,b,class\n1,2,no\n2,4.5,yes\n4,1,no\n")
	p = open(t, "classify:data="+plane, Options{})
	if d := p.F64.(Functional).Data(dataset.Train); !slices.Equal(d.Y, []float64{0, 1, 0}) || p.Predicts() != true {
		t.Errorf("%+v", d)
	}
	wide := write("wide.csv", "a,b,c\n1,2,2.5\n2,4.5,1\n")
	for spec, want := range map[string]string{
		"regress:data=" + plane: "",
		"regress:data=" + wide:  wide + ": 2 features in columns, want 1 beside the label",
		"classify:data=" + write("flat.csv", "a,b,class\n1,2,0\n1,4,1\n"): "",
		"regress:data=" + write("text.csv", "x,y\n1,2.5\n2,a\n"):          "",
	} {
		_, err := Open(spec, Options{})
		if err == nil || want != "" && err.Error() != want {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// Data that are added count beside the target's own, whose likelihood they multiply, and are in its spec. With them go
// the truth, which comes back with the data that it is of, and neither the noise nor what was opened.
func TestPlus(t *testing.T) {
	for spec, added := range map[string][]Datum{
		"regress": {{X: 0.5, Y: -1}, {X: 1e-3, Y: 2}}, "classify": {{X: 1, Y: 2, Class: 1}, {X: 0.5, Y: -1}},
	} {
		p := open(t, spec, Options{})
		q, err := p.Plus(added)
		if err != nil {
			t.Fatal(err)
		}
		again := open(t, q.Spec, Options{})
		if q.N() != p.N()+2 || q.Opened() != p || p.Known() == nil || q.Known() != nil || again.Spec != q.Spec ||
			again.Title != q.Title || !strings.Contains(q.Title, "N = "+strconv.Itoa(q.N())) {
			t.Errorf("%+v of %+v", q, p)
		}
		theta := targettest.Randoms(p.Dim(), 3)
		grad, more, same := make([]float64, p.Dim()), make([]float64, p.Dim()), make([]float64, p.Dim())
		batch := []int32{3, int32(p.N()), int32(p.N() + 1)}
		q.F64.Grad(grad, theta, batch)
		again.F64.Grad(same, theta, batch)
		if !slices.Equal(grad, same) {
			t.Errorf("%s: opened again it has other gradients", q.Spec)
		}
		// A sum over all N is that over the old ones and those of the new: to rounding in sums of N terms.
		n := float64(p.N())
		p.F64.Grad(grad, theta, nil)
		q.F64.Grad(more, theta, nil)
		q.F64.Grad(same, theta, batch[1:])
		for i, g := range grad {
			if want := (n*g + 2*same[i]) / (n + 2); math.Abs(more[i]-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: gradient %v, want %v", spec, more[i], want)
			}
		}
		back, err := q.Plus(nil)
		if err != nil || back.Spec != p.Spec || back.N() != p.N() || back.Known() == nil || back.NoTruth != "" {
			t.Errorf("without: %+v (%v)", back, err)
		}
		for _, q := range []*Problem{q, again} {
			if spec != "regress" {
				break
			}
			turned, err := q.With("target.noise", 0.1)
			if err != nil || turned.Spec != "regress:noise=0.1;points=0.5,-1/0.001,2" || turned.N() != q.N() ||
				len(turned.Params) != len(turned.Values()) {
				t.Fatalf("turned: %+v (%v)", turned, err)
			}
			if back, err = turned.With("target.noise", 0.3); err != nil || back.Spec != q.Spec {
				t.Errorf("turned back: %s (%v), want %s", back.Spec, err, q.Spec)
			}
		}
	}
	for spec, d := range map[string]Datum{
		"regress": {Class: 1}, "classify": {Class: 2}, "regress:8": {X: math.NaN()}, "banana": {},
	} {
		if _, err := open(t, spec, Options{}).Plus([]Datum{d}); err == nil {
			t.Errorf("%s takes %+v", spec, d)
		}
	}
	if _, err := open(t, "regress", Options{}).Plus(make([]Datum, MaxAdded+1)); err == nil {
		t.Error("too many are taken")
	}
}

// The generated points lie where they are said to lie.
func TestShapes(t *testing.T) {
	for _, name := range dataset.Shapes() {
		train, test := dataset.Shape(name, 200)
		if len(train.X) != 400 || len(test.Y) != 200 || slices.Equal(train.X, test.X) {
			t.Errorf("%s: %d and %d", name, len(train.X), len(test.Y))
		}
		for _, x := range train.X {
			if !(x > -3.5 && x < 3.5) {
				t.Errorf("%s: a point at %v", name, x)
			}
		}
	}
	train, _ := dataset.Gap(40)
	for _, x := range train.X {
		if !(x >= 0.8 && x <= 2 || x >= -2 && x <= -0.8) {
			t.Errorf("x = %v", x)
		}
	}
}

// BenchmarkSight has the gradient of a minibatch of 20.
func BenchmarkSight(b *testing.B) {
	for _, spec := range []string{"regress", "regress:16-16", "classify", "classify:set=spiral"} {
		p, err := Open(spec, Options{})
		if err != nil {
			b.Fatal(err)
		}
		theta, dst := targettest.Randoms(p.Dim(), 1), make([]float64, p.Dim())
		batch := make([]int32, 20)
		for i := range batch {
			batch[i] = int32(2*i + i%2)
		}
		b.Run(spec, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.F64.Grad(dst, theta, batch)
			}
		})
		net := p.F64.(Functional)
		values := make([]float64, len(net.Places())/net.Inputs())
		b.Run(spec+"/function of "+strconv.Itoa(len(values)), func(b *testing.B) {
			for b.Loop() {
				net.Function(values, theta)
			}
		})
	}
}
