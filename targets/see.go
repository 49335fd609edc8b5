package targets

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tanhnet"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Functional is a Target whose parameters make a function of one or two inputs. Networks are compared in it: their
// weights have symmetries.
type Functional interface {
	// Inputs is 1 or 2.
	Inputs() int
	// Places are where the function is looked at, a grid whose second input is the slower. The caller does not change
	// them.
	Places() []float64
	// Function writes the mean of y, or the probability of class 1, at each of Places to dst. It does not allocate.
	Function(dst, theta []float64)
	// HeldOut writes p(y | x, θ) and P(Y < y | x, θ) of each datum of the test set to density and below, the latter of a
	// regression alone. It does not allocate.
	HeldOut(density, below, theta []float64)
	// Data are the rows of a split, none where there is no such split. The caller does not change them.
	Data(s dataset.Split) dataset.Points
}

var (
	_ HessianDiag[float64]        = (*tanhnet.Net)(nil)
	_ LikelihoodGradient[float64] = (*tanhnet.Net)(nil)
	_ LogDensity[float64]         = (*tanhnet.Net)(nil)
	_ Stochastic[float64]         = (*tanhnet.Net)(nil)
	_ Distiller[float64]          = (*tanhnet.Net)(nil)
	_ Functional                  = (*tanhnet.Net)(nil)
	_ Predictor[float64]          = tanhnet.Classifier{}
)

var regressFamily = Family{
	Name:  "regress",
	Usage: "regress[:UNITS[-UNITS]][;data=FILE][;noise=SD|learn][;points=X,Y/…]",
	Doc: "y over x by a small tanh network with a N(0, 1) prior on its weights: a curve, with a band that opens where " +
		"no data are",
	Examples: []string{"regress", "regress:noise=learn"},
	reaches:  readsData,
	open:     openRegress,
}

var classifyFamily = Family{
	Name:  "classify",
	Usage: "classify[:UNITS[-UNITS]][;set=moons|spiral|xor|blobs][;n=POINTS][;data=FILE][;points=X,Y,CLASS/…]",
	Doc: "two classes in the plane by a small tanh network with a N(0, 1) prior on its weights: a boundary that is " +
		"unsure where they meet",
	Examples: []string{"classify", "classify:set=spiral"},
	reaches:  readsData,
	open:     openClassify,
}

// readsData reports whether args have the setting data, however blanks stand around it.
func readsData(args string) bool { return strings.Contains(args, "data") }

// Where functions are looked at.
const (
	linePoints, lineHalf   = 51, 3
	planePoints, planeHalf = 11, 2.5
)

// A sight is what the settings of both families have in common.
type sight struct {
	name, spec string
	hidden     []int
	path       string
	inputs     int
	added      []Datum
}

// parse reads args: units first, unless that part is a setting.
func (s *sight) parse(args string, known []setting) error {
	units, rest, _ := strings.Cut(args, ";")
	if strings.Contains(units, "=") {
		units, rest = "", args
	}
	var err error
	if units = strings.TrimSpace(units); units != "" {
		s.hidden = nil
		for text := range strings.SplitSeq(units, "-") {
			h := 0
			if err = whole("units", &h, 1, tanhnet.MaxUnits).set(text); err != nil {
				return misuse("%s: units of a hidden layer %w", s.name, err)
			}
			s.hidden = append(s.hidden, h)
		}
		if len(s.hidden) > tanhnet.MaxLayers {
			return misuse("%s: want at most %d hidden layers, got %q", s.name, tanhnet.MaxLayers, units)
		}
	}
	file := setting{"data", func(value string) error { s.path = value; return nil }}
	points := setting{keyPoints, func(value string) (err error) { s.added, err = readPoints(s.inputs, value); return err }}
	return parseSettings(s.name, rest, append(known, file, points))
}

// write completes the spec by the units, unless they are the usual ones, and settings that are not empty.
func (s *sight) write(usual []int, settings ...Assignment) {
	parts := list.Map(s.hidden, strconv.Itoa)
	head := strings.Join(parts, "-")
	parts = nil
	if head != strings.Join(list.Map(usual, strconv.Itoa), "-") {
		parts = []string{head}
	}
	for _, a := range append(settings, Assignment{"data", s.path}) {
		if a.Text != "" {
			parts = append(parts, a.Key+"="+a.Text)
		}
	}
	if s.spec = s.name; len(parts) > 0 {
		s.spec += ":" + strings.Join(parts, ";")
	}
}

