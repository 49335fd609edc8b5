package ptytest

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// echoes is the variable that makes a test binary with this package a program that only echoes.
const echoes = "PSGLD_TUI_TEST_ECHO"

// A program that echoes works before each answer, for about work on a quiet machine: work is piece steps of a
// generator.
const (
	work  = 5 * time.Millisecond
	piece = 2_500_000
)

func init() {
	if os.Getenv(echoes) != "" {
		echo(os.Stdin, os.Stdout)
		os.Exit(0)
	}
}

// echo answers each byte.
func echo(r io.Reader, w io.Writer) {
	b, x := make([]byte, 1), uint64(1)
	for {
		if _, err := r.Read(b); err != nil {
			return
		}
		for range piece {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		b[0] = byte(x)
		if _, err := w.Write(b); err != nil {
			return
		}
	}
}

// Outlasts reports whether something goes on for longer than a time. The time is that of a quiet machine: it is told by
// a program beside, which works and echoes, and waits for this machine as what goes on does. That begins after a tenth
// of the time, so that most often there is none.
func Outlasts(t testing.TB, most time.Duration, over <-chan struct{}) bool {
	select {
	case <-over:
		return false
	case <-time.After(most / 10):
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = Env(echoes + "=1")
	to, err := cmd.StdinPipe()
	if err != nil {
		t.Error(err)
		return false
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return false
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return false
	}
	defer func() {
		to.Close()
		_ = cmd.Wait()
	}()
	b := make([]byte, 1)
	for range most / work {
		_, err := to.Write(b)
		if err == nil {
			_, err = from.Read(b)
		}
		if err != nil {
			t.Errorf("the program that echoes: %v", err)
			return false
		}
		select {
		case <-over:
			return false
		default:
		}
	}
	return true
}

// Within does something that waits for Patience at most, and reports whether it was done within a time, as Outlasts
// tells it.
func Within(t testing.TB, most time.Duration, do func()) bool {
	t.Helper()
	over, late := make(chan struct{}), make(chan bool, 1)
	go func() { late <- Outlasts(t, most, over) }()
	func() {
		defer close(over) // even where do ends the test
		do()
	}()
	return !<-late
}
