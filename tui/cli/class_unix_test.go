//go:build !windows

package cli

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/class"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// What no class can be made of is named.
func TestClassFaults(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	tty, read := terminal(t)
	none := func(context.Context, app.Start, app.Options) (*session.Session, error) {
		t.Error("there is a screen")
		return nil, nil
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"--listen here", exitUsage, `--listen must be HOST:PORT or :PORT, such as 127.0.0.1:2222, got "here"`},
		{"--listen :70000", exitUsage, `--listen must be HOST:PORT or :PORT, such as 127.0.0.1:2222, got ":70000"`},
		{"--students 0", exitUsage, "--students must be a whole number, 1 to 200, got 0"},
		{"--lesson thinning --eps 1", exitUsage, "--lesson thinning brings a session of its own; leave out the flags of one"},
		{"--target mlp:4 --dataset strokes", exitUsage, "a class needs a density or a regression: networks take more than a student's share, and mlp:4 is one"},
		{"--listen 192.0.2.1:1", exitFailed, "--listen 192.0.2.1:1: listen tcp 192.0.2.1:1: bind: "},
	} {
		var err strings.Builder
		status := App{Screen: none}.Run(t.Context(), append([]string{"class"}, strings.Fields(c.args)...), strings.NewReader(""), tty, &err)
		if status != c.status || !strings.HasPrefix(err.String(), "psgld-tui: "+c.want) || strings.Count(err.String(), "\n") != 1 {
			t.Errorf("%s: status %d\n got %swant %s", c.args, status, err.String(), c.want)
		}
	}
	read()
	if r := runArgs(t, "class"); r.status != exitUsage || !strings.Contains(r.err, "a class needs a terminal") {
		t.Errorf("without a terminal: status %d, %s", r.status, r.err)
	}
}

var (
	portOnScreen = regexp.MustCompile(`join: ssh -p (\d+) localhost`)
	codeOnScreen = regexp.MustCompile(`code ([0-9a-z]{3}-[0-9a-z]{3})`)
)

// A playedClass is a class that is played on pseudo-terminals: a lecturer's, and those of students who
// come with OpenSSH's client.
type playedClass struct {
	t        *testing.T
	ssh      string // the client
	home     string // the only folder that the program may write to
	port     string
	code     string
	lecturer *ptytest.Terminal
}

// playClass begins a class of so many seats, with the lecturer's board open. It skips where there
// is no client.
func playClass(t *testing.T, seats string) *playedClass {
	t.Helper()
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("OpenSSH's client is not here: it is Debian's package openssh-client")
	}
	c := &playedClass{t: t, ssh: ssh, home: t.TempDir()}
	p := program(t, c.home, "class", "--listen", "127.0.0.1:0", "--seed", "7", "--students", seats)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		p.Env = append(p.Env, name+"="+c.home)
	}
	p.Cmd.Stdout, p.Cmd.Stderr = nil, nil
	c.lecturer = ptytest.Start(t, p.Cmd, 120, 40, true)
	c.lecturer.See("join: ssh -p ", "0 of "+seats+" here", "nobody yet")
	port, code := portOnScreen.FindStringSubmatch(c.lecturer.Screen()), codeOnScreen.FindStringSubmatch(c.lecturer.Screen())
	if port == nil || code == nil {
		t.Fatalf("no way in on\n%s", c.lecturer.Screen())
	}
	c.port, c.code = port[1], code[1]
	return c
}

