package record

import "time"

// Times are durations by the two clocks of a lane.
type Times struct {
	// Wall is what limits and reports of seconds go by.
	Wall time.Duration
	// Busy is what rates and races go by: processor time of the thread that steps the lane. What other programs and
	// lanes do to a machine does not count. Of a lane whose gradients come from a child it is Wall, and so it is
	// where the system does not tell a thread's time.
	Busy time.Duration
}

// Sub is t - o.
func (t Times) Sub(o Times) Times { return Times{t.Wall - o.Wall, t.Busy - o.Busy} }

// Add is t + o.
func (t Times) Add(o Times) Times { return Times{t.Wall + o.Wall, t.Busy + o.Busy} }

var began = time.Now()

// WallClock has the wall clock as both.
func WallClock() Times {
	now := time.Since(began)
	return Times{now, now}
}

// ThreadClock has the processor time of the calling thread, to which the goroutine must be locked.
func ThreadClock() Times {
	now := WallClock()
	if busy, ok := threadTime(); ok {
		now.Busy = busy
	}
	return now
}
