package targets

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/landscape"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Typed is a density whose logarithm a person has typed, up to a constant. N = 1 and there is
// no prior. Nothing says that it can be normalised.
type Typed struct {
	tape    *formula.Tape // by where coordinates are stepped
	own     *formula.Tape // by the coordinates
	scale   *formula.Scale
	formula *formula.Formula
	values  map[string]float64
}

var (
	_ HessianDiag[float64]        = (*Typed)(nil)
	_ LikelihoodGradient[float64] = (*Typed)(nil)
	_ HessianVec[float64]         = (*Typed)(nil)
	_ LogDensity[float64]         = (*Typed)(nil)
)

// Dim is the number of coordinates.
func (t *Typed) Dim() int { return t.tape.Dim() }

// N is 1.
func (t *Typed) N() int { return 1 }

// Grad writes the formula's gradient to dst.
func (t *Typed) Grad(dst, theta []float64, _ []int32) { t.tape.Grad(dst, theta) }

// GradLogLik is Grad, and returns LogLik.
func (t *Typed) GradLogLik(dst, theta []float64, _ []int32) float64 { return t.tape.Grad(dst, theta) }

// GradHessian also writes the diagonal of the formula's Hessian to hess.
func (t *Typed) GradHessian(dst, hess, theta []float64, _ []int32) {
	t.tape.GradHessian(dst, hess, theta)
}

// HessianVec writes the Hessian's product with v to dst.
func (t *Typed) HessianVec(dst, theta, v []float64, _ []int32) { t.tape.HessianVec(dst, theta, v) }

// LogLik is the formula's value, with log |dx/du| where coordinates x with bounds are stepped as u.
func (t *Typed) LogLik(theta []float64) float64 { return t.tape.Value(theta) }

// Height is the formula's value at the coordinates x, and NaN beyond their bounds.
func (t *Typed) Height(x []float64) float64 {
	if t.scale != nil && t.scale.Step(make([]float64, len(x)), x) != nil {
		return math.NaN()
	}
	return t.own.Value(x)
}

const densityFamilyName = "density"

// FormulaPrefix begins the --target value of a formula.
const FormulaPrefix = densityFamilyName + ":"

// Formula is what stands behind FormulaPrefix in a --target value. It reports whether that is a formula's.
func Formula(spec string) (text string, ok bool) { return strings.CutPrefix(spec, FormulaPrefix) }

// CheckFormula says what is wrong with a formula and its settings, or nil. It does not name the target.
func CheckFormula(text string) error {
	if _, err := readFormula(text); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "target "+densityFamilyName+": "))
	}
	return nil
}

var densityFamily = Family{
	Name:     densityFamilyName,
	Usage:    "density:FORMULA[;BOUND]…[;NAME=VALUE]…[;d=DIMENSIONS]",
	Doc:      "a log density that you type, in x, in x and y, or in t1 … tD; other names are parameters with a value",
	Examples: []string{"density:-(1-x)^2 - b*(y-x^2)^2;b=5"},
	open:     openDensity,
}

// keyDim is the setting of the number of coordinates.
const keyDim = "d"

// mostTitle is how much of a formula the title has.
const mostTitle = 40

// typed is a formula with its settings.
type typed struct {
	*formula.Formula
	text   string
	bounds formula.Bounds
	dim    int
	values []float64 // of Params
	named  map[string]float64
	scale  *formula.Scale // nil without bounds
}

func readFormula(args string) (*typed, error) {
	text, settings, _ := strings.Cut(args, ";")
	f, err := formula.Parse(text)
	if err != nil {
		return nil, misuse("density: %w", err)
	}
	t := &typed{Formula: f, text: strings.Join(strings.Fields(text), " "), named: map[string]float64{}}
	parts := strings.Split(settings, ";")
	for _, part := range parts {
		if formula.IsBound(part) {
			if err := t.bounds.Add(part); err != nil {
				return nil, misuse("density: %w", err)
			}
		}
	}
	parts = slices.DeleteFunc(parts, formula.IsBound)
	for _, part := range parts { // a setting may stand in bounds alone
		name, _, _ := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		_, taken := formula.Taken(name)
		known := slices.ContainsFunc(f.Params, func(p formula.Param) bool { return p.Name == name })
		if !taken && !known && t.bounds.Names(name) {
			f.Params = append(f.Params, formula.Param{Name: name})
		}
	}
	settings = strings.Join(parts, ";")
	if i := slices.IndexFunc(f.Params, func(p formula.Param) bool { return p.Name == keyDim }); i >= 0 {
		return nil, misuse("density: column %d: %q is the number of dimensions; want another name",
			f.Params[i].Column, keyDim)
	}
	dim, highest := f.Dim, f.Dim
	if f.Indexed {
		highest = formula.MaxDim
	}
	t.values = make([]float64, len(f.Params))
	given := make([]bool, len(f.Params))
	known := []setting{whole(keyDim, &dim, dim, highest)}
	for i, p := range f.Params {
		set := number{key: p.Name, to: &t.values[i], lo: -maxParam, hi: maxParam}.setting()
		known = append(known, setting{p.Name, func(value string) error {
			given[i] = true
			return set.set(value)
		}})
	}
	if by, name, taken := takenSetting(settings); taken {
		return nil, misuse("density: setting %s has the name of %s; want another name", name, by)
	}
	if err := parseSettings("density", settings, known); err != nil {
		return nil, err
	}
	if i := slices.Index(given, false); i >= 0 {
		p := f.Params[i]
		return nil, misuse("density: column %d: %q is neither a coordinate (x, y, t1 …), a constant (pi, e) "+
			"nor a setting; add ;%s=VALUE", p.Column, p.Name, p.Name)
	}
	for i, p := range f.Params {
		t.named[p.Name] = t.values[i]
	}
	t.dim = dim
	if t.scale, err = t.bounds.Resolve(formulaNames(f, dim), t.named); err != nil {
		return nil, misuse("density: %w", err)
	}
	return t, nil
}

