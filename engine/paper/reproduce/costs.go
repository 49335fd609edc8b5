package reproduce

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

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
