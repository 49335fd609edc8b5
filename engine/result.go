package engine

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// LaneResult is the end of a lane: what it was, and its quantities. In a document the quantities, of
// the coordinates and of the lane, take the place of Coords.
type LaneResult struct {
	Lane           string                 `json:"lane"` // A to D
	Sampler        string                 `json:"sampler"`
	Kind           string                 `json:"kind"`                // "sampler", "optimiser" or "variational family"
	Chains         int                    `json:"chains,omitempty"`    // 0 in documents from before there were several
	Steps          uint64                 `json:"steps"`               // of each
	Draws          uint64                 `json:"draws"`               // of all chains
	Gradients      uint64                 `json:"gradients,omitempty"` // evaluated, each of its batch; 0 if unknown
	Seconds        float64                `json:"seconds,omitempty"`   // sampling, without evaluation, by the wall clock
	StepsPerSecond Num                    `json:"steps_per_second,omitempty"`
	Names          []string               `json:"names,omitempty"` // of the coordinates
	Coords         []quantity.CoordValues `json:"coords"`
	Values         quantity.Values        `json:"-"`
	Cov            [][]Num                `json:"cov,omitempty"`    // of the draws; nil where there is none
	Probes         *Probes                `json:"probes,omitempty"` // of a network
	// standard errors are the chain's own, and nothing tells of the bias of its step
	BiasUnknown bool `json:"bias_unknown,omitempty"`
	// of a constant prediction, where the lane's loss has stayed at it, and else of where the window began, where it has
	// lost half of what was learnt then
	ConstantLoss Num `json:"constant_loss,omitempty"`
	StartLoss    Num `json:"start_loss,omitempty"`
	// one of so many draws is ranked, for R-hat, bulk and tail ESS and quantiles; 0 where none is
	RanksEvery uint64 `json:"ranks_of_every,omitempty"`
	// steps that the chains take at least until they can be trusted; 0 where they can, or that is not known
	StepsNeeded uint64            `json:"steps_needed,omitempty"`
	Eps         Num               `json:"eps,omitempty"` // at the end
	LR          Num               `json:"lr,omitempty"`
	Diverged    *state.Divergence `json:"diverged"`
	Digest      string            `json:"digest"`
	Notes       []string          `json:"notes,omitempty"` // what whoever shows the result has to say of it
}

// Probes are what a network's chains are compared in, since θ does not converge: the loss and the probabilities of the
// true classes of ten images. What cannot be said is null, and Withheld says why.
type Probes struct {
	Names    []string `json:"names"`
	RHat     []Num    `json:"rhat"`
	BulkESS  []Num    `json:"ess_bulk"`
	TailESS  []Num    `json:"ess_tail"`
	Withheld []string `json:"withheld,omitempty"` // empty where all three are known
}

// Failure is the error of the first lane that has stopped because there was no gradient; nil for none.
func Failure(lanes []LaneResult) error {
	for _, l := range lanes {
		if l.Diverged.Status() == metrics.Stopped {
			return fmt.Errorf("%s (%s) stopped at step %d: %s", l.Lane, l.Sampler, l.Diverged.Step, l.Diverged.Failed)
		}
	}
	return nil
}

// Summary is the result without what it says of single coordinates.
func (r LaneResult) Summary() LaneResult {
	r.Names, r.Coords, r.Cov, r.Probes = nil, nil, nil, nil
	return r
}

// Column is a quantity of every coordinate, NaN where it cannot be trusted.
func (r *LaneResult) Column(id quantity.CoordID) []float64 {
	return list.Map(r.Coords, func(c quantity.CoordValues) float64 { return c[id].Trusted() })
}

// Expected is the error that the lane's estimates are to be expected to have, where the bias of its step was asked for.
func (r *LaneResult) Expected() quantity.Expected { return quantity.ExpectedOf(r.Coords) }

// facts are what holds of the lane and its target, as far as it decides what tables show.
func (r *LaneResult) facts() quantity.Facts {
	f := quantity.Fitting
	if r.Kind == sampler.Sampling.String() {
		if f = quantity.Sampling; r.Chains <= 1 {
			f |= quantity.Alone
		}
	}
	found := len(r.Coords) > 0 && r.Coords[0][quantity.MeanBias].Applies() // a truth that was asked for
	if found || r.Values[quantity.TestError].Applies() || r.Values[quantity.TrainError].Applies() {
		f |= quantity.Data
	}
	return f
}

