//go:build !windows

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/control"
)

// terminal is a pseudo-terminal; read gives what was written to it.
func terminal(t *testing.T) (tty *os.File, read func() string) {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TERM", "xterm")
	var got bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(&got, ptmx) // ends with an error when the other end closes
	}()
	return tty, func() string {
		_ = tty.Close()
		<-done
		_ = ptmx.Close()
		return got.String()
	}
}

// begun is the session that a screen is to show.
func begun(t *testing.T, start app.Start) *session.Session {
	t.Helper()
	s, err := start(t.Context(), new(control.Loading))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestScreen checks what a Screen is given, and what is said and written after
// it: how to see the same again.
func TestScreen(t *testing.T) {
	rec := filepath.Join(t.TempDir(), "session.json")
	tty, read := terminal(t)
	app := App{Screen: func(ctx context.Context, start app.Start, o app.Options) (*session.Session, error) {
		s := begun(t, start)
		if o.DataDir != "folder" || s.Snapshot().Replaying > 0 || o.Output != io.Writer(tty) {
			t.Errorf("the options are %+v", o)
		}
		ctx, quit := context.WithCancel(ctx)
		s.Send(state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.125})
		go func() {
			for s.Snapshot().Applied < 1 {
				time.Sleep(time.Millisecond)
			}
			quit()
		}()
		if err := s.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("the session ended with %v", err)
		}
		return s, nil
	}}
	var stderr bytes.Buffer
	status := app.Run(t.Context(), []string{"--seed", "3", "--data", "folder", "--record", rec}, strings.NewReader(""),
		tty, &stderr)
	out := read()
	if status != console.ExitDone || stderr.Len() > 0 {
		t.Errorf("status %d, %q", status, stderr.String())
	}
	want := "psgld-tui --data folder --eps 0.125 --seed 3\r\n"
	if !strings.HasSuffix(out, want) || !strings.Contains(out, "B SGLD  step ") {
		t.Errorf("afterwards it says\n%s", out)
	}
	if got := ok(t, "replay", rec, "--verify"); !strings.HasPrefix(got, "verified ") {
		t.Errorf("replay says %q", got)
	}
}

// A line below the command line says how the turns of the session are kept, or where
// they are.
func TestTurnsAreToldAfterTheScreen(t *testing.T) {
	innerlooptest.Skip(t, "a terminal")
	for _, c := range []struct {
		name       string
		args       []string
		turn, save bool
		again      bool // another session in its place, turned as often
		want       string
	}{
		{"none", nil, false, false, false, ""},
		{"lost", nil, true, false, false,
			"# without the turns, since its lanes have begun with other values of the target's parameters, or other " +
				"data: w on " +
				"the screen, or --record FILE, keeps those\r\n"},
		{"recorded", []string{"--record", "rec.json"}, true, false, false,
			"# with the turns: psgld-tui replay rec.json\r\n"},
		{"written", nil, true, true, false, "# with the turns: psgld-tui replay there/session.json\r\n"},
		{"another", nil, true, true, true,
			"# without the turns, since its lanes have begun with other values of the target's parameters, or other " +
				"data: w on " +
				"the screen, or --record FILE, keeps those\r\n"},
	} {
		t.Chdir(t.TempDir())
		tty, read := terminal(t)
		app := App{Screen: func(ctx context.Context, start app.Start, o app.Options) (*session.Session, error) {
			s := begun(t, start)
			ctx, quit := context.WithCancel(ctx)
			ended := make(chan error, 1)
			go func() { ended <- s.Run(ctx) }()
			await := func(ok func(*engine.Snapshot) bool) {
				for !ok(s.Snapshot()) {
					time.Sleep(time.Millisecond)
				}
			}
			serial := s.Send(state.StepBy{N: 100})
			await(func(snap *engine.Snapshot) bool {
				return snap.Applied >= serial && snap.Phase == state.Paused && snap.StepsLeft == 0
			})
			if c.turn {
				s.Send(state.SetParam{Lane: state.AllLanes, Key: "target.a", Value: 2})
				serial = s.Send(state.AddLane{Name: "sgld"}) // of which no line says that it began then
				await(func(snap *engine.Snapshot) bool { return snap.Applied >= serial })
			}
			if c.save {
				if _, err := o.Outside.Write("there"); err != nil {
					t.Error(err)
				}
			}
			if c.again { // another session in its place, with as many turns
				snap := s.Snapshot()
				s.Send(state.Load{Config: snap.Config, Problem: snap.Problem, Paused: true})
				serial = s.Send(state.StepBy{N: 100})
				await(func(now *engine.Snapshot) bool {
					return now.Applied >= serial && now.Phase == state.Paused && now.StepsLeft == 0
				})
				s.Send(state.SetParam{Lane: state.AllLanes, Key: "target.a", Value: 3})
				serial = s.Send(state.AddLane{Name: "sgld"})
				await(func(now *engine.Snapshot) bool { return now.Applied >= serial })
			}
			quit()
			<-ended
			return s, nil
		}}
		var stderr bytes.Buffer
		app.Run(t.Context(), c.args, strings.NewReader(""), tty, &stderr)
		out := read()
		if _, after, ok := strings.Cut(out, "\r\npsgld-tui"); !ok || !strings.HasSuffix(after, "\r\n"+c.want) ||
			c.want == "" && strings.Contains(after, "#") || stderr.Len() > 0 {
			t.Errorf("%s: it says\n%s%s", c.name, out, stderr.String())
		}
	}
}

