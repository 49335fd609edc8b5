package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
)

const plainEvery = time.Second

// Plain is the screen for what is not a terminal and for screen readers: a
// status line at a time, in words, without colours or cursor movement.
type Plain struct {
	Every time.Duration
}

// Screen is a Screen. It writes a line every so often.
func (p Plain) Screen(ctx context.Context, s *engine.Session, o ScreenOptions) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	ran := make(chan error, 1)
	go func() {
		defer end()
		ran <- s.Run(ctx)
	}()
	tick := time.NewTicker(p.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			if err := <-ran; !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		case <-tick.C:
			if _, err := fmt.Fprintln(o.Out, statusLine(fresh(ctx, s))); err != nil {
				end()
				<-ran
				return fmt.Errorf("writing to standard output: %w", cause(err))
			}
		}
	}
}

// fresh asks for a snapshot of this moment and waits a little for it; a session
// that stands still has none newer than the last.
func fresh(ctx context.Context, s *engine.Session) *engine.Snapshot {
	select {
	case <-s.Changed(): // told of one that is past
	default:
	}
	s.Snapshot()
	select {
	case <-s.Changed():
	case <-time.After(100 * time.Millisecond):
	case <-ctx.Done():
	}
	return s.Snapshot()
}

func statusLine(snap *engine.Snapshot) string {
	step := uint64(0)
	for _, l := range snap.Lanes {
		step = max(step, l.Step)
	}
	parts := []string{fmt.Sprintf("step %s, %s steps/s, %v", plane.Count(step), plane.Number(snap.Rate, 7), snap.Phase)}
	for _, l := range snap.Lanes {
		parts = append(parts, laneName(l)+": "+laneStatus(l, "tau"))
	}
	return strings.Join(parts, "; ")
}

func laneName(l engine.LaneView) string { return engine.LaneLetter(l.ID) + " " + l.Title }

// laneStatus says of a lane what its target lets it say; tau is what τ is called.
func laneStatus(l engine.LaneView, tau string) string {
	if l.Diverged != nil {
		return fmt.Sprintf("diverged at step %s: %s", plane.Count(l.Diverged.Step), l.Diverged.Reason())
	}
	var parts []string
	add := func(name string, x float64, unit string) {
		if !math.IsNaN(x) {
			parts = append(parts, name+" "+plane.Number(x, cellWidth)+unit)
		}
	}
	estimate := func(name string, e metrics.Estimate) {
		if e.OK() {
			add(name, e.Value, "")
		} else {
			parts = append(parts, name+" "+e.Status.String())
		}
	}
	switch l.Kind {
	case sampler.Optimising:
		parts = append(parts, l.Kind.String())
		add("loss", l.Loss, "")
	case sampler.Variational:
		parts = append(parts, l.Kind.String())
		add("ELBO", l.ELBO, "")
	}
	add("covariance error", l.CovError, "")
	add("test error", 100*l.Test.Error, "%")
	if math.IsNaN(l.Test.Error) {
		add("training error", 100*l.Train.Error, "%")
	}
	if l.Kind == sampler.Sampling {
		estimate(tau, l.MaxACT)
		estimate("ESS", l.MinESS)
	}
	add("acceptance", l.Acceptance, "")
	if !math.IsNaN(l.Acceptance) {
		parts = append(parts, "divergences "+plane.Count(l.Divergences))
	}
	return strings.Join(parts, ", ")
}
