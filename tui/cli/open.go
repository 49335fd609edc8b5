//go:build !js

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// sessionFile is the recording in a folder that writeSession has made.
const sessionFile = "session.json"

// openSession reads a recording, or the one in a folder, opens its target and
// finds what it asks for as truth. It tells how far it is to at, since a screen is on.
func openSession(ctx context.Context, path string, with targets.Options, all *study.Truths,
	at *control.Loading) (state.Load, error) {
	path = recordingAt(path)
	rec, p, err := openRecording(path, with, at)
	if err != nil {
		return state.Load{}, err
	}
	if _, err := truthOf(ctx, rec.Config, p, rec.Events, all, at.Tell); err != nil {
		return state.Load{}, fmt.Errorf("%s: %w", path, err)
	}
	return state.Load{Config: rec.Config, Problem: p, Script: rec.Script()}, nil
}

// replayTime is how long a recording may be played to be compared with. It is shown as far as it has come by then.
const replayTime = time.Minute

// replayed plays what openSession reads on one thread, or draws of a target in a file, and returns the end.
func replayed(ctx context.Context, path string, of *targets.Problem, with targets.Options, all *study.Truths,
	at *control.Loading) (*engine.Snapshot, error) {
	var l state.Load
	_, err := readRecording(recordingAt(path))
	if err == nil {
		l, err = openSession(ctx, path, with, all, at)
	} else if drawn, wrong := drawsOf(ctx, path, of); wrong == nil {
		l, err = drawn, nil
	} else {
		err = fmt.Errorf("neither a saved session: %w; nor draws of %s: %w", err, of.Spec, wrong)
	}
	if err != nil {
		return nil, err
	}
	s, err := session.New(l.Config, l.Problem, session.Runtime{Threads: 1, DataDir: with.DataDir, Commands: with.Commands,
		Replay: l.Script, Truth: onReplay(ctx, all)})
	if err != nil {
		return nil, err
	}
	at.Tell(func() (float64, string) {
		t := s.Snapshot().Tape
		return float64(t.At) / float64(max(t.End, 1)), path + ": esc gives it up"
	})
	ctx, stop := context.WithTimeout(ctx, replayTime)
	defer stop()
	if err = s.Run(ctx); errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return s.Snapshot(), err
}

// recordingAt is a recording's file, or that in a folder.
func recordingAt(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, sessionFile)
	}
	return path
}

// maxSaved bounds the sessions that are listed, and the bytes of one.
const (
	maxSaved     = 30
	maxSavedSize = 1 << 20
)

// savedSessions lists the recordings in a folder and in the folders in it, the
// newest first. What cannot be read is left out.
func savedSessions(dir string) []control.Saved {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all, out []control.Saved
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() && filepath.Ext(path) != ".json" {
			continue
		}
		if info, err := os.Stat(recordingAt(path)); err == nil && info.Mode().IsRegular() &&
			info.Size() <= maxSavedSize {
			all = append(all, control.Saved{Path: path, When: info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b control.Saved) int {
		return cmp.Or(b.When.Compare(a.When), strings.Compare(a.Path, b.Path))
	})
	for _, s := range all {
		if rec, err := readRecording(recordingAt(s.Path)); err == nil && len(out) < maxSaved {
			s.About = about(rec)
			out = append(out, s)
		}
	}
	return out
}

// about describes a recording in a few words.
func about(rec engine.Recording) string {
	samplers := list.Map(rec.Config.Lanes, func(l state.Setting) string { return l.Sampler })
	text := fmt.Sprintf("%s, %s, %s steps", rec.Config.Target, strings.Join(samplers, " "),
		plane.Count(slices.Max(rec.End)))
	switch n := len(rec.Events); {
	case n == 1:
		text += ", a turn"
	case n > 1:
		text += fmt.Sprintf(", %d turns", n)
	}
	return text
}
