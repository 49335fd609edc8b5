package agreement

import (
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
)

// A comparison that still waits when the window ends is not worked out, and the draws that it was to be of are let go.
func TestForgetLetsGo(t *testing.T) {
	innerlooptest.Skip(t, "it waits for the collector")
	w := beside.New("a test", 0, func() {})
	defer w.Close()
	c := Chains{Dim: 1}
	for range 2 {
		b := &metrics.Block{Dim: 1, Cap: AtOnce, N: AtOnce, X: make([]float64, AtOnce), W: make([]float64, AtOnce)}
		for i := range b.X {
			b.X[i], b.W[i] = float64(i*7919%AtOnce), 1
		}
		chain, keeper := metrics.NewChain(1), NewKeeper(2, 1, metrics.DefaultKept)
		chain.Add(b)
		keeper.Add(b)
		c.Pool, c.Keepers = append(c.Pool, chain), append(c.Keepers, keeper)
	}
	c.Forget()
	at := Moment{Draws: 2 * AtOnce, Kept: 2 * AtOnce, Moving: true, Beside: w}

	hold := make(chan struct{})
	w.Ask([]beside.Task{func(func(time.Duration) bool) { <-hold }}, true)
	c.Begin(true, w)
	c.Compare(0, at)
	was := c.asked
	if len(was.copies) != 1 {
		t.Fatalf("%d comparisons wait, want 1", len(was.copies))
	}
	c.Forget()
	if len(was.copies) != 0 {
		t.Errorf("%d copies of the draws are kept", len(was.copies))
	}
	close(hold)
	for !w.Settled() {
		time.Sleep(time.Millisecond)
	}
	if was.mu.Lock(); len(was.done) != 0 {
		t.Error("a comparison of a window that is over was worked out")
	}
	was.mu.Unlock()

	c.Begin(true, w)
	c.Compare(0, at)
	for !w.Settled() {
		time.Sleep(time.Millisecond)
	}
	if !c.Begin(true, w) || !c.Compare(0, at).all {
		t.Error("the comparison of the next window is not there")
	}
}

// A lane keeps a million draws of a coordinate, or as many as are asked for, and 32 MB of all coordinates.
func TestKeptOfALane(t *testing.T) {
	for _, c := range []struct{ chains, dim, ranked, draws, every int }{
		{1, 2, 1 << 20, 1_000_000, 1}, {1, 2, 1 << 20, 1<<20 + 1, 2}, {4, 2, 1 << 20, 200_000, 1},
		{4, 2, 1 << 20, 300_000, 2}, {1, 8, 1 << 15, 32_000, 1}, {1, 8, 1 << 15, 33_000, 2},
		{1, 64, 1 << 20, 60_000, 1}, {1, 64, 1 << 20, 70_000, 2}, {16, 64, 1 << 20, 5000, 2},
	} {
		k, b := NewKeeper(c.chains, c.dim, c.ranked), metrics.NewBlock(c.dim, 1000)
		for left := c.draws; left > 0; left -= b.N {
			b.N = min(left, b.Cap)
			k.Add(b)
		}
		values := k.Len() * c.chains
		if k.Every() != uint64(c.every) || values > c.ranked || values*c.dim > keptOfLane {
			t.Errorf("%d draws of %d chains in %d coordinates: %d kept, one of %d, want one of %d", c.draws, c.chains,
				c.dim, k.Len(), k.Every(), c.every)
		}
	}
}
