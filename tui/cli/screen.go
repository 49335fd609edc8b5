package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// A Screen runs a session, shows it and sends it its user's commands until the
// user quits, ctx or the session ends. It returns when the session has stopped.
type Screen func(ctx context.Context, s *session.Session, o app.Options) error

// screenFlags are those of every command that shows a session.
type screenFlags struct {
	plain  bool
	record string
	cast   string
	fps    int            // 0 for what the settings say
	lesson *lesson.Lesson // that begins with the session; nil for none
	fresh  bool           // no flag was given
}

func (o *screenFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&o.plain, "plain", false, "print a status line every second instead of the screen")
	o.addOnScreen(c)
}

// addOnScreen adds those of a command that cannot do without the screen.
func (o *screenFlags) addOnScreen(c *cobra.Command) {
	c.Flags().Var(textFlag{&o.record, "FILE"}, "record", "write the session to FILE on quitting, for replay")
	c.Flags().Var(textFlag{&o.cast, "FILE"}, "cast", "record the screen to FILE as an asciinema cast")
	c.Flags().Var(countFlag{&o.fps, "RATE", prefs.MinFPS, prefs.MaxFPS, fmt.Sprintf("%d to %d", prefs.MinFPS, prefs.MaxFPS)}, "fps", "frames a second, 1 to 60: fewer for a slow line")
}

func (e *env) screenCommand() *cobra.Command {
	c := &cobra.Command{
		Short: "Watch and steer stochastic-gradient samplers",
		Long:  rootLong,
		Example: "psgld-tui\n" +
			"psgld-tui --target blr:australian --samplers psgld,sgld\n" +
			"psgld-tui run --target gaussian --eps 0.3 --steps 200000 --json",
	}
	var from sessionFlags
	from.add(c)
	var o screenFlags
	o.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		defer e.raise(o, opened(from.args), curtainAfter(from.args["target"])).drop()
		cfg, p, rt, err := from.open()
		if err != nil {
			return err
		}
		o.fresh = c.Flags().NFlag() == 0
		return e.show(c.Context(), cfg, p, rt, o, from.again())
	}
	return c
}

// show runs a session on the screen, and says afterwards what was on it. With
// rt.Replay it plays a recording.
func (e *env) show(ctx context.Context, cfg engine.Config, p *targets.Problem, rt session.Runtime, f screenFlags, again []string) error {
	if f.record != "" {
		if err := atomicfile.Check(f.record); err != nil {
			return failed(fmt.Errorf("--record: %w", err))
		}
	}
	if f.cast != "" {
		if err := atomicfile.Check(f.cast); err != nil {
			return failed(fmt.Errorf("--cast: %w", err))
		}
		if f.plain || !isTerminal(e.out.w) {
			return errors.New("--cast records the screen, and there is none without a terminal or with --plain")
		}
	}
	o := app.Options{
		Output: e.out.w, DataDir: rt.DataDir, FPS: f.fps, Lesson: f.lesson, Lessons: lessons, Settings: prefs.Path(), Fresh: f.fresh,
		Warn: func(err error) { fmt.Fprintln(e.out.w, err) },
	}
	if isTerminal(e.in) { // else the screen finds the terminal by itself
		o.Input = e.in
	}
	screen := e.app.Screen
	if screen == nil {
		screen = app.Run
	}
	if f.plain || !isTerminal(e.out.w) {
		screen, o.Output = plain(plainEvery), e.out
	} else {
		rt.Interactive = true
	}
	if cfg.Truth.Wanted() { // which tells how far it is
		e.curtain.drop()
	}
	if err := e.findTruth(ctx, cfg, p, truths(rt.Threads)); err != nil {
		return err
	}
	s, err := session.New(cfg, p, rt)
	if err != nil {
		return failed(err)
	}
	var files files
	stopped, stop := context.WithCancel(context.Background())
	defer stop()
	var written atomic.Pointer[writtenSession]
	o.Outside = control.Outside{
		Recorded: f.record != "", Cast: f.cast, Files: &files,
		CommandLine: func(c engine.Config, p *targets.Problem) string { return grammar.CommandLine(c, p, again...) },
		Open:        func(path string) (engine.Load, error) { return openSession(ctx, path, rt.DataDir, truths(rt.Threads)) },
		Sessions:    func() []control.Saved { return savedSessions(".") },
		Write: func(dir string) (w control.Written, err error) {
			_, err = files.do(func() (string, error) {
				var of engine.Recording
				if w, of, err = writeSession(stopped, s, dir, again...); err == nil {
					written.Store(&writtenSession{w.Where, of, w.Rest})
				}
				return w.Where, err
			})
			return w, err
		},
	}
	ctx, interrupt := context.WithCancel(ctx)
	defer interrupt()
	e.curtain.draw()
	err = screen(ctx, s, o)
	stop()
	files.end()
	if errors.Is(err, app.ErrInterrupted) {
		interrupt() // the same signal may be on its way to ctx
	}
	if err != nil && ctx.Err() == nil {
		return failed(err)
	}
	if err := saveRecording(s, f.record); err != nil {
		return failed(err)
	}
	out := io.Writer(e.out)
	if rt.Interactive && ctx.Err() != nil {
		out = &checked{w: e.out.w, ascii: e.out.ascii} // if the terminal is gone there is nobody to tell
	}
	snap := s.Snapshot()
	fmt.Fprintf(out, "%s  seed %d\n", snap.Problem.Title, snap.Config.Seed)
	tau := "tau" // as in the lines of Plain, which are read aloud
	if rt.Interactive {
		tau = "τ"
	}
	for _, l := range snap.Lanes {
		fmt.Fprintf(out, "%s  step %s  %s\n", laneName(l), plane.Count(l.Step), laneStatus(l, tau))
	}
	fmt.Fprintln(out, o.Outside.CommandLine(snap.Config, snap.Problem))
	if control.Turned(snap) > 0 {
		fmt.Fprintln(out, withTurns(f.record, written.Load(), s.Recording(Version())))
	}
	if w := written.Load(); w != nil && w.rest != "" {
		fmt.Fprintln(out, "# more draws: "+w.rest)
	}
	if rt.Interactive && ctx.Err() == nil {
		return nil // the user has seen what became of the lanes
	}
	return outcome(ctx, s.Result(Version()).Lanes)
}

// writtenSession is the folder of a session that was written, and what was.
type writtenSession struct {
	dir  string
	of   engine.Recording
	rest string // the command that writes the other draws
}

// withTurns says, as a comment of the shell, where the turns are of which the command
// line above it, which starts with the values at the end, says nothing: in the
// recording, if there is one, or in the folder that was written last, if nothing was
// turned since and the session is still that one.
func withTurns(recording string, w *writtenSession, end engine.Recording) string {
	if recording == "" && w != nil && reflect.DeepEqual(w.of.Config, end.Config) && reflect.DeepEqual(w.of.Events, end.Events) {
		recording = filepath.Join(w.dir, sessionFile)
	}
	if recording == "" {
		return "# without the turns: w on the screen, or --record FILE, keeps those"
	}
	return "# with the turns: " + grammar.Quote(grammar.Program, "replay", recording)
}

// opened says which target, and of which data, the flags open.
func opened(a grammar.Args) string {
	target := cmp.Or(a["target"], grammar.DefaultTarget)
	if data := a["dataset"]; data != "" {
		target += " on " + data
	}
	return target
}
