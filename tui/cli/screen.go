//go:build !js

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A Screen starts a session, runs and shows it and sends it its user's commands until the user quits, ctx or the
// session ends. It returns when the session has stopped, with that, which is nil if there was none by then.
type Screen func(ctx context.Context, start app.Start, o app.Options) (*session.Session, error)

// garbage is how much garbage a screen's sessions may leave, in percent of what is in use, before it is collected:
// keyframes keep much in use, and a class of forty would take more than 1 GB with Go's own 100%.
const garbage = 50

// show opens a session and runs it on the screen, and says afterwards what was on it.
func (e *env) show(ctx context.Context, of opening, f screenFlags) error {
	rt, again := of.rt, of.again
	if f.record != "" {
		if err := atomicfile.Check(f.record); err != nil {
			return console.Failed(fmt.Errorf("--record: %w", err))
		}
	}
	if f.cast != "" {
		if err := atomicfile.CheckStream(f.cast); err != nil {
			return console.Failed(fmt.Errorf("--cast: %w", err))
		}
		if f.plain || !console.IsTerminal(e.Out.W) {
			return errors.New("--cast records the screen, and there is none without a terminal or with --plain")
		}
	}
	o := app.Options{
		Output:   e.Out.W,
		DataDir:  rt.DataDir,
		FPS:      f.fps,
		Lesson:   f.lesson,
		Lessons:  lessons,
		Settings: prefs.Path(),
		Fresh:    f.fresh,
		Opening:  of.what, Patience: of.patience,
		Warn: func(err error) { console.NewOutput(e.Out.W, e.Out.ASCII()).Line("%v", err) },
	}
	if f.class != nil {
		o.More, o.Class = append(o.More, f.class.At), f.class
		if os.Getenv("SSH_CONNECTION") == "" {
			o.Line = lecturerLine
		}
	}
	if console.IsTerminal(e.In) { // else the screen finds the terminal by itself
		o.Input = e.In
	}
	screen := e.app.Screen
	if screen == nil {
		screen = app.Run
	}
	if f.plain || !console.IsTerminal(e.Out.W) {
		screen, o.Output = plain(plainEvery), e.Out
	} else {
		rt.Interactive = true
		defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	}
	var live atomic.Pointer[session.Session]
	var notes []string // of the truth, which wait until the screen is gone
	// A core is left to a session that runs.
	first, beside := truths(rt.Threads), truths(max(runtime.NumCPU()-1, 1))
	rt.Truth = onReplay(ctx, beside)
	start := func(ctx context.Context, at *control.Loading) (_ *session.Session, err error) {
		defer func() {
			if err != nil {
				err = &openFailure{err}
			}
		}()
		rt := rt
		cfg, p, err := of.open(at, &rt)
		if err != nil {
			return nil, err
		}
		if rt.Interactive {
			notes, err = truthOf(ctx, cfg, p, rt.Replay, first, at.Tell)
		} else {
			tellTaken(e.Tell, p)
			err = e.findTruth(ctx, cfg, p, first)
		}
		if err != nil {
			return nil, err
		}
		at.Tell(func() (float64, string) { return 1, "starting the session" })
		s, err := session.New(cfg, p, rt)
		if err != nil {
			return nil, console.Failed(err)
		}
		live.Store(s)
		if of.began != nil {
			of.began(s)
		}
		return s, nil
	}
	var files files
	stopped, stop := context.WithCancel(context.Background())
	defer stop()
	var written atomic.Pointer[writtenSession]
	o.Outside = control.Outside{
		Recorded: f.record != "", Cast: f.cast, Files: &files, Commands: rt.Commands,
		CommandLine: func(s *engine.Snapshot) (string, error) {
			if of.line != "" {
				return of.line, nil
			}
			return grammar.SteeredLine(s, again...)
		},
		Open: func(path string, at *control.Loading) (state.Load, error) {
			return openSession(ctx, path, targets.Options{DataDir: rt.DataDir, Commands: rt.Commands},
				beside, at)
		},
		Replay: func(ctx context.Context, path string, of *targets.Problem,
			at *control.Loading) (*engine.Snapshot, error) {
			return replayed(ctx, path, of, targets.Options{DataDir: rt.DataDir, Commands: rt.Commands}, beside, at)
		},
		Truth: func(ctx context.Context, cfg state.Config, p *targets.Problem,
			at *control.Loading) (*targets.Reference, []string, error) {
			began := time.Now()
			return lookFor(ctx, cfg, p, beside, func(look func() (float64, string)) {
				at.Tell(func() (float64, string) {
					done, label := look()
					if done > 0 {
						label += ", " + wording.Duration(time.Since(began).Seconds()*(1-done)/done) + " left"
					}
					return done, label + ": esc gives it up"
				})
			})
		},
		Sessions: func() []control.Saved { return savedSessions(".") },
		Write: func(dir string) (w control.Written, err error) {
			_, err = files.do(func() (string, error) {
				var of engine.Recording
				if w, of, err = writeSession(stopped, live.Load(), dir, again...); err == nil {
					written.Store(&writtenSession{w.Where, of, w.Rest})
				}
				return w.Where, err
			})
			return w, err
		},
	}
	ctx, interrupt := context.WithCancel(ctx)
	defer interrupt()
	s, err := screen(ctx, start, o)
	stop()
	files.end()
	if errors.Is(err, app.ErrInterrupted) {
		interrupt() // the same signal may be on its way to ctx
	}
	switch opens := (*openFailure)(nil); {
	case errors.As(err, &opens):
		return opens.error
	case err != nil && ctx.Err() == nil:
		return console.Failed(err)
	case s == nil && ctx.Err() != nil:
		return console.Interrupted("interrupted while %s was being opened", of.what)
	case s == nil:
		return nil
	}
	for _, note := range notes {
		e.Tell(note)
	}
	switch {
	case s.Ended():
		if err := saveRecording(s, f.record); err != nil {
			return console.Failed(err)
		}
	case f.record != "":
		return console.Interrupted("--record: %s is not written, since a step was given up", f.record)
	}
	out := e.Out
	if rt.Interactive && ctx.Err() != nil {
		out = console.NewOutput(e.Out.W, e.Out.ASCII()) // if the terminal is gone there is nobody to tell
	}
	snap := s.Snapshot()
	out.Line("%s  seed %d", snap.Problem.Title, snap.Config.Seed)
	tau := "tau" // as in the lines of Plain, which are read aloud
	if rt.Interactive {
		tau = "τ"
	}
	for _, l := range snap.Lanes {
		out.Line("%s  step %s  %s", laneName(l), plane.Count(l.Step), laneStatus(l, tau))
	}
	for _, text := range verdicts(snap) {
		out.Line("%s", text)
	}
	line, lost := o.Outside.CommandLine(snap)
	fmt.Fprintln(out, "# again:\n"+line)
	if lost != nil {
		out.Line("%s", withTurns(f.record, written.Load(), s, lost))
	}
	if w := written.Load(); w != nil && w.rest != "" {
		out.Line("# more draws: %s", w.rest)
	}
	switch {
	case ctx.Err() != nil:
		return stoppedAt(list.Map(snap.Lanes, func(l engine.LaneView) uint64 { return l.Step }))
	case rt.Interactive:
		return nil // the user has seen what became of the lanes
	}
	return outcome(s.Result(version.String()).Lanes)
}

// openFailure is the error of a session that could not be opened, with its own exit status.
type openFailure struct{ error }

func (e *openFailure) Unwrap() error { return e.error }

// writtenSession is the folder of a session that was written, and what was.
type writtenSession struct {
	dir  string
	of   engine.Recording
	rest string // the command that writes the other draws
}

// withTurns says, as a comment of the shell, where the turns are of which the command line above it, which starts with
// the values at the end, says nothing: in the recording, if there is one, or in the folder that was written last, if
// nothing was turned since and the session is still that one. lost is why that line lacks them.
func withTurns(recording string, w *writtenSession, s *session.Session, lost error) string {
	if recording == "" && w != nil && s.Ended() {
		end := s.Recording(version.String())
		if reflect.DeepEqual(w.of.Config, end.Config) && reflect.DeepEqual(w.of.Events, end.Events) {
			recording = filepath.Join(w.dir, sessionFile)
		}
	}
	if recording == "" {
		return fmt.Sprintf("# without the turns, since %v: w on the screen, or --record FILE, keeps those", lost)
	}
	return "# with the turns: " + grammar.Quote(grammar.Program, "replay", recording)
}
