package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/engine/tool/share"
	"github.com/psgld/psgld-tui/targets"
)

// course is what it takes to play a session: how it began, and what was done in it.
type course struct {
	start state.Config
	begun *targets.Problem // the target of start
	line  timeline.Timeline[engine.LoggedCommand, *sessionCopy]
	end   *engine.Recording // up to where it first went back; nil if it never did
	// unrepeatable says that a target's gradients need not be the same when they are asked for again.
	unrepeatable bool
}

// shelved is a session whose place another has taken.
type shelved struct {
	course
	at  uint64      // where it stood
	was state.State // what it was there
}

// mostShelved is how many sessions are held beside the one at hand.
const mostShelved = 3

// shelf holds what a Load or a branch replaced, and the memory for keyframes of that and of the session at hand.
type shelf struct {
	held  []shelved   // the newest last
	part  *share.Part // of Runtime.Memory; nil without, and before Run
	bytes int         // of part, for the keyframes of each
}

// put makes a session the one to return to.
func (f *shelf) put(l shelved) {
	all := append(slices.Clone(f.held), l)
	f.held = all[max(0, len(all)-mostShelved):]
}

// swap takes the session to return to, and puts another behind all.
func (f *shelf) swap(now shelved) {
	f.held = slices.Insert(slices.Clone(f.held[:len(f.held)-1]), 0, now)
}

// newCourse begins a course with a script ahead.
func (s *Session) newCourse(cfg state.Config, p *targets.Problem, script []state.Event) course {
	b := timeline.DefaultBudget
	if s.rt.Memory != nil {
		b.Bytes, b.Least = s.shelf.bytes, 1 // where many share, one is better than none
	}
	cfg.Lanes = slices.Clone(cfg.Lanes)
	events := engine.Logged(len(cfg.Lanes), script)
	return course{start: cfg, begun: p, line: timeline.New[engine.LoggedCommand, *sessionCopy](events, b)}
}

// fit keeps the keyframes of the session at hand and of the shelved ones within the part of the shared memory.
func (f *shelf) fit(now *course, at func() uint64) {
	if f.part == nil {
		return
	}
	bytes := timeline.Portion(f.part.Bytes(), mostShelved)
	if bytes == f.bytes {
		return
	}
	f.bytes = bytes
	now.line.Resize(at(), bytes)
	for i := range f.held {
		l := &f.held[i]
		l.line.Resize(l.at, bytes)
		l.line = l.line.Shelved(l.at)
	}
}
