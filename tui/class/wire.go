package class

import (
	"context"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A visitor is somebody at the other end of a line, of whatever door.
type visitor struct {
	io.ReadWriter
	term  []string // the variables of the terminal, such as TERM
	size  tea.WindowSizeMsg
	sizes <-chan tea.WindowSizeMsg // those that it gets later
	// key finds the seat again when its line is lost. Empty: never. One that is proven takes the
	// seat from a line that is still there too.
	key    string
	proven bool
	from   netip.Addr
	cut    func() // closes the line
}

// A wire joins a student's screen to the line that there is: to none while that is lost, and
// then to another one. What is shown meanwhile is dropped.
type wire struct {
	ctx   context.Context // of the screen
	sizes chan tea.WindowSizeMsg
	keys  *latency
	loses func()       // is told that a line was lost, before there is another
	typed atomic.Int64 // when what was not answered yet was typed, in nanoseconds; 0 for nothing

	mu   sync.Mutex
	come sync.Cond // a line, or the end
	now  *end      // nil for no line
	at   time.Time // when that began
	over bool
	// What the screen has set of its terminal's modes, for the next one.
	set modes
}

// An end is that of a line.
type end struct {
	*visitor
	in   *receiver
	out  *sender
	gone chan struct{} // closed when the line is no longer the wire's
}

func newWire(ctx context.Context, keys *latency, loses func()) *wire {
	w := &wire{ctx: ctx, keys: keys, loses: loses, sizes: make(chan tea.WindowSizeMsg, 1)}
	w.come.L = &w.mu
	context.AfterFunc(ctx, w.close)
	return w
}

// close ends reading.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.come.Broadcast()
}

// join joins a line, unless there is one; then it returns nil. The caller calls begin.
func (w *wire) join(v *visitor) *end {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now != nil {
		return nil
	}
	answered := make(chan struct{}, 1)
	w.now = &end{visitor: v, in: newReceiver(w.ctx, v), out: newSender(w.ctx, v), gone: make(chan struct{})}
	w.now.in.heeds, w.now.out.answered = answered, answered
	w.now.out.mu.Lock() // until begin has set the terminal's modes
	w.come.Broadcast()
	return w.now
}

// begin sets the terminal of a line as the screen wants it, and lets the screen read from it.
func (w *wire) begin(e *end) {
	w.mu.Lock()
	again := w.set.all()
	w.mu.Unlock()
	_, _ = e.out.write([]byte(again))
	e.out.mu.Unlock()
	newest(w.sizes, e.size)
	go func() {
		for {
			select {
			case size := <-e.sizes:
				newest(w.sizes, size)
			case <-e.gone:
				return
			case <-w.ctx.Done():
				return
			}
		}
	}()
}

// newest puts a size in the place of one that nobody has taken.
func newest(to chan tea.WindowSizeMsg, size tea.WindowSizeMsg) {
	for {
		select {
		case to <- size:
			return
		default:
		}
		select {
		case <-to:
		default:
		}
	}
}

// lose takes a line away, if it is the wire's.
func (w *wire) lose(e *end) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now == e && e != nil {
		w.now, w.at = nil, time.Now()
		w.loses()
		close(e.gone)
	}
}

// end is the present line; nil for none.
func (w *wire) end() *end {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// lost is how long there has been no line; 0 while there is one.
func (w *wire) lost() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now != nil {
		return 0
	}
	return time.Since(w.at)
}

// idle is how long nothing has been typed.
func (w *wire) idle() time.Duration {
	if e := w.end(); e != nil {
		return e.in.idle()
	}
	return w.lost()
}

// Read implements io.Reader. It waits while there is no line.
func (w *wire) Read(b []byte) (int, error) {
	for {
		w.mu.Lock()
		for w.now == nil && !w.over {
			w.come.Wait()
		}
		e, over := w.now, w.over
		w.mu.Unlock()
		if over {
			return 0, io.EOF
		}
		n, err := e.in.Read(b)
		if n > 0 {
			w.typed.CompareAndSwap(0, time.Now().UnixNano())
			return n, nil
		}
		if w.ctx.Err() != nil { // which ends reading from any line
			return 0, io.EOF
		}
		if err != nil {
			w.lose(e)
		}
	}
}

// Write implements io.Writer. It does not fail: a line that takes nothing is one that Read finds lost.
func (w *wire) Write(b []byte) (int, error) {
	w.mu.Lock()
	w.set.see(string(b))
	e := w.now
	w.mu.Unlock()
	if e != nil {
		_, _ = e.out.Write(b)
		if at := w.typed.Swap(0); at > 0 {
			w.keys.add(time.Since(time.Unix(0, at)))
		}
	}
	return len(b), nil
}

// modes are those that a program has set of its terminal, each by the sequence that sets it:
// private modes, such as the other screen, and what the keyboard sends.
type modes struct {
	names []string // in the order in which they were set first
	by    map[string]string
}

// see looks for sequences that set modes in what is written to a terminal. The program writes each of them whole.
func (m *modes) see(text string) {
	for {
		_, rest, ok := strings.Cut(text, "\x1b[")
		if !ok {
			return
		}
		text = rest
		n := strings.IndexFunc(rest, func(r rune) bool { return r >= 0x40 && r <= 0x7e })
		if n < 1 {
			continue
		}
		switch args, final := rest[:n], rest[n]; {
		case args[0] == '?' && (final == 'h' || final == 'l'):
			for name := range strings.SplitSeq(args[1:], ";") {
				m.put("?"+name, "\x1b[?"+name+string(final))
			}
		case strings.ContainsRune(">=<", rune(args[0])) && (final == 'u' || final == 'm'):
			m.put(string(args[0])+string(final), "\x1b["+args+string(final))
		}
	}
}

// synchronized is the mode in which a frame is drawn, which stays for that alone.
const synchronized = "?2026"

func (m *modes) put(name, sequence string) {
	if name == synchronized {
		return
	}
	if _, known := m.by[name]; !known {
		m.names = append(m.names, name)
	}
	if m.by == nil {
		m.by = map[string]string{}
	}
	m.by[name] = sequence
}

func (m *modes) all() string {
	var b strings.Builder
	for _, name := range m.names {
		b.WriteString(m.by[name])
	}
	return b.String()
}

// A latency is the time from what is typed to the next thing that is shown, of the newest keys of all students.
type latency struct {
	mu    sync.Mutex
	ring  [256]time.Duration
	count int
}

func (l *latency) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring[l.count%len(l.ring)] = d
	l.count++
}

// high is the time within which 95% of the keys were answered, 0 without any.
func (l *latency) high() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(l.count, len(l.ring))
	if n == 0 {
		return 0
	}
	all := slices.Sorted(slices.Values(l.ring[:n]))
	return all[(n*95-1)/100]
}
