// Package paper defines what an experiment of the paper is: Preconditioned Stochastic Gradient Langevin Dynamics for
// Deep Neural Networks (Li, Chen, Carlson and Carin, AAAI 2016).
//
// An Experiment is data: which Runs it takes, and a function that makes a Report of their Results. The experiments
// themselves lie in simulation, regression, network, theory and calibration. Package figure draws, claim weighs
// numbers, and reproduce lists and runs them all.
package paper

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Reading is one of the two protocols that the paper's experiments have: its
// text's, and that of its authors' released code (PAPER §3).
type Reading string

// The readings.
const (
	Text    Reading = "paper"
	Authors Reading = "authors"
)

// Draw is how the reading's minibatches are drawn. The text takes a random subset at each iteration (algorithm 1). The
// authors' code goes through the data in order; here they are shuffled anew each epoch.
func (r Reading) Draw() noise.Draw {
	if r == Text {
		return noise.Subset
	}
	return noise.Shuffle
}

// Batching says what Draw is, as a sentence of a protocol.
func (r Reading) Batching() string {
	if r == Text {
		return "Minibatches are random subsets, drawn anew at each iteration (algorithm 1)."
	}
	return "Minibatches go through data shuffled anew each epoch."
}

// AsStep names the sessions that take the text's ε as h and keep its T = 1.
const AsStep = "ε as h"

// A Scale is how much of a protocol is run.
type Scale string

// The scales. Quick ones are for a look and are labelled as such: smaller
// networks, fewer epochs, draws or repeats. Full ones have the text's numbers.
const (
	Quick Scale = "quick"
	Full  Scale = "full"
)

// Options say how an experiment is run.
type Options struct {
	Reading Reading        `json:"reading"`
	Scale   Scale          `json:"scale"`
	Seed    uint64         `json:"seed"`              // of the first repeat
	Repeats int            `json:"repeats,omitempty"` // over seeds that follow it; 0 for the experiment's own number
	Targets *study.Targets `json:"-"`                 // opens what is sampled
	// Predictions are those of the sessions, for a Report; nil without.
	Predictions *study.Predictions `json:"-"`
	// Votes has what was read of Predictions, of the average and of the newest draw, by the session's ID: a session
	// that is done predicts the same in every Report. Nil is for one Report.
	Votes map[string][2]*claim.Votes `json:"-"`
}

// RepeatsOr is the number of seeds that o asks for or, where it leaves that open, the experiment's own at o's scale.
func (o Options) RepeatsOr(quick, full int) int {
	switch {
	case o.Repeats > 0:
		return o.Repeats
	case o.Scale == Quick:
		return quick
	}
	return full
}

// An Experiment is a table or figure of the paper, or a statement of its theory,
// as data: which sessions it takes and what is made of them.
type Experiment struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Source   string    `json:"source"`   // in the paper, such as "section 4.1, figure 1(a)"
	Readings []Reading `json:"-"`        // that it has; the first is the default
	Question string    `json:"question"` // that it puts to the paper's claim
	// Protocol says in three lines at most what a reading and scale run, with what differs from the paper.
	Protocol func(o Options) string `json:"-"`
	// Jobs are the sessions. The error is that of a target that cannot be opened.
	Jobs func(o Options) ([]study.Job, error) `json:"-"`
	// Report makes what is shown of their outcomes, without Results.Remarks.
	Report func(o Options, r *Results) Report `json:"-"`
}

// ReportOf is the experiment's report on outcomes by their jobs' IDs. Its last remarks name what is missing.
func (e Experiment) ReportOf(o Options, jobs []study.Job, outcomes map[string]study.Outcome) Report {
	r := NewResults(jobs, outcomes)
	rep := e.Report(o, r)
	rep.Say(r.Remarks()...)
	return rep
}

// A Report is what came of an experiment.
type Report struct {
	// Verdict answers the experiment's Question in a sentence or two; "" without numbers.
	Verdict string `json:"verdict"`
	// Instead says what holds where a claim of the paper does not; "" for nothing.
	Instead string `json:"instead,omitempty"`
	// Remarks are further sentences with numbers.
	Remarks []string        `json:"remarks"`
	Tables  []Table         `json:"tables"`
	Figures []figure.Figure `json:"-"`
	// Beside has the paper's numbers and ours in each cell, in the form of the paper's table. It
	// is without rows where the paper has no table or the numbers may not be compared.
	Beside Table `json:"-"`
	// Absent is what the scale leaves out of the paper's, with its cost, in sentences.
	Absent []string `json:"-"`
	// Left is about the hours of a core that the sessions which were not run take; 0 where that is not known.
	Left float64 `json:"-"`
}

// Say adds remarks, without those that are empty.
func (r *Report) Say(remarks ...string) {
	for _, f := range remarks {
		if f != "" {
			r.Remarks = append(r.Remarks, f)
		}
	}
}

// StandsIn is the remark that another target was sampled for want of data; "" where it is the wanted one.
func StandsIn(spec, wanted string) string {
	if spec == wanted {
		return ""
	}
	return fmt.Sprintf("The data of %s were not found: these are numbers of %s in their place, which the paper's "+
		"are not to be compared with.", wanted, spec)
}

