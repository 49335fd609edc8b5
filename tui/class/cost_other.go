//go:build !unix

package class

import "time"

// processorTime is not known.
func processorTime() (used time.Duration, known bool) { return 0, false }
