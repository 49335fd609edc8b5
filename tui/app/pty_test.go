//go:build unix

package app

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// A session on a terminal, from the first frame to the last.
func TestOnATerminal(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "run", 120, 36)
	x.See("A pSGLD", "B SGLD", "N(0, diag(0.16, 1))", "running", "space pause")

	x.Press("right")
	x.See("ε 0.378", "ε 0.3→0.378 @")
	x.Press("enter", "0", ".", "7", "enter")
	x.See("ε 0.700", "B diverged at step", "r goes back 200 steps with half the ε")
	x.Press("esc")
	x.Miss("r goes back 200 steps with half the ε")
	x.See("r back 200 steps with half the ε")
	x.Press("r")
	x.See("B: back to step", "→0.35")
	x.Miss("diverged")

	x.Press("t")
	x.See("╭ target", "banana:b=1")
	x.Press("b", "a", "n", "a", "enter")
	x.See("banana, b = 0.5", "A pSGLD")
	x.Miss("╭ target")

	x.Press("a", "down", "enter")
	x.See("lane C added", "C SGLD")
	x.Press("x")
	x.See("lane C removed")
	x.Miss("C SGLD")

	x.Press("?")
	x.See("╭ keys", "choose a lesson")
	x.Press("esc")
	x.Miss("╭ keys")

	x.Press(":", "e", "p", "s", " ", "0", ".", "0", "2")
	x.See("╭ command", "eps 0.02")
	x.Press("enter")
	x.See("ε 0.0200")

	x.Press("up", "enter", "up", "right", "right", "right")
	x.See("restarted with seed 1, 4 chains a lane", "chains 4")

	x.Press("space")
	x.See("paused")
	for _, size := range [][2]int{{40, 12}, {10, 3}, {1, 1}, {200, 60}, {80, 24}} {
		x.Resize(size[0], size[1])
		if size[0] >= 40 {
			x.See("pSGLD", "SGLD")
		}
	}
	x.See("paused")
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			x := startTerminal(t, "run", 80, 24)
			x.See("A pSGLD")
			if err := x.Cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			x.Ends(130, "ended: interrupted")
		})
	}
}

// Whatever step is under way, quitting ends the program at once. Where the session is to be
// recorded it says what it waits for, and a signal ends that.
func TestALongStepDoesNotKeepTheProgram(t *testing.T) {
	innerlooptest.Skip(t, "terminals")
	for mode, how := range map[string]func(*ptytest.Terminal){
		"endless-step": func(x *ptytest.Terminal) { x.Press("q") },
		"endless-step-recorded": func(x *ptytest.Terminal) {
			x.Press("q")
			x.See("the recording waits for the end of a long step: ctrl-c gives it up")
			x.Press("ctrl+c")
		},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			x := startTerminal(t, mode, 80, 24)
			x.See("step 0", "q quit")
			if !ptytest.Within(t, quitTime, func() {
				how(x)
				x.Ends(0, "ended: <nil>")
			}) {
				t.Errorf("it does not end within %v", quitTime)
			}
		})
	}
}

// A frame of the size before that comes when the terminal has grown leaves a scroll region of that size, at whose end
// the next frames would scroll.
func TestAFrameOfTheSizeBefore(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "run", 80, 24)
	x.See("A pSGLD", "q quit")
	x.Press("space")
	x.See("paused")
	x.Resize(100, 40, "\x1b[3;20r\x1b[2S\x1b[1;24r")
	x.Until(func(frame string) string {
		rows := strings.Split(frame, "\n")
		if !strings.Contains(rows[0], "paused") || !strings.Contains(rows[len(rows)-1], "q quit") || len(rows) != 40 {
			return fmt.Sprintf("of %d rows the first and last are %q and %q", len(rows), rows[0], rows[len(rows)-1])
		}
		return ""
	})
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}

func TestControlCQuits(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "run", 80, 24)
	x.See("A pSGLD")
	x.Press("ctrl+c")
	x.Ends(0, "ended: <nil>")
}

