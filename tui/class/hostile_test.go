package class

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
)

// Ten thousand connections that mean no good, over the loopback alone, leave the room standing. A
// student who sits there meanwhile sees nothing of them, and afterwards no goroutine, no
// descriptor and no memory is taken.
func TestHostile(t *testing.T) {
	innerlooptest.Skip(t, "a thousand connections")
	quiet(t)
	hundreds := 10
	if innerlooptest.Slow {
		hundreds = 100
	}
	// Of keyframes the student who sits there has 1 MB at most, and ranks a thousand draws, for which a comparison
	// needs 70 bytes each, so that what grows is not theirs.
	r := open(t, func(o *Options) { o.Students, o.Memory, o.Config.Ranked = 6, share.NewMemory(1<<20), 1024 })
	r.look, r.idle, r.door.delay = 100*time.Millisecond, 2*time.Second, time.Millisecond
	good := sits(t, r, 100, 24)
	present, stop := context.WithCancel(t.Context())
	var still sync.WaitGroup
	still.Go(func() { // that they are still there, which turns nothing
		for present.Err() == nil {
			_, _ = io.WriteString(good.keys, focused)
			time.Sleep(200 * time.Millisecond)
		}
	})
	defer still.Wait()
	defer stop()
	good.sees("seed 2")
	good.types("[[") // slowly, so that the draws that are kept are few
	wait(t, func() bool {
		return r.Seats()[0].Snapshot().Speed <= 100
	}, func() string { return "the session is as fast as before" })
	// What is made once, such as the tables of the ciphers, is there after a first few.
	h := &hostile{t: t, room: r, good: good}
	calm := taken{heap: math.MaxUint64, goroutines: runtime.NumGoroutine() + slack}
	h.all(1)
	before := take(h, calm)
	seat := r.Seats()[0]
	was := seat.Snapshot()
	told, begun := r.Told(), time.Now()
	h.all(hundreds)
	took := time.Since(begun)
	// A kilobyte that each of 10,000 leaves would be 10 MB. The student's curves grow by 2 MB.
	most := before.heap + 6<<20
	if raced { // whose instruments have more of everything
		most += 20 << 20
	}
	after := take(h, taken{heap: most, goroutines: before.goroutines})
	t.Logf("%d connections in %v; heap %d kB before, %d kB after; %d and %d goroutines, %d and %d descriptors",
		h.made.Load(), took.Round(time.Millisecond), before.heap>>10, after.heap>>10, before.goroutines,
		after.goroutines, before.files, after.files)
	if after.heap > most {
		t.Errorf("the heap is %d kB, and was %d kB", after.heap>>10, before.heap>>10)
	}
	if after.goroutines > before.goroutines+slack || after.files > before.files {
		b := make([]byte, 1<<20)
		t.Errorf("%+v, and before it was %+v\n%s", after, before, b[:runtime.Stack(b, true)])
	}
	// Codes cannot be guessed: an address has so many attempts, and the others wait.
	now := r.Told()
	if wrong, most := now.Wrong-told.Wrong-(now.Held-told.Held), guessers*(codesOfAddress.most+int(took/codesOfAddress.every)+1); now.Wrong == told.Wrong || wrong > most {
		t.Errorf("%d wrong codes were answered without delay in %v, want at most %d", wrong, took, most)
	}
	if now.Held == told.Held {
		t.Error("nothing held the attempts")
	}
	is := seat.Snapshot()
	wait(t, func() bool {
		is = seat.Snapshot()
		return is.Lanes[0].Step > was.Lanes[0].Step
	}, func() string { return "the student's session stands still" })
	if !reflect.DeepEqual(is.Config.Lanes, was.Config.Lanes) || is.Config.Seed != was.Config.Seed ||
		is.Applied != was.Applied || is.Phase != state.Running || len(is.Marks) != len(was.Marks) {
		t.Errorf("the student's session has changed: %+v, and was %+v", is.Config, was.Config)
	}
	good.types("\x1b[C")
	wait(t, func() bool {
		return seat.Snapshot().Applied > was.Applied
	}, func() string { return "the student's key is not heard" })
	// Who has the code comes in at once, from where others have guessed too.
	for _, at := range []net.Conn{h.connectFrom(1), h.connectFrom(guessers + 1)} {
		last := h.client(at, rightCode)
		if last == nil {
			t.Fatal("nobody comes in any more")
		}
		last.Close()
	}
}

// guessers is how many addresses guess codes.
const guessers = 5

// slack is how many goroutines a screen's own timers and commands have: they come and go.
const slack = 3

