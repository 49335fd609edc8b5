package formula

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// A Model is what statements say of data and parameters:
//
//	NAME ~ distribution(…)   EXPRESSION OF COLUMNS ~ distribution(…)   target += FORMULA   0 < p < 1   NAME = value
//
// A statement that names a column is summed over its rows. The notation is Stan's.
type Model struct {
	// Names are those that are neither functions nor constants, as they first occur. lag(y, 2) and X[,1] are names too.
	Names []Name
	// Set are the values of NAME = value in their order, and Words those that are no numbers.
	Set   []Setting
	Words map[string]string

	statements []*statement
	bounds     Bounds
}

// A Name is one in a model. That of a column may stand for rows before.
type Name struct {
	Text   string // as it is written in the model, but for blanks
	Column string
	Lag    int

	id string // as the parser has it
}

// A Setting is a name with its value.
type Setting struct {
	Name  string
	Value float64
}

type statement struct {
	text        string
	left, right ast.Node // left is nil of target +=
	names       []string // by id
	leftNames   []string
}

var (
	matrixColumn = regexp.MustCompile(`\b([A-Za-z_]\w*)\[\s*,\s*([1-9][0-9]{0,6})\s*\]`)
	laggedColumn = regexp.MustCompile(`\blag\(\s*([A-Za-z_]\w*)\s*,\s*([1-9][0-9]{0,6})\s*\)`)
	increment    = regexp.MustCompile(`^\s*target\s*\+=`)
	assignment   = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*=\s*([^=]*)$`)
)

// MaxStatements is the most that a model can have.
const MaxStatements = 1000

// ReadModel reads statements. Its error is one line that names the statement.
func ReadModel(texts []string) (*Model, error) {
	m := &Model{Words: map[string]string{}}
	for _, text := range texts {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if len(m.statements) == MaxStatements {
			return nil, fmt.Errorf("more than %d statements", MaxStatements)
		}
		if err := m.read(text); err != nil {
			return nil, fmt.Errorf("%s: %w", Quoted(text), err)
		}
	}
	for _, set := range m.Set {
		if !slices.ContainsFunc(m.Names, func(n Name) bool { return n.id == set.Name }) && !m.bounds.Names(set.Name) {
			return nil, fmt.Errorf("%s = %v: no statement has the name %s", set.Name, set.Value, set.Name)
		}
	}
	return m, nil
}

// Quoted shows a statement in an error.
func Quoted(text string) string {
	return strconv.Quote(printable.Short(strings.Join(strings.Fields(text), " "), 48))
}

func (m *Model) read(text string) error {
	left, right, tilde := strings.Cut(text, "~")
	switch a := assignment.FindStringSubmatch(text); {
	case tilde:
		return m.sample(text, left, right)
	case increment.MatchString(text):
		at := increment.FindString(text)
		s := &statement{text: text}
		var err error
		if s.right, s.names, err = m.parse(text[len(at):], len(at), withData); err == nil {
			m.statements = append(m.statements, s)
		}
		return err
	case IsBound(text):
		return m.bounds.Add(text)
	case a != nil:
		name, value := a[1], strings.TrimSpace(a[2])
		if by, taken := Taken(name); taken && by != "a coordinate" {
			return fmt.Errorf("%s is %s; want another name", name, by)
		}
		if slices.ContainsFunc(m.Set, func(s Setting) bool { return s.Name == name }) || m.Words[name] != "" {
			return fmt.Errorf("%s is given twice", name)
		}
		if x, err := strconv.ParseFloat(value, 64); err == nil && x-x == 0 {
			m.Set = append(m.Set, Setting{name, x})
			return nil
		}
		if value == "" {
			return fmt.Errorf("%s has no value, want %s = VALUE", name, name)
		}
		m.Words[name] = value
		return nil
	}
	return errors.New("want NAME ~ distribution(…), a bound such as s > 0, target += FORMULA or NAME = value")
}

func (m *Model) sample(text, left, right string) (err error) {
	s := &statement{text: text}
	if s.left, s.leftNames, err = m.parse(left, 0, withData); err != nil {
		return err
	}
	if s.right, s.names, err = m.parse(right, len(left)+1, sampled); err != nil {
		return err
	}
	s.names = append(slices.Clone(s.leftNames), s.names...)
	parts := []ast.Node{s.right}
	if name, args := callOf(s.right); name == logMix {
		parts = args[1:]
	}
	for _, part := range parts {
		if name, _ := callOf(part); supports[name].want == "" {
			return fmt.Errorf("want a distribution behind ~, or log_mix of two: one of %s",
				strings.Join(distributionNames(), ", "))
		}
	}
	m.statements = append(m.statements, s)
	return nil
}

func distributionNames() []string {
	return list.Filter(Names(), func(name string) bool { return supports[name].want != "" })
}

// About is the first statement that names a column, empty for none.
func (m *Model) About(column string) string {
	for _, s := range m.statements {
		if slices.Contains(s.names, column) || // which may have a constant's name
			slices.ContainsFunc(m.Names, func(n Name) bool {
				return n.Column == column && slices.Contains(s.names, n.id)
			}) {
			return s.text
		}
	}
	return ""
}

// Responds reports whether a column stands on the left of a ~.
func (m *Model) Responds(column string) bool {
	return slices.ContainsFunc(m.statements, func(s *statement) bool {
		return slices.ContainsFunc(m.Names, func(n Name) bool {
			return n.Column == column && slices.Contains(s.leftNames, n.id)
		})
	})
}

// callOf is the name of what a tree calls, and with what; empty of another.
func callOf(n ast.Node) (name string, args []ast.Node) {
	if c, ok := n.(*ast.CallNode); ok {
		return c.Callee.String(), c.Arguments
	}
	return "", nil
}

// parse reads a part of a statement that begins so many bytes behind its begin.
func (m *Model) parse(text string, at int, as form) (tree ast.Node, names []string, err error) {
	named := map[string]Name{}
	text = m.replace(laggedColumn, m.replace(matrixColumn, text, func(base, k string) (string, Name) {
		id := base + "__" + k
		column := base + "[," + k + "]"
		named[id] = Name{column, column, 0, id}
		return id, named[id]
	}), func(base, k string) (string, Name) {
		of, ok := named[base]
		if !ok {
			of = Name{Column: base}
		}
		of.id = base + "__l" + k
		of.Lag, _ = strconv.Atoi(k)
		of.Text = fmt.Sprintf("lag(%s, %s)", of.Column, k)
		named[of.id] = of
		return of.id, of
	})
	tree, err = parse(text, as, func(t token) error {
		if _, constant := constants[t.text]; constant {
			names = append(names, t.text) // a column may have its name
			return nil
		}
		n, ok := named[t.text]
		if !ok {
			n = Name{t.text, t.text, 0, t.text}
		}
		names = append(names, n.id)
		if !slices.ContainsFunc(m.Names, func(o Name) bool { return o.id == n.id }) {
			m.Names = append(m.Names, n)
		}
		return nil
	})
	if e, ok := err.(*Error); ok {
		err = &Error{e.Column + at, e.What}
	}
	return tree, names, err
}

// replace writes names of one word for others, with blanks so that columns stay.
func (m *Model) replace(what *regexp.Regexp, text string, by func(base, k string) (string, Name)) string {
	return what.ReplaceAllStringFunc(text, func(found string) string {
		s := what.FindStringSubmatch(found)
		id, _ := by(s[1], s[2])
		return id + strings.Repeat(" ", max(0, len(found)-len(id)))
	})
}

// Data are what a model is about.
type Data struct {
	Rows    int
	Columns map[string][]float64 // by the Text of a Name, Rows of each
	Scalars map[string]float64
}

// A Posterior is a model on its data: its log density, up to a constant. It is a target of package targets, whose
// gradients are those of
//
//	(1/n) Σ_{i∈batch} log p(row i | x(u)) + (1/N) (log p(x(u)) + log |dx/du|)
//
// by where the parameters x are stepped, u.
type Posterior struct {
	Params  []string
	Scale   *Scale // nil without bounds
	Columns []Name // that the statements name
	rows    *Rows
	prior   *Tape
	made    [2]*builder // of the tapes of the prior and of a row
	shown   []slot      // the parameters, in the first of them
}

// On is the posterior of a model on data. values are those of Set, which may be others than these.
func (m *Model) On(d *Data, values map[string]float64) (*Posterior, error) {
	for name := range values {
		if _, ok := d.Columns[name]; ok {
			return nil, fmt.Errorf("setting %s has the name of a column; want another name", name)
		}
	}
	p := &Posterior{}
	column := map[string]int{}
	var cols [][]float64
	for _, n := range m.Names {
		_, set := values[n.id]
		_, scalar := d.Scalars[n.id]
		if c, ok := d.Columns[n.Text]; ok {
			column[n.id] = len(cols)
			cols, p.Columns = append(cols, c), append(p.Columns, n)
		} else if !set && !scalar {
			p.Params = append(p.Params, n.id)
		}
	}
	for name := range constants {
		if c, ok := d.Columns[name]; ok {
			column[name] = len(cols)
			cols, p.Columns = append(cols, c), append(p.Columns, Name{name, name, 0, name})
		}
	}
	if len(p.Params) == 0 || len(p.Params) > MaxDim {
		return nil, fmt.Errorf("%d names are parameters, want 1 to %d", len(p.Params), MaxDim)
	}
	known := map[string]float64{}
	maps.Copy(known, d.Scalars)
	maps.Copy(known, values)
	var err error
	if p.Scale, err = m.bounds.Resolve(p.Params, known); err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, name := range p.Params {
		at[name] = i
	}
	type writer struct {
		*builder
		params   []slot
		jacobian slot
		sum      slot
		count    int
	}
	begin := func(dim int) *writer {
		b := newBuilder(dim)
		w := &writer{builder: b, sum: b.number(0)}
		w.params = list.Map(p.Params, func(name string) slot { return slot(at[name]) })
		w.jacobian = w.sum
		if p.Scale != nil {
			w.params, w.jacobian = p.Scale.write(b)
		}
		return w
	}
	prior, rows := begin(len(p.Params)), begin(len(p.Params)+len(cols))
	told := map[string]bool{} // of which data tell
	var last []*statement     // of rows, and the slot behind each one's
	var ends []slot
	for _, s := range m.statements {
		w := prior
		if slices.ContainsFunc(s.names, func(id string) bool { _, ok := column[id]; return ok }) {
			w = rows
		}
		value := func(name string) slot {
			if k, ok := column[name]; ok {
				return slot(len(p.Params) + k)
			}
			if i, ok := at[name]; ok {
				return w.params[i]
			}
			if x, ok := constants[name]; ok {
				return w.number(x)
			}
			return w.number(known[name])
		}
		fault := func(err error) error { return fmt.Errorf("%s: %w", Quoted(s.text), err) }
		var y slot
		if s.left == nil {
			y = w.walk(s.right, value)
		} else {
			left := w.walk(s.left, value)
			if err := p.fits(s, w.builder, left, at, d, cols, value); err != nil {
				return nil, fault(err)
			}
			y = w.density(s.right, left, value)
		}
		w.sum = w.add(w.sum, y)
		w.count++
		if w == rows {
			last, ends = append(last, s), append(ends, slot(len(w.fixed)))
			for _, id := range s.names {
				told[id] = true
			}
		}
	}
	if err := m.told(p.Params, told); err != nil {
		return nil, err
	}
	if rows.count == 0 {
		return nil, errors.New("no statement names a column, want one such as y ~ normal(m, s)")
	}
	prior.t.root = prior.add(prior.sum, prior.jacobian)
	p.prior = prior.t
	rows.t.root = rows.sum
	p.made, p.shown = [2]*builder{prior.builder, rows.builder}, prior.params
	if rows.fixed[rows.sum] || len(rows.t.code) == 0 {
		return nil, errors.New("no parameter stands in a statement with a column")
	}
	var bad int
	var in slot
	if p.rows, bad, in = newRows(rows.t, len(p.Params), cols); bad >= 0 {
		s := last[slices.IndexFunc(ends, func(end slot) bool { return in < end })]
		return nil, fmt.Errorf("%s: what it says of the columns of row %d is no finite number, as log(0) is none",
			Quoted(s.text), bad+1)
	}
	if !p.rows.slope[p.rows.t.root] {
		return nil, errors.New("no parameter stands in a statement with a column")
	}
	return p, nil
}

// told returns an error if there is a parameter of which neither data nor a prior tell. Data tell of those in a
// statement with a column, and of those in a statement with such a one.
func (m *Model) told(params []string, told map[string]bool) error {
	for was := -1; was < len(told); {
		was = len(told)
		for _, s := range m.statements {
			if slices.ContainsFunc(s.names, func(id string) bool { return told[id] && slices.Contains(params, id) }) {
				for _, id := range s.names {
					told[id] = true
				}
			}
		}
	}
	for _, id := range params {
		prior := func(s *statement) bool {
			return slices.Contains(s.leftNames, id) || s.left == nil && slices.Contains(s.names, id)
		}
		if !told[id] && !slices.ContainsFunc(m.statements, prior) {
			return fmt.Errorf("%s: the parameter %s has no prior and no data, want %[2]s ~ distribution(…), or a "+
				"statement with a column and %[2]s", Quoted(m.About(id)), id)
		}
	}
	return nil
}

// Symbols returns what stands in a row as Rows, the rest of the log density as Value, and the parameters as Shown, by
// where parameters are stepped and by the columns, which are the coordinates behind them.
func (p *Posterior) Symbols() *Symbols {
	s := &Symbols{seen: map[symbol]*Expr{}}
	rest, row := s.of(p.made[0], len(p.Params), nil), s.of(p.made[1], len(p.Params), nil)
	s.Value, s.Rows = rest[p.made[0].t.root], row[p.made[1].t.root]
	if p.Scale != nil {
		s.Shown = list.Map(p.shown, func(x slot) *Expr { return rest[x] })
	}
	return s
}

// Word is a column's name as the name of a variable.
func (n Name) Word() string { return n.id }

// density writes a distribution, or a mixture of two, at a value.
func (b *builder) density(n ast.Node, at slot, value func(string) slot) slot {
	name, args := callOf(n)
	f, _ := find(name)
	if name == logMix {
		return f.make(b, []slot{b.walk(args[0], value), b.density(args[1], at, value), b.density(args[2], at, value)})
	}
	return f.make(b, append([]slot{at}, list.Map(args, func(a ast.Node) slot { return b.walk(a, value) })...))
}

// fits returns an error unless what stands on the left of ~ can have the distribution: a parameter whose bounds are
// within its support, or an expression without parameters whose values are.
func (p *Posterior) fits(s *statement, b *builder, left slot, at map[string]int, d *Data, cols [][]float64,
	value func(string) slot) error {
	parts := []ast.Node{s.right}
	if name, args := callOf(s.right); name == logMix {
		parts = args[1:]
	}
	i, parameter := -1, false
	for _, id := range s.leftNames {
		if k, ok := at[id]; ok {
			i, parameter = k, true
		}
	}
	if _, alone := s.left.(*ast.IdentifierNode); parameter && !alone {
		return fmt.Errorf("the left side has the parameter %s in an expression, want it alone, or columns", p.Params[i])
	}
	for _, part := range parts {
		name, args := callOf(part)
		range_ := supports[name]
		if name == "uniform" {
			lo, hi := b.walk(args[0], value), b.walk(args[1], value)
			if b.fixed[lo] && b.fixed[hi] {
				range_.lo, range_.hi = b.t.start[lo], b.t.start[hi]
				range_.want = fmt.Sprintf("a number from %v to %v", range_.lo, range_.hi)
			}
		}
		switch {
		case parameter && range_.whole:
			return fmt.Errorf("%s is for whole numbers, and %s is a parameter", name, p.Params[i])
		case parameter && !p.Scale.within(i, range_.lo, range_.hi):
			bound := fmt.Sprintf("%s > %v", p.Params[i], range_.lo)
			if !math.IsInf(range_.hi, 0) {
				bound = fmt.Sprintf("%v < %s < %v", range_.lo, p.Params[i], range_.hi)
			}
			return fmt.Errorf("%s is for %s; add the bound %s", name, range_.want, bound)
		case parameter:
			continue
		}
		t := &Tape{dim: b.t.dim, code: b.t.code, start: b.t.start}
		one := t.take()
		row := make([]float64, t.dim)
		for r := range d.Rows {
			if t.dim > len(p.Params) {
				for k, c := range cols {
					row[len(p.Params)+k] = c[r]
				}
			}
			t.forward(one, row)
			if x := one.v[left]; !range_.has(x) {
				_, what, _ := strings.Cut(s.text, "~")
				what = strings.TrimSpace(s.text[:len(s.text)-len(what)-1])
				return fmt.Errorf("%s is %v in row %d, and %s is for %s", printable.Line(what), x, r+1, name, range_.want)
			}
		}
	}
	return nil
}

// newBuilder makes a builder of tapes with dim coordinates.
func newBuilder(dim int) *builder {
	return &builder{t: &Tape{dim: dim, start: make([]float64, dim)}, fixed: make([]bool, dim),
		numbers: map[uint64]slot{}, seen: map[instruction]slot{}}
}
