package class

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// A student joins with the code, has a session with a seed of their own, turns ε in it, is told
// what is not done in a class, copies its command to their own terminal, and leaves. Nothing is
// left of them then.
func TestStudentSteersTheirOwnSession(t *testing.T) {
	quiet(t)
	r := open(t)
	a, b := sits(t, r, 100, 30), sits(t, r, 100, 24)
	a.sees("seed 2")
	b.sees("seed 3")
	eps := func(i int) float64 { return r.Seats()[i].Snapshot().Lanes[1].Setting.Value(sampler.KeyEps) }
	before := eps(1)
	b.types("\x1b[C\x1b[C")
	wait(t, func() bool { return eps(1) > before }, func() string { return "ε stays" })
	if eps(0) != before {
		t.Errorf("ε of another student is %g", eps(0))
	}
	b.types("w")
	b.sees(Closed)
	b.types("y")
	b.sees("copied: psgld-tui --seed 3")
	wait(t, func() bool {
		return strings.Contains(b.said(), "\x1b]52;c;")
	}, func() string { return "nothing was copied to the terminal" })
	b.types(":target blr:/etc/passwd\r")
	b.sees("target blr: " + Closed)
	b.types(":target data:/etc/passwd; x ~ normal(a, 1)\r")
	b.sees("target data: " + Closed)
	b.types("q")
	b.types("q")
	b.leaves()
	wait(t, func() bool { return len(r.Seats()) == 1 }, func() string { return "the seat is still taken" })
	c := sits(t, r, 100, 24)
	c.sees("seed 4") // seats are not given twice
	a.sees("running")
}

// The size of a terminal may change, within bounds.
func TestSizes(t *testing.T) {
	innerlooptest.Skip(t, "a flood of sizes")
	t.Parallel()
	r := open(t)
	a := sits(t, r, 90, 24)
	a.sees("seed 2")
	a.Sized(120, 30, false)
	if err := a.session.WindowChange(30, 120); err != nil {
		t.Fatal(err)
	}
	wait(t, func() bool {
		lines := strings.Split(a.screen(), "\n")
		return len([]rune(strings.TrimRight(lines[2], " "))) > 100
	}, func() string { return a.screen() })
	for range 2000 { // a flood of them
		if err := a.session.WindowChange(1<<20, 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.session.WindowChange(30, 120); err != nil {
		t.Fatal(err)
	}
	a.types("?")
	a.sees("keys")
	if got := bounded(1<<20, 1<<20); got.Width != 300 || got.Height != 100 {
		t.Errorf("a terminal of %d×%d", got.Width, got.Height)
	}
	if got := bounded(0, -1); got.Width != 10 || got.Height != 3 {
		t.Errorf("a terminal of %d×%d", got.Width, got.Height)
	}
}

// Whoever has not got the code does not come in, and cannot go on trying.
func TestWrongCode(t *testing.T) {
	r := open(t)
	for range 3 {
		if _, err := dial(r, "abc-deg"); err == nil {
			t.Fatal("a wrong code lets in")
		}
	}
	if got := r.Told(); got.Wrong != 3 || got.Came != 0 {
		t.Errorf("the door tells %+v", got)
	}
	if _, err := gossh.Dial("tcp", r.Addr.String(), &gossh.ClientConfig{User: "student", HostKeyCallback: gossh.FixedHostKey(r.Key.PublicKey())}); err == nil {
		t.Error("no code lets in")
	}
}

// Whoever has the code comes in however many others guess, from their own address and from five. The others'
// attempts are used up all the same, and an answer that was not waited for tells nothing.
func TestGuesses(t *testing.T) {
	r := open(t)
	d := r.door
	d.delay = 0
	from := func(k int) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, byte(k)}) }
	for k := range 5 {
		for range 2 * codesOfAddress.most {
			if d.right(t.Context(), from(k), "abc-deg") {
				t.Fatal("a wrong code is right")
			}
		}
	}
	if got := r.Told(); got.Wrong != 10*codesOfAddress.most || got.Held < 4*codesOfAddress.most {
		t.Errorf("the door tells %+v", got)
	}
	for k := range 6 {
		if !d.right(t.Context(), from(k), rightCode) {
			t.Errorf("address %d is kept out", k)
		}
	}
	d.delay = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	before, answer := r.Told(), make(chan bool)
	go func() { answer <- d.right(ctx, from(0), rightCode) }()
	wait(t, func() bool { return r.Told().Held > before.Held }, func() string { return "nothing holds it" })
	select {
	case <-answer:
		t.Error("the answer comes at once")
	default:
	}
	cancel()
	if <-answer {
		t.Error("a code is answered before its time")
	}
}

