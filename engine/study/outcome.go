package study

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An Outcome is what came of a job: a line of a results file.
type Outcome struct {
	ID      string              `json:"id"`
	At      int                 `json:"at"`                // the job's place in the plan
	Job     string              `json:"job"`               // its hash
	Command string              `json:"command,omitempty"` // that gives the same digits by itself; a file's own is not believed
	Skipped string              `json:"skipped,omitempty"` // why the job was not run: its data are not here
	Seconds float64             `json:"seconds"`           // of the whole session, with evaluation
	Lanes   []engine.LaneResult `json:"lanes,omitempty"`
	Curves  []Curve             `json:"curves,omitempty"` // one a lane
	Draws   []Trail             `json:"draws,omitempty"`
	Weights [][]Layer           `json:"weights,omitempty"` // of a lane, of a layer

	numerics int // the version of its digits, where it is known from an earlier run
}

// fits says why an outcome that was read cannot be that of a job, and is nil if it can: it
// has as many lanes as the job, of its methods, and of each all that the job keeps.
func (o Outcome) fits(j Job) error {
	if o.Skipped != "" {
		return nil
	}
	want := len(j.Config.Lanes)
	for _, kept := range []struct {
		what    string
		is      bool
		n, each int
	}{
		{"lanes", true, len(o.Lanes), want}, {"curves", j.Keep.Curves, len(o.Curves), want},
		{"trails of draws", j.Keep.Draws, len(o.Draws), want}, {"lanes' weights", j.Keep.Weights, len(o.Weights), want},
	} {
		if kept.is && kept.n != kept.each {
			return fmt.Errorf("the outcome of %q has %d %s, want %d", j.ID, kept.n, kept.what, kept.each)
		}
	}
	for i, l := range o.Lanes {
		if want := j.Config.Lanes[i].Sampler; l.Sampler != want {
			return fmt.Errorf("the outcome of %q has %q in lane %s, want %s", j.ID, l.Sampler, state.LaneLetter(i), want)
		}
	}
	for i, c := range o.Curves {
		for _, column := range [][]engine.Num{c.Seconds, c.Epoch, c.TestError, c.Newest, c.TestNLL, c.Loss, c.ELBO} {
			if column != nil && len(column) != len(c.Step) {
				return fmt.Errorf("the outcome of %q has a curve of lane %s with %d values at %d steps", j.ID, state.LaneLetter(i), len(column), len(c.Step))
			}
		}
	}
	for i, d := range o.Draws {
		if len(d.X) != len(d.Y) {
			return fmt.Errorf("the outcome of %q has a trail of lane %s with %d and %d coordinates", j.ID, state.LaneLetter(i), len(d.X), len(d.Y))
		}
	}
	return nil
}

// ByID are outcomes by their jobs' IDs.
func ByID(outcomes []Outcome) map[string]Outcome {
	by := map[string]Outcome{}
	for _, o := range outcomes {
		by[o.ID] = o
	}
	return by
}

// A Curve is a lane's history: a column for each quantity that the target has.
type Curve struct {
	Step      []uint64     `json:"step"`
	Seconds   []engine.Num `json:"seconds"`
	Epoch     []engine.Num `json:"epoch,omitempty"`
	TestError []engine.Num `json:"test_error,omitempty"` // of the averaged probabilities
	Newest    []engine.Num `json:"newest,omitempty"`     // of the newest draw
	TestNLL   []engine.Num `json:"test_nll,omitempty"`
	Loss      []engine.Num `json:"loss,omitempty"`
	ELBO      []engine.Num `json:"elbo,omitempty"`
}

// A Trail is a lane's newest draws of two coordinates, oldest first.
type Trail struct {
	X []engine.Num `json:"x"`
	Y []engine.Num `json:"y"`
}

// A Layer is the histogram of a layer's weights: equal bins from Lo to Hi.
type Layer struct {
	Name   string     `json:"name"`
	N      int        `json:"n"`
	SD     engine.Num `json:"sd"`
	Lo     engine.Num `json:"lo"`
	Hi     engine.Num `json:"hi"`
	Counts []uint32   `json:"counts"`
}

// curveOf is a lane's curve as it is kept.
func curveOf(points []engine.Point) Curve {
	var c Curve
	for _, p := range points {
		c.Step = append(c.Step, p.Step)
	}
	column := func(of func(*engine.Point) float64) []engine.Num {
		all := list.Map(points, func(p engine.Point) engine.Num { return engine.Num(of(&p)) })
		if !slices.ContainsFunc(all, func(x engine.Num) bool { return x == x }) {
			return nil
		}
		return all
	}
	of := func(id quantity.ID) []engine.Num {
		return column(func(p *engine.Point) float64 { return p.Of(id) })
	}
	c.Seconds = column(func(p *engine.Point) float64 { return p.Seconds })
	c.Epoch = column(func(p *engine.Point) float64 { return p.Epoch })
	c.TestError, c.Newest, c.TestNLL = of(quantity.TestError), of(quantity.NewestError), of(quantity.NLL)
	c.Loss, c.ELBO = of(quantity.Loss), of(quantity.ELBO)
	return c
}

// maxKept is the most coordinates whose own quantities are kept.
const maxKept = 128

// trim drops the quantities of single coordinates where there are many.
func trim(lanes []engine.LaneResult) []engine.LaneResult {
	for i := range lanes {
		if l := &lanes[i]; len(l.Names) > maxKept {
			*l = l.Summary()
		}
	}
	return lanes
}

// keep fills in what a job keeps of its session's end.
func (o *Outcome) keep(k Keep, s *engine.Snapshot) {
	for _, v := range s.Lanes {
		if k.Curves {
			o.Curves = append(o.Curves, curveOf(v.History))
		}
		if k.Draws {
			o.Draws = append(o.Draws, Trail{nums(v.TrailX), nums(v.TrailY)})
		}
		if k.Weights {
			o.Weights = append(o.Weights, list.Map(v.Weights, func(w engine.LayerView) Layer {
				return Layer{w.Name, w.N, engine.Num(w.SD), engine.Num(w.Theta.Lo), engine.Num(w.Theta.Hi), w.Theta.Counts}
			}))
		}
	}
}

func nums(x []float64) []engine.Num {
	return list.Map(x, func(v float64) engine.Num { return engine.Num(v) })
}

// Outdated reports whether the outcome is of an earlier numerics version, by which its job has other digits.
func (o Outcome) Outdated(j Job) bool {
	return o.numerics != 0 && !numerics.Comparable(o.numerics, j.Config.Target)
}
