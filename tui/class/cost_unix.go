//go:build unix

package class

import (
	"syscall"
	"time"
)

// processorTime is how long the process has run on processors.
func processorTime() (used time.Duration, known bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
