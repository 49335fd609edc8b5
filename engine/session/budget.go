package session

import (
	"fmt"
	"strconv"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// A Budget is what a session may take of a machine that it shares. What is 0 is not bounded.
// No number of the session depends on it: it decides when steps are made, and which commands
// are refused.
type Budget struct {
	Lanes  int // of the session
	Chains int // of each lane
	Dim    int // of the target
	// StepsPerSecond bounds the speed, but for counted steps and for seeks.
	StepsPerSecond float64
	// Share is the share of one processor's time that the lanes may take, above 0 and at most
	// 1, of each thread.
	Share float64
}

// check refuses a Config that is beyond the budget. The error is an *engine.Refusal.
func (b *Budget) check(cfg engine.Config, p *targets.Problem) error {
	for _, of := range []struct {
		field     string
		got, most int
	}{{"lanes", len(cfg.Lanes), b.Lanes}, {engine.KeyChains, cfg.ChainCount(), b.Chains}, {"dimensions", p.Dim(), b.Dim}} {
		if of.most > 0 && of.got > of.most {
			return &engine.Refusal{Lane: engine.AllLanes, Field: of.field, Value: strconv.Itoa(of.got), Allowed: fmt.Sprintf("at most %d here", of.most)}
		}
	}
	return nil
}

// speed is the limit in force where so many steps a second were asked for.
func (b *Budget) speed(asked float64) float64 {
	if most := b.StepsPerSecond; most > 0 && !(asked > 0 && asked <= most) {
		return most
	}
	return max(0, asked)
}

// setSpeed limits the steps a second. 0 is no limit but the budget's.
func (s *Session) setSpeed(perSecond float64) {
	s.pace.Set(s.rt.Budget.speed(perSecond), time.Now())
}

// mostRest bounds a rest: a chunk may take long because the machine is busy with something else.
const mostRest = 250 * time.Millisecond

// rest is how long lanes rest after a chunk that took so long.
func (b *Budget) rest(took time.Duration) time.Duration {
	if b.Share <= 0 || b.Share >= 1 {
		return 0
	}
	return time.Duration(min(float64(took)*(1/b.Share-1), float64(mostRest)))
}
