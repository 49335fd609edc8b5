package session

import (
	"sync"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
)

// Sessions have their keyframes in one budget. One that stands makes room for those that
// come, and what a session has left counts too. None differs from one with a budget of its own.
func TestKeyframesOfManySessions(t *testing.T) {
	innerlooptest.Live(t, "many sessions in real time")
	const sessions = 5
	budget := sessions * (256 << 20 / 40) // that of a class, by its seats
	p := open(t, "gaussian")
	memory := share.NewMemory(budget)
	size := func(s *Session) int {
		sum := s.line.Size()
		for _, l := range s.shelf.held {
			sum += l.line.Size()
		}
		return sum
	}
	paused := func(s *engine.Snapshot) bool { return s.Phase == state.Paused }
	run := func(i int) (*Session, *live) { // a keyframe of these lanes takes about 1 MB
		cfg := config(p, 0, nil, "psgld", "sgld")
		cfg.Seed, cfg.Ranked = uint64(i), 1<<15 // as a class says
		s, err := New(cfg, p, Runtime{Interactive: true, Threads: 1, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		l := running(t, s)
		l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Seconds > 0.15 })
		if i%4 == 0 { // a session that is left has keyframes too
			l.do(nil, state.Load{Config: cfg, Problem: p})
			l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Seconds > 0.15 })
		}
		l.do(paused, state.Pause{})
		for seconds := 0.3; i == 0 && size(s) <= budget/sessions; seconds += 0.15 { // keyframes come by time
			l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Seconds > seconds }, state.Resume{})
			l.do(paused, state.Pause{})
		}
		return s, l
	}
	first, begin := run(0)
	alone := size(first)
	var all []*live
	of := []*Session{first}
	for i := range sessions - 1 {
		s, l := run(i + 1)
		of, all = append(of, s), append(all, l)
	}
	sum, least := 0, budget
	for i, s := range of {
		if i == 0 {
			begin.do(paused, state.Pause{})
		} else {
			all[i-1].do(paused, state.Pause{})
		}
		n := size(s)
		sum, least = sum+n, min(least, n)
	}
	t.Logf("one session takes %d kB alone; all take %d kB, each %d kB at least, the first %d kB", alone>>10, sum>>10, least>>10, size(first)>>10)
	if sum > budget {
		t.Errorf("the keyframes of all sessions take %d bytes of %d", sum, budget)
	}
	if least == 0 {
		t.Error("a session has no keyframes")
	}
	if alone <= budget/sessions || size(first) > budget/sessions {
		t.Errorf("the first had %d bytes alone, and has %d beside the others", alone, size(first))
	}
	for _, l := range append(all, begin) {
		_ = l.stop()
	}
	if size(first) != 0 {
		t.Errorf("a session that has ended holds %d bytes", size(first))
	}
	if err := Verify(t.Context(), first.Recording(""), Runtime{}); err != nil {
		t.Error(err)
	}
}

// A session that rests between its chunks goes on after each rest, at full speed too, however the
// end of the rest falls between its looks at the clock. So does one whose steps are counted.
func TestRestsEnd(t *testing.T) {
	innerlooptest.Live(t, "sessions in real time")
	p := open(t, "gaussian")
	const span, least = 2 * time.Second, 8
	var all sync.WaitGroup
	for i := range 8 {
		cfg := config(p, 0, nil, "sgld")
		cfg.Seed = uint64(i)
		s, err := New(cfg, p, Runtime{Interactive: true, Threads: 1, Budget: Budget{Share: []float64{0.5, 0.9, 0.99}[i%3]}})
		if err != nil {
			t.Fatal(err)
		}
		running(t, s)
		all.Go(func() {
			began, moved, step := time.Now(), 0, uint64(0)
			for ; time.Since(began) < span || moved < least; time.Sleep(5 * time.Millisecond) {
				if now := s.Snapshot().Lanes[0].Step; now > step {
					moved, step = moved+1, now
				} else if time.Since(began) > hung {
					t.Errorf("session %d stands at step %d", i, step)
					return
				}
			}
		})
	}
	all.Wait()
}
