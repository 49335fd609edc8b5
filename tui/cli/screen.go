package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/cmdline"
)

// A Screen runs a session, shows it and sends it its user's commands until the
// user quits, ctx or the session ends. It returns when the session has stopped.
type Screen func(ctx context.Context, s *engine.Session, o ScreenOptions) error

// ScreenOptions are what a Screen needs to know beside the session.
type ScreenOptions struct {
	In      io.Reader
	Out     io.Writer
	DataDir string // to open targets
	Replay  bool   // the session plays a recording
	// CommandLine writes the command that starts a session of a Config on its
	// target, with the flags of this run that are not in the Config.
	CommandLine func(engine.Config, *targets.Problem) string
	// Write saves the session into a folder and returns its name.
	Write func(dir string) (string, error)
}

// onTerminal is the Screen of package tui. Where standard input is not a
// terminal, the screen finds the terminal by itself.
func onTerminal(ctx context.Context, s *engine.Session, o ScreenOptions) error {
	opts := tui.Options{DataDir: o.DataDir, CommandLine: o.CommandLine, Write: o.Write, Output: o.Out}
	if isTerminal(o.In) {
		opts.Input = o.In
	}
	return tui.Run(ctx, s, opts)
}

// screenFlags are those of every command that shows a session.
type screenFlags struct {
	plain  bool
	record string
}

func (o *screenFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&o.plain, "plain", false, "a status line a second instead of the screen")
	c.Flags().Var(textFlag{&o.record, "FILE"}, "record", "write the session to FILE on quitting, for replay")
}

func (e *env) screenCommand() *cobra.Command {
	c := &cobra.Command{
		Short: "Watch and steer stochastic-gradient samplers",
		Long:  rootLong,
		Example: "psgld-tui\n" +
			"psgld-tui --target blr:australian --samplers psgld,sgld\n" +
			"psgld-tui run --target gaussian --eps 0.3 --steps 200000 --json",
	}
	args := sessionFlags(c)
	var around surroundings
	around.add(c)
	var o screenFlags
	o.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		rt, err := around.runtime()
		if err != nil {
			return err
		}
		cfg, p, err := config(args, rt)
		if err != nil {
			return err
		}
		return e.show(c.Context(), cfg, p, rt, o, around.again())
	}
	return c
}

// show runs a session on the screen, and says afterwards what was on it. With
// rt.Replay it plays a recording.
func (e *env) show(ctx context.Context, cfg engine.Config, p *targets.Problem, rt engine.Runtime, f screenFlags, again []string) error {
	if f.record != "" {
		if err := checkWritable(f.record); err != nil {
			return failed(fmt.Errorf("--record: %w", err))
		}
	}
	o := ScreenOptions{
		In: e.in, Out: e.out.w, DataDir: rt.DataDir, Replay: rt.Replay != nil,
		CommandLine: func(c engine.Config, p *targets.Problem) string { return cmdline.CommandLine(c, p, again...) },
	}
	screen := e.app.Screen
	if screen == nil {
		screen = onTerminal
	}
	if f.plain || !isTerminal(e.out.w) {
		screen = Plain{Every: plainEvery}.Screen
		o.Out = e.out
	} else {
		rt.Interactive = true
	}
	if err := e.findTruth(ctx, cfg, p, rt); err != nil {
		return err
	}
	s, err := engine.NewSession(cfg, p, rt)
	if err != nil {
		return failed(err)
	}
	o.Write = func(dir string) (string, error) { return writeSession(ctx, s, dir) }
	if err := screen(ctx, s, o); err != nil && ctx.Err() == nil {
		return failed(err)
	}
	if err := saveRecording(s, f.record); err != nil {
		return failed(err)
	}
	snap := s.Snapshot()
	fmt.Fprintf(e.out, "%s  seed %d\n", snap.Problem.Title, snap.Config.Seed)
	for _, l := range snap.Lanes {
		fmt.Fprintf(e.out, "%s  step %s  %s\n", laneName(l), chart.Count(l.Step), laneStatus(l))
	}
	fmt.Fprintln(e.out, o.CommandLine(snap.Config, snap.Problem))
	if rt.Interactive && ctx.Err() == nil {
		return nil // the user has seen what became of the lanes
	}
	return outcome(ctx, s.Result(Version()).Lanes)
}
