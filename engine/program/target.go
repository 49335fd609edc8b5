package program

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/logistic"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// errNoTarget says which targets programs have.
var errNoTarget = errors.New("want one in the plane, gaussian:d=…, a formula, or a regression on a file with " +
	"separated fields")

// needs is what a method takes of a target's functions.
type needs struct {
	Exact     bool // logp and grad of the whole posterior
	Curvature bool // the diagonal of the Hessian
	Batch     bool // minibatches
}

// Arguments are those of a function of the minibatch, or of all data.
func (n needs) Arguments() string {
	if n.Batch {
		return "theta, i"
	}
	return "theta"
}

func (p *page) target(t *targets.Problem, n needs) error {
	switch f := t.F64.(type) {
	case *targets.Diagonal:
		p.diagonal(t, n)
		return nil
	case *logistic.Regression:
		if s := f.Source(); s != nil {
			return p.regression(s, n)
		}
	case targets.Written:
		return p.formula(t, f, n)
	case *formula.Posterior:
		return p.posterior(t, f, n)
	}
	return fmt.Errorf("there is no program of the target %s, %w", t.Spec, errNoTarget)
}

// function writes a function whose arguments are given; inside writes what is in it.
func (p *page) function(name, arguments string, inside func()) {
	p.within("def "+name+"("+arguments+")", name+" <- function("+arguments+")", inside)
}

// returns ends a function.
func (p *page) returns(value string) { p.either("return "+value, value) }

var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)

// unpacked is the most coordinates that get names of their own.
const unpacked = 8

// formula writes a log density that is a formula, and its derivatives.
func (p *page) formula(t *targets.Problem, w targets.Written, n needs) error {
	f, values := w.Written()
	scale, _ := t.Scale.(*formula.Scale)
	s, taken := f.Symbols(scale), takenNames()
	x := p.expressor(t, s, taken)
	p.put("D" + p.is() + strconv.Itoa(t.Dim()))
	for _, q := range f.Params {
		x.names[q.Name] = free(q.Name, taken)
		p.put(x.names[q.Name] + p.is() + p.number(values[q.Name]))
	}
	p.put("")
	return p.density(t, s, x, n)
}

// expressor names the coordinates of a target. What is stepped in the place of one is called raw_….
func (p *page) expressor(t *targets.Problem, s *formula.Symbols, taken map[string]bool) *expressor {
	x := &expressor{language: p.language, names: map[string]string{}, helpers: map[string]bool{}, dim: t.Dim()}
	for i := range x.dim {
		name := t.Names[i]
		if strings.HasPrefix(name, "theta[") {
			name = []string{"x", "y"}[i%2]
		}
		if s.Shown != nil && s.Shown[i].Op != "coordinate" {
			name = "raw_" + name
		}
		switch {
		case x.dim > unpacked && p.isR:
			name = fmt.Sprintf("theta[%d]", i+1)
		case x.dim > unpacked:
			name = fmt.Sprintf("theta[%d]", i)
		case plain.MatchString(name):
			taken[name] = true
		default:
			name = free(name, taken)
		}
		x.coordinates = append(x.coordinates, name)
	}
	return x
}

// density writes a log density and its derivatives. Of a model it is the mean over a minibatch, which is the sum over
// all rows for an exact method.
func (p *page) density(t *targets.Problem, s *formula.Symbols, x *expressor, n needs) error {
	dim := x.dim
	if scale, ok := t.Scale.(*formula.Scale); ok {
		p.put("# "+scale.Stepped(), "")
	}
	at := len(p.lines)
	unpack := func() {
		switch {
		case dim > unpacked:
		case p.isR:
			for i, name := range x.coordinates[:dim] {
				p.put(fmt.Sprintf("%s <- theta[%d]", name, i+1))
			}
		case dim == 1:
			p.put(x.coordinates[0] + ", = theta")
		default:
			p.put(strings.Join(x.coordinates[:dim], ", ") + " = theta")
		}
	}
	var failed error
	// over joins what rows say of some values with the rest.
	over := func(all []*formula.Expr, values []string) []string {
		k := len(values) / 2
		if s.Rows == nil || len(all) != 2*k {
			return values
		}
		joined := make([]string, k)
		for i := range k {
			joined[i] = x.joined(p, all[i], all[k+i], values[i], values[k+i], n)
		}
		return joined
	}
	arguments := n.Arguments()
	vector := func(name, arguments string, all []*formula.Expr) {
		p.function(name, arguments, func() {
			unpack()
			failed = cmp.Or(failed, x.body(p, all, func(values []string) {
				if name != "shown" {
					values = over(all, values)
				}
				switch {
				case p.isR:
					p.list("c(", values, ")")
				case p.name == "torch":
					p.list("return torch.stack([", values, "])")
				default:
					p.list("return np.array([", values, "])")
				}
			}))
		})
	}
	parts := func(f func(*formula.Expr) []*formula.Expr) []*formula.Expr {
		if s.Rows == nil {
			return f(s.Value)
		}
		return append(f(s.Rows), f(s.Value)...)
	}
	value := parts(func(e *formula.Expr) []*formula.Expr { return []*formula.Expr{e} })
	if n.Exact || p.name == "torch" {
		p.function("logp", arguments, func() {
			unpack()
			failed = x.body(p, value, func(values []string) {
				values = over(value, values)
				if p.name == "torch" && !s.Value.Varies && s.Rows == nil { // of which it could find no gradient
					values[0] += " + 0*theta.sum()"
				}
				p.returns(values[0])
			})
		})
		p.put("")
	}
	grad := parts(func(e *formula.Expr) []*formula.Expr { return s.Gradient(e, dim) })
	if p.name == "torch" {
		p.autograd("logp("+arguments+")", arguments)
		if n.Curvature {
			p.put("")
			of := "logp"
			if n.Batch {
				of = "lambda theta: logp(theta, i)"
			}
			p.function("curvature", arguments, func() {
				p.returns("torch.autograd.functional.hessian(" + of + ", theta).diagonal()")
			})
		}
	} else {
		vector("grad", arguments, grad)
		if n.Curvature {
			var second []*formula.Expr
			for i, g := range grad {
				second = append(second, s.Gradient(g, dim)[i%dim])
			}
			p.put("")
			vector("curvature", arguments, second)
		}
	}
	if s.Shown != nil {
		p.put("")
		vector("shown", "theta", s.Shown)
	}
	p.put("")
	p.help(at, x.helpers)
	return failed
}

