package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

// ErrLocked is the error of a file that another process has, or this one elsewhere.
var ErrLocked = errors.New("it is in use by another run")

// errNoLocks is the error of a file system that knows no locks.
var errNoLocks = errors.New("no locks")

// Lock takes a file until it is closed, also by the process's end. Where the file system
// knows no locks, nothing keeps two processes apart.
func Lock(f *os.File) error {
	if err := lock(f); !errors.Is(err, errNoLocks) {
		return err
	}
	return nil
}

// Hold does something while no other process that holds the same file does, for which it waits a while. The
// lock is on a file beside it, which stays: the file itself may get its name by a rename meanwhile.
func Hold(path string, do func() error) error {
	dir, base := filepath.Split(path)
	f, err := os.OpenFile(dir+"."+base+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return CannotWrite(path, err)
	}
	defer f.Close() // nothing is in it
	for try := 0; ; try++ {
		if err = Lock(f); err == nil {
			return do()
		}
		if !errors.Is(err, ErrLocked) || try == holdTries {
			return CannotWrite(path, err)
		}
		time.Sleep(holdWait)
	}
}

// Hold waits so often, and so long: five seconds.
const (
	holdTries = 500
	holdWait  = 10 * time.Millisecond
)

var (
	// unfinished are the names of files that are being written: see Create.
	unfinished = regexp.MustCompile(`^\..+\.psgld-\d+-\d+\.tmp$`)
	// began is when this process has, about.
	began = time.Now()
	// cleared are the folders that are done.
	cleared sync.Map
)

// clear removes from a folder, once, what processes have left that were killed: files of Create's own names, of before
// this process, which nobody has locked. Whoever writes one has it locked until it has its name, on whichever machine
// that shares the folder. Where there are no locks everything stays, since nobody can tell.
func clearFolder(dir string) {
	dir = filepath.Clean(dir)
	if _, done := cleared.LoadOrStore(dir, true); done {
		return
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return // opening a pipe waits for its writer
	}
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(-1) // what cannot be read stays
	_ = d.Close()
	for _, name := range names {
		if unfinished.MatchString(name) {
			clearFile(filepath.Join(dir, name))
		}
	}
}

// clearFile removes a file that is older than this process and nobody's.
func clearFile(path string) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !info.ModTime().Before(began) {
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	free := lock(f) == nil
	_ = f.Close() // Windows removes nothing that is open
	if free {
		_ = os.Remove(path)
	}
}
