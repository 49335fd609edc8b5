package class

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

const rightCode = "abc-def"

// open opens a room on the loopback until the test ends.
func open(t testing.TB, change ...func(*Options)) *Room {
	t.Helper()
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := gossh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Students: 4, Code: rightCode, Key: key, Problem: p,
		Config: state.Config{Target: "gaussian", Seed: 1, Init: "random",
			Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}},
		Memory: share.NewMemory(Keyframes), Governor: new(share.Governor),
	}
	for _, c := range change {
		c(&o)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(l, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// dial connects with a code.
func dial(r *Room, code string) (*gossh.Client, error) { return dialAs(r, "student", code) }

func dialAs(r *Room, user, code string) (*gossh.Client, error) {
	return gossh.Dial("tcp", r.Addr.String(), &gossh.ClientConfig{
		User: user, HostKeyCallback: gossh.FixedHostKey(r.Key.PublicKey()), Timeout: ptytest.Patience,
		Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(func(_, _ string, questions []string,
			_ []bool) ([]string, error) {
			answers := make([]string, len(questions))
			for i := range answers {
				answers[i] = code
			}
			return answers, nil
		})},
	})
}

func joined(t testing.TB, r *Room) *gossh.Client { return joinedAs(t, r, "student") }

func joinedAs(t testing.TB, r *Room, user string) *gossh.Client {
	t.Helper()
	c, err := dialAs(r, user, rightCode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// A student is somebody at a terminal.
type student struct {
	*ptytest.Display
	t       testing.TB
	client  *gossh.Client
	session *gossh.Session
	keys    io.Writer
	over    chan struct{} // nothing more comes
}

// newStudent has a terminal of a size, and nothing on it.
func newStudent(t testing.TB, w, h int) *student {
	over := make(chan struct{})
	return &student{t: t, Display: ptytest.NewDisplay(t, w, h, over), over: over}
}

// sits joins with a terminal.
func sits(t testing.TB, r *Room, w, h int) *student { return sitsAs(t, r, "student", w, h) }

func sitsAs(t testing.TB, r *Room, user string, w, h int) *student {
	t.Helper()
	s := newStudent(t, w, h)
	s.client = joinedAs(t, r, user)
	var err error
	if s.session, err = s.client.NewSession(); err != nil {
		t.Fatal(err)
	}
	if s.keys, err = s.session.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	s.session.Stdout = s.Display
	if err := s.session.RequestPty("xterm-256color", h, w, gossh.TerminalModes{}); err != nil {
		t.Fatal(err)
	}
	if err := s.session.Shell(); err != nil {
		t.Fatal(err)
	}
	answers := make(chan struct{})
	go func() { // of the terminal to what it is asked
		defer close(answers)
		_, _ = io.Copy(s.keys, s.Display)
		_, _ = io.Copy(io.Discard, s.Display) // where nobody hears them any more
	}()
	go func() {
		_ = s.session.Wait()
		close(s.over)
	}()
	t.Cleanup(func() {
		s.client.Close()
		s.Close()
		<-answers
	})
	// Seats are given in the order in which their screens begin.
	wait(t, func() bool { return s.said() != "" }, func() string { return "the screen says nothing" })
	return s
}

// sees waits until the screen has shown something since something was typed or seen.
func (s *student) sees(what string) {
	s.t.Helper()
	s.See(what)
}

// screen is what the terminal shows, and said all that came.
func (s *student) screen() string { return s.Screen() }
func (s *student) said() string   { return s.Raw() }

// types types.
func (s *student) types(text string) {
	s.t.Helper()
	s.Typed()
	if _, err := io.WriteString(s.keys, text); err != nil {
		s.t.Fatal(err)
	}
}

// leaves waits until the session is over.
func (s *student) leaves() {
	s.t.Helper()
	select {
	case <-s.over:
	case <-time.After(ptytest.Patience):
		s.t.Fatalf("the session goes on:\n%s", s.screen())
	}
}

// wait waits for something.
func wait(t testing.TB, is func() bool, why func() string) {
	t.Helper()
	for end := time.Now().Add(ptytest.Patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(why())
		}
	}
}

// goroutines counts them, but for ticks of screens that are left and batches of such: those end by themselves,
// when the last notice would have gone.
func goroutines() int {
	b := make([]byte, 1<<20)
	b = b[:runtime.Stack(b, true)]
	n := 1 + bytes.Count(b, []byte("\n\ngoroutine "))
	for _, f := range []string{"Tick.func1(", "(*Program).execBatchMsg("} {
		n -= bytes.Count(b, []byte("\ncharm.land/bubbletea/v2."+f))
	}
	return n
}

// quiet fails if goroutines of this package's making are left when a test has closed its room.
func quiet(t *testing.T) {
	t.Helper()
	before := goroutines()
	t.Cleanup(func() {
		left := func() int { return goroutines() - before }
		for end := time.Now().Add(ptytest.Patience); left() > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				b := make([]byte, 1<<20)
				t.Fatalf("%d goroutines are left:\n%s", left(), b[:runtime.Stack(b, true)])
			}
		}
	})
}
