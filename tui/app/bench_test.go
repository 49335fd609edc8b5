package app

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

// BenchmarkFrame is a tick with a new snapshot, and the frame of 200×60 drawn from
// it, of a session that has run for a while: alone, under what opens over it, in a
// lesson and while the mouse is over a plot. The budget is 4 ms.
func BenchmarkFrame(b *testing.B) {
	s := newSession(b, "gaussian")
	const steps = 200_000
	s.Send(state.StepBy{N: steps}) // before the first step
	running(b, s)
	for {
		snap := s.Snapshot()
		if snap.Phase == state.Paused && snap.Lanes[0].Step >= steps {
			break
		}
		<-s.Changed()
	}
	copies := [2]*engine.Snapshot{}
	for i := range copies {
		c := *s.Snapshot()
		c.Version, c.Phase = uint64(i+1), state.Running
		copies[i] = &c
	}
	run := func(name string, begin func(r *recorder) *model) {
		b.Run(name, func(b *testing.B) {
			r := &recorder{snap: copies[0]}
			m := begin(r)
			m.Init()
			m.View()
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				r.snap = copies[n%2]
				m.Feed.Ticking = true
				m.Update(control.TickMsg{Tag: m.Feed.Tag})
				m.View()
			}
		})
	}
	plain := func(keys ...string) func(*recorder) *model {
		return func(r *recorder) *model {
			m := newScreenOn(b, r, 200, 60)
			m.presses(keys...)
			return m
		}
	}
	run("program", plain())
	run("help", plain("?"))
	run("palette", plain(":"))
	run("samplers", plain("s"))
	run("values", plain("o", "v", "right"))
	run("history", plain("b"))
	run("lesson", func(r *recorder) *model {
		return lessonOn(b, "two-curvatures", func(*session.Session) control.Session { return r }, 200, 60)
	})
}
