package session

import (
	"context"
	"time"

	"github.com/psgld/psgld-tui/targets"
)

// outside reports whether the target is outside of the process.
func (s *Session) outside() bool {
	_, ok := s.now.Problem.F64.(targets.Outside[float64])
	return ok
}

// patience is how long a command waits for lanes that wait for gradients from outside.
const patience = 20 * time.Millisecond

// leaving is a context for a chunk of steps on a target outside of the process. It ends a
// moment after a command comes. Who wakes the session for anything else, such as news of a
// worker, waits for the end of the chunk. The caller calls cancel after it.
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

// behind is the most steps that a lane is behind the others, since it was interrupted.
func (s *Session) behind() (most uint64) {
	for i, r := range s.lanes {
		if r.Standing().Diverged == nil {
			most = max(most, min(s.owed[s.now.Lanes[i].ID], s.left(i)))
		}
	}
	return most
}

// counted is how many of the n steps of a chunk count as made: those of the slowest lane. In
// the chunks after one that was interrupted the lanes that are behind catch up.
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
