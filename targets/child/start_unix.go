//go:build unix

package child

import (
	"os/exec"
	"regexp"
	"strings"
	"syscall"
)

// shell is a command line for the system's shell, in a process group of its own.
func shell(command string) *exec.Cmd {
	c := exec.Command("/bin/sh", "-c", become(command))
	c.SysProcAttr = attributes()
	return c
}

// simple is a command line that is one program and its arguments, behind variables that are set for it:
// an operator of the shell stands in quotes at most.
var simple = regexp.MustCompile("^[ \\t]*((?:\\w+=(?:'[^']*'|[\\w./:,+-]*)[ \\t]+)*)" +
	"('[^']*'|[\\w./+-]+)((?:[ \\t](?:'[^']*'|\"[^\"`$\\\\]*\"|[^'\"`;&|()\n\\\\])*)?)$")

// become has the shell of a simple command line become its program, if that is a file: not every shell
// does so by itself, and what ends with this program is the process that it has started.
func become(command string) string {
	part := simple.FindStringSubmatch(command)
	if part == nil {
		return command
	}
	if _, err := exec.LookPath(strings.Trim(part[2], "'")); err != nil {
		return command
	}
	return part[1] + "exec " + part[2] + part[3]
}

// kill ends a child's process group.
func kill(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