// An address has so many seats, if that is asked for. Who has lost their line there gives up theirs.
func TestSeatsPerAddress(t *testing.T) {
	r := open(t, func(o *Options) { o.PerAddress = 2 })
	a, b := sitsAs(t, r, "a", 100, 24), sitsAs(t, r, "b", 100, 24)
	a.sees("seed 2")
	b.sees("seed 3")
	if n := r.Told().Together; n != 2 {
		t.Errorf("%d seats are from one address", n)
	}
	c := sitsAs(t, r, "c", 100, 24)
	c.leaves()
	if said := c.said(); !strings.Contains(said, errTaken.Error()) {
		t.Errorf("the next student is told %q", said)
	}
	if runtime.GOOS == "linux" { // where the loopback has more addresses
		h := hostile{t: t, room: r}
		other := h.client(h.connectFrom(1), rightCode)
		s, err := other.NewSession()
		if err == nil {
			err = errors.Join(s.RequestPty("xterm", 24, 80, nil), s.Shell())
		}
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		wait(t, func() bool { return len(r.Seats()) == 3 }, func() string { return "another address has no seat" })
	}
	a.client.Close()
	wait(t, r.Seats()[0].Lost, func() string { return "the line is not lost" })
	d := sitsAs(t, r, "d", 100, 24)
	d.sees("running")
	if n := r.Told().Together; n != 2 {
		t.Errorf("%d seats are from one address", n)
	}
	b.types("?")
	b.sees("keys")
}

// Right codes are not used up, however many students come from one address.
func TestRightCodes(t *testing.T) {
	r := open(t)
	for range 2 * codesOfAddress.most {
		c, err := dial(r, " ABCDEF ")
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
}

// A room hands on a terminal and nothing else.
func TestNothingButATerminal(t *testing.T) {
	quiet(t)
	r := open(t)
	c := joined(t, r)
	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com",
		"tun@openssh.com", "anything"} {
		payload := gossh.Marshal(struct {
			Host string
			Port uint32
			From string
			By   uint32
		}{"127.0.0.1", 22, "127.0.0.1", 1})
		if ch, _, err := c.OpenChannel(kind, payload); err == nil {
			ch.Close()
			t.Errorf("a channel %s is opened", kind)
		}
	}
	for _, kind := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "keepalive@openssh.com",
		"no-more-sessions@openssh.com"} {
		if ok, _, err := c.SendRequest(kind, true, gossh.Marshal(struct {
			Host string
			Port uint32
		}{"127.0.0.1", 0})); err != nil || ok {
			t.Errorf("a request %s: %v, %v", kind, ok, err)
		}
	}
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Shell(); err == nil {
		t.Error("a shell without a terminal")
	}
	text := func(s string) []byte { return gossh.Marshal(struct{ Value string }{s}) }
	for kind, payload := range map[string][]byte{
		"exec":                       text("touch made"),
		"subsystem":                  text("sftp"),
		"env":                        gossh.Marshal(struct{ Name, Value string }{"TERMINFO", "/tmp"}),
		"auth-agent-req@openssh.com": nil, "x11-req": nil, "signal": text("KILL"), "break": nil, "anything": nil,
		"pty-req": gossh.Marshal(struct {
			Term       string
			W, H, X, Y uint32
			Modes      string
		}{"../../etc/passwd", 80, 24, 0, 0, ""}),
	} {
		if ok, err := s.SendRequest(kind, true, payload); err != nil || ok {
			t.Errorf("a request %s: %v, %v", kind, ok, err)
		}
	}
	if _, err := c.NewSession(); err == nil {
		t.Error("a second terminal")
	}
	if err := s.RequestPty("xterm", 24, 80, nil); err != nil {
		t.Fatal(err)
	}
	if ok, err := s.SendRequest("exec", true, text("touch made")); err != nil || ok {
		t.Errorf("exec on a terminal: %v, %v", ok, err)
	}
}

