// Package export writes what chains have drawn to files that appear all or not at all: draws in
// the form of CmdStan's CSV, and the newest θ as NumPy's arrays.
package export

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
)

// An Output is files that get their names when all are on the disk, and the folders that
// are made for them. Whoever begins one defers Abort. The zero value is ready.
type Output struct {
	made  []string // folders, outermost first
	files []*atomicfile.File
	last  []func(*session.Session) error // what is written at the end
}

// Made gives over a folder that was made for the files.
func (o *Output) Made(dir string) { o.made = append(o.made, dir) }

// folder makes a folder with those that it is in, as far as they are not there.
func (o *Output) folder(dir string) error {
	at := len(o.made)
	for in := filepath.Clean(dir); ; in = filepath.Dir(in) {
		if _, err := os.Stat(in); err == nil || !errors.Is(err, os.ErrNotExist) || in == filepath.Dir(in) {
			break
		}
		o.made = append(o.made[:at], append([]string{in}, o.made[at:]...)...)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return atomicfile.CannotWrite(dir, err)
	}
	return nil
}

func (o *Output) create(path string) (*atomicfile.File, error) {
	f, err := atomicfile.Create(path)
	if err == nil {
		o.files = append(o.files, f)
	}
	return f, err
}

// Write is create for a file whose content is known.
func (o *Output) Write(path string, content []byte) error {
	f, err := o.create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return atomicfile.CannotWrite(path, err)
	}
	return nil
}

// Commit writes what comes last and gives the files their names, in the order in which they were begun. Whoever is
// killed meanwhile leaves files of two runs: their IDs say so. What has no name after an error is for Abort.
func (o *Output) Commit(s *session.Session) error {
	for _, write := range o.last {
		if err := write(s); err != nil {
			return err
		}
	}
	for len(o.files) > 0 {
		f := o.files[0]
		o.files = o.files[1:]
		if err := f.Commit(); err != nil {
			return err
		}
	}
	o.made = nil
	return nil
}

// Abort removes the files that have no name yet, and the folders as far as they are empty. After Commit there are none.
func (o *Output) Abort() {
	for _, f := range o.files {
		f.Abort()
	}
	for i := len(o.made) - 1; i >= 0; i-- {
		_ = os.Remove(o.made[i]) // fails where another has put something
	}
	o.files, o.made = nil, nil
}
