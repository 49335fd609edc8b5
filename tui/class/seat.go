package class

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"charm.land/ssh"

	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/printable"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/control"
)

// errIdle is why a student who does nothing leaves.
var errIdle = errors.New("nothing was typed for a while")

// studentFPS is how often a student's screen is drawn. A key is shown at once.
const studentFPS = 10

// lookIdle is how often somebody looks whether a student still does something.
const lookIdle = 15 * time.Second

// sit gives a student a seat, until they leave it or the class ends, and says then why.
func (r *Room) sit(s ssh.Session) {
	l, ok := s.Context().Value(lineKey{}).(*line)
	pty, _, terminal := s.Pty()
	if !ok || !terminal {
		return // the door lets in nobody without
	}
	l.seated()
	ctx, cancel := context.WithCancelCause(s.Context())
	// Then a line that takes nothing is cut too.
	context.AfterFunc(ctx, func() { time.AfterFunc(goodbye, func() { _ = l.Close() }) })
	defer cancel(nil)
	seat, err := r.take()
	if err == nil {
		defer r.free(seat)
		defer context.AfterFunc(r.ctx, func() { cancel(errOver) })()
		size := bounded(pty.Window.Width, pty.Window.Height)
		err = r.show(ctx, cancel, seat, &app.Guest{Width: size.Width, Height: size.Height, Sizes: l.sizes}, pty.Term, s)
		err = cmp.Or(context.Cause(ctx), err)
	}
	if err != nil && !errors.Is(err, app.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		_, _ = io.WriteString(s, printable.Line("psgld-tui class: "+err.Error())+"\r\n")
	}
}

// problem opens the target for a student. One of data is shared.
func (r *Room) problem() *targets.Problem {
	p, err := r.Config.OpenWith(targets.Options{Closed: Closed})
	if err != nil {
		return r.Problem
	}
	p.Reference = r.Problem.Reference
	return p
}

// show shows a seat's session on a student's terminal, until that is left, ctx ends or the
// student does nothing.
func (r *Room) show(ctx context.Context, cancel context.CancelCauseFunc, seat *Seat, g *app.Guest, term string, to io.ReadWriter) (err error) {
	in := newReceiver(ctx, to)
	look := time.NewTicker(r.look)
	defer look.Stop()
	go func() {
		for {
			select {
			case <-look.C:
				if in.idle() > r.Idle {
					cancel(errIdle)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	cfg := r.Config
	cfg.Seed += uint64(seat.Number)
	start := func(context.Context, *control.Loading) (*session.Session, error) {
		s, err := session.New(cfg, r.problem(), session.Runtime{Threads: 1, Interactive: true, Memory: r.Memory, Governor: r.Governor, Closed: Closed, Budget: r.budget})
		if err == nil {
			seat.session.Store(s)
		}
		return s, err
	}
	o := app.Options{
		Output: newSender(ctx, to), Input: in, Environ: []string{"TERM=" + term, "LC_ALL=C.UTF-8"}, Guest: g, FPS: studentFPS,
		Opening: fmt.Sprintf("seat %d", seat.Number), Patience: time.Second,
		Lesson: r.Lesson, Outside: control.Outside{Closed: Closed, CommandLine: r.CommandLine},
	}
	// What panics in a student's screen or session ends that one.
	if p := caught.In("your screen", func() { _, err = app.Run(ctx, start, o) }); p != nil {
		err = p
	}
	return err
}
