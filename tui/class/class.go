// Package class is a room: a lecturer's screen, and one for each student who joins it over SSH or
// with a browser.
//
// How it works. A Room listens. Its door (an SSH server of package wish) lets in who has the code,
// and hands on a terminal's requests and nothing else. Beside it may be a page with a terminal in
// it (package sip), which asks for the same code within the same limits. A student who comes in
// takes a seat: a session of their own, made of the lecturer's with another seed, and the program's
// own screen over it (package app), as a guest in the process. Outside.Closed keeps that screen from
// files, commands and everything else on the machine. What a seat takes of it is bounded by
// session.Budget, and what goes over its line by sender and receiver.
//
// The lecturer has a Board: who is there, and everyone's ε against their error.
package class

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/share"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// Closed is why a student's screen reaches nothing outside of itself.
const Closed = "not in a class"

// Students of a room, unless it is said, and at most.
const DefaultStudents, MaxStudents = 40, 200

// Options are what a room is made of.
type Options struct {
	Students int          // at most
	Code     string       // that lets in
	Key      gossh.Signer // of the host
	// Config and Problem are what a student begins with, but for the seed: it is the lecturer's
	// and the number of the seat.
	Config  engine.Config
	Problem *targets.Problem
	// CommandLine is that of control.Outside.
	CommandLine func(*engine.Snapshot) (string, error)
	// Lesson begins on every student's screen; nil for none. Its first scene is of Config.
	Lesson *lesson.Lesson
	// Memory is what the keyframes of all sessions take, and Governor slows the students' down
	// together where the machine does not keep up. The lecturer's session has them too.
	Memory   *share.Memory
	Governor *share.Governor
	// Web is where the room listens for browsers too.
	Web Web
	// Idle is how long a student may type nothing; 0 for half an hour.
	Idle time.Duration
}

// Validate says why there can be no such room.
func (o *Options) Validate() error {
	switch _, outside := o.Problem.F64.(targets.Outside[float64]); {
	case o.Problem.F64 == nil:
		return fmt.Errorf("a class needs a density or a regression: networks take more than a student's share, and %s is one", o.Problem.Spec)
	case outside:
		return fmt.Errorf("a class needs a target within the program, and %s is a command", o.Problem.Spec)
	case o.Students < 1 || o.Students > MaxStudents:
		return fmt.Errorf("a class has 1 to %d students, got %d", MaxStudents, o.Students)
	}
	return nil
}

// Told counts what has happened at the door.
type Told struct {
	Came  int // students who took a seat
	Wrong int // wrong codes
	Held  int // attempts that were refused because there were too many
	Full  int // students who found no seat
}

// A Room is a class.
type Room struct {
	Options
	Addr net.Addr // where it listens

	door     *door
	listen   net.Listener
	budget   session.Budget
	look     time.Duration // from one look for idle students to the next
	ctx      context.Context
	end      context.CancelCauseFunc
	served   chan struct{}
	closeWeb context.CancelFunc
	webbed   chan struct{} // the web's door is closed
	inside   sync.WaitGroup

	mu    sync.Mutex
	ended bool
	told  Told
	seats []*Seat
}

// A Seat is a student's place.
type Seat struct {
	Number  int // from 1
	Since   time.Time
	session atomic.Pointer[session.Session]
}

// Snapshot is what the student's session has published last, nil before that is there.
func (s *Seat) Snapshot() *engine.Snapshot {
	if live := s.session.Load(); live != nil {
		return live.Snapshot()
	}
	return nil
}

// Open opens a room that listens. The caller calls Close.
func Open(l net.Listener, o Options) (*Room, error) {
	if o.Idle <= 0 {
		o.Idle = 30 * time.Minute
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &Room{Options: o, Addr: l.Addr(), listen: l, look: lookIdle, served: make(chan struct{})}
	r.Config.Lanes = slices.Clone(o.Config.Lanes)
	r.share()
	r.ctx, r.end = context.WithCancelCause(context.Background())
	d, err := newDoor(r, o.Key)
	if err != nil {
		return nil, err
	}
	r.door = d
	web, closeWeb := context.WithCancel(context.Background())
	r.closeWeb, r.webbed = closeWeb, make(chan struct{})
	if r.Web == (Web{}) {
		close(r.webbed)
	} else if err := r.serve(web); err != nil {
		closeWeb()
		return nil, err
	}
	go func() {
		defer close(r.served)
		_ = d.Serve(l) // until the door closes
	}()
	return r, nil
}

// LecturerShare is the share of the processors' time that the lecturer's own lanes may take.
const LecturerShare = 0.5

// Keyframes is the bytes that the keyframes of all sessions may take, the lecturer's too.
const Keyframes = 256 << 20

// What all students may take together.
const (
	coresShare    = 0.6  // of each of the machine's
	studentSpeed  = 2000 // steps a second
	studentDim    = 100
	studentLanes  = 2
	studentChains = 4
)

// share divides what the machine has.
func (r *Room) share() {
	n := float64(r.Students)
	r.budget = session.Budget{
		Lanes: max(studentLanes, len(r.Config.Lanes)), Chains: max(studentChains, r.Config.ChainCount()), Dim: max(studentDim, r.Problem.Dim()),
		StepsPerSecond: studentSpeed, Share: min(max(coresShare*float64(runtime.NumCPU())/n, 0.01), 0.5),
	}
}

// note counts something.
func (r *Room) note(count func(*Told)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count(&r.told)
}

// Told is what has happened at the door so far.
func (r *Room) Told() Told {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.told
}

// Seats are those that are taken, by number.
func (r *Room) Seats() []*Seat {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.Clone(r.seats)
	slices.SortFunc(all, func(a, b *Seat) int { return a.Number - b.Number })
	return all
}

var (
	errFull = errors.New("the room is full")
	errOver = errors.New("the class is over")
)

// take takes the first seat that is free.
func (r *Room) take() (*Seat, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended:
		return nil, errOver
	case len(r.seats) >= r.Students:
		r.told.Full++
		return nil, errFull
	}
	s := &Seat{Number: 1, Since: time.Now()}
	for slices.ContainsFunc(r.seats, func(o *Seat) bool { return o.Number == s.Number }) {
		s.Number++
	}
	r.seats = append(r.seats, s)
	r.told.Came++
	r.inside.Add(1)
	return s, nil
}

// free frees a seat.
func (r *Room) free(s *Seat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seats = slices.DeleteFunc(r.seats, func(o *Seat) bool { return o == s })
	r.inside.Done()
}

// goodbye is how long the end of a class waits for the students' screens.
const goodbye = 3 * time.Second

// Close ends the class, with a word to everyone.
func (r *Room) Close() {
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.end(errOver)
	left := make(chan struct{})
	go func() {
		r.inside.Wait()
		close(left)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	select {
	case <-left:
	case <-ctx.Done(): // somebody's line is stuck
	}
	// The server closes only the listener that it serves already.
	_ = r.listen.Close()
	<-r.served
	r.closeWeb()
	r.door.end(ctx)
	late := time.After(goodbye)
	for _, done := range []chan struct{}{left, r.webbed} {
		select {
		case <-done:
		case <-late:
			return
		}
	}
}
