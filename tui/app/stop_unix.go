//go:build unix

package app

import (
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// hasShell reports whether somebody can let the program go on once it has stopped: not
// where it is in the group of the process that leads its session.
func hasShell() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != unix.Getpgrp()
}

// stopTime is how long a stop may take to come. The system does not stop a group whose
// shell has ended.
const stopTime = time.Second

// stopProcess stops the processes of the program's group, and returns when it goes on.
func stopProcess() {
	again := make(chan os.Signal, 1)
	signal.Notify(again, unix.SIGCONT)
	defer signal.Stop(again)
	if unix.Kill(0, unix.SIGTSTP) != nil {
		return
	}
	select {
	case <-again:
	case <-time.After(stopTime):
	}
}
