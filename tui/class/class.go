// Package class is a room: a lecturer's screen, and one for each student who joins it over SSH or with a browser.
//
// How it works. A Room listens. Its door (an SSH server of package wish) lets in who has the code, and hands on a
// terminal's requests and nothing else. Beside it may be a page with a terminal in it (package sip), which asks for the
// same code within the same limits. A student who comes in takes a seat: a session of their own, made of the lecturer's
// with another seed, and the program's own screen over it (package app), as a guest in the process. Outside.Closed
// keeps that screen from files, commands and everything else on the machine. What a seat takes of it is bounded by
// session.Budget, and what goes over its line by sender and receiver.
//
// The lecturer has a Board: who is there, and everyone's ε against their error.
package class

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Closed is why a student's screen reaches nothing outside of itself.
const Closed = "not in a class"

// Students of a room, unless it is said, and at most.
const DefaultStudents, MaxStudents = 40, 200

// Options are what a room is made of.
type Options struct {
	Students   int    // at most
	PerAddress int    // seats of one address at most; 0 for as many as there are
	Code       string // that lets in
	// Keys are those of the students, who are then let in by them and not by the code; nil for all who have the code.
	Keys []gossh.PublicKey
	Key  gossh.Signer // of the host
	// Config and Problem are what a student begins with, but for the seed: it is the lecturer's
	// and the number of the seat.
	Config  state.Config
	Problem *targets.Problem
	// Lesson begins on every student's screen; nil for none. Its first scene is of Config.
	Lesson  *lesson.Lesson
	OfFiles []string // of a student's control.Outside
	// Memory is what the keyframes of all sessions take, and Governor slows the students' down
	// together where the machine does not keep up. The lecturer's session has them too.
	Memory   *share.Memory
	Governor *share.Governor
	// Write writes a summary and says where. The room has it written from its first student on; nil for never.
	Write func(Summary) (where string, err error)
	// Web is where the room listens for browsers too.
	Web Web
}

// Validate says why there can be no such room.
func (o *Options) Validate() error {
	if o.Students < 1 || o.Students > MaxStudents {
		return fmt.Errorf("a class has 1 to %d students, got %d", MaxStudents, o.Students)
	}
	return admits(o.Problem)
}

// admits says why students cannot sample a target.
func admits(p *targets.Problem) error {
	switch {
	case p.F64 == nil:
		return fmt.Errorf("a class needs a density or a regression: networks take more than a student's share, and %s is one", p.Spec)
	case p.Outside():
		return fmt.Errorf("a class needs a target within the program, and %s is a command", p.Spec)
	}
	return nil
}

// Told counts what has happened at the door.
type Told struct {
	Came  int   // students who took a seat
	Wrong int   // wrong codes
	Held  int   // codes that were answered late because there were too many
	Full  int   // students who found no seat
	Web   error // why the page is not served; nil where it is
	// Unwritten is why the newest summary is not written; nil where it is.
	Unwritten error
	Together  int // seats that are held from one address, of the one that holds the most
}

// A Room is a class.
type Room struct {
	Options
	Addr net.Addr // where it listens

	door     *door
	listen   net.Listener
	budget   session.Budget
	look     time.Duration // from one look for idle students to the next
	idle     time.Duration // for which they may type nothing
	rewrite  time.Duration // from one summary to the next
	says     time.Duration // that a session has to say how it stands
	ctx      context.Context
	end      context.CancelCauseFunc
	served   chan struct{}
	closeWeb context.CancelFunc
	webbed   chan struct{}  // the web's door is closed
	gate     *gate          // of the page; nil for none
	inside   sync.WaitGroup // seats, and visitors who are told why they end

	screen *showing // the lecturer's
	keys   latency  // of all students
	// seatings bounds how many new seats are taken.
	seatings attempts
	writing  sync.Mutex // of a summary
	mu       sync.Mutex
	ended    bool
	told     Told
	seats    []*Seat
	left     []Leaver
	polls    []*Poll
	lecture  *control.Scene // where the lecturer is in a lesson; nil for nowhere
	frozen   bool
}

// Open opens a room that listens. The caller calls Close.
func Open(l net.Listener, o Options) (*Room, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &Room{Options: o, Addr: l.Addr(), listen: l, look: lookIdle, idle: mostIdle, rewrite: rewrite,
		says: saysWithin, served: make(chan struct{}), screen: newShowing()}
	r.Config.Lanes = slices.Clone(o.Config.Lanes)
	r.seatings = attempts{limit: limit{o.Students + fromAddress, 5 * time.Second}}
	r.share()
	r.ctx, r.end = context.WithCancelCause(context.Background())
	r.door = newDoor(r)
	web, closeWeb := context.WithCancel(context.Background())
	r.closeWeb, r.webbed = closeWeb, make(chan struct{})
	if r.Web.Addr == "" {
		close(r.webbed)
	} else if err := r.serve(web); err != nil {
		closeWeb()
		return nil, err
	}
	go func() {
		defer close(r.served)
		_ = r.door.Serve(l) // until the door closes
	}()
	return r, nil
}