// is stands between a name and its value.
func (p *page) is() string {
	if p.isR {
		return " <- "
	}
	return " = "
}

// help puts the functions that expressions need before the line at.
func (p *page) help(at int, helpers map[string]bool) {
	if helpers["sigmoid"] && !p.isR {
		p.lines = slices.Insert(p.lines, at, "def sigmoid(a): return (1 + np.tanh(a/2))/2", "")
	}
	if helpers["logaddexp"] && p.isR {
		p.lines = slices.Insert(p.lines, at, "logaddexp <- function(a, b) pmax(a, b) + log1p(exp(-abs(a - b)))", "")
	}
}

// autograd writes the gradient of a function of theta that PyTorch finds.
func (p *page) autograd(of, arguments string) {
	p.function("grad", arguments, func() {
		p.put("theta = theta.detach().requires_grad_()")
		p.returns("torch.autograd.grad(" + of + ", theta)[0]")
	})
}

// diagonal writes a normal density with variances from 1/cond to 1.
func (p *page) diagonal(t *targets.Problem, n needs) {
	_, at, _ := t.Param(targets.KeyPrefix + "cond")
	p.put("D"+p.is()+strconv.Itoa(t.Dim()), "cond"+p.is()+p.number(t.Values()[at]))
	switch {
	case t.Dim() == 1:
		p.let("variance = ones")
	case p.isR:
		p.put("variance <- cond^((0:(D - 1))/(D - 1) - 1)")
	case p.name == "torch":
		p.put("variance = cond**(torch.arange(D)/(D - 1) - 1)")
	default:
		p.put("variance = cond**(np.arange(D)/(D - 1) - 1)")
	}
	p.put("")
	if n.Exact || p.name == "torch" {
		p.function("logp", "theta", func() { p.returns(p.say("-sum(theta^2/variance)/2", nil)) })
		p.put("")
	}
	if p.name == "torch" {
		p.autograd("logp(theta)", "theta")
	} else {
		p.function("grad", "theta", func() { p.returns("-theta/variance") })
	}
	p.put("")
	if n.Curvature {
		p.function("curvature", "theta", func() { p.returns("-1/variance") })
		p.put("")
	}
}

//go:embed regression.tmpl
var regressionText string

// regressions has a template for each language, by its name.
var regressions = template.Must(template.New("").Funcs(template.FuncMap{"quote": quote}).Parse(regressionText))

// A regression is what a template is told.
type regression struct {
	*logistic.Source
	needs
}

// regression writes a logistic regression: how its file is read, and its functions.
func (p *page) regression(s *logistic.Source, n needs) error {
	for _, text := range append(s.Classes[:], s.Path) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("there is no program of a name or a label that is not UTF-8, got %q", text)
		}
	}
	var b strings.Builder
	if err := regressions.ExecuteTemplate(&b, p.name, regression{s, n}); err != nil {
		panic(err) // the templates are part of the program
	}
	p.put(strings.Split(b.String(), "\n")...)
	return nil
}

// Separator stands between the fields of a line, as both languages write it. It is empty for blanks.
func (r regression) Separator() string {
	return map[dataset.Format]string{dataset.CSV: ",", dataset.Semicolon: ";", dataset.Tab: `\t`}[r.Format]
}

// LabelIsLast reports whether the label's column is the last.
func (r regression) LabelIsLast() bool { return r.Label == r.Columns-1 }

