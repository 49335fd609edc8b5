//go:build amd64 || arm64

package dataset

import "syscall"

// Memory is the size of the machine's memory in bytes, 0 if that is not known.
func Memory() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return info.Totalram * uint64(info.Unit)
}