// LecturerShare is the share of the processors' time that the lecturer's own lanes may take.
const LecturerShare = 0.5

// Ranked is how many draws of a coordinate a lane ranks, unless the line of the class says another number: the
// keyframes of a seat have room for so many.
const Ranked = 1 << 15

// Keyframes is the bytes that the keyframes of all sessions may take, the lecturer's too.
const Keyframes = 128 << 20

// What all students may take together.
const (
	coresShare    = 0.6    // of each of the machine's
	studentSpeed  = 20_000 // steps a second, and at the start
	firstSpeed    = 2000
	studentDim    = 400
	studentLanes  = 2
	studentChains = 4
)

// share divides what the machine has.
func (r *Room) share() {
	n := float64(r.Students)
	r.budget = session.Budget{Share: min(max(coresShare*float64(runtime.NumCPU())/n, 0.01), 0.5), Bounds: state.Bounds{
		Lanes:          max(studentLanes, len(r.Config.Lanes)),
		Chains:         max(studentChains, r.Config.ChainCount()),
		Dim:            max(studentDim, r.Problem.Dim()),
		StepsPerSecond: studentSpeed,
		Ranked:         r.Config.Ranked,
	}}
}

// locked does something with the room while nobody else does.
func (r *Room) locked(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
}

// Told is what has happened at the door so far.
func (r *Room) Told() Told {
	r.mu.Lock()
	defer r.mu.Unlock()
	told, from := r.told, map[netip.Addr]int{}
	for _, s := range r.seats {
		from[s.from]++
		told.Together = max(told.Together, from[s.from])
	}
	return told
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
	// errTaken is why an address gets no seat in a room that is not full.
	errTaken = errors.New("all seats that your address may have are taken")
	// errHaste is why an address gets no more seats for a while.
	errHaste = errors.New("too many seats were taken from here; try again in a while")
	errOver  = errors.New("the class is over")
	// errOut is why a seat ends that the lecturer has ended.
	errOut = errors.New("the lecturer has ended your seat")
	// errGiven is why a seat ends whose student has lost their line.
	errGiven = errors.New("the seat was given to somebody else")
)

// back joins a visitor to the seat that they had, if its line was lost; nil for none.
func (r *Room) back(v *visitor) (*Seat, *end, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil, nil, errOver
	}
	for _, s := range r.seats {
		if v.key != "" && s.key == v.key {
			if v.proven {
				s.wire.lose(s.wire.end())
			}
			if e := s.wire.join(v); e != nil {
				s.from = v.from
				r.inside.Add(1)
				return s, e, nil
			}
		}
	}
	return nil, nil, nil
}

// lostFrom returns the seats without a line whose key has this prefix.
func (r *Room) lostFrom(prefix string) []*Seat {
	return slices.DeleteFunc(r.Seats(), func(s *Seat) bool {
		return !strings.HasPrefix(s.key, prefix+" ") || !s.Lost()
	})
}

// take joins a visitor to a seat that is free. Where none is, in the room or for the address, whoever
// has lost their line there for the longest time gives up theirs.
func (r *Room) take(v *visitor) (*Seat, *end, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil, nil, errOver
	}
	if !r.seatings.try(v.from, time.Now(), true) {
		return nil, nil, errHaste
	}
	of, most, full := r.seats, r.Students, errFull
	beside := slices.DeleteFunc(slices.Clone(of), func(s *Seat) bool { return s.from != v.from })
	if r.PerAddress > 0 && len(beside) >= r.PerAddress {
		of, most, full = beside, r.PerAddress, errTaken
	}
	if len(of) >= most {
		away := slices.MaxFunc(of, func(a, b *Seat) int { return cmp.Compare(a.wire.lost(), b.wire.lost()) })
		if away.wire.lost() == 0 {
			r.told.Full++
			return nil, nil, full
		}
		away.end(errGiven)
		r.seats = slices.DeleteFunc(r.seats, func(o *Seat) bool { return o == away })
	}
	r.told.Came++
	s := &Seat{Number: r.told.Came, Since: time.Now(), key: v.key, from: v.from, screen: newShowing(),
		mail: make(chan tea.Msg, 64), over: make(chan struct{})}
	s.ctx, s.end = context.WithCancelCause(r.ctx)
	s.wire = newWire(s.ctx, &r.keys, func() { s.post(lostMsg{}) })
	if r.lecture != nil && r.lecture.At > 0 {
		s.post(control.JoinMsg{At: r.lecture}) // who comes late comes to where the others are
	}
	if r.frozen {
		s.post(freezeMsg{true})
	}
	r.seats = append(r.seats, s)
	r.inside.Add(2)
	if r.told.Came == 1 && r.Write != nil {
		r.inside.Go(r.keep)
	}
	return s, s.wire.join(v), nil
}