// read reads the file, which it standardises: each column but a class by its mean and standard
// deviation.
func (s *sight) read(numeric bool, o Options) (p dataset.Points, taken string, err error) {
	t, err := dataset.Load(s.path, dataset.Options{Numeric: numeric, Reading: o.Reading})
	if err != nil {
		return p, "", err
	}
	features := s.inputs
	if t.Cols != features || t.Sparse() {
		return p, "", fmt.Errorf("%s: %s features in columns, want %d beside the label", s.path, thousands(t.Cols), features)
	}
	for j := range features {
		if err := standardise(t.X[j:], features); err != nil {
			return p, "", fmt.Errorf("%s: feature %d %w", s.path, j+1, err)
		}
	}
	p = dataset.Points{X: t.X, Y: t.Numbers}
	if !numeric {
		p.Y = list.Map(t.Y, func(y int32) float64 { return float64(y) })
	} else if err := standardise(p.Y, 1); err != nil {
		return p, "", fmt.Errorf("%s: y %w", s.path, err)
	}
	return p, t.Taken(map[bool]string{true: "all standardised, y too", false: "standardised"}[numeric]), nil
}

// standardise takes the mean from every stride-th number and divides by the standard deviation.
func standardise(x []float64, stride int) error {
	n, mean, square := float64((len(x)+stride-1)/stride), 0.0, 0.0
	for i := 0; i < len(x); i += stride {
		mean += x[i] / n
	}
	for i := 0; i < len(x); i += stride {
		x[i] -= mean
		square += float64(x[i] * x[i])
	}
	sd := math.Sqrt(square / n)
	if !(sd > 0) || math.IsInf(sd, 0) {
		return fmt.Errorf("cannot be standardised, its standard deviation is %v", sd)
	}
	for i := 0; i < len(x); i += stride {
		x[i] /= sd
	}
	return nil
}

// problem completes what both families have in common. title is of the network and its data.
func (s *sight) problem(t Target[float64], title, taken string, d Defaults,
	own map[string]map[string]float64) (*Problem, error) {
	names := t.(interface{ Names() []string }).Names()
	d.PriorVar, d.Steps = 1, cmp.Or(d.Steps, 400_000)
	p := &Problem{
		Spec: s.spec, Title: title, Taken: taken, F64: t, Names: names, Defaults: d, Own: own,
		Init: func(dst, z []float64) { copy(dst, z) }, // a draw of the prior
	}
	p.ship()
	return p.Plus(s.added)
}

// ship gives p the truth of its function if it is shipped.
func (p *Problem) ship() {
	if found, ok := shipped()[p.Spec]; ok {
		found.PriorVar, found.By, found.Cached = p.Defaults.PriorVar, "hmc", true
		p.Function, p.own = &found, &found
	}
}

// shippedText has truths of functions as HMC finds them, by the target's spec.
//
//go:embed see_truth.json
var shippedText []byte

//go:generate go run ../engine/study/_gen see_truth.json

var shipped = sync.OnceValue(func() (all map[string]Reference) {
	if err := json.Unmarshal(shippedText, &all); err != nil {
		panic("targets: see_truth.json: " + err.Error())
	}
	return all
})

// shape writes the network's layers.
func (s *sight) shape() string {
	return joined(slices.Concat([]int{s.inputs}, s.hidden, []int{1}))
}

