package class

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
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

// A studentLine is a student's terminal at the other end of a line.
type studentLine struct {
	io.ReadWriter
	size  tea.WindowSizeMsg // at the start
	sizes <-chan tea.WindowSizeMsg
	term  []string // the terminal's variables, such as TERM
	cut   func()   // cuts the line
}

// sit gives the student of an SSH session a seat.
func (r *Room) sit(s ssh.Session) {
	l, ok := s.Context().Value(lineKey{}).(*line)
	pty, _, terminal := s.Pty()
	if !ok || !terminal {
		return // the door lets in nobody without
	}
	l.seated()
	r.attend(s.Context(), studentLine{
		ReadWriter: s, size: bounded(pty.Window.Width, pty.Window.Height), sizes: l.sizes, term: []string{"TERM=" + pty.Term}, cut: func() { _ = l.Close() },
	})
}

// attend gives a student a seat, until they leave it, ctx ends or the class does, and says then why.
func (r *Room) attend(ctx context.Context, l studentLine) {
	ctx, cancel := context.WithCancelCause(ctx)
	// Then a line that takes nothing is cut too.
	context.AfterFunc(ctx, func() { time.AfterFunc(goodbye, l.cut) })
	defer cancel(nil)
	seat, err := r.take()
	if err == nil {
		defer r.free(seat)
		defer context.AfterFunc(r.ctx, func() { cancel(errOver) })()
		err = r.show(ctx, cancel, seat, l)
		err = cmp.Or(context.Cause(ctx), err)
	}
	if err != nil && !errors.Is(err, app.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		_, _ = io.WriteString(l, printable.Line("psgld-tui class: "+err.Error())+"\r\n")
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
func (r *Room) show(ctx context.Context, cancel context.CancelCauseFunc, seat *Seat, l studentLine) (err error) {
	in := newReceiver(ctx, l)
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
		Output: newSender(ctx, l), Input: in, Environ: append([]string{"LC_ALL=C.UTF-8"}, l.term...), FPS: studentFPS,
		Guest:   &app.Guest{Width: l.size.Width, Height: l.size.Height, Sizes: l.sizes},
		Opening: fmt.Sprintf("seat %d", seat.Number), Patience: time.Second,
		Lesson: r.Lesson, Outside: control.Outside{Closed: Closed, CommandLine: r.CommandLine},
	}
	// What panics in a student's screen or session ends that one.
	if p := caught.In("your screen", func() { _, err = app.Run(ctx, start, o) }); p != nil {
		err = p
	}
	return err
}
