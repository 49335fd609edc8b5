package queue

import (
	"testing"
	"time"
)

// The rate is that of the newest half second or more, and before there was one that of all the time so far.
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
		{100, 100 * time.Millisecond, 1000},
		{300, 100 * time.Millisecond, 2000},
		{600, 300 * time.Millisecond, 2000}, // half a second is over
		{1, 100 * time.Millisecond, 2000},
		{99, 900 * time.Millisecond, 100},
	} {
		if m.Add(c.steps, c.took); m.Rate() != c.rate {
			t.Errorf("after %d: %v steps a second, want %v", k, m.Rate(), c.rate)
		}
	}
}
