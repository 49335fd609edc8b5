// Package early hears the signals that come before the program does. It imports next to nothing, so that it is ready
// before most other packages are: until somebody listens, Go's answer to SIGQUIT is a trace of all goroutines.
//
// What is left is Go's own. Its runtime takes the signals before the first package is initialised, and this one is the
// 29th of 228, a millisecond later (GODEBUG=inittrace=1), or tens of milliseconds where the machine is busy. What comes
// in that time leaves a trace. What comes earlier still, before the runtime, ends the process as the system does.
package early

import (
	"os"
	"os/signal"
)

// heard is the first signal that has come.
var heard = func() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, Interrupts...)
	return c
}()

// Heard reports whether a signal has come before the caller listens for them itself, and hears no more.
func Heard() bool {
	signal.Stop(heard)
	select {
	case <-heard:
		return true
	default:
		return false
	}
}
