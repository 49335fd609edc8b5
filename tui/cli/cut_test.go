//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// whole checks that what is in a folder was written to its end: the recording of
// --record, and sessions with all that belongs to them. It returns how many
// sessions there are.
func whole(t *testing.T, dir string) (sessions int) {
	t.Helper()
	if _, err := readRecording(filepath.Join(dir, "tape.json")); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "tape.json" {
			continue
		}
		sessions++
		at := filepath.Join(dir, e.Name())
		files, err := os.ReadDir(at)
		if err != nil {
			t.Errorf("%s is no folder of a session", at)
		}
		var names []string
		for _, f := range files {
			names = append(names, f.Name())
			b, err := os.ReadFile(filepath.Join(at, f.Name()))
			if err != nil || !bytes.HasSuffix(b, []byte("\n")) || filepath.Ext(f.Name()) == ".json" && !json.Valid(b) {
				t.Errorf("%s in %s is not whole: %v", f.Name(), at, err)
			}
		}
		if got := strings.Join(names, " "); !strings.HasSuffix(got, ".csv result.json session.json") {
			t.Errorf("%s holds %s", at, got)
		}
	}
	return sessions
}

// writing plays as far as the middle of a write: its folder is there.
func writing(x *ptytest.Terminal) {
	x.See("A pSGLD", "q quit")
	x.Press("w")
	for end := time.Now().Add(ptytest.Patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if all, _ := filepath.Glob(filepath.Join(x.Cmd.Dir, "psgld-*")); len(all) > 0 {
			return
		}
	}
	x.See("there is a folder that the session is written to")
}

// A lecture that is cut short at any place ends by itself, leaves the terminal as it
// was, and what it writes is whole.
func TestALectureCutShort(t *testing.T) {
	innerlooptest.Live(t, "terminals in real time")
	paused := func(x *ptytest.Terminal) {
		begins(x)
		x.Press("space")
		x.See("paused")
	}
	for i, at := range []struct {
		name string
		play func(*ptytest.Terminal)
		sig  syscall.Signal // 0 for the end of the terminal
	}{
		{"SIGTERM in a run", begins, syscall.SIGTERM},
		{"SIGHUP in a lesson", takesALesson, syscall.SIGHUP},
		{"SIGQUIT in a pause", paused, syscall.SIGQUIT},
		{"SIGINT in a write", writing, syscall.SIGINT},
		{"closed in a run", begins, 0},
		{"closed in a lesson", takesALesson, 0},
		{"closed in a pause", paused, 0},
		{"closed in a write", writing, 0},
	} {
		if testing.Short() && i%3 != 1 { // a signal, and twice a closed terminal
			continue
		}
		t.Run(at.name, func(t *testing.T) {
			t.Parallel()
			x := onScreen(t, 120, 36, "--record", "tape.json")
			at.play(x)
			if at.sig != 0 {
				x.Signal(at.sig)
				x.Ends(console.ExitInterrupted, "SGLD  step ", "psgld-tui: interrupted at step ")
			} else {
				x.HangUp()
				x.Ended(console.ExitInterrupted)
			}
			whole(t, x.Cmd.Dir)
		})
	}
}

// A terminal may be lost without a signal, where it does not control the program.
func TestATerminalLostInSilence(t *testing.T) {
	t.Parallel()
	x := onScreenOf(t, 120, 36, false, "--record", "tape.json")
	x.See("A pSGLD", "q quit")
	x.HangUp()
	x.Ended(console.ExitInterrupted)
	whole(t, x.Cmd.Dir)
}

// What was to be written when the user quits is written.
func TestWriteAndQuit(t *testing.T) {
	t.Parallel()
	x := onScreen(t, 120, 36, "--record", "tape.json")
	writing(x)
	x.Press("q")
	x.Ends(console.ExitDone, "A pSGLD  step ")
	if n := whole(t, x.Cmd.Dir); n != 1 {
		t.Errorf("%d sessions are written, want 1", n)
	}
}

// The program's end waits for what is being written, and lets nothing more begin.
func TestBeside(t *testing.T) {
	var b files
	begun, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = b.do(func() (string, error) { close(begun); <-goOn; return "", nil })
	}()
	<-begun
	go func() { b.end(); close(ended) }()
	for { // until the end has begun to wait
		_, err := b.do(func() (string, error) { return "", nil })
		if err == errEnding {
			break
		}
		time.Sleep(time.Millisecond)
	}
	select {
	case <-ended:
		t.Error("the end did not wait for what was being written")
	default:
	}
	close(goOn)
	<-ended
	if _, err := b.do(func() (string, error) { t.Error("it was begun"); return "", nil }); err != errEnding {
		t.Errorf("after the end: %v", err)
	}
}
