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
	"github.com/psgld/psgld-tui/engine/session"
)

// saveTimeout is how long a session may take to say what is to be saved: it
// answers between two chunks of steps, or after a target that it is reading.
const saveTimeout = time.Minute

// writeSession writes a running session into a new folder: session.json for
// replay, result.json as run --json prints it, and the newest draws of each
// lane. Without a name the folder is named by the date, as files are. It returns the
// name and what is in session.json. The session has stopped when ctx ends, and is then
// written as it was at its end.
func writeSession(ctx context.Context, s *session.Session, dir string) (string, engine.Recording, error) {
	to := make(chan engine.Saved, 1)
	s.Send(engine.Save{Version: Version(), To: to})
	var saved engine.Saved
	select {
	case saved = <-to:
	case <-ctx.Done():
		saved = s.Saved(Version())
	case <-time.After(saveTimeout):
		return "", engine.Recording{}, fmt.Errorf("the session does not answer")
	}
	dir = named(dir, "")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", engine.Recording{}, atomicfile.CannotWrite(dir, err)
	}
	err := saveInto(dir, saved)
	return dir, saved.Recording, err
}

// saveInto writes what was saved into a folder that was made for it, which is removed
// after an error.
func saveInto(dir string, saved engine.Saved) error {
	out := output{made: []string{dir}}
	defer out.abort()
	for _, f := range []struct {
		name string
		v    any
	}{{sessionFile, saved.Recording}, {"result.json", saved.Result}} {
		b, err := json.MarshalIndent(f.v, "", "  ")
		must(err)
		if err := out.write(filepath.Join(dir, f.name), append(b, '\n')); err != nil {
			return err
		}
	}
	for _, d := range saved.Draws {
		if err := out.write(filepath.Join(dir, drawsName(d.Place, d.Sampler)), newestCSV(d)); err != nil {
			return err
		}
	}
	return out.commit(nil)
}

// newestCSV writes draws as a table with a header, oldest first.
func newestCSV(d engine.Draws) []byte {
	var b bytes.Buffer
	b.WriteString("# the newest kept draws of the chain, oldest first\n")
	cols := make([]string, len(d.Names))
	for i, n := range d.Names {
		cols[i] = column(n)
	}
	b.WriteString(strings.Join(cols, ",") + "\n")
	if len(d.Columns) == 0 {
		return b.Bytes()
	}
	for row := range d.Columns[0] {
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
