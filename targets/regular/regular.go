// Package regular opens files that are read. Only regular files are: a pipe waits for its
// writer, and a device may have no end.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// ErrNot is the error, in an fs.PathError, of what is there and is neither a regular file nor
// a folder. A folder's is syscall.EISDIR.
var ErrNot = errors.New("not a regular file")

// Open opens a regular file, or the one that a link leads to. Nothing else is opened, which
// alone may wait for ever.
func Open(path string) (*os.File, fs.FileInfo, error) {
	refuse := func(why error) error { return &fs.PathError{Op: "open", Path: path, Err: why} }
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, refuse(errors.Unwrap(err))
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, nil, refuse(syscall.EISDIR)
	case !mode.IsRegular():
		return nil, nil, refuse(ErrNot)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	// A file without a size that can be waited for is the system's, such as /proc/kmsg.
	if info.Size() == 0 && f.SetReadDeadline(time.Time{}) == nil {
		f.Close() // only read from
		return nil, nil, refuse(ErrNot)
	}
	return f, info, nil
}

// Read reads a regular file of at most so many bytes. A larger one is an error, in an
// fs.PathError, before anything of it is read.
func Read(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read from
	tooLarge := func(n int64) error {
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has %d bytes, want at most %d", n, most)}
	}
	if info.Size() > most {
		return nil, tooLarge(info.Size())
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1)) // it may grow
	if err == nil && int64(len(b)) > most {
		err = tooLarge(int64(len(b)))
	}
	return b, err
}