// mostLeft is how many of those who have left a summary has, the newest.
const mostLeft = 1000

func (r *Room) free(s *Seat) {
	stood := r.stood(s)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left = append(r.left, stood); len(r.left) > mostLeft {
		r.left = slices.Delete(r.left, 0, 1)
	}
	r.seats = slices.DeleteFunc(r.seats, func(o *Seat) bool { return o == s })
	r.inside.Done()
}

func (r *Room) called(s *Seat) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.name != "" {
		return fmt.Sprintf("%02d %s", s.Number, s.name)
	}
	return fmt.Sprintf("student %02d", s.Number)
}

// tell tells all students something.
func (r *Room) tell(msg tea.Msg) {
	for _, s := range r.Seats() {
		s.post(msg)
	}
}

// Frozen reports whether the lecturer has stopped everyone.
func (r *Room) Frozen() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.frozen
}

// freeze stops all sessions and shows the lecturer's screen to everyone, also to those who come later, or lets go.
func (r *Room) freeze(on bool) {
	r.locked(func() { r.frozen = on })
	r.tell(freezeMsg{on})
}

// goodbye is how long the end of a class waits for the students' screens.
const goodbye = 3 * time.Second

// Close ends the class, with a word to everyone.
func (r *Room) Close() {
	r.locked(func() { r.ended = true })
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
	r.door.end()
	late := time.After(goodbye)
	for _, done := range []chan struct{}{left, r.webbed} {
		select {
		case <-done:
		case <-late:
			return
		}
	}
}

// A cost measures what the process takes of the machine.
type cost struct {
	at   time.Time
	used time.Duration // of the processors, until then
	says string
}

// costEvery is the time over which it is measured.
const costEvery = 2 * time.Second

// now is what the process takes of processors and memory, and how soon keys are answered.
func (c *cost) now(keys *latency) string {
	now := time.Now()
	took := now.Sub(c.at)
	if took < costEvery {
		return c.says
	}
	var all []string
	used, known := processorTime()
	if known && !c.at.IsZero() {
		all = append(all, fmt.Sprintf("%.1f of %d cores", (used-c.used).Seconds()/took.Seconds(), runtime.NumCPU()))
	}
	held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(held)
	all = append(all, fmt.Sprintf("%d MB", (held[0].Value.Uint64()-held[1].Value.Uint64())>>20))
	if d := keys.high(); d > 0 {
		all = append(all, fmt.Sprintf("95%% of keys within %d ms", d.Milliseconds()))
	}
	c.at, c.used, c.says = now, used, strings.Join(all, ", ")
	return c.says
}

// slowness is a controller's row that says that all sessions of the room are slowed down, while they are, or that they
// stand.
type slowness struct {
	desk  *control.Desk
	stand func() bool // that they stand; nil where another row says it
}

// stands reports whether all sessions stand and the row says it.
func (s *slowness) stands() bool { return s.stand != nil && s.stand() }

// cut is the part of the speed that is taken away.
func (s *slowness) cut() float64 {
	if !s.desk.Feed.Begun() {
		return 0
	}
	return s.desk.Feed.Newest.Cut
}

func (s *slowness) Slot(int) control.Slot {
	if (s.cut() > 1-slowed || s.stands()) && !s.desk.Screen.Compact() {
		return control.Slot{At: control.Bottom, Rows: 1}
	}
	return control.Slot{}
}

func (s *slowness) Draw(g plane.Region, f *pane.Frame) {
	if s.stands() {
		g.TextFit(1, 0, g.W()-2, f.Theme, fmt.Sprintf("frozen: the students' sessions stand, and they see this screen "+
			"(lecturer: %s, then %s lets go)", s.desk.Keys.First("class"), freezeKey), f.Theme.Warn)
		return
	}
	g.TextFit(1, 0, g.W()-2, f.Theme,
		fmt.Sprintf("the room is at %.0f%% of its speed: the machine does not keep up", 100*(1-s.cut())), f.Theme.Warn)
}
