//go:build !unix

package early

import (
	"os"
	"syscall"
)

// Interrupts are the signals that end a run as ctrl-c does.
var Interrupts = []os.Signal{os.Interrupt, syscall.SIGTERM}
