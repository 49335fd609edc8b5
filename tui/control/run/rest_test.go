package run

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// A session rests a minute after the last key where every lane has drawn enough, at full speed, and nothing is made of
// it that would suffer; and once.
func TestRest(t *testing.T) {
	for name, c := range map[string]struct {
		ess    []float64
		change func(c *Run, s *engine.Snapshot)
		rests  bool
	}{
		"enough":           {ess: []float64{2e6, 1e6}, rests: true},
		"one is too short": {ess: []float64{2e6, 0}},
		"not enough":       {ess: []float64{2e6, 9e5}},
		"off":              {ess: []float64{2e6, 2e6}, change: func(c *Run, _ *engine.Snapshot) { c.Settings.Rest = "off" }},
		"a lesson":         {ess: []float64{2e6, 2e6}, change: func(c *Run, _ *engine.Snapshot) { c.rests = false }},
		"a lesson that was chosen": {ess: []float64{2e6, 2e6}, change: func(c *Run, _ *engine.Snapshot) {
			c.InLesson = func() (lesson.Phase, bool) { return lesson.Revealed, true }
		}},
		"filmed": {ess: []float64{2e6, 2e6}, change: func(c *Run, _ *engine.Snapshot) { c.Screen.Filming = true }},
		"a sweep": {ess: []float64{2e6, 2e6}, change: func(c *Run, _ *engine.Snapshot) {
			c.Screen.Sweeping = true
		}},
		"slow motion": {ess: []float64{2e6, 2e6}, change: func(_ *Run, s *engine.Snapshot) { s.Speed = 10 }},
		"paused":      {ess: []float64{2e6, 2e6}, change: func(_ *Run, s *engine.Snapshot) { s.Phase = state.Paused }},
		"a key":       {ess: []float64{2e6, 2e6}, change: func(c *Run, _ *engine.Snapshot) { c.Keys.Press++ }},
	} {
		snap := *scenetest.Of("gaussian")
		snap.Phase, snap.Speed, snap.Lanes = state.Running, 0, slices.Clone(snap.Lanes)
		s := &standing{snap: &snap}
		for i, ess := range c.ess {
			v := &snap.Lanes[i].Values[quantity.MinESS]
			if *v = metrics.Known(ess, math.NaN(), 1); ess == 0 {
				*v = metrics.Withheld(metrics.TooShort, 1)
			}
		}
		now := time.Unix(1000, 0)
		d := &control.Desk{Feed: control.NewFeed(t.Context(), s, 0), Now: func() time.Time { return now }}
		r := New(d, false, true)
		r.rest()
		now = now.Add(restAfter)
		if c.change != nil {
			c.change(r, d.Feed.Newest)
		}
		for range 3 {
			r.rest()
		}
		want := 0
		if c.rests {
			want = 1
		}
		if len(s.sent) != want || want > 0 && s.sent[0] != (state.Pause{}) {
			t.Errorf("%s: it is sent %#v", name, s.sent)
		}
	}
}