func openDensity(args string, _ Options) (*Problem, error) {
	f, err := readFormula(args)
	if err != nil {
		return nil, err
	}
	text, dim := f.text, f.dim
	spec := strings.Join(append([]string{FormulaPrefix + text}, f.bounds.Texts()...), ";")
	for i, p := range f.Params {
		spec += ";" + p.Name + "=" + format(f.values[i])
	}
	if dim != f.Dim {
		spec += ";" + keyDim + "=" + strconv.Itoa(dim)
	}
	title := text
	if len(title) > mostTitle {
		title = title[:mostTitle-1] + "…"
	}
	t := &Typed{f.Stepped(dim, f.named, f.scale), f.Compile(dim, f.named), f.scale, f.Formula, f.named}
	p := &Problem{
		Spec: spec, Title: "log p = " + title, F64: t, Names: formulaNames(f.Formula, dim), Unproved: true, Disperse: 2,
		Params: list.Map(f.Params, func(q formula.Param) param.Param {
			return turned(number{key: q.Name, standard: f.named[q.Name], lo: -maxParam, hi: maxParam},
				"a parameter of the formula")
		}),
	}
	var show func(dst, theta []float64)
	if f.scale != nil {
		p.Scale, p.Taken, show = f.scale, f.scale.Stepped(), f.scale.Show
	}
	l := landscape.Explore(t.tape, show)
	for i, name := range p.Names {
		switch {
		case !f.Occurs[i] && !f.bounds.Names(name):
			p.Note = join(p.Note, name+" is not in the formula: it is flat along it, and no density")
		case math.Abs(l.Mode[i]) > landscape.Far:
			far := format(math.Copysign(landscape.Far, l.Mode[i]))
			p.Note = "the formula rises beyond " + name + " = " + far + ": it is no density"
		}
	}
	describe(p, l)
	return p, nil
}

// startBy has chains begin at the modes that were found.
func (p *Problem) startBy(l *landscape.Landscape) {
	p.Init = l.Start
	for _, h := range l.Others {
		p.Elsewhere = append(p.Elsewhere, func(dst, z []float64) { l.StartAt(h, dst, z) })
	}
}

// describe tells a problem, by what was found of its density, where to start, with which step,
// what to show and, where it can be told, what the mean and the covariance are.
func describe(p *Problem, l *landscape.Landscape) {
	eps := 0.3
	if l.Steep > 0 {
		eps = min(eps, niceBelow(1/l.Steep))
	}
	p.Defaults = Defaults{Eps: eps, Thin: 1, Steps: 200_000}
	p.startBy(l)
	if m := l.Quadrature(); m != nil {
		r := &Reference{Mean: m.Mean, Cov: m.Cov, PriorVar: math.Inf(1), By: "quadrature", Error: m.Error}
		if p.Scale == nil {
			r.Shares = l.Quantiles(Shares)
		}
		r.SD = list.Map(list.Upto(len(m.Mean)), func(i int) float64 { return math.Sqrt(m.Cov[i*len(m.Mean)+i]) })
		p.Reference = r
	} else {
		p.NoTruth = "the target's mean and covariance are not known"
		if p.Dim() <= 2 {
			p.NoTruth += " (no window was found that holds all of its mass)"
		}
		p.NoTruth += "; --truth hmc estimates them"
	}
	if p.Dim() > 2 {
		return
	}
	p.Frame = Frame{-3.5, 3.5, -3.5, 3.5}
	f := l.Frame
	if r := p.Reference; r != nil { // tails need not be seen, and modes do
		for i, m := range r.Mean {
			lo, hi := m-float64(4.5*r.SD[i]), m+float64(4.5*r.SD[i])
			for _, h := range l.Others {
				if p.Scale == nil {
					lo, hi = min(lo, h.Mode[i]-float64(3*h.SD[i])), max(hi, h.Mode[i]+float64(3*h.SD[i]))
				}
			}
			f.Lo[i], f.Hi[i] = max(f.Lo[i], lo), min(f.Hi[i], hi)
		}
	}
	if p.Dim() == 1 {
		if p.Frame = (Frame{X0: -3.5, X1: 3.5}); f.Hi[0] > f.Lo[0] {
			p.Frame = Frame{X0: f.Round(f.Lo[0]), X1: f.Round(f.Hi[0])}
		}
	} else if f.Hi[0] > f.Lo[0] && f.Hi[1] > f.Lo[1] {
		p.Frame = Frame{f.Round(f.Lo[0]), f.Round(f.Hi[0]), f.Round(f.Lo[1]), f.Round(f.Hi[1])}
	}
}

// maxParam bounds a formula's parameters.
const maxParam = 1e12

// takenSetting is the first of some settings whose key is a name of the language.
func takenSetting(settings string) (by, name string, taken bool) {
	for part := range strings.SplitSeq(settings, ";") {
		name, _, _ := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); name != "" {
			if by, taken := formula.Taken(name); taken {
				return by, name, true
			}
		}
	}
	return "", "", false
}

func formulaNames(f *formula.Formula, dim int) []string {
	if !f.Indexed {
		return []string{"x", "y"}[:dim]
	}
	return list.Map(list.Upto(dim), func(i int) string { return "t" + strconv.Itoa(i+1) })
}
