package class

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Gaurav-Gosain/sip"
	"github.com/coder/websocket"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// withWeb opens the web's door too, at a port that is free.
func withWeb(testing.TB) func(*Options) {
	return func(o *Options) { o.Web.Addr = "127.0.0.1:0" }
}

// asks gets a path of the page by a Host.
func asks(t *testing.T, r *Room, host, path string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+web(r)+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp
}

// Another site that turns its name to this machine gets neither the page nor a line, and no site frames it.
func TestNamesOfThePage(t *testing.T) {
	r := open(t, withWeb(t), func(o *Options) { o.Web.Names = []string{"class.example.org"} })
	_, port, _ := net.SplitHostPort(web(r))
	for host, want := range map[string]int{
		web(r): http.StatusOK, "localhost:" + port: http.StatusOK, "[::1]:" + port: http.StatusOK,
		"Class.Example.org": http.StatusOK, "class.example.org:443": http.StatusOK,
		"rebound.example.net:" + port: http.StatusForbidden, "localhost.example.net": http.StatusForbidden,
		"192.0.2.1": http.StatusForbidden, "": http.StatusOK,
	} {
		for _, path := range []string{"/", "/static/terminal.js"} {
			resp := asks(t, r, host, path)
			if resp.StatusCode != want {
				t.Errorf("%s of %q: status %d, want %d", path, host, resp.StatusCode, want)
			}
			for name, is := range map[string]string{"X-Frame-Options": "DENY",
				"Content-Security-Policy": "frame-ancestors 'none'", "Referrer-Policy": "no-referrer",
				"X-Content-Type-Options": "nosniff"} {
				if got := resp.Header.Values(name); len(got) != 1 || got[0] != is {
					t.Errorf("%s of %q: %s is %q, want %s", path, host, name, got, is)
				}
			}
		}
	}
	resp, err := http.Get("http://" + web(r) + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if text := strings.TrimSpace(string(page)); err != nil || !strings.Contains(text, "<title>psgld-tui</title>") ||
		!strings.HasSuffix(text, "</html>") {
		t.Errorf("the page is %s, %v", page, err)
	}
	for host, ok := range map[string]bool{"localhost:" + port: true, "class.example.org": true,
		"rebound.example.net:" + port: false} {
		c, resp, err := browses(r,
			&websocket.DialOptions{Host: host, HTTPHeader: http.Header{"Origin": {"http://" + host}}})
		if (err == nil) != ok || !ok && resp.StatusCode != http.StatusForbidden {
			t.Errorf("a line by the name %s: %v", host, err)
		}
		if err == nil {
			c.CloseNow()
		}
	}
	// Who goes past the gate has no line, whatever they say.
	past := http.Header{passHeader: {"x 127.0.0.1"}}
	if _, resp, err := websocket.Dial(t.Context(), "ws://"+r.gate.to+"/ws", &websocket.DialOptions{HTTPHeader: past}); err == nil || resp == nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("past the gate: %v", err)
	}
}

// The page has the names of its certificate too, and those of the address at which it is reached.
func TestNamesOfACertificate(t *testing.T) {
	own := &tls.Certificate{Leaf: &x509.Certificate{DNSNames: []string{"*.example.org"}}}
	w := newGate(t.Context(), nil, Web{Addr: "room:8443", TLS: own}, "", 1)
	at := netip.MustParseAddr("192.0.2.7")
	for host, want := range map[string]bool{
		"a.example.org:8443": true, "ROOM": true, "192.0.2.7:1": true, "[::ffff:192.0.2.7]": true, "127.9.9.9": true,
		"192.0.2.8": false, "b.a.example.org": false, "example.org": false, "": false, ":80": false,
	} {
		if got := w.named(host, at); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	if newGate(t.Context(), nil, Web{Addr: ":80"}, "", 1).named("", at) {
		t.Error("no name is taken for one")
	}
}

// web is where the web's door is.
func web(r *Room) string { return r.gate.Addr().String() }

// browses dials as sip's page does.
func browses(r *Room, o *websocket.DialOptions) (*websocket.Conn, *http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), ptytest.Patience)
	defer cancel()
	for {
		c, resp, err := websocket.Dial(ctx, "ws://"+web(r)+"/ws", o)
		if err == nil || resp != nil || ctx.Err() != nil {
			return c, resp, err
		}
		time.Sleep(10 * time.Millisecond) // it does not listen yet
	}
}

