//go:build !windows

package cli

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/class"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// What no class can be made of is named.
func TestClassFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("many command lines")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	tty, read := terminal(t)
	cert, key := certificate(t, "class.example.org")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	none := func(context.Context, app.Start, app.Options) (*session.Session, error) {
		t.Error("there is a screen")
		return nil, nil
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"--listen here", console.ExitUsage, `--listen must be HOST:PORT or :PORT, such as 127.0.0.1:2222, got "here"`},
		{"--listen :70000", console.ExitUsage,
			`--listen must be HOST:PORT or :PORT, such as 127.0.0.1:2222, got ":70000"`},
		{"--students 0", console.ExitUsage, "--students must be a whole number, 1 to 200, got 0"},
		{"--lesson thinning --eps 1", console.ExitUsage,
			"--lesson thinning brings a session of its own; leave out the flags of one"},
		{"--target mlp:4 --dataset strokes", console.ExitUsage,
			"a class needs a density or a regression: networks take more than a student's share, and mlp:4 is one"},
		{"--web :0", console.ExitUsage, `--web must be HOST:PORT or :PORT, such as 127.0.0.1:8080, got ":0"`},
		{"--web :8443", console.ExitUsage,
			"--web :8443 is open to other machines and needs --tls-cert FILE and --tls-key FILE; without them it " +
				"must be on this one, such as 127.0.0.1:8443\n"},
		{"--web 192.0.2.1:80 --tls-cert cert.pem", console.ExitUsage,
			"--tls-cert FILE and --tls-key FILE need each other, got only one"},
		{"--tls-key key.pem --tls-cert cert.pem", console.ExitUsage,
			"--tls-cert, --tls-key and --web-name are for --web, which is missing"},
		{"--web localhost:8443 --tls-cert none.pem --tls-key key.pem", console.ExitFailed,
			"--tls-cert none.pem, --tls-key key.pem: open none.pem: no such file"},
		{"--web 127.0.0.1:8080 --web-name room,http://room", console.ExitUsage,
			`--web-name must be names of hosts without a port, such as class.example.org, got "room,http://room"`},
		{"--web-name room", console.ExitUsage, "--tls-cert, --tls-key and --web-name are for --web, which is missing"},
		{"--seats-per-address 0", console.ExitUsage, "--seats-per-address must be a whole number, 1 to 200, got 0"},
		{"--web :8443 --tls-cert /dev/zero --tls-key " + key, console.ExitFailed,
			"--tls-cert /dev/zero, --tls-key " + key + ": open /dev/zero: not a regular file"},
		{"--web :8443 --tls-cert " + cert + " --tls-key " + pipe, console.ExitFailed,
			"--tls-cert " + cert + ", --tls-key " + pipe + ": open " + pipe + ": not a regular file"},
		{"--keys " + pipe, console.ExitFailed, "--keys: open " + pipe + ": not a regular file"},
		{"--summary no/such/place", console.ExitFailed,
			"the summary: cannot write no/such/place: no such file or directory; --summary DIR is another place"},
		{"--summary " + pipe, console.ExitFailed, "the summary: cannot write " + pipe + "/"},
		{"--listen 127.0.0.1:0 --web 192.0.2.1:1 --tls-cert " + cert + " --tls-key " + key, console.ExitFailed,
			"the room's web: listen tcp 192.0.2.1:1: bind: "},
		{"--listen 192.0.2.1:1", console.ExitFailed, "--listen 192.0.2.1:1: listen tcp 192.0.2.1:1: bind: "},
	} {
		var err strings.Builder
		status := App{Screen: none}.Run(t.Context(), append([]string{"class"}, strings.Fields(c.args)...),
			strings.NewReader(""), tty, &err)
		if status != c.status || !strings.HasPrefix(err.String(), "psgld-tui: "+c.want) ||
			strings.Count(err.String(), "\n") != 1 {
			t.Errorf("%s: status %d\n got %swant %s", c.args, status, err.String(), c.want)
		}
	}
	home := os.Getenv("XDG_CONFIG_HOME")
	if err := errors.Join(os.RemoveAll(filepath.Join(home, "psgld-tui")), os.Mkdir(filepath.Join(home, "psgld-tui"), 0o700), syscall.Mkfifo(filepath.Join(home, "psgld-tui", hostKeyFile), 0o600)); err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	if status := within(t, func() int {
		return App{Screen: none}.Run(t.Context(), []string{"class"}, strings.NewReader(""), tty, &errs)
	}); status != console.ExitFailed || !strings.Contains(errs.String(), "the room's host key: open ") ||
		!strings.Contains(errs.String(), "not a regular file") {
		t.Errorf("a pipe for the host's key: status %d, %s", status, errs.String())
	}
	read()
	if r := runArgs(t, "class"); r.status != console.ExitUsage || !strings.Contains(r.err, "a class needs a terminal") {
		t.Errorf("without a terminal: status %d, %s", r.status, r.err)
	}
}

