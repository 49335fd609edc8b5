//go:build unix

package app

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// hasShell reports whether somebody can let the program go on once it has stopped: not
// where it is in the group of the process that leads its session.
func hasShell() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != unix.Getpgrp()
}

// stopTime is how long a stop may take to come. The system does not stop a group whose shell has ended.
const stopTime = time.Second

var (
	// told gets the signal that asks the program to stop, which a key of a raw terminal does not send.
	told = make(chan os.Signal, 1)
	// onTold is what is done about it.
	onTold atomic.Pointer[func()]
	listen = sync.OnceFunc(func() {
		signal.Notify(told, unix.SIGTSTP)
		go func() {
			for range told {
				(*onTold.Load())()
			}
		}()
	})
)

// onStop has f called when a signal asks the program to stop, until the function it returns is
// called. The signal alone stops it then.
func onStop(f func()) (end func()) {
	onTold.Store(&f)
	listen()
	return func() {
		f := stopProcess
		onTold.Store(&f)
	}
}

// stopProcess stops the processes of the program's group, and returns when it goes on. It does so by the signal of
// programs that read a terminal from behind, since Go's handler has the one that it listens for.
func stopProcess() {
	again := make(chan os.Signal, 1)
	signal.Notify(again, unix.SIGCONT)
	defer signal.Stop(again)
	if unix.Kill(0, unix.SIGTTIN) != nil {
		return
	}
	select {
	case <-again:
	case <-time.After(stopTime):
	}
}
