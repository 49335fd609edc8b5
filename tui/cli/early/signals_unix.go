//go:build unix

package early

import (
	"os"
	"syscall"
)

// Interrupts are the signals that end a run as ctrl-c does. SIGQUIT is the first to be listened
// for, since it is the one that leaves a trace.
var Interrupts = []os.Signal{syscall.SIGQUIT, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