// certificate writes one for a name, and its key.
func certificate(t *testing.T, name string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name},
		NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, b := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: signed},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// The address that the lecturer shows is one that the certificate is for.
func TestSite(t *testing.T) {
	cert, key := certificate(t, "class.example.org")
	for addr, want := range map[string]string{":8443": "https://class.example.org:8443",
		"0.0.0.0:8443": "https://class.example.org:8443", "room:443": "https://room:443"} {
		if got, err := openSite(&class.Web{Addr: addr}, cert, key, ""); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", addr, got, err, want)
		}
	}
	if got, err := openSite(&class.Web{Addr: ":8443"}, cert, key, "room,other"); err != nil ||
		got != "https://room:8443" {
		t.Errorf("with a name: %s, %v", got, err)
	}
	for _, addr := range []string{"127.0.0.1:80", "[::1]:8080", "localhost:8080"} {
		if got, err := openSite(&class.Web{Addr: addr}, "", "", ""); err != nil || got != "http://"+addr {
			t.Errorf("%s: %s, %v", addr, got, err)
		}
	}
}

var (
	portOnScreen = regexp.MustCompile(`join: ssh -p (\d+) localhost`)
	codeOnScreen = regexp.MustCompile(`code ([0-9a-z]{4}-[0-9a-z]{4})`)
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
func playClass(t *testing.T, seats string, args ...string) *playedClass {
	t.Helper()
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("OpenSSH's client is not here: it is Debian's package openssh-client")
	}
	c := &playedClass{t: t, ssh: ssh, home: t.TempDir()}
	p := program(t, c.home, append([]string{"class", "--listen", "127.0.0.1:0", "--students", seats, "--summary",
		"summary"}, args...)...)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		p.Env = append(p.Env, name+"="+c.home)
	}
	p.Cmd.Stdout, p.Cmd.Stderr = nil, nil
	c.lecturer = ptytest.Start(t, p.Cmd, 120, 40, true)
	c.lecturer.See("join: ssh -p ", "0 of "+seats+" here", "nobody yet")
	port, code := portOnScreen.FindStringSubmatch(c.lecturer.Screen()),
		codeOnScreen.FindStringSubmatch(c.lecturer.Screen())
	if port == nil || code == nil {
		t.Fatalf("no way in on\n%s", c.lecturer.Screen())
	}
	c.port, c.code = port[1], code[1]
	return c
}

// client is OpenSSH's client, which has been asked for the code and has given it.
func (c *playedClass) client(args ...string) *ptytest.Terminal {
	c.t.Helper()
	x, _ := c.start(args...)
	return x
}