// A room has so many seats, and as many connections as that takes.
func TestFull(t *testing.T) {
	r := open(t, func(o *Options) { o.Students = 1 })
	a := sits(t, r, 100, 24)
	a.sees("seed 2")
	b := sits(t, r, 100, 24)
	b.leaves()
	if said := b.said(); !strings.Contains(said, "the room is full") {
		t.Errorf("the next student is told %q", said)
	}
	for range 60 { // of which each comes in, and the oldest are cut
		c, err := dial(r, rightCode)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if n := r.door.waiting.size(); n > 1+fromAddress {
		t.Errorf("%d connections from one address", n)
	}
	a.types("?")
	a.sees("keys")
}

// The end of a class is told to everyone, and leaves nothing.
func TestEnd(t *testing.T) {
	quiet(t)
	r := open(t)
	a, b := sits(t, r, 100, 24), sits(t, r, 100, 24)
	a.sees("seed 2")
	b.sees("seed 3")
	r.Close()
	for _, s := range []*student{a, b} {
		s.leaves()
		if said := s.said(); !strings.Contains(said, "the class is over") {
			t.Errorf("a student is told %q", said[max(0, len(said)-100):])
		}
	}
	if _, err := dial(r, rightCode); err == nil {
		t.Error("the room is still open")
	}
}

// Who types nothing for long leaves, and so does who reads nothing.
func TestIdle(t *testing.T) {
	r := open(t)
	r.look, r.idle = 50*time.Millisecond, time.Nanosecond
	a := sits(t, r, 100, 24)
	a.leaves()
	if said := a.said(); !strings.Contains(said, errIdle.Error()) {
		t.Errorf("a student is told %q", said[max(0, len(said)-100):])
	}
}

// A panic in a student's session ends that one alone.
func TestPanicEndsOneAlone(t *testing.T) {
	r := open(t)
	a, b := sits(t, r, 100, 24), sits(t, r, 100, 24)
	a.sees("seed 2")
	b.sees("seed 3")
	seat := r.Seats()[1]
	seat.session.Load().Send(nil) // it is no command
	b.leaves()
	if said := b.said(); !strings.Contains(said, "the session panicked") {
		t.Errorf("the student is told %q", said[max(0, len(said)-200):])
	}
	a.types("?")
	a.sees("keys")
}

// What a room is made of is checked.
func TestValidate(t *testing.T) {
	p, err := targets.Open("mlp:4", targets.Options{Dataset: "strokes"})
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"a class needs a density or a regression": {Students: 1, Problem: p},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The key of a room is made once, for its owner alone.
func TestHostKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "of", "room")
	a, err := HostKey(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := HostKey(path)
	if err != nil || string(a.PublicKey().Marshal()) != string(b.PublicKey().Marshal()) {
		t.Errorf("another key, %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || ownedByMode && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("beside the key there is %v", entries)
	}
	if ownedByMode {
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		if _, err := HostKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a key for all: %v", err)
		}
	}
	if err := os.Symlink("/dev/zero", path+"-endless"); err == nil {
		if _, err := HostKey(path + "-endless"); !errors.Is(err, regular.ErrNot) {
			t.Errorf("a key without an end: %v", err)
		}
	}
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := HostKey(path); err == nil {
		t.Error("no key is taken for one")
	}
}

// Who comes is let in to where too many wait: whoever has waited longest goes, of those from the address that
// has the most, and what is not to be cut stays.
func TestCrowd(t *testing.T) {
	c := crowd{ofAddress: 3, inAll: 6}
	at := func(k int) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, byte(k)}) }
	cut := make(chan string, 1)
	enter := func(from int, name string) (uncount func()) {
		t.Helper()
		uncount, ok := c.admit(at(from), func() { cut <- name })
		if !ok {
			t.Fatalf("%s is kept out", name)
		}
		return uncount
	}
	for i, name := range []string{"a1", "a2", "b1", "b2", "b3", "c1"} {
		enter([]int{1, 1, 2, 2, 2, 3}[i], name)
	}
	for _, e := range []struct {
		from       int
		name, goes string
	}{{4, "d1", "b1"}, {2, "b4", "a1"}, {2, "b5", "b2"}} {
		enter(e.from, e.name)
		if got := <-cut; got != e.goes {
			t.Errorf("for %s %s goes, want %s", e.name, got, e.goes)
		}
	}
	leave := enter(5, "e1")
	<-cut
	leave()
	leave()
	if n := c.size(); n != 5 {
		t.Errorf("%d are there, want 5", n)
	}
	fixed := crowd{ofAddress: 1, inAll: 1}
	if _, ok := fixed.admit(at(1), nil); !ok {
		t.Error("the first is kept out")
	}
	if _, ok := fixed.admit(at(2), nil); ok {
		t.Error("there are too many")
	}
}

