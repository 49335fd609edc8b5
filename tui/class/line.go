package class

import (
	"bytes"
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// What comes and goes over a line.
const (
	mostPaste    = 4096      // bytes of pasted text; the rest is dropped
	mostSequence = 256       // bytes of an escape sequence
	bytesIn      = 16 << 10  // a second
	bytesOut     = 256 << 10 // a second
)

// A rate bounds the bytes a second of a line. A second's worth may come at once.
type rate struct {
	perSecond float64
	ahead     time.Time // when what has passed is paid for
}

// wait waits until n more bytes may pass, or ctx ends. Then they may.
func (r *rate) wait(ctx context.Context, n int) {
	now := time.Now()
	if r.ahead.Before(now) {
		r.ahead = now
	}
	r.ahead = r.ahead.Add(time.Duration(float64(n) / r.perSecond * float64(time.Second)))
	late := r.ahead.Sub(now) - time.Second
	if late <= 0 {
		return
	}
	t := time.NewTimer(late)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// A terminal answers question by answer once it has drawn what came before (ECMA-48, DSR).
const question, answer = "\x1b[5n", "\x1b[0n"

const (
	mostUndrawn = 32 << 10 // bytes that a terminal may be behind
	patience    = 2 * time.Second
)

// sender writes to a student's terminal, not more than bytesOut a second, and not before that has drawn most of what
// was sent. A slow terminal or line so misses frames, where it would otherwise show ever older ones. One that has never
// answered is waited for once, and one that is late with an answer misses all but a frame in so long.
type sender struct {
	ctx  context.Context
	to   io.Writer
	mu   sync.Mutex
	rate rate

	answered chan struct{} // takes the terminal's answers; nil for one that is not asked
	answers  bool          // the terminal has answered
	mute     bool          // it has not answered its first question in time
	undrawn  int           // bytes sent since the newest question that was answered
	asked    int           // undrawn at the question that is open; 0 for none
}

func newSender(ctx context.Context, to io.Writer) *sender {
	return &sender{ctx: ctx, to: to, rate: rate{perSecond: bytesOut}}
}

// Write implements io.Writer. It never fails: what no line takes any more is dropped. Bubble Tea
// would draw all cells again for each frame that failed, until the screen has ended.
func (s *sender) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(b)
}

// write is Write while s.mu is held.
func (s *sender) write(b []byte) (int, error) {
	s.rate.wait(s.ctx, len(b))
	s.catchUp()
	_, _ = s.to.Write(b)
	s.undrawn += len(b)
	if s.answered != nil && s.asked == 0 && s.undrawn > 0 {
		_, _ = io.WriteString(s.to, question)
		s.asked = s.undrawn
	}
	return len(b), nil
}

// catchUp takes the answer to the open question. It waits for that if the terminal is too far behind.
func (s *sender) catchUp() {
	if s.asked == 0 {
		return
	}
	wait := time.Duration(0)
	if !s.mute && s.undrawn > mostUndrawn {
		wait = patience
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case <-s.answered:
		s.answers, s.mute = true, false
		s.undrawn, s.asked = s.undrawn-s.asked, 0
	case <-late.C:
		s.mute = s.mute || wait > 0 && !s.answers
	case <-s.ctx.Done():
	}
}

// receiver reads what a student types, not more than bytesIn a second. It drops what is too long
// of a paste or an escape sequence, so that whoever waits for its end need not keep much.
type receiver struct {
	ctx   context.Context
	from  io.Reader
	rate  rate
	heard atomic.Int64 // when something last came, in nanoseconds
	in    within
	n     int             // bytes of the present paste or sequence
	heeds chan<- struct{} // is told of the terminal's answers; nil for one that is not asked
	tail  [len(pasteEnd)]byte
	raw   [1024]byte
	out   []byte // what is left to be read
}

func newReceiver(ctx context.Context, from io.Reader) *receiver {
	r := &receiver{ctx: ctx, from: from, rate: rate{perSecond: bytesIn}}
	r.heard.Store(time.Now().UnixNano())
	return r
}

// idle is how long nothing has come.
func (r *receiver) idle() time.Duration { return time.Since(time.Unix(0, r.heard.Load())) }

// apart is the time after which what comes does not go on with an escape sequence.
const apart = 100 * time.Millisecond

// Read implements io.Reader. It fails where there is no room, since a sequence without an end fills
// the buffer of term.Terminal, which goes on reading then.
func (r *receiver) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, io.ErrShortBuffer
	}
	for len(r.out) == 0 {
		begun := time.Now() // what waits here while the line pays for what has passed comes without a pause
		n, err := r.from.Read(r.raw[:])
		if r.in != pasted && time.Since(begun) > apart {
			r.in, r.n = ground, 0
		}
		answers := 0
		if r.out, answers = r.keep(r.out[:0], r.raw[:n]); n > answers*len(answer) {
			r.heard.Store(time.Now().UnixNano())
		}
		r.rate.wait(r.ctx, n)
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(b, r.out)
	r.out = r.out[n:]
	return n, nil
}

// within is what a byte stands in.
type within uint8

const (
	ground   within = iota
	escaped         // after ESC
	sequence        // a control sequence, up to its last byte
	text            // a string, such as OSC, up to BEL or ST
	pasted          // up to pasteEnd
)

const pasteStart, pasteEnd, stringEnd = "\x1b[200~", "\x1b[201~", "\x1b\\"

const esc, bel = 0x1b, 0x07

// keep appends to out what is not too long. What ends something that was cut is whole. It leaves out
// the terminal's answers that are whole in b, and returns how many; all are told to whoever heeds them.
func (r *receiver) keep(out, b []byte) (kept []byte, answers int) {
	for _, c := range b {
		copy(r.tail[:], r.tail[1:])
		r.tail[len(r.tail)-1] = c
		most := mostSequence
		if r.in == pasted {
			most = mostPaste
		}
		r.n++
		switch end := r.step(c); {
		case r.n <= most:
			out = append(out, c)
		case end != "":
			out = append(out, end...)
		}
		if r.heeds == nil || r.in != ground || r.n != len(answer) || !bytes.HasSuffix(r.tail[:], []byte(answer)) {
			continue
		}
		select {
		case r.heeds <- struct{}{}:
		default:
		}
		if before := len(out) - len(answer); before >= 0 {
			out, answers = out[:before], answers+1
		}
	}
	return out, answers
}

// step goes on by a byte, and returns what ends the paste or the sequence that ends with it, empty if none does.
func (r *receiver) step(c byte) (end string) {
	switch r.in {
	case ground:
		r.n = 1
		if c == esc {
			r.in = escaped
		}
	case escaped:
		switch c {
		case '[':
			r.in = sequence
		case ']', 'P', '_', '^', 'X':
			r.in = text
		case esc:
			r.n = 1
		default:
			r.in = ground
		}
	case sequence:
		switch {
		case c == esc:
			r.in, r.n = escaped, 1
		case string(r.tail[:]) == pasteStart:
			r.in, r.n = pasted, 0
		case c >= 0x40 && c <= 0x7e:
			r.in = ground
			return string(c)
		}
	case text:
		switch {
		case c == bel:
			r.in = ground
			return string(c)
		case c == '\\' && r.tail[len(r.tail)-2] == esc:
			r.in = ground
			return stringEnd
		}
	case pasted:
		if string(r.tail[:]) == pasteEnd {
			r.in = ground
			return pasteEnd
		}
	}
	return ""
}
