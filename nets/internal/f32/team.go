package f32

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// A Team is a number of workers that share tasks: the caller and goroutines. These wait for tasks awake at first, since
// tasks follow each other within microseconds, and then asleep. The caller never waits for a worker that has not begun,
// so that a team on a busy machine is not slower than one worker. Only one goroutine at a time may give a team tasks,
// and a task may not give it others.
type Team struct {
	boxes []*mailbox // of the workers but the caller
	space []*Workspace

	piece  func(worker, i int)
	shares []share // of the workers
	active int     // workers that the task has shares for
	closed bool

	atWork   atomic.Int32  // letters that are neither done nor taken back
	waiting  atomic.Bool   // the caller sleeps, or is about to
	finished chan struct{} // wakes it
	panicked atomic.Pointer[workerPanic]

	part     func(part, parts int)
	runPiece func(worker, i int)
	job      shared
	sparse   sharedSparse
}

// NewTeam starts workers-1 goroutines, which end with Close.
func NewTeam(workers int) *Team {
	if workers < 1 {
		panic("f32: a team of no workers")
	}
	t := &Team{finished: make(chan struct{}, 1)}
	t.runPiece = func(_, i int) { t.part(i, t.Workers()) }
	t.job.init(t)
	t.sparse.init(t)
	t.shares = make([]share, workers)
	for w := range workers {
		t.space = append(t.space, NewWorkspace())
		if w > 0 {
			b := &mailbox{wake: make(chan struct{}, 1)}
			t.boxes = append(t.boxes, b)
			go t.work(b, w)
		}
	}
	return t
}

// Workers is the number of workers, the caller included.
func (t *Team) Workers() int { return len(t.space) }

// Workspace is the workspace of a worker, for use within its part of a task.
func (t *Team) Workspace(worker int) *Workspace { return t.space[worker] }

// Close ends the goroutines. The team does nothing after it.
func (t *Team) Close() {
	t.closed = true
	for _, b := range t.boxes {
		b.send()
	}
	t.boxes = nil
}

// Each calls task once for every i from 0 to n-1, each by some worker, and returns when all calls have. It panics if a
// call does. Workers begin with ranges of about the same length, which they do in order, and then help others. Pieces
// of some ten microseconds share the work well. A function that captures variables is allocated where it is written, so
// make it once and not for every step.
func (t *Team) Each(n int, task func(worker, i int)) {
	if n <= 0 {
		return
	}
	t.piece, t.active = task, min(t.Workers(), n)
	for w := range t.active {
		t.shares[w].set(n*w/t.active, n*(w+1)/t.active)
	}
	helpers := t.boxes[:min(len(t.boxes), t.active-1)]
	t.atWork.Store(int32(len(helpers)))
	for _, b := range helpers {
		b.send()
	}
	t.help(0)
	for _, b := range helpers {
		if b.takeBack() {
			t.atWork.Add(-1)
		}
	}
	t.wait()
	if p := t.panicked.Load(); p != nil {
		panic(p)
	}
	t.piece = nil
}

// Run calls task once for each worker's number. The call may use the Workspace of that
// number. Each is better where a task has more pieces.
func (t *Team) Run(task func(part, parts int)) {
	t.part = task
	t.Each(t.Workers(), t.runPiece)
	t.part = nil
}

// take does pieces while there are any, beginning with the worker's share.
func (t *Team) take(worker int) {
	for v := range t.active {
		s := &t.shares[(worker+v)%t.active]
		for i, ok := s.take(); ok; i, ok = s.take() {
			t.piece(worker, i)
		}
	}
}

// wait returns when no letter is out.
func (t *Team) wait() {
	for turns := 0; t.atWork.Load() > 0; turns++ {
		if turns < patience {
			continue
		}
		// The worker may be waiting for this very processor.
		t.waiting.Store(true)
		if t.atWork.Load() > 0 || !t.waiting.CompareAndSwap(true, false) {
			<-t.finished
		}
	}
}

func (t *Team) work(b *mailbox, worker int) {
	for {
		b.receive()
		if t.closed {
			return
		}
		t.help(worker)
		if t.atWork.Add(-1) == 0 && t.waiting.CompareAndSwap(true, false) {
			t.finished <- struct{}{}
		}
	}
}

// help does a worker's pieces. A panic is passed to the caller, who may have a terminal to restore.
func (t *Team) help(worker int) {
	defer func() {
		if v := recover(); v != nil {
			t.panicked.CompareAndSwap(nil, &workerPanic{v, debug.Stack()})
		}
	}()
	t.take(worker)
}

// workerPanic is the panic of a worker, with the stack that it had there.
type workerPanic struct {
	value any
	stack []byte
}

// String is the panic's value.
func (p *workerPanic) String() string { return fmt.Sprint(p.value) }

// Stack is that of the worker.
func (p *workerPanic) Stack() []byte { return p.stack }

// Span is part i of 0 … n-1 cut into parts that have about as many numbers each,
// in whole multiples of unit but for the last.
func Span(n, unit, i, parts int) (from, to int) {
	units := (n + unit - 1) / unit
	return min(n, units*i/parts*unit), min(n, units*(i+1)/parts*unit)
}

// A share is a range of pieces. Pieces are taken from its start, so that one worker does
// neighbours in order: kernels prefetch.
type share struct {
	next atomic.Int32
	end  int32
	_    [56]byte // keeps shares in cache lines of their own
}

func (s *share) set(from, to int) {
	s.next.Store(int32(from))
	s.end = int32(to)
}

// take removes a piece, if there is any.
func (s *share) take() (i int, ok bool) {
	next := s.next.Add(1) - 1
	return int(next), next < s.end
}

// patience is the number of turns that a worker waits awake, some 50 µs.
const patience = 50_000

// A mailbox holds one letter at most.
type mailbox struct {
	_     [64]byte // keeps the letters of several workers in cache lines of their own
	state atomic.Int32
	wake  chan struct{}
	_     [64]byte
}

const (
	boxEmpty = iota
	boxFull
	boxAsleep // empty, and the worker waits on wake
)

func (b *mailbox) send() {
	if b.state.Swap(boxFull) == boxAsleep {
		b.wake <- struct{}{}
	}
}

// takeBack takes the letter out, and reports whether it was still in the box.
func (b *mailbox) takeBack() bool { return b.state.CompareAndSwap(boxFull, boxEmpty) }

func (b *mailbox) receive() {
	for turns := 0; !b.state.CompareAndSwap(boxFull, boxEmpty); turns++ {
		for turns < patience && b.state.Load() != boxFull {
			turns++
		}
		if b.state.CompareAndSwap(boxEmpty, boxAsleep) {
			<-b.wake
			turns = 0
		}
	}
}