// Dropped lists the columns that are no features, counted from the one that is given.
func (r regression) Dropped(from int) string {
	all := slices.Sorted(slices.Values(append([]int{r.Label}, r.Skipped...)))
	return strings.Join(list.Map(all, func(j int) string { return strconv.Itoa(j + from) }), ", ")
}

// After is the column after the label's, which is the label's own if the first has the number 1.
func (r regression) After() int { return r.Label + 1 }

// IsOne is the condition that a label, as text or as a number, is that of class 1.
func (r regression) IsOne(text, number string) string {
	_, zero := isNumber(r.Classes[0])
	x, one := isNumber(r.Classes[1])
	switch {
	case zero && one:
		return number + " == " + strconv.FormatFloat(x, 'g', -1, 64)
	case one: // the other class is a text
		return text + " != " + quote(r.Classes[0])
	}
	return text + " == " + quote(r.Classes[1])
}

// isNumber reports whether a label is compared as a number.
func isNumber(label string) (float64, bool) {
	x, err := strconv.ParseFloat(label, 64)
	return x, err == nil && x-x == 0 && strings.Trim(label, "+-.0123456789eE") == ""
}

// posterior writes how a table is read, and the log density of statements about its columns.
func (p *page) posterior(t *targets.Problem, f *formula.Posterior, n needs) error {
	table, array := t.Table, map[string]string{"numpy": "np.array(%, float)",
		"torch": "torch.tensor(%, dtype=torch.float64)", "r": "as.numeric(%)"}[p.name]
	keys := append(list.Map(f.Columns, func(c formula.Name) string { return table.Keys[c.Column] }), table.Path)
	switch is := table.Keys != nil; {
	case table.Own(): // its columns are written out
	case is && p.isR:
		return fmt.Errorf("there is no program in R of data in JSON, want a CSV file, or one of numpy, torch")
	case !is && (table.Zipped || table.Format == dataset.LIBSVM):
		return fmt.Errorf("there is no program of the target %s, %w", t.Spec, errNoTarget)
	case slices.ContainsFunc(keys, func(text string) bool { return !utf8.ValidString(text) }):
		return fmt.Errorf("there is no program of a name that is not UTF-8, got %q", table.Path)
	case is && table.Zipped:
		p.put("archive = zipfile.ZipFile("+quote(table.Path)+")",
			"data = json.loads(archive.read(archive.namelist()[0]))")
	case is && table.Packed:
		p.put("data = json.load(gzip.open(" + quote(table.Path) + "))")
	case is:
		p.put("data = json.load(open(" + quote(table.Path) + `, encoding="utf-8-sig"))`)
	default:
		var b strings.Builder
		source := &logistic.Source{Path: table.Path, Format: table.Format, Packed: table.Packed, Header: table.Header}
		if err := regressions.ExecuteTemplate(&b, map[bool]string{false: "rows", true: "table"}[p.isR],
			regression{source, n}); err != nil {
			panic(err) // the templates are part of the program
		}
		p.put(strings.Split(b.String(), "\n")...)
	}
	s, taken := f.Symbols(), takenNames()
	x := p.expressor(t, s, taken)
	for _, c := range f.Columns {
		name := free(c.Word(), taken)
		base, k, matrix := strings.Cut(strings.TrimSuffix(c.Column, "]"), "[,")
		at := slices.Index(table.Names, c.Column)
		from := fmt.Sprintf("[float(r[%d]) for r in rows]", at)
		switch {
		case table.Own():
			from = "[" + strings.Join(list.Map(table.Of[c.Column], p.number), ", ") + "]"
			if p.isR {
				from = "c(" + from[1:len(from)-1] + ")"
			}
		case p.isR:
			from = fmt.Sprintf("d[[%d]]", at+1)
		}
		if table.Keys != nil {
			from = "data[" + quote(table.Keys[base]) + "]"
		}
		if matrix {
			column, _ := strconv.Atoi(k) // it was read by this
			from = fmt.Sprintf("[r[%d] for r in %s]", column-1, from)
		}
		p.put(name + p.is() + strings.ReplaceAll(array, "%", from))
		if slices.Contains(table.Scaled, c.Column) {
			p.let(fmt.Sprintf("%[1]s = (%[1]s - mean(%[1]s))/sqrt(mean((%[1]s - mean(%[1]s))^2))", name))
		}
		if lag := table.Lag; lag > 0 {
			p.either(fmt.Sprintf("%[1]s = %[1]s[%[2]d:len(%[1]s) - %[3]d]", name, lag-c.Lag, c.Lag),
				fmt.Sprintf("%[1]s <- %[1]s[%[2]d:(length(%[1]s) - %[3]d)]", name, lag-c.Lag+1, c.Lag))
		}
		if n.Batch {
			name += "[i]"
		}
		x.coordinates = append(x.coordinates, name)
	}
	first, _, _ := strings.Cut(x.coordinates[x.dim], "[")
	p.either("N = len("+first+")", "N <- length("+first+")")
	p.put("D"+p.is()+strconv.Itoa(x.dim), "")
	return p.density(t, s, x, n)
}
