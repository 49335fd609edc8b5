package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
)

// files are what is written beside the screen, into the working folder: pictures, casts, tables, sessions. When the
// program ends, what has begun comes to its end, and nothing new begins. The zero value is ready.
type files struct{ mu sync.RWMutex }

// endTimeout is how long the program's end waits for a file that does not get
// written, such as a pipe that nobody reads.
const endTimeout = 10 * time.Second

// errEnding is the error of what comes too late.
var errEnding = errors.New("the program is ending")

// do writes something.
func (f *files) do(write func() (string, error)) (string, error) {
	if !f.mu.TryRLock() {
		return "", errEnding
	}
	defer f.mu.RUnlock()
	return write()
}

// end waits until all is written.
func (f *files) end() {
	done := make(chan struct{})
	go func() {
		f.mu.Lock() // for good
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(endTimeout):
	}
}

// Whole writes a file that appears whole or not at all.
func (f *files) Whole(name, ext string, write func(io.Writer) error) (string, error) {
	return f.do(func() (string, error) {
		path := named(name, ext)
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return "", atomicfile.CannotWrite(path, err)
		}
		return path, atomicfile.Write(path, b.Bytes())
	})
}

// Stream begins a file that is written line by line, and that no other process writes
// meanwhile. The screen itself ends it.
func (*files) Stream(name, ext string) (io.WriteCloser, string, error) {
	path := named(name, ext)
	f, err := atomicfile.Stream(path)
	if err != nil {
		return nil, "", err
	}
	return f, path, nil
}

// named completes a name: with the extension if it has none, and with the date if
// it is empty, so that nothing that is there already is meant.
func named(name, ext string) string {
	if name != "" {
		if filepath.Ext(name) == "" {
			name += ext
		}
		return name
	}
	name = time.Now().Format("psgld-20060102-150405")
	for i := 2; ; i++ {
		if _, err := os.Lstat(name + ext); errors.Is(err, fs.ErrNotExist) || i > 1000 {
			return name + ext
		}
		name = fmt.Sprintf("%s-%d", time.Now().Format("psgld-20060102-150405"), i)
	}
}
