//go:build unix

package pixels

import (
	"os"

	"golang.org/x/sys/unix"
)

// CellSize is the size in pixels of a cell of the terminal that a file is, 0 where it does not say.
func CellSize(f *os.File) (w, h int) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 || size.Row == 0 {
		return 0, 0
	}
	return int(size.Xpixel / size.Col), int(size.Ypixel / size.Row)
}
