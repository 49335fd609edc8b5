package paper

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

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
	stepped.Curvature = 0 // the step that an experiment leaves out is the target's, and not one for sampling without bias
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