// InPlace is what a figure's title says of such a target.
func InPlace(spec, wanted string) string {
	if spec == wanted {
		return ""
	}
	return ", with " + spec + " in the data's place"
}

// A Table is rows of cells under a head.
type Table struct {
	Title string     `json:"title"`
	Note  string     `json:"note,omitempty"` // what the columns are
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"`
	// Scores are the rows' comparisons with the paper; nil for a table without any.
	Scores []claim.Score `json:"scores,omitempty"`
}

// A Column of a table is its head and the cell of each row.
type Column struct {
	Head string
	Cell func(row int) string
}

// ColumnOf is a column of rows that are there as values.
func ColumnOf[T any](rows []T, head string, cell func(T) string) Column {
	return Column{head, func(i int) string { return cell(rows[i]) }}
}

// TableOf is a table with so many rows.
func TableOf(title string, rows int, columns ...Column) Table {
	t := Table{Title: title, Rows: make([][]string, rows)}
	for _, c := range columns {
		t.Head = append(t.Head, c.Head)
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], c.Cell(i))
		}
	}
	return t
}

// Values are what a lane differs in from its sampler's defaults on a target, by the parameter's key, KeyLR or KeyTempN.
type Values map[string]float64

const (
	// KeyLR stands for the step h = εN/2 per mean gradient.
	KeyLR = "lr"
	// KeyTempN stands for the temperature times N.
	KeyTempN = "temp*N"
)

// An Entry is a setting with the name that tables and figures give it.
type Entry struct {
	Title    string // in tables and figures
	Sampler  string
	Values   Values
	Schedule sampler.Schedule
}

// The samplers that most experiments compare, with their defaults.
var (
	SGLD  = Entry{Title: "SGLD", Sampler: "sgld"}
	PSGLD = Entry{Title: "pSGLD", Sampler: "psgld"}
)

// With is the lane with more values.
func (l Entry) With(more Values) Entry {
	all := Values{}
	maps.Copy(all, l.Values)
	maps.Copy(all, more)
	l.Values = all
	return l
}

// on is the lane on an opened target. It panics on a value that the sampler does not have.
func (l Entry) on(p *targets.Problem) state.Setting {
	stepped := *p
	stepped.Curvature = 0 // an experiment leaves out the target's step, and not one without bias
	to := state.DefaultSetting(&stepped, l.Sampler)
	to.Schedule = l.Schedule
	for key, v := range l.Values {
		switch key {
		case KeyLR:
			key, v = sampler.KeyEps, state.EpsOfLR(v, p.N())
		case KeyTempN:
			key, v = sampler.KeyTemp, v/float64(p.N())
		}
		if !to.Has(key) {
			panic(fmt.Sprintf("paper: %s has no %s", l.Sampler, key))
		}
		to.Values[key] = v // DefaultSetting made the map
	}
	return to
}

// Runs are sessions that differ in their seed alone.
type Runs struct {
	Name      string // of the sessions; their seed follows it
	Target    string // the spec
	Dataset   string // "" for none or the usual one
	Lanes     []Entry
	SameNoise bool // of all lanes
	Draw      noise.Draw
	Bias      bool   // the bias of the step size is estimated
	Init      string // "" for a random start
	Steps     uint64 // of each; 0 for Epochs
	Epochs    float64
	Seed      uint64 // of the first
	N         int    // how many
	Keep      study.Keep
}

// IDs are those of the sessions.
func (r Runs) IDs() []string {
	return list.Map(list.Upto(r.N), func(k int) string { return fmt.Sprintf("%s seed=%d", r.Name, r.Seed+uint64(k)) })
}

// On is the sessions on the opened target.
func (r Runs) On(p *targets.Problem) []study.Job {
	c := state.Config{Target: p.Spec, Dataset: p.Dataset, Init: cmp.Or(r.Init, "random"),
		Steps: r.Steps, Epochs: r.Epochs, SameNoise: r.SameNoise, Draw: r.Draw, Bias: r.Bias}
	c.Lanes = list.Map(r.Lanes, func(l Entry) state.Setting { return l.on(p) })
	var jobs []study.Job
	for k, id := range r.IDs() {
		c.Seed = r.Seed + uint64(k)
		jobs = append(jobs, study.Job{ID: id, Config: c, Keep: r.Keep})
	}
	return jobs
}

// Jobs are the sessions of all runs. The error is that of a target that cannot be opened.
func Jobs(t *study.Targets, all []Runs) ([]study.Job, error) {
	var jobs []study.Job
	for _, r := range all {
		p, err := t.Open(r.Target, r.Dataset)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, r.On(p)...)
	}
	return jobs, nil
}

// JobsOf makes an experiment's Jobs of the runs that it takes.
func JobsOf(runs func(Options) []Runs) func(Options) ([]study.Job, error) {
	return func(o Options) ([]study.Job, error) { return Jobs(o.Targets, runs(o)) }
}