// client is OpenSSH's client, which has been asked for the code and has given it.
func (c *playedClass) client(args ...string) *ptytest.Terminal {
	c.t.Helper()
	cmd := exec.Command(c.ssh, append([]string{"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR", "-p", c.port}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	x := ptytest.Start(c.t, cmd, 100, 30, true)
	shows(c.t, x, "code:")
	x.Type(c.code)
	return x
}

// files are those that the class has left.
func (c *playedClass) files() (all []string) {
	c.t.Helper()
	err := filepath.WalkDir(c.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

// A class from its first line to its last: three students join with OpenSSH's client and the code
// on the lecturer's screen, are on the board, steer, each their own session, and leave. One is
// refused a command and sftp. The lecturer quits, which is told to who is left. Nothing but the
// host's key is left on the machine.
func TestClassWithOpenSSH(t *testing.T) {
	c := playClass(t, "4")
	var students []*ptytest.Terminal
	for _, seed := range []string{"seed 8", "seed 9", "seed 10"} {
		x := c.client("localhost")
		shows(t, x, seed)
		students = append(students, x)
	}
	shows(t, c.lecturer, "3 of 4 here")
	shows(t, c.lecturer, "01  ε 0.300")
	shows(t, c.lecturer, "02  ε 0.300")
	shows(t, c.lecturer, "03  ε 0.300")
	students[1].Press("right", "right")
	shows(t, students[1], "lanes  ε 0.476")
	shows(t, c.lecturer, "01  ε 0.300")
	shows(t, c.lecturer, "02  ε 0.476")
	shows(t, c.lecturer, "03  ε 0.300")
	students[0].Press("w")
	shows(t, students[0], class.Closed)
	students[0].Press("left")
	shows(t, students[0], "lanes  ε 0.238")
	shows(t, c.lecturer, "01  ε 0.238")
	for _, args := range [][]string{{"localhost", "touch", "made"}, {"-s", "localhost", "sftp"}} {
		shows(t, c.client(args...), "request failed")
	}
	students[1].Press("q", "q")
	students[1].Ended(0)
	shows(t, c.lecturer, "2 of 4 here")
	students[2].HangUp() // without a word
	shows(t, c.lecturer, "1 of 4 here")
	c.lecturer.Press("esc")
	shows(t, c.lecturer, "seed 7")
	shows(t, c.lecturer, "ε 0.300")
	c.lecturer.Press("R")
	shows(t, c.lecturer, "1 of 4 here")
	shows(t, c.lecturer, "01  ε 0.238")
	c.lecturer.Press("esc")
	shows(t, c.lecturer, "steps/s")
	c.lecturer.Press("q", "q")
	c.lecturer.Ends(exitDone, "class: 3 students took a seat, 0 wrong codes")
	shows(t, students[0], "psgld-tui class: the class is over")
	if files, want := c.files(), filepath.Join(c.home, "psgld-tui", hostKeyFile); len(files) != 1 || files[0] != want {
		t.Errorf("files %v, want %s", files, want)
	}
}

// SIGTERM ends a class with a word to every student, and leaves each terminal as it was.
func TestClassTerminated(t *testing.T) {
	c := playClass(t, "3")
	var students []*ptytest.Terminal
	for _, seed := range []string{"seed 8", "seed 9", "seed 10"} {
		x := c.client("localhost")
		shows(t, x, seed)
		students = append(students, x)
	}
	shows(t, c.lecturer, "3 of 3 here")
	c.lecturer.Signal(syscall.SIGTERM)
	c.lecturer.Ends(exitInterrupted, "class: 3 students took a seat, 0 wrong codes")
	for _, x := range students {
		shows(t, x, "psgld-tui class: the class is over")
		x.AsBefore()
	}
}

// shows waits until a terminal shows a text, whatever draws it there.
func shows(t *testing.T, x *ptytest.Terminal, text string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !strings.Contains(x.Screen(), text); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s on\n%s", text, x.Screen())
		}
	}
}

// The line by which a room is joined is one that a student can type.
func TestJoinLine(t *testing.T) {
	for addr, want := range map[string]class.Join{
		"127.0.0.1:2222":     {Line: "ssh -p 2222 localhost", URL: "ssh://localhost:2222"},
		"[::1]:2222":         {Line: "ssh -p 2222 localhost", URL: "ssh://localhost:2222"},
		"192.0.2.7:22":       {Line: "ssh -p 22 192.0.2.7", URL: "ssh://192.0.2.7:22"},
		"[2001:db8::1]:2222": {Line: "ssh -p 2222 2001:db8::1", URL: "ssh://[2001:db8::1]:2222"},
	} {
		a, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := joinOf(a); got != want {
			t.Errorf("%s: %+v, want %+v", addr, got, want)
		}
	}
	if got := joinOf(&net.TCPAddr{Port: 2222}); strings.HasSuffix(got.Line, " ") || strings.HasSuffix(got.Line, "::") {
		t.Errorf("all networks: %+v", got)
	}
}
