// Package scenetest has snapshots of sessions for the tests of what is drawn.
package scenetest

import (
	"context"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// Play runs a session without a screen up to a number of steps and returns its last snapshot without the fields that
// depend on the clock. Script events are applied at the steps that they name.
func Play(target, samplers string, steps uint64, script ...state.Event) *engine.Snapshot {
	return PlayWith(target, samplers, steps, nil, script...)
}

// PlayWith is Play with each lane's settings adjusted.
func PlayWith(target, samplers string, steps uint64, adjust func(state.Setting) state.Setting,
	script ...state.Event) *engine.Snapshot {
	return play(state.Config{Target: target, Seed: 20, Steps: steps}, samplers, adjust, script)
}

// Chains is Play with so many chains a lane.
func Chains(chains int, target, samplers string, steps uint64, script ...state.Event) *engine.Snapshot {
	return play(state.Config{Target: target, Seed: 20, Steps: steps, Chains: chains}, samplers, nil, script)
}

func play(cfg state.Config, samplers string, adjust func(state.Setting) state.Setting,
	script []state.Event) *engine.Snapshot {
	p, err := targets.Open(cfg.Target, targets.Options{Dataset: "strokes"})
	if err != nil {
		panic(err)
	}
	for name := range strings.SplitSeq(samplers, ",") {
		lane := state.DefaultSetting(p, name)
		if adjust != nil {
			lane = adjust(lane)
		}
		cfg.Lanes = append(cfg.Lanes, lane)
	}
	if len(script) > 0 { // a replay ends with its last event
		script = append(script, state.Event{At: At(cfg.Steps, len(cfg.Lanes)), Command: state.Pause{}})
	}
	s, err := session.New(cfg, p, session.Runtime{Threads: 1, Replay: script})
	if err != nil {
		panic(err)
	}
	s.Send(state.Watch{Y: 1, Weights: true, Predictions: true, Rows: true})
	if err := s.Run(context.Background()); err != nil {
		panic(err)
	}
	return still(s.Snapshot())
}

// still takes the clock out of a snapshot.
func still(s *engine.Snapshot) *engine.Snapshot {
	c := *s
	c.Rate, c.Replaying = 1.9e6, 0
	c.Lanes = slices.Clone(s.Lanes)
	for i := range c.Lanes {
		v := &c.Lanes[i]
		v.Seconds = float64(v.Executed) / 1e6
		v.Motion = nil // whether the last steps came one by one depends on the clock
		if !math.IsNaN(v.Left) {
			v.Left = 0
		}
		v.Values[quantity.Seconds], v.Values[quantity.StepsPerSecond] = metrics.Exact(v.Seconds), metrics.Exact(1e6)
		if ess := v.Values[quantity.MinESS]; ess.OK() {
			ess.Value /= v.Seconds
			v.Values[quantity.ESSPerSecond] = ess
		}
		v.History = slices.Clone(v.History)
		for j := range v.History {
			v.History[j].Seconds = float64(v.History[j].Step) / 1e6
		}
	}
	c.Marks = slices.Clone(s.Marks)
	for i := range c.Marks {
		c.Marks[i].Seconds = float64(c.Marks[i].Step) / 1e6
	}
	return &c
}

// A Scene is a snapshot for the pictures, made once.
type Scene struct {
	Name string
	Snap func() *engine.Snapshot
}

// At is a place in a script: a step of each of the lanes.
func At(steps uint64, lanes int) []uint64 { return slices.Repeat([]uint64{steps}, lanes) }

// All are what the pictures show. All tests share them and none changes them.
var All = sync.OnceValue(func() []Scene {
	once := func(f func() *engine.Snapshot) func() *engine.Snapshot { return sync.OnceValue(f) }
	return []Scene{
		{"gaussian", once(func() *engine.Snapshot { return Play("gaussian", "psgld,sgld", 12_400) })},
		{"turned", once(func() *engine.Snapshot {
			return Play("gaussian", "psgld,sgld", 12_400,
				state.Event{At: At(6000, 2), Command: state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.1}})
		})},
		{"diverged", once(func() *engine.Snapshot {
			return Play("gaussian", "psgld,sgld", 5000,
				state.Event{At: At(3000, 2), Command: state.SetParam{Lane: 1, Key: "eps", Value: 0.7}})
		})},
		{"early", once(func() *engine.Snapshot { return Play("gaussian", "psgld,sgld", 12) })},
		{"four", once(func() *engine.Snapshot { return Play("banana", "psgld,sgld,psgld,sgld", 8000) })},
		{"one", once(func() *engine.Snapshot { return Play("mixture", "sgld", 8000) })},
		{"three", once(func() *engine.Snapshot { return Play("funnel", "psgld,sgld,psgld", 4000) })},
		{"burning", once(func() *engine.Snapshot { return Play("blr:synthetic", "psgld,sgld", 120) })},
		{"blr", once(func() *engine.Snapshot {
			return Play("blr:synthetic", "psgld,sgld", 6000)
		})},
		{"mlp", once(network)},
		{"chains", once(func() *engine.Snapshot { return Chains(4, "gaussian", "psgld,sgld", 3000) })},
		{"modes", once(func() *engine.Snapshot { return Chains(4, "mixture:gap=12", "sgld,psgld", 5000) })},
	}
})

// network is a session of a network. In float32 its digits are those of kernels that fuse products, see SameDigits.
func network() *engine.Snapshot {
	s := PlayWith("mlp:20-20", "psgld,sgld", 400, func(l state.Setting) state.Setting {
		if l.Sampler == "sgld" {
			l = l.With(sampler.KeyEps, 2e-5)
		}
		return l.With(sampler.KeyTemp, 1).With(sampler.KeyBurnIn, 100).With(sampler.KeyThin, 10)
	})
	s.Predictions = s.Predictions[:30]
	return s
}

// SameDigits reports whether the pictures of the network are this machine's too. The generic kernels round otherwise.
func SameDigits() bool { return !simd.OtherDigits() }

// Of is the snapshot of the scene with a name.
func Of(name string) *engine.Snapshot {
	for _, s := range All() {
		if s.Name == name {
			return s.Snap()
		}
	}
	panic("no scene " + name)
}
