// Package network has the experiments of sections 5.3 and 5.4 and of the supplement's parts F and G: neural networks.
//
// A table is data: its rows, sizes, epochs and the paper's claims. An experiment is a part of a table with a report. A
// cell of a table is what is run; a line of a report is a cell's results over the seeds.
package network

import (
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A table is one of the paper's tables of networks' test errors, with the sessions that its figures share.
type table struct {
	Family  string   // "mlp" or "cnn"
	Sizes   []string // its columns
	has     []string // those that a full run takes; nil for all
	Dataset string   // "" for MNIST or what stands in for it
	Epochs  float64
	Halve   float64 // the paper's L, in epochs
	Seeds   int     // of a full run of the authors' reading
	Rows    []*row
	Claims  []tableClaim
	Brief   brief
}

// A brief is what a quick run has in place of the sizes and epochs. It halves the step size as often as a full run.
type brief struct {
	Size  string
	Steps float64 // of minibatches of 100
	Draws float64 // about, half of them left out as burn-in
}

// A row is a method of such a table.
type row struct {
	Name    string // as the paper prints it
	Sampler string
	// the paper's step sizes; none for a method from elsewhere, with its own defaults and constant steps
	LR     []float64
	Values paper.Values
	// Printed are the paper's test errors in percent, a column each.
	Printed []float64
	Quoted  bool   // the paper has them from elsewhere
	Target  string // a network of its own in place of the table's
	// Halve is in how many epochs a method from elsewhere halves its step; 0 for constant steps.
	Halve float64
	// Full are the sizes at which a Full run has the row; nil for all. A quick run does not have a slow row. Hours are
	// about what a seed takes of a core at each size, as measured for Zen 5 or scaled from what was.
	Full  []string
	Slow  bool
	Hours []float64
	// Papers is whether the text's reading has the row as well.
	Papers bool
	// Curve is its name among the learning curves, "" for none.
	Curve string
}

// in reports whether a run has the row at a size.
func (r *row) in(o paper.Options, size string) bool {
	switch {
	case o.Reading == paper.Text && !r.Papers:
		return false
	case o.Scale == paper.Quick:
		return !r.Slow
	}
	return r.Full == nil || slices.Contains(r.Full, size)
}

// steps are the step sizes with which a run has the row, 0 for the method's default. A full
// run of the authors' reading has all of the paper's.
func (r *row) steps(o paper.Options) []float64 {
	switch {
	case len(r.LR) == 0:
		return []float64{0}
	case o.Scale == paper.Quick || o.Reading == paper.Text:
		return r.LR[:1]
	}
	return r.LR
}

// sampling reports whether the row's method is a sampler, which has a temperature.
func (r *row) sampling() bool {
	m, _ := catalog.Find(r.Sampler)
	return m.Kind == sampler.Sampling
}

// columns are the sizes that a run has. One size shows what becomes of the text's reading.
func (t *table) columns(o paper.Options) []string {
	switch {
	case o.Scale == paper.Quick:
		return []string{t.Brief.Size}
	case o.Reading == paper.Text:
		return t.Sizes[:1]
	case t.has != nil:
		return t.has
	}
	return t.Sizes
}

// A cell is a row at a size with one of its step sizes.
type cell struct {
	row  *row
	size string
	lr   float64 // 0 for the method's default
	// read says how the step size and temperature are meant; "" for as the reading has them.
	read string
}

// cells are those of a row at a size; nil if a run does not have it.
func (t *table) cells(o paper.Options, r *row, size string) []cell {
	if !r.in(o, size) {
		return nil
	}
	var all []cell
	for _, lr := range r.steps(o) {
		all = append(all, cell{row: r, size: size, lr: lr})
		if o.Reading == paper.Text && r.sampling() {
			all = append(all, cell{row: r, size: size, lr: lr, read: paper.AsStep})
		}
	}
	return all
}

// grid lists the cells of the table, which takes no data.
func (t *table) grid(o paper.Options) []cell {
	return list.Flat(t.columns(o), func(size string) []cell {
		return list.Flat(t.Rows, func(r *row) []cell { return t.cells(o, r, size) })
	})
}

// spec is the target of a cell. The authors' own methods have their start in their reading.
func (t *table) spec(c cell, read paper.Reading) string {
	switch spec := t.Family + ":" + c.size; {
	case c.row.Target != "":
		return c.row.Target
	case read == paper.Authors && c.row.LR != nil:
		return spec + ";init=authors"
	case spec == "cnn:200-200": // as the target calls itself
		return "cnn"
	default:
		return spec
	}
}

// seeds is the number of seeds that a full run has of each cell. One shows what becomes of the text's reading.
func (t *table) seeds(o paper.Options) int {
	if o.Reading == paper.Text {
		return 1
	}
	return t.Seeds
}

// runs are the sessions of a cell on a data set. They have no lane yet.
func (t *table) runs(o paper.Options, c cell, dataset string) paper.Runs {
	name := []string{t.spec(c, o.Reading) + " on " + dataset, c.row.Sampler}
	if c.lr != 0 {
		name = append(name, "step="+claim.Exactly(c.lr))
	}
	if v, ok := c.row.Values[sampler.KeyPriorVar]; ok {
		name = append(name, sampler.KeyPriorVar+"="+claim.Exactly(v))
	}
	if c.read != "" {
		name = append(name, c.read)
	}
	name = append(name, string(o.Reading), string(o.Scale))
	return paper.Runs{Draw: o.Reading.Draw(), Name: strings.Join(name, " "), Epochs: t.Epochs, Seed: o.Seed,
		N: o.RepeatsOr(1, t.seeds(o)), Keep: study.Keep{Curves: true, Weights: true, Predictions: true}}
}

const (
	// authorsThin is the thinning in the authors' code.
	authorsThin = 300
	// keyStudentFrom is the step at which a student of the distilled methods begins to learn.
	keyStudentFrom = "student-from"
)

func (t *table) jobs(o paper.Options) ([]study.Job, error) {
	var jobs []study.Job
	for _, c := range t.grid(o) {
		p, err := o.Targets.Open(t.spec(c, o.Reading), t.Dataset)
		if err != nil {
			return nil, err
		}
		r := t.runs(o, c, p.Dataset)
		t.set(&r, p, o, c)
		jobs = append(jobs, r.On(p)...)
	}
	return jobs, nil
}

// set gives a cell's sessions their lane and length on the opened target.
func (t *table) set(r *paper.Runs, p *targets.Problem, o paper.Options, c cell) {
	l := paper.Entry{Sampler: c.row.Sampler}.With(c.row.Values)
	usual := state.DefaultSetting(p, l.Sampler)
	own := c.lr != 0 // the paper's own method, with the settings that it names
	text := o.Reading == paper.Text
	switch {
	case own && text && c.read == "": // the text's ε, N-scaled
		l.Values[sampler.KeyEps] = c.lr
	case own:
		l.Values[paper.KeyLR] = c.lr
	}
	if text && c.row.sampling() {
		l.Values[sampler.KeyTemp] = 1
	}
	if !text && own && usual.Has(sampler.KeyThin) {
		l.Values[sampler.KeyThin] = authorsThin
	}
	halve := t.Halve
	if o.Scale == paper.Quick {
		images := t.Brief.Steps * 100
		r.Epochs = images / float64(p.N())
		halve = r.Epochs * t.Halve / t.Epochs
		thin := max(1, math.Floor(images/usual.Value(sampler.KeyBatch)/t.Brief.Draws))
		for key, v := range map[string]float64{
			sampler.KeyThin: thin, sampler.KeyBurnIn: thin * math.Floor(t.Brief.Draws/2), keyStudentFrom: thin,
		} {
			if usual.Has(key) {
				l.Values[key] = v
			}
		}
	}
	if !own {
		halve = c.row.Halve
	}
	if halve > 0 {
		l.Schedule = sampler.Schedule{Kind: "halve", Every: halve, Epochs: true}
	}
	r.Lanes = []paper.Entry{l}
}
