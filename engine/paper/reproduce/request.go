// Package reproduce makes the report of the experiments that are asked for.
package reproduce

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/calibration"
	"github.com/psgld/psgld-tui/engine/paper/function"
	"github.com/psgld/psgld-tui/engine/paper/network"
	"github.com/psgld/psgld-tui/engine/paper/regression"
	"github.com/psgld/psgld-tui/engine/paper/simulation"
	"github.com/psgld/psgld-tui/engine/paper/theory"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Kind is that of the study.Request that a Request becomes.
const Kind = "reproduce"

// A Request asks for experiments of the paper.
type Request struct {
	IDs []string `json:"ids"` // of experiments, in the paper's order
	// Reading is the only one to run; empty for all that an experiment has.
	Reading paper.Reading `json:"reading,omitempty"`
	Scale   paper.Scale   `json:"scale"`
	Seed    uint64        `json:"seed"`
	Repeats int           `json:"repeats,omitempty"` // 0 for the experiments' own numbers
}

// New requests the experiments with some IDs, or ["all"]. The error says that there is no such
// experiment, or that it does not have the reading.
func New(ids []string, read paper.Reading, scale paper.Scale, seed uint64, repeats int) (Request, error) {
	r := Request{Reading: read, Scale: scale, Seed: seed, Repeats: repeats}
	all := slices.Equal(ids, []string{"all"})
	for _, id := range ids {
		e, err := Find(id)
		switch {
		case all:
		case err != nil:
			return r, fmt.Errorf("%w; see reproduce list", err)
		case read != "" && !slices.Contains(e.Readings, read):
			return r, fmt.Errorf("%s has no protocol %q, only %s", id, read, Names(e.Readings))
		}
	}
	for _, e := range Experiments() {
		if (all || slices.Contains(ids, e.ID)) && (read == "" || slices.Contains(e.Readings, read)) {
			r.IDs = append(r.IDs, e.ID)
		}
	}
	return r, nil
}

// Names lists readings.
func Names(all []paper.Reading) string {
	return strings.Join(list.Map(all, func(r paper.Reading) string { return string(r) }), ", ")
}

// Name is that of the request's plan.
func (r Request) Name() string {
	what := strings.Join(r.IDs, ", ")
	if len(r.IDs) == len(Experiments()) && len(r.IDs) > 1 {
		what = "all"
	}
	if r.Reading != "" {
		what += ", protocol " + string(r.Reading)
	}
	return "reproduce " + string(r.Scale) + ": " + what
}

