package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/regular"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/loading"
)

func (e *env) replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Play a recorded session",
		Long: "Play a session that --record has written, on the screen. With --verify or --draws play it " +
			"without a screen, and check every digest. Digests that cannot be compared, such as those of another " +
			"numerics version, make --verify fail; --draws warns of them.",
		Example: "psgld-tui replay session.json\npsgld-tui replay --verify session.json\npsgld-tui replay " +
			"session.json --draws draws --every 100",
		Args: oneFile,
	}
	var verify bool
	c.Flags().BoolVar(&verify, "verify", false, "without the screen, checking every digest")
	var draws string
	every := 1
	addText(c, &draws, "draws", "DIR",
		"without the screen, write every kept draw to DIR, one file a chain; after a restart or on another target "+
			"those of the newest")
	var format export.Format
	addFormat(c, &format)
	addCount(c, &every, "every", "COUNT", math.MaxInt, "a whole number, 1 or more", "with --draws, one draw in so many")
	var f screenFlags
	f.add(c)
	var around surroundings
	around.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := formatAlone(c, draws); err != nil {
			return err
		}
		rt := around.runtime()
		if verify {
			if err := e.verify(c.Context(), args[0], rt); err != nil || draws == "" {
				return err
			}
		}
		if draws != "" {
			return e.replayDraws(c.Context(), args[0], rt, draws, format, uint64(every))
		}
		return e.show(c.Context(), opening{
			what: args[0], patience: patience(""), again: around.again(), rt: rt,
			open: func(at *loading.Loading, rt *session.Runtime) (state.Config, *targets.Problem, error) {
				rec, p, err := openRecording(args[0], around.options(), at)
				if err != nil {
					return state.Config{}, nil, console.Failed(err)
				}
				rt.Replay = rec.Script()
				return rec.Config, p, nil
			},
		}, f)
	}
	return c
}

func readRecording(path string) (engine.Recording, error) {
	b, err := regular.Read(path, engine.MaxRecording)
	if err != nil {
		return engine.Recording{}, fmt.Errorf("cannot read %s: %w", path, atomicfile.Cause(err))
	}
	rec, err := engine.ReadRecording(bytes.NewReader(b))
	if err != nil {
		return rec, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}

// openRecording reads a recording and opens its target, and tells at how far it is. The
// target's note says too where digests cannot be compared.
func openRecording(path string, with targets.Options,
	at *loading.Loading) (rec engine.Recording, p *targets.Problem, err error) {
	if rec, err = readRecording(path); err != nil {
		return rec, nil, err
	}
	for _, spec := range rec.Targets() { // before any starts
		if command, ok := targets.Command(spec); ok && !with.Commands.Allows(command) {
			return rec, nil, fmt.Errorf("%s: %w", path, &targets.Forbidden{Command: command})
		}
	}
	if rec.Config.Watched != nil {
		p, err = watchedAgain(rec.Config, with, at)
	} else {
		p, err = at.Target(rec.Config, with)
	}
	if err == nil {
		err = rec.Config.Validate(p)
	}
	if err != nil {
		return rec, p, fmt.Errorf("%s: %w", path, err)
	}
	if why := rec.Incomparable(); why != nil {
		p.Note = strings.TrimPrefix(p.Note+"; "+why.Error(), "; ")
	}
	return rec, p, nil
}

func (e *env) verify(ctx context.Context, path string, rt session.Runtime) error {
	rec, err := readRecording(path)
	if err != nil {
		return console.Failed(err)
	}
	if rec.Config.Watched == nil {
		err = session.Verify(ctx, rec, rt)
	} else {
		var p *targets.Problem
		if p, err = watchedAgain(rec.Config, targets.Options{DataDir: rt.DataDir, Commands: rt.Commands},
			new(loading.Loading)); err == nil {
			rt.Unseen = true
			_, err = session.Play(ctx, rec, p, rt)
		}
	}
	switch {
	case ctx.Err() != nil:
		return console.Interrupted("interrupted before %s was verified", path)
	case err != nil:
		return console.Failed(fmt.Errorf("%s: %w", path, err))
	}
	fmt.Fprintf(e.Out, "verified %d digests\n", len(rec.Digests))
	return nil
}

// replayDraws plays a recording and writes one in so many of its draws.
func (e *env) replayDraws(ctx context.Context, path string, rt session.Runtime, dir string, format export.Format,
	every uint64) error {
	rec, p, err := openRecording(path, targets.Options{DataDir: rt.DataDir, Commands: rt.Commands},
		new(loading.Loading))
	if err != nil {
		return console.Failed(err)
	}
	if p.Dim() > maxDrawn {
		return tooWide(p)
	}
	tellTaken(e.Tell, p)
	if why := rec.Incomparable(); why != nil {
		e.Tell(path + ": " + why.Error())
	}
	var out export.Output
	defer out.Abort()
	to, err := export.DrawsTo(&out, dir, format, rec.Config.Seed)
	if err != nil {
		return console.Failed(err)
	}
	newest := map[engine.ChainID]*sparse{}
	rt.Sink = func(at engine.ChainID, p *targets.Problem, set state.Setting) (engine.Sink, error) {
		if old := newest[at]; old != nil { // of a lane before a restart
			old.Drop(&out)
		}
		s, err := to(at, p, set.With(sampler.KeyThin, set.Or(sampler.KeyThin, 1)*float64(every)))
		if err != nil {
			return nil, err
		}
		newest[at] = &sparse{DrawsFile: s.(*export.DrawsFile), every: every}
		return newest[at], nil
	}
	s, err := session.Play(ctx, rec, p, rt)
	switch {
	case ctx.Err() != nil:
		return console.Interrupted("interrupted; nothing was written to %s", dir)
	case err != nil:
		return console.Failed(fmt.Errorf("%s: %w", path, err))
	}
	n := uint64(0)
	for _, f := range newest {
		n += f.Count()
	}
	if err := out.Commit(s); err != nil {
		return console.Failed(err)
	}
	e.Out.Line("wrote %d draws to %s", n, dir)
	return nil
}

// addFormat adds the flag of the format of --draws.
func addFormat(c *cobra.Command, to *export.Format) {
	*to = export.CSV
	c.Flags().Var(readFlag{"FORMAT", string(*to), func(s string) error {
		if !slices.Contains(export.Formats, s) {
			return fmt.Errorf("must be one of %s, got %q", strings.Join(export.Formats, ", "), s)
		}
		*to = export.Format(s)
		return nil
	}}, "draws-format", "how --draws writes: "+strings.Join(export.Formats, ", "))
	console.Must(c.RegisterFlagCompletionFunc("draws-format",
		cobra.FixedCompletions(export.Formats, cobra.ShellCompDirectiveNoFileComp)))
}

// formatAlone refuses --draws-format without --draws.
func formatAlone(c *cobra.Command, draws string) error {
	if draws == "" && c.Flags().Changed("draws-format") {
		return errors.New("--draws-format needs --draws, the folder to write to")
	}
	return nil
}

// sparse writes one draw in so many.
type sparse struct {
	*export.DrawsFile
	every, seen uint64
}

func (s *sparse) Draw(d engine.Drawn, theta []float64) error {
	if s.seen++; s.seen%s.every != 0 {
		return nil
	}
	return s.DrawsFile.Draw(d, theta)
}
