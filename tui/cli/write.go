//go:build !js

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// saveTimeout is how long a session may take to say what is to be saved: it
// answers between two chunks of steps, or after a target that it is reading.
const saveTimeout = time.Minute

// writeSession writes a running session into a new folder: session.json for
// replay, result.json as run --json prints it, and the draws of each lane that it still
// has. Without a name the folder is named by the date, as files are. It returns what was
// written and what is in session.json. The session has stopped when ctx ends, and is then
// written as it was at its end. again is what its command line needs beside the Config.
func writeSession(ctx context.Context, s *session.Session, dir string, again ...string) (control.Written, engine.Recording, error) {
	to := make(chan engine.Saved, 1)
	s.Send(engine.Save{Version: version.String(), To: to})
	var saved engine.Saved
	select {
	case saved = <-to:
	case <-ctx.Done():
		saved = s.Saved(version.String())
	case <-time.After(saveTimeout):
		return control.Written{}, engine.Recording{}, fmt.Errorf("the session does not answer")
	}
	dir = named(dir, "")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return control.Written{}, engine.Recording{}, atomicfile.CannotWrite(dir, err)
	}
	err := saveInto(dir, saved)
	out := control.Written{Where: dir}
	for _, d := range saved.Draws {
		if rows := d.Rows(); rows > 0 {
			out.Draws, out.Of = max(out.Draws, uint64(rows)), max(out.Of, d.Of)
		}
	}
	if dim := s.Snapshot().Problem.Dim(); out.Of > out.Draws && dim <= maxDrawn {
		words := []string{grammar.Program, "replay", filepath.Join(dir, sessionFile), "--draws", filepath.Join(dir, "draws")}
		if every := (out.Of*uint64(dim) + mostNumbers - 1) / mostNumbers; every > 1 {
			words = append(words, "--every", strconv.FormatUint(every, 10))
		}
		out.Rest = grammar.Quote(append(words, again...)...)
	}
	return out, saved.Recording, err
}

// mostNumbers is how many numbers of a chain the command for the rest of the draws writes.
const mostNumbers = 10_000_000

// saveInto writes what was saved into a folder that was made for it, which is removed
// after an error.
func saveInto(dir string, saved engine.Saved) error {
	var out export.Output
	out.Made(dir)
	defer out.Abort()
	for _, f := range []struct {
		name string
		v    any
	}{{sessionFile, saved.Recording}, {"result.json", saved.Result}} {
		b, err := json.MarshalIndent(f.v, "", "  ")
		console.Must(err)
		if err := out.Write(filepath.Join(dir, f.name), append(b, '\n')); err != nil {
			return err
		}
	}
	for _, d := range saved.Draws {
		if err := out.Write(filepath.Join(dir, export.DrawsName(d.Place, d.Sampler)), newestCSV(d)); err != nil {
			return err
		}
	}
	return out.Commit(nil)
}

// newestCSV writes draws as a table with a header, oldest first.
func newestCSV(d engine.Draws) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# the newest %d of the chain's %d draws, oldest first\n", d.Rows(), d.Of)
	cols := make([]string, len(d.Names))
	for i, n := range d.Names {
		cols[i] = export.Column(n)
	}
	b.WriteString(strings.Join(cols, ",") + "\n")
	for row := range d.Rows() {
		for i, c := range d.Columns {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(strconv.AppendFloat(b.AvailableBuffer(), c[row], 'g', -1, 64))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}
