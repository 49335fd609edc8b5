package session

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/tool/caught"
)

// job is a lane's share of a chunk.
type job struct {
	lane  lane.Runner
	steps uint64
	had   uint64  // draws of each chain in the window, before it runs
	from  uint64  // the lane's odometer before
	busy  float64 // seconds that it was busy before
	took  time.Duration
	panic *caught.Panic
}

// runJobs runs every job that has steps, as many at a time as there are threads. No number
// depends on which goroutine runs a lane.
func runJobs(all []job, threads int) {
	each(len(all), threads, func(i int) {
		if j := &all[i]; j.steps > 0 {
			start := time.Now()
			j.panic = caught.In("a lane", func() { j.lane.Advance(j.steps) })
			j.took = time.Since(start)
		}
	})
}

// each calls f with the numbers below n, as many at a time as there are threads, and returns when all are done.
func each(n, threads int, f func(i int)) {
	var taken atomic.Int32
	take := func() {
		for i := int(taken.Add(1)); i <= n; i = int(taken.Add(1)) {
			f(i - 1)
		}
	}
	var others sync.WaitGroup
	for range min(threads, n) - 1 {
		others.Go(take)
	}
	take() // the caller helps
	others.Wait()
}
