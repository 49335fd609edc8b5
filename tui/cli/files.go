package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/psgld/psgld-tui/engine/atomicfile"
)

// files are where the screen's pictures, casts and tables go: the working folder.
type files struct{}

// Whole writes a file that appears whole or not at all.
func (files) Whole(name, ext string, write func(io.Writer) error) (string, error) {
	path := named(name, ext)
	p, err := atomicfile.Create(path)
	if err != nil {
		return "", err
	}
	if err := write(p); err != nil {
		p.Abort()
		return "", atomicfile.CannotWrite(path, err)
	}
	return path, p.Commit()
}

// Stream begins a file that is written line by line.
func (files) Stream(name, ext string) (io.WriteCloser, string, error) {
	path := named(name, ext)
	f, err := os.Create(path)
	if err != nil {
		return nil, "", atomicfile.CannotWrite(path, err)
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
