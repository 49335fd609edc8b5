package session

import (
	"context"
	"time"

	"github.com/psgld/psgld-tui/targets"
)

// outside reports whether another process evaluates the target.
func (s *Session) outside() bool {
	_, ok := s.now.Problem.F64.(targets.Outside[float64])
	return ok
}

// patience is how long a command waits before it interrupts gradients of another process.
const patience = 20 * time.Millisecond

// leaving returns a context for a chunk of steps on a target of another process, whose gradients may take long. The
// context ends once a command has waited for patience. No other wake ends it: news of a worker, for one, waits until
// the chunk has ended. The caller calls cancel then.
func (s *Session) leaving(ctx context.Context) (step context.Context, cancel func()) {
	step, stop := context.WithCancel(ctx)
	ended, woken := make(chan struct{}), false
	go func() {
		defer close(ended)
		for s.inbox.Empty() {
			select {
			case <-step.Done():
				return
			case <-s.inbox.Wake():
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
			s.inbox.Poke()
		}
	}
}

// behind is the most steps that any lane owes. A lane owes steps when it was interrupted in a chunk in which others got
// further.
func (s *Session) behind() (most uint64) {
	for i, r := range s.lanes {
		if r.Standing().Diverged == nil {
			most = max(most, min(s.owed[s.now.Lanes[i].ID], s.left(i)))
		}
	}
	return most
}

// counted returns how many of the n steps of a chunk count as made. A chunk that was not interrupted counts in full.
//
// In an interrupted chunk the lanes make different numbers of steps. The least of them counts, and each lane owes its
// distance from the furthest one. In the chunks after it, where behind is true, lanes make only the steps that they
// owe. Such a chunk counts the most that a lane has made.
func (s *Session) counted(jobs []job, n uint64, behind bool) uint64 {
	most, cut := uint64(0), false
	for _, j := range jobs {
		most = max(most, j.lane.Standing().Odometer-j.from)
		cut = cut || j.lane.Standing().Interrupted
	}
	if !behind && !cut {
		return n
	}
	least := most
	for i, j := range jobs {
		did, owed := j.lane.Standing().Odometer-j.from, &s.owed[s.now.Lanes[i].ID]
		switch {
		case behind:
			*owed -= min(did, *owed)
		case j.steps > 0 && j.lane.Standing().Diverged == nil && s.left(i) > 0:
			*owed = most - did
			least = min(least, did)
		}
	}
	return least
}
