//go:build !js

package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// sessionFile is the recording in a folder that writeSession has made.
const sessionFile = "session.json"

// openSession reads a recording, or the one in a folder, opens its target and
// finds what it asks for as truth. It tells how far it is to at, since a screen is on.
func openSession(ctx context.Context, path string, with targets.Options, all *study.Truths, at *control.Loading) (engine.Load, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, sessionFile)
	}
	rec, p, err := openRecording(path, with, at)
	if err != nil {
		return engine.Load{}, err
	}
	if _, err := truthOf(ctx, rec.Config, p, all, at.Tell); err != nil {
		return engine.Load{}, fmt.Errorf("%s: %w", path, err)
	}
	return engine.Load{Config: rec.Config, Problem: p, Script: rec.Script()}, nil
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
	type found struct {
		control.Saved
		file string
	}
	var all []found
	for _, e := range entries {
		name, file := e.Name(), e.Name()
		if strings.HasPrefix(name, ".") {
			continue
		}
		if e.IsDir() {
			file = filepath.Join(name, sessionFile)
		} else if filepath.Ext(name) != ".json" {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxSavedSize {
			continue
		}
		all = append(all, found{control.Saved{Path: filepath.Join(dir, name), When: info.ModTime()}, filepath.Join(dir, file)})
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(b.When.Compare(a.When), strings.Compare(a.Path, b.Path))
	})
	var out []control.Saved
	for _, s := range all {
		if rec, err := readRecording(s.file); err == nil && len(out) < maxSaved {
			s.About = about(rec)
			out = append(out, s.Saved)
		}
	}
	return out
}

// about describes a recording in a few words.
func about(rec engine.Recording) string {
	samplers := list.Map(rec.Config.Lanes, func(l engine.Lane) string { return l.Sampler })
	text := fmt.Sprintf("%s, %s, %s steps", rec.Config.Target, strings.Join(samplers, " "), plane.Count(slices.Max(rec.End)))
	switch n := len(rec.Events); {
	case n == 1:
		text += ", a turn"
	case n > 1:
		text += fmt.Sprintf(", %d turns", n)
	}
	return text
}
