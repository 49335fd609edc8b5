// Package alloctest counts what a function allocates, whatever else its test binary does.
package alloctest

import (
	"testing"
	"time"
)

// PerRun is the average number of allocations of f, after a first run that warms up, rounded down as
// testing.AllocsPerRun rounds it. That counts what all goroutines allocate, those too that a test before left
// behind. They only add to what f allocates, so that the least of several counts is the nearest. PerRun counts
// until nothing is left, or ten times with pauses of half a second together.
func PerRun(runs int, f func()) float64 {
	least := testing.AllocsPerRun(runs, f)
	for pause := time.Millisecond; least > 0 && pause < 500*time.Millisecond; pause *= 2 {
		time.Sleep(pause)
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}
