//go:build !linux

package record

import "time"

func threadTime() (time.Duration, bool) { return 0, false }
