package class

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// A Seat is a student's place: a session of their own and the screen over it. It outlives the
// line of the student, who comes back to it as it was left.
type Seat struct {
	Number int // from 1
	Since  time.Time

	session atomic.Pointer[session.Session]
	place   atomic.Pointer[control.Scene] // in a lesson
	screen  *showing
	mail    chan tea.Msg
	wire    *wire
	ctx     context.Context
	end     context.CancelCauseFunc
	over    chan struct{} // closed when the screen has ended, because of why
	why     error
	key     string // the visitor's
	chose   bool   // to follow the lecturer, before all had to; of the screen's goroutine

	// These are the room's, which locks them.
	name    string
	follows bool
	stood   Leaver     // when the session last answered
	from    netip.Addr // of the newest line
}

// Snapshot is what the student's session has published last, nil before that is there.
func (s *Seat) Snapshot() *engine.Snapshot {
	if live := s.session.Load(); live != nil {
		return live.Snapshot()
	}
	return nil
}

// Place is where the student is in a lesson; nil for none.
func (s *Seat) Place() *control.Scene { return s.place.Load() }

// Lost reports whether the student's line is lost.
func (s *Seat) Lost() bool { return s.wire.lost() > 0 }

// post tells the seat's screen something. A screen that has stopped taking what it is told, as
// one that hangs does, is told no more.
func (s *Seat) post(msg tea.Msg) {
	select {
	case s.mail <- msg:
	default:
	}
}

// errIdle is why a student who does nothing leaves.
var errIdle = errors.New("nothing was typed for a while")

// studentFPS is how often a student's screen is drawn. A key is shown at once.
const studentFPS = 10

// How often somebody looks whether a student still does something, and for how long that may be nothing.
const lookIdle, mostIdle = 15 * time.Second, 30 * time.Minute

// sit gives a student who came over SSH a seat.
func (r *Room) sit(s ssh.Session) {
	l, ok := s.Context().Value(lineKey{}).(*line)
	pty, _, terminal := s.Pty()
	if !ok || !terminal {
		return // the door lets in nobody without
	}
	// The connection may last. Its seat counts it from here on.
	l.late.Stop()
	l.uncount()
	v := &visitor{
		ReadWriter: s,
		term:       []string{"TERM=" + pty.Term},
		size:       bounded(pty.Window.Width, pty.Window.Height),
		sizes:      l.sizes,
		key:        address(s.RemoteAddr().String()).String() + " " + s.User(),
		from:       address(s.RemoteAddr().String()),
		cut:        func() { _ = l.Close() },
	}
	if key := s.PublicKey(); key != nil {
		v.key, v.proven = gossh.FingerprintSHA256(key), true
	}
	go l.watch(s)
	r.attend(s.Context(), v)
}

// parting is how long a student's program may take to end after the screen has. Where it has not the line is cut, and
// that program says so.
const parting = 5 * goodbye

// attend gives a visitor a seat, the one that they had if its line was lost, until they leave
// it, the line is lost, which ends ctx, or the class ends. It says then why.
func (r *Room) attend(ctx context.Context, v *visitor) {
	seat, e, err := r.back(v)
	if e == nil && err == nil {
		if seat, e, err = r.take(v); err == nil {
			go r.show(seat, v)
		}
	}
	if err == nil {
		defer r.inside.Done()
		err = seat.attend(ctx, e)
	}
	time.AfterFunc(parting, v.cut) // most have gone by then
	if err != nil && !errors.Is(err, app.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		_, _ = io.WriteString(v, printable.Line("psgld-tui class: "+err.Error())+"\r\n")
	}
}

// attend has a student at the seat's screen for as long as there is their line, and returns why
// the screen has ended, nil if it has not.
func (s *Seat) attend(ctx context.Context, e *end) error {
	// Once the screen is to end, a line that takes nothing is cut.
	cut := context.AfterFunc(s.ctx, func() { time.AfterFunc(parting, e.cut) })
	defer cut()
	s.wire.begin(e)
	s.post(backMsg{})
	select {
	case <-ctx.Done():
		s.wire.lose(e)
	case <-e.gone:
	case <-s.over:
		return s.why
	}
	return nil
}

// problem opens a target for a student. One of data is shared.
func (r *Room) problem(cfg state.Config, shared *targets.Problem) *targets.Problem {
	p, err := cfg.OpenWith(targets.Options{Closed: Closed})
	if err != nil {
		return shared
	}
	p.Reference, p.Function = shared.Reference, shared.Function
	return p
}

// show shows a seat's session until that is left, the class ends, or the student is away for too long.
func (r *Room) show(seat *Seat, v *visitor) {
	defer close(seat.over)
	defer r.free(seat)
	defer seat.end(nil)
	look := time.NewTicker(r.look)
	defer look.Stop()
	go func() {
		for {
			select {
			case <-look.C:
				if seat.wire.idle() > r.idle {
					seat.end(errIdle)
				}
			case <-seat.ctx.Done():
				return
			}
		}
	}()
	cfg := r.Config
	cfg.Seed += uint64(seat.Number)
	start := func(context.Context, *control.Loading) (*session.Session, error) {
		s, err := session.New(cfg, r.problem(cfg, r.Problem),
			session.Runtime{Threads: 1, Interactive: true, Memory: r.Memory, Governor: r.Governor, Closed: Closed,
				Budget: r.budget})
		if err == nil {
			seat.session.Store(s)
		}
		return s, err
	}
	own := r.newStudent(seat)
	o := app.Options{
		Output: seat.wire, Input: seat.wire, Environ: append(slices.Clip(v.term), "LC_ALL=C.UTF-8"), FPS: studentFPS,
		Guest:   &app.Guest{Width: v.size.Width, Height: v.size.Height, Sizes: seat.wire.sizes},
		Opening: fmt.Sprintf("seat %d", seat.Number), Patience: time.Second,
		Lesson: r.Lesson, Class: own, Seed: uint64(seat.Number), More: []app.More{own.at},
		Outside: control.Outside{Closed: Closed, OfFiles: r.OfFiles,
			CommandLine: func(s *engine.Snapshot) (string, error) { return grammar.SteeredLine(s) }},
	}
	var err error
	// What panics in a student's screen or session ends that one.
	if p := caught.In("your screen", func() { _, err = app.Run(seat.ctx, start, o) }); p != nil {
		err = p
	}
	seat.why = cmp.Or(context.Cause(seat.ctx), err)
}