// Codes are of the alphabet, and compare however they are written.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		c := NewCode()
		if seen[c] || len(c) != codeLen+1 || c[codeLen/2] != '-' || strings.Trim(plain(c), alphabet) != "" {
			t.Fatalf("a code %q", c)
		}
		seen[c] = true
		if !same(strings.ToUpper(c), c) || !same(plain(c), c) || same(c+"2", c) || same("", c) {
			t.Fatalf("%q compares wrong", c)
		}
	}
}

// What is typed passes whole, but for what is too long of a paste or a sequence, on a slow line too.
func TestReceiver(t *testing.T) { synctest.Test(t, testReceiver) }

func testReceiver(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, c := range []struct{ name, in, out string }{
		{"keys", "abc\x1b[A\x1bOP\x1b[1;2C", "abc\x1b[A\x1bOP\x1b[1;2C"},
		{"a paste", pasteStart + "some text" + pasteEnd + "q", pasteStart + "some text" + pasteEnd + "q"},
		{"a long paste", pasteStart + long + pasteEnd + "q", pasteStart + long[:mostPaste] + pasteEnd + "q"},
		{"a long string", "\x1b]52;" + long + "\x07q", ("\x1b]52;" + long)[:mostSequence] + "\x07q"},
		{"a long string with ST", "\x1bP" + long + "\x1b\\q", ("\x1bP" + long)[:mostSequence] + stringEnd + "q"},
		{"a long sequence", "\x1b[" + strings.Repeat("1", 5000) + "Aq",
			("\x1b[" + strings.Repeat("1", 5000))[:mostSequence] + "Aq"},
	} {
		r := newReceiver(t.Context(), pieces{strings.NewReader(c.in), 7})
		r.rate.perSecond = 50 // it waits for longer than what lies apart
		got, err := io.ReadAll(r)
		if err != nil || string(got) != c.out {
			t.Errorf("%s: %d bytes %.80q…, want %d, %v", c.name, len(got), got, len(c.out), err)
		}
	}
}

