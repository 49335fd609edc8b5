package queue

import (
	"testing"
	"time"
)

// The rate is that of the newest half second or more and of what has come since, so that a first step that waits for
// another program to start is forgotten with the next ones.
func TestMeter(t *testing.T) {
	var m Meter
	if m.Rate() != 0 {
		t.Errorf("%v before the first step", m.Rate())
	}
	for k, c := range []struct {
		steps uint64
		took  time.Duration
		rate  float64
	}{
		{1, time.Second, 1},
		{999, 250 * time.Millisecond, 800},
		{1000, 250 * time.Millisecond, 4000. / 3},
		{2001, 500 * time.Millisecond, 4000}, // half a second is over, and the first step is forgotten
		{998, 500 * time.Millisecond, 2999},
	} {
		if m.Add(c.steps, c.took); m.Rate() != c.rate {
			t.Errorf("after %d: %v steps a second, want %v", k, m.Rate(), c.rate)
		}
	}
}
