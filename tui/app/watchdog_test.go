package app

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// What answers to a key is done in 250 ms, and the program ends, or asks, within a second.
// Tests allow for ten times that, on a machine that is busy.
const (
	echoTime = 10 * 250 * time.Millisecond
	quitTime = 10 * time.Second
)

// A watchdog sees by the clock of the machine, whatever clock a test has, when a message is
// not dealt with in time. Then it says what everybody is doing.
type watchdog struct {
	serial atomic.Int64 // odd while something is done
	what   atomic.Value
}

// watch begins to watch until the test ends.
func watch(t *testing.T) *watchdog {
	d, end, over := new(watchdog), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(echoTime / 2)
		defer tick.Stop()
		seen, times := int64(0), 0
		for {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			switch now := d.serial.Load(); {
			case now != seen || now%2 == 0:
				seen, times = now, 0
			case times == 2: // for the whole of two ticks
				b := make([]byte, 1<<20)
				t.Errorf("%v is not dealt with after %v:\n%s", d.what.Load(), echoTime, b[:runtime.Stack(b, true)])
				return
			default:
				times++
			}
		}
	}()
	t.Cleanup(func() { close(end); <-over })
	return d
}

// during does something that a message asks for.
func (d *watchdog) during(msg tea.Msg, f func()) {
	d.what.Store(fmt.Sprintf("%#v", msg))
	d.serial.Add(1)
	defer d.serial.Add(1)
	f()
}
