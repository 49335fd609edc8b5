package targets

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/logistic"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

var blrFamily = Family{
	Name:  "blr",
	Usage: "blr:synthetic|australian|a9a|FILE[;label=…][;header=…][;skip=…][;test=…]",
	Doc: "Bayesian logistic regression on named data or any LIBSVM, CSV or blank-separated file, " +
		"gzipped or not",
	Examples: []string{"blr:synthetic", "blr:australian", "blr:a9a"},
	reaches:  reachesFile,
	open:     openBLR,
}

// A regression is the data and settings of a blr target.
type regression struct {
	path        string // of the training set; empty for a generated one
	spec, title string
	train, test *dataset.Table // test may be nil
	defaults    Defaults
	stepped     bool // its samplers have the step of defaults, and not one by its curvature
	// standardize and intercept are what Auto means here.
	standardize, intercept bool
	note                   []string
	told                   bool // what was taken of its file, which the program does not know
}

// reachesFile reports whether a data set is not one that the program generates.
func reachesFile(args string) bool {
	source, _, _ := strings.Cut(args, ";")
	switch strings.TrimSpace(source) {
	case "", "synthetic":
		return false
	}
	return true
}

func openBLR(args string, o Options) (*Problem, error) {
	source, settings, _ := strings.Cut(args, ";")
	source = strings.TrimSpace(source)
	var r *regression
	var err error
	switch source {
	case "", "synthetic", "australian", "a9a":
		if err := parseSettings("blr:"+source, settings, nil); err != nil {
			return nil, misuse("blr:%s takes no settings, got %q", source, settings)
		}
		r, err = named(source, o)
	default:
		r, err = fromFile(source, settings, o.Reading)
	}
	if err != nil {
		return nil, err
	}
	return r.problem(o)
}

// named opens the data that the program knows.
func named(name string, o Options) (*regression, error) {
	switch name {
	case "australian":
		path := filepath.Join(o.DataDir, name, "australian.dat")
		train, err := dataset.Load(path, dataset.Options{Reading: o.Reading})
		if err != nil {
			return nil, fetchable(err, name)
		}
		return &regression{
			path: path, spec: "blr:australian", title: "BLR, Australian credit", train: train,
			// ε is the upper end of figure 2(a), for methods that take none by the curvature.
			defaults:    Defaults{Eps: 1e-4, Batch: 5, PriorVar: 100, Thin: 1, Steps: 5000},
			standardize: true, intercept: true,
		}, nil
	case "a9a":
		path := filepath.Join(o.DataDir, name, "a9a")
		train, err := dataset.Load(path, dataset.Options{Reading: o.Reading})
		if err != nil {
			return nil, fetchable(err, name)
		}
		test, err := dataset.Load(path+".t", dataset.Options{Like: train, Reading: o.Reading})
		if err != nil {
			return nil, fetchable(err, name)
		}
		return &regression{
			path: path, spec: "blr:a9a", title: "BLR, a9a", train: train, test: test,
			// Table 1, with its ε read as h (PAPER §3). It predicts: at a step that the curvature of the commonest columns
			// allows, the weights of the rarest would take 10⁸ steps.
			defaults: Defaults{LR: 0.05, Batch: 50, PriorVar: 10, Thin: 50, BurnIn: 500, Steps: 15_000},
			stepped:  true,
		}, nil
	}
	train, test := dataset.Synthetic()
	return &regression{
		spec: "blr:synthetic", title: "BLR, synthetic", train: train, test: test,
		// In 2·10⁵ steps at this ε pSGLD had τ below 130 steps for every weight, with draws up to 60% too wide where
		// the scale is large. SGLD, with τ of 1250 for the smallest scale at ten times the step, hardly moves. By the
		// curvature of its largest scale steps would be 85 times smaller.
		defaults:  Defaults{Eps: 5e-5, Batch: 100, PriorVar: 100, Thin: 10, BurnIn: 1000, Steps: 20_000},
		stepped:   true,
		intercept: true,
	}, nil
}

// fromFile opens any file. Its test set is the one named, or FILE.t if there is one.
func fromFile(path, settings string, at *dataset.Reading) (*regression, error) {
	of := dataset.Options{Reading: at}
	var testPath string
	text := func(dst *string) func(string) error {
		return func(v string) error { *dst = v; return nil }
	}
	err := parseSettings("blr:"+path, settings,
		[]setting{{"label", text(&of.Label)}, {"header", text(&of.Header)}, {"skip", text(&of.Skip)},
			{"test", text(&testPath)}})
	if err != nil {
		return nil, err
	}
	if of.Header != "" && of.Header != "on" && of.Header != "off" {
		return nil, misuse("blr:%s: header must be on or off, got %q", path, of.Header)
	}
	train, err := dataset.Load(path, of)
	if err != nil {
		return nil, mistyped(path, err)
	}
	spec := "blr:" + path
	for _, s := range []Assignment{{"label", of.Label}, {"header", of.Header}, {"skip", of.Skip}, {"test", testPath}} {
		if s.Text != "" {
			spec += ";" + s.Key + "=" + s.Text
		}
	}
	if testPath == "" {
		testPath = besides(path)
	}
	r := &regression{
		path:     path,
		spec:     spec,
		title:    "BLR, " + filepath.Base(path),
		train:    train,
		defaults: Defaults{LR: 0.05, Batch: min(50, train.Rows), PriorVar: 100, Thin: 10, BurnIn: 500, Steps: 20_000},
	}
	if testPath != "" {
		of.Like = train
		if r.test, err = dataset.Load(testPath, of); err != nil {
			return nil, err
		}
		if r.test.Ignored > 0 {
			r.note = append(r.note,
				fmt.Sprintf("values of the test set beyond the training set's %d features were ignored (%d)",
					train.Cols, r.test.Ignored))
		}
	}
	r.standardize = train.Format != dataset.LIBSVM
	r.intercept = r.standardize
	r.told = true
	if c := train.Classes; c != [2]string{"0", "1"} {
		r.note = append(r.note, fmt.Sprintf("y = 1 is label %q, y = 0 is %q", c[1], c[0]))
	}
	return r, nil
}

