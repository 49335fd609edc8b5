package sideline

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/targets"
)

const (
	// mostChecked is how many numbers of watched draws are held against a claim.
	mostChecked = 1 << 22
	// checkedAtOnce is how many draws of each chain are taken between two rests.
	checkedAtOnce = 256
	// soonest is between two checks that are shown, of at least a quarter more draws, or of all that there are.
	soonest = time.Second
)

// A claim follows watched draws, and says whether they are what they are said to be. The worker alone changes it.
type claim struct {
	c      check.Claim
	f      *check.Following
	rows   uint64 // of each chain that f has
	before uint64 // rows of the look before, of at most half as many; 0 of the first look
	lasts  bool   // that was against the method
	at     time.Time

	mu   sync.Mutex
	view *engine.Check // of seen rows
	seen uint64
}

// newClaim is the claim on a session's watched draws, nil where there is none, or one that cannot be checked.
func newClaim(s *state.State) *claim {
	if s.Config.Watched == nil || s.Config.Watched.Claim == nil || s.Problem.Source == nil {
		return nil
	}
	c := &claim{c: check.Claim{Config: s.Whole(), Problem: s.Problem, Unsaid: s.Config.Watched.Unsaid}}
	c.c.Config.Lanes = []state.Setting{*s.Config.Watched.Claim}
	if c.begin() != nil { // it was checked before the session began
		return nil
	}
	return c
}

// begin takes no draw yet.
func (c *claim) begin() (err error) {
	c.f, err = check.Follow(c.c, c.c.Problem.Source.Chains())
	c.rows, c.before, c.lasts = 0, 0, false
	return err
}

// most is how many draws of each chain are checked, of so many.
func (c *claim) most(rows uint64) uint64 {
	return min(rows, mostChecked/uint64(c.c.Problem.Dim()*c.c.Problem.Source.Chains()))
}

// look takes the first so many draws of each chain, and says what they are. It ends early where rest is false.
func (c *claim) look(ctx context.Context, rows uint64, rest func(time.Duration) bool) (err error) {
	defer func() {
		if err != nil {
			c.f = nil // some chains have more draws than others
		}
	}()
	src, d, to := c.c.Problem.Source, c.c.Problem.Dim(), c.most(rows)
	if c.f == nil || to < c.rows { // or the session has gone back
		if err := c.begin(); err != nil {
			return err
		}
	}
	var told targets.Told
	for c.rows < to {
		began, n := time.Now(), min(checkedAtOnce, to-c.rows)
		draws := make([]float64, n*uint64(d))
		for k := range src.Chains() {
			for t := range n {
				if err := src.Row(draws[t*uint64(d):][:d], &told, k, c.rows+t); err != nil {
					return err
				}
			}
			if err := c.f.Add(ctx, k, draws); err != nil {
				return err
			}
		}
		if c.rows += n; !rest(time.Since(began)) {
			return nil
		}
	}
	view := &engine.Check{Report: &check.Report{Draws: int(to) * src.Chains(), Notes: []string{fmt.Sprintf(
		"%d rows with NaN or an infinity are left out: draws are not of successive steps, and none was tested.",
		src.Skipped())}}}
	if src.Skipped() == 0 {
		began := time.Now()
		if view.Report, err = c.f.Report(ctx); err != nil {
			return err
		}
		rest(time.Since(began))
	}
	if to < rows {
		view.Notes = append(view.Notes, fmt.Sprintf("That is of the first %d draws of each chain.", to))
	}
	view.Lasts = view.Rejects() && (c.lasts || c.before == 0)
	if to >= 2*c.before {
		c.before, c.lasts = to, view.Rejects()
	}
	c.mu.Lock()
	c.view, c.seen = view, rows
	c.mu.Unlock()
	return nil
}

// due reports whether a check of so many draws of each chain is to be made now, the last of which was made long enough
// ago.
func (c *claim) due(rows uint64, ended bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return rows > 0 && time.Since(c.at) >= soonest && (rows < c.seen || ended && rows > c.seen || 4*rows >= 5*c.seen+4)
}

// Check is what the watched draws are found to be of which so many of each chain are shown, nil where nobody says of
// what they are. Beside a screen it is of somewhat fewer. At the end it is of all.
func (l *Sideline) Check(s *state.State, rows uint64, running bool) *engine.Check {
	if l.claimOf != s.Problem {
		l.endCheck()
		l.claim, l.claimOf = newClaim(s), s.Problem
	}
	c := l.claim
	if c == nil {
		return nil
	}
	if !l.Interactive && l.ended && c.seen != rows && rows > 0 {
		l.Heard(c.look(context.Background(), rows, func(time.Duration) bool { return true }))
		if c.view != nil {
			c.view.Lasts = c.view.Rejects() // it is the only look
		}
	}
	if !l.ended {
		if l.checks == nil {
			l.checks = beside.New("the check of draws", 1, l.Poke)
		}
		l.Heard(l.checks.Look())
		var tasks []beside.Task
		if l.checks.Settled() && c.due(rows, s.Problem.Source.Ended()) {
			c.at = time.Now()
			ctx, stop := context.WithCancel(context.Background())
			l.stopCheck = stop
			tasks = []beside.Task{func(rest func(time.Duration) bool) {
				_ = c.look(ctx, rows, rest) // of rows that cannot be read the lane tells
			}}
		}
		l.checks.Ask(tasks, running && !s.Problem.Source.Ended())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.view
}

// endCheck ends what is checked.
func (l *Sideline) endCheck() {
	if l.stopCheck != nil {
		l.stopCheck()
	}
	l.checks.Close()
	l.checks = nil
}
