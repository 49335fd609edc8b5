package session

import (
	"context"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// Bayes by Backprop and a distilled sampler play again to the bit, with rewinds and
// methods that are taken up on the way, on another number of threads.
func TestVariationalAndDistilledReplay(t *testing.T) {
	innerlooptest.Later(t, "steps of networks")
	p := network(t)
	c := networkConfig(p, 0, "bbb", "bbb-mix", "distill:psgld", "distill:sghmc")
	for i, l := range c.Lanes {
		l = l.With("batch", 20).With("thin", 50)
		if l.Has("student-from") {
			l = l.With("student-from", 10).With("jitter", 0.1)
		} else {
			l = l.With("samples", 2)
		}
		c.Lanes[i] = l
	}
	live := script(t, c, p, 5, []state.Command{
		state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 1e-6}, state.Rewind{Lane: 0, Steps: 10, EpsFactor: 0.5}, state.Rewind{Lane: 2, Steps: 15, EpsFactor: 0.5}, state.SetSampler{Lane: 1, Name: "distill:sgld"},
		state.SetParam{Lane: 2, Key: "student-lr", Value: 1e-4}, state.SetSampler{Lane: 3, Name: "bbb"}, state.Rewind{Lane: 3, Steps: 30, EpsFactor: 0.5}, state.Undo{},
	})
	if err := Verify(context.Background(), live.Recording("test"), Runtime{Threads: 2}); err != nil {
		t.Error(err)
	}
}

// The predictions are those of the family and of the student, not of θ.
func TestVariationalAndDistilledScores(t *testing.T) {
	if testing.Short() {
		t.Skip("networks, slow with the race detector")
	}
	p := network(t)
	c := networkConfig(p, 400, "bbb", "distill:psgld", "psgld")
	c.Lanes[0] = c.Lanes[0].With("samples", 3)
	c.Lanes[1] = c.Lanes[1].With("student-from", 1e6)
	s, r := run(t, c, p, Runtime{})
	if r.Lanes[1].Digest == r.Lanes[2].Digest || s.Snapshot().Lanes[1].Kind.String() != "sampler" {
		t.Error("the student is not in the digest")
	}
	bbb, untaught := r.Lanes[0], r.Lanes[1]
	// The student that never learns knows nothing, with ten classes.
	if bbb.Values[quantity.TestError].Trusted() > 0.5 || untaught.Values[quantity.TestError].Status != metrics.Untrained || r.Lanes[2].Values[quantity.TestError].Trusted() > 0.5 {
		t.Errorf("test errors %v, %v, %v", bbb.Values[quantity.TestError].Trusted(), untaught.Values[quantity.TestError], r.Lanes[2].Values[quantity.TestError].Trusted())
	}
	if a, b := bbb.Values[quantity.ELBO], untaught.Values[quantity.ELBO]; !a.OK() || b.Status != metrics.Absent {
		t.Errorf("ELBO %v and %v", a, b)
	}
}