func openRegress(args string, o Options) (*Problem, error) {
	s := sight{name: "regress", hidden: []int{16}, inputs: 1}
	var noise float64
	size := number{"noise", &noise, tanhnet.LearntNoise, 0.01, 10}
	known := size.setting()
	parse, learn := known.set, false
	known.set = func(value string) error {
		if learn = value == "learn"; learn {
			return nil
		}
		if err := parse(value); err != nil {
			return fmt.Errorf("%w, or learn", err)
		}
		return nil
	}
	if err := s.parse(args, []setting{known}); err != nil {
		return nil, err
	}
	text, said := "", ", noise "+format(noise)
	switch {
	case learn:
		text, noise = "learn", 0
		said = ", noise ~ lognormal(log " + format(tanhnet.LearntNoise) + ", 1)"
	case noise != size.standard:
		text = format(noise)
	}
	s.write([]int{16}, Assignment{"noise", text})
	train, test := dataset.Gap(40)
	taken := ""
	if s.path != "" {
		var err error
		if train, taken, err = s.read(true, o); err != nil {
			return nil, err
		}
		test, said = dataset.Points{}, said+", "+filepath.Base(s.path)
	}
	net := tanhnet.Regression(s.hidden, noise, train, test, tanhnet.Grid(1, linePoints, lineHalf))
	p, err := s.problem(net, fmt.Sprintf("y over x, %s tanh, N = %s%s", s.shape(), thousands(net.N()), said), taken,
		Defaults{Eps: 2e-4, Batch: min(10, net.N()), Thin: 100, BurnIn: 20_000, Steps: 1_000_000},
		ownValues(2e-4, 2e-5, 100))
	if err == nil && !learn && s.path == "" { // With opens a target anew, without its files
		p.Params = []param.Param{turned(number{key: "noise", standard: noise, lo: size.lo, hi: size.hi},
			"standard deviation of y about the function")}
		p.Opened().Params = p.Params // before data were added
	}
	return p, err
}

func openClassify(args string, o Options) (*Problem, error) {
	s := sight{name: "classify", inputs: 2}
	set, n := "moons", 200
	known := []setting{{"set", func(value string) error {
		if set = value; !slices.Contains(dataset.Shapes(), value) {
			return fmt.Errorf("must be one of %s, got %q", strings.Join(dataset.Shapes(), ", "), value)
		}
		return nil
	}}, whole("n", &n, 10, 100_000)}
	if err := s.parse(args, known); err != nil {
		return nil, err
	}
	usual := []int{10}
	if set == "spiral" {
		usual = []int{16, 16}
	}
	if s.hidden == nil {
		s.hidden = usual
	}
	settings := []Assignment{{"set", set}, {"n", strconv.Itoa(n)}}
	if set == "moons" || s.path != "" {
		settings[0].Text = ""
	}
	if n == 200 || s.path != "" {
		settings[1].Text = ""
	}
	s.write(usual, settings...)
	title, taken := set, ""
	train, test := dataset.Shape(set, n)
	if s.path != "" {
		var err error
		if train, taken, err = s.read(false, o); err != nil {
			return nil, err
		}
		test, title = dataset.Points{}, filepath.Base(s.path)
	}
	net := tanhnet.Classification(s.hidden, train, test, tanhnet.Grid(2, planePoints, planeHalf))
	return s.problem(net, fmt.Sprintf("%s, %s tanh, N = %s", title, s.shape(), thousands(net.N())), taken,
		Defaults{Eps: 3e-3, Batch: min(20, net.N()), Thin: 50, BurnIn: 5000}, ownValues(2e-4, 3e-4, 24))
}

// ownValues are the values of methods that differ from SGLD's: the step of those with a preconditioner, whose floor λ
// keeps the prior's own step stable where the gradient vanishes, and of those with momentum, and the most leapfrog
// steps of HMC. Dropout keeps the inputs, which are one or two.
func ownValues(preconditioned, momentum, leapfrog float64) map[string]map[string]float64 {
	own := map[string]map[string]float64{"hmc": {"leapfrog": leapfrog}, "sgd-dropout": {"keep-input": 1}}
	for _, name := range []string{"psgld", "cpsgld", "psgld-adam"} {
		own[name] = map[string]float64{"eps": preconditioned, "lambda": 0.01}
	}
	own["cpsgld"]["eps"] = 2 * preconditioned
	for _, name := range []string{"sghmc", "sgnht"} {
		own[name] = map[string]float64{"eps": momentum}
	}
	for _, name := range []string{"sgld", "csgld", "psgld", "cpsgld", "psgld-adam", "sghmc", "sgnht"} {
		student := map[string]float64{"jitter": 0.1} // an input is of the size 1
		maps.Copy(student, own[name])
		own["distill:"+name] = student
	}
	return own
}
