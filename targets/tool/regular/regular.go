// Package regular opens files that are read, all that the program reads. Only regular files are:
// a pipe waits for its writer, and a device may have no end.
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

// Open opens a regular file, or the one that a link leads to, to be read. Nothing else is
// opened, which alone may wait for ever. What Open gives is read up to a bound.
func Open(path string) (*os.File, fs.FileInfo, error) {
	f, info, err := openFile(path, os.O_RDONLY, 0)
	// A file without a size that can be waited for is the system's, such as /proc/kmsg.
	if err == nil && info.Size() == 0 && f.SetReadDeadline(time.Time{}) == nil {
		f.Close() // only read from
		return nil, nil, refuse(path, ErrNot)
	}
	return f, info, err
}

// OpenFile is os.OpenFile of a regular file, or of one that is not there yet.
func OpenFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	f, _, err := openFile(path, flag, mode)
	return f, err
}

// openFile is OpenFile, and what the file was before: nil if it was not there.
func openFile(path string, flag int, mode fs.FileMode) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch made := flag&os.O_CREATE != 0; {
	case err != nil && !(made && errors.Is(err, fs.ErrNotExist)):
		return nil, nil, refuse(path, errors.Unwrap(err))
	case err != nil:
		info = nil
	case info.IsDir():
		return nil, nil, refuse(path, syscall.EISDIR)
	case !info.Mode().IsRegular():
		return nil, nil, refuse(path, ErrNot)
	}
	f, err := os.OpenFile(path, flag, mode)
	return f, info, err
}

func refuse(path string, why error) error { return &fs.PathError{Op: "open", Path: path, Err: why} }

// patience is how long the system may take to make up a file that has no size.
const patience = time.Second

// Read reads a regular file of at most so many bytes. A larger one is an error, in an
// fs.PathError, before anything of it is read. A system's file that waits is none, after patience.
func Read(path string, most int64) ([]byte, error) {
	f, info, err := openFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()       // only read from
	if info.Size() == 0 { // the system's, such as /proc/cpuinfo, and /proc/kmsg, which waits
		_ = f.SetReadDeadline(time.Now().Add(patience)) // an error where nothing can wait
	}
	tooLarge := func(n int64) error {
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has %d bytes, want at most %d", n, most)}
	}
	if info.Size() > most {
		return nil, tooLarge(info.Size())
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1)) // it may grow
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, refuse(path, ErrNot)
	}
	if err == nil && int64(len(b)) > most {
		err = tooLarge(int64(len(b)))
	}
	return b, err
}
