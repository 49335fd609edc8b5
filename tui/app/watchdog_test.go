package app

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// What answers to a key is done in 250 ms, and the program ends, or asks, within a second.
// Tests allow for ten times that, on a quiet machine: see ptytest.Outlasts.
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
	d, end, ended := new(watchdog), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(echoTime / 10)
		defer tick.Stop()
		for seen := int64(0); ; {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			now := d.serial.Load()
			if now == seen && now%2 == 1 && d.outlasts(t, now, tick.C) {
				return
			}
			seen = now
		}
	}()
	t.Cleanup(func() { close(end); <-ended })
	return d
}

// outlasts reports whether what is done now goes on for too long.
func (d *watchdog) outlasts(t *testing.T, now int64, tick <-chan time.Time) bool {
	over, late := make(chan struct{}), make(chan bool, 1)
	go func() { late <- ptytest.Outlasts(t, echoTime, over) }()
	for d.serial.Load() == now {
		select {
		case is := <-late:
			if is {
				b := make([]byte, 1<<20)
				t.Errorf("%v is not dealt with after %v:\n%s", d.what.Load(), echoTime, b[:runtime.Stack(b, true)])
			}
			return is
		case <-tick:
		}
	}
	close(over)
	<-late
	return false
}

// during does something that a message asks for.
func (d *watchdog) during(msg tea.Msg, f func()) {
	d.what.Store(fmt.Sprintf("%#v", msg))
	d.serial.Add(1)
	defer d.serial.Add(1)
	f()
}
