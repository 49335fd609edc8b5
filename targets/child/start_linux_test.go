package child_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/targets/child"
)

// starter is the variable that makes the test's program one that starts a child and does nothing more.
const starter = "PSGLD_TEST_STARTER"

func init() {
	if command := os.Getenv(starter); command != "" {
		child.Start(child.Command{Line: command}, time.Hour, nil, nil)
		fmt.Println("started")
		select {}
	}
}

// offspring are the processes below one, zombies left out.
func offspring(t *testing.T, of int) (all []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		b, _ := os.ReadFile(path) // it may have ended
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path))); len(fields) > 1 &&
			string(fields[1]) == strconv.Itoa(of) && string(fields[0]) != "Z" {
			all = append(append(all, pid), offspring(t, pid)...)
		}
	}
	return all
}

// What a simple command line has started ends with a program that is killed.
func TestNothingOutlivesAKill(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), starter+"=sleep 1000")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	sleeps := func(pid int) bool {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		return string(b) == "sleep\n"
	}
	var pid int
	for pid == 0 {
		for _, p := range offspring(t, c.Process.Pid) {
			if sleeps(p) {
				pid = p
			}
		}
		time.Sleep(time.Millisecond)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	if n := len(offspring(t, c.Process.Pid)); n != 1 {
		t.Errorf("%d processes are started, want the program alone", n)
	}
	_ = c.Process.Kill()
	_ = c.Wait() // it was killed
	for range 1000 {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives", pid)
}
