package panel

import (
	"context"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/theme"
)

// play runs a session without a screen up to a number of steps and returns its
// last snapshot without the fields that depend on the clock. Script events are
// applied at the steps that they name.
func play(target, samplers string, steps uint64, script ...engine.Event) *engine.Snapshot {
	p, err := targets.Open(target, targets.Options{})
	if err != nil {
		panic(err)
	}
	cfg := engine.Config{Target: target, Seed: 20, Steps: steps}
	for name := range strings.SplitSeq(samplers, ",") {
		cfg.Lanes = append(cfg.Lanes, engine.DefaultLane(p, name))
	}
	if len(script) > 0 { // a replay ends with its last event
		script = append(script, engine.Event{At: at(steps, len(cfg.Lanes)), Command: engine.Pause{}})
	}
	s, err := engine.NewSession(cfg, p, engine.Runtime{Threads: 1, Replay: script})
	if err != nil {
		panic(err)
	}
	if err := s.Run(context.Background()); err != nil {
		panic(err)
	}
	return still(s.Snapshot())
}

// still takes the clock out of a snapshot.
func still(s *engine.Snapshot) *engine.Snapshot {
	c := *s
	c.Rate, c.Replaying = 1.9e6, 0
	c.Lanes = append([]engine.LaneView(nil), s.Lanes...)
	for i := range c.Lanes {
		v := &c.Lanes[i]
		v.Rate, v.Seconds, v.Window.Rate = 1e6, float64(v.Executed)/1e6, 1e6
		if v.Previous != nil {
			w := *v.Previous
			w.Rate = 1e6
			v.Previous = &w
		}
		if v.MinESS.OK() {
			v.ESSPerSec = v.MinESS.Value / v.Seconds
		}
		v.History = append([]engine.Point(nil), v.History...)
		for j := range v.History {
			v.History[j].Seconds = float64(v.History[j].Step) / 1e6
		}
	}
	c.Marks = append([]engine.Mark(nil), s.Marks...)
	for i := range c.Marks {
		c.Marks[i].Seconds = float64(c.Marks[i].Step) / 1e6
	}
	return &c
}

// scene is a snapshot for the pictures, made once.
type scene struct {
	name string
	snap func() *engine.Snapshot
}

func at(steps uint64, lanes int) []uint64 {
	a := make([]uint64, lanes)
	for i := range a {
		a[i] = steps
	}
	return a
}

// scenes are what the pictures show. All tests share them; none changes them.
var scenes = sync.OnceValue(func() []scene {
	once := func(f func() *engine.Snapshot) func() *engine.Snapshot { return sync.OnceValue(f) }
	return []scene{
		{"gaussian", once(func() *engine.Snapshot { return play("gaussian", "psgld,sgld", 12_400) })},
		{"tweaked", once(func() *engine.Snapshot {
			return play("gaussian", "psgld,sgld", 12_400,
				engine.Event{At: at(6000, 2), Command: engine.SetParam{Lane: engine.AllLanes, Key: "eps", Value: 0.1}})
		})},
		{"diverged", once(func() *engine.Snapshot {
			return play("gaussian", "psgld,sgld", 5000,
				engine.Event{At: at(3000, 2), Command: engine.SetParam{Lane: 1, Key: "eps", Value: 0.7}})
		})},
		{"early", once(func() *engine.Snapshot { return play("gaussian", "psgld,sgld", 12) })},
		{"four", once(func() *engine.Snapshot { return play("banana", "psgld,sgld,psgld,sgld", 8000) })},
		{"one", once(func() *engine.Snapshot { return play("mixture", "sgld", 8000) })},
		{"three", once(func() *engine.Snapshot { return play("funnel", "psgld,sgld,psgld", 4000) })},
		{"burning", once(func() *engine.Snapshot { return play("blr:synthetic", "psgld,sgld", 120) })},
		{"blr", once(func() *engine.Snapshot {
			return play("blr:synthetic", "psgld,sgld", 6000)
		})},
	}
})

func frameOf(s *engine.Snapshot) Frame {
	return Frame{
		Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true,
		Hint: "space pause · tab lane · ←→ turn · enter type · t target · s sampler · 1-3 view · : command · ? help · q quit",
	}
}