// ctrl+z gives the terminal back to the shell, and fg comes back to the whole screen.
func TestControlZStops(t *testing.T) {
	innerlooptest.Skip(t, "a terminal")
	t.Parallel()
	x := startTerminal(t, "shell", 120, 36)
	x.See("A pSGLD", "running", "q quit")
	x.Press("ctrl+z")
	x.See("[1]+ stopped")
	x.AsBefore()
	x.Miss("A pSGLD")
	x.Resize(100, 30)
	x.Type("fg")
	x.See("A pSGLD", "running", "q quit")
	x.Press("right")
	x.See("ε 0.378")
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}

// kill -TSTP is ctrl+z, also before there is a session, and the next one too.
func TestStopsByItsSignal(t *testing.T) {
	innerlooptest.Skip(t, "a terminal")
	t.Parallel()
	x := gated(t, "shell", 120, 36)
	kill := func() {
		t.Helper()
		if err := x.Cmd.Process.Signal(syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
	}
	x.See("╭ opening the test")
	kill()
	x.See("[1]+ stopped, time 1")
	x.AsBefore()
	x.Type("fg")
	x.See("╭ opening the test")
	x.open(t)
	x.See("A pSGLD", "running", "q quit")
	kill()
	x.See("[1]+ stopped, time 2")
	x.AsBefore()
	x.Miss("A pSGLD")
	x.Type("fg")
	x.See("A pSGLD", "running", "q quit")
	x.Press("right")
	x.See("ε 0.378")
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}

// Without a shell to come back from ctrl+z does nothing.
func TestControlZWithoutAShell(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "run", 120, 36)
	x.See("A pSGLD")
	x.Press("ctrl+z")
	x.See("there is no shell to go back to")
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}

func TestPanicsRestoreTheTerminal(t *testing.T) {
	t.Run("screen", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "run", 120, 36)
		x.See("A pSGLD")
		x.Press("y")
		x.Ends(0, "ended: the screen panicked: a broken command line")
	})
	t.Run("command", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "run", 120, 36)
		x.See("A pSGLD")
		x.Press("w")
		x.Ends(0, "ended: the screen panicked: a broken disk")
	})
	t.Run("session", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "broken-session", 200, 60)
		x.Ends(0, "ended: a lane panicked: a broken sink")
	})
}

// Without colours nothing but attributes is sent; on a dumb terminal everything
// is ASCII.
func TestPlainTerminals(t *testing.T) {
	t.Run("NO_COLOR", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "run", 80, 24, "NO_COLOR=yes")
		x.See("A pSGLD")
		x.Press("q")
		x.Ends(0, "ended: <nil>")
		raw := x.Raw()
		if strings.Contains(raw, "38;2;") || strings.Contains(raw, "[3") && strings.Contains(raw, "38;5;") {
			t.Error("colours are sent in spite of NO_COLOR")
		}
	})
	t.Run("dumb", func(t *testing.T) {
		t.Parallel()
		x := startTerminal(t, "run", 80, 24, "TERM=dumb")
		x.See("A pSGLD")
		x.Press("q")
		x.Ends(0, "ended: <nil>")
		for i, b := range []byte(x.Raw()) {
			if b >= 0x80 {
				t.Fatalf("byte %#x at %d is not ASCII", b, i)
			}
		}
	})
}

// A paused session uses no processor time of its own. What is left is Bubble Tea's
// renderer, which looks thirty times a second whether there is a new frame: measured,
// under one hundredth of a second in a second, where three frames take as much.
func TestPausedIsIdle(t *testing.T) {
	innerlooptest.Skip(t, "a terminal in real time")
	t.Parallel()
	x := startTerminal(t, "run", 200, 60)
	x.See("A pSGLD", "running")
	x.Press("space")
	x.See("paused")
	pid := x.Cmd.Process.Pid
	used := func(what func()) int {
		before, ok := cpuTicks(pid)
		if !ok {
			t.Skip("no /proc")
		}
		what()
		after, _ := cpuTicks(pid)
		return after - before
	}
	// Ten frames' time, on this machine.
	most := max(2, used(func() {
		for range 15 {
			x.Press("?")
			x.See("╭ keys")
			x.Press("esc")
			x.Miss("╭ keys")
		}
	})/3)
	least := most + 1
	for range 3 { // since a machine may do something else besides
		least = min(least, used(func() { time.Sleep(time.Second) }))
	}
	if least > most {
		t.Errorf("a paused session uses %d hundredths of a second in a second, want %d at most", least, most)
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
