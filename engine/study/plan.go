// Package study runs many sessions from a plan.
//
// How it works. A Plan is a list of Jobs; a Job is a session's Config, named, with what is kept of it. A Runner runs
// the jobs of one Shard of the plan, each on one thread and as many at a time as there are threads. What a job yields,
// its Outcome, depends on the Config alone: not on the thread, the machine or the jobs beside it. A Store has each
// Outcome on disk as a line of JSON before the next job of its thread starts, so that a run that was killed goes on
// where it stopped, and Merge joins the Stores of all shards.
//
// A Sweep is a plan of a grid's points. Targets opens each job's target once. Truths finds the posterior that jobs are
// held to, by long sessions of a method without bias. A Pace estimates how long the jobs that are left take.
package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/state"
)

// A Job is one deterministic session of a plan. What it yields, except for the time it
// takes, depends neither on the rest of the plan nor on where it runs.
type Job struct {
	ID     string       `json:"id"` // unique in the plan
	Config state.Config `json:"config"`
	Keep   Keep         `json:"keep,omitzero"`

	at int // its place in the plan, set by Part
}

// Hash tells jobs apart. Two jobs with the same hash yield the same, whatever their IDs.
// Two different jobs share one with a probability of about 2⁻⁶⁴.
func (j Job) Hash() string {
	j.ID = ""
	return hashOf(j)
}

// Keep says what is kept of a job's session beside its lanes' results.
type Keep struct {
	Curves  bool `json:"curves,omitempty"`  // the lanes' curves
	Draws   bool `json:"draws,omitempty"`   // the newest draws of the first two coordinates
	Weights bool `json:"weights,omitempty"` // histograms of the layers at the end
	// Predictions are the first lane's on the test set, in Runner.Predictions. They are not
	// in the outcome, and so not in the job's hash.
	Predictions bool `json:"-"`
}

// A Plan is a list of jobs.
type Plan struct {
	Name  string // for people, such as "reproduce quick: fig1a"
	Jobs  []Job
	Sweep *Sweep // its cells are the jobs where they are too many for Jobs; nil for none
	// Request is what the plan was made from, so that a results file says how to
	// make it again. It may be the zero value.
	Request Request
}

// Len is the number of jobs.
func (p Plan) Len() int {
	if p.Sweep != nil {
		return p.Sweep.Total()
	}
	return len(p.Jobs)
}

// Job is the i-th job. It may be called by several goroutines.
func (p Plan) Job(i int) Job {
	var j Job
	if p.Sweep != nil {
		j = p.Sweep.job(i)
	} else {
		j = p.Jobs[i]
	}
	j.at = i
	return j
}

// Hash tells plans apart. Two plans with the same hash have the same jobs in the same
// order; two that differ share one with a probability of about 2⁻⁶⁴.
func (p Plan) Hash() string {
	if p.Sweep != nil {
		return hashOf(p.Sweep.Request("", nil))
	}
	return hashOf(p.Jobs)
}

func hashOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // configs are plain data
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// A Shard is the I-th of N parts of a plan, from 1.
type Shard struct{ I, N int }

// All is the shard that is the whole plan.
var All = Shard{1, 1}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// ParseShard reads "i/n" with 1 ≤ i ≤ n.
func ParseShard(text string) (Shard, error) {
	first, second, _ := strings.Cut(text, "/")
	i, err1 := strconv.ParseUint(first, 10, 32)
	n, err2 := strconv.ParseUint(second, 10, 32)
	if err1 != nil || err2 != nil || i < 1 || i > n || n > MaxCells {
		return Shard{}, fmt.Errorf("must be i/n with 1 ≤ i ≤ n ≤ %d, got %q", MaxCells, text)
	}
	return Shard{int(i), int(n)}, nil
}

// A Part is the jobs of a shard of a plan: every N-th job, since neighbours take about equally long.
type Part struct {
	Plan  Plan
	Shard Shard
}

// Part is the shard of a plan.
func (p Plan) Part(s Shard) Part { return Part{p, s} }

// Len is the number of jobs.
func (p Part) Len() int {
	if p.Shard.I > p.Plan.Len() {
		return 0
	}
	return (p.Plan.Len()-p.Shard.I)/p.Shard.N + 1
}

// Job is the k-th job of the part.
func (p Part) Job(k int) Job { return p.Plan.Job(p.Shard.I - 1 + k*p.Shard.N) }

// A Request is what a plan was made from, by its kind. It is in the head of a results
// file: whoever merges shards needs nothing else. The zero value asks for nothing.
type Request map[string]json.RawMessage

// NewRequest is a request of a kind. It panics if of is no plain data.
func NewRequest(kind string, of any) Request {
	b, err := json.Marshal(of)
	if err != nil {
		panic(err)
	}
	return Request{kind: b}
}

// Has reports whether the request is of a kind.
func (r Request) Has(kind string) bool { return r[kind] != nil }

// Read decodes the request of a kind.
func (r Request) Read(kind string, to any) error {
	if err := json.Unmarshal(r[kind], to); err != nil {
		return fmt.Errorf("the request is of no %s", kind)
	}
	return nil
}
