//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// ignoreSizeLimit makes a file that grows beyond what the system lets it (ulimit -f)
// an error of its writing, and not the program's death.
func ignoreSizeLimit() { signal.Ignore(syscall.SIGXFSZ) }