// focused is what a terminal sends when its window comes to the front.
const focused = "\x1b[I"

// hostile are connections to a room.
type hostile struct {
	t    *testing.T
	room *Room
	good *student
	made atomic.Int64
}

// all makes a hundred times n connections of all kinds: many at a time, but for those that take a
// seat.
func (h *hostile) all(n int) {
	for _, kind := range []struct {
		each int // of a hundred
		do   func(*rand.Rand)
	}{
		{40, h.closed}, {30, h.garbage}, {10, h.halfOpen}, {10, h.brokenKeys}, {9, h.guess},
	} {
		h.many(kind.each*n, kind.do)
	}
	const seats = 5 // of each kind one
	for k := range seats {
		h.sit(k, rand.New(rand.NewPCG(4, uint64(k))))
	}
	h.many(max(n-seats, 0), h.idle)
}

// many does something so many times, a few at a time.
func (h *hostile) many(n int, do func(*rand.Rand)) {
	var left atomic.Int64
	left.Store(int64(n))
	var all sync.WaitGroup
	for k := range 16 {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
			for left.Add(-1) >= 0 {
				do(rng)
			}
		})
	}
	all.Wait()
}

// connect connects from one of many addresses, where the loopback has them.
func (h *hostile) connect(rng *rand.Rand) net.Conn { return h.connectFrom(1 + rng.IntN(200)) }

// connectFrom connects from one of the loopback's addresses.
func (h *hostile) connectFrom(at int) net.Conn {
	var d net.Dialer
	if runtime.GOOS == "linux" {
		d.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(at))}
	}
	c, err := d.DialContext(h.t.Context(), "tcp", h.room.Addr.String())
	if err != nil {
		h.t.Error(err)
		return nil
	}
	h.made.Add(1)
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	return c
}

// closed closes at once, one in two without a word to the other side.
func (h *hostile) closed(rng *rand.Rand) {
	if c := h.connect(rng); c != nil {
		if tcp, ok := c.(*net.TCPConn); ok && rng.IntN(2) == 0 {
			_ = tcp.SetLinger(0)
		}
		c.Close()
	}
}

// garbage writes what is no protocol.
func (h *hostile) garbage(rng *rand.Rand) {
	c := h.connect(rng)
	if c == nil {
		return
	}
	defer c.Close()
	b := make([]byte, 1+rng.IntN(1<<14))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	if rng.IntN(2) == 0 {
		copy(b, "GET / HTTP/1.1\r\n\r\n")
	}
	_, _ = c.Write(b)
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, _ = io.Copy(io.Discard, c)
}

// halfOpen waits, without a word or after the first one, for longer than it takes others.
func (h *hostile) halfOpen(rng *rand.Rand) {
	c := h.connect(rng)
	if c == nil {
		return
	}
	defer c.Close()
	if rng.IntN(2) == 0 {
		_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n")
	}
	time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
}

// brokenKeys begins as a client does and goes on with broken packets.
func (h *hostile) brokenKeys(rng *rand.Rand) {
	c := h.connect(rng)
	if c == nil {
		return
	}
	defer c.Close()
	_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n")
	b := make([]byte, 4+rng.IntN(2000))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	switch rng.IntN(3) {
	case 0: // a packet of more than there may be
		copy(b, "\x7f\xff\xff\xff")
	case 1: // a plausible length
		copy(b, "\x00\x00\x01\x0c\x04\x14")
	}
	_, _ = c.Write(b)
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, _ = io.Copy(io.Discard, c)
}

// client exchanges keys and gives codes; nil if it was not let in.
func (h *hostile) client(c net.Conn, codes ...string) *gossh.Client {
	var auth []gossh.AuthMethod
	n := 0
	auth = append(auth, gossh.RetryableAuthMethod(gossh.PasswordCallback(func() (string, error) {
		n++
		return codes[(n-1)%len(codes)], nil
	}), len(codes)))
	conn, channels, requests, err := gossh.NewClientConn(c, "room",
		&gossh.ClientConfig{User: "student", HostKeyCallback: gossh.FixedHostKey(h.room.Key.PublicKey()), Auth: auth})
	if err != nil {
		c.Close()
		return nil
	}
	return gossh.NewClient(conn, channels, requests)
}

// guess guesses codes, as many as a connection may.
func (h *hostile) guess(rng *rand.Rand) {
	c := h.connectFrom(1 + rng.IntN(guessers))
	if c == nil {
		return
	}
	if in := h.client(c, NewCode(), strings.Repeat("x", 1<<10), "\xff\xfe\x00", "", "\x1b[2J"); in != nil {
		h.t.Error("a code was guessed")
		in.Close()
	}
}

