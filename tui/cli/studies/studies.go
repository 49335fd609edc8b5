// Package studies does what the commands sweep, reproduce and merge ask for, which run many sessions.
//
// How it works. A command makes a study.Runner of its jobs, and runPart has it run by an attendant, which shows how far
// it is: a bar, or with --watch the figures as they grow. A shard of the jobs leaves a results file (shard.go), and
// merging joins those of all shards. What is whole is printed: a sweep as a table or a JSON document (sweep.go), a
// reproduction as a report (reproduce.go, report.go).
package studies

import (
	"context"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// Env runs studies for a console.
type Env struct {
	*console.Console
	// Show shows the session of a job on the screen until the user leaves it. again is what its
	// command line needs beside its Config.
	Show func(ctx context.Context, j study.Job, open func() (*targets.Problem, error), rt session.Runtime,
		again []string) error
}
