package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// pending is a file that is being written under another name in its own
// folder, and appears whole by a rename.
// What is there already and is no regular file, such as a device or a pipe, is
// written to directly, and a link is followed.
type pending struct {
	*os.File
	path   string
	direct bool
}

// newPending begins a file. The error says that path cannot be written.
func newPending(path string) (*pending, error) {
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return nil, cannotWrite(path, errors.New("is a folder"))
		case !info.Mode().IsRegular():
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, cannotWrite(path, err)
			}
			return &pending{File: f, path: path, direct: true}, nil
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
			return &pending{File: f, path: path}, nil
		}
		if !errors.Is(err, fs.ErrExist) || i > 1000 {
			return nil, cannotWrite(path, err)
		}
	}
}

// commit gives the file its name.
func (p *pending) commit() error {
	err := p.Close()
	if p.direct {
		if err != nil {
			err = cannotWrite(p.path, err)
		}
		return err
	}
	if err == nil {
		err = os.Rename(p.Name(), p.path)
	}
	if err != nil {
		_ = os.Remove(p.Name()) // the first error is the one to tell
		return cannotWrite(p.path, err)
	}
	return nil
}

// abort removes what was written.
func (p *pending) abort() {
	_ = p.Close() // it goes anyway
	if !p.direct {
		_ = os.Remove(p.Name())
	}
}

// writeWhole writes a file that appears whole or not at all.
func writeWhole(path string, content []byte) error {
	p, err := newPending(path)
	if err != nil {
		return err
	}
	if _, err := p.Write(content); err != nil {
		p.abort()
		return cannotWrite(path, err)
	}
	return p.commit()
}

// checkWritable finds out before a long run whether a file can be written
// after it, and leaves nothing behind.
func checkWritable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // opening a pipe waits for its reader
	}
	p, err := newPending(path)
	if err == nil {
		p.abort()
	}
	return err
}

// cannotWrite words an error without the temporary name that the system's has.
func cannotWrite(path string, err error) error {
	return fmt.Errorf("cannot write %s: %w", path, cause(err))
}

// cause is an error without the system call and the path that the system's own
// begins with.
func cause(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