// Shown is a quantity as tables for people have it: absent where they leave it out.
func (r *LaneResult) Shown(id quantity.ID) metrics.Estimate {
	if !quantity.All[id].IsShown(r.facts()) {
		return metrics.Withheld(metrics.Absent, 0)
	}
	return r.Values[id]
}

// Columns are the quantities of the coordinates that a table for people has.
func (r *LaneResult) Columns() (all []quantity.CoordID) {
	for id := range quantity.NumCoord {
		q := &quantity.Coordinates[id]
		if q.Result && q.IsShown(r.facts()) && (q.Needs == 0 || r.Applies(id)) {
			all = append(all, id)
		}
	}
	return all
}

// Applies reports whether some coordinate has a quantity.
func (r *LaneResult) Applies(id quantity.CoordID) bool {
	return slices.ContainsFunc(r.Coords, func(c quantity.CoordValues) bool { return c[id].Applies() })
}

// Result is the JSON document of a run.
type Result struct {
	Version string       `json:"version"`
	Run     string       `json:"run,omitempty"`      // Recording.ID
	Config  state.Config `json:"config"`             // at the end
	Command string       `json:"command,omitempty"`  // the line that repeats a run whose settings were turned
	EndedBy Ending       `json:"ended_by,omitempty"` // empty while it goes on
	Lanes   []LaneResult `json:"lanes"`
	Truth   *TruthResult `json:"truth,omitempty"`
	Check   *CheckResult `json:"check,omitempty"` // of watched draws, by the method that they are said to be of
	// Findings say what matters, the most important first.
	Findings []Finding `json:"findings,omitempty"`
}

// Ending is what has ended a run: the limit of Config that it came to first, or another end.
type Ending string

// The endings.
const (
	EndedBySteps   Ending = "steps"
	EndedByEpochs  Ending = "epochs"
	EndedBySeconds Ending = "seconds"
	EndedByUntil   Ending = "until"
	EndedByWriter  Ending = "writer" // of draws that were watched
	Interrupted    Ending = "interrupted"
	AllLost        Ending = "diverged" // every lane, or with an Until every lane that samples
)

// TruthResult describes the truth that a result's lanes were compared with.
type TruthResult struct {
	By     string `json:"by"` // "exact", "quadrature", or the method
	Draws  uint64 `json:"draws,omitempty"`
	MinESS *Num   `json:"min_ess,omitempty"`
	RHat   *Num   `json:"rhat,omitempty"`  // the largest
	Error  *Num   `json:"error,omitempty"` // of a numerical one, in standard deviations
	Cached bool   `json:"cached"`
}

// TruthOf describes a problem's reference; nil where none was asked for.
func TruthOf(p *targets.Problem) *TruthResult {
	r := p.Reference
	switch {
	case r == nil:
		return nil
	case r.Error > 0:
		return &TruthResult{By: r.By, Error: new(Num(r.Error))}
	case r.Draws == 0:
		return &TruthResult{By: r.By}
	}
	return &TruthResult{By: r.By, Draws: r.Draws, MinESS: new(Num(r.MinESS)), RHat: new(Num(r.RHat)), Cached: r.Cached}
}

// A Sink receives the kept draws of a chain, in order. Its error stops the lane.
type Sink interface {
	// Draw takes θ, which it does not retain, and what is known of the draw.
	Draw(d Drawn, theta []float64) error
}

// SinkFor makes the sink of a chain of a new lane, given the lane's target and setting.
type SinkFor func(at ChainID, p *targets.Problem, set state.Setting) (Sink, error)

// Drawn is what is known of a draw beside θ.
type Drawn struct {
	Step      uint64
	Eps       float64 // ε_t
	Accept    float64 // the probability with which it was accepted, 1 for a method that accepts all
	Divergent bool    // its trajectory was given up
	LogPost   float64 // NaN if the target does not know it
}