// mistyped adds to the error about a missing file the known set whose name is near
// its own, or all of them if it looks like such a name.
func mistyped(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := []string{"synthetic", "australian", "a9a"}
	if near, ok := list.Nearest(path, known); ok {
		return fmt.Errorf("%w (did you mean blr:%s?)", err, near)
	}
	if !strings.ContainsAny(path, `./\`) {
		return fmt.Errorf("%w; want a file or one of %s", err, strings.Join(known, ", "))
	}
	return err
}

// besides returns the name of the test set beside a training file, or an empty string:
// FILE.t, also gzipped, or for FILE.gz the same of the name without .gz.
func besides(path string) string {
	stem := strings.TrimSuffix(path, ".gz")
	for _, p := range []string{path + ".t", stem + ".t", stem + ".t.gz"} {
		if info, err := os.Stat(p); err == nil && !info.IsDir() {
			return p
		}
	}
	return ""
}

var (
	_ HessianDiag[float64]        = (*logistic.Regression)(nil)
	_ HessianVec[float64]         = (*logistic.Regression)(nil)
	_ Fisher[float64]             = (*logistic.Regression)(nil)
	_ LikelihoodGradient[float64] = (*logistic.Regression)(nil)
	_ LogDensity[float64]         = (*logistic.Regression)(nil)
	_ Predictor[float64]          = (*logistic.Regression)(nil)
)

func (r *regression) problem(o Options) (*Problem, error) {
	intercept := o.Intercept.or(r.intercept)
	var s *logistic.Scaling
	if o.Standardize.or(r.standardize) {
		var err error
		if s, err = r.scaling(); err != nil {
			return nil, err
		}
	}
	taken := ""
	if r.told {
		taken = r.train.Taken(map[bool]string{true: "standardised", false: "not standardised"}[s != nil])
	}
	l := logistic.New(r.train, r.test, s, intercept, r.sourceOf(s, intercept))
	curvature := 0.0
	if !r.stepped {
		curvature = l.Curvature(r.defaults.PriorVar)
	}
	return &Problem{
		Spec:     r.spec,
		Title:    fmt.Sprintf("%s, N = %s, D = %d", r.title, thousands(l.N()), l.Dim()),
		Taken:    taken,
		Note:     strings.Join(r.note, "; "),
		F64:      l,
		Names:    coordinateNames(r.train, intercept),
		Defaults: r.defaults,

		Curvature: curvature,
		Init:      smallStart,
		Disperse:  10, // standard normal coefficients
	}, nil
}

// scaling measures the training set, if it can be made dense.
func (r *regression) scaling() (*logistic.Scaling, error) {
	t := r.train
	rows := t.Rows
	if r.test != nil {
		rows += r.test.Rows
	}
	if t.Sparse() && rows > logistic.MaxDense/t.Cols {
		return nil, &SpecError{"standardize",
			fmt.Errorf("on would make %s × %s sparse values dense, want at most %s; turn it off",
				thousands(rows), thousands(t.Cols), thousands(logistic.MaxDense))}
	}
	s, err := logistic.Measure(t)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w; turn standardize off", r.spec, err)
	}
	if n := len(s.Constant); n > 0 {
		r.note = append(r.note, fmt.Sprintf("constant features were centred only (%d, the first is %s)",
			n, coordinateNames(t, false)[s.Constant[0]]))
	}
	return s, nil
}

// coordinateNames are the header's or x1, x2, …, after "intercept".
func coordinateNames(t *dataset.Table, intercept bool) []string {
	names := make([]string, 0, t.Cols+1)
	if intercept {
		names = append(names, "intercept")
	}
	for j := range t.Cols {
		name := ""
		if t.Names != nil {
			name = t.Names[j]
		}
		names = append(names, cmp.Or(name, "x"+strconv.Itoa(j+1)))
	}
	return names
}

// smallStart is a tenth of standard normals: near the prior's mean, where the
// gradient is far from zero for every feature that tells the classes apart.
func smallStart(dst, z []float64) {
	for i, x := range z {
		dst[i] = 0.1 * x
	}
}

// thousands writes a count with commas.
func thousands(n int) string { return param.Commas(strconv.Itoa(n)) }
