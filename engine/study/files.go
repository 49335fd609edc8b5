package study

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// writeFile writes a file that appears whole or not at all. A file that has the
// content is left alone.
func WriteFile(path string, b []byte) error {
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, b) {
		return nil
	}
	tmp := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return CannotWrite(path, err)
	}
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp) // the first error is the one to tell
		return CannotWrite(path, err)
	}
	return nil
}

// notWritten words an error without the temporary name that the system's has.
func CannotWrite(path string, err error) error {
	return fmt.Errorf("cannot write %s: %w", path, cause(err))
}

// cause is an error without the system call and the paths in front, of which one
// may be temporary.
func cause(err error) error {
	var pe *os.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
