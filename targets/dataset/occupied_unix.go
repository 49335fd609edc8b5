//go:build linux || darwin || freebsd || netbsd || openbsd

package dataset

import (
	"io/fs"
	"syscall"
)

// occupied is how many bytes of a file are on the disk. It is false where that is not known:
// some file systems say that nothing is.
func occupied(info fs.FileInfo) (n int64, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Blocks == 0 {
		return 0, false
	}
	const block = 512
	return st.Blocks * block, true
}
