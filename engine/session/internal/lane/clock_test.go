package lane

import (
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
)

// Rates are per second that the lane was busy, while seconds are those of the wall clock.
func TestRatesGoByBusyTime(t *testing.T) {
	p := open(t, "gaussian")
	cfg := config(p, 0, nil, "sgld")
	l := oneLane(t, cfg, cfg.Lanes[0], p).(*lane[float64])
	defer l.Close()
	var now record.Times
	l.Clock = func() record.Times {
		now = now.Add(record.Times{Wall: 3 * time.Second, Busy: time.Second})
		return now
	}
	const chunks, steps = 4, 5000
	for range chunks {
		l.Advance(steps)
	}
	busy, wall := l.Took.Busy.Seconds(), l.Standing().Seconds
	if busy < chunks || wall != 3*busy {
		t.Fatalf("the lane was busy for %g s of %g s, want a third of %d s or more", busy, wall, 3*chunks)
	}
	v := l.measures.View(false, nil).Values
	if got := v[quantity.StepsPerSecond].Value; got != chunks*steps/busy {
		t.Errorf("%g steps/s, want %d in %g s", got, chunks*steps, busy)
	}
	if got, want := v[quantity.ESSPerSecond].Value*busy, v[quantity.MinESS].Value; got-want > 1e-9*want ||
		want-got > 1e-9*want || want == 0 {
		t.Errorf("ESS/s counts %g effective draws, want %g", got, want)
	}
	if got := v[quantity.Seconds].Value; got != wall {
		t.Errorf("seconds are %g, want %g by the wall clock", got, wall)
	}
}
