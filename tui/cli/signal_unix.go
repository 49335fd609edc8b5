//go:build !windows

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// interrupts are the signals that end a run as ctrl-c does.
func interrupts() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
}

// ignoreSizeLimit makes a file that grows beyond what the system lets it (ulimit -f)
// an error of its writing, and not the program's death.
func ignoreSizeLimit() { signal.Ignore(syscall.SIGXFSZ) }
