//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// shell is a command line for the system's shell, in a process group of its own.
func shell(command string) *exec.Cmd {
	c := exec.Command("/bin/sh", "-c", command)
	c.SysProcAttr = attributes()
	return c
}

// kill ends a child's process group.
func kill(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
