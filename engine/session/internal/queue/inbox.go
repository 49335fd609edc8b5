// Package queue is what the goroutine of a session waits for and measures: the commands
// that come, the steps that fall due at a pace, and the steps that a second brings.
package queue

import (
	"sync"

	"github.com/psgld/psgld-tui/engine/state"
)

// An Inbox is an unbounded queue of commands. Any goroutine may use it.
type Inbox struct {
	mu   sync.Mutex
	q    []state.Command
	sent uint64 // commands put in so far
	wake chan struct{}
}

// NewInbox returns an empty Inbox.
func NewInbox() *Inbox { return &Inbox{wake: make(chan struct{}, 1)} }

// Put queues a command and returns how many were queued so far.
func (b *Inbox) Put(c state.Command) uint64 {
	b.mu.Lock()
	b.q = append(b.q, c)
	b.sent++
	n := b.sent
	b.mu.Unlock()
	b.Poke()
	return n
}

// Poke wakes a session that waits for a command.
func (b *Inbox) Poke() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Wake returns a channel that receives a value after Put or Poke.
func (b *Inbox) Wake() <-chan struct{} { return b.wake }

// Empty reports whether no command waits.
func (b *Inbox) Empty() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.q) == 0
}

// Take returns the commands that wait, in order, and leaves none.
func (b *Inbox) Take() []state.Command {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.q
	b.q = nil
	return q
}