// idle exchanges keys, gives no code and goes.
func (h *hostile) idle(rng *rand.Rand) {
	if c := h.connect(rng); c != nil {
		defer c.Close()
		_, _, _, _ = gossh.NewClientConn(c, "room",
			&gossh.ClientConfig{User: "\xff", HostKeyCallback: gossh.FixedHostKey(h.room.Key.PublicKey())})
	}
}

// sit takes a seat with the right code, does what no person does, and goes without a word or waits
// to be put out.
func (h *hostile) sit(kind int, rng *rand.Rand) {
	raw := h.connect(rng)
	if raw == nil {
		return
	}
	plug := &plugged{Conn: raw, pulled: make(chan struct{})}
	c := h.client(plug, rightCode)
	if c == nil {
		h.t.Error("no seat is to be had")
		return
	}
	defer c.Close()
	s, err := c.NewSession()
	if err != nil {
		return
	}
	keys, _ := s.StdinPipe()
	out, _ := s.StdoutPipe()
	if kind%5 != 4 {
		go func() { _, _ = io.Copy(io.Discard, out) }()
	}
	if s.RequestPty("xterm-256color", 100, 300, gossh.TerminalModes{}) != nil || s.Shell() != nil {
		return // the room is full for a moment
	}
	_ = plug.SetDeadline(time.Now().Add(20 * time.Second))
	switch kind % 5 {
	case 0: // sizes
		for range 500 {
			_ = s.WindowChange(int(rng.Uint32()), int(rng.Uint32()))
		}
	case 1: // pastes that do not end, and others
		_, _ = io.WriteString(keys,
			":"+pasteStart+strings.Repeat("é", 8<<10)+pasteEnd+pasteStart+strings.Repeat("x", 8<<10))
	case 2: // no UTF-8, and sequences of all kinds
		b := make([]byte, 8<<10)
		for i := range b {
			if b[i] = byte(rng.Uint32()); i%97 == 0 {
				b[i] = esc
			}
		}
		_, _ = keys.Write(b)
	case 3: // requests that are refused
		for range 200 {
			_, _, _ = c.SendRequest("tcpip-forward", false, nil)
			_, _ = s.SendRequest("exec", false, gossh.Marshal(struct{ Command string }{"touch made"}))
		}
	case 4: // nothing is read any more, until the room cuts the line
		close(plug.pulled)
		for range 20 {
			_, _ = io.WriteString(keys, "?") // all cells change
		}
		time.Sleep(time.Duration(rng.IntN(200)) * time.Millisecond)
	}
}

// plugged is a connection that reads nothing any more from a moment on.
type plugged struct {
	net.Conn
	pulled chan struct{}
}

// Read implements io.Reader.
func (p *plugged) Read(b []byte) (int, error) {
	select {
	case <-p.pulled:
		time.Sleep(time.Second)
		return 0, net.ErrClosed
	default:
		return p.Conn.Read(b)
	}
}

// taken is what the process has taken.
type taken struct {
	heap              uint64
	goroutines, files int
}

// take waits until nobody but the student is there, and says what is taken then: so much at most, if it ends.
func take(h *hostile, most taken) (now taken) {
	open := func() (n int) {
		h.room.door.lines.Range(func(any, any) bool { n++; return true })
		return n
	}
	wait(h.t, func() bool { return open() == 1 && len(h.room.Seats()) == 1 }, func() string {
		return fmt.Sprintf("%d lines are open and %d seats taken\n%s", open(), len(h.room.Seats()), h.good.screen())
	})
	// What ends takes a moment and gives its memory back after that, so that it is waited for, and the least of a second
	// counts from then on. What is taken for good stays.
	for k, end := 0, 5; k < end; k++ {
		h.good.Forget() // what the test itself keeps
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		next := taken{m.HeapAlloc, runtime.NumGoroutine(), descriptors()}
		if k == 0 {
			now = next
		}
		now = taken{min(now.heap, next.heap), min(now.goroutines, next.goroutines), min(now.files, next.files)}
		if (now.goroutines > most.goroutines || now.heap > most.heap) && k < 150 {
			end = k + 6
		}
		time.Sleep(200 * time.Millisecond)
	}
	return now
}

// descriptors is how many files and lines the process has open, 0 where that cannot be told.
func descriptors() int {
	all, _ := os.ReadDir("/proc/self/fd")
	return len(all)
}
