//go:build !js

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

const plainEvery = time.Second

// plain is the screen for what is not a terminal and for screen readers: a status line
// every so often, in words, without colours or cursor movement.
func plain(every time.Duration) Screen {
	return func(ctx context.Context, start app.Start, o app.Options) (*session.Session, error) {
		s, err := start(ctx, new(control.Loading))
		if err != nil {
			return nil, err
		}
		ctx, end := context.WithCancel(ctx)
		defer end()
		ran := make(chan error, 1)
		go func() {
			defer end()
			ran <- s.Run(ctx)
		}()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				if err := <-ran; !errors.Is(err, context.Canceled) {
					return s, err
				}
				return s, nil
			case <-tick.C:
				if _, err := fmt.Fprintln(o.Output, statusLine(fresh(ctx, s))); err != nil {
					end()
					<-ran
					return s, fmt.Errorf("writing to standard output: %w", atomicfile.Cause(err))
				}
			}
		}
	}
}

// fresh asks for a snapshot of this moment and waits a little for it; a session
// that stands still has none newer than the last.
func fresh(ctx context.Context, s *session.Session) *engine.Snapshot {
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
	step := list.Max(snap.Lanes, func(l engine.LaneView) uint64 { return l.Step })
	at := fmt.Sprintf("step %s, %s steps/s", plane.Count(step), plane.Number(snap.Rate, 7))
	if !slices.ContainsFunc(snap.Lanes, func(l engine.LaneView) bool { return l.Facts.Has(quantity.Stepped) }) {
		at = plane.Count(step) + " draws" // how fast a file is read says nothing of who writes it
	}
	parts := []string{fmt.Sprintf("%s, %v", at, snap.Phase)}
	parts = append(parts, list.Map(snap.Lanes, func(l engine.LaneView) string {
		return laneName(l) + ": " + laneStatus(l, "tau")
	})...)
	return strings.Join(append(parts, verdicts(snap)...), "; ")
}

// verdicts are that of check and the finding that matters most, where there are, beside what is said of each lane.
func verdicts(snap *engine.Snapshot) (all []string) {
	if snap.Check != nil {
		all = append(all, "check: "+wording.Check(snap.Check))
	}
	for _, f := range wording.Findings(snap) {
		if f.Key != "diverged" {
			return append(all, f.Text)
		}
	}
	return all
}

func laneName(l engine.LaneView) string { return state.LaneLetter(l.ID) + " " + l.Title }

// laneStatus says of a lane what its target lets it say; tau is what τ is called.
func laneStatus(l engine.LaneView, tau string) string {
	if l.Diverged != nil {
		return fmt.Sprintf("%s at step %s: %s", wording.Stopped(l.Diverged), plane.Count(l.Diverged.Step),
			l.Diverged.Reason())
	}
	var parts []string
	if l.Kind != sampler.Sampling {
		parts = append(parts, l.Kind.String())
	}
	for _, h := range quantity.Headlines {
		q, e := &quantity.All[h.ID], l.Values[h.ID]
		if l.Facts.Has(q.Needs|h.Of) && e.Applies() {
			parts = append(parts, strings.ReplaceAll(q.Name, "τ", tau)+" "+wording.Estimate(q.Form, e, text.CellWidth))
		}
	}
	return strings.Join(parts, ", ")
}
