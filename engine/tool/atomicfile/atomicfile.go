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
// is written to directly, and a link is followed. Until then it is locked.
type File struct {
	*os.File
	Path   string // its name
	direct bool
}

// Create begins a file. The error says that path cannot be written. What killed processes have left in the folder goes.
func Create(path string) (*File, error) {
	given := path
	path, err := follow(path)
	if err != nil {
		return nil, CannotWrite(given, err)
	}
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
	}
	return create(path, 0o666)
}

// create begins a file of a mode, which is regular or not there.
func create(path string, mode fs.FileMode) (*File, error) {
	dir, base := filepath.Split(path)
	clearFolder(dir)
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.%s.psgld-%d-%d.tmp", dir, base, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			_ = Lock(f) // nobody else has it; without locks it stays where it is left
			return &File{File: f, Path: path}, nil
		}
		if !errors.Is(err, fs.ErrExist) || i > 1000 {
			return nil, CannotWrite(path, err)
		}
	}
}

// maxLinks is how many links a name may be away from its file, as in Linux.
const maxLinks = 40

// follow is where links lead from a name, whether or not something is there.
func follow(path string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // what is wrong with it the creation says
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(path)
			to = dir + to // Join would take the ".." after a link from its name
		}
		path = to
	}
	return "", errors.New("its links lead nowhere")
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
	return write(path, content, false)
}

// Keep is Write, and the file is on disk when it returns.
func Keep(path string, content []byte) error {
	err := write(path, content, true)
	if err == nil {
		SyncFolder(filepath.Dir(path))
	}
	return err
}

func write(path string, content []byte, sync bool) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil && sync {
		err = f.Sync()
	}
	if err != nil {
		f.Abort()
		return CannotWrite(path, err)
	}
	return f.Commit()
}

// New keeps a file for its owner alone, if none is there yet. Of two that begin one at once the
// first counts, and the error of the other is fs.ErrExist.
func New(path string, content []byte) error {
	f, err := create(path, 0o600)
	if err != nil {
		return err
	}
	defer f.Abort()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync()); err != nil {
		return CannotWrite(path, err)
	}
	if err = os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		SyncFolder(filepath.Dir(path))
		return err
	}
	return f.Commit() // where there are no links
}

// SyncFolder syncs a folder, so that a new file's name is on disk.
func SyncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // some systems cannot
		_ = d.Close()
	}
}

// Check finds out before a long run whether a file can be written after it, and leaves nothing behind.
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

// Stream begins a file that is written in its place, line by line, and that is locked until it is closed.
func Stream(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, CannotWrite(path, err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return f, nil
	}
	if err = Lock(f); err == nil {
		err = f.Truncate(0)
	}
	if err != nil {
		_ = f.Close() // the first error is the one to tell
		return nil, CannotWrite(path, err)
	}
	return f, nil
}

// CheckStream is Check for a Stream, which it does not begin.
func CheckStream(path string) error {
	if err := Check(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		err = Lock(f)
		_ = f.Close()
	}
	if err != nil {
		return CannotWrite(path, err)
	}
	return nil
}

// CannotWrite words an error without the temporary name that the system's has.
func CannotWrite(path string, err error) error {
	return fmt.Errorf("cannot write %s: %w", path, Cause(err))
}

// Cause is an error without the system call and the path that the system's own begins with.
func Cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
