// Package network has the paper's experiments on neural networks: sections 5.3, 5.4 and the supplement's parts F, G.
package network

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// A networkTable is one of the paper's tables of networks' test errors, with the
// sessions that its figures share.
type networkTable struct {
	family  string   // "mlp" or "cnn"
	sizes   []string // its columns
	has     []string // those that a full run takes; nil for all
	dataset string   // "" for MNIST or what stands in for it
	epochs  float64
	halve   float64 // the paper's L, in epochs
	rows    []networkRow
	brief   brief
}

// brief is what quick runs have in place of a table's sizes and epochs. The step
// size is halved as often as in a full run.
type brief struct {
	size  string
	steps float64 // of minibatches of 100
	draws float64 // about, half of them left out as burn-in
}

// A networkRow is a method of such a table.
type networkRow struct {
	name    string // as the paper prints it
	sampler string
	lr      []float64 // the paper's step sizes; none for a method from elsewhere, with its own defaults and constant steps
	values  paper.Values
	// printed are the paper's test errors in percent, a column each.
	printed []float64
	quoted  bool   // the paper has them from elsewhere
	target  string // a network of its own in place of the table's
	// full are the sizes at which a full run has it; nil for all. A slow row is not
	// in quick ones. Left says why either is.
	full []string
	slow bool
	left string
	// papers has the row in the text's reading as well.
	papers bool
	// curve is its name among the learning curves, "" for none.
	curve string
}

// in reports whether a run has the row at a size.
func (r *networkRow) in(o paper.Options, size string) bool {
	switch {
	case o.Reading == paper.Text && !r.papers:
		return false
	case o.Scale == paper.Quick:
		return !r.slow
	}
	return r.full == nil || slices.Contains(r.full, size)
}

// steps are the step sizes of which a run has the row: all that the paper has in
// a full run of its authors' reading. It is 0 for the method's default.
func (r *networkRow) steps(o paper.Options) []float64 {
	switch {
	case len(r.lr) == 0:
		return []float64{0}
	case o.Scale == paper.Quick || o.Reading == paper.Text:
		return r.lr[:1]
	}
	return r.lr
}

// sampling reports whether the row's method is a sampler, which has a temperature.
func (r *networkRow) sampling() bool {
	m, _ := catalog.Find(r.sampler)
	return m.Kind == sampler.Sampling
}

// columns are the sizes that a run has. The text's reading has one: that shows
// what becomes of it.
func (t *networkTable) columns(o paper.Options) []string {
	switch {
	case o.Scale == paper.Quick:
		return []string{t.brief.size}
	case o.Reading == paper.Text:
		return t.sizes[:1]
	case t.has != nil:
		return t.has
	}
	return t.sizes
}

// A networkCell is a session of a table: a row at a size, with one of its step
// sizes, from a seed.
type networkCell struct {
	row  *networkRow
	size string
	lr   float64 // 0 for the method's default
	seed uint64
	// read says how the step size and temperature are meant; "" for as the reading
	// has them.
	read string
	job  study.Job // set by cells
}

// grid lists the sessions of the table without their jobs, which takes no data.
// A row's repeats are neighbours.
func (t *networkTable) grid(o paper.Options) []networkCell {
	var all []networkCell
	for _, size := range t.columns(o) {
		for i := range t.rows {
			r := &t.rows[i]
			if !r.in(o, size) {
				continue
			}
			reads := []string{""}
			if o.Reading == paper.Text && r.sampling() {
				reads = append(reads, paper.AsStep)
			}
			for _, lr := range r.steps(o) {
				for _, read := range reads {
					for k := range o.RepeatsOr(1) {
						all = append(all, networkCell{row: r, size: size, lr: lr, seed: o.Seed + uint64(k), read: read})
					}
				}
			}
		}
	}
	return all
}

// cells are the sessions of the table with their jobs.
func (t *networkTable) cells(o paper.Options) ([]networkCell, error) {
	all := t.grid(o)
	for i := range all {
		c := &all[i]
		p, err := o.Targets.Open(t.spec(*c, o.Reading), t.dataset)
		if err != nil {
			return nil, err
		}
		c.job = t.job(p, o, *c)
	}
	return all, nil
}

// spec is the target of a session: for the authors' own methods and reading with
// their start.
func (t *networkTable) spec(c networkCell, read paper.Reading) string {
	switch spec := t.family + ":" + c.size; {
	case c.row.target != "":
		return c.row.target
	case read == paper.Authors && c.row.lr != nil:
		return spec + ";init=authors"
	case spec == "cnn:200-200": // as the target calls itself
		return "cnn"
	default:
		return spec
	}
}

// id names a session on a data set.
func (t *networkTable) id(o paper.Options, c networkCell, dataset string) string {
	id := []string{t.spec(c, o.Reading) + " on " + dataset, c.row.sampler}
	if c.lr != 0 {
		id = append(id, "step="+claim.Exactly(c.lr))
	}
	if v, ok := c.row.values[sampler.KeyPriorVar]; ok {
		id = append(id, sampler.KeyPriorVar+"="+claim.Exactly(v))
	}
	if c.read != "" {
		id = append(id, c.read)
	}
	return strings.Join(append(id, fmt.Sprintf("%s %s seed=%d", o.Reading, o.Scale, c.seed)), " ")
}

// authorsThin is the distance of kept draws in the authors' code.
const authorsThin = 300

// job is a session on its opened target.
func (t *networkTable) job(p *targets.Problem, o paper.Options, c networkCell) study.Job {
	values := paper.Values{}
	maps.Copy(values, c.row.values)
	usual := engine.DefaultLane(p, c.row.sampler)
	own := c.lr != 0 // the paper's own method, with the settings that it names
	if own {
		values[paper.KeyLR] = c.lr
		if o.Reading == paper.Text && c.read == "" { // the text's ε, N-scaled
			delete(values, paper.KeyLR)
			values[sampler.KeyEps] = c.lr
		}
	}
	if o.Reading == paper.Text && c.row.sampling() {
		values[sampler.KeyTemp] = 1
	}
	if o.Reading == paper.Authors && own && usual.Has(sampler.KeyThin) {
		values[sampler.KeyThin] = authorsThin
	}
	epochs, halve := t.epochs, t.halve
	if o.Scale == paper.Quick {
		images := t.brief.steps * 100
		epochs = images / float64(p.N())
		halve = epochs * t.halve / t.epochs
		thin := max(1, math.Floor(images/usual.Value(sampler.KeyBatch)/t.brief.draws))
		for key, v := range map[string]float64{
			sampler.KeyThin: thin, sampler.KeyBurnIn: thin * math.Floor(t.brief.draws/2), keyStudentFrom: thin,
		} {
			if usual.Has(key) {
				values[key] = v
			}
		}
	}
	var schedule sampler.Schedule
	if own {
		schedule = paper.Halving(halve)
	}
	cfg := paper.Session(p, c.seed, paper.Lane(p, c.row.sampler, schedule, values))
	cfg.Epochs = epochs
	return study.Job{ID: t.id(o, c, p.Dataset), Config: cfg, Keep: study.Keep{Curves: true, Weights: true}}
}

// keyStudentFrom is the step at which a student of the distilled methods begins
// to learn.
const keyStudentFrom = "student-from"