// What a terminal answers is no key: it is told to whoever asked, and who does nothing else is idle.
// In a paste it is text, and right behind one it is an answer. One that comes in two pieces is passed on too.
func TestAnswers(t *testing.T) {
	paste := pasteStart + answer + pasteEnd
	from, to := io.Pipe()
	r := newReceiver(t.Context(), from)
	heeds := make(chan struct{}, 10)
	r.heeds = heeds
	began := r.heard.Load()
	go func() {
		for _, s := range []string{answer, answer + answer, "a" + answer + "b", pasteStart, answer, pasteEnd + answer,
			answer[:2], answer[2:]} {
			io.WriteString(to, s)
			if s == answer+answer && r.heard.Load() != began {
				t.Error("an answer counts for a key")
			}
		}
		to.Close()
	}()
	got, err := io.ReadAll(r)
	if err != nil || string(got) != "ab"+paste+answer {
		t.Errorf("%q is read, %v", got, err)
	}
	if len(heeds) != 6 {
		t.Errorf("%d answers are told, want 6", len(heeds))
	}
}

// A terminal that was sent nothing is asked nothing: its answer would be taken for that to the next question.
func TestAskedOnce(t *testing.T) {
	var sent strings.Builder
	s := newSender(t.Context(), &sent)
	s.answered = make(chan struct{}, 1)
	for _, b := range []string{"", "a", "b"} {
		s.Write([]byte(b))
	}
	if want := "a" + question + "b"; sent.String() != want {
		t.Errorf("sent %q, want %q", &sent, want)
	}
}

// A terminal that draws slowly is never far behind, and always has something to draw. One that has
// never answered gets all that its line takes. One that no longer answers gets a frame now and then.
func TestSlowTerminal(t *testing.T) {
	const perSecond, frame = 20_000, 10_000
	for _, c := range []struct {
		name        string
		mute        time.Duration // when it stops answering
		least, most int           // bytes that it may be sent in a minute
	}{
		{"slow", time.Hour, 60*perSecond - frame, 60*perSecond + mostUndrawn + frame},
		{"mute", 0, 50 * bytesOut, 70 * bytesOut},
		{"struck", 20 * time.Second, 20*perSecond + 19*frame, 20*perSecond + mostUndrawn + 22*frame},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				began, sent, behind := time.Now(), 0, 0
				lines := make(chan string, 1<<20)
				s := newSender(ctx, writer(func(b []byte) { lines <- string(b) }))
				s.answered = make(chan struct{}, 1)
				var drawn atomic.Int64
				var terminal sync.WaitGroup
				terminal.Go(func() {
					for line := range lines {
						time.Sleep(time.Duration(len(line)) * time.Second / perSecond)
						if drawn.Add(int64(len(line))); line == question && time.Since(began) < c.mute {
							s.answered <- struct{}{}
						}
					}
				})
				for ctx.Err() == nil {
					s.Write(make([]byte, frame))
					if sent += frame; time.Since(began) < c.mute {
						behind = max(behind, sent-int(drawn.Load()))
					}
				}
				close(lines)
				select {
				case <-s.answered: // of a question that nobody waits for any more
				default:
				}
				terminal.Wait()
				if sent < c.least || sent > c.most || behind > mostUndrawn+3*frame {
					t.Errorf("it is sent %d bytes, and is %d behind", sent, behind)
				}
			})
		})
	}
}

// writer writes by a function.
type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}

// A line carries so many bytes a second, after the first second's.
func TestRate(t *testing.T) { synctest.Test(t, testRate) }

