//go:build unix

package session

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
)

// cpu is the processor time that the process has taken.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// The cores that sessions of two lanes keep busy, one and forty of them, at some speeds and
// with some frames asked for a second. The budget of forty at 2,000 steps a second without a
// screen is half a core.
func BenchmarkLoad(b *testing.B) {
	for _, c := range []struct {
		sessions   int
		speed, fps float64
	}{{1, 0, 30}, {1, 10, 30}, {1, 1000, 30}, {1, 2000, 30}, {40, 2000, 0}, {40, 2000, 10}} {
		b.Run(fmt.Sprintf("%d sessions/%g steps/%g frames", c.sessions, c.speed, c.fps), func(b *testing.B) {
			p := open(b, "gaussian")
			ctx, stop := context.WithCancel(b.Context())
			var all sync.WaitGroup
			var sessions []*Session
			memory, governor := share.NewMemory(256<<20), &share.Governor{}
			for range c.sessions {
				s, err := New(config(p, 0, nil, "psgld", "sgld"), p, Runtime{Interactive: true, Memory: memory, Governor: governor})
				if err != nil {
					b.Fatal(err)
				}
				if c.speed == 0 {
					s.Send(state.Pause{})
				}
				s.Send(state.SetSpeed{PerSecond: c.speed})
				sessions = append(sessions, s)
				all.Go(func() { s.Run(ctx) })
				if c.fps > 0 {
					all.Go(func() {
						for t := time.Tick(time.Duration(float64(time.Second) / c.fps)); ctx.Err() == nil; <-t {
							s.Snapshot()
						}
					})
				}
			}
			time.Sleep(500 * time.Millisecond)
			steps := func() (n uint64) {
				for _, s := range sessions {
					s.Snapshot() // asks for one
				}
				time.Sleep(100 * time.Millisecond)
				for _, s := range sessions {
					n += s.Snapshot().Lanes[0].Step
				}
				return n
			}
			before, took, begin := steps(), cpu(b), time.Now()
			for b.Loop() {
				time.Sleep(time.Second)
			}
			took = cpu(b) - took
			seconds := time.Since(begin).Seconds()
			made := float64(steps() - before)
			b.ReportMetric(took.Seconds()/seconds, "cores")
			b.ReportMetric(made/seconds/float64(c.sessions), "steps/s")
			b.ReportMetric(governor.Factor(), "factor")
			stop()
			all.Wait()
		})
	}
}
