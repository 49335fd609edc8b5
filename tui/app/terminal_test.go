//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// childMode is the variable that makes the test binary a program with a screen.
const childMode = "PSGLD_TUI_TEST_CHILD"

// childKeys is the variable that has any key do what it does without an error.
const childKeys = "PSGLD_TUI_TEST_KEYS"

// childGate is the variable that names a file: as long as it exists, the session is being opened.
const childGate = "PSGLD_TUI_TEST_GATE"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(childMode); mode {
	case "":
	case "shell":
		os.Exit(shell())
	default:
		os.Exit(child(mode))
	}
	ptytest.Alone()
	debug.SetGCPercent(400) // a session a test
	os.Exit(m.Run())
}

// child shows a session on the terminal, and says how it ended.
func child(mode string) int {
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	cfg := state.Config{
		Target: "gaussian", Seed: 1, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")},
	}
	rt := session.Runtime{Interactive: true}
	sink := map[string]engine.Sink{"broken-session": brokenSink{}, "endless-step": endlessSink{},
		"endless-step-recorded": endlessSink{}}[mode]
	if sink != nil {
		rt.Threads = 1
		rt.Sink = func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) { return sink, nil }
	}
	o := Options{
		Warn:     func(err error) { fmt.Println(err) },
		Opening:  "the test",
		Settings: os.Getenv(settingsFile),
		Outside: control.Outside{
			CommandLine: func(*engine.Snapshot) (string, error) { panic("a broken command line") },
			Write:       func(string) (control.Written, error) { panic("a broken disk") },
			// However long a test takes on a busy machine, q quits at once.
			Recorded: mode != "endless-step",
		},
	}
	if os.Getenv(childKeys) != "" {
		o.Outside.CommandLine = func(s *engine.Snapshot) (string, error) { return s.Config.Target, nil }
		o.Outside.Write = func(dir string) (control.Written, error) { return control.Written{Where: dir}, nil }
	}
	if name, ok := strings.CutPrefix(mode, "lesson:"); ok {
		o.Lesson, cfg, p = lessonSession(name)
	}
	_, err = Run(context.Background(), func(_ context.Context, at *control.Loading) (*session.Session, error) {
		if gate := os.Getenv(childGate); gate != "" {
			at.Tell(func() (float64, string) { return 0.25, "1.0 of 4.0 MB read" })
			for _, err := os.Stat(gate); err == nil; _, err = os.Stat(gate) {
				time.Sleep(time.Millisecond)
			}
		}
		if mode == "broken-data" {
			return nil, errors.New("train-images: the file is cut off")
		}
		return session.New(cfg, p, rt)
	}, o)
	fmt.Printf("ended: %v\n", err)
	if errors.Is(err, ErrInterrupted) {
		return 130
	}
	return 0
}

// shell runs the program as a job of its terminal, as a shell does: when it stops it
// waits for a line, and lets it go on. A SIGUSR1 has it send the program SIGTSTP, as kill -TSTP
// does.
func shell() int {
	signal.Ignore(syscall.SIGTTOU) // it takes the terminal back from behind
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childMode+"=run")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		return 1
	}
	pid := cmd.Process.Pid
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGUSR1)
	go func() {
		for range stop {
			if err := syscall.Kill(pid, syscall.SIGTSTP); err != nil {
				fmt.Println(err)
			}
		}
	}()
	waited := func(options int) (now syscall.WaitStatus) {
		if _, err := syscall.Wait4(pid, &now, options, nil); err != nil {
			fmt.Println(err)
		}
		return now
	}
	front := func(group int) {
		if err := unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, group); err != nil {
			fmt.Println(err)
		}
	}
	for n := 1; ; n++ {
		now := waited(syscall.WUNTRACED)
		front(syscall.Getpgrp())
		if !now.Stopped() {
			return now.ExitStatus()
		}
		// what it said before is shown as soon as the program leaves its screen
		fmt.Printf("[1]+ stopped, time %d\n", n)
		var line string
		fmt.Scanln(&line)
		front(pid)
		if err := syscall.Kill(-pid, syscall.SIGCONT); err != nil {
			fmt.Println(err)
		}
	}
}

// endlessSink never takes its first draw.
type endlessSink struct{}

func (endlessSink) Draw(engine.Drawn, []float64) error { select {} }

// brokenSink panics at the first draw after a while.
type brokenSink struct{}

func (brokenSink) Draw(d engine.Drawn, _ []float64) error {
	if d.Step > 100_000 {
		panic("a broken sink")
	}
	return nil
}

// startTerminal starts the test binary as a program with a screen.
func startTerminal(t testing.TB, mode string, w, h int, env ...string) *ptytest.Terminal {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = ptytest.Env(append(env, childMode+"="+mode)...)
	return ptytest.Start(t, cmd, w, h, true)
}