// A page is a browser's end of a line, in sip's messages.
type page struct {
	t testing.TB
	*websocket.Conn
}

// send sends a message.
func (p page) send(kind byte, b []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), ptytest.Patience)
	defer cancel()
	return p.Conn.Write(ctx, websocket.MessageBinary, append([]byte{kind}, b...))
}

// Write types.
func (p page) Write(b []byte) (int, error) { return len(b), p.send(sip.MsgInput, b) }

// resize says how large the window is.
func (p page) resize(w, h int) {
	p.t.Helper()
	b, err := json.Marshal(sip.ResizeMessage{Cols: w, Rows: h})
	if err == nil {
		err = p.send(sip.MsgResize, b)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// visits opens the page and is asked for the code.
func visits(t testing.TB, r *Room, w, h int) (*student, page) {
	t.Helper()
	c, _, err := browses(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := page{t, c}
	s := newStudent(t, w, h)
	s.keys = p
	p.resize(w, h)
	go func() {
		defer close(s.over)
		for {
			_, msg, err := c.Read(context.Background())
			switch {
			case err != nil || msg[0] == sip.MsgClose:
				return
			case msg[0] == sip.MsgOutput:
				_, _ = s.Write(msg[1:])
			}
		}
	}()
	answers := make(chan struct{})
	go func() { // of the terminal to what it is asked
		defer close(answers)
		_, _ = io.Copy(p, s.Display)
	}()
	t.Cleanup(func() {
		c.CloseNow()
		s.Close()
		<-answers
		<-s.over
	})
	s.sees("code:")
	return s, p
}

// enters visits with the code.
func enters(t testing.TB, r *Room, w, h int) (*student, page) {
	t.Helper()
	s, p := visits(t, r, w, h)
	s.types(rightCode + "\r")
	return s, p
}

// terminals fails if pseudo-terminals are left open when a test has closed its room.
func terminals(t *testing.T) {
	t.Helper()
	count := func() (n int) {
		open, _ := os.ReadDir("/proc/self/fd") // elsewhere there are none
		for _, f := range open {
			to, err := os.Readlink("/proc/self/fd/" + f.Name())
			if err == nil && (strings.HasPrefix(to, "/dev/pts/") || to == "/dev/ptmx") {
				n++
			}
		}
		return n
	}
	before := count()
	t.Cleanup(func() {
		wait(t, func() bool { return count() <= before }, func() string { return "terminals are left open" })
	})
}

// Who comes with a browser has what the others have: the code is asked, ε turned, what is outside
// is closed, and nothing is left when they quit.
func TestBrowserSteersTheirOwnSession(t *testing.T) {
	quiet(t)
	terminals(t)
	r := open(t, withWeb(t))
	a := sits(t, r, 100, 24)
	a.sees("seed 2")
	b, _ := visits(t, r, 100, 30)
	b.types("wrong\r")
	b.sees(errWrong.Error())
	b.types("x\x7f" + rightCode + "\r")
	b.sees("seed 3")
	if got := r.Told(); got.Wrong != 1 || got.Came != 2 {
		t.Errorf("the door tells %+v", got)
	}
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
	b.types("qq")
	b.leaves()
	wait(t, func() bool { return len(r.Seats()) == 1 }, func() string { return "the seat is still taken" })
}

// A browser that goes leaves nothing but the seat, before the code and after it.
func TestBrowserGoes(t *testing.T) {
	quiet(t)
	terminals(t)
	r := open(t, withWeb(t))
	_, asked := visits(t, r, 80, 24)
	a, seated := enters(t, r, 100, 24)
	a.sees("seed 2")
	asked.CloseNow()
	seated.CloseNow()
	wait(t, r.Seats()[0].Lost, func() string { return "the line is not lost" })
	wait(t, func() bool {
		return r.door.waiting.size() == 0 && r.gate.crowd.size() == 0
	}, func() string { return "the connections are still counted" })
}

// The end of a class is told in the browser too, and leaves nothing.
func TestEndInBrowser(t *testing.T) {
	innerlooptest.Skip(t, "a class of two browsers")
	quiet(t)
	terminals(t)
	r := open(t, withWeb(t))
	a, _ := enters(t, r, 100, 24)
	a.sees("seed 2")
	b, _ := visits(t, r, 80, 24)
	r.Close()
	for _, s := range []*student{a, b} {
		s.leaves()
		if said := s.said(); !strings.Contains(said, "the class is over") {
			t.Errorf("a student is told %q", said[max(0, len(said)-100):])
		}
	}
	if c, err := net.Dial("tcp", web(r)); err == nil {
		c.Close()
		t.Error("the web is still open")
	}
}

// Whoever has not got the code does not come in, and cannot go on trying, by whichever door.
func TestWrongCodeInBrowser(t *testing.T) {
	innerlooptest.Skip(t, "many wrong codes")
	t.Parallel()
	r := open(t, withWeb(t))
	r.door.delay, r.door.attempts.every = time.Millisecond, time.Hour // a busy machine gives no attempt back
	for range codesOfAddress.most/codeTries + 1 {
		s, _ := visits(t, r, 80, 24)
		for range codeTries {
			s.types("wrong\r")
		}
		s.leaves()
	}
	if got := r.Told(); got.Wrong < codesOfAddress.most || got.Held == 0 || got.Came != 0 {
		t.Errorf("the door tells %+v", got)
	}
	s, _ := visits(t, r, 80, 24)
	s.types("\x03")
	s.leaves()
	s, _ = enters(t, r, 100, 24)
	s.sees("seed 2")
}

// What is typed where the code is asked is bounded, and stops nothing.
func TestBrowserTypesAnything(t *testing.T) {
	innerlooptest.Skip(t, "lines that are cut off in real time")
	t.Parallel()
	r := open(t, withWeb(t))
	for _, text := range []string{
		strings.Repeat("x", 20_000) + "\r", "\x1b[" + strings.Repeat("1", 2000),
		"\xff\xfe\x00\x1b]52;c;" + strings.Repeat("y", 2000) + "\r",
		pasteStart + strings.Repeat("z\r", 3000) + pasteEnd, strings.Repeat("\r", 10),
	} {
		s, p := visits(t, r, 10, 3)
		_ = p.send(sip.MsgInput, []byte(text)) // the line may be cut meanwhile
		_ = p.send(sip.MsgInput, make([]byte, 2*pageMessage))
		_ = p.send(0xff, []byte(text))
		_ = p.send(sip.MsgResize, []byte("no size"))
		left := func() bool {
			select {
			case <-s.over:
				return true
			case <-time.After(2 * apart): // a sequence without an end is given up by then
				_ = p.send(sip.MsgInput, []byte("\r\x03"))
				return false
			}
		}
		wait(t, left, func() string { return "nothing ends it\n" + s.screen() })
	}
	if got := r.Told().Came; got != 0 {
		t.Errorf("%d came", got)
	}
}

// The size of a window may change, within bounds, however fast.
func TestSizesInBrowser(t *testing.T) {
	r := open(t, withWeb(t))
	s, p := enters(t, r, 90, 24)
	s.sees("seed 2")
	for range 200 {
		p.resize(4000, 4000)
		p.resize(-1, 0)
	}
	s.Sized(120, 30, false)
	p.resize(120, 30)
	wait(t, func() bool {
		lines := strings.Split(s.screen(), "\n")
		return len(lines) == 30 && len([]rune(strings.TrimRight(lines[2], " "))) > 100
	}, func() string { return s.screen() })
	s.types("?")
	s.sees("keys")
}

// There are so many connections, whichever door they come by. Another site's page is refused.
func TestBrowsersAreLimited(t *testing.T) {
	r := open(t, withWeb(t), func(o *Options) { o.Students = 1 })
	if _, resp, err := browses(r, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://example.org"}}}); err == nil || resp.StatusCode != http.StatusForbidden {
		t.Errorf("another site's page: %v", err)
	}
	wait(t, func() bool { return r.door.waiting.size() == 0 }, func() string { return "the refused one is counted" })
	joined(t, r)
	var all []*websocket.Conn
	for range 2 * fromAddress { // of which each comes in, and the oldest are cut
		c, _, err := browses(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.CloseNow()
		all = append(all, c)
	}
	wait(t, func() bool { return r.door.waiting.size() <= 1+fromAddress }, func() string {
		return fmt.Sprintf("%d connections from one address", r.door.waiting.size())
	})
	p := page{t, all[0]}
	p.resize(80, 24)
	for {
		_, msg, err := p.Read(t.Context())
		if err != nil || msg[0] == sip.MsgClose {
			break
		}
	}
}

// withTLS opens the web's door to all networks, with a certificate.
func withTLS(t testing.TB) func(*Options) {
	t.Helper()
	made, err := sip.GenerateSelfSignedCert("")
	if err != nil {
		t.Fatal(err)
	}
	return func(o *Options) { o.Web = Web{Addr: ":0", TLS: &made.TLSConfig.Certificates[0]} }
}

// Nothing answers on the UDP port where sip would have HTTP/3, on the loopback and on all networks.
// There the page comes with TLS.
func TestNoHTTP3(t *testing.T) {
	for _, on := range []func(testing.TB) func(*Options){withWeb, withTLS} {
		r := open(t, on(t))
		_, port, _ := net.SplitHostPort(web(r))
		url := "http://127.0.0.1:" + port
		if r.Web.TLS != nil {
			url = "https://127.0.0.1:" + port
		}
		client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DisableKeepAlives: true}}
		wait(t, func() bool {
			resp, err := client.Get(url)
			if err == nil {
				resp.Body.Close()
			}
			return err == nil && resp.StatusCode == http.StatusOK
		}, func() string { return "no page" })
		_, inner, _ := net.SplitHostPort(r.gate.to)
		n, _ := strconv.Atoi(inner)
		udp, err := net.Dial("udp", "127.0.0.1:"+strconv.Itoa(n+1))
		if err != nil {
			t.Fatal(err)
		}
		defer udp.Close()
		// A server answers a packet of a version of QUIC that it does not know with those it
		// does (RFC 9000, section 5.2.2).
		hello := make([]byte, 1200)
		copy(hello, "\xc0\x1a\x2a\x3a\x4a\x08abcdefgh\x08abcdefgh")
		if _, err := udp.Write(hello); err != nil {
			t.Fatal(err)
		}
		_ = udp.SetReadDeadline(time.Now().Add(ptytest.Patience))
		if n, err := udp.Read(hello); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d bytes come back, %v, want a refusal", n, err)
		}
	}
}

// A page that has lost its line is asked which seat was its own, and comes back to that. Another
// gets a new one.
func TestBrowserComesBack(t *testing.T) {
	innerlooptest.Skip(t, "a line that is lost")
	r := open(t, withWeb(t))
	a, p := enters(t, r, 100, 30)
	a.sees("running")
	seat := r.Seats()[0]
	p.CloseNow()
	has(t, "the line is lost", seat.Lost)
	b, _ := visits(t, r, 100, 30)
	b.types(rightCode + "\r")
	b.sees("Which is yours?")
	b.types("\r")
	b.sees("seed 3")
	c, _ := visits(t, r, 100, 30)
	c.types(rightCode + "\r")
	c.sees("Which is yours?")
	c.types("01\r")
	c.sees("seat 1 is as you left it")
	if all := r.Seats(); len(all) != 2 || seat.Lost() {
		t.Errorf("there are %d seats", len(all))
	}
}

// The page's own connections are bounded too, those that say nothing as well. The address of
// whoever comes is known behind the gate.
func TestGate(t *testing.T) {
	quiet(t)
	r := open(t, withWeb(t), func(o *Options) { o.Students = 1 })
	a, _ := visits(t, r, 80, 24)
	if n := r.gate.crowd.size(); n != 1 {
		t.Errorf("%d connections", n)
	}
	a.types("wrong\r")
	a.sees("that is not the code")
	r.door.attempts.mu.Lock()
	for from := range r.door.attempts.byAddress {
		if from.String() != "127.0.0.1" {
			t.Errorf("a code from %s", from)
		}
	}
	r.door.attempts.mu.Unlock()
	most := perPage + inAll
	var all []net.Conn
	var cut atomic.Int64
	var reads sync.WaitGroup
	for range most + 20 {
		c, err := net.Dial("tcp", web(r))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
		reads.Go(func() {
			_, _ = c.Read(make([]byte, 1))
			cut.Add(1)
		})
	}
	wait(t, func() bool { return cut.Load() >= 20 }, func() string {
		return fmt.Sprintf("of %d connections %d were cut", len(all), cut.Load())
	})
	if n := r.gate.crowd.size(); n > most {
		t.Errorf("%d connections are open", n)
	}
	for _, c := range all {
		c.Close()
	}
	reads.Wait()
}
