package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets"
)

func (e *env) replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "replay FILE",
		Short:   "Play a recorded session",
		Long:    "Play a session that --record has written: on the screen or, with --verify, without one, checking every digest.",
		Example: "psgld-tui replay session.json\npsgld-tui replay --verify session.json",
		Args:    oneFile,
	}
	var verify bool
	c.Flags().BoolVar(&verify, "verify", false, "without the screen, checking every digest")
	var f screenFlags
	f.add(c)
	var around surroundings
	around.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		rt := around.runtime()
		if verify {
			return e.verify(c.Context(), args[0], rt)
		}
		defer e.raise(f, args[0], curtainAfter("")).drop()
		rec, p, err := openRecording(args[0], rt.DataDir)
		if err != nil {
			return failed(err)
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

// openRecording reads a recording and opens its target.
func openRecording(path, dataDir string) (rec engine.Recording, p *targets.Problem, err error) {
	if rec, err = readRecording(path); err != nil {
		return rec, nil, err
	}
	if p, err = rec.Config.Open(dataDir); err == nil {
		err = rec.Config.Validate(p)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return rec, p, err
}

func (e *env) verify(ctx context.Context, path string, rt session.Runtime) error {
	rec, err := readRecording(path)
	if err != nil {
		return failed(err)
	}
	err = session.Verify(ctx, rec, rt)
	switch {
	case ctx.Err() != nil:
		return &failure{exitInterrupted, fmt.Errorf("interrupted before %s was verified", path)}
	case err != nil:
		return failed(fmt.Errorf("%s: %w", path, err))
	}
	fmt.Fprintf(e.out, "verified %d digests\n", len(rec.Digests))
	return nil
}
