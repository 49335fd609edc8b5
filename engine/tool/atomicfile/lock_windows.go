package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes a file for this process until it is closed, also by the process's end. What is locked is a byte far behind
// its end, since Windows keeps others from reading what is locked.
func lock(f *os.File) error {
	at := &windows.Overlapped{Offset: 0, OffsetHigh: 0x4000_0000}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
