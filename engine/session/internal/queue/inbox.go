// Package queue is what the goroutine of a session waits for: the commands that come, and the clock by which it makes
// steps and publishes snapshots.
package queue

import (
	"context"
	"sync"
	"time"

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

// patience is how long a command waits before it interrupts gradients of another process.
const patience = 20 * time.Millisecond

// Leaving returns a context for a chunk of steps on a target of another process, whose gradients may take long. The
// context ends once a command has waited for patience. No other wake ends it: news of a worker, for one, waits until
// the chunk has ended. The caller calls cancel then.
func (b *Inbox) Leaving(ctx context.Context) (step context.Context, cancel func()) {
	step, stop := context.WithCancel(ctx)
	ended, woken := make(chan struct{}), false
	go func() {
		defer close(ended)
		for b.Empty() {
			select {
			case <-step.Done():
				return
			case <-b.Wake():
				woken = true
			}
		}
		select {
		case <-step.Done():
		case <-time.After(patience):
			stop()
		}
	}()
	return step, func() {
		stop()
		<-ended // it takes no wake from here on
		if woken {
			b.Poke()
		}
	}
}