// Sections lists what is to be run: a section for each reading of each experiment. A
// section whose data are absent has no jobs, and its report says why.
func (r Request) Sections(t *study.Targets) ([]Section, error) {
	var all []Section
	for _, id := range r.IDs {
		e, err := Find(id)
		if err != nil {
			return nil, err
		}
		for _, read := range e.Readings {
			if r.Reading != "" && read != r.Reading {
				continue
			}
			s := Section{Experiment: e,
				Options: paper.Options{Reading: read, Scale: r.Scale, Seed: r.Seed, Repeats: r.Repeats, Targets: t}}
			switch s.Jobs, err = e.Jobs(s.Options); {
			case err != nil && study.Absent(err):
				s.Report.Remarks = []string{"Not run: " + err.Error() + "."}
			case err != nil:
				return nil, fmt.Errorf("%s: %w", id, err)
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// Plan is the jobs of all sections, each once. It panics if two different jobs have the same ID.
func (r Request) Plan(sections []Section) study.Plan {
	p := study.Plan{Name: r.Name(), Request: study.NewRequest(Kind, r)}
	seen := map[string]string{}
	for _, s := range sections {
		for _, j := range s.Jobs {
			h := j.Hash()
			switch was, twice := seen[j.ID]; {
			case !twice:
				seen[j.ID] = h
				p.Jobs = append(p.Jobs, j)
			case was != h:
				panic(fmt.Sprintf("reproduce: two jobs are called %q, one of them by %s", j.ID, s.Experiment.ID))
			}
		}
	}
	return p
}

// Complete gives the sections their outcomes and makes their reports, of predictions also where they were kept.
func Complete(sections []Section, outcomes []study.Outcome, kept *study.Predictions) {
	have := study.ByID(outcomes)
	for i := range sections {
		s := &sections[i]
		s.Outcomes, s.Options.Predictions = have, kept
		if len(s.Jobs) > 0 {
			s.Report = s.Experiment.ReportOf(s.Options, s.Jobs, have)
		}
	}
}

// Experiments lists all experiments: the paper's in its order, then those on its theory, then
// that on the program's own estimate of a bias.
func Experiments() []paper.Experiment {
	return slices.Concat(simulation.Experiments(), regression.Experiments(), network.Experiments(),
		theory.Experiments(), calibration.Experiments(), function.Experiments())
}

// Find returns the experiment of an ID.
func Find(id string) (paper.Experiment, error) {
	var ids []string
	for _, e := range Experiments() {
		if e.ID == id {
			return e, nil
		}
		ids = append(ids, e.ID)
	}
	return paper.Experiment{}, fmt.Errorf("unknown experiment %q%s", id, list.Hint("%q", id, ids))
}

// costTable is what sessions take on the machine on which they were timed.
type costTable struct {
	Machine string          `json:"machine"` // study.Machine
	Kinds   map[string]cost `json:"kinds"`
}

// A cost is the seconds that a session takes on one thread: once, for a step of all lanes,
// for a row of such a step's minibatch, and for a draw.
type cost struct {
	Start float64 `json:"start"`
	Step  float64 `json:"step"`
	Row   float64 `json:"row,omitempty"` // 0 where all sessions of the kind have one size of minibatch
	Draw  float64 `json:"draw"`
	// Whole is what a session of the plan took, over what the others say: they are from sessions of a moment. 0 if
	// unknown.
	Whole float64 `json:"whole,omitempty"`
}

// seconds of a session that does w.
func (c cost) seconds(w work) float64 {
	return c.Start + w.steps*(c.Step+w.batch*c.Row) + w.draws*c.Draw
}

// Range is a time in seconds, from and to.
type Range struct{ Low, High float64 }

//go:embed costs.json
var costsJSON []byte

// costs is the table that TestCosts wrote.
var costs = sync.OnceValue(func() (t costTable) {
	if err := json.Unmarshal(costsJSON, &t); err != nil {
		panic(err)
	}
	return t
})

// TimedOn is the machine whose times Seconds adds up.
func TimedOn() string { return costs().Machine }

// Seconds estimates how long jobs take on so many threads:
//
//	Σ (start + steps · (step + batch · row) + draws · draw) / threads,
//
// or the time of the longest job, if that is more. It is one end of the range; the other has each session as
// much longer or shorter as one of its kind was. Jobs whose data are absent take none.
// It panics if a job's kind was not timed.
func Seconds(jobs []study.Job, opened *study.Targets, threads int) (r Range, err error) {
	var sum, longest Range
	for _, j := range jobs {
		w, err := workOf(j, opened)
		if study.Absent(err) {
			continue
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", j.ID, err)
		}
		c, timed := costs().Kinds[costKind(j.Config)]
		if !timed {
			panic("reproduce: sessions of " + costKind(j.Config) + " were not timed")
		}
		moment, whole := c.seconds(w), cmp.Or(c.Whole, 1)
		low, high := moment*min(whole, 1), moment*max(whole, 1)
		sum.Low, sum.High = sum.Low+low, sum.High+high
		longest.Low, longest.High = max(longest.Low, low), max(longest.High, high)
	}
	share := float64(max(min(threads, len(jobs)), 1))
	return Range{max(sum.Low/share, longest.Low), max(sum.High/share, longest.High)}, nil
}

// settings are those of a target's name, from the first on.
var settings = regexp.MustCompile(`[:;][^:;]*=.*`)

// costKind names the sessions whose time is told by their steps, minibatches and draws. A
// target's settings leave its size alone in all experiments.
func costKind(c state.Config) string {
	parts := []string{settings.ReplaceAllString(c.Target, "")}
	if c.Dataset != "" {
		parts = append(parts, c.Dataset)
	}
	parts = append(parts, list.Map(c.Lanes, func(l state.Setting) string { return l.Sampler })...)
	if c.Bias {
		parts = append(parts, "with bias") // its companions take steps too
	}
	return strings.Join(parts, " ")
}

// work is what a session's first lane does.
type work struct{ steps, batch, draws float64 }

func workOf(j study.Job, opened *study.Targets) (w work, err error) {
	p, err := opened.OpenJob(context.Background(), j)
	if err != nil {
		return w, err
	}
	l := j.Config.Lanes[0]
	w.batch = cmp.Or(l.Or(sampler.KeyBatch, 0), float64(p.N()))
	w.steps = float64(j.Config.Steps)
	if j.Config.Steps == 0 {
		w.steps = j.Config.Epochs * float64(p.N()) / w.batch
	}
	w.draws = max(w.steps-l.Or(sampler.KeyBurnIn, 0), 0) / l.Or(sampler.KeyThin, 1)
	return w, nil
}
