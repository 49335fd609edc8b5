//go:build !js

package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// saveTimeout is how long a session may take to say what is to be saved: it
// answers between two chunks of steps, or after a target that it is reading.
const saveTimeout = time.Minute

// writeSession writes a running session into a new folder: session.json for replay, result.json as run --json prints
// it, and the draws of each lane that it still has. Without a name the folder is named by the date, as files are. It
// returns what was written and what is in session.json. The session has stopped when ctx ends, and is then written as
// it was at its end. again is what its command line needs beside the Config.
func writeSession(ctx context.Context, s *session.Session, dir string,
	again ...string) (control.Written, engine.Recording, error) {
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
	dir, err := writeFolder(dir, false, true, filesOf(saved))
	out := control.Written{Where: dir}
	for _, d := range saved.Draws {
		if rows := d.Rows(); rows > 0 {
			out.Draws, out.Of = max(out.Draws, uint64(rows)), max(out.Of, d.Of)
		}
	}
	if dim := s.Snapshot().Problem.Dim(); out.Of > out.Draws && dim <= maxDrawn {
		words := []string{grammar.Program, "replay", filepath.Join(dir, sessionFile), "--draws",
			filepath.Join(dir, "draws")}
		if every := (out.Of*uint64(dim) + mostNumbers - 1) / mostNumbers; every > 1 {
			words = append(words, "--every", strconv.FormatUint(every, 10))
		}
		out.Rest = grammar.Quote(append(words, again...)...)
	}
	return out, saved.Recording, err
}

// mostNumbers is how many numbers of a chain the command for the rest of the draws writes.
const mostNumbers = 10_000_000

// filesOf are what was saved, by the names of the files.
func filesOf(saved engine.Saved) map[string][]byte {
	files := map[string][]byte{sessionFile: indented(saved.Recording), "result.json": indented(saved.Result)}
	for _, d := range saved.Draws {
		files[export.DrawsName(d.ChainID, d.Sampler, export.CSV)] = newestCSV(d)
	}
	return files
}

// newestCSV writes draws as a table with a header, oldest first.
func newestCSV(d engine.Draws) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# the newest %d of the chain's %d draws, oldest first\n", d.Rows(), d.Of)
	w := csv.NewWriter(&b)
	_ = w.Write(list.Map(d.Names, export.Column)) // a buffer takes all
	for row := range d.Rows() {
		_ = w.Write(list.Map(d.Columns, func(c []float64) string { return strconv.FormatFloat(c[row], 'g', -1, 64) }))
	}
	w.Flush()
	return b.Bytes()
}

// writeFolder writes files into a folder, which is named by the time without a name, and returns that. It
// makes the folder, which may be there before if that is asked for, and removes what it made after an error.
// If it is not to write it only finds out whether it could, and leaves nothing behind.
func writeFolder(dir string, before, write bool, files map[string][]byte) (string, error) {
	dir = named(dir, "")
	var out export.Output
	defer out.Abort()
	if err := os.Mkdir(dir, 0o777); err == nil {
		out.Made(dir)
	} else if !before || !errors.Is(err, fs.ErrExist) {
		return dir, atomicfile.CannotWrite(dir, err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) { // the documents, in small letters, come last
		path := filepath.Join(dir, name)
		err := atomicfile.Check(path)
		if err == nil && write {
			err = out.Write(path, files[name])
		}
		if err != nil {
			return dir, err
		}
	}
	if !write {
		return dir, nil
	}
	return dir, out.Commit(nil)
}
