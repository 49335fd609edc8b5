// Package cli holds the commands: the screen, and those that root lists. Each reads its flags into an state.Config,
// lets the engine do the work, and writes what came of it, by package console. Package studies does it for the commands
// that run many sessions.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/early"
	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/theme"
)

// signalGrace is how long after the first signal others are taken for the same.
const signalGrace = time.Second

// App is the program. The zero value is the one that users run.
type App struct {
	// Screen shows a session on a terminal; nil stands for app.Run.
	Screen Screen
}

// Run runs the command that args name and returns the exit status. SIGINT and SIGTERM, like the end of ctx, interrupt
// it: what was drawn until then is still written.
func (a App) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout = console.Standard(stdout)
	ctx, stop := signal.NotifyContext(ctx, early.Interrupts...)
	defer stop()
	if early.Heard() {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		end()
	}
	// A later signal kills, should writing hang. A terminal that closes may send two at once.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(signalGrace, stop) })()
	ignoreSizeLimit()

	e := &env{app: a, Console: &console.Console{In: stdin,
		Out: console.NewOutput(stdout, console.IsTerminal(stdout) && theme.ASCIIOnly(os.Getenv) != ""), Err: stderr}}
	root := e.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(e.Out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if e.Out.Err != nil {
		err = console.Failed(fmt.Errorf("writing to standard output: %w", atomicfile.Cause(e.Out.Err)))
	}
	return e.Report(err)
}

// env is what the commands of one Run share.
type env struct {
	*console.Console
	app App
}

// studies are what runs many sessions.
func (e *env) studies() *studies.Env {
	return &studies.Env{Console: e.Console,
		Show: func(ctx context.Context, j study.Job, open func() (*targets.Problem, error), rt session.Runtime,
			again []string) error {
			return e.show(ctx, opening{
				what: j.ID, patience: patience(j.Config.Target), again: again, rt: rt,
				open: func(*loading.Loading, *session.Runtime) (state.Config, *targets.Problem, error) {
					p, err := open()
					return j.Config, p, err
				},
			}, screenFlags{})
		}}
}
