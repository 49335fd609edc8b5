package child

import "syscall"

// attributes has the kernel end the child when this program ends in whatever way.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
