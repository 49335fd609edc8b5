//go:build !unix

package child

import "os/exec"

func shell(command string) *exec.Cmd { return exec.Command("cmd", "/C", command) }

// kill ends the child, but not what it has started itself.
func kill(c *exec.Cmd) { _ = c.Process.Kill() }