// TestScreenFails checks that the screen's own error ends in one line.
func TestScreenFails(t *testing.T) {
	tty, read := terminal(t)
	app := App{Screen: func(context.Context, app.Start, app.Options) (*session.Session, error) {
		return nil, errors.New("no screen")
	}}
	var stderr bytes.Buffer
	status := app.Run(t.Context(), nil, strings.NewReader(""), tty, &stderr)
	if status != console.ExitFailed || stderr.String() != "psgld-tui: no screen\n" {
		t.Errorf("status %d, %q", status, stderr.String())
	}
	read()
}

// TestReplayOnScreen checks that a recording is played, through to its end.
func TestReplayOnScreen(t *testing.T) {
	rec := filepath.Join(t.TempDir(), "session.json")
	ok(t, "run", "--steps", "3000", "--record", rec)
	tty, read := terminal(t)
	var end []uint64
	app := App{Screen: func(ctx context.Context, start app.Start, o app.Options) (*session.Session, error) {
		s := begun(t, start)
		if s.Snapshot().Replaying == 0 {
			t.Error("the session does not replay")
		}
		ctx, quit := context.WithCancel(ctx)
		go func() {
			for s.Snapshot().Replaying > 0 {
				time.Sleep(time.Millisecond)
			}
			quit()
		}()
		_ = s.Run(ctx) // ends by quit
		for _, l := range s.Snapshot().Lanes {
			end = append(end, l.Executed)
		}
		return s, nil
	}}
	var stderr bytes.Buffer
	status := app.Run(t.Context(), []string{"replay", rec}, strings.NewReader(""), tty, &stderr)
	if status != console.ExitDone {
		t.Errorf("status %d, %q", status, stderr.String())
	}
	read()
	if len(end) != 2 || end[0] != 3000 || end[1] != 3000 {
		t.Errorf("the lanes stopped at %v, want 3000 twice", end)
	}
}

// TestProgress checks that a bar is drawn on a terminal, no wider than it, and
// cleared.
func TestProgress(t *testing.T) {
	longer(t, 350*time.Millisecond, func(wait time.Duration) bool { return progressed(t, wait) })
}

// progressed interrupts a run after a time, and is false if there was no bar yet.
func progressed(t *testing.T, after time.Duration) bool {
	tty, read := terminal(t)
	var stdout bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	App{}.Run(ctx, []string{"run", "--json", "--steps", "1000000000000"}, strings.NewReader(""), &stdout, tty)
	out := read()
	bar, rest, found := strings.Cut(out, "\r\x1b[K")
	if !found || !strings.Contains(bar, " steps/s") {
		return false
	}
	if !strings.Contains(bar, "%  step ") {
		t.Errorf("the bar is %q", out)
	}
	for frame := range strings.SplitSeq(bar, "\x1b[K") {
		if n := len([]rune(strings.TrimPrefix(frame, "\r"))); n > 79 {
			t.Errorf("a bar of %d columns on a terminal of 80: %q", n, frame)
		}
	}
	if want := "psgld-tui: interrupted at step "; !strings.HasPrefix(rest, want) {
		t.Errorf("after the bar comes %q", rest)
	}
	return true
}
