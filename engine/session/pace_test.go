package session

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
)

// paced runs a session at a limit of steps a second for a test in a bubble of synctest.
func paced(t *testing.T, perSecond float64, rt Runtime) *Session {
	p := open(t, "gaussian")
	cfg := config(p, 0, nil, "psgld", "sgld")
	s, err := New(cfg, p, rt)
	if err != nil {
		t.Fatal(err)
	}
	goesOn(t, s)
	s.Send(state.SetSpeed{PerSecond: perSecond})
	synctest.Wait()
	return s
}

// goesOn runs a session until its test ends.
func goesOn(t *testing.T, s *Session) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
}

// At any speed and rate of frames, a frame shows the steps that fell due since the one before
// it, and the steps a second are right.
func TestFramesShowWhatIsDue(t *testing.T) {
	for _, speed := range []float64{3, 150, 2000} {
		for _, fps := range []int{5, 60} {
			synctest.Test(t, func(t *testing.T) {
				s := paced(t, speed, Runtime{Interactive: true, Threads: 2})
				begin, frame := time.Now(), time.Second/time.Duration(fps)
				old, version, fresh := s.Snapshot().Lanes[0].Step, s.Snapshot().Version, 0
				first := old
				for n := range 4 * fps {
					time.Sleep(frame)
					snap := s.Snapshot()
					step := snap.Lanes[0].Step
					// What is shown at one frame was asked for at the one before it, and a step is whole. Snapshots
					// are FrameTime apart at least.
					jump, most := float64(step-old), float64(speed*(frame+queue.FrameTime).Seconds())+1
					if n > 1 && jump > most {
						t.Errorf("at %g steps a second and %d frames: a jump of %g steps, %g at most are due", speed,
							fps, jump, most)
					}
					if snap.Version > version {
						fresh++
					}
					old, version = step, snap.Version
				}
				want := float64(speed * time.Since(begin).Seconds())
				got, late := float64(old-first), float64(speed*(2*frame).Seconds())+1
				if got > want+1 || got < want-late {
					t.Errorf("%g steps are shown after %v at %g a second and %d frames", got, time.Since(begin),
						speed, fps)
				}
				if least := int(math.Min(float64(4*fps), speed*4)) - 2; fresh < least {
					t.Errorf("at %g steps a second only %d of %d frames have anything new", speed, fresh, 4*fps)
				}
			})
		}
	}
}

// Nothing is published of a session that stands or whose steps are all shown.
func TestNothingNewIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := paced(t, 1000, Runtime{Interactive: true, Threads: 2})
		s.Send(state.Pause{})
		synctest.Wait()
		was := s.Snapshot().Version
		for range 100 {
			time.Sleep(time.Second / 30)
			if s.Snapshot().Version != was {
				t.Fatal("a paused session publishes")
			}
		}
		s.Send(state.SetSpeed{PerSecond: 2})
		s.Send(state.Resume{})
		synctest.Wait()
		was = s.Snapshot().Version
		for range 300 {
			time.Sleep(10 * time.Second / 300)
			s.Snapshot()
		}
		if n := s.Snapshot().Version - was; n < 18 || n > 21 {
			t.Errorf("%d snapshots of 20 steps", n)
		}
	})
}

// Where others tell that the machine does not keep up, a session makes a part of its steps and
// says so, but for one that is favoured. Once all are in time again it makes all of them.
func TestGovernorSlowsDown(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	synctest.Test(t, func(t *testing.T) {
		governor := &share.Governor{}
		for at := time.Duration(0); at < 3*time.Second; at += 100 * time.Millisecond { // in the past
			governor.Late(time.Now().Add(at-3*time.Second), 1)
		}
		s := paced(t, 2000, Runtime{Governor: governor})
		favoured := paced(t, 2000, Runtime{Governor: governor, Favoured: true})
		steps := func(s *Session) float64 {
			s.Snapshot()
			time.Sleep(20 * time.Millisecond)
			return float64(s.Snapshot().Lanes[0].Step)
		}
		time.Sleep(100 * time.Millisecond)
		factor, a, b := governor.Factor(), steps(s), steps(favoured)
		snap := s.Snapshot()
		time.Sleep(300 * time.Millisecond)
		a, b = steps(s)-a, steps(favoured)-b
		if factor > 0.2 || math.Abs(snap.Cut-(1-factor)) > 1e-12 || favoured.Snapshot().Cut != 0 || snap.Speed != 2000 {
			t.Errorf("a factor of %g, of which the snapshot says %g, and of the favoured %g", factor, snap.Cut,
				favoured.Snapshot().Cut)
		}
		if math.Abs(b-680) > 110 || a > b*(factor+0.1) || a < b*factor/2 {
			t.Errorf("%g steps, and %g of the favoured, at a factor of %g", a, b, factor)
		}
		for range 600 {
			time.Sleep(time.Second / 30)
			s.Snapshot()
			favoured.Snapshot()
		}
		if f := governor.Factor(); f != 1 || s.Snapshot().Cut != 0 {
			t.Errorf("a factor of %g when all are in time", f)
		}
	})
}
