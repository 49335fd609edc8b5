package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/session"
)

func (e *env) replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "replay FILE",
		Short:   "Play a recorded session",
		Long:    "Play a session that --record has written: on the screen or, with --verify, without one, checking every digest.",
		Example: "psgld-tui replay session.json\npsgld-tui replay --verify session.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("replay needs one FILE, got %d", len(args))
			}
			return nil
		},
	}
	var verify bool
	c.Flags().BoolVar(&verify, "verify", false, "without the screen, checking every digest")
	var f screenFlags
	f.add(c)
	var around surroundings
	around.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		rt := around.runtime()
		rec, err := readRecording(args[0])
		if err != nil {
			return failed(err)
		}
		if verify {
			return e.verify(c.Context(), args[0], rec, rt)
		}
		p, err := rec.Config.Open(rt.DataDir)
		if err == nil {
			err = rec.Config.Validate(p)
		}
		if err != nil {
			return failed(fmt.Errorf("%s: %w", args[0], err))
		}
		rt.Replay = rec.Script()
		return e.show(c.Context(), rec.Config, p, rt, f, around.again())
	}
	return c
}

func readRecording(path string) (engine.Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return engine.Recording{}, fmt.Errorf("cannot read %s: %w", path, atomicfile.Cause(err))
	}
	defer f.Close() // only read from
	rec, err := engine.ReadRecording(f)
	if err != nil {
		return rec, fmt.Errorf("%s: %w", path, atomicfile.Cause(err))
	}
	return rec, nil
}

func (e *env) verify(ctx context.Context, path string, rec engine.Recording, rt session.Runtime) error {
	err := session.Verify(ctx, rec, rt)
	switch {
	case ctx.Err() != nil:
		return &failure{exitInterrupted, fmt.Errorf("interrupted before %s was verified", path)}
	case err != nil:
		return failed(fmt.Errorf("%s: %w", path, err))
	}
	fmt.Fprintf(e.out, "verified %d digests\n", len(rec.Digests))
	return nil
}
