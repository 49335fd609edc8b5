package targets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
	"github.com/psgld/psgld-tui/targets/logistic"
)

// dataDir is the folder with real data, or the test is skipped.
func dataDir(tb testing.TB) string {
	dir := os.Getenv("PSGLD_DATA")
	if dir == "" {
		tb.Skip("PSGLD_DATA not set")
	}
	return dir
}

// open opens a target that must open.
func open(tb testing.TB, spec string, o Options) *Problem {
	tb.Helper()
	p, err := Open(spec, o)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// point is a start of the problem from a seed.
func point(p *Problem, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 3))
	z, theta := make([]float64, p.Dim()), make([]float64, p.Dim())
	for i := range z {
		z[i] = r.NormFloat64()
	}
	p.Init(theta, z)
	return theta
}

func benchGrad(b *testing.B, p *Problem, batch int) {
	theta := point(p, 1)
	dst := make([]float64, p.Dim())
	r := rand.New(rand.NewPCG(1, 1))
	const sets = 256 // so that rows are not all in the cache by chance
	batches := make([][]int32, sets)
	for k := range batches {
		for range batch {
			batches[k] = append(batches[k], int32(r.IntN(p.N())))
		}
	}
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		p.F64.Grad(dst, theta, batches[k%sets])
		k++
	}
}

func BenchmarkGrad(b *testing.B) {
	for _, c := range []struct {
		name, spec string
		batch      int
	}{
		{"gaussian", "gaussian", 0},
		{"banana", "banana", 0},
		{"mixture", "mixture", 0},
		{"funnel", "funnel", 0},
		{"banana by formula", twins[1].typed, 0},
		{"mixture by formula", twins[3].typed, 0},
		{"funnel by formula", twins[4].typed, 0},
		{"gaussian of 50", "gaussian:d=50;cond=100", 0},
		{"synthetic/batch=50", "blr:synthetic", 50},
		{"australian/full", "blr:australian", 0},
		{"australian/batch=5", "blr:australian", 5},
		{"australian by statements", "data:australian", 0},
		{"a9a/full", "blr:a9a", 0},
		{"a9a/batch=50", "blr:a9a", 50},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := Options{}
			switch c.spec {
			case "blr:australian", "blr:a9a":
				o.DataDir = dataDir(b)
			case "data:australian":
				c.spec = DataPrefix + filepath.Join(dataDir(b), "australian", "australian.dat") + ";x15 ~ bernoulli_logit(a"
				for k := range 14 {
					c.spec += fmt.Sprintf(" + b%d*x%d", k+1, k+1)
				}
				c.spec += ");standardize=on"
			}
			benchGrad(b, open(b, c.spec, o), c.batch)
		})
	}
}

// BenchmarkSameRegression is a gradient of a logistic regression of 14 features on 1,000 rows, by the logistic kernels
// and by statements, on minibatches and on all rows. With PSGLD_SIMD=generic both are without assembly.
func BenchmarkSameRegression(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 9))
	line, text := "y ~ bernoulli_logit(b0", "y"
	for k := range 14 {
		line += fmt.Sprintf(" + b%d*x%d", k+1, k+1)
		text += fmt.Sprintf(",x%d", k+1)
	}
	for i := range 1000 {
		text += fmt.Sprintf("\n%d", i%2)
		for range 14 {
			text += fmt.Sprintf(",%.4f", r.NormFloat64())
		}
	}
	path := filepath.Join(b.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, batch := range []int{0, 100} {
		for _, spec := range []string{"blr:" + path + ";label=y;header=on", DataPrefix + path + ";" + line + ")"} {
			p := open(b, spec, Options{})
			b.Run(fmt.Sprintf("%s batch=%d", p.Spec[:4], batch), func(b *testing.B) { benchGrad(b, p, batch) })
		}
	}
}

func BenchmarkGradLogLik(b *testing.B) {
	for _, spec := range []string{"gaussian", "banana", "mixture", "funnel", "blr:synthetic", "blr:australian",
		"blr:a9a"} {
		b.Run(spec, func(b *testing.B) {
			o := Options{}
			if spec == "blr:australian" || spec == "blr:a9a" {
				o.DataDir = dataDir(b)
			}
			p := open(b, spec, o)
			target := p.F64.(LikelihoodGradient[float64])
			theta, dst := point(p, 1), make([]float64, p.Dim())
			b.ReportAllocs()
			for b.Loop() {
				target.GradLogLik(dst, theta, nil)
			}
		})
	}
}

func BenchmarkFisher(b *testing.B) {
	for _, c := range []struct {
		spec  string
		batch int
	}{{"blr:synthetic", 100}, {"blr:australian", 0}, {"blr:australian", 5}, {"blr:a9a", 0}, {"blr:a9a", 50}} {
		o := Options{}
		if c.spec != "blr:synthetic" {
			o.DataDir = dataDir(b)
		}
		p := open(b, c.spec, o)
		l := p.F64.(*logistic.Regression)
		d := p.Dim()
		theta, v, dst, f := point(p, 1), targettest.Randoms(d, 1), make([]float64, d), make([]float64, d*d)
		var batch []int32
		for _, x := range targettest.Randoms(c.batch, 2) {
			batch = append(batch, int32(math.Abs(x)*1e6)%int32(p.N()))
		}
		name := c.spec + "/batch=" + strconv.Itoa(c.batch)
		b.Run(name+"/HessianVec", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.HessianVec(dst, theta, v, batch)
			}
		})
		b.Run(name+"/Fisher", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.Fisher(f, theta, batch)
			}
		})
		b.Run(name+"/FisherSlope", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.FisherSlope(dst, theta, f, batch)
			}
		})
	}
}

func BenchmarkLogLik(b *testing.B) {
	p := open(b, "blr:a9a", Options{DataDir: dataDir(b)})
	theta := point(p, 1)
	b.ReportAllocs()
	for b.Loop() {
		p.F64.(LogDensity[float64]).LogLik(theta)
	}
}

func BenchmarkPredict(b *testing.B) {
	p := open(b, "blr:a9a", Options{DataDir: dataDir(b)})
	l := p.F64.(*logistic.Regression)
	theta := point(p, 1)
	dst := make([]float64, 2*len(l.Labels(dataset.Test)))
	b.ReportAllocs()
	for b.Loop() {
		l.Predict(dst, theta, dataset.Test)
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, spec := range []string{"blr:australian", "blr:a9a"} {
		b.Run(spec, func(b *testing.B) {
			o := Options{DataDir: dataDir(b)}
			b.ReportAllocs()
			for b.Loop() {
				open(b, spec, o)
			}
		})
	}
}
