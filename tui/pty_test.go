//go:build unix

package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A session on a terminal, from the first frame to the last.
func TestOnATerminal(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "run", 120, 36)
	x.see("A pSGLD", "B SGLD", "N(0, diag(0.16, 1))", "running", "space pause")

	x.press("right")
	x.see("ε 0.378", "ε 0.3→0.378 @")
	x.press("enter", "0", ".", "7", "enter")
	x.see("ε 0.700", "B diverged at step", "r goes back with half the ε")
	x.press("esc")
	x.miss("r goes back with half the ε")
	x.see("r back 200 steps, half the ε")
	x.press("r")
	x.see("B: back to step", "→0.35")
	x.miss("diverged")

	x.press("t")
	x.see("╭ target", "banana:b=1")
	x.press("b", "a", "n", "a", "enter")
	x.see("banana, b = 0.5", "A pSGLD")
	x.miss("╭ target")

	x.press("a", "down", "enter")
	x.see("lane C added", "C SGLD")
	x.press("x")
	x.see("lane C removed")
	x.miss("C SGLD")

	x.press("?")
	x.see("╭ keys", "restart on the same seed")
	x.press("esc")
	x.miss("╭ keys")

	x.press(":", "e", "p", "s", " ", "0", ".", "0", "2")
	x.see("╭ command", "eps 0.02")
	x.press("enter")
	x.see("ε 0.0200")

	x.press("space")
	x.see("paused")
	for _, size := range [][2]int{{40, 12}, {10, 3}, {1, 1}, {200, 60}, {80, 24}} {
		x.resize(size[0], size[1])
		if size[0] >= 40 {
			x.see("pSGLD", "SGLD")
		}
	}
	x.see("paused")
	x.press("q")
	x.ends(0, "ended: <nil>")
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			x := startTerminal(t, "run", 80, 24)
			x.see("A pSGLD")
			if err := x.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			x.ends(130, "ended: interrupted")
		})
	}
}

func TestControlCQuits(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "run", 80, 24)
	x.see("A pSGLD")
	x.press("ctrl+c")
	x.ends(0, "ended: <nil>")
}

func TestPanicsRestoreTheTerminal(t *testing.T) {
	t.Run("screen", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "run", 120, 36)
		x.see("A pSGLD")
		x.press("y")
		x.ends(0, "ended: the screen: program was killed")
	})
	t.Run("session", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "broken-session", 200, 60)
		x.ends(0, "ended: a lane panicked: a broken sink")
	})
}

// Without colours nothing but attributes is sent; on a dumb terminal everything
// is ASCII.
func TestPlainTerminals(t *testing.T) {
	t.Run("NO_COLOR", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "run", 80, 24, "NO_COLOR=yes")
		x.see("A pSGLD")
		x.press("q")
		x.ends(0, "ended: <nil>")
		if raw := string(x.raw); strings.Contains(raw, "38;2;") || strings.Contains(raw, "[3") && strings.Contains(raw, "38;5;") {
			t.Error("colours are sent in spite of NO_COLOR")
		}
	})
	t.Run("dumb", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "run", 80, 24, "TERM=dumb")
		x.see("A pSGLD")
		x.press("q")
		x.ends(0, "ended: <nil>")
		for i, b := range x.raw {
			if b >= 0x80 {
				t.Fatalf("byte %#x at %d is not ASCII", b, i)
			}
		}
	})
}

// A paused session uses no processor time of its own. What is left is Bubble
// Tea's renderer, which looks sixty times a second whether there is a new frame:
// measured, under one hundredth of a second in a second.
func TestPausedIsIdle(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "run", 200, 60)
	x.see("A pSGLD", "running")
	x.press("space")
	x.see("paused")
	// The middle one of seconds, since a machine that does something else besides has
	// busy ones.
	var used []int
	for range 5 {
		before, ok := cpuTicks(x.cmd.Process.Pid)
		if !ok {
			t.Skip("no /proc")
		}
		time.Sleep(time.Second)
		after, _ := cpuTicks(x.cmd.Process.Pid)
		used = append(used, after-before)
	}
	slices.Sort(used)
	if used[2] > 2 {
		t.Errorf("a paused session used %v hundredths of a second in seconds", used)
	}
}

// cpuTicks is the processor time of a process in clock ticks, from
// /proc/PID/stat: fields 14 and 15, of which the name in brackets is field 2.
func cpuTicks(pid int) (int, bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	var user, system int
	f := strings.Fields(string(b)[strings.LastIndex(string(b), ")")+1:])
	if _, err := fmt.Sscan(f[11]+" "+f[12], &user, &system); err != nil {
		return 0, false
	}
	return user + system, true
}
