// Package driver runs a session that stands still but for what it is told to do, for those who
// have no clock: pictures of the screen, and lessons that are played to test them.
package driver

import (
	"context"
	"errors"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/caught"
)

// A Driver drives a session.
type Driver struct {
	Session *session.Session
	// Waits is called a few times a second while steps are waited for, with the part of
	// them that is taken; nil for nobody.
	Waits func(s *engine.Snapshot, done float64)
	// Ended is closed when the session has ended.
	Ended <-chan struct{}

	stop context.CancelFunc
	sent uint64 // serial of the newest command
	snap *engine.Snapshot
	err  error // why the session ended
}

// Drive runs a session until ctx ends or Stop is called. It is paused before its first step.
func Drive(ctx context.Context, s *session.Session) *Driver {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	d := &Driver{Session: s, Ended: ended, stop: stop, snap: s.Snapshot(), sent: s.Send(state.Pause{})}
	go func() {
		defer close(ended)
		if panicked := caught.In("the session", func() { d.err = s.Run(ctx) }); panicked != nil {
			d.err = panicked
		}
	}()
	return d
}

// Stop ends the session and returns why it ended by itself, nil if it did not.
func (d *Driver) Stop() error {
	d.stop()
	<-d.Ended
	if errors.Is(d.err, context.Canceled) {
		return nil
	}
	return d.err
}

// Send sends a command and returns the snapshot after it. After StepBy no lane has steps left that it can take, and
// what goes to another place has come there. The error says why the session ended before.
func (d *Driver) Send(c state.Command) (*engine.Snapshot, error) {
	steps, _ := c.(state.StepBy)
	d.sent = d.Session.Send(c)
	for pause := time.Duration(0); ; pause = min(2*pause+time.Millisecond, 100*time.Millisecond) {
		s, left := d.Session.Snapshot(), steps.N
		if s.Applied >= d.sent {
			if left = s.StepsLeft; left == 0 && !(s.Tape.Seeking && s.Phase == state.Running) {
				d.snap = s
				return s, nil
			}
		}
		if d.Waits != nil && steps.N > 0 {
			d.Waits(s, 1-float64(left)/float64(steps.N))
		}
		// The session publishes by itself when it stands still. What is asked for
		// before that costs time, most of all with a thousand coordinates.
		select {
		case <-time.After(pause):
		case <-d.Ended:
		}
		select {
		case <-d.Session.Changed():
		case <-d.Ended:
			if d.err == nil {
				return d.snap, errors.New("the session ended")
			}
			return d.snap, d.err
		}
	}
}
