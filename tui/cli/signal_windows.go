package cli

import (
	"os"
	"syscall"
)

// interrupts are the signals that end a run as ctrl-c does.
func interrupts() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// ignoreSizeLimit is for systems that send a signal.
func ignoreSizeLimit() {}
