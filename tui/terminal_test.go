//go:build unix

package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// childMode is the variable that makes the test binary a program with a screen.
const childMode = "PSGLD_TUI_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	os.Exit(m.Run())
}

// child shows a session on the terminal, and says how it ended.
func child(mode string) int {
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	cfg := engine.Config{
		Target: "gaussian", Seed: 1, Init: "random",
		Lanes: []engine.Lane{engine.DefaultLane(p, "psgld"), engine.DefaultLane(p, "sgld")},
	}
	rt := engine.Runtime{Interactive: true}
	if mode == "broken-session" {
		rt.Threads = 1
		rt.Sink = func(int, string, *targets.Problem, engine.Lane) (engine.Sink, error) { return brokenSink{}, nil }
	}
	o := Options{
		CommandLine: func(engine.Config, *targets.Problem) string { panic("a broken command line") },
	}
	if name, ok := strings.CutPrefix(mode, "lesson:"); ok {
		o.Lesson, cfg, p = lessonSession(name)
	}
	s, err := engine.NewSession(cfg, p, rt)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	err = Run(context.Background(), s, o)
	fmt.Printf("ended: %v\n", err)
	if errors.Is(err, ErrInterrupted) {
		return 130
	}
	return 0
}

// brokenSink panics at the first draw after a while.
type brokenSink struct{}

func (brokenSink) Draw(step uint64, _, _, _ float64, _ []float64) error {
	if step > 100_000 {
		panic("a broken sink")
	}
	return nil
}

// terminal is a program on a pseudo-terminal whose screen can be read.
type terminal struct {
	t    testing.TB
	cmd  *exec.Cmd
	tty  *os.File
	emu  *vt.Emulator
	mu   sync.Mutex
	raw  []byte        // all that was written
	show bool          // the cursor is visible
	news chan struct{} // something was written
	done chan struct{}
	// cooked are the modes of a terminal that no program has touched.
	cooked *term.State
}

func startTerminal(t testing.TB, mode string, w, h int, env ...string) *terminal {
	t.Helper()
	x := &terminal{t: t, emu: vt.NewEmulator(w, h), show: true, news: make(chan struct{}, 1), done: make(chan struct{})}
	x.emu.SetCallbacks(vt.Callbacks{CursorVisibility: func(v bool) { x.show = v }})
	fresh, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if x.cooked, err = term.GetState(fresh.Fd()); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	fresh.Close()
	x.cmd = exec.Command(os.Args[0])
	x.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", childMode+"="+mode), env...)
	tty, err := pty.StartWithSize(x.cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		t.Fatal(err)
	}
	x.tty = tty
	go func() { // what the program writes
		defer close(x.done)
		b := make([]byte, 1<<16)
		for {
			n, err := tty.Read(b)
			x.mu.Lock()
			x.raw = append(x.raw, b[:n]...)
			x.emu.Write(b[:n])
			x.mu.Unlock()
			select {
			case x.news <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	go io.Copy(tty, x.emu) // what the terminal answers
	t.Cleanup(func() {
		x.cmd.Process.Kill()
		tty.Close()
		<-x.done
	})
	return x
}

func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.emu.String()
}

// see waits until the screen holds every text.
func (x *terminal) see(texts ...string) {
	x.t.Helper()
	x.until(func(s string) string {
		for _, text := range texts {
			if !strings.Contains(s, text) {
				return fmt.Sprintf("does not show %q", text)
			}
		}
		return ""
	})
}

// miss waits until the screen does not hold a text.
func (x *terminal) miss(text string) {
	x.t.Helper()
	x.until(func(s string) string {
		if strings.Contains(s, text) {
			return fmt.Sprintf("still shows %q", text)
		}
		return ""
	})
}

// patience is how long a test waits for what must come: long, for a busy machine
// and the race detector.
const patience = 30 * time.Second

func (x *terminal) until(wrong func(string) string) {
	x.t.Helper()
	var s, why string
	for end := time.After(patience); ; {
		s = x.screen()
		if why = wrong(s); why == "" {
			return
		}
		select {
		case <-x.news:
			continue
		case <-end:
		}
		break
	}
	x.t.Fatalf("the screen %s:\n%s", why, s)
}

// press writes what the terminal sends for keys.
func (x *terminal) press(keys ...string) {
	special := map[string]string{
		"left": "\x1b[D", "right": "\x1b[C", "up": "\x1b[A", "down": "\x1b[B", "shift+left": "\x1b[1;2D",
		"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " ", "ctrl+c": "\x03",
	}
	for _, k := range keys {
		if s, ok := special[k]; ok {
			k = s
		}
		if _, err := io.WriteString(x.tty, k); err != nil {
			x.t.Fatal(err)
		}
	}
}

func (x *terminal) resize(w, h int) {
	x.mu.Lock()
	x.emu.Resize(w, h)
	x.mu.Unlock()
	if err := pty.Setsize(x.tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits for the program and checks that the terminal is as it was: the
// normal screen, a visible cursor, no mouse, no raw mode, and what the program
// printed last.
func (x *terminal) ends(status int, text string) {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		x.t.Fatalf("the program did not end; its screen:\n%s", x.screen())
	}
	if got := x.cmd.ProcessState.ExitCode(); got != status {
		x.t.Errorf("exit status %d, want %d", got, status)
	}
	x.see(text)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.emu.IsAltScreen() {
		x.t.Error("the alternate screen is left on")
	}
	if !x.show {
		x.t.Error("the cursor is left hidden")
	}
	if now, err := term.GetState(x.tty.Fd()); err != nil || !reflect.DeepEqual(now, x.cooked) {
		x.t.Errorf("the terminal's modes are %+v (%v), want %+v as before", now, err, x.cooked)
	}
	for on, off := range map[string]string{"\x1b[?1003h": "\x1b[?1003l", "\x1b[?1006h": "\x1b[?1006l", "\x1b[?2004h": "\x1b[?2004l"} {
		if strings.LastIndex(string(x.raw), on) > strings.LastIndex(string(x.raw), off) {
			x.t.Errorf("mode %q is left on", on)
		}
	}
}
