// Package atomicfile writes files that appear whole or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is being written under another name in its own folder, and gets its name by
// a rename. What is there already and is no regular file, such as a device or a pipe,
// is written to directly, and a link is followed.
type File struct {
	*os.File
	Path   string // its name
	direct bool
}

// Create begins a file. The error says that path cannot be written.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return nil, CannotWrite(path, errors.New("is a folder"))
		case !info.Mode().IsRegular():
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, CannotWrite(path, err)
			}
			return &File{File: f, Path: path, direct: true}, nil
		}
		if to, err := filepath.EvalSymlinks(path); err == nil {
			path = to
		}
	}
	dir, base := filepath.Split(path)
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.%s.%d-%d.tmp", dir, base, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return &File{File: f, Path: path}, nil
		}
		if !errors.Is(err, fs.ErrExist) || i > 1000 {
			return nil, CannotWrite(path, err)
		}
	}
}

// Commit gives the file its name.
func (f *File) Commit() error {
	err := f.Close()
	if err == nil && !f.direct {
		err = os.Rename(f.Name(), f.Path)
	}
	if err != nil {
		f.remove() // the first error is the one to tell
		return CannotWrite(f.Path, err)
	}
	return nil
}

// Abort removes what was written.
func (f *File) Abort() {
	_ = f.Close() // it goes anyway
	f.remove()
}

func (f *File) remove() {
	if !f.direct {
		_ = os.Remove(f.Name())
	}
}

// Write writes a file.
func Write(path string, content []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		f.Abort()
		return CannotWrite(path, err)
	}
	return f.Commit()
}

// Check finds out before a long run whether a file can be written after it, and
// leaves nothing behind.
func Check(path string) error {
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // opening a pipe waits for its reader
	}
	f, err := Create(path)
	if err == nil {
		f.Abort()
	}
	return err
}

// CannotWrite words an error without the temporary name that the system's has.
func CannotWrite(path string, err error) error {
	return fmt.Errorf("cannot write %s: %w", path, Cause(err))
}

// Cause is an error without the system call and the path that the system's own
// begins with.
func Cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
