// Package reproduce makes the report of the experiments that are asked for.
package reproduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/calibration"
	"github.com/psgld/psgld-tui/engine/paper/function"
	"github.com/psgld/psgld-tui/engine/paper/network"
	"github.com/psgld/psgld-tui/engine/paper/regression"
	"github.com/psgld/psgld-tui/engine/paper/simulation"
	"github.com/psgld/psgld-tui/engine/paper/theory"
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
