package session

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
)

// clocked is a lane whose steps are busy for a fixed time.
type clocked struct {
	lane.Runner
	busy, cost, most float64
}

func (c *clocked) Advance(n uint64) {
	c.Runner.Advance(n)
	c.busy, c.most = c.busy+c.cost*float64(n), max(c.most, c.cost*float64(n))
}

func (c *clocked) Standing() lane.Standing {
	n := c.Runner.Standing()
	n.Busy = c.busy
	return n
}

// Lanes race by the time that they are busy, whatever the wall clock says: one whose steps take a hundred times as long
// makes a hundredth of them.
func TestRaceGoesByBusyTime(t *testing.T) {
	p := open(t, "gaussian")
	cfg := config(p, 0, nil, "sgld", "sgld")
	cfg.Race = true
	s, err := New(cfg, p, Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	costs := []float64{1e-6, 1e-4}
	lanes := make([]*clocked, 2)
	for i, r := range s.lanes {
		defer r.Close()
		lanes[i] = &clocked{Runner: r, cost: costs[i]}
		s.lanes[i] = lanes[i]
	}
	for range 200 {
		s.advance(t.Context(), math.MaxUint64)
		a, b := lanes[0], lanes[1]
		if lead := math.Abs(a.busy - b.busy); lead > queue.ChunkTime.Seconds()+max(a.most, b.most) {
			t.Fatalf("one lane was busy for %g s and the other for %g s, with chunks of %g s at most", a.busy, b.busy,
				max(a.most, b.most))
		}
	}
}
