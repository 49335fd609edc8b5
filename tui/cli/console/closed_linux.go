package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// errClosed is the error of a standard output that was closed when the program began.
var errClosed = errors.New("it is closed")

// Standard is a standard output that refuses all where a shell has closed it (>&-). Go's runtime has opened /dev/null
// in its place by then, to be read and written, as others do on purpose: Python's DEVNULL is the same. So it is
// believed only of a shell, which opens that to be written alone, and whose own output is elsewhere.
func Standard(out io.Writer) io.Writer {
	f, ok := out.(*os.File)
	if ok && f == os.Stdout && isNull(unix.Stdout) && !isNull(unix.Stderr) && ofShell(os.Getppid()) {
		return refusing{}
	}
	return out
}

// isNull reports whether a stream is /dev/null, to be read and written.
func isNull(fd int) bool {
	var at unix.Stat_t
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR && unix.Fstat(fd, &at) == nil &&
		at.Mode&unix.S_IFMT == unix.S_IFCHR && at.Rdev == unix.Mkdev(1, 3)
}

// ofShell reports whether a process is a shell, whose own output is not /dev/null.
func ofShell(pid int) bool {
	name, err := regular.Read(fmt.Sprintf("/proc/%d/comm", pid), 1<<10)
	to, hidden := os.Readlink(fmt.Sprintf("/proc/%d/fd/1", pid))
	shells := []string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "zsh"}
	closed := errors.Is(hidden, fs.ErrNotExist) // dash closes its own meanwhile
	return err == nil && (closed || hidden == nil && to != os.DevNull) &&
		slices.Contains(shells, strings.TrimSpace(string(name)))
}

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errClosed }
