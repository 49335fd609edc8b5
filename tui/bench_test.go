package tui

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

// BenchmarkFrame is a tick with a new snapshot, and the frame drawn from it, at
// the largest common size, of a session that has run for a while.
func BenchmarkFrame(b *testing.B) {
	s := newSession(b, "gaussian")
	running(b, s)
	s.Send(engine.StepBy{N: 200_000})
	for {
		snap := s.Snapshot()
		if snap.Phase == engine.Paused && snap.Lanes[0].Step >= 200_000 {
			break
		}
		<-s.Changed()
	}
	copies := [2]*engine.Snapshot{}
	for i := range copies {
		c := *s.Snapshot()
		c.Version, c.Phase = uint64(i+1), engine.Running
		copies[i] = &c
	}
	r := &recorder{snap: copies[0]}
	m := newScreenOn(b, r, 200, 60)
	m.Init()
	m.View()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		r.snap = copies[n%2]
		m.Update(tickMsg{m.feed.tag})
		m.View()
	}
}