func testRate(t *testing.T) {
	r := rate{perSecond: 10_000}
	start := time.Now()
	for range 12 {
		r.wait(t.Context(), 1000)
	}
	// 12,000 bytes are 200 ms beyond the first second's, on a clock that counts nothing else.
	if took := time.Since(start); took != 200*time.Millisecond {
		t.Errorf("it took %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	start = time.Now()
	r.wait(ctx, 1_000_000)
	if took := time.Since(start); took != 0 {
		t.Errorf("after the end it took %v", took)
	}
	if !errors.Is(ctx.Err(), context.Canceled) {
		t.Error("it has not ended")
	}
}

// Whatever is typed, in whatever pieces, as much comes through as there was, and no paste or
// sequence is longer than it may be, but for its end.
func FuzzReceiver(f *testing.F) {
	f.Add("abc\x1b[A\x1b]52;x\x07"+pasteStart+"text"+pasteEnd, 3)
	f.Add("\x1bP\x1b\\\x1b[200\x1b[200~\x1b[201\x1b[201~", 1)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		piece = min(max(piece, 1), 64)
		r := newReceiver(t.Context(), pieces{strings.NewReader(text), piece})
		r.rate.perSecond = 1e12
		got, err := io.ReadAll(r)
		if err != nil || len(text) <= mostSequence && string(got) != text {
			t.Fatalf("%q gave %q, %v", text, got, err)
		}
		long := newReceiver(t.Context(),
			pieces{strings.NewReader(text + strings.Repeat("\x00", 3*mostPaste)), 1 + piece})
		long.rate.perSecond = 1e12
		all, err := io.ReadAll(long)
		if most := len(text) + 3*mostPaste; err != nil || len(all) > most {
			t.Fatalf("%q gave %d bytes of %d, %v", text, len(all), most, err)
		}
		if long.in == pasted && len(all) > len(text)+mostPaste {
			t.Fatalf("%q leaves a paste of %d bytes", text, len(all)-len(text))
		}
	})
}

// pieces reads so many bytes at a time.
type pieces struct {
	io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(p.n, len(b))]) }

// Who has a key of the lecturer's list comes in by that, and nobody else, whatever code they have.
// A seat that was lost is found again by the key, under whatever name.
func TestKeys(t *testing.T) {
	signer := func() gossh.Signer {
		_, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		key, err := gossh.NewSignerFromKey(private)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	mine, other := signer(), signer()
	r := open(t, func(o *Options) { o.Keys = []gossh.PublicKey{mine.PublicKey()} })
	with := func(user string, methods ...gossh.AuthMethod) (*gossh.Client, error) {
		return gossh.Dial("tcp", r.Addr.String(),
			&gossh.ClientConfig{User: user, HostKeyCallback: gossh.FixedHostKey(r.Key.PublicKey()), Auth: methods})
	}
	for name, m := range map[string]gossh.AuthMethod{"another key": gossh.PublicKeys(other),
		"the code": gossh.Password(rightCode)} {
		if _, err := with("student", m); err == nil {
			t.Errorf("%s lets in", name)
		}
	}
	var seat *Seat
	for i, user := range []string{"a", "b"} {
		c, err := with(user, gossh.PublicKeys(mine))
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.RequestPty("xterm", 24, 80, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.StdinPipe(); err != nil { // else the client ends its input
			t.Fatal(err)
		}
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		wait(t, func() bool {
			return len(r.Seats()) == 1 && !r.Seats()[0].Lost()
		}, func() string { return "nobody sits" })
		if now := r.Seats()[0]; i == 0 {
			seat = now
		} else if now != seat {
			t.Error("the seat is another")
		}
		c.Close()
		wait(t, seat.Lost, func() string { return "the line is not lost" })
	}
}

// A class may end while others are coming in, at whatever moment of their handshakes.
func TestEndWhileTheyCome(t *testing.T) {
	innerlooptest.Skip(t, "hundreds of handshakes")
	t.Parallel()
	rounds := 8
	if testing.Short() {
		rounds = 4
	}
	for i := range rounds {
		r := open(t, func(o *Options) { o.Students = 60 })
		var all sync.WaitGroup
		stop := make(chan struct{})
		for k := range 30 {
			all.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					c, err := dialAs(r, fmt.Sprint("u", k), rightCode)
					if err != nil {
						return
					}
					c.Close()
				}
			})
		}
		time.Sleep(time.Duration(100+25*i) * time.Millisecond)
		r.Close()
		close(stop)
		all.Wait()
	}
}
