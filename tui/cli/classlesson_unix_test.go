//go:build unix

package cli

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// A whole lesson with three students who join with OpenSSH's client: they predict, the lecturer
// sees the counts and closes the question, one follows the lecturer's screen, one loses the line
// and comes back, everyone has the outcome with the room's numbers. SIGTERM ends the class with a
// word to everyone, and the summary is written.
func TestLessonWithOpenSSH(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("OpenSSH's client is not here")
	}
	home := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	p := program(t, home, "class", "--listen", addr, "--students", "3", "--lesson", "two-curvatures", "--summary", "summary")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		p.Env = append(p.Env, name+"="+home)
	}
	p.Cmd.Stdout, p.Cmd.Stderr = nil, nil
	lecturer := ptytest.Start(t, p.Cmd, 120, 40, true)
	lecturer.See("join: ssh -p "+port+" localhost", "question of scene 1: open")
	code := codeOnScreen.FindStringSubmatch(lecturer.Screen())
	if code == nil {
		t.Fatalf("no code on\n%s", lecturer.Screen())
	}
	join := func(user string) (*ptytest.Terminal, *exec.Cmd) {
		known := filepath.Join(t.TempDir(), "known_hosts")
		c := exec.Command(ssh, "-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile="+known, "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR", "-p", port, user+"@localhost")
		c.Env = append(os.Environ(), "TERM=xterm-256color")
		x := ptytest.Start(t, c, 100, 30, true)
		shows(t, x, "code:")
		x.Type(code[1])
		return x, c
	}
	ada, _ := join("ada")
	bob, line := join("bob")
	cyd, _ := join("cyd")
	for i, x := range []*ptytest.Terminal{ada, bob, cyd} {
		shows(t, x, "to forget where they were?")
		if i == 0 {
			x.Press(":")
			x.Type("name Ada")
			lecturer.See("01 Ada")
		}
		x.Press([]string{"2", "1", "2"}[i])
		shows(t, x, "you predict")
	}
	lecturer.See("3 of 3")
	lecturer.Press("enter")
	lecturer.See("question of scene 1: closed")
	shows(t, bob, "your prediction: θ₁")

	cyd.Press("j")
	shows(t, cyd, "the lecturer's screen")
	lecturer.Press("esc")
	lecturer.See("seed 35")
	shows(t, cyd, "seed 35")

	_ = line.Process.Kill()
	time.Sleep(500 * time.Millisecond)
	bob, _ = join("bob")
	shows(t, bob, "seat 2 is as you left it")

	for _, x := range []*ptytest.Terminal{ada, bob} {
		flowed(t, x, "The room predicted 1: 1, 2: 2, 3: 0.")
		flowed(t, x, "The lecturer's numbers: B τ")
	}
	flowed(t, cyd, "The room predicted 1: 1, 2: 2, 3: 0.") // on the lecturer's screen
	lecturer.Signal(syscall.SIGTERM)
	lecturer.Ends(exitInterrupted, "class: 3 students took a seat, 0 wrong codes", "the summary is in summary")
	for _, x := range []*ptytest.Terminal{ada, bob, cyd} {
		shows(t, x, "psgld-tui class: the class is over")
	}
	for name, want := range map[string]string{"summary.md": "| 2 | **θ₂, the wide one** | 2 |", "students.csv": "1,Ada,", "answers.csv": "θ₁, the narrow one"} {
		if b, err := os.ReadFile(filepath.Join(home, "summary", name)); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: no %q in\n%s%v", name, want, b, err)
		}
	}
}

// edges are what stands between the lines of a text in a box.
var edges = regexp.MustCompile(`[│\s]+`)

// flowed waits until a terminal shows a text, over however many lines of a column at the right.
func flowed(t *testing.T, x *ptytest.Terminal, text string) {
	t.Helper()
	end := time.Now().Add(60 * time.Second)
	for {
		var right strings.Builder
		for line := range strings.Lines(x.Screen()) {
			if r := []rune(line); len(r) > 50 {
				right.WriteString(string(r[50:]))
			}
		}
		if strings.Contains(edges.ReplaceAllString(right.String(), " "), text) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no %s on\n%s", text, x.Screen())
		}
		time.Sleep(20 * time.Millisecond)
	}
}
