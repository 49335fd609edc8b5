package app

import (
	"testing"
	"testing/synctest"
	"time"
)

// Between two drawings lies twice the time of the first, or a frame's. What is held back
// is asked for once, and never held for ever.
func TestPace(t *testing.T) {
	const frame = 30 * time.Millisecond
	for took, wait := range map[time.Duration]time.Duration{0: 0, time.Millisecond: 2 * time.Millisecond,
		time.Second: frame} {
		synctest.Test(t, func(t *testing.T) {
			var asked []time.Duration
			p := &pace{later: func(d time.Duration) { asked = append(asked, d) }}
			for range 3 {
				if p.holds() {
					t.Fatalf("%v: drawing is held back when nothing was drawn lately", took)
				}
				p.draw(frame, func() { time.Sleep(took) })
				held := 0
				for range 100 {
					if p.holds() {
						held++
					}
				}
				if wait > 0 && (held != 100 || len(asked) != 1 || asked[0] != wait) ||
					wait == 0 && (held > 0 || len(asked) > 0) {
					t.Errorf("%v: of 100 frames %d are held back, and asked for after %v, want %v", took, held,
						asked, wait)
				}
				asked = nil
				time.Sleep(wait)
			}
		})
	}
}
