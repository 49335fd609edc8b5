package targets

import (
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/landscape"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

var (
	_ HessianDiag[float64]        = (*formula.Posterior)(nil)
	_ LikelihoodGradient[float64] = (*formula.Posterior)(nil)
	_ HessianVec[float64]         = (*formula.Posterior)(nil)
	_ LogDensity[float64]         = (*formula.Posterior)(nil)
)

const dataFamilyName = "data"

// DataPrefix begins the --target value of a posterior with its data.
const DataPrefix = dataFamilyName + ":"

var dataFamily = Family{
	Name:  dataFamilyName,
	Usage: "data:FILE|cars;STATEMENT[;STATEMENT]…[;NAME=VALUE]…[;standardize=on]",
	Doc: "a posterior in one line: statements such as y ~ normal(a + b*x, s), s > 0 and s ~ cauchy(0, 2.5) about " +
		"the columns of a CSV, LIBSVM or JSON file",
	Examples: []string{DataPrefix + carsName + ";dist ~ normal(a+b*speed,s);s>0"},
	reaches: func(args string) bool {
		path, _, _ := strings.Cut(args, ";")
		return strings.TrimSpace(path) != carsName
	},
	open: openData,
}

// carsName is the data set that the program has: the speed in miles an hour and the braking distance in feet of 50
// cars, which R has by this name. It is of M. Ezekiel, Methods of Correlation Analysis, Wiley 1930.
const carsName = "cars"

//go:embed cars.csv
var carsCSV string

// openedData is a data target's file, read, with what its line says of it.
type openedData struct {
	path   string
	texts  []string // statements but for settings
	model  *formula.Model
	data   *formula.Data
	table  Table
	values []float64 // of the model's settings
	words  []string  // other settings, as they are written
	taken  string
}

// A Table is the file of a data target, and what was made of its columns.
type Table struct {
	Path string // carsName for what the program has
	*dataset.Columns
	Scaled []string // those that were standardised
	Lag    int      // how many rows were dropped at the begin
}

// Own reports whether no file has the table, but the program.
func (t *Table) Own() bool { return t.Path == carsName }

func openData(args string, o Options) (*Problem, error) {
	path, rest, _ := strings.Cut(args, ";")
	d := &openedData{path: strings.TrimSpace(path)}
	if d.path == "" {
		return nil, misuse("data: must be data:FILE;STATEMENT;…, such as data:kidiq.csv; kid_score ~ normal(a + b*mom_iq, "+
			"s); s > 0, got %q", args)
	}
	statements := strings.Split(rest, ";")
	var err error
	if d.model, err = formula.ReadModel(statements); err != nil {
		return nil, misuse("data: %w", err)
	}
	d.values = list.Map(d.model.Set, func(s formula.Setting) float64 { return s.Value })
	for _, s := range statements {
		s = strings.Join(strings.Fields(s), " ")
		if key, _, is := strings.Cut(s, "="); s != "" && !(is && d.sets(strings.TrimSpace(key))) {
			d.texts = append(d.texts, s)
		}
	}
	standardize := o.Standardize == On
	for key, word := range d.model.Words {
		if key != "standardize" || word != "on" && word != "off" {
			return nil, misuse("data: setting %s must be a number, or standardize on or off, got %q; a statement "+
				"about a column has ~ in place of =", key, word)
		}
		standardize = word == "on"
		d.words = append(d.words, key+"="+word)
	}
	if err := d.read(standardize, o.Reading); err != nil {
		return nil, err
	}
	return d.problem(d.values)
}

// sets reports whether a name is that of a setting.
func (d *openedData) sets(name string) bool {
	return d.model.Words[name] != "" ||
		slices.ContainsFunc(d.model.Set, func(s formula.Setting) bool { return s.Name == name })
}

// read reads the columns that the statements name, as often as they name them.
func (d *openedData) read(standardize bool, at *dataset.Reading) error {
	names := d.model.Names
	wanted := func(name string) bool {
		return name == "e" || name == "pi" ||
			slices.ContainsFunc(names, func(n formula.Name) bool { return n.Column == name })
	}
	var c *dataset.Columns
	var err error
	if d.path == carsName {
		c, err = dataset.ReadColumns(carsName, strings.NewReader(carsCSV), int64(len(carsCSV)), wanted)
	} else {
		c, err = dataset.LoadColumns(d.path, wanted, at)
	}
	if err != nil {
		if of := (*dataset.ColumnError)(nil); errors.As(err, &of) {
			if text := d.model.About(of.Column); text != "" {
				return fmt.Errorf("target data: %s: %w", formula.Quoted(text), err)
			}
		}
		return err
	}
	most := 0
	var plain []string
	for _, n := range names {
		_, ok := c.Of[n.Column]
		if !ok && n.Text != n.Column || !ok && strings.Contains(n.Text, "[") {
			return misuse("data: %s: %s has no column %s, want one of %s", formula.Quoted(d.model.About(n.Column)),
				filepath.Base(d.path), n.Column, list.Some(c.Names, 12))
		}
		most = max(most, n.Lag)
	}
	for name := range c.Of {
		if d.model.About(name) != "" { // e and pi may be columns that none is about
			plain = append(plain, name)
		}
	}
	if len(plain) == 0 && len(c.Of) == 0 {
		y, mean := c.Names[len(c.Names)-1], "a"
		if len(c.Names) > 1 {
			mean = "a + b*" + c.Names[0]
		}
		return misuse("data: no statement names a column of %s, which has %s; want one such as %s ~ normal(%s, s); s > 0",
			filepath.Base(d.path), list.Some(c.Names, 12), y, mean)
	}
	rows := c.Rows - most
	if rows < 1 {
		return fmt.Errorf("target data: lag(…, %d) leaves none of %d rows", most, c.Rows)
	}
	var scaled []string
	if standardize {
		for name, x := range c.Of {
			if !d.model.Responds(name) {
				scaled = append(scaled, name)
				if err := standardise(x, 1); err != nil {
					return fmt.Errorf("target data: column %s %w; leave standardize off", name, err)
				}
			}
		}
		slices.Sort(scaled)
	}
	d.table = Table{d.path, c, scaled, most}
	d.data = &formula.Data{Rows: rows, Columns: map[string][]float64{}, Scalars: c.Scalars}
	for name, x := range c.Of {
		d.data.Columns[name] = x[most:]
	}
	for _, n := range names {
		if x, ok := c.Of[n.Column]; ok {
			d.data.Columns[n.Text] = x[most-n.Lag:][:rows]
		}
	}
	slices.Sort(plain)
	d.taken = fmt.Sprintf("columns: %s, %s rows", list.Some(plain, 8), thousands(rows))
	if len(scaled) > 0 {
		d.taken += ", standardised: " + list.Some(scaled, 8)
	}
	unused := slices.DeleteFunc(slices.Clone(c.Names), func(name string) bool { return c.Of[name] != nil })
	for _, n := range names { // of short names near ones mean nothing
		_, scalar := c.Scalars[n.Column]
		if near, ok := list.Nearest(n.Text, unused); ok && len(n.Text) > 3 && c.Of[n.Column] == nil && !scalar &&
			!d.model.Responds(n.Text) && !d.sets(n.Text) {
			d.taken += fmt.Sprintf("; %s is a parameter (did you mean the column %s?)", n.Text, near)
		}
	}
	return nil
}

// problem is the posterior at values of the settings.
func (d *openedData) problem(values []float64) (*Problem, error) {
	named := map[string]float64{}
	spec := DataPrefix + strings.Join(append([]string{d.path}, d.texts...), ";")
	for i, s := range d.model.Set {
		named[s.Name] = values[i]
		spec += ";" + s.Name + "=" + format(values[i])
	}
	if len(d.words) > 0 {
		spec += ";" + strings.Join(d.words, ";")
	}
	t, err := d.model.On(d.data, named)
	if err != nil {
		return nil, misuse("data: %w", err)
	}
	p := &Problem{
		Spec: spec, F64: t, Names: t.Params, OwnPrior: true, Disperse: 2,
		Title:   fmt.Sprintf("%s, N = %s, D = %d", filepath.Base(d.path), thousands(t.N()), t.Dim()),
		Taken:   join("parameters: "+list.Some(t.Params, 12)+"; "+d.taken, t.Stepped()),
		reopen:  func(values []float64) (*Problem, error) { return d.problem(values) },
		Table:   &d.table,
		NoTruth: "the posterior's mean and covariance are not known; --truth hmc estimates them",
	}
	for i, s := range d.model.Set {
		p.Params = append(p.Params, turned(number{key: s.Name, standard: values[i], lo: -maxParam, hi: maxParam},
			"a setting of the statements"))
	}
	if t.Scale != nil {
		p.Scale = t.Scale
	}
	p.mapped(landscape.Explore(t.Explored(), nil))
	return p, nil
}

// mapped gives a posterior the start and the ε of what was found of its density.
func (p *Problem) mapped(l *landscape.Landscape) {
	p.startBy(l)
	p.Defaults = Defaults{Eps: 1e-3, Thin: 1, Steps: 50_000}
	if l.Steep > 0 {
		p.Defaults.Eps = niceBelow(min(0.3, 0.3/l.Steep))
	}
}
