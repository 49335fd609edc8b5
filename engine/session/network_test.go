package session

import (
	"context"
	"math"
	"testing"
	"testing/synctest"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

func network(t testing.TB) *targets.Problem {
	t.Helper()
	p, err := targets.Open("mlp:20", targets.Options{Dataset: "strokes"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func networkConfig(p *targets.Problem, steps uint64, samplers ...string) state.Config {
	c := config(p, steps, map[string]float64{"thin": 10, "burn-in": 30, "temp": 1 / float64(p.N())}, samplers...)
	c.Dataset = p.Dataset
	return c
}

// Threads, lanes beside it and the goroutine that evaluates change nothing, and
// a session with changes replays.
func TestNetworkIsDeterministic(t *testing.T) {
	innerlooptest.Skip(t, "long runs of networks")
	p := fewDigits()
	_, one := run(t, networkConfig(p, 200, "psgld"), p, Runtime{Threads: 1})
	_, two := run(t, networkConfig(p, 200, "psgld"), p, Runtime{Threads: 2})
	s, pair := run(t, networkConfig(p, 200, "psgld", "sgld"), p, Runtime{Threads: 2})
	for _, r := range []engine.Result{two, pair} {
		a, b := one.Lanes[0], r.Lanes[0]
		if a.Digest != b.Digest || a.Values[quantity.TestError].Trusted() != b.Values[quantity.TestError].Trusted() || a.Values[quantity.NLL].Trusted() != b.Values[quantity.NLL].Trusted() || a.Draws != 17 {
			t.Errorf("digests %s and %s, errors %v and %v, NLL %v and %v, %d draws", a.Digest, b.Digest, a.Values[quantity.TestError].Trusted(), b.Values[quantity.TestError].Trusted(), a.Values[quantity.NLL].Trusted(), b.Values[quantity.NLL].Trusted(), a.Draws)
		}
	}
	if err := Verify(context.Background(), s.Recording("test"), Runtime{Threads: 1}); err != nil {
		t.Error(err)
	}
	live := script(t, networkConfig(p, 0, "psgld", "sgld"), p, 40, []state.Command{
		state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 1e-8}, state.SetParam{Lane: 0, Key: "alpha", Value: 0.9}, state.Rewind{Lane: 0, Steps: 30, EpsFactor: 0.5}, state.AddLane{Name: "sgld"}, state.RemoveLane{Lane: 1}, state.SetParam{Lane: state.AllLanes, Key: "batch", Value: 50}, state.Undo{},
	})
	if err := Verify(context.Background(), live.Recording("test"), Runtime{}); err != nil {
		t.Error(err)
	}
}

// The points of the curves, and with them the loss, do not depend on when evaluations
// come back: more draws are kept than the history has room for.
func TestNetworkHistoryIsDeterministic(t *testing.T) {
	innerlooptest.Later(t, "a long run of a network")
	p := fewDigits()
	c := networkConfig(p, 2*trace.HistoryCap+100, "psgld")
	c.Lanes[0] = c.Lanes[0].With("thin", 1).With("burn-in", 0)
	history := func(threads int) []engine.Point {
		s, _ := run(t, c, p, Runtime{Threads: threads})
		return s.Snapshot().Lanes[0].History
	}
	one, repeats := history(1), 3
	if testing.Short() {
		repeats = 1
	}
	for range repeats {
		two := history(2)
		if len(two) != len(one) {
			t.Fatalf("%d points and %d", len(one), len(two))
		}
		for i := range one {
			a, b := one[i].Of(quantity.Loss), two[i].Of(quantity.Loss)
			if one[i].Step != two[i].Step || a != b {
				t.Fatalf("point %d: loss %v at step %d, and %v at %d", i, a, one[i].Step, b, two[i].Step)
			}
		}
	}
}

// The averaged scores are those of the kept draws' probabilities, and every
// kept draw's point reaches the curves with its scores.
func TestNetworkScores(t *testing.T) {
	innerlooptest.Numbers(t, "long runs of a network")
	p := network(t)
	var kept [][]float64
	c := networkConfig(p, 200, "psgld")
	s, r := run(t, c, p, Runtime{Sink: func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) {
		return &keeper{&kept}, nil
	}})
	fork := p.F32.(targets.Forker[float32]).Fork(1)
	defer fork.Close()
	predictor := fork.(targets.Predictor[float32])
	labels, classes := predictor.Labels(dataset.Test), predictor.Classes()
	sum, probs, theta := make([]float64, len(labels)*classes), make([]float64, len(labels)*classes), make([]float32, p.Dim())
	for _, draw := range kept {
		for i, x := range draw {
			theta[i] = float32(x)
		}
		predictor.Predict(probs, theta, dataset.Test)
		for i, x := range probs {
			sum[i] += x
		}
	}
	wrong := 0
	for i, y := range labels {
		row, best := sum[i*classes:][:classes], 0
		for k, x := range row {
			if x > row[best] {
				best = k
			}
		}
		if best != int(y) {
			wrong++
		}
	}
	if got, want := r.Lanes[0].Values[quantity.TestError].Trusted(), float64(wrong)/float64(len(labels)); got != want || len(kept) != 17 {
		t.Errorf("test error %g over %d draws, want %g over 17", got, len(kept), want)
	}
	v := s.Snapshot().Lanes[0]
	if n := len(v.History); n != 17 || !(v.History[n-1].Of(quantity.TestError) == r.Lanes[0].Values[quantity.TestError].Trusted()) {
		t.Errorf("%d points, the last %+v", n, v.History[n-1])
	}
	if v.Scored != 17 {
		t.Errorf("the scores are said to be of %d draws, want 17", v.Scored)
	}
}

type keeper struct{ to *[][]float64 }

func (k *keeper) Draw(_ engine.Drawn, theta []float64) error {
	*k.to = append(*k.to, append([]float64{}, theta...))
	return nil
}

func TestWeightsAndPredictions(t *testing.T) {
	innerlooptest.Skip(t, "sessions of networks")
	p := network(t)
	s := script(t, networkConfig(p, 0, "psgld", "sgld"), p, 100, []state.Command{state.Watch{Y: 1, Weights: true, Predictions: true}})
	for _, r := range s.lanes {
		r.Measures().Settle()
	}
	s.publish()
	snap := s.pub.snap.Load()
	w := snap.Lanes[0].Weights
	if len(w) != 4 || w[0].N != 784*20 {
		t.Fatalf("%d layers, %+v", len(w), w)
	}
	for _, y := range w {
		count, gains := uint32(0), uint32(0)
		for _, n := range y.Theta.Counts {
			count += n
		}
		for _, n := range y.Gain.Counts {
			gains += n
		}
		if int(count) != y.N || int(gains) != y.N {
			t.Errorf("%s: %d weights and %d gains counted, want %d", y.Name, count, gains, y.N)
		}
	}
	if snap.Lanes[1].Weights[0].Gain.Counts != nil {
		t.Error("SGLD has a histogram of G")
	}
	if len(snap.Predictions) != predict.MaxImages {
		t.Fatalf("%d predictions", len(snap.Predictions))
	}
	last := math.Inf(1)
	for _, q := range snap.Predictions {
		if q.Disagreement > last || len(q.Lanes) != 2 {
			t.Fatalf("prediction %+v after one with distance %g", q, last)
		}
		last = q.Disagreement
		for _, l := range q.Lanes {
			total := 0.0
			for k, x := range l.Mean {
				if total += x; !(l.SD[k] >= 0 && l.SD[k] <= 0.5) {
					t.Errorf("row %d: standard deviation %g of a probability", q.Row, l.SD[k])
				}
			}
			if math.Abs(total-1) > 1e-9 {
				t.Errorf("row %d: probabilities add up to %g", q.Row, total)
			}
		}
	}
}

// A session that has come to stand still shows the scores of all its draws, also of those
// that were evaluated after its pause.
func TestPausedSessionsShowAllScores(t *testing.T) {
	innerlooptest.Skip(t, "a run of a network")
	p := digits()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(networkConfig(p, 600, "psgld"), p, Runtime{Interactive: true, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		l := running(t, s)
		for range 4 {
			l.do(in(state.Paused), state.StepBy{N: 37})
			synctest.Wait()
			if v := &s.Snapshot().Lanes[0]; v.Scored != v.Kept {
				t.Errorf("%d of %d draws are scored", v.Scored, v.Kept)
			}
		}
		if err := l.stop(); err != context.Canceled {
			t.Error(err)
		}
	})
}