// start is client, with its process.
func (c *playedClass) start(args ...string) (*ptytest.Terminal, *exec.Cmd) {
	c.t.Helper()
	cmd := exec.Command(c.ssh,
		append([]string{"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o",
			"IdentitiesOnly=yes", "-o", "LogLevel=ERROR", "-p", c.port}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	x := ptytest.Start(c.t, cmd, 100, 30, true)
	shows(c.t, x, "code:")
	x.Type(c.code)
	return x, cmd
}

// files are those that the class has left.
func (c *playedClass) files() (all []string) {
	c.t.Helper()
	err := filepath.WalkDir(c.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, strings.TrimPrefix(path, c.home+"/"))
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
// refused a command and sftp, one leaves without a word. The lecturer quits, which is told to who
// is left. Nothing but the host's key and the summary is left on the machine.
func TestClassWithOpenSSH(t *testing.T) {
	innerlooptest.Live(t, "OpenSSH on four terminals")
	c := playClass(t, "4", "--seed", "7")
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
	shows(t, c.lecturer, "line lost")
	c.lecturer.Press("esc")
	shows(t, c.lecturer, "seed 7")
	shows(t, c.lecturer, "ε 0.300")
	c.lecturer.Press("j")
	shows(t, c.lecturer, "2 of 4 here")
	shows(t, c.lecturer, "01  ε 0.238")
	c.lecturer.Press("esc")
	shows(t, c.lecturer, "steps/s")
	c.lecturer.Press("q", "q")
	c.lecturer.Ends(console.ExitDone, "class: 3 students took a seat, 0 wrong codes")
	shows(t, students[0], "psgld-tui class: the class is over")
	files, want := c.files(), "psgld-tui/"+hostKeyFile+" summary/answers.csv summary/students.csv summary/summary.md"
	if strings.Join(files, " ") != want {
		t.Errorf("files %v, want %s", files, want)
	}
}

// A class that is killed leaves the summary of half a minute before at least, whole, and nothing unfinished.
func TestClassKilled(t *testing.T) {
	innerlooptest.Skip(t, "OpenSSH on two terminals")
	c := playClass(t, "4", "--seed", "7")
	shows(t, c.client("localhost"), "seed 8")
	want := "psgld-tui/" + hostKeyFile + " summary/answers.csv summary/students.csv summary/summary.md"
	for end := time.Now().Add(30 * time.Second); strings.Join(c.files(),
		" ") != want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("files %v, want %s", c.files(), want)
		}
	}
	c.lecturer.Signal(syscall.SIGKILL)
	c.lecturer.Ended(-1)
	b, err := os.ReadFile(filepath.Join(c.home, "summary", "summary.md"))
	if files := strings.Join(c.files(), " "); err != nil || !strings.HasPrefix(string(b), "# A class of 1\n") ||
		files != want {
		t.Errorf("%v, files %s, %s", err, files, b)
	}
}

// SIGTERM ends a class with a word to every student, and leaves each terminal as it was.
func TestClassTerminated(t *testing.T) {
	innerlooptest.Skip(t, "OpenSSH on four terminals")
	c := playClass(t, "3", "--seed", "7")
	var students []*ptytest.Terminal
	for _, seed := range []string{"seed 8", "seed 9", "seed 10"} {
		x := c.client("localhost")
		shows(t, x, seed)
		students = append(students, x)
	}
	shows(t, c.lecturer, "3 of 3 here")
	c.lecturer.Signal(syscall.SIGTERM)
	c.lecturer.Ends(console.ExitInterrupted, "class: 3 students took a seat, 0 wrong codes")
	for _, x := range students {
		x.Gone() // ssh gives the modes back as it ends; its status hangs on who closes first
		shows(t, x, "psgld-tui class: the class is over")
		x.AsBefore()
	}
}

// A student joins with a browser by the address on the lecturer's screen, on which nothing else
// comes of it.
func TestClassInBrowser(t *testing.T) {
	innerlooptest.Skip(t, "a terminal and a browser's line")
	home := t.TempDir()
	var addr [2]string
	for i := range addr {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr[i] = l.Addr().String()
		l.Close()
	}
	p := program(t, home, "class", "--listen", addr[0], "--web", addr[1], "--seed", "7", "--students", "3")
	p.Env = append(p.Env, "XDG_CONFIG_HOME="+home, "SIP_DEBUG_INPUT=1")
	p.Cmd.Stdout, p.Cmd.Stderr = nil, nil
	lecturer := ptytest.Start(t, p.Cmd, 140, 40, true)
	lecturer.See("or http://"+addr[1], "0 of 3 here")
	code := codeOnScreen.FindStringSubmatch(lecturer.Screen())
	if code == nil {
		t.Fatalf("no code on\n%s", lecturer.Screen())
	}
	ctx, cancel := context.WithTimeout(t.Context(), ptytest.Patience)
	defer cancel()
	if _, _, err := websocket.Dial(ctx, "ws://"+addr[1]+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://example.org"}}}); err == nil {
		t.Error("another site's page comes in")
	}
	c, _, err := websocket.Dial(ctx, "ws://"+addr[1]+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	for _, msg := range []string{`2{"cols":100,"rows":30}`, "2 no size", "0" + code[1] + "\r"} {
		if err := c.Write(ctx, websocket.MessageBinary, []byte(msg)); err != nil {
			t.Fatal(err)
		}
	}
	var said strings.Builder
	hear := func(what string) {
		for !strings.Contains(said.String(), what) {
			_, msg, err := c.Read(ctx)
			if err != nil {
				t.Fatalf("no %s, %v, in %q", what, err, said.String())
			}
			said.Write(msg[1:])
		}
	}
	hear("running")
	lecturer.See("1 of 3 here", "01  ε 0.300")
	if screen := lecturer.Screen(); strings.Contains(screen, "sip") || strings.Contains(screen, "WebSocket") {
		t.Errorf("sip says something on\n%s", screen)
	}
	lecturer.Signal(os.Interrupt)
	hear("the class is over")
	lecturer.Ends(console.ExitInterrupted, "class: 1 student took a seat, 0 wrong codes")
}

// shows waits until a terminal shows a text, whatever draws it there.
func shows(t *testing.T, x *ptytest.Terminal, text string) {
	t.Helper()
	for end := time.Now().Add(ptytest.Patience); !strings.Contains(x.Screen(),
		text); time.Sleep(20 * time.Millisecond) {
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
		if got := joinOf(a, ""); got != want {
			t.Errorf("%s: %+v, want %+v", addr, got, want)
		}
	}
	if got := joinOf(&net.TCPAddr{Port: 2222}, ""); strings.HasSuffix(got.Line, " ") ||
		strings.HasSuffix(got.Line, "::") {
		t.Errorf("all networks: %+v", got)
	}
}
